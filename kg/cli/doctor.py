"""What is here beside the packages, what is missing, and how to get it: what makes pages better,
programs that some commands use, and the site in a folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from kg.check.check import check_cached
from kg.cli.packages import Diagnosis, install_advice
from kg.errors import KgError, SiteNotFound, counted
from kg.files.cache import Cache
from kg.graph.parallel.run import Run
from kg.publish.document import FONT, STATIC
from kg.publish.export.printing import find_browser
from kg.publish.questions.editor import ENGINE, files


def examine(folder: Path, today: str) -> Iterator[Diagnosis]:
    yield from comforts()
    yield from programs()
    yield from site(folder, today)


def comforts() -> Iterator[Diagnosis]:
    """What makes pages better, and travels with a wheel."""
    font = (STATIC / Path(FONT).name).is_file()
    yield Diagnosis(
        "font of the pages",
        "here" if font else "not here",
        "" if font else f"Pages use the fonts of the reader's system. {install_advice('font')}",
    )
    editor = set(ENGINE) <= set(files())
    yield Diagnosis(
        "SPARQL editor and engine",
        "here" if editor else "not here",
        "" if editor else f"Built sites cannot answer queries. {install_advice('editor')}",
    )


def programs() -> Iterator[Diagnosis]:
    """What some commands use."""
    try:
        yield Diagnosis("Chromium, for kg pdf", find_browser())
    except KgError as error:
        yield Diagnosis("Chromium, for kg pdf", "not here", str(error))
    for name, use in {
        "git": "It keeps the history of a site and brings it to a host. Debian: apt install git",
        "node": "Only a checkout of cv-kg uses it, for make editor. Debian: apt install npm",
    }.items():
        found = shutil.which(name)
        yield Diagnosis(name, found or "not here", "" if found else use)


def site(folder: Path, today: str) -> Iterator[Diagnosis]:
    """The site in a folder."""
    try:
        checked = check_cached(folder, Run(today, cache=Cache(folder)))
    except SiteNotFound as error:
        yield Diagnosis("site", "none here", str(error))
    else:
        owners = len(checked.graph.facts.owners) if checked.graph else 0
        errors = sum(problem.severity == "error" for problem in checked.problems)
        yield Diagnosis(
            "site",
            f"{counted(owners, 'CV')}, {counted(errors, 'error')}",
            "" if checked.publishable else f"Type: kg check {folder}",
            "error",
        )
