"""No file ends an import but with drafts or a sentence: the cases, mutated by a seed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kg.exchange.formats import matching
from kg.exchange.source_files import NotImported, SourceFile

CASES = sorted(Path(__file__).parent.glob("cases/*/source.*"))
MUTATIONS = 150
PIECES = [b"{", b"}", b"[", b"]", b'"', b",", b"\\", b"\x00", b"\xff", b"null", b"&", b"<", b"@"]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Pieces removed, doubled, replaced, or put in."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.randint(0, 40))
        piece = chance.choice([b"", data[start:end] * 2, chance.choice(PIECES)])
        data = data[:start] + piece + data[end:]
    return data


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
