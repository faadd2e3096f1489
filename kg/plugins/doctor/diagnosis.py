"""The checks of `kg doctor` beyond Python and packages: optional files, programs, and the site."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from kg.check.check import check
from kg.errors import KgError, SiteNotFound, counted
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from kg.plugins.doctor.packages import Diagnosis, install_advice
from kg.plugins.pdf.printing import find_browser
from kg.publish.document import FONT, STATIC
from kg.publish.questions.editor import ENGINE, files

MISSING = "not installed"


def diagnose(folder: Path, today: str) -> Iterator[Diagnosis]:
    yield from optional_files()
    yield from programs()
    yield from site(folder, today)


def optional_files() -> Iterator[Diagnosis]:
    """Optional files that wheels contain: the page font and the SPARQL editor."""
    font = (STATIC / Path(FONT).name).is_file()
    yield Diagnosis(
        "page font",
        "installed" if font else MISSING,
        "" if font else f"Pages use the reader's system font. {install_advice('font')}",
    )
    editor = set(ENGINE) <= set(files())
    yield Diagnosis(
        "SPARQL editor and engine",
        "installed" if editor else MISSING,
        "" if editor else f"Built sites cannot answer queries. {install_advice('editor')}",
    )


def programs() -> Iterator[Diagnosis]:
    """Programs that some commands use."""
    try:
        yield Diagnosis("Chromium, for kg pdf", find_browser())
    except KgError as error:
        yield Diagnosis("Chromium, for kg pdf", MISSING, str(error))
    for name, use in {
        "git": "kg diff and --as-of need it. Debian: apt install git",
        "node": "Only make editor in a checkout of cv-kg needs it. Debian: apt install npm",
    }.items():
        found = shutil.which(name)
        yield Diagnosis(name, found or MISSING, "" if found else use)


def site(folder: Path, today: str) -> Iterator[Diagnosis]:
    try:
        checked = check(folder, Run(today, cache=Cache(folder)))
    except SiteNotFound as error:
        yield Diagnosis("site", "not found", str(error))
    else:
        owners = len(checked.graph.facts.owners) if checked.graph else 0
        errors = sum(problem.severity == "error" for problem in checked.problems)
        yield Diagnosis(
            "site",
            f"{counted(owners, 'CV')}, {counted(errors, 'error')}",
            "" if checked.publishable else f"Run: kg check {folder}",
            "error",
        )
