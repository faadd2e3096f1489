"""`kg import orcid:…`: a whole site from an iD."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kg
from kg.check.check import good
from kg.cli import main
from kg.facts.models.publications import Publication
from tests.plugins.sources.recorded_server import RecordedServer

EXPECTED = Path(__file__).parent / "expected"
IDENTIFIER = "orcid:0000-0002-1825-0097"
CV = "data/cv/hana-lind.yaml"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def statements(site: Path) -> set[str]:
    return {*good(site).nquads.decode().splitlines()}


def test_an_identifier_alone_becomes_a_site_fact_by_fact(
    server: RecordedServer, tmp_path: Path
) -> None:
    site = tmp_path / "mysite"
    found = run("import", IDENTIFIER, "--into", site)
    assert found.exit_code == 0, found.output
    assert good(site), "no errors"
    got, wanted = statements(site), statements(EXPECTED)
    assert len(wanted) > 500
    assert (sorted(got - wanted), sorted(wanted - got)) == ([], [])


def test_no_work_is_without_authors(server: RecordedServer, tmp_path: Path) -> None:
    run("import", IDENTIFIER, "--into", tmp_path)
    found = kg.load(tmp_path).of(Publication)
    works = [work for each, work in found if each.row.path.endswith("]")]
    assert len(works) == 7
    assert all(work.authors for work in works)


def test_what_was_read_elsewhere_and_what_was_not_is_reported(
    server: RecordedServer, tmp_path: Path
) -> None:
    found = run("import", IDENTIFIER, "--into", tmp_path).output
    for line in (
        "Loud ice: correction of 2023-02-01 (10.5555/ice.1.r), according to Crossref.",
        "Rivers that listen: retraction of 2024-03-05 (10.5555/river.2.x), according to Crossref.",
        '"Field notes"  the record lists no authors of 1 work. Add your co-authors',
    ):
        assert line in found


def test_the_second_import_changes_nothing_and_an_edit_stays(
    server: RecordedServer, tmp_path: Path
) -> None:
    run("import", IDENTIFIER, "--into", tmp_path)
    path = tmp_path / CV
    before = path.read_bytes()
    assert "Nothing new" in run("import", IDENTIFIER, "--into", tmp_path).output
    edited = before.replace(b"volume: 12", b"volume: 13  # as printed")
    path.write_bytes(edited)
    found = run("import", IDENTIFIER, "--into", tmp_path, "--apply")
    assert found.exit_code == 0
    assert path.read_bytes() == edited


def test_an_existing_cv_keeps_its_text_and_gains_the_rest(
    server: RecordedServer, tmp_path: Path
) -> None:
    own = tmp_path / "data/cv/hana.yaml"
    own.parent.mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text("base: https://hana.example/\ntitle: Hana\n")
    text = (
        "basics: {name: Hana Lind, orcid: 0000-0002-1825-0097}\n"
        "publications:\n"
        "  - title: Loud Ice!  # my spelling\n"
        "    kind: journal\n    authors: [Hana Lind]\n    year: 2020\n    doi: 10.5555/ice.1\n"
    )
    own.write_text(text)
    found = run("import", IDENTIFIER, "--into", tmp_path)
    assert found.exit_code == 0, found.output
    after = own.read_text()
    assert "title: Loud Ice!  # my spelling" in after
    assert "year: 2020" in after, "the author's year is kept"
    assert after.count("10.5555/ice.1") == 1, "no work twice"
    assert "Rivers that listen" in after
    assert good(tmp_path), "no errors"


@pytest.mark.parametrize(
    ("identifier", "message"),
    [
        ("0000-0002-1825-0098", "its check digit is wrong"),
        ("0000-0002-1825", "is not an ORCID. Write it as 0000-0002-1825-0097."),
        ("0000-0003-1415-9269", "ORCID does not know the iD 0000-0003-1415-9269. Check its digits"),
        ("0000-0001-5109-3700", "is deactivated or locked. Nothing was read."),
        ("0000-0002-9079-593X", "has no public name and no public works."),
    ],
)
def test_an_identifier_without_a_record_is_one_sentence(
    server: RecordedServer, tmp_path: Path, identifier: str, message: str
) -> None:
    site = tmp_path / "mysite"
    found = run("import", f"orcid:{identifier}", "--into", site)
    assert found.exit_code == 2
    assert message in found.output
    assert len(found.output.splitlines()) == 1
    assert not site.exists(), "nothing is written"


def test_a_record_without_public_works_still_gives_the_person(
    server: RecordedServer, tmp_path: Path
) -> None:
    found = run("import", "orcid:0000-0002-1694-233X", "--into", tmp_path)
    assert found.exit_code == 0
    assert "The ORCID record 0000-0002-1694-233X has no public works." in found.output
    assert [*(tmp_path / "data/cv").glob("*.yaml")]
