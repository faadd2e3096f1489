"""Files that nobody can read: each is one problem among the others, and nothing waits for it."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.check.check import check
from kg.check.watch import files
from kg.errors import Problem
from kg.files.disk import MOST, fault_of, walk
from kg.graph.parallel.run import Run
from kg.publish.document import static_body, static_files
from kg.settings import shipped
from tests.cases import TODAY
from tests.cli.test_cli import run


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    return folder


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(os.path.relpath(path))


def enlarge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2 * MOST)


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


UNREADABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a link that leads nowhere": (link("gone.yaml"), "is broken: gone.yaml does not exist."),
    "a link to itself": (lambda path: path.symlink_to(path.name), "points to itself."),
    "a named pipe": (os.mkfifo, "This is a named pipe, not a file."),
    "a link to a device": (link("/dev/zero"), "This is a device, not a file."),
    "a socket": (bind, "This is a socket, not a file."),
    "a file without end": (enlarge, "This file has 200 MB; the limit is 100 MB."),
    "a folder": (Path.mkdir, "This is a folder, but a file must have this name."),
}


def found(site: Path, rule: str = "unreadable-file") -> list[Problem]:
    return [each for each in check(site).problems if each.rule == rule]


@pytest.mark.sample(test=0.15)
@pytest.mark.parametrize("name", ["data/cv/bo.yaml", "data/topics/bo.yaml", "data/more.bib"])
@pytest.mark.parametrize("kind", UNREADABLE)
def test_it_is_one_problem_among_the_others(site: Path, kind: str, name: str) -> None:
    make, words = UNREADABLE[kind]
    (site / name).parent.mkdir(exist_ok=True)
    make(site / name)
    people = site / "data" / "people.yaml"
    people.write_text(people.read_text(encoding="utf-8") + "zoe: {nmae: Zoë}\n", encoding="utf-8")
    problems = [each for each in check(site).problems if each.severity == "error"]
    assert [(each.place.file, each.rule) for each in problems] == [
        *sorted([(name, "unreadable-file"), ("data/people.yaml", "unknown-field")])
    ]
    assert words in next(each.message for each in problems if each.place.file == name)


def test_the_exit_code_is_that_of_problems(site: Path) -> None:
    os.mkfifo(site / "data" / "cv" / "bo.yaml")
    result = run("check", site)
    assert result.exit_code == 1
    assert "bo.yaml:1:1" in result.stdout


def test_whatever_refers_to_it_is_not_wrong_too(site: Path) -> None:
    """Nobody knows whether what is missing was in it."""
    (site / "data" / "organizations.yaml").unlink()
    (site / "data" / "organizations.yaml").symlink_to("gone.yaml")
    (problem,) = [each for each in check(site).problems if each.severity == "error"]
    assert (problem.place.file, problem.rule) == ("data/organizations.yaml", "unreadable-file")


def test_the_file_of_the_site_itself_does_not_hide_the_others(site: Path) -> None:
    (site / "data" / "site.yaml").unlink()
    (site / "data" / "site.yaml").symlink_to("gone.yaml")
    (site / "data" / "topics.yaml").write_text("dunes: {nmae: Dunes}\n", encoding="utf-8")
    rules = [(each.place.file, each.rule) for each in check(site).problems]
    assert ("data/site.yaml", "unreadable-file") in rules
    assert ("data/topics.yaml", "unknown-field") in rules


def test_a_file_that_fails_while_it_is_read_is_reported(site: Path) -> None:
    """As a disk does that is broken."""
    (site / "data" / "cv" / "bo.yaml").symlink_to("/proc/self/mem")
    (problem,) = found(site)
    assert problem.place.file == "data/cv/bo.yaml"
    assert problem.message.startswith("cannot read this file: ")


def test_a_file_that_one_may_not_read_is_told_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text("a")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert fault_of(tmp_path / "a.yaml").endswith("Run: chmod u+r a.yaml")


def test_a_linked_file_is_a_file_wherever_it_leads(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.yaml").write_text("dunes: {nmae: Dunes}\n", encoding="utf-8")
    (site / "data" / "topics").mkdir()
    (site / "data" / "topics" / "dunes.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert [each.place.file for each in found(site, "unknown-field")] == ["data/topics/dunes.yaml"]


def test_a_linked_folder_is_read_once(site: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "dunes.yaml").write_text("dunes: {nmae: D}\n", encoding="utf-8")
    for name in ("topics", "venues"):
        (site / "data" / name).symlink_to("../../elsewhere")
    (wrong,) = found(site, "unknown-field")
    assert wrong.place.file == "data/topics/dunes.yaml"
    (again,) = found(site)
    assert (again.place.file, again.message) == (
        "data/venues",
        "This link points to data/topics, which is already read. Delete it.",
    )
    assert f"{site}/data/topics/dunes.yaml" in files(site), "it is watched, too"


@pytest.mark.sample(test=0.15)
@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("data/topics", ".", "points to data/, which is already read"),
        ("data/topics", "..", "points to a folder that contains it"),
        ("data/topics", "/", "points to a folder that contains it"),
        ("data/cv/more", "..", "is only read directly in data/"),
        ("data/topics", "gone", "is broken"),
    ],
)
def test_a_linked_folder_that_is_not_read_is_refused_in_words(
    site: Path, name: str, target: str, words: str
) -> None:
    (site / name).symlink_to(target)
    (problem,) = found(site)
    assert problem.place.file == name
    assert words in problem.message


def test_no_folder_in_a_linked_one_is_read(site: Path) -> None:
    (site / "data" / "topics").symlink_to("/usr")
    (problem,) = found(site)
    assert problem.place.file == "data/topics"
    assert "Subfolders of a linked folder are not read" in problem.message
    assert not any("topics/bin/" in file for file in files(site))


@pytest.mark.sample(test=0.15)
@pytest.mark.parametrize(
    "name",
    [
        "queries/own.rq",
        "queries/pages/own.rq",
        "queries/rules/own.rq",
        "shapes/own.ttl",
        "static/me.jpg",
        "templates/page.html",
        "templates/blocks/works.html",
    ],
)
@pytest.mark.parametrize("make", [os.mkfifo, link("gone"), Path.mkdir])
def test_what_a_site_brings_along_is_as_little_waited_for(
    site: Path, name: str, make: Callable[[Path], None]
) -> None:
    (site / name).parent.mkdir(parents=True)
    make(site / name)
    expected = [name] if make is not Path.mkdir else []  # an empty folder lacks nothing
    assert [each.place.file for each in check(site).problems] == expected


def test_what_is_published_as_it_is_lies_in_the_site(site: Path, tmp_path: Path) -> None:
    (site / "static").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (site / "static" / "out.txt").symlink_to(tmp_path / "secret.txt")
    (site / "photo.txt").write_text("photo")
    (site / "static" / "in.txt").symlink_to("../photo.txt")
    (problem,) = check(site).problems
    assert (problem.place.file, problem.severity) == ("static/out.txt", "error")
    assert "leads to a file outside the site" in problem.message
    published = [path for path, _ in static_files(site / "static")]
    assert "static/in.txt" in published
    assert "static/out.txt" not in published
    assert static_body("static/in.txt", site / "static") == b"photo"
    assert static_body("static/out.txt", site / "static") == b""


def test_real_folders_come_before_links_to_them(tmp_path: Path) -> None:
    top = tmp_path / "data"
    (top / "people").mkdir(parents=True)
    (top / "people" / "a.yaml").write_text("a")
    (top / "also").symlink_to("people")
    seen = walk(top)
    assert (seen.files, list(seen.faults)) == (["people/a.yaml"], ["also"])


def changed(site: Path, name: str, old: str, new: str) -> None:
    text = (site / name).read_text(encoding="utf-8")
    assert old in text
    (site / name).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.sample(test=0.15)
@pytest.mark.parametrize(
    ("name", "old", "new", "rule"),
    [
        ("data/cv/ada-lindqvist.yaml", "basics:\n", "basics: [\n", "yaml"),
        ("data/cv/ada-lindqvist.yaml", "Harbour Office,", "Harbour Office, pst: x,", ""),
        ("data/organizations.yaml", "northfjord-rivers: {", "northfjord-rivers: {nme: x, ", ""),
        ("data/software.yaml", "name:", "nmae:", ""),
        ("data/topics.yaml", "name:", "nmae:", ""),
    ],
)
def test_what_depends_on_an_entry_that_could_not_be_read_is_not_judged(
    site: Path, name: str, old: str, new: str, rule: str
) -> None:
    """A right line of another file is not blamed, and no advice destroys it."""
    moved = "\nmoved: {orgs/harbour: orgs/northfjord-harbour-office}\n"
    settings = site / "data" / "site.yaml"
    settings.write_text(settings.read_text(encoding="utf-8") + moved, encoding="utf-8")
    before = {(each.place.file, each.rule) for each in check(site, Run(TODAY)).problems}
    assert "address-gone" not in {found_rule for _, found_rule in before}
    changed(site, name, old, new)
    rules = {(each.place.file, each.rule) for each in check(site, Run(TODAY)).problems} - before
    reported = {rule} if rule else {"unknown-field", "missing-field"}
    assert rules
    assert rules <= {(name, each) for each in reported}


def test_a_moved_address_is_judged_again_once_all_can_be_read(site: Path) -> None:
    settings = site / "data" / "site.yaml"
    text = settings.read_text(encoding="utf-8") + "\nmoved: {orgs/harbour: orgs/nowhere}\n"
    settings.write_text(text, encoding="utf-8")
    assert [each.place.file for each in found(site, "address-gone")] == ["data/site.yaml"]


# What a CV says -> what its author is told to do.
MISPLACED = {
    "an entry without its dash": (
        "grants:\n  - title: Sand\n    funder: Fund\n  title: Mud\n  funder: Fund\n",
        ":6:3 '- ' is missing before this entry.",
    ),
    "the next job below the highlights": (
        "work:\n  - organization: Sand Works\n    highlights:\n      - Dug sand.\n"
        "    - organization: Mud Works\n      position: Clerk\n",
        ":7:5 This item is one level too deep. If it is the next entry, indent it by 2 spaces.",
    ),
    "a wrapped title with a colon": (
        "publications:\n  - title: A long title about slow sand and\n      fast water: a history\n",
        ":5:7 The text above continues here and contains ': '. Put quotes around all of it.",
    ),
    "a DOI with a mistake": (
        "publications:\n  - {title: Sand, kind: report, year: 2020, doi: '11.1/x'}\n",
        "is not a DOI. Write it as 10., a number, a slash and the rest.",
    ),
}


@pytest.mark.parametrize("what", MISPLACED)
def test_advice_leads_to_what_was_meant(tmp_path: Path, what: str) -> None:
    text, advice = MISPLACED[what]
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text("base: https://a.example/\ntitle: A\n")
    (tmp_path / "data/cv/ada.yaml").write_text(f"basics:\n  name: Ada\n{text}")
    errors = [each for each in check(tmp_path).problems if each.severity == "error"]
    assert any(
        advice in f":{each.place.line}:{each.place.column} {each.message}" for each in errors
    )
    assert not any("10.1109" in each.message for each in errors)
