"""Cases of `merging.yaml` and `silence.yaml`: what a second import does, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from kg.check.check import check
from kg.cli import main

HERE = Path(__file__).parent
MERGING, SILENCE = (
    yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    for name in ("merging.yaml", "silence.yaml")
)
SITE = {
    "data/site.yaml": "base: https://ada.example/\ntitle: Ada Berg\n",
    "data/cv/ada-berg.yaml": "basics:\n  name: Ada Berg\n",
}


def named(cases: list[dict[str, Any]]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["case"])


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("ada")


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def run(*words: str) -> str:
    return CliRunner().invoke(main, [*words], catch_exceptions=False).output


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def faults(case: dict[str, Any], site: Path, output: str) -> Iterator[str]:
    """What does not hold of a case."""
    text = "".join(each.read_text(encoding="utf-8") for each in site.glob("data/cv/*.yaml"))
    yield from (f"CV lacks {each}" for each in case.get("has", ()) if each not in text)
    yield from (f"CV has {each}" for each in case.get("lacks", ()) if each in text)
    yield from (f"not told: {each}" for each in case.get("told", ()) if each not in output)
    yield from (f"told: {each}" for each in case.get("untold", ()) if each in output)


def test_no_case_went_missing() -> None:
    assert len(MERGING) >= 12
    assert len(SILENCE) >= 11


@named(MERGING)
def test_files_are_imported_again(case: dict[str, Any], site: Path) -> None:
    if "person" in case:
        write({f"{site}/{path}": text for path, text in SITE.items()})
    write(case["files"])
    run("import", *case.get("import", case["files"]), "--into", str(site))
    cv = next(site.glob("data/cv/*.yaml"))
    cv.write_text(replaced(cv.read_text(encoding="utf-8"), case.get("edit", {})), encoding="utf-8")
    for path, changes in case.get("change", {}).items():
        write({path: replaced(Path(path).read_text(encoding="utf-8"), changes)})
    for files in case["again"]:
        output = run("import", *files, "--into", str(site), "--apply")
    assert [*faults(case, site, output)] == []
    assert check(site).publishable


@named(SILENCE)
def test_nothing_is_lost_without_a_word(case: dict[str, Any], site: Path) -> None:
    write({case["file"]: case["source"]})
    output = run("import", case["file"], "--into", str(site))
    if "do not say whose CV" in output:
        write({f"{site}/{path}": text for path, text in SITE.items()})
        output = run("import", case["file"], "--into", str(site))
    assert [*faults(case, site, output)] == []


def test_works_of_a_colleague_are_listed_in_both_cvs_with_what_either_knows(site: Path) -> None:
    works = """\
publications:
  - {title: Slow Sand, kind: journal, journal: Sand, year: 2020, authors: [Ada Berg, Bo Ek]}
  - {title: Fast Sand, kind: other, year: 2021, authors: [A. Berg, B. Ek]}
"""
    bib = """\
@article{s, title={Slow Sand}, author={Berg, Ada and Ek, Bo}, journal={Journal of Gravel},
  year=2020, pages={1--9}}
@inproceedings{f, title={Fast Sand}, author={Berg, Ada and Ek, Bo}, booktitle={RIVERS}, year=2021}
"""
    write({f"{site}/{path}": text for path, text in SITE.items()})
    write({f"{site}/data/cv/ada-berg.yaml": f"basics: {{name: Ada Berg}}\n{works}", "bo.bib": bib})
    write({f"{site}/data/cv/bo-ek.yaml": "basics: {name: Bo Ek}\npublications: []\n"})
    output = run("import", "bo.bib", "--person", "bo-ek", "--into", str(site))
    ada, bo = ((site / f"data/cv/{name}.yaml").read_text() for name in ("ada-berg", "bo-ek"))
    assert "berg-2020-slow" in bo
    assert "berg-2021-fast" in bo
    assert "pages: 1-9" in ada
    assert "kind: conference" in ada
    assert "yours is kept: Sand; bo.bib:1:71 has Journal of Gravel" in output
    assert check(site).publishable


@pytest.mark.parametrize("command", ["serve", "check", "build", "dump", "query"])
def test_a_resume_is_no_site(command: str, site: Path) -> None:
    write({"resume.json": '{"basics": {"name": "Ada Berg"}}'})
    assert "run: kg import resume.json --into mysite" in run(command, "resume.json")


def test_numbers_of_works_are_no_telephone_numbers(site: Path) -> None:
    works = [f"W{number} 10.5555/1234567{number} arXiv:2301.1234{number}" for number in range(9)]
    skipped = "".join(f'"x{n}": "{each}", ' for n, each in enumerate([*works, *works]))
    own = '"phone2": "+46 70 123 45 67", "basics": {"name": "Ada Berg"}'
    write({"resume.json": f"{{{skipped}{own}}}"})
    run("import", "resume.json", "--into", str(site))
    report = (site / "data/.imported/report.txt").read_text(encoding="utf-8")
    assert "10.5555/12345678 arXiv:2301.12348" in report
    assert "123 45 67" not in report
