"""kg export: files that the tools of each format read, with nothing private, and nothing lost in
silence.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from io import BytesIO, StringIO
from pathlib import Path
from urllib.parse import unquote

import bibtexparser
import jsonschema_rs
import pytest
import vobject
import yaml
from click.testing import CliRunner, Result

from kg import doors
from kg.cli import main
from kg.facts.bibliography.correspondence import correspondence
from kg.plugins.exchange.draft import SourceRecord, Unplaced, leaves
from kg.plugins.exchange.writers.public_cv import TOP, PublicCv
from kg.plugins.exchange.writers.vcard import folded
from tests.conftest import ROOT
from tests.plugins.exchange.exported_site import PEOPLE, PRIVATE, SITE, cv_in, write_site, written

FORMATS = [*doors.installed("kg.exporters")]
SCHEMA = ROOT / "node_modules" / "@jsonresume" / "schema" / "schema.json"
WORD = re.compile(r"\w+")


@pytest.fixture(scope="session")
def hana(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("hana") / "site")


@pytest.fixture(params=PEOPLE)
def cv(request: pytest.FixtureRequest, hana: Path) -> PublicCv:
    """The CVs there are, anew for each test."""
    return cv_in(PEOPLE[request.param] or hana, request.param)


def one(cv: PublicCv, name: str) -> bytes:
    return written(cv, name)[""]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, words)])


def left_of(left: list[Unplaced]) -> dict[str, str]:
    return {each.value.path: str(each.value) for each in left}


def test_the_command_offers_every_format() -> None:
    assert FORMATS == ["bibtex", "csl", "csv", "jsonresume", "rendercv", "vcard"]
    offered = [*FORMATS, *doors.installed("kg.site_exporters")]
    assert f"[{'|'.join(offered)}]" in re.sub(r"\s+", "", run("--help").output)


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_private_is_in_any_format(name: str, hana: Path) -> None:
    cv = cv_in(hana, "hana-lind")
    everything = b"\n".join(written(cv, name).values()).decode()
    reported = " ".join(each.value for each in cv.left())
    assert len(everything) > 300
    for secret in PRIVATE:
        assert secret not in everything
        assert secret not in reported


CONTACT = """\
basics:
  name: Mira Sand
  location: Oslo, Norway
  email:
    - {value: mira@example.org, visibility: public, label: work}
    - {value: desk@example.org, visibility: public}
    - secret@example.org
  phone: [{value: +47 22 00 00 01, visibility: public}, +47 22 00 00 02]
  url: [https://mira.example.org/, {value: "https://quiet.example.org/", visibility: private}]
  profiles:
    - {network: github, username: mira-sand}
    - {network: gitlab, username: quiet-mira, visibility: private}
"""
PUBLIC_CONTACT = ("mira@example.org", "desk@example.org", "22 00 00 01", "Oslo", "mira-sand")


@pytest.mark.parametrize("name", ["jsonresume", "rendercv", "vcard"])
def test_how_to_reach_a_person_is_exported_or_listed(name: str, tmp_path: Path) -> None:
    cv_file = tmp_path / "mira" / "data" / "cv" / "mira-sand.yaml"
    cv_file.parent.mkdir(parents=True)
    cv_file.write_text(CONTACT, encoding="utf-8")
    (cv_file.parents[1] / "site.yaml").write_text(SITE, encoding="utf-8")
    result = run("mira-sand", tmp_path / "mira", "--to", name)
    assert result.exit_code == 0, result.output
    exported = unquote(result.stdout)
    assert PUBLIC_CONTACT[0] in exported
    for text in (*PUBLIC_CONTACT, "https://mira.example.org/"):
        assert text in exported or f'"{text}"' in result.stderr
    for text in ("secret@", "00 00 02", "quiet"):
        assert text not in result.output
    private = {
        line.split()[0]: line.partition('"  ')[2]
        for line in result.stderr.splitlines()
        if "not exported" in line
    }
    how = "not exported. To export it, set its 'visibility' to 'public'"
    assert private == {
        "basics.url[1]": how,
        "basics.profiles[1]": how,
        "basics.email[2]": (
            "not exported. To export the address, write {value: ADDRESS, visibility: public}"
        ),
        "basics.phone[1]": how,
    }


@pytest.mark.parametrize("name", FORMATS)
def test_every_value_is_carried_or_reported(name: str, hana: Path) -> None:
    """A value is in the file, or in the report, with its path; one that was reduced is in both."""
    cv = cv_in(hana, "hana-lind")
    everything = b"\n".join(written(cv, name).values()).decode()
    reported = left_of(cv.left())
    lost = [
        value.path
        for record in cv.entries("work") + cv.entries("education") + [cv.basics]
        for field, tree in record.row.items()
        for value in leaves(tree, record.place(field), record.at(field))
        if not any(value.path.startswith(path) for path in reported)
        and WORD.findall(value)[0] not in everything
        and value != "present"
    ]
    # networks are written as they write themselves
    assert [path for path in lost if not path.endswith(".network")] == []


def test_the_same_cv_gives_the_same_bytes(hana: Path) -> None:
    for name in FORMATS:
        assert written(cv_in(hana, "hana-lind"), name) == written(cv_in(hana, "hana-lind"), name)


def test_a_resume_is_valid(cv: PublicCv) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    checker = jsonschema_rs.Draft7Validator(schema, validate_formats=True)
    resume = json.loads(one(cv, "jsonresume"))
    assert [error.message for error in checker.iter_errors(resume)] == []
    assert resume["basics"]["name"] == cv.basics.row["name"]
    # the schema lets pass what it does not know: every field is one of its table
    names = {
        path.split(".")[-1].removesuffix("[]") for path in correspondence("json-resume").fields
    }
    assert {key for each in resume["work"] for key in each} <= names


def test_a_resume_says_what_the_cv_says(hana: Path) -> None:
    cv = cv_in(hana, "hana-lind")
    resume = json.loads(one(cv, "jsonresume"))
    assert resume["basics"]["location"] == {"city": "Tromsø", "countryCode": "NO"}
    assert resume["basics"]["email"] == "hana@example.org"
    assert resume["basics"]["profiles"][1] == {
        "network": "Mastodon",
        "username": "@hana@ice.example.org",
        "url": "https://ice.example.org/@hana",
    }
    assert resume["work"][0] == {
        "name": "University of the North",
        "position": "Associate Professor",
        "location": "Tromsø, Norway",
        "startDate": "2021-08",
        "summary": "Leads the albedo group.",
        "highlights": ['Built a buoy, a "good" one', "Wrote on ice."],
    }
    assert [each["startDate"] for each in resume["work"]] == [
        "2021-08",
        "2009",
        "2010",
        "2005-06-07",
    ]
    assert resume["skills"][-1] == {"name": "In the field", "keywords": ["Diving", "Drilling"]}
    assert resume["publications"][0]["url"] == "https://doi.org/10.1234/ice.7"
    left = left_of(cv.left())
    assert left["work[0].unit"] == "Department of Ice"
    assert left["grants"] == "1 entry"
    assert left["publications[0].authors[0].corresponding"] == "true"
    reduced = [each for each in cv.left() if each.value.path == "work[2].startDate"]
    assert [each.why for each in reduced] == ["written as 2009", "written as 2010"]


@pytest.mark.sample(test=0.3)
def test_rendercv_takes_the_file(cv: PublicCv) -> None:
    from rendercv.data import CurriculumVitae  # it takes a second, and only this test needs it

    content = yaml.safe_load(one(cv, "rendercv"))
    read = CurriculumVitae.model_validate(content["cv"])
    assert read.name == cv.basics.row["name"]
    titles = {section.title: len(section.entries) for section in read.sections}
    assert titles["Experience"] == len(cv.entries("work"))
    assert titles["Publications"] == len(cv.entries("publications"))


@pytest.mark.process
@pytest.mark.proof
def test_rendercv_renders_the_file(
    cv: PublicCv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a PDF. Typst would fetch the package of its icons; here that is one without pictures."""
    package = tmp_path / "data" / "typst" / "packages" / "preview" / "fontawesome" / "0.5.0"
    package.mkdir(parents=True)
    about = '[package]\nname = "fontawesome"\nversion = "0.5.0"\nentrypoint = "lib.typ"\n'
    (package / "typst.toml").write_text(about, encoding="utf-8")
    (package / "lib.typ").write_text("#let fa-icon(..any) = []\n", encoding="utf-8")
    (tmp_path / "cv.yaml").write_bytes(one(cv, "rendercv"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    done = subprocess.run(
        [sys.executable, "-m", "rendercv", "render", "cv.yaml", "--dont-generate-png"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    (pdf,) = tmp_path.glob("rendercv_output/*.pdf")
    assert pdf.read_bytes().startswith(b"%PDF-")
    (text,) = tmp_path.glob("rendercv_output/*.md")
    assert cv.basics.row["name"] in text.read_text(encoding="utf-8")


def test_rendercv_has_entries_of_its_types(hana: Path) -> None:
    sections = yaml.safe_load(one(cv_in(hana, "hana-lind"), "rendercv"))["cv"]["sections"]
    first, second, *_ = sections["Experience"]
    assert first["company"] == "University of the North"
    assert (first["start_date"], first["end_date"]) == ("2021-08", "present")
    assert second["date"] == "summer 2009"
    assert sections["Education"][0]["start_date"] == 2012
    assert sections["Publications"][0]["authors"] == ["**H. Lind**", "O. Berg"]
    assert sections["Skills"][2] == {"label": "In the field", "details": "Diving, Drilling"}
    assert sections["Grants"][0]["highlights"][0] == "Funder: Research Council"


def test_bibtexparser_reads_every_work(cv: PublicCv) -> None:
    library = bibtexparser.parse_string(one(cv, "bibtex").decode())
    assert library.failed_blocks == []
    assert [entry.key for entry in library.entries] == [work.key for work in cv.works]
    assert all(entry["title"] and entry["year"] for entry in library.entries if "year" in entry)


def test_a_bibliography_reports_what_is_not_in_it(hana: Path) -> None:
    cv = cv_in(hana, "hana-lind")
    written(cv, "bibtex")
    left = left_of(cv.left())
    assert left["publications[0].authors[0].corresponding"] == "true"
    assert left["publications[0].code"] == "https://code.example.org/ice"
    assert left["work"] == "4 entries"
    assert not any(path.startswith("publications[1]") for path in left)


def test_items_of_csl_have_the_types_of_its_schema(cv: PublicCv) -> None:
    items = json.loads(one(cv, "csl"))
    assert {item["id"] for item in items} == {work.key for work in cv.works}
    for item in items:
        assert item["type"] in {*correspondence("csl").types, "patent"}
        for name, value in item.items():
            if name in ("author", "editor", "translator"):
                assert all(
                    each.keys() <= {"family", "given", "suffix", "literal"} for each in value
                )
            elif name == "issued":
                assert all(isinstance(part, int) for part in value["date-parts"][0])
            else:
                assert isinstance(value, str)


def test_vobject_reads_the_card(cv: PublicCv) -> None:
    data = one(cv, "vcard")
    card = vobject.readOne(data.decode())
    assert card.version.value == "4.0"
    assert card.fn.value == cv.basics.row["name"]
    assert card.uid.value == f"{cv.address}#it"
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))


def test_a_card_says_who_and_where(hana: Path) -> None:
    card = vobject.readOne(one(cv_in(hana, "hana-lind"), "vcard").decode())
    assert (card.n.value.family, card.n.value.given, card.n.value.prefix) == ("Lind", "Hana", "Dr.")
    assert card.org.value == ["University of the North", "Department of Ice"]
    assert card.title.value == "Associate Professor"
    assert card.role.value == "Glaciologist; albedo"
    assert card.email.value == "hana@example.org"
    assert card.note.value == "Measures thin ice, and says so.\nLives in the north."
    assert [each.value for each in card.contents["lang"]] == ["no", "de", "da"]


def test_a_long_line_of_a_card_is_cut_between_characters() -> None:
    line = folded("NOTE:" + "é😀" * 40)
    assert all(len(part) <= 75 for part in line.split(b"\r\n"))
    assert line.replace(b"\r\n ", b"").decode() == "NOTE:" + "é😀" * 40 + "\r\n"


def test_tables_have_every_public_value(cv: PublicCv) -> None:
    import pandas  # takes a second, which not every worker should spend

    files = written(cv, "csv")
    for name, data in files.items():
        rows = list(csv.DictReader(StringIO(data.decode(), newline="")))
        frame = pandas.read_csv(BytesIO(data), dtype=str, keep_default_na=False)
        assert rows == frame.to_dict("records"), name
        assert all(None not in row for row in rows)
    assert cv.left() == [*cv.private]
    assert len(pandas.read_csv(BytesIO(files["work.csv"]))) == len(cv.entries("work"))


def test_tables_join_several_values(hana: Path) -> None:
    import pandas

    files = written(cv_in(hana, "hana-lind"), "csv")
    works = pandas.read_csv(BytesIO(files["publications.csv"]), dtype=str)
    assert works["authors"][0] == "H. Lind; O. Berg"
    assert works["book.editors"][2] == "O. Berg"
    free = pandas.read_csv(BytesIO(files["sections.csv"]), dtype=str).fillna("")
    assert free["text"][1] == "*Ice at Night*"
    assert set(free["title"]) == {"Exhibitions"}


def test_a_file_is_printed_and_the_rest_reported(hana: Path) -> None:
    result = run("hana-lind", hana, "--to", "jsonresume")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["basics"]["name"] == "Hana Lind"
    assert 'work[0].unit  "Department of Ice"  no matching field' in result.stderr
    assert result.stderr.splitlines()[-1].startswith("Exported hana-lind as JSON Resume; ")


def test_a_file_is_written(hana: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "card.vcf"
    result = run("hana-lind", hana, "--to", "vcard", "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert file.read_bytes().startswith(b"BEGIN:VCARD\r\n")


def test_tables_are_written_into_a_folder(hana: Path, tmp_path: Path) -> None:
    result = run("hana-lind", hana, "--to", "csv", "-o", tmp_path / "tables")
    assert result.exit_code == 0
    *listed, end = result.stderr.splitlines()
    assert [each.split()[0] for each in listed] == [
        *("basics.formerNames[0]", "basics.email[1]", "basics.phone[1]", "basics.address"),
        "basics.birthDate",
    ]
    assert end == (
        f"Exported hana-lind as CSV to {tmp_path}/tables; 5 fields and sections were "
        "skipped or shortened (listed above)."
    )
    assert (tmp_path / "tables" / "work.csv").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hana-lind", "--to", "csv"], "Give a folder: -o FOLDER"),
        (["hana-lind", "--to", "vcard", "-o", "."], "is a folder. Give a file in it."),
        (["hana-lin", "--to", "vcard"], "There is no public CV 'hana-lin'. Closest: hana-lind."),
        (["hana-lind", "--to", "word"], "'word' is not one of"),
        (["hana-lind"], "Missing option '--to'"),
    ],
)
def test_wrong_use_is_explained(words: list[str], message: str, hana: Path) -> None:
    slug, *rest = words
    result = run(slug, hana, *rest)
    assert result.exit_code == 2
    assert message in result.stderr


def test_rendercv_gets_the_first_number_that_it_takes() -> None:
    """One with its country. It takes one, and the others are listed."""
    numbers = ["22 00 00 00", {"value": "+47 22 00 00 01", "label": "desk"}, "+47 22 00 00 02"]
    own = SourceRecord({"name": "Mira Sand", "phone": numbers}, "basics")
    cv = PublicCv("mira-sand", "https://cv.example.org/", {"basics": [own], TOP: []})
    file = yaml.safe_load(written(cv, "rendercv")[""])
    assert file["cv"]["phone"] == "+47 22 00 00 01"
    left = [str(each.value) for each in cv.left()]
    assert left == ["22 00 00 00", "desk", "+47 22 00 00 02"]
