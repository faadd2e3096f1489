"""Large files are packed in pieces, and dumps put together from parts; what is known of either is
taken as it is.
"""

from __future__ import annotations

import zlib

import pytest

from kg.publish.dumps.dump import Dump, dump, in_parts
from kg.publish.dumps.packing import Part, packed, places
from kg.publish.formats.media import DUMP_SUFFIXES, JSONLD, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.site import Documents
from kg.publish.verify.graphs import dump_faults
from kg.publish.verify.listing import DumpLines

PARTS = [
    Part("", b"head\n"),
    *(
        Part(f"https://lab.example.org/{number}", f"{number} ".encode() * 99)
        for number in range(200)
    ),
    Part("", b"tail\n"),
]


def test_what_is_packed_in_pieces_is_one_member_of_gzip() -> None:
    body = b"".join(piece.body for piece in packed(PARTS))
    unpacker = zlib.decompressobj(wbits=31)
    assert unpacker.decompress(body) == b"".join(part.body for part in PARTS)
    assert (unpacker.eof, unpacker.unused_data) == (True, b"")


def test_a_piece_that_is_known_is_not_packed_again_and_the_bytes_are_the_same() -> None:
    before = {piece.document: piece.body for piece in packed(PARTS)}
    assert len(before) > 4
    document, body, _ = PARTS[100]
    for new in (b"another\n", bytes(len(body)), b""):
        changed = [*PARTS[:100], *([Part(document, new)] if new else []), *PARTS[101:]]
        fresh = list(packed(changed))
        again = list(packed(changed, before, {document}))
        assert [piece.body for piece in again] == [piece.body for piece in fresh]
        known = {id(body) for body in before.values()}
        assert len(before) / 2 < sum(id(piece.body) in known for piece in again) < len(again) - 2


def test_another_head_is_packed_again() -> None:
    before = {piece.document: piece.body for piece in packed(PARTS)}
    changed = [Part("", b"HEAD\n"), *PARTS[1:]]
    assert [piece.body for piece in packed(changed, before)] == [
        piece.body for piece in packed(changed)
    ]


@pytest.mark.parametrize("media_type", sorted({*DUMP_SUFFIXES.values()}))
def test_a_dump_with_parts_from_before_is_the_dump(small: Documents, media_type: str) -> None:
    whole = in_parts(small.graph, media_type)
    known = {part.document: part for number, part in enumerate(whole.parts) if number % 3}
    assert bytes(in_parts(small.graph, media_type, known)) == dump(small.graph, media_type)
    text = bytes(whole)
    assert all(
        text[start : start + size] == bytes(part.body)
        for part, (_, start, size, _) in zip(whole.parts, places(whole.pieces()), strict=True)
    )


@pytest.mark.parametrize("media_type", [TURTLE, TRIG, JSONLD, RDFXML, NTRIPLES])
def test_a_part_that_says_something_else_is_found(small: Documents, media_type: str) -> None:
    documents = frozenset({f"{small.base}people/ada-lindqvist", f"{small.base}people/kim-osei"})
    lines = DumpLines(small.graph.nquads).facts
    graph = frozenset().union(*(lines.of(document) for document in documents))
    right = in_parts(small.graph, media_type).only(documents)
    assert list(dump_faults(small.base, "dump", media_type, bytes(right), graph)) == []
    wrong = [
        Part(part.document, bytes(part.body).replace(b"Ada Lindqvist", b"Ada"), part.used)
        for part in right.parts
    ]
    [fault] = dump_faults(small.base, "dump", media_type, bytes(Dump(right.form, wrong)), graph)
    assert fault.message.startswith("This dump does not match the documents: it lacks ")
    fewer = right.only(documents - {f"{small.base}people/kim-osei"})
    assert list(dump_faults(small.base, "dump", media_type, bytes(fewer), graph)) != []
