"""A test asked, and what came of it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from tests.w3c import results
from tests.w3c.ask import NOT_SUPPORTED, Ask, NotServed, Reply, Way
from tests.w3c.compare import by_value, same
from tests.w3c.manifest import Data, Suite, Test


@dataclass(frozen=True)
class Outcome:
    problem: str = ""  # nothing: it passed
    by_value: bool = False  # it passed, but a number is written otherwise than expected

    @property
    def passed(self) -> bool:
        return not self.problem


def run(suite: Suite, tests: Sequence[Test], way: Way, at_once: int = 1) -> dict[str, Outcome]:
    """All outcomes by the names of the tests; those over the same data are asked of the same
    server.
    """
    groups: defaultdict[Data, list[Test]] = defaultdict(list)
    for test in tests:
        groups[test.data].append(test)

    def group(data: Data) -> list[tuple[str, Outcome]]:
        try:
            with way(suite, data) as ask:
                return [(test.name, judge(suite, test, ask)) for test in groups[data]]
        except NotServed as error:
            return [(test.name, Outcome(str(error))) for test in groups[data]]

    with ThreadPoolExecutor(at_once) as pool:
        found = dict(pair for pairs in pool.map(group, groups) for pair in pairs)
    return {test.name: found[test.name] for test in tests}


def judge(suite: Suite, test: Test, ask: Ask) -> Outcome:
    query = suite.path(test.query).read_bytes().decode()
    if test.result is None:
        return syntax(test, ask(query, test.query, "*/*"))
    wanted, media_type = results.expected(suite.path(test.result), test.result)
    reply = ask(query, test.query, media_type)
    if reply.status != 200:
        return Outcome(said(reply))
    try:
        found = results.read(reply.body, media_type)
    except (SyntaxError, ValueError) as error:
        return Outcome(f"the answer cannot be read as {media_type}: {error}")
    if same(wanted, found, lax=test.lax):
        return Outcome()
    if same(wanted, found, by_value, lax=test.lax):
        return Outcome(by_value=True)
    return Outcome(difference(wanted, found))


def syntax(test: Test, reply: Reply) -> Outcome:
    if test.kind == "bad syntax":
        return (
            Outcome() if reply.status == 400 else Outcome(f"should be refused, but: {said(reply)}")
        )
    return Outcome() if reply.status in (200, NOT_SUPPORTED) else Outcome(said(reply))


def said(reply: Reply) -> str:
    words = reply.body.decode(errors="replace")
    with suppress(ValueError, KeyError, TypeError):  # problem+json
        words = json.loads(words)["detail"]
    return f"{reply.status} {' '.join(words.split())[:200]}"


def difference(wanted: results.Result, found: results.Result) -> str:
    """A few words on what differs."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return (
            f"{wanted if isinstance(wanted, bool) else 'rows'} expected, "
            f"{found if isinstance(found, bool) else 'rows'} given"
        )
    if (
        isinstance(wanted, results.Table)
        and isinstance(found, results.Table)
        and wanted.variables != found.variables
    ):
        return f"the variables {sorted(wanted.variables)} expected, {sorted(found.variables)} given"
    if len(wanted.rows) != len(found.rows):
        return f"{len(wanted.rows)} rows expected, {len(found.rows)} given"
    lost = [row for row in wanted.rows if row not in found.rows]
    extra = [row for row in found.rows if row not in wanted.rows]
    return (
        f"expected {shown(lost)}, given {shown(extra)}"
        if lost and extra
        else "the rows are in another order"
    )


def shown(rows: list[results.Row]) -> str:
    return (
        "; ".join(
            " ".join(f"?{name}={term}" for name, term in sorted(row.items())) for row in rows[:2]
        )
        or "an empty row"
    )
