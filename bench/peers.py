"""SPARQL over HTTP: `kg serve` against other servers with the same 1,000 CVs and the same queries,
in one run.

CPU is that of all processes of the server, per request. Cold: all requests of a round differ, and
`kg serve` does not cache answers. Repeated: one request many times, with the cache. Servers that
return other rows than ours are not counted. DESCRIBE differs between servers: ours also returns the
names of mentioned entities. So others are asked for the same triples with CONSTRUCT, and once more
with DESCRIBE, which returns less and has no goal.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from http.client import OK
from pathlib import Path

from bench.client import LONGEST, Client, Tally, ask
from bench.generate import generate
from bench.mix import QUESTIONS, Question, people_in
from bench.servers import PEERS, LeftOut, Server, ours
from kg.facts.load import load
from kg.graph.build import build

WORK = Path(__file__).parent / "work"
SLOW, SLOW_SECONDS = "rdflib-endpoint", 5  # seconds per kind of query; at least one is answered
KNOWN = 500  # the parameter of repeated queries, which were asked once before
CROWDS = {8: 16, 64: 32}  # clients -> requests of each kind
CROWD_SECONDS = 40  # time limit; a busy machine does not complete all requests
GOALS = {"oxigraph": 1.3, SLOW: 0.25}  # CPU ratio per query; none for Virtuoso
MIX_GOALS = {**GOALS, "oxigraph": 0.5}
REPEATED_GOALS = {**GOALS, "oxigraph": 0.1}
Row = dict[str, object]
Goals = Mapping[str, float]
Tallies = dict[tuple[str, str], Tally]  # (server, question) -> tally
Wrong = dict[tuple[str, str], str]  # (server, question) -> what was wrong
ROUNDS = 2


def data() -> Path:
    """The graph of 1,000 generated CVs."""
    folder, nquads = WORK / "cvs-1000", WORK / "peers" / "cvs.nq"
    if not folder.exists():
        generate(folder, 1000)
    facts = load(folder)
    assert facts.site is not None  # noqa: S101
    nquads.write_bytes(build(facts, facts.site).nquads)
    return nquads


@contextmanager
def all_of_them(nquads: Path) -> Iterator[tuple[dict[str, Server], dict[str, str]]]:
    """The servers by name, ours with and without cache, and the reasons for those left out."""
    uncached = partial(ours, KG_SERVE_CACHE_SIZE="0")
    starts = {"kg": uncached, "kg, kept": ours, **PEERS}
    servers, left_out = {}, {}
    with ExitStack() as stack:
        for name, start in starts.items():
            print(f"  starting {name} ...", file=sys.stderr)
            folder = nquads.parent / name.replace(", ", "-")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                servers[name] = stack.enter_context(start(nquads, folder))
            except LeftOut as reason:
                left_out[name] = str(reason)
        yield servers, left_out


def run() -> list[Row]:
    (WORK / "peers").mkdir(parents=True, exist_ok=True)
    nquads = data()
    people = people_in(nquads)
    with all_of_them(nquads) as (servers, left_out):
        wrong = differing(servers, people)
        without, keeping = (
            {name: server for name, server in servers.items() if name != other}
            for other in ("kg, kept", "kg")
        )
        keeping = {name.partition(",")[0]: server for name, server in keeping.items()}
        cold = each(
            without,
            wrong,
            lambda question, turn, name: question.asked(
                people, turn * question.count, question.count, name
            ),
        )
        repeated = each(
            keeping,
            wrong,
            lambda question, _, name: question.asked(people, KNOWN, 1, name) * question.count,
        )
        rows = [row for peer in PEERS for row in compared(peer, cold, "cold", GOALS, MIX_GOALS)]
        for peer in PEERS:  # other servers have no cache, so one peer is enough for each question
            rows += compared(peer, repeated, "repeated", REPEATED_GOALS, REPEATED_GOALS)[
                0 if peer == "oxigraph" else -1 :
            ]
        for clients, count in CROWDS.items():
            kinds = [question.asked(people, 100 + clients, count) for question in QUESTIONS]
            in_turn = [query for turn in zip(*kinds, strict=True) for query in turn]
            rows += crowded(without, wrong, f"{clients} clients, cold", clients, in_turn)
            again = [question.asked(people, KNOWN, 1)[0] for question in QUESTIONS] * count
            rows += crowded(keeping, wrong, f"{clients} clients, repeated", clients, again)
    rows += [
        row(f"SPARQL, {name}", 0, "", 0, "", f"left out: {reason}")
        for name, reason in left_out.items()
    ]
    return rows + [
        row(f"SPARQL, {question}, {name}", 0, "", 0, "", f"not counted: {how}")
        for (name, question), how in wrong.items()
    ]


def differing(servers: dict[str, Server], people: list[str]) -> Wrong:
    """The servers and questions with other rows than ours."""
    found: Wrong = {}
    for question in QUESTIONS:
        expected = None
        for name, server in servers.items():
            query = question.asked(people, KNOWN, 1, name)[0]
            client = Client(server)
            if not question.is_free:
                rows = client.rows(query) if question.is_table else sorted(client.triples(query))
                expected = expected or rows
                if rows != expected:
                    found[name, question.name] = (
                        f"{len(rows)} rows, ours {len(expected)}; first {rows[:1]}, ours "
                        f"{expected[:1]}"
                    )
            elif (status := client.ask(query)[0]) != OK:
                found[name, question.name] = f"status {status}"
            client.close()
    return found


def each(
    servers: dict[str, Server], wrong: Wrong, queries: Callable[[Question, int, str], list[str]]
) -> Tallies:
    """One client sends each kind of query to all servers in turn, in several rounds to show the
    noise. A first round is not counted: the first read of a memory page in a worker copies it,
    which happens once in the lifetime of a server.
    """
    found: Tallies = {}
    for turn in range(-1, ROUNDS):
        for question in QUESTIONS:
            print(f"  {question.name} ...", file=sys.stderr)
            for name, server in servers.items():
                key = (name, question.name)
                if key not in wrong and (name != SLOW or turn == 0):
                    seconds = SLOW_SECONDS if name == SLOW else LONGEST
                    tally = ask(server, queries(question, turn, name), seconds=seconds)
                    if turn >= 0:
                        found.setdefault(key, Tally()).add(tally)
    return found


def compared(peer: str, tallies: Tallies, how: str, goals: Goals, mix_goals: Goals) -> list[Row]:
    """Ours against a peer: each question, and the mix of all questions that both answer."""
    answered = [question for question in QUESTIONS if (peer, question.name) in tallies]
    kinds = [question.name for question in answered]
    if not kinds:
        return []
    found = []
    for question in answered:
        kind = question.name
        our, their = tallies["kg", kind], tallies[peer, kind]
        note = (
            f"rounds {rounds(our)}, theirs {rounds(their)}; web part "
            f"{our.web * 1000 / len(our.waits):.2f}; "
        )
        note += f"wait {waits(our)}, theirs {waits(their)}{failed(our, their)}"
        found.append(
            row(
                f"SPARQL, {kind}, {how}",
                our.each,
                f"{peer} {their.each:.2f} ms",
                our.each / their.each,
                "" if question.is_free else goals.get(peer, ""),
                note,
            )
        )
    our_sum, their_sum = (sum(tallies[name, kind].each for kind in kinds) for name in ("kg", peer))
    against = f"{peer} {their_sum:.1f} ms"
    note = f"sum of one of each of {len(kinds)} kinds"
    return [
        *found,
        row(
            f"SPARQL, the mix, {how}",
            our_sum,
            against,
            our_sum / their_sum,
            mix_goals.get(peer, ""),
            note,
        ),
    ]


def crowded(
    servers: dict[str, Server], wrong: Wrong, how: str, clients: int, queries: list[str]
) -> list[Row]:
    """The latency of the slowest 5 %. Excludes servers that answer one request at a time or
    differently.
    """
    print(f"  {how} ...", file=sys.stderr)
    odd = {SLOW, *(name for name, _ in wrong)}
    tallies = {
        name: ask(server, queries, clients, CROWD_SECONDS)
        for name, server in servers.items()
        if name not in odd
    }
    our = tallies.pop("kg")
    return [
        row(
            f"SPARQL, wait of the slowest 5 % of {how}",
            our.late,
            f"{name} {their.late:.0f} ms",
            our.late / their.late,
            1.0 if name in GOALS else "",
            (
                f"CPU {our.each:.2f} ms per request, theirs {their.each:.2f}; median wait "
                f"{our.median:.0f} ms, theirs {their.median:.0f}"
            )
            + failed(our, their),
        )
        for name, their in tallies.items()
    ]


def rounds(tally: Tally) -> str:
    return " and ".join(f"{cpu:.2f}" for cpu in tally.rounds)


def waits(tally: Tally) -> str:
    return f"{tally.median:.1f} (95 %: {tally.late:.1f}) ms"


def failed(our: Tally, their: Tally) -> str:
    return (
        f"; FAILED: ours {our.failures}, theirs {their.failures}"
        if our.failures or their.failures
        else ""
    )


def row(work: str, milliseconds: float, against: str, ratio: float, goal: object, note: str) -> Row:
    return {
        "work": work,
        "cpu": round(milliseconds / 1000, 5),
        "against": against,
        "ratio": round(ratio, 3),
        "goal": goal,
        "note": note,
    }


if __name__ == "__main__":
    for measured in run():
        print("  ".join(f"{value}" for value in measured.values()))
