"""`kg add` writes a new entry; `kg reconcile` records which similar names are the same."""

from __future__ import annotations

import shlex
import sys
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.command import SiteArgument, command, on_interrupt
from kg.cli.messages import inform, print_json, show
from kg.cli.options import FOLDER, SITE, format_option
from kg.errors import counted

if TYPE_CHECKING:
    from kg.advice.likeness import LikelyPair
    from kg.plugins.exchange.edits.additions import Target
    from kg.plugins.exchange.edits.reconcile import Decision, PersonPair

DATES = {  # format of a date, for a prompt
    **dict.fromkeys(("date", "startDate", "endDate"), " (YYYY-MM-DD, YYYY-MM or YYYY)"),
    "year": " (YYYY)",
}
ANSWERS = ("same", "different", "skip", "quit")


@command(
    heading="Editing",
    short_help="Add an entry: a job, a paper, a person.",
    context_settings={"ignore_unknown_options": True},
    example='kg add award mysite title="River Prize" date=2024 --person ada-lindqvist',
)
@click.argument(
    "words",
    cls=SiteArgument,
    nargs=-1,
    type=click.UNPROCESSED,
    required=True,
    metavar="KIND [SITE] [FIELD=VALUE]…",
)
@click.option(
    "--person",
    default="",
    metavar="SLUG",
    help="Person whose CV gets the entry (default: the only one of the site).",
)
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="BibTeX or CSL-JSON file to take the publication from, by doi or arxiv.",
)
@click.option("--online", is_flag=True, help="Look up the publication at doi.org, by doi or arxiv.")
def add(words: tuple[str, ...], person: str, file: Path | None, online: bool) -> None:
    """Add an entry to a CV or a registry, and check it.

    KIND is a section of a CV (news, work, breaks, education, certificates, grants, teaching,
    mentoring, memberships, service, tutorials, talks, volunteer, languages, skills, interests,
    awards, extracurricular, projects, systems, references, press, contributions, sections,
    publications, patents) or an entry of a registry (person, organization, venue, place, topic,
    course, software, source). Words such as job, paper and talk work too.

    FIELD=VALUE, or --FIELD VALUE, sets a field; separate several values with semicolons. On a
    terminal, you are asked for fields that are missing.

    For a publication, doi=… or arxiv=… with --file or --online fills in the rest.
    """
    from kg.facts.files import read_files
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.edits.additions import entry_errors, place, target
    from kg.settings import SITE_FILE, site_file

    on_interrupt("Nothing was written.")
    bare = [*takewhile(lambda word: not word.startswith("--") and "=" not in word, words)][:2]
    kind, *folders = sorted(bare, key=lambda word: (Path(word) / SITE_FILE).exists()) or [""]
    site = FOLDER.convert(folders[0] if folders else ".", None, None)
    site_file(site)
    where = target(kind, read_files(site).cvs, person)
    entry: dict[str, Any] = {}
    for word, text in given(words[len(bare) :]):
        name = where.field(word)
        value = where.value(name, text)
        both = isinstance(entry.get(name), list) and isinstance(value, list)
        entry[name] = [*entry[name], *value] if both else value
    if file or online:
        entry = {**record(entry, file), **entry}
    if sys.stdin.isatty():
        ask(site, where, entry)
    elif missing := where.required(entry):
        more = " Or add --file FILE or --online." if {"doi", "arxiv"} & entry.keys() else ""
        verb = "is" if len(missing) == 1 else "are"
        raise click.UsageError(
            f"{', '.join(missing)} {verb} missing. Add {missing[0]}=…, or run kg add on a "
            f"terminal.{more}"
        )
    with lock_site(site, inform):
        addition = place(site, where, entry)
        if problems := entry_errors(site, addition):
            for message in dict.fromkeys(problem.message for problem in problems):
                inform(message, "red")
            inform(f"{site / addition.path} was not changed. Fix the error and run kg add again.")
            sys.exit(1)
        replace_files(site, addition.texts)
    for line in addition.lines:
        show(line)
    inform(f"Added to {site / addition.path}:{addition.first}, without errors.")


