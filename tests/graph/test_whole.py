"""A graph that is changed where it differs is the graph that would be made anew: its lines, its
store, its documents.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import RdfFormat, parse

from kg.graph.sorted_lines import packed
from kg.graph.spliced import beginning, holds, spliced
from kg.graph.whole import Whole
from kg.store.memory import Memory

BASE = "https://site.example/"
DECIMAL, TYPE = (
    "http://www.w3.org/2001/XMLSchema#decimal",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
)
VALUES = ['"a"', f'"1.5"^^<{DECIMAL}>', f'"1.50"^^<{DECIMAL}>', '"a"@en', f"<{BASE}d0#it>"]
LINES = [
    f"<{BASE}d{d}#it> <{BASE}p{p}> {value} <{BASE}d{d}> .\n"
    for d in range(3)
    for p in range(2)
    for value in VALUES
]
LINES += [f"<{BASE}d{d}#it> <{TYPE}> <{BASE}Thing> <{BASE}d{d}> .\n" for d in range(3)]
TEXTS = st.lists(st.lists(st.sampled_from(LINES), max_size=8), max_size=4)
NAMES = st.none() | st.frozensets(st.sampled_from([f"{BASE}p0", f"{BASE}p1", f"{BASE}Thing"]))


def sorted_lines(*layers: list[list[str]]) -> bytes:
    return "".join(sorted({line for texts in layers for lines in texts for line in lines})).encode()


def is_seen(line: str, names: frozenset[str] | None) -> bool:
    return names is None or any(f" <{name}> " in line for name in names)


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, NAMES, TEXTS), min_size=2, max_size=5))
def test_each_graph_is_as_if_it_were_made_anew(
    graphs: list[tuple[list[list[str]], frozenset[str] | None, list[list[str]]]],
) -> None:
    whole, before = Whole(Memory(BASE)), b""
    for number, (asserted, names, derived) in enumerate(graphs):
        whole.begin()
        whole.put([packed(lines) for lines in asserted])
        whole.hide(names)
        seen = Memory(
            BASE,
            "".join(line for lines in asserted for line in lines if is_seen(line, names)).encode(),
        )
        assert {quad for quad in whole.memory.store if is_seen(f"{quad} .", names)} == set(
            seen.store
        )
        since = whole.derive([packed(lines) for lines in derived], None)
        assert whole.nquads == sorted_lines(asserted, derived)
        anew = Memory(BASE, whole.nquads)
        assert set(whole.memory.store) == set(anew.store)
        assert whole.memory.documents() == anew.documents()
        assert (since is not None) is bool(number)
        if since:
            old, new = (set(text.decode().splitlines()) for text in (before, whole.nquads))
            assert (since.gone, since.come) == (sorted(old - new), sorted(new - old))
        before = whole.nquads


def test_a_store_that_was_changed_much_is_stale() -> None:
    whole = Whole(Memory(BASE))
    for number in range(6):
        whole.begin()
        whole.put([packed([*LINES, f'<{BASE}d0#it> <{BASE}p0> "{number}" <{BASE}d0> .\n'])])
        whole.derive([], None)
        assert not whole.is_stale
    whole.begin()
    whole.put([packed(LINES[:20])])
    whole.derive([], None)
    assert whole.is_stale


@given(
    st.sets(st.text("ab é", max_size=3)),
    st.sets(st.text("ab é", max_size=3)),
    st.text("ab é", max_size=2),
)
def test_lines_are_taken_out_and_put_in_at_their_places(
    old: set[str], new: set[str], words: str
) -> None:
    before, after = ({f"{text}\n".encode() for text in some} for some in (old, new))
    text = b"".join(sorted(before))
    assert spliced(text, before - after, after - before) == b"".join(sorted(after))
    assert {line for line in before | after if holds(text, line)} == before
    assert list(beginning(text, words.encode())) == [
        line for line in sorted(before) if line.startswith(words.encode())
    ]


def test_what_is_parsed_is_what_is_held() -> None:
    assert len(set(Memory(BASE, "".join(LINES).encode()).store)) < len(
        set(parse("".join(LINES), RdfFormat.N_QUADS))
    ), "1.5 is 1.50"
