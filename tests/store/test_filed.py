"""Lines in a file are the lines in memory, to whoever looks at them; and the file leaves no
trace.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.store import filed
from kg.store.filed import Filed

LINES = st.lists(st.sampled_from([b"a\n", b"ab\n", b"b\n"]), min_size=1, max_size=12).map(b"".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("filed")


@given(text=LINES, part=LINES, start=st.integers(0, 20), block=st.integers(1, 5))
def test_it_tells_what_bytes_tell(
    folder: Path, text: bytes, part: bytes, start: int, block: int
) -> None:
    found = filed.filed([text[:3], text[3:]], folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filed, "BLOCK", block)
        assert isinstance(found, Filed)
        assert (found.count(b"\n"), found.count(b"\n", 0, start)) == (
            text.count(b"\n"),
            text.count(b"\n", 0, start),
        )
        assert found.startswith(memoryview(part), start) == text.startswith(part, start)
        assert (part in found, found == part, part == found) == (
            part in text,
            text == part,
            text == part,
        )
        assert found == text == found == filed.filed([text], folder)
        assert list(filed.lines(found)) == list(filed.lines(text)) == text.splitlines(keepends=True)


def test_it_has_no_name_until_it_is_given_one(tmp_path: Path) -> None:
    text = filed.filed([b"a\n"], tmp_path)
    assert isinstance(text, Filed)
    assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        filed.write(text, tmp_path / "graph.nq")
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
            ("graph.nq", b"a\n")
        ]
    inode = os.fstat(text.handle).st_ino
    assert (tmp_path / "graph.nq").stat().st_ino == inode or os.uname().sysname != "Linux", (
        "it is not written twice"
    )
    filed.write(b"b\n", tmp_path / "graph.nq")
    assert text == b"a\n", "who reads the old one goes on reading it"


def test_a_text_from_elsewhere_is_copied(tmp_path: Path) -> None:
    text = filed.filed([b"a\n"], Path("/dev/shm"))  # noqa: S108  another file system, so there is no link
    filed.write(text, tmp_path / "graph.nq")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("graph.nq", b"a\n")]


def test_only_a_large_file_is_left_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "graph.nq").write_bytes(b"a\n")
    assert isinstance(filed.read(tmp_path / "graph.nq"), bytes)
    monkeypatch.setattr(filed, "LARGE", 2)
    assert isinstance(filed.read(tmp_path / "graph.nq"), Filed)
    assert filed.read(tmp_path / "graph.nq") == b"a\n"


def test_where_the_folder_cannot_be_written_another_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "file").write_bytes(b"in the way")
    text = filed.filed([b"a\n"], tmp_path / "file")
    assert text == b"a\n"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.raises(OSError, match="file"):
        filed.filed([b"a\n"], tmp_path / "file")
