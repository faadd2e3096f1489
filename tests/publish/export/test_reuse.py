"""A build after an edit is a build from nothing, byte for byte, though most of it is reused."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.check.check import good
from kg.errors import KgError, Place
from kg.facts.secrets import PublicTexts, Secret, Secrets
from kg.files.cache import cache_folder
from kg.graph.parallel import executor
from kg.graph.parallel.executor import WorkerConfig
from kg.publish.export.export import Written, export
from kg.publish.export.folder import MARKER
from kg.publish.export.last_build import digest
from kg.publish.export.render import should_compress
from kg.publish.export.reuse import TraceCache, Traces, load, newly_private
from kg.publish.export.trace import AskedQuery, Trace
from kg.publish.formats.media import HTML, TURTLE
from kg.publish.site import Documents
from kg.settings import shipped
from kg.sparql.answer_cache import pack
from tests.conftest import ROOT

FEW = {".html": HTML, ".ttl": TURTLE}
ADA = "data/cv/ada-lindqvist.yaml"


def own(folder: str, name: str, old: str, new: str) -> Callable[[Path], None]:
    """A file of ours, changed and put into the site."""

    def write(site: Path) -> None:
        source = shipped(folder) if folder == "queries" else ROOT / "kg" / "publish" / folder
        text = (source / name).read_text(encoding="utf-8")
        assert old in text
        (site / folder / name).parent.mkdir(parents=True, exist_ok=True)
        (site / folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return write


def edit(file: str, old: str, new: str) -> Callable[[Path], None]:
    def write(site: Path) -> None:
        text = (site / file).read_text(encoding="utf-8")
        assert old in text
        (site / file).write_text(text.replace(old, new), encoding="utf-8")

    return write


AWARD = "  - {title: Best Paper Award, venue"
EDITS = {
    "an entry is changed": edit(ADA, "Survey Intern", "Gauge Intern"),
    "an entry is added": edit(
        ADA,
        AWARD,
        (
            f"  - {{title: Second Prize, awarder: sand-society, dates: [2023], source: "
            f"ada-cv}}\n{AWARD}"
        ),
    ),
    "an entry is removed, and with it a document": edit(
        ADA,
        (
            "extracurricular:\n  - {organization: rowing-club, position: Cox, startDate: 2012, "
            "endDate: 2015, source: ada-cv}\n"
        ),
        "",
    ),
    "a work gets another title": edit(
        "data/publications.yaml", "Cheap Gauges for Long Rivers", "Cheap Gauges for Small Rivers"
    ),
    "a work is of another year": edit(
        "data/publications.yaml", "year: 2024\n  volume: 12", "year: 2023\n  volume: 11"
    ),
    "a person gets another name": edit(
        "data/people.yaml", "{name: Noor Haddad", "{name: Noor Hadad"
    ),
    "an organisation gets another name": edit(
        "data/organizations.yaml", "name: Northfjord University", "name: University of Northfjord"
    ),
    "the site gets another title": edit(
        "data/site.yaml", "A small laboratory", "A tiny laboratory"
    ),
    "the site has a template of its own": own(
        "templates", "blocks/links.html", "<", "<!-- ours --><"
    ),
    "the site has a query of its own": own(
        "queries", "pages/skills.rq", "# title: Skills", "# title: Abilities"
    ),
}
SITE_WIDE = (
    "the site gets another title",
    "the site has a template of its own",
    "the site has a query of its own",
)


def build(site: Path, target: Path, cache: TraceCache, jobs: int = 1) -> Written:
    return export(Documents(good(site), suffixes=FEW), target, WorkerConfig(jobs), cache=cache)


def assert_as_from_nothing(site: Path, target: Path) -> None:
    documents = Documents(good(site), suffixes=FEW)
    expected = {}
    for path in documents.files:
        made = documents.make(path)
        assert made is not None
        expected[path] = made.body
        if should_compress(made, documents):
            expected[f"{path}.gz"] = pack(made.body)
    found = {
        str(path.relative_to(target)): path.read_bytes()
        for path in target.rglob("*")
        if path.is_file()
    }
    assert found.pop(MARKER).decode().splitlines() == list(expected)
    assert found == expected


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that was built once, with what the build kept. Who wants to change it takes a copy."""
    top = tmp_path_factory.mktemp("again")
    shutil.copytree(ROOT / "kg" / "example", top / "site")
    build(top / "site", top / "out", TraceCache(cache_folder(top / "site")))
    return top


def assert_edits_are_built_as_from_nothing(before: Path, tmp_path: Path, names: list[str]) -> None:
    site, target = Path(shutil.copytree(before / "site", tmp_path / "site")), tmp_path / "out"
    cache = TraceCache(cache_folder(site))
    everything = build(site, target, cache).rendered
    for number, name in enumerate(names):
        EDITS[name](site)
        # as another process does; otherwise as one that watches
        other = TraceCache(cache_folder(site)) if number % 3 == 2 else cache
        rendered = build(site, target, other).rendered
        assert rendered == everything if name in SITE_WIDE else 0 < rendered < everything * 3 / 4
        everything = len(Documents(good(site)).addresses)
        assert_as_from_nothing(site, target)
    last = build(site, target, TraceCache(cache_folder(site)))
    assert (last.changed, last.rendered) == (0, 0)
    assert {path.name for path in tmp_path.iterdir()} == {"site", "out"}


