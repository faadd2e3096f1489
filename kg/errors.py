"""What can go wrong, in two families.

A Problem is the author's: it has a place in a file, says what is wrong and what would be right, and
is gathered with all the others. An exception is ours or the caller's, and stops the work:

    KgError
    ├── SiteNotFound      no data/site.yaml where one was asked for
    ├── ProblemsFound     the data cannot be published; carries the problems
    ├── UnknownName       nothing is called so; carries what is, nearly (and is a LookupError)
    └── QueryError        a query that gets no answer
        ├── BadQuery        it does not parse, or asks for what is not allowed here
        │   └── BadValue      a parameter of a question cannot have this value
        ├── WrongForm       its answer cannot be given in the form that was asked for
        ├── QueryTimeout    it took longer than its deadline
        ├── QueryBusy       nobody was free to answer it
        └── QueryCrashed    it took the worker down (memory, nesting)
"""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Literal

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A spot in a file of the site; lines and columns count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def place_at(file: str, text: str, at: int) -> Place:
    """The place of a character of a file's text."""
    return Place(file, *line_and_column(text, at))


def line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def offset_of(text: str, line: int, column: int) -> int:
    """The way back: where in a text this line and column are."""
    above = text.split("\n", line - 1)
    return len(text) - len(above[-1]) + column - 1 if len(above) == line else len(text)


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """One thing to mend: where, how bad, what is wrong and what would be right, and the name of the
    rule that says so.

    `others` are the places it is also about, where a rule compares two entries.
    """

    place: Place
    severity: Severity
    message: str
    rule: str
    others: tuple[Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.place!s:<30}  {self.severity:<7}  {self.message}  [{self.rule}]"


# As problems are compared themselves, which takes longer.
IN_ORDER = attrgetter(
    "place.file", "place.line", "place.column", "severity", "message", "rule", "others"
)


def tidy(problems: Iterable[Problem]) -> list[Problem]:
    """Sorted by place, each said once: a fault in a field that several rows share is one fault, and
    what cannot be read is not judged by other rules, too.
    """
    found = set(problems)
    unread = {problem.place for problem in found if problem.rule == "yaml"}
    return sorted(
        (each for each in found if each.rule == "yaml" or each.place not in unread), key=IN_ORDER
    )


def counted(number: int, one: str, many: str = "") -> str:
    """`1 person`, `12 people`, `3 files`."""
    return f"{number} {one}" if number == 1 else f"{number} {many or f'{one}s'}"


def errors_in(problems: Iterable[Problem]) -> list[Problem]:
    """Those with which nothing is published."""
    return [problem for problem in problems if problem.severity == "error"]


def count_severities(problems: Iterable[Problem]) -> dict[str, int]:
    """How many there are of each severity, the gravest first."""
    counts = Counter(problem.severity for problem in problems)
    return {severity: counts[severity] for severity in SEVERITIES}


def summary(problems: Iterable[Problem]) -> str:
    """`2 errors, 1 warning`, or `no problems`."""
    counts = count_severities(problems)
    parts = [counted(number, severity) for severity, number in counts.items() if number]
    return ", ".join(parts) or "no problems"


class KgError(Exception):
    """The root of our own exceptions."""


MORE_MEMORY = "Close other programs, or allow more (ulimit -v unlimited), and try again."
# What to do where the machine refuses, by the number of its error.
REMEDIES = {
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
        "Make room, or name another place, and try again.",
    ),
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS),
        "Allow that, or name another place, and try again.",
    ),
    **dict.fromkeys(
        (errno.EMFILE, errno.ENFILE), "Allow more open files (ulimit -n 1024), and try again."
    ),
    errno.ENOMEM: MORE_MEMORY,
    errno.EAGAIN: "Allow more processes (ulimit -u), or have fewer (--jobs 1), and try again.",
    errno.EIO: "The disk may be failing: save what is on it, and try another place.",
}


def remedy(error: OSError) -> str:
    """What to do next; empty where that depends on what was tried."""
    return REMEDIES.get(error.errno or 0, "")


def why(error: KgError | OSError) -> str:
    """What went wrong, in words, and what to do."""
    if isinstance(error, KgError) or not error.strerror:
        return str(error)
    place = f"{error.filename}: " if error.filename else "The machine refuses: "
    return f"{place}{error.strerror}. {remedy(error)}".strip()


class SiteNotFound(KgError):
    """There is no site in the given folder; `meant` is the folder of one nearby."""

    def __init__(self, message: str, folder: Path = Path(), meant: Path | None = None) -> None:
        super().__init__(message)
        self.folder, self.meant = folder, meant


class ProblemsFound(KgError):
    """The data has errors, so nothing was published."""

    def __init__(self, problems: list[Problem], folder: Path) -> None:
        super().__init__("\n".join([f"{folder}: {summary(problems)}", *map(str, problems)]))
        self.problems, self.folder = problems, folder


class UnknownName(KgError, LookupError):
    """There is no such thing or question in a site; `nearest` are names that there are."""

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


class QueryError(KgError):
    """A query that gets no answer."""


class BadQuery(QueryError):
    """The query does not parse, or asks for something that is not allowed here."""


class BadValue(BadQuery):
    """What was given for a parameter of a question, and what would be near it."""

    def __init__(self, message: str, parameter: str = "", nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.parameter, self.nearest = parameter, nearest


class WrongForm(QueryError):
    """The answer is a table and a graph was asked for, or the other way round."""


class QueryTimeout(QueryError):
    """The query took longer than its deadline."""


class QueryBusy(QueryError):
    """Others were first."""


class QueryCrashed(QueryError):
    """The query took its worker down."""
