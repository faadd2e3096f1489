"""kg add: an entry in its place, checked before it is written."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from kg.check.check import check
from kg.cli import main
from kg.facts.models import SECTIONS
from kg.files.atomic import replace_files
from kg.plugins.exchange.edits.additions import CSL, NoRecord, Target, from_resolver, place
from kg.settings import shipped

ADA, TOMAS = "data/cv/ada-lindqvist.yaml", "data/cv/tomas-ferreira.yaml"
BIB = """\
@article{one, title={Gravel {\\"u}ber Alles}, author={Lindqvist, Ada and Haddad, N.}, year=2023,
  journal={Journal of Sand}, doi={10.1234/One}}
@misc{two, title={Two}, author={Lindqvist, Ada}, year=2024, eprint={2401.00001}}
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    return folder


def add(site: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["add", words[0], str(site), *words[1:]])


def texts(site: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in site.rglob("*.yaml")}


def test_an_entry_stands_at_the_end_of_its_section(site: Path) -> None:
    before = (site / TOMAS).read_text(encoding="utf-8")
    words = ["--person", "tomas-ferreira", "company=Delta Works", "--title", "Advisor", "from=2020"]
    result = add(site, "job", *words)
    assert result.exit_code == 0, result.output
    line = "  - {organization: Delta Works, position: Advisor, startDate: 2020}\n"
    assert result.stdout == line
    after = (site / TOMAS).read_text(encoding="utf-8")
    assert after.replace(line, "") == before
    assert check(site).publishable


def test_a_section_that_is_not_there_is_made(site: Path) -> None:
    result = add(site, "talk", "--person=tomas-ferreira", "title=On Gravel", "date=2024-05")
    assert result.exit_code == 0, result.output
    assert "talks:\n  - title: On Gravel\n    date: 2024-05\n" in texts(site)[site / TOMAS]


def test_a_thing_goes_into_its_registry_under_a_key(site: Path) -> None:
    result = add(site, "person", "name=Zoë Ray", "orcid=0000-0002-1825-0097")
    assert result.exit_code == 0, result.output
    assert "zoe-ray:\n  name: Zoë Ray\n" in texts(site)[site / "data/people.yaml"]
    again = add(site, "person", "name=Zoë Ray")
    assert again.exit_code == 2
    assert "'zoe-ray' already exists in data/people.yaml:5." in again.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["talk", "title=A", "date=2024-13"], 1, "There is no month 13"),
        (["award", "date=2024"], 2, "title is missing."),
        (["paper", "doi=10.1234/abc"], 2, "title, authors, kind are missing."),
        (["award", "titel=A"], 2, "Unknown field 'titel'. Closest: title."),
        (["awrd", "title=A"], 2, "Unknown kind of entry 'awrd'. Closest: awards"),
        (["award", "title"], 2, "'title' is not a field with a value."),
        (["award", "title={a: 1}"], 1, "is not a language tag"),
    ],
)
def test_what_is_wrong_leaves_the_files_alone(
    site: Path, words: list[str], code: int, says: str
) -> None:
    before = texts(site)
    result = add(site, words[0], "--person", "tomas-ferreira", *words[1:])
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert texts(site) == before


def test_a_patent_goes_into_its_registry_and_the_cv_lists_it(site: Path) -> None:
    words = ["title=Sieve", "authors=Tomás Ferreira", "date=2020"]
    result = add(site, "patent", "--person", "tomas-ferreira", *words)
    assert result.exit_code == 0, result.output
    assert "ferreira-2020-sieve:" in texts(site)[site / "data/patents.yaml"]
    assert "patents: [ferreira-2020-sieve]" in texts(site)[site / TOMAS]


def test_an_entry_that_a_killed_command_left_unlisted_is_reported(site: Path) -> None:
    entry = {"title": "A Sieve", "authors": ["Tomas Ferreira"], "date": "2020"}
    (first, text), second = place(site, Target("patents", TOMAS), entry).texts.items()
    assert (first, second[0]) == ("data/patents.yaml", TOMAS)
    replace_files(site, {first: text})  # and then it is killed
    found = [each for each in check(site).problems if each.rule == "not-listed"]
    assert ["ferreira-2020-sieve" in each.message for each in found] == [True]
    assert check(site).publishable


def test_a_cv_may_have_another_suffix_and_a_text_any_brackets(site: Path) -> None:
    (site / TOMAS).rename(site / "data/cv/tomas-ferreira.yml")
    result = add(site, "award", "--person=tomas-ferreira", "title=[Best] of all", "date=2020")
    assert result.exit_code == 0, result.output
    assert '"[Best] of all"' in result.stdout or "'[Best] of all'" in result.stdout


