"""Builds in a row: an address that was published stays known, whatever the site forgets."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kg.check.check import good
from tests.cli.test_cli import run


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def change(site: Path, file: str, old: str, new: str) -> None:
    path = site / "data" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def rename(site: Path, old: str, new: str) -> None:
    """Another key in the registry, and wherever it is referred to."""
    for path in (site / "data").rglob("*.yaml"):
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


@pytest.mark.proof
def test_three_builds_in_a_row(example: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    assert run("build", example, "-o", target).exit_code == 0
    first = files(target)

    rename(example, "kim-osei", "kim-o")
    refused = run("build", example, "-o", target)
    assert refused.exit_code == 1
    line = (
        first["addresses.txt"]
        .decode()
        .splitlines()
        .index("https://lab.example.org/people/kim-osei")
        + 1
    )
    assert f"addresses.txt:{line}:1" in refused.stderr
    assert (
        "write 'was: kim-osei' in its entry, or, if it has none, 'moved: {people/kim-osei:"
        in refused.stderr
    )
    assert files(target) == first, "nothing was replaced"

    change(example, "people.yaml", "kim-o: {", "kim-o: {was: kim-osei, ")
    assert run("build", example, "-o", target).exit_code == 0
    second = files(target)
    assert b"people/kim-osei\n" in second["addresses.txt"]
    assert b"people/kim-o\n" in second["addresses.txt"]

    change(example, "people.yaml", "was: kim-osei, ", "")
    kept = run("build", example, "-o", target)
    assert kept.exit_code == 0, "a redirect of an earlier build stays in force"
    assert "people/kim-osei redirects to people/kim-o, as in the previous build." in kept.stderr
    assert "/people/kim-osei /people/kim-o 301" in (target / "_redirects").read_text()

    (target / "_redirects").unlink()
    refused = run("build", example, "-o", target)
    assert refused.exit_code == 1, "an old name may not be forgotten either"
    assert "people/kim-osei was published and is missing now." in refused.stderr

    change(example, "site.yaml", "modified:", "withdrawn: people/kim-osei\nmodified:")
    assert run("build", example, "-o", target).exit_code == 0
    assert b"people/kim-osei\n" in (target / "addresses.txt").read_bytes(), (
        "so that what was withdrawn is not forgotten either"
    )


def test_all_that_vanished_is_reported_at_once(example: Path, tmp_path: Path) -> None:
    published = tmp_path / "addresses.txt"
    published.write_text(
        "".join(
            f"https://lab.example.org/{path}\n"
            for path in ("", "people/a", "people/b", "people/kim-osei")
        )
    )
    for command in (["check", example], ["build", example, "-o", tmp_path / "new"]):
        found = run(*command, "--previous", published)
        assert found.exit_code == 1
        assert found.output.count("was published and is missing now.") == 2
    assert not (tmp_path / "new").exists()


def test_the_last_build_is_found_in_a_folder_too(example: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "addresses.txt").write_text(
        "https://lab.example.org/\nhttps://lab.example.org/people/a\n"
    )
    found = run("check", example, "--previous", tmp_path / "old", "--format", "json")
    assert found.exit_code == 1
    assert [
        each["rule"] for each in json.loads(found.stdout)["problems"] if each["severity"] == "error"
    ] == ["address-gone"]


@pytest.mark.parametrize("previous", ["nowhere", ".", "https://lab.example.org/addresses.txt"])
def test_a_list_that_is_not_there_is_wrong_use(example: Path, previous: str) -> None:
    found = run("build", example, "-o", example / "out", "--previous", previous)
    assert found.exit_code == 2
    assert "addresses.txt" in found.stderr
    assert not (example / "out").exists()


def test_while_something_cannot_be_read_nothing_counts_as_gone(
    example: Path, tmp_path: Path
) -> None:
    assert good(example)
    change(example, "people.yaml", "{name: Kim Osei}", "{nme: Kim Osei}")
    published = tmp_path / "addresses.txt"
    published.write_text("https://lab.example.org/\nhttps://lab.example.org/people/kim-osei\n")
    found = run("check", example, "--previous", published)
    assert "unknown-field" in found.stdout
    assert "address-gone" not in found.stdout


ONE_LETTER = ("organization: Harbour Office,", "organization: Harbour Offices,")
# What replaces what in the CV of the only person -> the addresses of both.
REPLACED = {
    "a colleague with a similar name": (
        ("Anna Berg", "Anne Berg"),
        ("people/anna-berg", "people/anne-berg"),
    ),
    "an organisation with one letter more": (
        ONE_LETTER,
        ("orgs/harbour-office", "orgs/harbour-offices"),
    ),
    "a work with a similar title": (
        ("title: Slow Sand", "title: Slower Sand"),
        ("publications/falk-2025-slow", "publications/falk-2025-slower"),
    ),
}
CV = """basics: {name: Eva Falk}
work: [{organization: Harbour Office, position: Reader, startDate: 2019, endDate: present}]
mentoring: [{person: Anna Berg, level: doctoral, startDate: 2022, endDate: present}]
publications: [{title: Slow Sand, kind: report, authors: [Eva Falk], year: 2025}]
"""


@pytest.mark.slow
@pytest.mark.parametrize("what", REPLACED)
def test_no_successor_is_guessed(tmp_path: Path, what: str) -> None:
    (before, after), (old, new) = REPLACED[what]
    site, target = tmp_path / "site", tmp_path / "out"
    (site / "data/cv").mkdir(parents=True)
    (site / "data/site.yaml").write_text("base: https://falk.example.org/\ntitle: Falk\n")
    (site / "data/cv/eva-falk.yaml").write_text(CV)
    build = ("build", site, "-o", target, "--formats", "", "--previous", target)
    assert run(*build[:-2]).exit_code == 0
    change(site, "cv/eva-falk.yaml", before, after)
    listed = run(*build)
    assert old in listed.stderr
    assert f"moved: {{{old}: {old.partition('/')[0]}/KEY}}" in listed.stderr
    assert new not in listed.stderr
    assert f"{old} /{new}" not in (target / "_redirects").read_text(encoding="utf-8")
    # a line of the author decides, and stays in force
    line = f"moved: {{{old}: {new}}}\n"
    change(site, "site.yaml", "title:", f"{line}title:")
    assert run(*build).exit_code == 0
    change(site, "site.yaml", line, "")
    assert run(*build).exit_code == 0
    assert f"/{old} /{new} 301" in (target / "_redirects").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_removed_person_is_removed(tmp_path: Path) -> None:
    site, target = tmp_path / "site", tmp_path / "out"
    (site / "data/cv").mkdir(parents=True)
    (site / "data/site.yaml").write_text("base: https://falk.example.org/\ntitle: Falk\n")
    for name in ("Anna Berg", "Anne Berg"):
        file = site / "data/cv" / f"{name.lower().replace(' ', '-')}.yaml"
        file.write_text(f"basics: {{name: {name}}}\nskills: [Ice]\n")
    assert run("build", site, "-o", target, "--formats", "").exit_code == 0
    (site / "data/cv/anna-berg.yaml").unlink()
    listed = run("build", site, "-o", target, "--formats", "")
    assert "add people/anna-berg to 'withdrawn' in data/site.yaml" in listed.stderr
    assert "people/anne-berg" not in listed.stderr
    change(site, "site.yaml", "title:", "withdrawn: people/anna-berg\ntitle:")
    assert run("build", site, "-o", target, "--formats", "").exit_code == 0
    assert "Anna" not in (target / "people/anna-berg.html").read_text(encoding="utf-8")
    assert "anna-berg /people/anne" not in (target / "_redirects").read_text(encoding="utf-8")


@pytest.mark.proof
@pytest.mark.slow
def test_what_is_no_longer_named_leads_to_its_list_until_it_is_named_again(
    example: Path, built: Path, tmp_path: Path
) -> None:
    target, listed = shutil.copytree(built, tmp_path / "out"), tmp_path / "addresses.txt"
    file, gone = "cv/ada-lindqvist.yaml", "topics/boat-handling"
    change(example, file, "Boat handling", "Ice diving")
    for _ in range(2):  # the second time the list alone tells of it, as in a workflow
        shutil.copy(target / "addresses.txt", listed)
        checked = run("check", example, "--previous", listed)
        assert checked.exit_code == 0, checked.output
        assert f"redirects to its list: {gone}." in checked.stdout
        result = run("build", example, "-o", target, "--formats", "ttl", "--previous", listed)
        assert result.exit_code == 0, result.output
        assert f"/{gone}\n" in (target / "addresses.txt").read_text(encoding="utf-8")
        rules = (target / "_redirects").read_text(encoding="utf-8").splitlines()
        assert f"/{gone} /topics/ 302" in rules
        assert f"/{gone}.ttl /topics/index.ttl 302" in rules
        page = (target / f"{gone}.html").read_text(encoding="utf-8")
        assert 'content="0; url=../topics/"' in page
        assert 'url=../../topics/"' in (target / gone / "index.html").read_text(encoding="utf-8")
        assert run("verify", target).exit_code == 0
    change(example, file, "Ice diving", "Boat handling")
    assert run("build", example, "-o", target, "--formats", "ttl").exit_code == 0
    assert f"/{gone} " not in (target / "_redirects").read_text(encoding="utf-8")
    assert "Boat handling" in (target / f"{gone}.html").read_text(encoding="utf-8")
