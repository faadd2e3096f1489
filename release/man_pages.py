"""Manual pages, `man/kg.1` and one for each command, from the help of the commands. The wheel
installs them into `share/man/man1/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from kg.cli import main

FOLDER = Path(__file__).parents[1] / "man"
ABOUT = (
    "cv-kg turns CVs in YAML into web pages and a knowledge graph. Each command has a page of its "
    "own: man kg-check. The documentation is in the folder docs of the source archive."
)


def pages() -> dict[Path, str]:
    """The text of each page, by its file."""
    context = click.Context(main, info_name="kg")
    commands = {name: main.get_command(context, name) for name in main.list_commands(context)}
    known = {name: each for name, each in commands.items() if each and is_ours(each)}
    found = {FOLDER / "kg.1": overview(known)}
    for name, each in known.items():
        inner = click.Context(each, info_name=name, parent=context)
        found[FOLDER / f"kg-{name}.1"] = page(name, each, inner)
    return found


def is_ours(command: click.Command) -> bool:
    """Whether a command is not hidden, and not a plugin of another package."""
    return not command.hidden and getattr(command.callback, "__module__", "").startswith("kg.")


def overview(commands: dict[str, click.Command]) -> str:
    lines = [*head("kg", "CVs in YAML, published as a checked knowledge graph")]
    lines += [".SH SYNOPSIS", ".B kg", r"\fICOMMAND\fR [\fIOPTIONS\fR]"]
    lines += [".SH DESCRIPTION", roff(ABOUT), ".SH COMMANDS"]
    for name, each in commands.items():
        lines += [".TP", rf"\fBkg {roff(name)}\fR", roff(each.get_short_help_str(200))]
    return "\n".join([*lines, ""])


def page(name: str, command: click.Command, context: click.Context) -> str:
    lines = [*head(f"kg-{name}", command.get_short_help_str(200))]
    usage = " ".join(command.collect_usage_pieces(context))
    lines += [".SH SYNOPSIS", rf"\fBkg {roff(name)}\fR {roff(usage)}", ".SH DESCRIPTION"]
    lines += list(paragraphs(command.help or ""))
    records = [each.get_help_record(context) for each in command.get_params(context)]
    lines.append(".SH OPTIONS")
    for option, meaning in filter(all, filter(None, records)):
        lines += [".TP", rf"\fB{roff(option)}\fR", roff(meaning)]
    return "\n".join([*lines, ".SH SEE ALSO", r".BR kg (1)", ""])


def head(name: str, about: str) -> Iterator[str]:
    yield f'.TH "{name.upper()}" "1" "" "cv-kg" "cv-kg"'
    yield ".SH NAME"
    yield rf"{roff(name)} \- {roff(about.rstrip('.'))}"


def paragraphs(text: str) -> Iterator[str]:
    for number, paragraph in enumerate(re.split(r"\n\s*\n", text.replace("\b", "").strip())):
        if number:
            yield ".PP"
        yield roff(" ".join(paragraph.split()))


def roff(text: str) -> str:
    """Text that troff prints as it is."""
    found = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{found}" if found.startswith((".", "'")) else found
