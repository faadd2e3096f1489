"""The commands `kg add` and `kg reconcile`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.command import SiteArgument, command, keep
from kg.cli.messages import show, show_json, tell
from kg.cli.options import FOLDER, SITE, formats
from kg.errors import counted

if TYPE_CHECKING:
    from kg.advice.likeness import LikelyPair
    from kg.plugins.exchange.edits.additions import Target

ANSWERS = ("same", "different", "skip", "quit")


@command(
    heading="Write",
    short_help="Add an entry: a job, a paper, a person.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("kind")
@click.argument(
    "words", cls=SiteArgument, nargs=-1, type=click.UNPROCESSED, metavar="[SITE] [FIELD=VALUE]…"
)
@click.option(
    "--person", default="", metavar="SLUG", help="Whose CV it is, where there are several."
)
@click.option(
    "--from",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A .bib or CSL-JSON file that has the work, by its --doi or --arxiv.",
)
@click.option("--online", is_flag=True, help="Ask doi.org for the work, by its --doi or --arxiv.")
def add(kind: str, words: tuple[str, ...], person: str, file: Path | None, online: bool) -> None:
    """Add an entry: a KIND is work, education, paper, talk, award, person, organization …

    Fields are given as FIELD=VALUE or --FIELD VALUE, in your words or ours; several values have
    semicolons between them. On a terminal the others are asked for.
    """
    from kg.facts.files import read_files
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.edits.additions import entry_errors, place, target
    from kg.settings import site_file

    keep("Nothing was written.")
    is_site = bool(words) and not words[0].startswith("--") and "=" not in words[0]
    site = FOLDER.convert(words[0] if is_site else ".", None, None)
    site_file(site)
    where = target(kind, read_files(site).cvs, person)
    entry: dict[str, Any] = {}
    for word, text in given(words[is_site:]):
        name = where.field(word)
        value = where.value(name, text)
        both = isinstance(entry.get(name), list) and isinstance(value, list)
        entry[name] = [*entry[name], *value] if both else value
    if file or online:
        entry = {**record(entry, file), **entry}
    if sys.stdin.isatty():
        ask(site, where, entry)
    elif missing := where.required(entry):
        more = " Or add --from FILE or --online." if {"doi", "arxiv"} & entry.keys() else ""
        raise click.UsageError(
            f"Missing: {', '.join(missing)}. Give each as {missing[0]}=…, or type this at a "
            f"terminal.{more}"
        )
    with lock_site(site, tell):
        addition = place(site, where, entry)
        if problems := entry_errors(site, addition):
            for message in dict.fromkeys(problem.message for problem in problems):
                tell(message, "red")
            tell(f"Nothing was written to {site / addition.path}. Correct that and type it again.")
            sys.exit(1)
        replace_files(site, addition.texts)
    for line in addition.lines:
        show(line)
    tell(f"{site / addition.path}:{addition.first}: written, and it checks.")


def given(words: tuple[str, ...]) -> list[tuple[str, str]]:
    """Parses `title=Ice`, `--title=Ice` and `--title Ice` into pairs."""
    found, rest = list[tuple[str, str]](), list(words)
    while rest:
        word = rest.pop(0)
        name, sign, value = word.removeprefix("--").partition("=")
        if not sign and word.startswith("--") and rest:
            value = rest.pop(0)
        elif not sign or not name:
            raise click.UsageError(f"'{word}' is no field. Write FIELD=VALUE, or --FIELD VALUE.")
        found.append((name, value))
    return found


def record(entry: dict[str, Any], file: Path | None) -> dict[str, Any]:
    from kg.plugins.exchange.edits.work_lookup import from_file, from_resolver

    wanted: dict[str, str] = {name: entry[name] for name in ("doi", "arxiv") if name in entry}
    return from_file(file, wanted) if file else from_resolver(wanted)


def ask(site: Path, where: Target, entry: dict[str, Any]) -> None:
    """Prompts for missing required fields and some optional ones; an empty answer skips one."""
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
    """Prompts until the value is valid; None if an optional field is left empty."""
    several = " (several with ';')" if where.is_list(name) else ""
    choices = where.choices(name)
    known = f" ({', '.join(choices)})" if choices and len(choices) <= 12 else ""
    while True:
        text = click.prompt(f"{name}{several}{known}", default="", show_default=False, err=True)
        if not text.strip() and not is_needed:
            return None
        if not text.strip():
            tell("This is needed. Ctrl-C ends without writing anything.")
            continue
        value = where.value(name, text.strip())
        if wrong := field_error(site, where, entry, name, value):
            tell(wrong, "red")
            continue
        return value


@command(heading="Write", short_help="Decide which names that are written alike mean the same.")
@SITE
@formats("text", "json", what="The form of the list.")
def reconcile(site: Path, format: str) -> None:
    """Decide which names that are written alike mean the same: one by one on a terminal.

    A decision is written into a registry, and undone by deleting it there. Elsewhere than on a
    terminal the pairs are listed.
    """
    from kg.files.atomic import lock_site, replace_files
    from kg.plugins.exchange.edits.reconcile import (
        Decision,
        NotReconciled,
        pairs,
        texts_with_decision,
    )

    found = pairs(site)
    if format == "json":
        show_json([*map(as_record, found)])
        return
    if not sys.stdin.isatty():
        for pair in found:
            show(f"{pair.place}  {pair.name}  {pair.other_place}  {pair.other}")
    if not found or not sys.stdin.isatty():
        tell(f"{counted(len(found), 'likely pair')}." if found else "No names are written alike.")
        return
    seen: set[tuple[str, str]] = set()
    written = 0
    while left := [each for each in pairs(site) if (each.name, each.other) not in seen]:
        pair = left[0]
        seen.add((pair.name, pair.other))
        tell(f"\n{pair.name}   {pair.place}\n{pair.other}   {pair.other_place}")
        choice = click.prompt("Are they", type=click.Choice(ANSWERS), err=True)
        if choice == "quit":
            break
        if choice == "skip":
            continue
        decision: Decision = "same" if choice == "same" else "different"
        reason = click.prompt("Why", default="", show_default=False, err=True).strip()
        try:
            with lock_site(site, tell):
                texts = texts_with_decision(site, pair, decision, reason)
                replace_files(site, texts)
        except NotReconciled as error:
            tell(str(error), "red")
            continue
        written += 1
        tell(f"Written to {site / next(iter(texts))}.")
    tell(f"{counted(written, 'decision')} written.")


def as_record(pair: LikelyPair) -> dict[str, object]:
    return {
        "kind": pair.kind,
        "name": pair.name,
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
