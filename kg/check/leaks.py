"""Searches everything that would be published for private values.

That is the graph, the reasons of withdrawn addresses, and the site's own shapes, queries, templates
and static files.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from pyoxigraph import Literal, QuerySolutions, Triple

from kg.check.problems import problem_of
from kg.check.shapes import Finding
from kg.errors import Place, Problem
from kg.facts.secrets import Secret
from kg.graph.build import Graph
from kg.settings import shipped
from kg.text.spellings import NUL
from kg.vocab import rdf

Statement = tuple[str, str, str]  # subject, predicate, text

BATCH_SIZE = 1 << 16  # texts searched at once
# The site's own files that are published, in whole or in part, and the comments in them that are
# not.
COMMENT_LINES = re.compile(r"^[ \t]*#.*", re.MULTILINE)
TEMPLATE_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
NO_COMMENTS = re.compile(r"(?!)")
OWN_FILES = {
    ("shapes", "*.ttl"): COMMENT_LINES,
    ("queries", "*.rq"): NO_COMMENTS,
    ("queries", "pages/*.rq"): COMMENT_LINES,
    ("templates", "**/*"): TEMPLATE_COMMENT,
    ("static", "**/*"): NO_COMMENTS,
}
BEFORE_DIGITS = re.compile(r"[+(]?\d[\d\s().-]*$|[+(]$")
MAX_FILE_SIZE = 1 << 22  # bytes; larger static files are not text


def leaked(graph: Graph) -> list[Problem]:
    """All private values that would be published. Everything published is made from what is
    searched here.
    """
    if not any(graph.secrets):
        return []
    return [*leaked_by_graph(graph), *leaked_by_reasons(graph), *leaked_by_files(graph)]


def leaked_by_graph(graph: Graph) -> list[Problem]:
    """Leaks by the graph, with the documents that would publish them and the place of the first."""
    if not any(graph.secrets.found_in(text) for text in values(graph)):
        return []  # a quick search in everything
    found: defaultdict[Secret, dict[str, Statement]] = defaultdict(dict)
    for document in graph.memory.documents():
        texts = [
            (quad.subject.value, quad.predicate.value, quad.object.value)
            for quad in graph.memory.quads(document)
            if not isinstance(quad.subject, Triple) and not isinstance(quad.object, Triple)
        ]
        name = document.removeprefix(graph.site.base) or "the home page"
        for secret in graph.secrets.found_in(NUL.join(text for _, _, text in texts)):
            found[secret][name] = min(
                (said for said in texts if secret in graph.secrets.matches(said[2])),
                key=lambda said: ("#" not in said[0], said),  # prefer an entity to its page
            )
    return [leak_in_graph(graph, secret, texts) for secret, texts in found.items()]


def leak_in_graph(graph: Graph, secret: Secret, texts: dict[str, Statement]) -> Problem:
    first, *others = texts
    place = problem_of(graph, Finding(*texts[first], "leak", "", "")).place
    more = f" and {len(others)} more" if others else ""
    message = (
        f"This is private, but would be published in {first}{more}: {place} contains it too, "
        "perhaps in another spelling. Remove it there, or make it public."
    )
    return Problem(secret.place, "error", message, "leak", (place,))


def leaked_by_reasons(graph: Graph) -> Iterator[Problem]:
    """Private values in the reasons for withdrawn addresses."""
    for gone in graph.site.withdrawn:
        for secret in graph.secrets.found_in(gone.reason or ""):
            yield leak_at(secret, gone.place)


def leaked_by_files(graph: Graph) -> Iterator[Problem]:
    """Private values in the site's own files. Single words are ignored unless they are contact
    details, because these files are not prose.
    """
    for file, text in own_files(graph.site.folder):
        for secret in graph.secrets.found_in(text):
            if secret.contact or " " in secret.text:
                name = file.relative_to(graph.site.folder).as_posix()
                yield leak_at(secret, place_in(graph, name, text, secret))


def own_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """The text files of the site, without their comments; line numbers stay the same."""
    for (name, pattern), comments in OWN_FILES.items():
        if (folder / name).resolve() == shipped(name).resolve():
            continue  # the built-in files: the site is this checkout
        for path in sorted((folder / name).glob(pattern)):
            with suppress(OSError, UnicodeDecodeError):  # reported by another check, or an image
                if path.name[0] != "." and path.is_file() and path.stat().st_size <= MAX_FILE_SIZE:
                    text = path.read_bytes().decode()
                    yield path, comments.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def place_in(graph: Graph, name: str, text: str, secret: Secret) -> Place:
    """Where a secret starts in a file: at the last word from which it is still found."""

    def is_in(part: str) -> bool:
        return secret in graph.secrets.matches(part)

    lines = text.split("\n")
    number = next((at for at, line in enumerate(lines) if is_in(line)), None)
    part = lines[number or 0]
    if number is None:  # it spans several lines
        tails = ((at, "\n".join(lines[at:])) for at in reversed(range(len(lines))))
        number, part = next(((at, rest) for at, rest in tails if is_in(rest)), (0, part))
    words = [word.start() for word in re.finditer(r"\w+", lines[number])]
    column = next((at for at in reversed(words) if is_in(part[at:])), 0)
    digits = BEFORE_DIGITS.search(lines[number][:column]) if part[column].isdigit() else None
    return Place(name, number + 1, (digits.start() if digits else column) + 1)


def leak_at(secret: Secret, place: Place) -> Problem:
    message = (
        f"This is private ({secret.place}, perhaps in another spelling), but would be published. "
        "Remove it here, or make it public there."
    )
    return Problem(place, "error", message, "leak", (secret.place,))


def values(graph: Graph) -> Iterator[str]:
    """The texts of all documents and external addresses such as `mailto:`, each once, in
    batches.
    """
    query = f"""SELECT DISTINCT ?value WHERE {{
        ?thing ?predicate ?value
        FILTER(?predicate != <{rdf.type}>)
        FILTER(isLiteral(?value) || !STRSTARTS(STR(?value), {Literal(graph.site.base)}))
    }}"""
    rows = graph.memory.run(query)
    assert isinstance(rows, QuerySolutions)  # noqa: S101
    found = (row["value"].value for row in rows)
    while some := list(islice(found, BATCH_SIZE)):
        yield NUL.join(some)
