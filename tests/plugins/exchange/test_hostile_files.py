"""No file ends an import but with drafts or a sentence: the cases, mutated by a seed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kg.plugins.exchange.formats import formats, matching
from kg.plugins.exchange.source_files import NotImported, SourceFile

CASES = sorted(Path(__file__).parent.glob("cases/*/source.*"))
MUTATIONS = 150
BROKEN = {
    "record.xml": b'<?xml version="1.0"?>\n<record:record xmlns:record="http://www.orcid.org/ns/re',
    "whole.xml": b"<record><person/></record>",
    "empty.json": b"",
    "list.json": b"[]",
    "number.json": b"3",
    "text.yaml": b"just a text",
    "open.json": b'{"orcid-identifier": [',
    "bytes.bin": bytes(range(256)),
    "one.csv": b"First Name\n",
    "open.bib": b"@article{",
}
PIECES = [b"{", b"}", b"[", b"]", b'"', b",", b"\\", b"\x00", b"\xff", b"null", b"&", b"<", b"@"]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Pieces removed, doubled, replaced, or put in."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.randint(0, 40))
        piece = chance.choice([b"", data[start:end] * 2, chance.choice(PIECES)])
        data = data[:start] + piece + data[end:]
    return data


@pytest.mark.fuzz
@pytest.mark.proof
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_a_mutated_file_is_read_or_refused_in_words(path: Path) -> None:
    chance, whole = random.Random(21), path.read_bytes()
    for _ in range(MUTATIONS):
        source = SourceFile(path.name, path.name, mutated(whole, chance))
        try:
            for found in matching(source):
                for draft in found.read(source):
                    assert all(left.why for left in draft.left)
        except NotImported as refused:
            assert str(refused)


def test_a_format_is_tried_before_those_that_are_more_general() -> None:
    assert " ".join(formats()) == (
        "rendercv al-folio hugo-blox docx odt pdf tex europass dblp linkedin reactive-resume "
        "yamlresume jsonresume orcid cff html rdf ris nbib scholar csl bibtex markdown text"
    )
    assert {name: each.name for name, each in formats().items()} == {
        each: each for each in formats()
    }


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(
    "format_name",
    [
        pytest.param(each, marks=pytest.mark.process) if each in ("docx", "pdf") else each
        for each in formats()
    ],
)
def test_a_file_of_another_format_than_the_named_one_is_refused_in_words(
    format_name: str, name: str
) -> None:
    try:
        list(formats()[format_name].read(SourceFile(name, name, BROKEN[name])))
    except NotImported as refused:
        assert name in str(refused)
