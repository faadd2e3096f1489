"""A build of what did not change does nothing, and a folder that somebody damaged is repaired."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.cli.new_site import new_site, write_new
from kg.files.cache import cache_folder
from kg.publish.export import export as exporting

DAY = "2024-05-01"
CV = """
basics: {name: Ada Berg}
publications:
  - {key: sand, title: Sand, authors: [Ada Berg], kind: journal, journal: Sand, date: 2021-03}
awards: [{title: Sand Prize, date: 2021-06, work: sand}]
"""
HEAVY = {"kg.check.check", "kg.publish.site", "pydantic", "jinja2", "yaml"}
MODULES = (
    "import sys; from kg.cli import main; main(sys.argv[1:], standalone_mode=False); "
    "print(*sys.modules)"
)


class Builder:
    def __init__(self, site: Path, output: Path) -> None:
        self.site, self.output = site, output
        self.exports = 0

    def build(self, *words: str) -> Result:
        words = ("build", str(self.site), "-o", str(self.output), "--today", DAY, *words)
        found = CliRunner().invoke(main, words, catch_exceptions=False)
        assert found.exit_code == 0, found.stderr
        return found


@pytest.fixture(scope="module")
def first_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small site, its build, and the cache that this build left."""
    folder = tmp_path_factory.mktemp("first")
    built = Builder(folder / "now" / "site", folder / "now" / "out")
    write_new(built.site, new_site("Ada Berg"))
    built.site.joinpath("data", "cv", "ada-berg.yaml").write_text(CV)
    built.build()
    shutil.copytree(folder / "now", folder / "before", symlinks=True)
    shutil.copytree(cache_folder(built.site), folder / "cache", symlinks=True)
    return folder


@pytest.fixture
def builder(first_build: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """Has built a small site once, and counts exports from now on. What an earlier test changed is
    restored, with its times.
    """
    found, export = Builder(first_build / "now/site", first_build / "now/out"), exporting.export
    for copy, place in (("before", first_build / "now"), ("cache", cache_folder(found.site))):
        shutil.rmtree(place)
        shutil.copytree(first_build / copy, place, symlinks=True)

    def counted(*arguments: object, **settings: object) -> exporting.Written:
        found.exports += 1
        return export(*arguments, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(exporting, "export", counted)
    return found


def test_an_unchanged_site_is_not_checked_and_reported_as_before(builder: Builder) -> None:
    first = builder.build("--verify", "sample")
    again = builder.build("--verify", "sample")
    assert builder.exports == 1
    assert again.stderr == first.stderr
    assert "none new or changed" in again.stderr


def test_warnings_are_reported_again(builder: Builder) -> None:
    cv = builder.site / "data" / "cv" / "ada-berg.yaml"
    cv.write_text(CV.replace("date: 2021-06", "date: 2019"))
    first, again = builder.build(), builder.build()
    assert first.stderr.splitlines()[0].endswith("[award-before-work]")
    assert again.stderr.splitlines()[0] == first.stderr.splitlines()[0]
    assert builder.exports == 1


@pytest.mark.process
def test_little_is_loaded_for_an_unchanged_site(builder: Builder) -> None:
    command = [sys.executable, "-c", MODULES, "build", builder.site, "-o", builder.output]
    builder.site.joinpath("data", "more.ttl").write_text("# nothing")
    loaded = [
        subprocess.run([*command, "--today", DAY], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert set(loaded[0].stdout.split()) >= HEAVY
    assert HEAVY.isdisjoint(loaded[1].stdout.split())


def lose(path: Path) -> None:
    path.unlink()


def change(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"Ada", b"Eda"))


def link_elsewhere(path: Path) -> None:
    other = path.with_suffix(".other")
    path.rename(other)
    path.symlink_to(other)


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("damage", [lose, change, link_elsewhere])
def test_a_damaged_folder_is_repaired(damage: Callable[[Path], None], builder: Builder) -> None:
    path = builder.output / "people" / "ada-berg.html"
    before = path.read_bytes()
    damage(path)
    builder.build()
    assert builder.exports == 1
    assert path.read_bytes() == before
    assert not path.is_symlink()


def test_a_deleted_folder_is_built_again(builder: Builder) -> None:
    before = (builder.output / "people" / "ada-berg.html").read_bytes()
    shutil.rmtree(builder.output)
    builder.build()
    assert builder.exports == 1
    assert (builder.output / "people" / "ada-berg.html").read_bytes() == before


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize(
    "words", [("--verify", "sample"), ("--formats", "ttl"), ("--today", "2024-05-02")]
)
def test_other_options_are_another_build(words: tuple[str, str], builder: Builder) -> None:
    builder.build(*words)
    assert builder.exports == 1


def add_file(site: Path) -> None:
    (site / "static").mkdir()
    (site / "static" / "cv.txt").write_text("as text")


def change_comment(site: Path) -> None:
    path = site / "data" / "site.yaml"
    status = path.stat()
    path.write_text(path.read_text().replace("# a comment", "# b comment"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("edit", [add_file, change_comment])
def test_an_edit_is_noticed_whatever_its_time(
    edit: Callable[[Path], None], builder: Builder
) -> None:
    first = builder.site / "data" / "site.yaml"
    first.write_text("# a comment\n" + first.read_text())
    builder.build()
    edit(builder.site)
    builder.build()
    assert builder.exports == 2


def test_a_damaged_note_of_the_last_build_is_ignored(builder: Builder) -> None:
    [saved] = cache_folder(builder.site).glob("*.last")
    for text in (b"", b"[]", saved.read_bytes()[:-1]):
        saved.write_bytes(text)
        builder.build()
    assert builder.exports == 3
