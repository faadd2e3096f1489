"""Files in a site's folder that look like content and are not read."""

from __future__ import annotations

from pathlib import Path

from kg.check.check import check
from kg.graph.parallel.run import Run


def told(site: Path) -> list[str]:
    problems = check(site, Run("2026-01-15")).problems
    return [
        f"{each.place.file}: {each.message}" for each in problems if each.rule == "unknown-file"
    ]


def write(site: Path, *paths: str) -> None:
    for path in paths:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text("About me.\n")


def test_a_page_that_is_not_read_is_named(example: Path) -> None:
    assert told(example) == []
    write(example, "pages/about.md", "pages/more/news.md", "ada.yaml")
    first, second = told(example)
    assert first.startswith("ada.yaml: This file is not read. kg reads data, shapes, ")
    assert second.startswith("pages/about.md: This file is not read. Nor are 1 more in pages/.")


def test_other_programs_and_remarks_are_not_named(example: Path) -> None:
    write(example, "README.md", ".github/workflows/check.yaml", "venv/a.md", "public/a.html")
    write(example, "venv/pyvenv.cfg", "public/.cv-kg", "papers/a.pdf", "Makefile")
    assert told(example) == []
