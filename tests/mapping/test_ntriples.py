"""Values as text: what is written is read back as the same value."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, RdfFormat, parse
from rdflib import Dataset

from kg.facts.values.dates import Edtf, read
from kg.facts.values.text import WebAddress
from kg.mapping.ntriples import WRITERS, literal
from kg.vocab import edtf, xsd

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
TRICKY = st.lists(
    st.sampled_from(
        [
            *'\\"\n\r\t\b\f\0\x1f\x7f',
            "\x85",
            "\u2028",
            "\ufeff",
            "\uffff",
            "\U0001f600",
            "\\u0041",
            "\\n",
            "u",
            "é",
            " .",
            "@en",
            "^^",
        ]
    )
).map("".join)


def line(value: str | None) -> str:
    return f"<urn:s> <urn:p> {value} <urn:g> .\n"


@pytest.mark.fuzz
@settings(deadline=None)
@given(ANY_TEXT | TRICKY)
@example("".join(map(chr, range(0x100))))
def test_any_text_is_read_back_by_pyoxigraph(text: str) -> None:
    (quad,) = parse(line(literal(text)).encode(), RdfFormat.N_QUADS)
    assert quad.object == Literal(text)


# rdflib's reader of N-Quads uses a property that rdflib itself calls deprecated.
@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
@settings(deadline=None)
@given(ANY_TEXT | TRICKY)
@example("".join(map(chr, range(0x100))))
def test_any_text_is_read_back_by_rdflib(text: str) -> None:
    (quad,) = Dataset().parse(data=line(literal(text)).encode(), format="nquads").quads()
    found = quad[2]
    assert (str(found), found.language, found.datatype) == (text, None, None)  # type: ignore[attr-defined]


@pytest.mark.fuzz
@given(ANY_TEXT | TRICKY)
def test_a_literal_is_one_line_of_printable_ends(text: str) -> None:
    written = literal(text)
    assert written[0] == written[-1] == '"'
    assert not any(character < " " or character == "\x7f" for character in written)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ('it\'s "4\\5"', '"it\'s \\"4\\\\5\\""'),
        (True, f'"true"^^<{xsd.boolean}>'),
        (7, f'"7"^^<{xsd.integer}>'),
        (Decimal("3.96"), f'"3.96"^^<{xsd.decimal}>'),
        (Decimal("1E+3"), f'"1000"^^<{xsd.decimal}>'),
        (read("2019"), f'"2019"^^<{xsd.gYear}>'),
        (read("2019-09"), f'"2019-09"^^<{xsd.gYearMonth}>'),
        (read("2019-09-01"), f'"2019-09-01"^^<{xsd.date}>'),
        (read("summer 2019"), f'"2019"^^<{xsd.gYear}>'),
        (read("present"), None),
        (read("unknown"), None),
        (Edtf("2019-22/.."), f'"2019-22/.."^^<{edtf.EDTF}>'),
        (WebAddress("https://example.org/"), "<https://example.org/>"),
    ],
)
def test_a_value_is_written_by_its_exact_type(value: object, written: str | None) -> None:
    assert WRITERS[type(value)](value) == written
    if written:
        assert len(list(parse(line(written).encode(), RdfFormat.N_QUADS))) == 1
