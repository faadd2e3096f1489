"""Sources as people write them, and the CV that is imported: `texts/` has the cases.

Each case has the `source` of a `file`, the parts of the CV that are expected, what must `not` be
anywhere in it, and what is `listed` in the report.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.facts.yaml.reader import read
from kg.plugins.exchange.importing import Imported, import_files

TEXTS = Path(__file__).with_name("texts")


def table(name: str) -> Any:
    """A YAML file in which all values are texts."""
    return yaml.load(TEXTS.joinpath(name).read_bytes(), yaml.BaseLoader)  # noqa: S506


CASES = [case for name in ("cases.yaml",) for case in table(name)]


def imported(file: str, source: str, folder: Path) -> tuple[Imported, str, Any]:
    """The result of an import, the text of the CV, and its content."""
    folder.joinpath(file).write_text(source, encoding="utf-8")
    found = import_files([folder / file], folder / "site", today="2026-11-19")
    text = next(text for name, text in found.texts.items() if name.startswith("data/cv/") and text)
    row, problems = read("cv.yaml", text.encode())
    assert row is not None and not problems
    return found, text, row


def as_texts(value: Any) -> Any:
    """Plain data with all scalars as texts."""
    return json.loads(json.dumps(value, default=str), parse_int=str, parse_constant=str)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["case"]))
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    found, text, cv = imported(case["file"], case["source"], tmp_path)
    for name, expected in case.get("cv", {}).items():
        assert as_texts(cv.get(name)) == (expected or None)
    for each in case.get("not", ()):
        assert each not in text
    assert [each for each in case.get("listed", ()) if each not in map(str, listed(found))] == []


def listed(found: Imported) -> list[str]:
    return [each.value for each in found.left]


@pytest.mark.parametrize(("written", "period"), table("periods.yaml").items())
def test_periods(written: str, period: list[str], tmp_path: Path) -> None:
    job = {"company": "Delta Works", "position": "Engineer", "date": written}
    rendercv = {"cv": {"name": "Lena Sand", "sections": {"experience": [job]}}}
    latex = (
        r"\documentclass{moderncv}\firstname{Lena}\familyname{Sand}\begin{document}"
        rf"\section{{Experience}}\cventry{{{written}}}{{Engineer}}{{Delta Works}}{{}}{{}}{{}}"
        r"\end{document}"
    )
    for file, source in (("cv.yaml", yaml.safe_dump(rendercv)), ("cv.tex", latex)):
        _, text, cv = imported(file, source, tmp_path)
        job = cv.get("work", [{}])[0]
        assert [job[name] for name in ("startDate", "endDate") if name in job] == period
        assert not period or written not in text
