"""`kg embed`: printed, put into pages and kept up to date there, or written as a piece of a Jekyll
or Hugo site.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_cli import run
from tests.conftest import ROOT
from tests.plugins.embed.test_inject import embeds

EXAMPLE = ROOT / "kg" / "example"
NOOR = "https://lab.example.org/people/noor-haddad"
PAGE = b"<html>\n<head>\n<title>Caf\xe9</title>\n</head>\n</html>\n"


@pytest.fixture
def pages(tmp_path: Path) -> list[Path]:
    found = [tmp_path / "pages" / name for name in ("a.html", "b.html", "c.html")]
    found[0].parent.mkdir()
    for path in found:
        path.write_bytes(PAGE)
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return found


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_it_prints_the_script_of_a_page() -> None:
    result = run("embed", "ada-lindqvist", "--site", EXAMPLE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(
        '<script type="application/ld+json" '
        'data-cv-kg="https://lab.example.org/people/ada-lindqvist">\n{'
    )
    assert run("embed", "people/ada-lindqvist", "--site", EXAMPLE).stdout == result.stdout


@pytest.mark.parametrize(
    ("slug", "name"),
    [("orgs/northfjord", "Northfjord University"), ("northfjord", "Northfjord University")],
)
def test_anything_that_has_a_page_can_be_taken(slug: str, name: str) -> None:
    shown = run("embed", slug, "--site", EXAMPLE).stdout
    assert json.loads(shown.partition(">")[2].rpartition("<")[0])["mainEntity"]["name"] == name


def test_all_that_is_known_can_be_taken() -> None:
    slim, full = (
        run("embed", "ada-lindqvist", "--site", EXAMPLE, *more).stdout for more in ([], ["--full"])
    )
    assert "@graph" not in slim
    assert "breadcrumb" not in slim
    value = json.loads(full.partition(">")[2].rpartition("<")[0])
    assert value["@graph"][0]["mainEntity"]["name"] == "Ada Lindqvist"
    assert len(full) > 5 * len(slim)


def test_what_was_pasted_is_brought_up_to_date_too(pages: list[Path]) -> None:
    pages[0].write_text(
        "<head>"
        + run("embed", "noor-haddad", "--site", EXAMPLE).stdout.replace("Noor", "Nora")
        + "</head>"
    )
    run("embed", "noor-haddad", "--site", EXAMPLE, "--into", pages[0])
    assert b"Nora" not in pages[0].read_bytes()
    assert set(embeds(pages[0].read_bytes())) == {NOOR}


@pytest.mark.parametrize("form", ["each", "after", "before"])
def test_many_pages_get_it_at_once(form: str, pages: list[Path]) -> None:
    into = {
        "each": ["noor-haddad", *(word for page in pages for word in ("--into", page))],
        "after": ["noor-haddad", "--into", *pages],
        "before": ["noor-haddad", *pages[1:], "--into", pages[0]],
    }[form]
    result = run("embed", *into, "--site", EXAMPLE)
    assert (result.exit_code, result.stdout) == (0, "")
    assert sorted(result.stderr.splitlines()) == [f"{page}: written" for page in pages]
    for page in pages:
        assert set(embeds(page.read_bytes())) == {NOOR}
        assert page.read_bytes().startswith(PAGE[:-18])
    assert listing(pages[0].parent) == ["a.html", "b.html", "c.html"]


def test_a_page_that_has_it_already_is_not_touched(pages: list[Path], example: Path) -> None:
    run("embed", "noor-haddad", "--site", example, "--into", pages[0])
    for page in pages:
        os.utime(page, (1_000_000_000, 1_000_000_000))
    result = run("embed", "noor-haddad", "--site", example, "--into", *pages[:2])
    assert result.stderr.splitlines() == [f"{pages[0]}: unchanged", f"{pages[1]}: written"]
    assert [page.stat().st_mtime == 1_000_000_000 for page in pages] == [True, False, True]


def test_changed_facts_change_the_script_and_nothing_else(pages: list[Path], example: Path) -> None:
    run("embed", "noor-haddad", "--site", example, "--into", pages[0])
    run("embed", "ada-lindqvist", "--site", example, "--into", pages[0])
    before = pages[0].read_bytes()
    people = example / "data" / "people.yaml"
    people.write_text(
        people.read_text(encoding="utf-8").replace("N. Haddad", "N. J. Haddad"),
        encoding="utf-8",
    )
    result = run("embed", "noor-haddad", "--site", example, "--into", pages[0])
    assert result.stderr == f"{pages[0]}: written\n"
    assert pages[0].read_bytes() == before.replace(b"N. Haddad", b"N. J. Haddad") != before


def test_a_link_stays_a_link_and_a_page_keeps_its_mode(pages: list[Path]) -> None:
    link = pages[0].with_name("index.html")
    link.symlink_to("a.html")
    pages[0].chmod(0o640)
    result = run("embed", "noor-haddad", "--site", EXAMPLE, "--into", link, pages[0])
    assert result.exit_code == 0
    assert link.is_symlink()
    assert stat.S_IMODE(pages[0].stat().st_mode) == 0o640
    assert set(embeds(pages[0].read_bytes())) == {NOOR}


def lock(page: Path) -> None:
    page.chmod(0o444)


def draw(page: Path) -> None:
    page.write_bytes(b"\x89PNG\0")


def swap(page: Path) -> None:
    page.unlink()
    page.mkdir()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lock, "b.html is read-only"),
        (draw, "b.html: it is not an HTML page"),
        (Path.unlink, "b.html' does not exist"),
        (swap, "Two folders are given"),
    ],
)
def test_when_one_page_cannot_have_it_none_gets_it(
    pages: list[Path], spoil: Callable[[Path], None], words: str
) -> None:
    spoil(pages[1])
    result = run("embed", "noor-haddad", "--site", EXAMPLE, "--into", *pages)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert (pages[0].read_bytes(), pages[2].read_bytes()) == (PAGE, PAGE)


def test_jekyll_gets_an_include_and_the_line_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "_config.yml").touch()
    result = run("embed", "noor-haddad", "--site", EXAMPLE, "--jekyll", tmp_path)
    file = tmp_path / "_includes" / "cv-kg" / "noor-haddad.html"
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[0] == f"{file}: written"
    assert result.stderr.splitlines()[-1] == "  {% include cv-kg/noor-haddad.html %}"
    assert file.read_text() == run("embed", "noor-haddad", "--site", EXAMPLE).stdout
    monkeypatch.chdir(tmp_path)
    second = run("embed", "noor-haddad", "--site", EXAMPLE, "--jekyll")
    assert second.stderr.startswith("_includes/cv-kg/noor-haddad.html: unchanged\n")
    run("embed", "orgs/northfjord", "--site", EXAMPLE, "--jekyll")
    run("embed", "people/", "--site", EXAMPLE, "--jekyll")
    assert listing(tmp_path) == [
        "_config.yml",
        "_includes/cv-kg/noor-haddad.html",
        "_includes/cv-kg/orgs/northfjord.html",
        "_includes/cv-kg/people/index.html",
    ]


@pytest.mark.parametrize("folder", ["layouts/partials", "layouts/_partials"])
def test_hugo_gets_a_partial_where_it_looks_for_one(tmp_path: Path, folder: str) -> None:
    (tmp_path / "hugo.toml").touch()
    if folder.endswith("_partials"):
        (tmp_path / folder).mkdir(parents=True)
    result = run("embed", "noor-haddad", "--site", EXAMPLE, "--hugo", tmp_path)
    assert result.stderr.splitlines()[-1] == '  {{ partial "cv-kg/noor-haddad.html" . }}'
    assert listing(tmp_path) == ["hugo.toml", f"{folder}/cv-kg/noor-haddad.html"]


@pytest.mark.parametrize("option", ["--jekyll", "--hugo"])
def test_a_folder_that_is_no_such_site_is_left_alone(tmp_path: Path, option: str) -> None:
    result = run("embed", "noor-haddad", "--site", EXAMPLE, option, tmp_path)
    assert result.exit_code == 2
    assert "Give the folder of the site" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_files_without_into_are_wrong_use(pages: list[Path]) -> None:
    result = run("embed", "noor-haddad", pages[0], "--site", EXAMPLE)
    assert result.exit_code == 2
    assert f"kg embed noor-haddad --into {pages[0]}" in result.stderr
    assert pages[0].read_bytes() == PAGE


def test_nothing_private_is_put_anywhere(pages: list[Path], example: Path) -> None:
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("Measures how", "Ask ada@example.org. Measures how"),
        encoding="utf-8",
    )
    result = run("embed", "ada-lindqvist", "--site", example, "--into", pages[0])
    assert result.exit_code == 1
    assert "[leak]" in result.stderr
    assert pages[0].read_bytes() == PAGE
