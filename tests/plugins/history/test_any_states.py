"""What differs between two graphs, ours or anyone's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, serialize

from kg.graph.rdf_files import read
from kg.graph.sorted_lines import beginning_with
from kg.plugins.history.any_states import AnyState, difference, patch, state_of
from kg.publish.dumps.dump import dump
from kg.publish.formats.media import DUMP_SUFFIXES
from kg.publish.site import Documents

BASE = "https://e.example/"


def file_state(folder: Path, name: str, text: str | bytes) -> AnyState:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return state_of(read([path], BASE))


def blank_graph(seed: int, edges: int = 30) -> list[Quad]:
    dice = random.Random(seed)
    nodes = [BlankNode(f"n{number}") for number in range(12)]
    return [
        Quad(
            dice.choice([*nodes, NamedNode(f"{BASE}a")]),
            NamedNode(f"{BASE}{dice.choice('pq')}"),
            dice.choice([*nodes, NamedNode(f"{BASE}b"), Literal(str(dice.randrange(3)))]),
        )
        for _ in range(edges)
    ]


@pytest.mark.parametrize("suffix", DUMP_SUFFIXES)
def test_every_dump_of_a_site_is_the_same_graph(
    small: Documents, tmp_path: Path, suffix: str
) -> None:
    state = AnyState(small.graph.nquads)
    other = file_state(tmp_path, f"dump{suffix}", dump(small.graph, DUMP_SUFFIXES[suffix]))
    found = difference(state, other)
    assert (found.removed, found.added) == ([], [])
    assert found.new.base == small.base


def test_a_patch_says_which_lines_came_and_went(tmp_path: Path) -> None:
    old = file_state(tmp_path, "old.ttl", '<a> <p> "1", "2" .')
    new = file_state(tmp_path, "new.ttl", '<a> <p> "2", "3" .')
    assert patch(difference(old, new)) == [
        f'- <{BASE}a> <{BASE}p> "1" .',
        f'+ <{BASE}a> <{BASE}p> "3" .',
    ]
    assert patch(difference(old, old)) == []


def test_a_graph_of_another_name_is_another_graph(tmp_path: Path) -> None:
    old = file_state(tmp_path, "old.trig", "<g> { <a> <p> <b> }")
    new = file_state(tmp_path, "new.trig", "<h> { <a> <p> <b> }")
    plain = file_state(tmp_path, "plain.ttl", "<a> <p> <b> .")
    assert len(patch(difference(old, new))) == 2
    assert patch(difference(old, plain)) == []


@pytest.mark.parametrize("seed", range(20))
def test_the_labels_and_order_of_blank_nodes_mean_nothing(tmp_path: Path, seed: int) -> None:
    quads, dice = blank_graph(seed), random.Random(seed)
    others = {
        node: BlankNode(f"x{number}")
        for number, node in enumerate(
            dict.fromkeys(term for quad in quads for term in quad if isinstance(term, BlankNode))
        )
    }
    shuffled = [Quad(*(others.get(term, term) for term in quad)) for quad in quads]
    dice.shuffle(shuffled)
    texts = [serialize(each, format=RdfFormat.N_QUADS) for each in (quads, shuffled)]
    first, second = (file_state(tmp_path, f"{n}.nq", text) for n, text in enumerate(texts))
    assert patch(difference(first, second)) == []
    fewer = file_state(
        tmp_path, "fewer.nq", serialize(list(dict.fromkeys(quads))[1:], format=RdfFormat.N_QUADS)
    )
    assert patch(difference(first, fewer)) != []


def test_what_stands_beside_a_changed_blank_node_is_not_shown(tmp_path: Path) -> None:
    same = '<a> <p> [ <q> 1 ; <r> [ <s> "x" ] ] .'
    old = file_state(tmp_path, "old.ttl", f"{same} <b> <p> [ <q> 2 ] .")
    new = file_state(tmp_path, "new.ttl", f"{same} <b> <p> [ <q> 3 ] .")
    assert len(patch(difference(old, new))) == 4


def test_a_ring_and_two_rings_are_not_the_same(tmp_path: Path) -> None:
    six = " ".join(f"_:n{n} <p> _:n{(n + 1) % 6} ." for n in range(6))
    threes = " ".join(f"_:n{n} <p> _:n{n // 3 * 3 + (n + 1) % 3} ." for n in range(6))
    ring, rings = file_state(tmp_path, "6.ttl", six), file_state(tmp_path, "3.ttl", threes)
    assert patch(difference(ring, rings)) != []


def test_lines_are_found_by_their_beginning() -> None:
    dice = random.Random(7)
    for size in (0, 1, 2, 50):
        words = sorted({"".join(dice.choices("abé", k=dice.randrange(1, 6))) for _ in range(size)})
        text = "".join(f"{word}\n" for word in words).encode()
        for prefix in ("", "a", "b", "é", "ab", "éa", "zz", "A", *words[:5]):
            wanted = [f"{word}\n".encode() for word in words if word.startswith(prefix)]
            assert beginning_with(text, prefix.encode()) == wanted
