"""What is kept from build to build of what was asked about a whole site."""

from __future__ import annotations

from pathlib import Path

from kg.check.check import good
from kg.graph.build import Graph
from kg.publish.export.export import export
from kg.publish.export.standing import Standing
from kg.publish.export.trace_file import Keeper
from kg.publish.export.tracing_store import Asked, Question, Seen
from kg.publish.formats.media import HTML
from kg.publish.site import Documents
from kg.settings import query

VARIANTS, NEWEST = query("site/variants"), query("site/newest")


def edited(site: Path, old: str, new: str, file: str = "publications.yaml") -> Graph:
    """The example after a word in one of its files is another."""
    path = site / "data" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return good(site)


def test_only_what_an_edit_may_change_is_asked_again(example: Path) -> None:
    standing, before = Standing(), good(example)
    first = standing.on(before)
    variants, newest = first.select(VARIANTS), first.select(NEWEST)
    assert first.select(VARIANTS) is variants
    after = edited(example, "Cheap Gauges", "Dear Gauges")
    second = standing.on(after)
    assert standing.edit is not None
    assert any("Dear Gauges" in line for line in standing.edit.come)
    assert second.select(VARIANTS) is variants  # nothing has another name besides
    assert second.select(NEWEST) == after.memory.select(NEWEST) != newest


def test_a_graph_of_which_nothing_is_known_is_asked_for_all(example: Path) -> None:
    graph = good(example)
    store = Standing().on(graph)
    assert store.select(NEWEST) == graph.memory.select(NEWEST)
    assert store.select(VARIANTS) == graph.memory.select(VARIANTS)


def test_a_section_about_everything_is_made_again_only_with_other_rows(example: Path) -> None:
    standing = Standing()
    made = Documents(good(example), standing=standing).write("", HTML)
    sections = {key: section for key, (_, _, section) in standing.sections.items()}
    assert sections
    graph = edited(example, "volume: 12", "volume: 13")  # which no section of the home page tells
    assert (
        Documents(graph, standing=standing).write("", HTML)
        == Documents(graph).write("", HTML)
        == made
    )
    assert all(standing.sections[key][2] is section for key, section in sections.items())
    renamed = edited(example, "{name: Noor Haddad", "{name: Noor Hadad", "people.yaml")
    assert Documents(renamed, standing=standing).write("", HTML) == Documents(renamed).write(
        "", HTML
    )
    assert not all(standing.sections[key][2] is section for key, section in sections.items())


def test_a_build_is_prepared_once(example: Path, tmp_path: Path) -> None:
    keeper = Keeper(example / ".kg-cache")
    with keeper.again_and_again():
        documents = Documents(good(example), suffixes={".html": HTML}, standing=keeper.standing)
        export(documents, tmp_path / "out", keeper=keeper)
        assert keeper.spare is not None
        assert not keeper.spare.is_held
        keeper.prepare(documents, tmp_path / "out")
        assert keeper.spare.is_held
        there = keeper.spare.folder
        assert keeper.spare.files == {
            path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file()
        }
        assert keeper.standing is not None
        assert keeper.standing.answers
    assert {path.name for path in tmp_path.iterdir()} == {"site", "out"}


def test_how_much_there_is_counts_as_asked(example: Path) -> None:
    graph = good(example)
    asked = Asked(graph.memory)
    assert Seen(graph, asked).counts == graph.counts
    assert asked.taken()[Question("size", "", ())] == str(graph.nquads.count(b"\n"))
