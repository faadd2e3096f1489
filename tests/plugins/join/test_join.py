"""`kg join` with real sites on real hosts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from tests.plugins.join.conftest import Members
from tests.plugins.join.member_sites import (
    BASE,
    Handler,
    build,
    full_name,
    hosted,
    join,
    key,
    people,
    publish,
    published,
    select,
    works,
    write_site,
)


def test_each_person_work_organisation_and_journal_is_one_entry(union: Path) -> None:
    assert people(union) == sorted(map(full_name, range(4)))
    assert works(union) == [f"Results of experiment {number}" for number in range(4)]
    assert select(union, "SELECT ?n { ?o a schema:CollegeOrUniversity ; schema:name ?n }") == [
        ("University of Results",)
    ]
    assert len(select(union, "SELECT ?v { ?v a schema:Periodical }")) == 1
    owners = select(union, "SELECT ?p { ?p a cv:Owner }")
    assert owners == sorted((f"{BASE}people/{key(number)}#it",) for number in range(4))
    assert "unknown-file" not in {problem.rule for problem in check(union).problems}


def test_entries_lead_to_the_sites_that_have_them(members: Members, union: Path) -> None:
    found = select(union, f"SELECT ?s {{ <{BASE}people/{key(0)}#it> schema:sameAs ?s }}")
    mine = f"{members.urls[0]}people/{key(0)}#it"
    assert (mine,) in found
    assert len([each for (each,) in found if each.startswith("http://127.0.0.1")]) == 4


def test_the_provenance_of_each_site_is_published(members: Members, union: Path) -> None:
    """Its address, licence, the digest of its dump and the date; entries name their source."""
    rows = select(
        union,
        """SELECT ?site ?digest ?date ?license { ?s schema:url ?site ; schema:version ?digest ;
            schema:dateModified ?date ; schema:license ?license }""",
    )
    by_4 = "https://creativecommons.org/licenses/by/4.0/"
    dumps = [(each.public / "dump.nq").read_bytes() for each in members.hosts]
    digests = [f"sha256:{hashlib.sha256(each).hexdigest()}" for each in dumps]
    assert rows == sorted(
        ("2026-11-19", digest, by_4, url) for digest, url in zip(digests, members.urls, strict=True)
    )
    ada = f"<{BASE}people/{key(0)}#it> dcterms:source ?s"
    sources = select(union, f"SELECT ?url {{ GRAPH ?g {{ {ada} }} ?s schema:url ?url }}")
    assert sources == [(members.urls[0],)], "other sites only mention her"


def test_an_unchanged_site_costs_one_request(members: Members, union: Path) -> None:
    done = join(union)
    assert "4 unchanged; 4 requests" in done.output
    assert [sum(each.requests.values()) for each in members.hosts] == [1] * 4
    assert [each.statuses[304] for each in members.hosts] == [1] * 4


def test_a_site_that_was_withdrawn_is_gone(members: Members, union: Path) -> None:
    members.hosts[2].answers["*"] = lambda handler: handler.answer(410)
    done = join(union)
    assert done.exit_code == 0, done.output
    assert "1 withdrawn" in done.output
    owners = select(union, "SELECT ?p { ?p a cv:Owner }")
    assert len(owners) == 3
    assert f"{BASE}people/{key(2)}#it" not in dict.fromkeys(each for (each,) in owners)
    assert (
        members.urls[2] not in (union / "joined" / "sites.json").read_text().partition("paths")[0]
    )


def test_a_site_that_cannot_be_reached_keeps_its_last_state(members: Members, union: Path) -> None:
    members.hosts[1].answers["*"] = lambda handler: handler.answer(500)
    done = join(union)
    assert done.exit_code == 1
    assert "returned HTTP 500" in done.output
    assert "its facts of 2026-11-19 are still used" in done.output
    assert len(select(union, "SELECT ?p { ?p a cv:Owner }")) == 4


def test_a_language_is_one_entry_however_the_sites_write_it(three: Members, tmp_path: Path) -> None:
    """A tag, a name in another language, a variety, and an entry of the registry."""
    registry = three.folder / "site-2/data/languages.yaml"
    registry.write_text("english: {name: English}\n")
    for number, written in enumerate(("[en]", "[Englisch, {language: en-GB}]", "[english]")):
        three.publish(number, f"languages: {written}\n")
    assert join(tmp_path, *three.urls).exit_code == 0
    found = select(tmp_path, "SELECT ?name ?tag { ?l schema:termCode ?tag ; schema:name ?name }")
    assert found == [("English", "en")]
    speakers = "SELECT ?p { ?l schema:termCode 'en' . ?p schema:knowsLanguage ?l }"
    assert len(select(tmp_path, speakers)) == 3


HOME_PAGE = b"<!doctype html><title>Ada</title>"
# What a host has: its pages -> what `kg join` reports.
OTHER_SITES: dict[str, tuple[dict[str, bytes], str]] = {
    "nothing": ({}, "returned HTTP 404: no site is published at this address"),
    "a home page": ({"": HOME_PAGE}, "is not a site of cv-kg: it returned text/html, and has no"),
    "one page for every address": ({"*": HOME_PAGE}, "is not a site of cv-kg"),
    "a site that was uploaded without hidden files": (
        {"": HOME_PAGE, "void.ttl": b"<#it> <p:p> 1 ."},
        "is a site of cv-kg, but .well-known/void is missing",
    ),
    "another description": (
        {"": HOME_PAGE, ".well-known/void": b"<#it> <p:p> 1 ."},
        "does not describe one site of cv-kg",
    ),
}


@pytest.mark.server
@pytest.mark.parametrize("name", OTHER_SITES)
def test_a_host_that_answers_is_not_unreachable(name: str, tmp_path: Path) -> None:
    pages, found = OTHER_SITES[name]

    def answer(path: str) -> Callable[[Handler], None]:
        kind = "text/html" if pages[path] == HOME_PAGE else "text/turtle"
        return lambda handler: handler.answer(200, pages[path], **{"Content-Type": kind})

    with hosted(tmp_path) as host:
        host.answers |= {path: answer(path) for path in pages}
        done = join(tmp_path / "union", host.url)
    assert done.exit_code == 1
    assert found in done.output
    assert "1 not read" in done.output
    assert "reach" not in done.output


def edit(folder: Path, old: str, new: str) -> None:
    site = folder / "data/site.yaml"
    assert old in site.read_text()
    site.write_text(site.read_text().replace(old, new))


def test_a_person_who_is_gone_from_the_list_is_gone_from_every_file(
    three: Members, tmp_path: Path
) -> None:
    """Co-authors still name the person, at the same address; the site can come back."""
    union, public = tmp_path / "union", tmp_path / "public"
    three.publish(2, "awards: [{title: Medal of Patience, year: 2024}]\n")
    join(union, *three.urls)
    build(union, public)
    assert "Medal of Patience" in (public / f"people/{key(2)}.html").read_text()
    edit(union, f'  - "{three.urls[2]}"\n', "")
    done = join(union)
    assert "1 removed" in done.output
    build(union, public, "--previous", str(public))
    left = [path for path in public.rglob("*") if path.is_file() and path.suffix != ".gz"]
    assert not [path for path in left if b"Medal of Patience" in path.read_bytes()]
    assert "no CV here" in (public / f"people/{key(2)}.md").read_text()
    assert "removed" in (public / "changes/changes.json").read_text()
    done = join(union, three.urls[2])
    assert "1 new" in done.output
    page = published(union).get(f"people/{key(2)}.html")
    assert page and b"Medal of Patience" in page.body


def test_what_no_site_has_any_more_returns_410(tmp_path: Path) -> None:
    """And its address is not given to anybody else."""
    union, public = tmp_path / "union", tmp_path / "public"
    publish(alone(tmp_path / "site-5", 5, "http://five.example/"), tmp_path / "five")
    publish(alone(tmp_path / "site-7", 7, "http://x.example/"), tmp_path / "seven")
    with hosted(tmp_path / "seven") as host:
        join(union, str(tmp_path / "five/dump.nq"))
        entry = f"  - {{site: '{host.url}', base: 'http://x.example/'}}\n"
        edit(union, "joined:\n", f"joined:\n{entry}")
        assert "1 new" in join(union).output
        assert f"people/{key(7)}.html" in published(union).files
        host.answers["*"] = lambda handler: handler.answer(410)
        assert "is withdrawn" in join(union).output
        build(union, public)
        assert f"people/{key(7)}" in (union / "data/site.yaml").read_text()
        gone = (public / "_redirects").read_text()
        assert f"/people/{key(7)}" in gone
        assert "410" in gone
        for name in ("search.json", "feed.xml"):
            assert full_name(7) not in (public / name).read_text()
        assert full_name(5) in (public / "search.json").read_text()
        host.answers.clear()
        assert "1 new" in join(union).output
        assert f"people/{key(7)}" not in (union / "data/site.yaml").read_text()
        assert f"people/{key(7)}.html" in published(union).files


def alone(folder: Path, number: int, base: str) -> Path:
    """The site of a person without publications."""
    site = write_site(folder, number, 1, base)
    for name in ("people.yaml", "publications.yaml"):
        (site / "data" / name).unlink()
    cv = site / f"data/cv/{key(number)}.yaml"
    cv.write_text(cv.read_text().partition("publications:")[0])
    return site


def test_the_order_of_trust_decides_and_contradictions_are_reported(
    members: Members, tmp_path: Path
) -> None:
    """Two sites name the university differently; the first is used."""
    for number, name in ((1, "Results University"), (2, "Univ. of Results")):
        file = members.folder / f"site-{number}/data/organizations.yaml"
        text = file.read_text().replace("University of Results", name)
        write_and_publish(members, number, text)
    union = tmp_path / "union"
    done = join(union, *reversed(members.urls[1:3]))
    query = "SELECT ?n { ?o a schema:CollegeOrUniversity ; schema:name ?n }"
    assert select(union, query) == [("Univ. of Results",)]
    said = f"orgs/university: name 'Results University' on {members.urls[1]}; 'Univ. of Results'"
    assert f"Contradictions: {said} is used" in done.output
    assert said in (union / "joined/report.md").read_text()


def write_and_publish(members: Members, number: int, organizations: str) -> None:
    site = members.folder / f"site-{number}"
    (site / "data/organizations.yaml").write_text(organizations)
    publish(site, members.hosts[number].public)


def test_registered_names_of_the_joining_site_join_entries(
    members: Members, tmp_path: Path
) -> None:
    """Without an identifier, the same name is not the same organisation, until it is registered."""
    for number in (0, 2):
        write_and_publish(members, number, "university: {name: Night School, kind: university}\n")
    union = tmp_path / "union"
    done = join(union, members.urls[0], members.urls[2])
    query = "SELECT ?o { ?o a schema:CollegeOrUniversity }"
    assert len(select(union, query)) == 2
    assert "1 name of several entries" in done.output
    assert (
        "Night School: orgs/university, orgs/university-"
        in (union / "joined/report.md").read_text()
    )
    (union / "data/organizations.yaml").write_text(
        "night-school: {name: Night School, kind: university}\n"
    )
    join(union)
    assert select(union, query) == [(f"{BASE}orgs/night-school#it",)]
    public = tmp_path / "public"
    build(union, public)
    assert "orgs/night-school" in (public / "_redirects").read_text(), "from both former addresses"


def test_lines_of_the_report_join_entries(members: Members, tmp_path: Path) -> None:
    """Also works without a DOI, and they may stay when a site withdraws."""
    for number in (0, 2):
        write_and_publish(members, number, "university: {name: Night School, kind: university}\n")
    union = tmp_path / "union"
    join(union, members.urls[0], members.urls[2])
    report = (union / "joined/report.md").read_text()
    same = union / "joined/same.ttl"
    same.write_text(report.partition("```turtle\n")[2].partition("```")[0])
    assert "of several entries" not in join(union).output
    query = "SELECT ?o { ?o a schema:CollegeOrUniversity }"
    assert len(select(union, query)) == 1
    edit(union, f'  - "{members.urls[2]}"\n', "")
    assert join(union).exit_code == 0
    assert len(select(union, query)) == 1
    same.write_text("<a> <b")
    done = join(union)
    assert done.exit_code == 2
    assert "Cannot read" in done.output
    assert "same.ttl" in done.output


def test_only_names_are_taken_from_kinds_that_a_site_is_not_trusted_for(
    members: Members, tmp_path: Path
) -> None:
    union = tmp_path / "union"
    join(union, *members.urls[:2])
    edit(
        union,
        f'  - "{members.urls[1]}"',
        f'  - {{site: "{members.urls[1]}", trusted: [publications]}}',
    )
    join(union)
    assert select(union, "SELECT ?p { ?p a cv:Owner }") == [(f"{BASE}people/{key(0)}#it",)]
    assert len(works(union)) == 4
    assert select(union, f"SELECT ?r {{ <{BASE}people/{key(1)}#it> schema:affiliation ?r }}") == []


def test_built_folders_and_dumps_are_joined(members: Members, tmp_path: Path) -> None:
    union, public = tmp_path / "union", tmp_path / "built"
    build(members.folder / "site-0", public)
    dump = members.hosts[1].public / "dump.nq"
    done = join(union, str(public), str(dump))
    assert done.exit_code == 0, done.output
    assert "2 new; 0 requests" in done.output
    assert len(select(union, "SELECT ?p { ?p a cv:Owner }")) == 2
    listed = (union / "data/site.yaml").read_text()
    assert str(tmp_path) not in listed, "relative paths"
    assert str(members.folder) not in listed
    assert "unchanged" in join(union).output


def test_what_is_private_never_arrives(members: Members, tmp_path: Path) -> None:
    members.publish(0, "awards: [{title: Secret Medal, year: 2024, visibility: private}]\n")
    union = tmp_path / "union"
    join(union, *members.urls)
    files = [path for path in union.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if b"Secret Medal" in path.read_bytes()]


def test_the_same_sites_give_the_same_bytes(members: Members, union: Path, tmp_path: Path) -> None:
    join(tmp_path / "again", *members.urls)
    one, two = (
        {file.name: file.read_bytes() for file in (folder / "data").glob("joined-*.ttl")}
        for folder in (union, tmp_path / "again")
    )
    assert one == two
    assert len(one) == 4


def test_a_new_site_needs_a_base_and_sites(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["join", "https://a.example/", "--into", str(tmp_path / "new")])
    assert done.exit_code == 2
    assert "add --base with its address" in done.output
    done = CliRunner().invoke(main, ["join", "--into", str(tmp_path), "--base", BASE])
    assert done.exit_code == 2
    assert "No sites to join" in done.output
    done = join(tmp_path / "union", "no-such-folder")
    assert "'no-such-folder' is neither an address nor a file" in done.output
