"""Explanations of rules: the reason, a bad and a good example, and the report on the bad one.

Each rule has a file `shapes/explained/RULE.yaml`; a site can add explanations of its own rules.
Rules of plugins bring their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path

import yaml

from kg import doors
from kg.errors import KgError
from kg.settings import shipped


class BadExplanation(KgError):
    """An explanation file of the site is invalid."""


@dataclass(frozen=True)
class Explanation:
    """An explanation. Examples are files of a site by path; bytes if the encoding is the
    mistake.
    """

    why: str
    bad: dict[str, str | bytes] = field(default_factory=dict)
    good: dict[str, str | bytes] = field(default_factory=dict)
    says: str = ""


@dataclass(frozen=True)
class Explained:
    """The part of a plugin's rule that reports need."""

    explanation: Explanation


def plugin_explanations() -> dict[str, Explanation]:
    found = doors.each("kg.checks", Explained)
    return {rule: each.explanation for rule, each in found.items()}


def explanation_files(site: Path) -> dict[str, Path]:
    """The explanation file of each rule. A site's own file replaces ours."""
    return {
        path.stem: path
        for folder in (shipped("shapes"), site / "shapes")
        for path in sorted((folder / "explained").glob("*.yaml"))
    }


def read(path: Path) -> Explanation:
    """Reads an explanation. Only `why` is required."""
    try:
        found = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        explained = Explanation(**{**found, "why": " ".join(found["why"].split())})
        texts = [*explained.bad.values(), *explained.good.values(), explained.says]
        if not all(isinstance(each, str | bytes) for each in texts):
            raise TypeError("a value is not a text")
    except (yaml.YAMLError, TypeError, KeyError, AttributeError) as error:
        raise BadExplanation(
            f"cannot read the explanation {path}: {error}. Write 'why', and optionally 'bad', "
            "'good' (file: text) and 'says'."
        ) from error
    return explained


def reasons(site: Path) -> dict[str, str]:
    added = {rule: each.why for rule, each in plugin_explanations().items()}
    return added | {rule: read(path).why for rule, path in explanation_files(site).items()}


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0]


def text(rule: str, explanation: Explanation) -> str:
    """The whole explanation; from the report on the bad example, only the lines of this rule."""
    return "\n\n".join([f"{rule}: {explanation.why}", *examples(rule, explanation)]) + "\n"


def examples(rule: str, explanation: Explanation) -> Iterator[str]:
    if explanation.bad:
        yield "\n\n".join(["Bad:", *starmap(indented, explanation.bad.items())])
    reported = [line for line in explanation.says.splitlines() if line.endswith(f"[{rule}]")]
    if reported:
        lines = (re.sub(r"\s{2,}", "  ", f"  {line}") for line in reported)
        yield "\n".join(["Report:", "", *lines])
    if explanation.good:
        yield "\n\n".join(["Good:", *starmap(indented, explanation.good.items())])


def indented(path: str, content: str | bytes) -> str:
    shown = content.decode(errors="replace") if isinstance(content, bytes) else content
    return "\n".join([f"  # {path}", *(f"  {line}".rstrip() for line in shown.splitlines())])
