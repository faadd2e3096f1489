"""Small sites for small tests: the base of the cases, with a few files written on top."""

from __future__ import annotations

from pathlib import Path

from kg.facts.load import Facts, load
from kg.facts.yaml.reader import read
from kg.facts.yaml.rows import Row
from tests.cases import site


def row(text: str, file: str = "cv.yaml") -> Row:
    """The row of a YAML text that is in order."""
    found, problems = read(file, text.encode())
    assert problems == []
    assert found is not None
    return found


def site_with(folder: Path, **files: str) -> Path:
    """The base of the cases and these texts: `cv` is the CV of Ada, any other name adds to the
    registry of that name.
    """
    case = folder / "case"
    case.mkdir(parents=True)
    for name, text in files.items():
        (case / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = site(case, folder / "site")
    (found / "data" / "cv" / "kay.yaml").unlink()  # so that Ada's is the only CV
    return found


def facts_of(folder: Path, **files: str) -> Facts:
    """The facts of such a site, which has no problems."""
    facts = load(site_with(folder, **files))
    assert [str(problem) for problem in facts.problems] == []
    return facts
