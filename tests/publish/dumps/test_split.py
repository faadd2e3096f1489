"""The graph in several files: each line once, a document always in the same file, nothing left of
an earlier splitting.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from kg.cli import main
from kg.graph.build import Graph
from kg.publish.dumps.dump import write_shards
from tests.conftest import ROOT


def test_together_they_are_the_graph_and_a_document_is_in_one(graph: Graph, tmp_path: Path) -> None:
    paths = write_shards(graph.nquads, tmp_path, 5)
    assert [path.name for path in paths] == [
        f"part-000{number}-of-0005.nq" for number in range(1, 6)
    ]
    parts = [path.read_bytes().splitlines(keepends=True) for path in paths]
    assert all(part == sorted(part) for part in parts)
    assert b"".join(sorted(line for part in parts for line in part)) == graph.nquads
    documents = [{line.rpartition(b" <")[2] for line in part} for part in parts]
    assert all(documents)
    assert sum(map(len, documents)) == len(set().union(*documents))


def test_writing_again_gives_the_same_and_other_numbers_leave_nothing_behind(
    graph: Graph, tmp_path: Path
) -> None:
    (tmp_path / "part-0001-of-0003.draft").write_text("of a run that was stopped")
    (tmp_path / "notes.txt").write_text("mine")
    first = {path.name: path.read_bytes() for path in write_shards(graph.nquads, tmp_path, 3)}
    assert {
        path.name: path.read_bytes() for path in write_shards(graph.nquads, tmp_path, 3)
    } == first
    (only,) = write_shards(graph.nquads, tmp_path, 1)
    assert only.read_bytes() == graph.nquads
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "part-0001-of-0001.nq"}


def test_the_command_says_what_it_wrote_and_refuses_half_of_it(tmp_path: Path) -> None:
    example = str(ROOT / "kg" / "example")
    result = CliRunner().invoke(
        main, ["dump", example, "--shards", "2", "-o", str(tmp_path / "out")]
    )
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith(
        f"written to {tmp_path / 'out' / 'part-0001-of-0002.nq'} … part-0002-of-0002.nq.\n"
    )
    for wrong in (
        ["--shards", "2"],
        ["-o", str(tmp_path)],
        ["--shards", "2", "-o", str(tmp_path), "--format", "ttl"],
    ):
        result = CliRunner().invoke(main, ["dump", example, *wrong])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--shards " in result.stderr
