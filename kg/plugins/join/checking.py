"""Checks the facts of one site by our shapes and those of the site that joins it."""

from __future__ import annotations

import resource
import signal
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from kg.check.check import check_facts
from kg.errors import KgError, Problem, errors_in
from kg.facts.load import Facts
from kg.graph.parallel.run import Run
from kg.plugins.join.facts import LINE, LeftOut
from kg.plugins.join.fetching import NotJoined
from kg.settings import Site

ROUNDS = 6
FEW = 5_000  # statements that cannot take long
SECONDS, MEMORY = 120, 4 << 30  # for the check of a site with more
# Rules about single statements; other rules are about whole entries.
STATEMENT_RULES = {
    "bad-value",
    "bad-language",
    "ill-typed",
    "foreign-subject",
    "blank-node",
    "shared-homepage",
}


def usable(
    lines: list[str], site: Site, base: str, file: Path, today: str, left_out: LeftOut
) -> list[str]:
    """The lines without the entries that fail a check. `file` is a scratch file of the site. Many
    lines are checked in a process of their own, within limits: some rules compare all pairs. Raises
    NotJoined.
    """
    if len(lines) <= FEW:
        return passing(lines, site, base, file, today, left_out)
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=check_bounded, args=(theirs, MEMORY, (lines, site, base, file, today, LeftOut()))
    )
    process.start()
    theirs.close()
    try:
        if not ours.poll(SECONDS):
            raise NotJoined(f"takes more than {SECONDS} s to check")
        found = ours.recv()
    except EOFError as error:
        raise NotJoined(f"needs more than {MEMORY >> 20:,} MB of memory to check") from error
    finally:
        process.kill()
        process.join()
        ours.close()
        file.unlink(missing_ok=True)
    if isinstance(found, NotJoined):
        raise found
    lines, more = found
    left_out.update(more)
    return lines


def check_bounded(answer: Connection, memory: int, arguments: tuple[Any, ...]) -> None:
    """Sends what `passing` returns, and what it left out, or its exception."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with suppress(MemoryError):
        try:
            answer.send((passing(*arguments), arguments[-1]))
        except NotJoined as error:
            answer.send(error)


def passing(
    lines: list[str], site: Site, base: str, file: Path, today: str, left_out: LeftOut
) -> list[str]:
    """The lines without the entries that fail a check. Raises NotJoined if errors remain."""
    facts = Facts(site.folder, replace(site, base=base, withdrawn=(), moved=()), turtle=[file])
    file.parent.mkdir(exist_ok=True)
    for _ in range(ROUNDS):
        file.write_text("".join(lines), encoding="utf-8")
        try:
            problems = check_facts(facts, Run(today=today)).problems
        except KgError as error:
            raise NotJoined(f"cannot be checked: {error}") from error
        finally:
            file.unlink()
        name = file.relative_to(site.folder).as_posix()
        errors = [each for each in errors_in(problems) if each.place.file == name]
        if not errors:
            return lines
        lines = without(lines, errors, left_out)
    raise NotJoined("has facts that still fail the checks without the entries that failed first")


def without(lines: list[str], errors: Iterable[Problem], left_out: LeftOut) -> list[str]:
    """The lines without the statements or entries that the errors are about, and without links to
    these entries. An error about the main entity of a document removes the document.
    """
    statements, subjects = set[int](), defaultdict[str, list[Problem]](list)
    for error in errors:
        number = error.place.line - 1
        match = LINE.fullmatch(lines[number]) if number < len(lines) else None
        if match is None:
            continue
        if error.rule in STATEMENT_RULES:
            statements.add(number)
        else:
            subjects[match[1]].append(error)
        left_out.add(f"{error.message} [{error.rule}]", match[1])
    documents = tuple(f"{each.removesuffix('it')}" for each in subjects if each.endswith("#it"))

    def is_used(number: int, line: str) -> bool:
        match = LINE.fullmatch(line)
        if match is None or number in statements:
            return False
        return not any(
            each is not None and (each in subjects or each.startswith(documents or ("\0",)))
            for each in (match[1], match[3])
        )

    return [line for number, line in enumerate(lines) if is_used(number, line)]
