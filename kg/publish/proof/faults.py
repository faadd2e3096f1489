"""What is wrong with a published site: Problems, whose places are its files or addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from kg.errors import Place, Problem, Severity, tidy

# reported of one rule; whoever breaks all pages the same way need not read it a thousand times
MOST = 20
MOST_TEXT = 300  # characters of what is quoted


def fault(
    rule: str, place: str, message: str, line: int = 1, severity: Severity = "error"
) -> Problem:
    return Problem(Place(place, line), severity, message, rule)


def ill_formed(place: str, line: int, what: str) -> Problem:
    return fault("html", place, f"This is not well-formed: {what}.", line)


def limited(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Sorted by place; of many of one rule the first ones, and how many more there are."""
    found = tidy(problems)
    counts = Counter(problem.rule for problem in found)
    seen: Counter[str] = Counter()
    for problem in found:
        seen[problem.rule] += 1
        rest = counts[problem.rule] - MOST
        if seen[problem.rule] < MOST or rest <= 0:
            yield problem
        elif seen[problem.rule] == MOST:
            yield fault(
                problem.rule,
                problem.place.file,
                f"{problem.message} And {rest} more of this kind.",
                problem.place.line,
                problem.severity,
            )


def short(text: object) -> str:
    said = str(text)
    return said if len(said) <= MOST_TEXT else f"{said[:MOST_TEXT]}…"
