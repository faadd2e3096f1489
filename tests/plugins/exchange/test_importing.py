"""kg import: what a file says is in the site, and whatever is not is listed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main
from kg.cli.new_site import new_site
from kg.facts.yaml.reader import read
from kg.files.atomic import replace_files
from kg.graph.parallel.run import Run
from kg.plugins.exchange.importing import Imported, import_files
from kg.plugins.exchange.source_files import NotImported
from tests.conftest import ROOT

RESUME: dict[str, Any] = {
    "$schema": "https://example.org/schema.json",
    "basics": {
        "name": "Mira Sand",
        "label": "Geologist",
        "phone": "+47 22 00 00 00",
        "location": {"city": "Oslo", "countryCode": "NO"},
        "profiles": [{"network": "GitHub", "username": "mirasand"}],
        "shoeSize": "38",
    },
    "work": [
        {"company": "Stone Institute", "position": "Researcher", "startDate": "Jun 2019"},
        {"name": "Gravel Ltd", "startDate": "2015-01", "endDate": "yesterday"},
    ],
    "exhibitions": ["Stones of Oslo, 2018"],
    "languages": [{"language": "Norwegian", "fluency": "Native speaker"}],
}


def imported(tmp_path: Path, content: object, **more: str) -> tuple[Imported, dict[str, Any]]:
    file = tmp_path / "resume.json"
    tmp_path.mkdir(exist_ok=True)
    file.write_text(json.dumps(content, indent=1), encoding="utf-8")
    found = import_files([file], tmp_path / "site", **more)
    replace_files(tmp_path / "site", found.texts)
    text = next(text for path, text in found.texts.items() if path.startswith("data/cv/"))
    row, problems = read("cv.yaml", text.encode())
    assert row is not None and not problems
    return found, row


def test_what_a_resume_says_is_in_the_cv(tmp_path: Path) -> None:
    _, cv = imported(tmp_path, RESUME)
    assert cv["basics"]["name"] == "Mira Sand"
    assert cv["basics"]["location"] == "Oslo, Norway"
    assert cv["basics"]["phone"] == {"value": "+47 22 00 00 00", "visibility": "private"}
    assert cv["work"][0] == {
        "organization": "Stone Institute",
        "position": "Researcher",
        "startDate": "2019-06",
        "endDate": "present",
    }
    assert cv["languages"] == [{"language": "Norwegian", "level": "native"}]


def test_what_has_no_field_is_listed_or_in_a_free_section(tmp_path: Path) -> None:
    found, cv = imported(tmp_path, RESUME)
    listed = {left.value.path: left for left in found.left}
    assert listed["basics.shoeSize"].why == "no matching field"
    assert listed["basics.shoeSize"].value.place.line == 17
    assert listed["work[1].endDate"].value == "yesterday"
    assert listed["work[1].name"].section == "Work"
    sections = {each["title"]: each["entries"] for each in cv["sections"]}
    assert sections["Exhibitions"] == ["Stones of Oslo, 2018"]
    assert sections["Work"] == [{"name": "Gravel Ltd", "startDate": "2015-01"}]
    assert "$schema" not in listed


def test_a_date_of_the_file_before_its_entries_is_that_of_a_template(tmp_path: Path) -> None:
    meta = {"meta": {"lastModified": "2017-12-24T15:53:00"}}
    work = {"name": "Ice Institute", "position": "Guide", "startDate": "2017-12"}
    resume = {"basics": {"name": "Mira Sand"}, "work": [work], **meta}
    _, cv = imported(tmp_path / "kept", resume)
    assert cv["modified"] == "2017-12-24"
    resume["awards"] = [{"title": "Ice Prize", "date": "2021-05-01"}]
    found, cv = imported(tmp_path / "stale", resume)
    assert "modified" not in cv
    assert [(each.value.path, each.why) for each in found.left] == [
        ("meta.lastModified", "older than an entry")
    ]


def test_whatever_is_imported_checks_without_errors(tmp_path: Path) -> None:
    imported(tmp_path, RESUME)
    checked = check(tmp_path / "site")
    assert checked.publishable, [str(problem) for problem in checked.problems]


def test_a_file_of_no_known_format_is_refused_with_the_formats(tmp_path: Path) -> None:
    file = tmp_path / "x.bin"
    file.write_bytes(b"\0\1\2")
    with pytest.raises(NotImported, match="jsonresume"):
        import_files([file], tmp_path / "site")


def test_the_command_writes_a_site_and_says_what_comes_next(tmp_path: Path) -> None:
    file = tmp_path / "resume.json"
    file.write_text(json.dumps(RESUME), encoding="utf-8")
    site = tmp_path / "mine"
    shown = CliRunner().invoke(main, ["import", str(file), "--into", str(site)])
    assert shown.exit_code == 0, shown.output
    assert 'basics.shoeSize  "38"  no matching field' in shown.stdout
    assert f"Next: kg check {site}" in shown.stderr
    assert (site / "data/cv/mira-sand.yaml").exists()


def test_an_import_gives_no_licence_in_the_name_of_the_person(tmp_path: Path) -> None:
    imported_site = imported(tmp_path, RESUME)[0].texts["data/site.yaml"]
    assert imported_site.count("license:") == imported_site.count("\n# license:") == 1


def test_a_large_file_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "resume.json"
    with file.open("wb") as large:
        large.truncate(100_000_001)
    with pytest.raises(NotImported, match="100 MB"):
        import_files([file], tmp_path / "site")


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("name", ["resume.json", "papers.bib", "items.json", "Positions.csv"])
def test_a_file_with_too_many_entries_is_refused_in_words(tmp_path: Path, name: str) -> None:
    numbers = range(5001)
    texts = {
        "resume.json": json.dumps(
            {"basics": {"name": "Ada Berg"}, "work": [{"name": f"Company {n}"} for n in numbers]}
        ),
        "papers.bib": "\n".join(f"@misc{{k{n}, title={{Work {n}}}, year=2020}}" for n in numbers),
        "items.json": json.dumps(
            [{"id": f"k{n}", "type": "article-journal", "title": f"Work {n}"} for n in numbers]
        ),
        "Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\n"
        + "\n".join(f"Company {n},Engineer,,,Mar 2019,Apr 2020" for n in numbers),
    }
    file = tmp_path / name
    file.write_text(texts[name], encoding="utf-8")
    with pytest.raises(NotImported, match=f"{name}: more than 5,000 entries.* Split the file"):
        import_files([file], tmp_path / "site")


def test_a_deeply_nested_file_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "resume.json"
    file.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(NotImported):
        import_files([file], tmp_path / "site")


def test_a_new_site_that_nobody_has_written_in_becomes_that_of_the_person(tmp_path: Path) -> None:
    file, site = tmp_path / "resume.json", tmp_path / "mine"
    file.write_text(json.dumps(RESUME), encoding="utf-8")
    run = CliRunner().invoke
    assert run(main, ["new", str(site)]).exit_code == 0
    assert run(main, ["import", str(file), "--into", str(site)]).exit_code == 0
    assert [path.name for path in (site / "data/cv").iterdir()] == ["mira-sand.yaml"]
    assert "title: Mira Sand" in (site / "data/site.yaml").read_text(encoding="utf-8")
    assert (site / ".gitignore").exists()
    assert check(site).publishable


def test_a_new_site_that_has_been_written_in_keeps_its_cv(tmp_path: Path) -> None:
    file, site = tmp_path / "resume.json", tmp_path / "mine"
    file.write_text(json.dumps(RESUME), encoding="utf-8")
    run = CliRunner().invoke
    assert run(main, ["new", str(site), "--name", "Bo Ek"]).exit_code == 0
    assert run(main, ["import", str(file), "--into", str(site)]).exit_code == 0
    cvs = sorted(path.name for path in (site / "data/cv").iterdir())
    assert cvs == ["bo-ek.yaml", "mira-sand.yaml"]


def test_a_refused_entry_takes_no_other_with_it(tmp_path: Path) -> None:
    """Entries stay in their places while others of the list are taken out."""
    jobs = [{"position": f"Diver {number}", "startDate": "2001"} for number in range(3)]
    good = [{"name": f"Firm {number}", "position": "Clerk"} for number in range(3)]
    mixed = [job for pair in zip(jobs, good, strict=True) for job in pair]
    _, cv = imported(tmp_path, {"basics": {"name": "Mira Sand"}, "work": mixed})
    assert [job["organization"] for job in cv["work"]] == ["Firm 0", "Firm 1", "Firm 2"]


def test_a_bibliography_belongs_to_the_person_whose_site_it_is(tmp_path: Path) -> None:
    site, files = tmp_path / "mine", ROOT / "tests" / "readme"
    for name in ("resume.json", "papers.bib"):
        found = import_files([files / name], site)
        replace_files(site, found.texts)
    assert not found.left
    row, _ = read("cv.yaml", (site / "data/cv/mira-sand.yaml").read_bytes())
    assert row is not None
    assert row["basics"]["name"] == "Mira Sand"
    assert [work["title"] for work in row["publications"]] == [
        "Bars that move at night",
        "A flume for everyone",
    ]
    assert check(site).publishable


def test_a_bibliography_alone_begins_no_cv_of_nobody(tmp_path: Path) -> None:
    file, site = ROOT / "tests" / "readme" / "papers.bib", tmp_path / "mine"
    with pytest.raises(NotImported, match="kg new mysite --name"):
        import_files([file], site, person="mira-sand")
    replace_files(site, new_site("Mira Sand"))
    with pytest.raises(NotImported, match="Use --person mira-sand"):
        import_files([file], site, person="mira")
    assert import_files([file], site, person="mira-sand").placed


TODAY = "2026-03-01"


def test_an_end_in_the_future_is_expected_and_checks_without_errors(tmp_path: Path) -> None:
    content = {
        "basics": {"name": "Mira Sand"},
        "education": [
            {"institution": "Oslo", "studyType": "PhD", "startDate": "2024", "endDate": "2028"},
            {"institution": "Oslo", "studyType": "MSc", "startDate": "2022", "endDate": "2024"},
        ],
        "work": [
            {"name": "Club", "position": "Guide", "startDate": "2025-01", "endDate": "2027-12"},
            {"name": "Firm", "position": "Analyst", "startDate": "2020", "endDate": "2026"},
        ],
    }
    _, cv = imported(tmp_path, content, today=TODAY)
    assert [(each["endDate"], each.get("expected")) for each in cv["education"]] == [
        ("present", "2028"),
        ("2024", None),
    ]
    assert [(each["endDate"], each.get("expected")) for each in cv["work"]] == [
        ("present", "2027-12"),
        ("2026", None),
    ]
    found = check(tmp_path / "site", Run(TODAY)).problems
    assert not [each for each in found if each.severity == "error" or "future" in each.rule]


def test_a_study_that_has_not_begun_is_not_present(tmp_path: Path) -> None:
    study = {"institution": "Oslo", "studyType": "PhD", "startDate": "2027", "endDate": "2030"}
    content = {"basics": {"name": "Mira Sand"}, "education": [study]}
    found, cv = imported(tmp_path, content, today=TODAY)
    assert cv["education"] == [{"institution": "Oslo", "studyType": "PhD", "startDate": "2027"}]
    assert [(left.value, left.why) for left in found.left] == [
        ("2030", "end date skipped, because the entry has not started yet")
    ]
    problems = check(tmp_path / "site", Run(TODAY)).problems
    assert not [each for each in problems if each.severity == "error"]


def test_an_email_that_the_page_does_not_show_is_reported_once(tmp_path: Path) -> None:
    file, site = tmp_path / "resume.json", tmp_path / "mine"
    content = {"basics": {"name": "Mira Sand", "email": "mira@example.org"}}
    file.write_text(json.dumps(content), encoding="utf-8")
    shown = CliRunner().invoke(main, ["import", str(file), "--into", str(site)])
    line = "email: {value: mira@example.org, visibility: public}"
    assert (
        f"mira@example.org is not shown on the page. To show it, write in "
        f"{site / 'data/cv/mira-sand.yaml'}: {line}"
    ) in shown.stderr
    again = CliRunner().invoke(main, ["import", str(file), "--into", str(site)])
    assert "not shown" not in again.stderr
    path = site / "data/cv/mira-sand.yaml"
    text = path.read_text(encoding="utf-8")
    assert "email: mira@example.org" in text
    path.write_text(text.replace("email: mira@example.org", line), encoding="utf-8")
    assert not [each for each in check(site).problems if each.severity == "error"]
