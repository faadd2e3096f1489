"""Python and the packages that kg needs, by their metadata: nothing but the standard library is
loaded, for one of them may be missing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

PYTHON = (3, 11)
INSTALLERS = {  # part of the path of an environment -> what made it
    "pipx": 'pipx install --force "{}"',
    "uv": 'uv tool install --force "{}"',
    "": 'pip install --upgrade "{}"',
}
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)>=(?P<least>[\d.]+)")


@dataclass(frozen=True)
class Diagnosis:
    """What was looked for and what there is; with advice where that is not enough. An error stops
    kg from working, an info costs a comfort.
    """

    name: str
    there: str
    advice: str = ""
    severity: Literal["error", "info"] = "info"

    @property
    def state(self) -> str:
        return self.severity if self.advice else "ok"


def needed() -> Iterator[Diagnosis]:
    """Without these kg does not start."""
    yield python(sys.version_info[:3])
    try:
        yield Diagnosis("cv-kg", version("cv-kg"))
    except PackageNotFoundError:
        yield Diagnosis("cv-kg", "not installed", f"Type: {installing('cv-kg')}", "error")
        return
    for requirement in requires("cv-kg") or []:
        wanted = REQUIREMENT.match(requirement)
        if wanted and "extra ==" not in requirement:
            yield package(wanted["name"], wanted["least"])


def python(here: tuple[int, int, int]) -> Diagnosis:
    least = ".".join(map(str, PYTHON))
    advice = "" if here >= PYTHON else f"Install Python {least} or newer."
    return Diagnosis("Python", ".".join(map(str, here)), advice, "error")


def package(name: str, least: str) -> Diagnosis:
    advice = f"{least} or newer is needed. Type: {installing('cv-kg')}"
    try:
        there = version(name)
    except PackageNotFoundError:
        return Diagnosis(name, "not installed", advice, "error")
    return Diagnosis(name, there, advice if numbers(there) < numbers(least) else "", "error")


def installing(what: str, prefix: str = sys.prefix) -> str:
    """The command that installs a package, with what it needs, where this one is installed."""
    parts = ("", *Path(prefix).parts)
    return next(text for name, text in INSTALLERS.items() if name in parts).format(what)


def numbers(version: str) -> list[int]:
    """The numbers of a release, so that 0.10 is more than 0.9."""
    release = re.match(r"\d+(?:\.\d+)*", version)
    return [int(each) for each in release[0].split(".")] if release else []