def given(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """The (field, value) pairs of `title=Ice`, `--title=Ice` and `--title Ice`."""
    found, rest = list[tuple[str, str]](), list(words)
    while rest:
        word = rest.pop(0)
        name, sign, value = word.removeprefix("--").partition("=")
        if not sign and word.startswith("--") and rest:
            value = rest.pop(0)
        elif not sign or not name:
            raise click.UsageError(
                f"'{word}' is not a field with a value. Write FIELD=VALUE or --FIELD VALUE."
            )
        found.append((name, value))
    return found


def record(entry: dict[str, Any], file: Path | None) -> dict[str, Any]:
    from kg.plugins.exchange.edits.additions import from_file, from_resolver

    wanted: dict[str, str] = {name: entry[name] for name in ("doi", "arxiv") if name in entry}
    return from_file(file, wanted) if file else from_resolver(wanted)


def ask(site: Path, where: Target, entry: dict[str, Any]) -> None:
    """Prompts for required fields, and for a few usual ones; an empty answer skips these."""
    from kg.plugins.exchange.edits.additions import field_error

    asked: set[str] = set()
    while name := next((each for each in where.required(entry) if each not in asked), ""):
        asked.add(name)
        entry[name] = answer(site, where, entry, name, field_error, is_needed=True)
    for name in where.prompted_fields():
        if name not in entry:
            value = answer(site, where, entry, name, field_error, is_needed=False)
            if value:
                entry[name] = value


def answer(
    site: Path, where: Target, entry: dict[str, Any], name: str, field_error: Any, is_needed: bool
) -> Any:
    """Prompts until the value is valid; an empty answer to an optional field returns None."""
    several = " (separate several with ';')" if where.is_list(name) else DATES.get(name, "")
    choices = where.choices(name)
    known = f" ({', '.join(choices)})" if choices and len(choices) <= 12 else ""
    while True:
        text = click.prompt(f"{name}{several}{known}", default="", show_default=False, err=True)
        if not text.strip() and not is_needed:
            return None
        if not text.strip():
            inform(f"{name} is required. Press Ctrl-C to stop without writing anything.")
            continue
        value = where.value(name, text.strip())
        if wrong := field_error(site, where, entry, name, value):
            inform(wrong, "red")
            continue
        return value


@command(
    heading="Editing",
    short_help="Merge similar names in your data (not the OpenRefine service).",
    example="kg reconcile mysite",
)
@SITE
@format_option("text", "json", what="Format of the list.")
@click.option(
    "--same", nargs=2, metavar="NAME KEY", help="Record that a listed name is that of KEY."
)
@click.option(
    "--different", nargs=2, metavar="NAME KEY", help="Record that a listed name is not that of KEY."
)
def reconcile(
    site: Path, format: str, same: tuple[str, str] | None, different: tuple[str, str] | None
) -> None:
    """Merge similar names in your data. (The OpenRefine service is /reconcile of kg serve.)

    Proposes people who may be one person (H. Lind and Hana Lind), with the evidence, then similar
    names of organisations, venues and topics. On a terminal, asks about each pair. Otherwise lists
    the pairs, each with the command that merges it.

    Each decision is a line in a file; delete the line to undo it.
    """
    from kg.plugins.exchange.edits.reconcile import NotReconciled, named_pair, proposals

    if decided := same or different:
        known = named_pair(site, *decided)
        if known is None:
            name, key = decided
            raise NotReconciled(
                f"'{name}' and '{key}' are not among the pairs. To list: "
                + shlex.join(["kg", "reconcile", *where(site)])
            )
        record_decision(site, known, "same" if same else "different", "")
        return
    found = proposals(site)
    if format == "json":
        print_json([*map(as_record, found)])
        return
    if not sys.stdin.isatty():
        for pair in found:
            show(f"{pair.place}  {pair.name}  {pair.other_place}  {pair.other}{evidence(pair)}")
            show(f"  {merge_command(site, pair)}")
    if not found or not sys.stdin.isatty():
        inform(f"{counted(len(found), 'likely pair')}." if found else "No similar names.")
        return
    seen: set[tuple[str, str]] = set()
    written = 0
    while left := [each for each in proposals(site) if (each.name, each.other) not in seen]:
        pair = left[0]
        seen.add((pair.name, pair.other))
        inform(f"\n{pair.name}   {pair.place}\n{pair.other}   {pair.other_place}{evidence(pair)}")
        choice = click.prompt("Are these two", type=click.Choice(ANSWERS), err=True)
        if choice == "quit":
            break
        if choice == "skip":
            continue
        reason = click.prompt("Why", default="", show_default=False, err=True).strip()
        try:
            record_decision(site, pair, "same" if choice == "same" else "different", reason)
        except NotReconciled as error:
            inform(str(error), "red")
            continue
        written += 1
    inform(f"{counted(written, 'decision')} recorded.")


def record_decision(
    site: Path, pair: LikelyPair | PersonPair, decision: Decision, reason: str
) -> None:
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.edits.reconcile import texts_with_decision

    with lock_site(site, inform):
        texts = texts_with_decision(site, pair, decision, reason)
        replace_files(site, texts)
    inform(f"Added to {site / next(iter(texts))}.")


def evidence(pair: LikelyPair | PersonPair) -> str:
    found = getattr(pair, "evidence", "")
    return f"  ({found})" if found else ""


def merge_command(site: Path, pair: LikelyPair | PersonPair) -> str:
    """The command that records that both are the same."""
    return shlex.join(["kg", "reconcile", *where(site), "--same", pair.name, pair.slug])


def where(site: Path) -> list[str]:
    """The argument for a site that is not the current folder."""
    return [] if site == Path() else [str(site)]


def as_record(pair: LikelyPair | PersonPair) -> dict[str, object]:
    return {
        "kind": pair.kind,
        "name": pair.name,
        "evidence": getattr(pair, "evidence", ""),
        "file": pair.place.file,
        "line": pair.place.line,
        "column": pair.place.column,
        "other": {
            "key": pair.slug,
            "name": pair.other,
            "file": pair.other_place.file,
            "line": pair.other_place.line,
            "column": pair.other_place.column,
        },
    }
