"""Large files are packed in pieces, and dumps put together from parts; what is known of either is
taken as it is.
"""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from kg.publish.dumps.dump_forms import Part
from kg.publish.proof.built import Built

from kg.publish.dumps.dump import Dump, dump, in_parts
from kg.publish.dumps.packing import packed
from kg.publish.formats.media import DUMP_SUFFIXES, JSONLD, NTRIPLES, RDFXML, TRIG, TURTLE
from kg.publish.proof import parts
from kg.publish.proof.source import Directory
from kg.publish.site import Documents

PARTS = [
    ("", b"head\n"),
    *((f"https://lab.example.org/{number}", f"{number} ".encode() * 99) for number in range(200)),
    ("", b"tail\n"),
]


def test_what_is_packed_in_pieces_is_one_member_of_gzip() -> None:
    body = b"".join(piece.body for piece in packed(PARTS))
    unpacker = zlib.decompressobj(wbits=31)
    assert unpacker.decompress(body) == b"".join(body for _, body in PARTS)
    assert (unpacker.eof, unpacker.unused_data) == (True, b"")


def test_a_piece_that_is_known_is_not_packed_again_and_the_bytes_are_the_same() -> None:
    before = {piece.name: piece.body for piece in packed(PARTS)}
    assert len(before) > 4
    document, body = PARTS[100]
    for new in (b"another\n", bytes(len(body)), b""):
        changed = [*PARTS[:100], *([(document, new)] if new else []), *PARTS[101:]]
        fresh = list(packed(changed))
        again = list(packed(changed, before, {document}))
        assert [piece.body for piece in again] == [piece.body for piece in fresh]
        assert len(before) / 2 < sum(piece.is_known for piece in again) < len(again) - 2


def test_another_head_is_packed_again() -> None:
    before = {piece.name: piece.body for piece in packed(PARTS)}
    changed = [("", b"HEAD\n"), *PARTS[1:]]
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
        for part, (_, start, size, _) in zip(whole.parts, whole.places(), strict=True)
    )


@pytest.mark.parametrize("media_type", [TURTLE, TRIG, JSONLD, RDFXML, NTRIPLES])
def test_a_part_that_says_something_else_is_found(
    small: Documents, tmp_path: Path, media_type: str
) -> None:
    built = Built(Directory(tmp_path), small.base, small.graph.nquads, small.suffixes)
    documents = frozenset({f"{small.base}people/ada-lindqvist", f"{small.base}people/kim-osei"})
    right = in_parts(small.graph, media_type).only(documents)
    assert list(parts.compared(built, "dump", media_type, right, documents)) == []
    wrong = [
        Part(part.document, bytes(part.body).replace(b"Ada Lindqvist", b"Ada"), part.used)
        for part in right.parts
    ]
    [fault] = parts.compared(built, "dump", media_type, Dump(right.form, wrong), documents)
    assert fault.message.startswith("This is not the sum of the documents: it lacks ")
    assert (
        list(
            parts.compared(
                built,
                "dump",
                media_type,
                right.only(documents - {f"{small.base}people/kim-osei"}),
                documents,
            )
        )
        != []
    )
