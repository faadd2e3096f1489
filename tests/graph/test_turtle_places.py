"""The places of triples in Turtle, against what the parser reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, parse

from kg.graph.turtle_places import read
from kg.vocab import cut
from tests.conftest import ROOT

FILES = sorted(
    [*ROOT.glob("shapes/*.ttl"), *ROOT.glob("kg/terms/*.ttl"), *ROOT.glob("tests/**/*.ttl")]
)
BASE = "https://x.example/"
TEXT = """@prefix x: <http://x/> . PREFIX y: <http://y/>
@base <http://z/> . # x:not x:a x:triple .
x:s x:p [ x:a 1 ; x:b [ x:c 2.5 ] ], ("a" ("b"@en "c"^^x:t) [ x:d .4 ] ()) ; x:q 5 ; .
[ x:e \"\"\"six "; .\"\"\" ] x:f 'se\\'ven', \"\" .
( x:h.i <j#> "k" _:l.m true ) x:g 1e3.
[ x:h () ] . x:t\\.u a x:v;x:w -1.
"""


def words(text: str) -> list[tuple[str, str]]:
    """Predicate and object of each triple, as they stand in the text."""
    return [
        (cut(triple.predicate.value)[1], re.split(r"(?<=\()|[\s;,)\]]", text[at.object :])[0])
        for triple, at in read(text, BASE).items()
        if at and cut(triple.predicate.value)[1] != "rest"
    ]


def test_each_triple_has_its_place() -> None:
    assert sorted(words(TEXT)) == sorted(
        [
            *(("a", "1"), ("c", "2.5"), ("b", "["), ("p", "["), ("p", "("), ("q", "5")),
            *(("first", '"a"'), ("first", "("), ("first", '"b"@en'), ("first", '"c"^^x:t')),
            *(("first", "["), ("d", ".4"), ("first", "("), ("e", '"""six'), ("f", r"'se\'ven'")),
            *(("f", '""'), ("first", "x:h.i"), ("first", "<j#>"), ("first", '"k"')),
            *(("first", "_:l.m"), ("first", "true"), ("g", "1e3."), ("h", "("), ("type", "x:v")),
            ("w", "-1."),
        ]
    )


@pytest.mark.parametrize("text", [TEXT, *(path.read_text(encoding="utf-8") for path in FILES)])
def test_what_is_read_is_what_the_parser_reads(text: str) -> None:
    plain = Dataset(parse(text, RdfFormat.TURTLE, base_iri=BASE))
    placed = Dataset(Quad(*triple) for triple in read(text, BASE))
    for each in (plain, placed):
        each.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    assert plain == placed


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_predicate_stands_there_in_every_file_of_ours(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for triple, at in read(text, BASE).items():
        assert at
        name = cut(triple.predicate.value)[1]
        word = re.match(r"[^\s;]+", text[at.predicate :])
        assert word
        assert (
            name in ("first", "rest")
            or word[0].endswith((name, f"{name}>"))
            or (
                name,
                word[0],
            )
            == ("type", "a")
        )


@pytest.mark.parametrize("text", ["<s> <p> <o> {| <q> 1 |} .", "<< <s> <p> <o> >> <q> 1 ."])
def test_triples_about_triples_have_none(text: str) -> None:
    assert set(read(text, BASE).values()) == {None}


def test_only_the_spaces_of_turtle_are_spaces() -> None:
    text = "<a\u00a0b> <http://schema.org/name> <c\u2028d> ."
    assert list(read(text, "https://example.org/").values()) == [(0, 6, 31)]
