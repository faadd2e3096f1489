"""Published addresses: where they went, and what is said where one would vanish."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.addresses import document_paths, find_redirects, missing_addresses, problems
from kg.check.check import Checked, check
from kg.check.redirects import Redirects, address_list, permanent
from kg.errors import Problem
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.parallel.run import Run
from tests.cases import BASE
from tests.facts import site_with

SITE = f"base: {BASE}\ntitle: Cases\n"
CV = "basics: {name: Ada Berg}\nmentoring:\n  - {person: eli, level: doctoral}\n"
ELI = "eli: {name: Eli Gran, was: [e-gran, eli-g]}"


def redirects_of(graph: Graph) -> Redirects:
    return find_redirects(graph.site, graph.memory, document_paths(graph))


def made(folder: Path, **files: str) -> Graph:
    """The graph of a small site whose facts are in order."""
    facts = load(site_with(folder, **files))
    assert facts.problems == []
    assert facts.site is not None
    return build(facts, facts.site)


def missing(graph: Graph, folder: Path, *addresses: str) -> list[Problem]:
    """What is said after a build that published these."""
    previous = folder / "site" / "site" / "addresses.txt"
    previous.parent.mkdir(exist_ok=True)
    previous.write_text("".join(f"{BASE}{address}\n" for address in ("", *addresses)))
    return list(missing_addresses(graph, previous))


def test_an_old_address_leads_to_the_new_one_with_its_suffix(tmp_path: Path) -> None:
    found = redirects_of(made(tmp_path, cv=CV, people=ELI))
    assert found.moved == {"people/e-gran": "people/eli", "people/eli-g": "people/eli"}
    assert found.target("people/e-gran") == "people/eli"
    assert found.target("people/e-gran.ttl") == "people/eli.ttl"
    assert [
        found.target(path)
        for path in ("people/eli", "people/e-gran/", "people/e-gran2", "people/", "", ".ttl")
    ] == [None] * 6


def test_what_is_withdrawn_is_gone_in_every_form(tmp_path: Path) -> None:
    found = redirects_of(made(tmp_path, site=f"{SITE}withdrawn: [people/e-gran]"))
    assert [
        bool(found.gone(path))
        for path in ("people/e-gran", "people/e-gran.ttl", "people/e-gran.html", "people/e", "")
    ] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("cv", "eli"),
    [
        (CV, "eli: {name: Eli Gran, was: e-gran, visibility: private}"),
        ("basics: {name: Ada Berg}", "eli: {name: Eli Gran, was: e-gran}"),
    ],
    ids=["private", "unmentioned"],
)
def test_the_old_name_of_what_is_not_published_is_not_told(
    tmp_path: Path, cv: str, eli: str
) -> None:
    graph = made(tmp_path, cv=cv, people=eli)
    assert redirects_of(graph).moved == {}
    assert b"gran" not in address_list(BASE, document_paths(graph), redirects_of(graph))
    (found,) = missing(graph, tmp_path, "people/e-gran")
    assert (
        "It is now people/eli (data/people/case.yaml:1:6), but that is private, or nothing "
        "refers to it."
    ) in found.message


def test_the_list_holds_what_is_here_was_here_and_is_gone_and_no_lists(tmp_path: Path) -> None:
    graph = made(tmp_path, cv=CV, people=ELI, site=f"{SITE}withdrawn: [orgs/gone]")
    lines = address_list(BASE, document_paths(graph), redirects_of(graph)).decode().splitlines()
    assert lines == sorted(lines)
    assert lines[0] == BASE
    assert {
        f"{BASE}{path}"
        for path in ("people/ada", "people/eli", "people/e-gran", "orgs/gone", "terms/cv")
    } <= {*lines}
    assert not [line for line in lines[1:] if line.endswith("/")]


def test_a_person_whom_a_work_names_still_has_an_address(tmp_path: Path) -> None:
    """Though nobody of that key is in a registry, the printed name makes a page."""
    work = "sand: {title: Sand, kind: report, year: 2020, authors: [Ada Berg, Gil Horn]}"
    cv = "basics: {name: Ada Berg}\npublications: [sand]"
    (found,) = problems(
        made(tmp_path, cv=cv, publications=work, site=f"{SITE}withdrawn: [people/gil-horn]")
    )
    assert (str(found.place), found.rule) == ("data/site.yaml:3:13", "address-in-use")
    assert "in use (data/publications/case.yaml:1:" in found.message


def test_hand_written_turtle_may_use_an_address_too(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv=CV, people=ELI)
    (folder / "data" / "more.ttl").write_text(
        '\n<people/e-gran#it> <http://schema.org/name> "Eli" .\n'
    )
    facts = load(folder)
    assert facts.site is not None
    (found,) = problems(build(facts, facts.site))
    assert (
        "the old address was people/e-gran, but it is in use (data/more.ttl:2:1)." in found.message
    )


def test_a_private_entry_may_keep_the_key_of_what_is_withdrawn(tmp_path: Path) -> None:
    eli = "eli: {name: Eli Gran, visibility: private}"
    assert (
        list(problems(made(tmp_path, cv=CV, people=eli, site=f"{SITE}withdrawn: [people/eli]")))
        == []
    )


def test_an_entry_was_not_itself(tmp_path: Path) -> None:
    (found,) = problems(made(tmp_path, cv=CV, people="eli: {name: Eli Gran, was: eli}"))
    assert found.rule == "address-in-use"


def test_names_of_names_all_lead_to_what_lives(tmp_path: Path) -> None:
    graph = made(tmp_path, cv=CV, people=ELI)
    assert list(problems(graph)) == []
    assert missing(graph, tmp_path, "people/eli", "people/e-gran", "people/eli-g") == []


def test_each_missing_address_is_told_at_its_line_with_what_to_write(tmp_path: Path) -> None:
    graph = made(tmp_path, cv=CV, people="eli: {name: Eli Gran}")
    first, second = missing(graph, tmp_path, "publications/sand", "people/eli", "people/e-li")
    assert [str(each.place) for each in (first, second)] == [
        "site/addresses.txt:2:1",
        "site/addresses.txt:4:1",
    ]
    assert {each.rule for each in (first, second)} == {"address-gone"}
    assert second.message == (
        "people/e-li was published and is missing now. If it was renamed, write 'was: "
        "e-li' in its entry, or, if it has none, 'moved: {people/e-li: people/KEY}' "
        "in data/site.yaml. "
        "If you removed it on purpose, add people/e-li to 'withdrawn' in data/site.yaml."
    )


def test_lists_are_no_promise(tmp_path: Path) -> None:
    graph = made(tmp_path)
    assert not [
        address
        for address in permanent(document_paths(graph), redirects_of(graph))
        if address.endswith("/")
    ]
    assert missing(graph, tmp_path, "terms/cv") == []


@pytest.mark.parametrize(
    ("moved", "rules", "leads"),
    [
        ("{people/e: people/eli}", [], {"people/e": "people/eli"}),
        (
            "{people/e: people/el, people/el: people/eli}",
            [],
            {"people/e": "people/eli", "people/el": "people/eli"},
        ),
        ("{people/eli: people/ada}", ["address-in-use"], {}),
        ("{people/e: people/nobody}", ["address-gone"], {}),
        ("{people/e: people/f, people/f: people/e}", ["address-gone"] * 2, {}),
    ],
)
def test_what_was_corrected_leads_on(
    tmp_path: Path, moved: str, rules: list[str], leads: dict[str, str]
) -> None:
    people = "eli: {name: Eli Gran}"
    graph = made(tmp_path, cv=CV, people=people, site=f"{SITE}moved: {moved}")
    assert [each.rule for each in problems(graph)] == rules
    assert redirects_of(graph).moved == leads


def test_another_base_is_told_once(tmp_path: Path) -> None:
    graph = made(tmp_path)
    previous = tmp_path / "addresses.txt"
    previous.write_text(
        "https://old.site/\nhttps://old.site/people/ada\nhttps://old.site/people/bo\n"
    )
    (found,) = missing_addresses(graph, previous)
    assert (found.place.line, found.rule, found.severity) == (1, "address-gone", "warning")
    assert "https://old.site/" in found.message
    assert BASE in found.message


def test_without_a_list_nothing_is_missing(tmp_path: Path) -> None:
    assert list(missing_addresses(made(tmp_path), tmp_path / "addresses.txt")) == []


def test_the_reason_of_a_withdrawal_tells_nothing_private(tmp_path: Path) -> None:
    site = f"{SITE}withdrawn: [{{address: people/eli, reason: Ask Ada at +46 8 123 45 67.}}]"
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg, phone: +46 8 123 45 67}", site=site)
    (found,) = [each for each in check(folder).problems if each.severity == "error"]
    assert (found.rule, found.place.file) == ("leak", "data/site.yaml")
    assert "data/cv/ada.yaml:1:33" in found.message


def test_an_address_that_is_withdrawn_is_no_secret_any_more(tmp_path: Path) -> None:
    eli = "eli: {name: Eli Gran, was: eli-gran-old, visibility: private}"
    kept = made(tmp_path / "kept", cv=CV, people=eli)
    assert kept.secrets.found_in("people/eli-gran-old")
    gone = made(
        tmp_path / "gone", cv=CV, people=eli, site=f"{SITE}withdrawn: [people/eli-gran-old]"
    )
    assert gone.secrets.found_in("people/eli-gran-old") == []
    assert gone.secrets.found_in("Eli Gran")


GONE = ["topics/docker", "orgs/dock-works", "places/dock", "languages/xh", "projects/quay"]


def checked(folder: Path, *addresses: str) -> Checked:
    """What is found after a build that published these."""
    previous = folder.parent / "addresses.txt"
    previous.write_text("".join(f"{BASE}{address}\n" for address in ("", *addresses)))
    return check(folder, Run(previous=previous))


def test_what_is_no_longer_named_is_listed_once(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg}\nskills: [Ice]\n")
    found = checked(folder, *GONE)
    assert found.publishable
    assert found.graph is not None
    assert redirects_of(found.graph).moved == {}
    (info,) = [each for each in found.problems if each.rule == "address-withdrawn"]
    assert (info.severity, info.place.line) == ("info", 2)
    assert f"no longer in use: {', '.join(GONE)}." in info.message


def test_redirects_of_the_last_build_stay(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg}\nskills: [Ice]\n")
    redirects = (
        "/topics/snow /topics/ice 301\n/topics/docker /topics/ 302\n/topics/x /topics/y 301\n"
    )
    (tmp_path / "site").mkdir(exist_ok=True)
    (folder.parent / "_redirects").write_text(redirects)
    found = checked(folder, "topics/snow", "topics/docker")
    assert found.graph is not None
    moved = {"topics/snow": "topics/ice", "topics/docker": "topics/"}
    assert redirects_of(found.graph).moved == moved
    (warning,) = [each for each in found.problems if each.rule.startswith("address-")]
    assert "moved: {topics/snow: topics/ice}" in warning.message


def test_a_person_or_a_work_that_is_gone_is_still_an_error(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg}\nskills: [Ice]\n")
    found = checked(folder, "people/bo-ek", "publications/ice", "patents/ice", "topics/docker")
    assert [each.rule for each in found.problems if each.severity == "error"] == [
        "address-gone"
    ] * 3


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("topics/docker", "topics/"),
        ("topics/docker.ttl", "topics/index.ttl"),
        ("orgs/dock", ""),
        ("orgs/dock.html", "index.html"),
    ],
)
def test_an_address_may_lead_to_a_list(path: str, target: str) -> None:
    assert Redirects({"topics/docker": "topics/", "orgs/dock": ""}).target(path) == target
