"""Problems of the author's data, and exceptions.

A Problem belongs to the author: it has a place in a file, says what is wrong and what to do, and is
collected with all others. An exception belongs to us or to the caller, and stops the work:

    KgError
    ├── SiteNotFound      the folder has no data/site.yaml
    ├── ProblemsFound     the data cannot be published; has the problems
    ├── UnknownName       nothing has this name; has the nearest ones (also a LookupError)
    └── QueryError        a query cannot be answered
        ├── BadQuery        it does not parse, or is not allowed here
        │   └── BadValue      invalid value of a parameter
        ├── WrongForm       the requested format does not fit the kind of query
        ├── QueryTimeout    it exceeded its time limit
        ├── QueryBusy       no worker was free
        └── QueryCrashed    it crashed its worker (memory, nesting)
"""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A position in a file of the site; lines and columns count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def place_at(file: str, text: str, at: int) -> Place:
    """The place of a character, by its offset in the text of a file."""
    return Place(file, *line_and_column(text, at))


def line_and_column(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a line and column in a text; the inverse of `line_and_column`."""
    above = text.split("\n", line - 1)
    return len(text) - len(above[-1]) + column - 1 if len(above) == line else len(text)


class Fix(NamedTuple):
    """What to write instead of `old`: the value or the words at the place of a problem, or a whole
    `line`; or the name of a file that `is_moved`. Of several `texts`, the most likely is first.
    """

    old: str
    texts: tuple[str, ...]
    is_certain: bool = False  # whether nothing else can be meant
    line: int = 0
    is_moved: bool = False


def fix(old: object, *texts: str, certain: bool = True) -> Fix | None:
    """A fix of a text; None if there is none. Of several, none is certain."""
    found = tuple(dict.fromkeys(texts))
    is_fix = isinstance(old, str) and found and found != (old,)
    return Fix(str(old), found, certain and len(found) == 1) if is_fix else None


def fix_line(old: str, number: int, *texts: str, certain: bool = True) -> Fix | None:
    """A fix of a whole line; `number` counts from 0."""
    found = fix(old, *texts, certain=certain)
    return found and found._replace(line=number + 1)


@dataclass(frozen=True, order=True, slots=True)
class Problem:
    """A problem of the data: its place, its severity, a message that says what is wrong and what to
    do, and the name of the rule.

    `others` are related places, for rules that compare two entries; `fix` is what `kg check --fix`
    writes; `part` are the words at fault in the text at the place, if it is not all of it.
    """

    place: Place
    severity: Severity
    message: str
    rule: str
    others: tuple[Place, ...] = ()
    fix: Fix | None = field(default=None, compare=False)
    part: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.place!s:<30}  {self.severity:<7}  {self.message}  [{self.rule}]"


# The same order as that of the problems themselves, but faster to compute.
SORT_KEY = attrgetter(
    "place.file", "place.line", "place.column", "severity", "message", "rule", "others"
)


def tidy(problems: Iterable[Problem]) -> list[Problem]:
    """The problems sorted by place, without duplicates: several rows can share a field with an
    error. At places that are not valid YAML, other rules are ignored.
    """
    found = set(problems)
    unread = {problem.place for problem in found if problem.rule == "yaml"}
    return sorted(
        (each for each in found if each.rule == "yaml" or each.place not in unread), key=SORT_KEY
    )


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 person`, `12 people`, `3 files`."""
    return f"{number} {one}" if number == 1 else f"{number} {many or f'{one}s'}"


def errors_in(problems: Iterable[Problem]) -> list[Problem]:
    """The errors, which prevent publishing."""
    return [problem for problem in problems if problem.severity == "error"]


def count_severities(problems: Iterable[Problem]) -> dict[str, int]:
    """The number of problems of each severity, errors first."""
    counts = Counter(problem.severity for problem in problems)
    return {severity: counts[severity] for severity in SEVERITIES}


def summary(problems: Iterable[Problem]) -> str:
    """A summary such as `2 errors, 1 warning`, or `no problems`."""
    counts = count_severities(problems)
    parts = [counted(number, severity) for severity, number in counts.items() if number]
    return ", ".join(parts) or "no problems"


class KgError(Exception):
    """The base class of all our exceptions."""


MORE_MEMORY = "Close other programs, or allow more memory (ulimit -v unlimited), and try again."
# Advice for errors of the operating system, by errno.
REMEDIES = {
    **dict.fromkeys(
        (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
        "Free some space or choose another folder, and try again.",
    ),
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS),
        "Change the permissions or choose another folder, and try again.",
    ),
    **dict.fromkeys(
        (errno.EMFILE, errno.ENFILE), "Allow more open files (ulimit -n 1024), and try again."
    ),
    errno.ENOMEM: MORE_MEMORY,
    errno.EAGAIN: "Allow more processes (ulimit -u) or use fewer (--jobs 1), and try again.",
    errno.EIO: "The disk may be failing: back it up, and use another one.",
}


def remedy(error: OSError) -> str:
    """What to do next; empty if that depends on what was tried."""
    return REMEDIES.get(error.errno or 0, "")


def why(error: KgError | OSError) -> str:
    """The message of an exception, with what to do."""
    if isinstance(error, KgError) or not error.strerror:
        return str(error)
    place = f"{error.filename}: " if error.filename else "System error: "
    return f"{place}{error.strerror}. {remedy(error)}".strip()


class SiteNotFound(KgError):
    """The folder is not a site; `meant` is a site nearby, if there is one."""

    def __init__(self, message: str, folder: Path = Path(), meant: Path | None = None) -> None:
        super().__init__(message)
        self.folder, self.meant = folder, meant


class ProblemsFound(KgError):
    """The data has errors, so nothing was published. `problems` has all of them."""

    def __init__(self, problems: list[Problem], folder: Path) -> None:
        super().__init__("\n".join([f"{folder}: {summary(problems)}", *map(str, problems)]))
        self.problems, self.folder = problems, folder


class UnknownName(KgError, LookupError):
    """The site has no entry or question with this name; `nearest` are similar names."""

    def __init__(self, message: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.nearest = tuple(nearest)


class QueryError(KgError):
    """A query cannot be answered."""


class BadQuery(QueryError):
    """The query does not parse, or is not allowed here."""


class BadValue(BadQuery):
    """An invalid value for a parameter of a question; `nearest` are similar valid values."""

    def __init__(self, message: str, parameter: str = "", nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.parameter, self.nearest = parameter, nearest


class WrongForm(QueryError):
    """A graph was requested, but the answer is a table, or vice versa."""


class QueryTimeout(QueryError):
    """The query exceeded its time limit."""


class QueryBusy(QueryError):
    """All workers were busy."""


class QueryCrashed(QueryError):
    """The query crashed its worker."""


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception is Ctrl-C, or was caused by it: pydantic and Python raise exceptions of
    their own if it interrupts the creation of a class.
    """
    name = KeyboardInterrupt.__name__
    return isinstance(error, KeyboardInterrupt) or name in f"{error} {error.__cause__!r}"
