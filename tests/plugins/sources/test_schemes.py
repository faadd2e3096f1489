"""`kg import` with the other schemes: dblp, OpenAlex, Crossref, DOI, arXiv, ROR and Zotero."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kg.check.check import good
from kg.cli import main
from kg.facts.yaml.reader import read
from tests.plugins.sources.recorded_server import RecordedServer, Reply

OWN = "basics: {name: Hana Lind, orcid: 0000-0002-1825-0097}\n"
SCHEMES = "Schemes: arxiv, crossref, dblp, doi, openalex, orcid, ror, zotero."


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site with one CV, of the person of the recorded answers."""
    (tmp_path / "mysite/data/cv").mkdir(parents=True)
    (tmp_path / "mysite/data/site.yaml").write_text("base: https://hana.example/\ntitle: Hana\n")
    (tmp_path / "mysite/data/cv/hana-lind.yaml").write_text(OWN)
    return tmp_path / "mysite"


def run(identifier: str, site: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["import", identifier, "--into", str(site), *words])


def cv_in(site: Path) -> dict[str, Any]:
    (path,) = (site / "data/cv").glob("*.yaml")
    row, problems = read("cv.yaml", path.read_bytes())
    assert row is not None
    assert not problems
    return row


def works_in(site: Path) -> dict[str, dict[str, Any]]:
    return {work["title"]: work for work in cv_in(site)["publications"]}


EXISTING = {
    "dblp:55/1-1": ["Loud ice", "Two who share a name"],
    "dblp:pid/55/1-1.html": ["Loud ice"],
    "crossref:orcid:0000-0002-1825-0097": ["Loud ice", "Rivers that listen"],
    "openalex:A5000000001": ["Loud ice", "Rivers that listen"],
    "doi:10.5555/ice.1": ["Loud ice"],
    "doi:https://doi.org/10.5555/DATA.3": ["Ice sounds of Northfjord"],
    "https://doi.org/10.5555/ice.1": ["Loud ice"],
    "10.5555/ice.1": ["Loud ice"],
    "https://orcid.org/0000-0002-1825-0097": ["Loud ice", "Field notes"],
    "0000-0002-1825-0097": ["Loud ice", "Field notes"],
    "ORCID:0000-0002-1825-0097": ["Loud ice", "Field notes"],
    "doi:10.5555/snow.6": ["Snow maps of the north"],
    "arxiv:2301.00001": ["Quiet ice"],
    "arxiv:https://arxiv.org/abs/2301.00001v2": ["Quiet ice"],
    "zotero:groups/55": ["Loud ice"],
}


@pytest.mark.parametrize(("identifier", "titles"), EXISTING.items(), ids=EXISTING)
def test_an_existing_cv_gains_the_works(
    server: RecordedServer,
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    identifier: str,
    titles: list[str],
) -> None:
    monkeypatch.setenv("OPENALEX_KEY", "k")
    found = run(identifier, site)
    assert found.exit_code == 0, found.output
    works = works_in(site)
    assert {*titles} <= works.keys()
    assert all(work["authors"] for work in works.values())
    assert good(site), "no errors"
    assert "Nothing new" in run(identifier, site).output


@pytest.mark.parametrize(
    "identifier", ["dblp:55/1-1", "crossref:orcid:0000-0002-1825-0097", "openalex:A5000000001"]
)
def test_a_person_becomes_a_new_site(
    server: RecordedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, identifier: str
) -> None:
    monkeypatch.setenv("OPENALEX_KEY", "k")
    found = run(identifier, tmp_path / "new")
    assert found.exit_code == 0, found.output
    assert cv_in(tmp_path / "new")["basics"]["name"] == "Hana Lind"
    assert good(tmp_path / "new"), "no errors"


@pytest.mark.parametrize("identifier", ["doi:10.5555/ice.1", "arxiv:2301.00001"])
def test_a_work_alone_says_not_whose_cv_it_is(
    server: RecordedServer, tmp_path: Path, identifier: str
) -> None:
    found = run(identifier, tmp_path / "new")
    assert found.exit_code == 2
    assert "kg new mysite --name" in found.output
    assert not (tmp_path / "new").exists()


def test_an_organisation_joins_the_registry(server: RecordedServer, site: Path) -> None:
    found = run("ror:https://ror.org/01aa11b23", site)
    assert found.exit_code == 0, found.output
    row, _ = read("o.yaml", (site / "data/organizations.yaml").read_bytes())
    assert row is not None
    assert row["northfjord-university"]["ror"] == "01aa11b23"
    assert good(site), "no errors"


def test_namesakes_stay_other_people(server: RecordedServer, site: Path) -> None:
    """dblp numbers people of the same name: a co-author `Hana Lind 0002` is not Hana Lind."""
    run("dblp:55/1-1", site)
    authors = works_in(site)["Two who share a name"]["authors"]
    assert authors == [{"as": "Hana Lind", "person": "Hana Lind 0002"}, "Hana Lind"]
    message = "several people with one name. Choose your own page, such as pid/55/1-1."
    found = run("dblp:55/1", site)
    assert (found.exit_code, message in found.output) == (2, True)