@pytest.mark.proof
def test_after_some_edits_the_folder_is_as_from_nothing(before: Path, tmp_path: Path) -> None:
    names = random.Random(5).sample(sorted(EDITS), 3)
    assert_edits_are_built_as_from_nothing(before, tmp_path, names)


@pytest.mark.proof
def test_after_edits_of_every_kind_the_folder_is_as_from_nothing(
    before: Path, tmp_path: Path
) -> None:
    names = list(EDITS)
    random.Random(3).shuffle(names)
    assert_edits_are_built_as_from_nothing(before, tmp_path, names)


@pytest.mark.proof
def test_what_others_put_into_the_folder_stays_as_they_left_it(
    before: Path, tmp_path: Path
) -> None:
    site, target = Path(shutil.copytree(before / "site", tmp_path / "site")), tmp_path / "out"
    cache = TraceCache(cache_folder(site))
    build(site, target, cache)
    for number, name in enumerate(("an entry is changed", "an entry is added")):
        (target / "CNAME").write_text(f"{number}.example.org")
        (target / "people" / "ada-lindqvist.ttl").unlink()
        EDITS[name](site)
        build(site, target, cache)
        assert (target / "CNAME").read_text() == f"{number}.example.org"
    (target / "CNAME").unlink()
    assert_as_from_nothing(site, target)


@pytest.mark.proof
def test_a_file_that_somebody_changed_is_made_again(before: Path) -> None:
    site, target = before / "site", before / "out"
    (target / "people" / "ada-lindqvist.ttl").write_text("old")
    (target / "dump.ttl").write_text("old")
    written = build(site, target, TraceCache(cache_folder(site)))
    assert (written.changed, written.rendered) == (2, 1)
    assert_as_from_nothing(site, target)


@pytest.mark.proof
def test_a_build_that_was_stopped_goes_on_where_it_was(before: Path, tmp_path: Path) -> None:
    site, target = Path(shutil.copytree(before / "site", tmp_path / "site")), tmp_path / "out"
    documents = Documents(good(site), suffixes=FEW)

    def stop(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(
            documents,
            target,
            WorkerConfig(1, counting=lambda _: stop),
            cache=TraceCache(cache_folder(site)),
        )
    assert not target.exists()
    written = build(site, target, TraceCache(cache_folder(site)))
    assert 0 < written.rendered < len(documents.addresses) / 2
    assert written.changed == written.files
    assert_as_from_nothing(site, target)
    assert {path.name for path in tmp_path.iterdir()} == {"site", "out"}


@pytest.mark.proof
def test_what_is_kept_may_be_deleted_or_damaged(before: Path, tmp_path: Path) -> None:
    site, target = Path(shutil.copytree(before / "site", tmp_path / "site")), tmp_path / "out"
    cache = TraceCache(cache_folder(site))
    everything = build(site, target, cache).rendered
    kept = max(cache_folder(site).glob("*.traces"), key=lambda path: path.stat().st_mtime_ns)
    whole = kept.read_text()
    for text, rendered in (
        (whole[: len(whole) // 8], range(1, everything)),
        ("{}", [everything]),
        (whole[:3], [everything]),
    ):
        kept.write_text(text)
        assert build(site, target, TraceCache(cache_folder(site))).rendered in rendered
    assert_as_from_nothing(site, target)


@pytest.mark.proof
def test_several_processes_write_the_same(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Path(shutil.copytree(before / "site", tmp_path / "site"))
    monkeypatch.setattr(executor, "FEWEST", 5)
    written = build(site, tmp_path / "out", TraceCache(cache_folder(site)), jobs=2)
    assert written.changed == written.files
    assert_as_from_nothing(site, tmp_path / "out")


@pytest.mark.process
def test_a_process_that_dies_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "FEWEST", 5)
    assert list(executor.map_forked(lambda number: number * 2, range(50), 2)) == list(
        range(0, 100, 2)
    )
    with pytest.raises(KgError, match="Free some memory"):
        list(
            executor.map_forked(
                lambda number: os._exit(1) if number == 20 else number, range(50), 2
            )
        )


def secret(text: str) -> Secret:
    return Secret(text, Place("data/cv/ada.yaml"), contact=False)


def test_older_files_are_searched_for_what_is_newly_private() -> None:
    earlier = Traces(secrets=frozenset({digest(["an old secret"]), digest(["said in public"])}))
    earlier.traces["people/ada"] = Trace("people/ada", secrets=[digest(["said in public"])])
    hidden = [secret("an old secret"), secret("said in public"), secret("a new secret")]
    found = newly_private(Secrets(hidden, PublicTexts()), earlier)
    assert found is not None
    assert {each.text for each in found} == {"said in public", "a new secret"}
    assert (
        newly_private(
            Secrets(
                hidden, PublicTexts(["said in public", "this is no new secret, but a new secret"])
            ),
            earlier,
        )
        is None
    )


@pytest.mark.proof
def test_how_much_there_is_counts_as_asked(before: Path) -> None:
    site = before / "site"
    build(site, before / "sized", TraceCache(cache_folder(site)))
    latest = max(cache_folder(site).glob("*.traces"), key=lambda path: path.stat().st_mtime_ns)
    traces = load(latest)
    assert traces is not None
    assert dict(traces.traces["=notice"].answers)[AskedQuery("size")] == good(site).counts
