"""Applies fixes until none is left: check, edit, check again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from kg.check.report.extents import Edit
from kg.check.report.selection import from_here, message_from_here
from kg.check.report.text import printable
from kg.check.site_state import Fixer, Report, Request
from kg.cli.messages import inform, print_file, show, warn
from kg.errors import Problem, counted
from kg.files.atomic import lock_site, replace_files
from kg.files.disk import Stamp, stamp_of, walk
from kg.plugins.fix.edits import applied, certain, diff, edits_of, is_text, moves_of
from kg.settings import FOLDERS
from kg.text.columns import pointed

MAX_ROUNDS = 20  # a fix can uncover another problem, such as those of a file that can be read again
Edits = Mapping[str, list[tuple[Problem, Edit]]]


def run(request: Request, check: Callable[[], Report]) -> Report:
    """Checks a site, fixes what can be fixed, and returns the report on what is left."""
    if request.unsafe and not sys.stdin.isatty():
        raise click.UsageError("--unsafe asks about each fix, so it needs a terminal.")
    answers: dict[str, str | None] = {}

    def choose(problem: Problem) -> str | None:
        if not (request.unsafe and problem.fix and not problem.fix.is_certain):
            return certain(problem)
        asked = f"{problem.place.file} {problem.message}"
        if asked not in answers:
            answers[asked] = ask(request.site, problem)
        return answers[asked]

    total = 0
    for number in range(MAX_ROUNDS):
        before = stamps(request.site)
        report = check()
        selected = in_files(request, report)
        edits = edits_of(request.site, selected, choose)
        moves = moves_of(request.site, selected, choose)
        if request.diff or not (edits or moves):
            break
        done = write(request.site, edits, before) + move(request.site, moves, before)
        total += done
        if not done or number == MAX_ROUNDS - 1:
            report = check()
            break
    if request.diff:
        show_diff(request.site, edits, moves)
        sys.exit(1 if edits or moves else 0)
    if not total:
        inform("Nothing was fixed." if edits or moves else "Nothing to fix.")
    return report


def in_files(request: Request, report: Report) -> list[Problem]:
    return [
        each for each in report.problems if not request.files or each.place.file in request.files
    ]


def stamps(site: Path) -> dict[str, Stamp]:
    """When each file of a site was changed."""
    return {
        f"{top}/{name}": stamp_of(site / top / name)
        for top in FOLDERS
        for name in walk(site / top).files
    }


def write(site: Path, edits: Edits, before: Mapping[str, Stamp]) -> int:
    """Writes the edits of files that did not change since the check started. Returns their
    number.
    """
    lines, changed = list[str](), dict[str, str | bytes]()
    with lock_site(site, inform):
        for file, found in edits.items():
            path = site / file
            data = path.read_bytes()
            if stamp_of(path) != before.get(file) or not is_text(data):
                warn(f"{from_here(site, file)} changed during the check, so it was not fixed.")
                continue
            changed[file] = applied(file, data, (edit for _, edit in found))
            lines += (change_line(site, problem, edit) for problem, edit in found)
        replace_files(site, changed)
    for line in lines:
        inform(line)
    return len(lines)


def move(site: Path, moves: Mapping[str, str], before: Mapping[str, Stamp]) -> int:
    """Moves files that did not change since the check started. Returns their number."""
    count = 0
    with lock_site(site, inform):
        for old, new in moves.items():
            if stamp_of(site / old) != before.get(old) or (site / new).exists():
                continue
            (site / new).parent.mkdir(parents=True, exist_ok=True)
            (site / old).rename(site / new)
            inform(f"Moved {from_here(site, old)} to {from_here(site, new)}")
            count += 1
    return count


def change_line(site: Path, problem: Problem, edit: Edit) -> str:
    """`data/cv/ada.yaml:12:5  postion -> position  [unknown-field]`"""
    old = problem.fix.old.strip() if problem.fix else ""
    at = f"{from_here(site, edit.start.file)}:{problem.place.line}:{problem.place.column}"
    return printable(f"Fixed {at}  {old} -> {edit.text.strip()}  [{problem.rule}]")


def show_diff(site: Path, edits: Edits, moves: Mapping[str, str]) -> None:
    for file, found in edits.items():
        data = (site / file).read_bytes()
        after = applied(file, data, (edit for _, edit in found))
        print_file("".join(diff(from_here(site, file), data, after)).encode())
    for old, new in moves.items():
        lines = (f"rename from {from_here(site, old)}", f"rename to {from_here(site, new)}")
        print_file("".join(f"{printable(line)}\n" for line in lines).encode())
    count = sum(map(len, edits.values())) + len(moves)
    inform(
        f"{counted(count, 'fix', 'fixes')}. To write them: kg check --fix" if count else "No fixes."
    )


def ask(site: Path, problem: Problem) -> str | None:
    """Asks which of the likely texts to write; None for none of them."""
    texts = problem.fix.texts if problem.fix else ()
    place = problem.place
    text = (site / place.file).read_text(encoding="utf-8", errors="replace")
    show(f"\n{from_here(site, place.file)}:{place.line}:{place.column}")
    for line in pointed(text, place.line, place.column, 100):
        show(f"    {line}")
    show(message_from_here(site, problem.message))
    for number, each in enumerate(texts, 1):
        show(f"  {number}  {each.strip()}")
    choice = click.IntRange(0, len(texts))
    number = click.prompt("Write which one? (0: none)", default=0, type=choice, err=True)
    return texts[number - 1] if number else None


FIXER = Fixer(run)