REFUSED = {
    "doi:hello": "'hello' is not a DOI. Write it like 10.5555/ice.1.",
    "doi:": "'' is not a DOI.",
    "doi:10.5555/none": "No agency has a work with the DOI 10.5555/none. Check it at",
    "arxiv:hello": "'hello' is not an arXiv number. Write it like 2301.00001.",
    "arxiv:2301.99999": "arXiv does not know 2301.99999.",
    "ror:01aa11b24": "ROR does not know 01aa11b24. Copy it from the page at ror.org.",
    "ror:x": "not a ROR",
    "dblp:55/9": "dblp does not know pid/55/9. Copy it from the page at dblp.",
    "dblp:../x": "is not a dblp PID. Write it like dblp:55/1-1.",
    "zotero:groups/56": "groups/56 at Zotero is private. Make it public, or set ZOTERO_KEY.",
    "zotero:groups/57": "Zotero does not know groups/57.",
    "zotero:../x": "is not a library of Zotero. Write groups/ID or users/ID",
    "openalex:A1x": "not an OpenAlex",
    "openalex:W1": "W1 is a work. Import it by its DOI",
    "openalex:A5000000001": "OpenAlex answers lists only to clients with a key. Get a free one at",
    "crossref:10.5555/ice.1": "write crossref:orcid: and an ORCID iD.",
    "crossref:orcid:0000-0002-1694-233X": "Crossref has no works with the ORCID iD",
    "orcd:0000-0002-1825-0097": SCHEMES,
    "https://hana.example/cv.json": SCHEMES,
    "0000-0002-1825-0098": "its check digit is wrong",
    "10.5555/none": "No agency has a work with the DOI 10.5555/none.",
    "scholar:abc": SCHEMES,
}


@pytest.mark.parametrize(("identifier", "message"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_imported_is_one_sentence_and_nothing_is_written(
    server: RecordedServer, site: Path, identifier: str, message: str
) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    found = run(identifier, site)
    assert found.exit_code == 2, found.output
    assert message in found.output
    assert len(found.output.splitlines()) == 1
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("identifier", "variable"),
    [("openalex:A5000000001", "OPENALEX_KEY"), ("zotero:groups/55", "ZOTERO_KEY")],
)
def test_a_key_is_in_no_file_and_no_message(
    server: RecordedServer,
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    identifier: str,
    variable: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(variable, "geheim")
    said = run(identifier, site, "--record", str(site.parent / "kept"), "-v").output
    assert any("=geheim" in address for address in server.addresses())
    monkeypatch.setenv("KG_SOURCES", "http://127.0.0.1:1")
    said += run(identifier, site).output
    assert "cannot be reached" in said
    assert "geheim" not in said + caplog.text
    files = [path for path in site.parent.rglob("*") if path.is_file()]
    assert {path.parts[len(site.parent.parts)] for path in files} == {"cache", "kept", "mysite"}
    assert all(b"geheim" not in path.read_bytes() for path in files)


def test_a_file_whose_name_looks_like_an_identifier_is_a_file(
    server: RecordedServer, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site.parent)
    Path("doi:papers.bib").write_text(
        "@misc{a, title={Fog}, author={Hana Lind}, year={2020}}", encoding="utf-8"
    )
    assert run("doi:papers.bib", site).exit_code == 0
    assert "Fog" in works_in(site)
    assert server.asked == []


def test_a_source_that_is_down_costs_only_what_it_knows(
    server: RecordedServer, tmp_path: Path
) -> None:
    """The other sources still answer: the message says what is missing."""
    server.reply("api.crossref.org", Reply(404))
    server.reply("api.datacite.org", Reply(403))
    server.reply("api.ror.org", Reply(403))
    found = run("orcid:0000-0002-1825-0097", tmp_path)
    assert found.exit_code == 0, found.output
    for message in (
        "DataCite (api.datacite.org) answered with HTTP status 403.",
        "works have only what ORCID says.",
        "ROR (api.ror.org) answered with HTTP status 403.",
        "Some organisations have no ROR.",
    ):
        assert message in found.output
    works = works_in(tmp_path)
    assert {"Loud ice", "Snow maps of the north", "Field notes"} <= works.keys()
    assert all(work["authors"] for work in works.values())
    assert good(tmp_path), "no errors"


def test_the_works_of_orcid_that_do_not_come_are_imported_from_their_summaries(
    server: RecordedServer, tmp_path: Path
) -> None:
    server.reply("/works/11,12", Reply(403))
    found = run("orcid:0000-0002-1825-0097", tmp_path)
    assert "Authors of works were not read from ORCID." in found.output
    works = works_in(tmp_path)
    assert len(works) == 7
    assert works["Loud ice"]["authors"], "Crossref knows them"


def test_another_work_at_the_doi_is_not_joined(server: RecordedServer, tmp_path: Path) -> None:
    """A wrong DOI in a record must not bring somebody else's authors."""
    server.change("api.crossref.org", lambda text: text.replace('"Loud ice"', '"Deep time"'))
    found = run("orcid:0000-0002-1825-0097", tmp_path)
    assert "Crossref has another work at the DOI 10.5555/ice.1" in found.output
    assert "volume" not in works_in(tmp_path)["Loud ice"]
