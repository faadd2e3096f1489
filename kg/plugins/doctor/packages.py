"""Checks the versions of Python and of the packages kg requires, and says how to install them.

Imports only the standard library, because any package may be missing.
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
CHECKOUT = Path(__file__).parents[3]  # has a Makefile only in a checkout
EDITOR_WHEEL = "dist/cv_kg_editor-*.whl"
INSTALLERS = {  # part of an environment's path -> how to install kg there, and how to add a wheel
    "pipx": ("pipx install --force {}", "pipx inject --force cv-kg {}"),
    "uv": ("uv tool install --force {}", "uv tool install --force . --with {}"),
    "": ("pip install {}", "pip install {}"),
}
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)>=(?P<least>[\d.]+)")


@dataclass(frozen=True)
class Diagnosis:
    """A requirement, what was found, and advice if that is not enough. With an error, kg does not
    work; an info concerns something optional.
    """

    name: str
    there: str
    advice: str = ""
    severity: Literal["error", "info"] = "info"

    @property
    def state(self) -> str:
        return self.severity if self.advice else "ok"


def requirements() -> Iterator[Diagnosis]:
    """Python and the packages that kg requires."""
    yield python(sys.version_info[:3])
    try:
        yield Diagnosis("cv-kg", version("cv-kg"))
    except PackageNotFoundError:
        yield Diagnosis("cv-kg", "not installed", install_advice(), "error")
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
    advice = f"Version {least} or newer is required. {install_advice()}"
    try:
        there = version(name)
    except PackageNotFoundError:
        return Diagnosis(name, "not installed", advice, "error")
    return Diagnosis(name, there, advice if numbers(there) < numbers(least) else "", "error")


def install_advice(extra: str = "", prefix: str = sys.prefix) -> str:
    """How to install kg, or an optional part of it, into the current environment. cv-kg is not on a
    package index, so it is installed from a checkout.
    """
    if (CHECKOUT / "Makefile").is_file():
        return "In the checkout, run: make setup"
    parts = ("", *Path(prefix).parts)
    install, add_wheel = next(each for name, each in INSTALLERS.items() if name in parts)
    commands = {
        "": install.format("."),
        "font": f"make editor && {install.format('.')}",
        "editor": f"make wheel && {add_wheel.format(EDITOR_WHEEL)}",
    }
    command = commands.get(extra) or install.format(f'".[{extra}]"')
    return f"In a checkout of cv-kg, run: {command}"


def numbers(version: str) -> list[int]:
    """The numbers of a version, so that 0.10 is newer than 0.9."""
    release = re.match(r"\d+(?:\.\d+)*", version)
    return [int(each) for each in release[0].split(".")] if release else []