def test_whose_entry_it_is_must_be_said_where_several_have_a_cv(site: Path) -> None:
    result = add(site, "award", "title=A")
    assert result.exit_code == 2
    assert "Use --person ada-lindqvist or --person tomas-ferreira." in result.stderr
    result = add(site, "award", "title=A", "--person", "ada")
    assert "Unknown person 'ada'. Closest: ada-lindqvist" in result.stderr


def test_a_work_is_taken_from_a_bibliography(site: Path) -> None:
    file = site.parent / "papers.bib"
    file.write_text(BIB, encoding="utf-8")
    who = ["--person", "ada-lindqvist", "--file", str(file)]
    result = add(site, "paper", *who, "--doi", "https://doi.org/10.1234/ONE")
    assert result.exit_code == 0, result.output
    assert "title: Gravel über Alles" in result.stdout
    assert add(site, "paper", *who, "--arxiv", "2401.00001v2").exit_code == 0
    assert check(site).publishable
    missing = add(site, "paper", *who, "--doi", "10.1234/three")
    assert (missing.exit_code, "has no works with doi 10.1234/three" in missing.stderr) == (2, True)
    assert "Choose one with --doi or --arxiv." in add(site, "paper", *who).stderr


@contextmanager
def resolver(answers: dict[str, tuple[int, str, bytes]]) -> Iterator[str]:
    """A server that answers as doi.org does; by path the status, Location and body."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, location, body = answers.get(self.path, (404, "", b""))
            self.send_response(status if self.headers["Accept"] == CSL else 406)
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.server
def test_a_record_comes_from_the_resolver_and_from_nobody_whom_it_does_not_know() -> None:
    item = {
        "type": "article-journal",
        "title": "Ice",
        "author": [{"given": "Ada", "family": "Berg"}],
        "issued": {"date-parts": [[2024, 5]]},
        "DOI": "10.1234/ice",
    }
    answers: dict[str, tuple[int, str, bytes]] = {
        "/10.48550/arXiv.2401.00001": (200, "", json.dumps(item).encode()),
        "/10.1234/elsewhere": (302, "http://127.0.0.1:1/secret", b""),
        "/10.1234/file": (302, "file:///etc/passwd", b""),
        "/10.1234/odd": (200, "", b"<html>"),
    }
    with resolver(answers) as address:
        answers["/10.1234/ice"] = (302, f"{address}10.48550/arXiv.2401.00001", b"")
        found = from_resolver({"arxiv": "2401.00001"}, address)
        assert found == from_resolver({"doi": "10.1234/ice"}, address)
        assert (found["title"], found["authors"], found["date"]) == ("Ice", ["Ada Berg"], "2024-05")
        for doi in ("10.1234/elsewhere", "10.1234/file", "10.1234/none", "10.1234/odd", "no doi"):
            with pytest.raises(NoRecord):
                from_resolver({"doi": doi}, address)


def test_at_a_terminal_the_fields_are_asked_for_and_a_wrong_one_again(
    site: Path, terminal: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["add", "award", str(site), "--person", "tomas-ferreira"]
    assert terminal(words, "", "Golden Hammer", "", "2024-13", "2024-12") == 0
    said = capsys.readouterr().err
    assert "is required." in said
    assert "There is no month 13." in said
    assert "- title: Golden Hammer\n    date: 2024-12\n" in texts(site)[site / TOMAS]


def test_what_a_field_may_say_is_known_whether_it_must_be_there_or_not() -> None:
    assert "advanced" in Target("skills", TOMAS).choices("level")
    assert "internship" in Target("work", TOMAS).choices("kind")
    assert Target("work", TOMAS).choices("location") == []
    assert Target("patents").choices("numbers") == []  # each is a number, by its kind


@pytest.mark.parametrize("order", ["{kind} {site}", "{site} {kind}", "--site {site} {kind}"])
def test_the_site_stands_before_or_after_the_kind(site: Path, order: str) -> None:
    words = order.format(kind="place", site=site).split()
    result = CliRunner().invoke(main, ["add", *words, "name=Fjord"])
    assert result.exit_code == 0, result.output
    assert "name: Fjord" in result.stdout


def test_the_help_lists_every_section() -> None:
    text = CliRunner().invoke(main, ["add", "--help"]).stdout
    assert [name for name in SECTIONS if name not in text] == []
