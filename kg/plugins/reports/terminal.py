"""The report on a terminal: each problem with its line and a caret, errors first.

Problems of one rule and file that say the same are folded into one. If there are many, each is its
message below its file, and a table of the rules follows. If those do not fit either, the first are
a line each: three hundred problems fit one screen.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from urllib.parse import quote

import click

from kg.check.report.extents import Source, sources
from kg.check.report.selection import ReportFormat, Selection, from_here, message_from_here
from kg.check.report.text import COLOURS, printable
from kg.errors import SEVERITIES, Place, Problem, count_severities, counted
from kg.text.columns import cut, pointed, width

MAX_SNIPPETS = 10  # groups that are shown with their line
MAX_LISTED = 30  # groups that are shown with their whole messages
MAX_GROUPS = 20  # groups that get one line each; the table of rules counts all
MAX_RULES = 12
MAX_LINES = 5  # lines that a folded group names
MAX_WIDTH = 120
WITH_RULES = 120  # from this width, lines that are cut name their rule
VARIABLE = re.compile(r"\d+|^[\w.\[\]-]+(?=:? )")  # what may differ: numbers, and the entry
ENTRY = re.compile(r"^[\w.\[\]-]+: ")  # its line says it, too
Group = list[Problem]
Link = Callable[[Place, str], str]
# Terminals that open links, by a variable that they set.
KNOWN = ("VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION", "WEZTERM_EXECUTABLE")
PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "zed")
TERMS = ("alacritty", "foot", "xterm-kitty", "xterm-ghostty", "contour")


def lines(selection: Selection) -> Iterator[str]:
    groups = grouped(selection.problems)
    available = min(shutil.get_terminal_size().columns, MAX_WIDTH)
    context = click.get_current_context(silent=True)
    is_plain = context is not None and context.color is False
    link = linked(selection) if opens_links(os.environ) and not is_plain else no_link
    if len(groups) <= MAX_SNIPPETS:
        source = sources(selection.folder)
        for number, group in enumerate(groups):
            yield from [""] if number else []
            yield from snippet(selection, group, source(group[0].place.file), link, available)
        return
    is_cut = len(groups) > MAX_LISTED
    shown = groups[:MAX_GROUPS] if is_cut else groups
    yield from compact(selection, shown, link, available, is_cut)
    if left := groups[len(shown) :]:
        count = counted(sum(map(len, left)), "more problem")
        yield f"… and {count}. To list all: kg check | less"
    yield ""
    yield from by_rule(selection, available)


def grouped(problems: Sequence[Problem]) -> list[Group]:
    """Equal problems of a file together; errors first, then by file and line."""
    found: dict[tuple[str, ...], Group] = defaultdict(list)
    for each in sorted(problems, key=lambda each: (SEVERITIES.index(each.severity), each.place)):
        alike = VARIABLE.sub("…", each.message)
        found[each.severity, each.place.file, each.rule, alike].append(each)
    return list(found.values())


def snippet(
    selection: Selection, group: Group, source: Source | None, link: Link, available: int
) -> Iterator[str]:
    """A problem as compilers show it: message, place, line, caret, and what a fix writes."""
    first = group[0]
    message = printable(message_from_here(selection.folder, first.message))
    yield f"{head(first)}: {click.style(message, bold=True)}"
    margin = " " * len(str(first.place.line))
    at = f"{from_here(selection.folder, first.place.file)}:{first.place.line}:{first.place.column}"
    yield f"{margin}{dim('-->')} {link(first.place, printable(at))}"
    if source and (shown := marked(source, first.place, available - len(margin) - 4)):
        line, caret = shown
        yield f"{margin} {dim('|')}"
        yield f"{dim(f'{first.place.line} |')} {line}"
        caret = click.style(caret, fg=COLOURS[first.severity])
        yield f"{margin} {dim('|')} {caret}{remedy(selection, first)}"
    if more := others(group):
        yield f"{margin} {dim('=')} {more}"


def head(problem: Problem) -> str:
    return click.style(f"{problem.severity}[{problem.rule}]", fg=COLOURS[problem.severity])


def dim(text: str) -> str:
    return click.style(text, dim=True)


def marked(source: Source, place: Place, available: int) -> list[str]:
    """The line of a place, and carets below its value."""
    shown = pointed(source.line(place.line), 1, place.column, available)
    end = source.end(place)
    if not shown or end is None or end.line != place.line:
        return shown
    value = source.line(place.line)[place.column - 1 : end.column - 1]
    space = max(width(shown[0]) - shown[1].index("^"), 1)
    return [shown[0], shown[1] + "^" * (min(width(value), space) - 1)]


def remedy(selection: Selection, problem: Problem) -> str:
    """What `kg check --fix` writes at the caret; empty if that is not certain."""
    if edit := selection.edits.get(problem):
        return click.style(f" fix: {printable(edit.text.strip()) or 'remove it'}", fg="green")
    return ""


def others(group: Group) -> str:
    """`and 69 more like this: lines 4, 5, …`; empty if there is only one."""
    if len(group) == 1:
        return ""
    numbers = [str(line) for line in dict.fromkeys(each.place.line for each in group[1:])]
    shown = ", ".join(numbers[:MAX_LINES]) + (", …" if len(numbers) > MAX_LINES else "")
    return f"and {len(group) - 1} more like this: line{'s' * (len(numbers) > 1)} {shown}"


def compact(
    selection: Selection, groups: list[Group], link: Link, available: int, is_cut: bool
) -> Iterator[str]:
    """The message of each group below the name of its file, on one line if it is cut."""
    for file, found in groupby(groups, lambda group: group[0].place.file):
        yield link(
            Place(file), click.style(printable(from_here(selection.folder, file)), bold=True)
        )
        for group in found:
            first = group[0]
            at = f"{first.place.line}:{first.place.column}".rjust(7)
            severity = click.style(f"{first.severity:<7}", fg=COLOURS[first.severity])
            margin = len(at) + len(f"{first.severity:<7}") + 4
            text = printable(message_from_here(selection.folder, first.message))
            more = f" (and {len(group) - 1} more)" if len(group) > 1 else ""
            rule = f" [{first.rule}]"
            if is_cut:
                rule = rule if available >= WITH_RULES else ""
                space = available - margin - len(more + rule)
                body = [cut(text if width(text) <= space else ENTRY.sub("", text), space)]
            else:
                body = wrapped(text, available - margin)
                if width(body[-1] + more + rule) > available - margin:
                    body.append("")
            body[-1] += dim((more + rule) if body[-1] else (more + rule).lstrip())
            body[-1] += "" if is_cut else remedy(selection, first)
            yield f"{link(first.place, at)}  {severity}  {body[0]}"
            yield from (" " * margin + line for line in body[1:])


def wrapped(text: str, available: int) -> list[str]:
    """The lines of a text; a word that is too long for one is not cut."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and width(f"{lines[-1]} {word}") > available:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


def by_rule(selection: Selection, available: int) -> Iterator[str]:
    """How many problems each rule found, and how many of them can be fixed."""
    problems = selection.problems
    rules = Counter(each.rule for each in problems)
    order = {each.rule: SEVERITIES.index(each.severity) for each in reversed(problems)}
    wide = max(map(len, rules))
    shown = sorted(rules, key=lambda rule: (order[rule], -rules[rule], rule))
    if len(shown) > MAX_RULES:  # those with one problem say little
        shown = [rule for rule in shown if rules[rule] > 1][:MAX_RULES]
    for rule in shown:
        found = [each for each in problems if each.rule == rule]
        severity = next(name for name, count in count_severities(found).items() if count)
        fixable = sum(each in selection.fixable for each in found)
        files = len({each.place.file for each in found})
        yield cut(
            f"{rules[rule]:>5}  {severity:<7}  {rule:<{wide}}  in {counted(files, 'file')}"
            f"{f', {fixable} fixable' if fixable else ''}",
            available,
        )
    if left := [rule for rule in order if rule not in shown]:
        count = sum(rules[rule] for rule in left)
        yield f"{count:>5}  by {counted(len(left), 'other rule')}"


def opens_links(environment: Mapping[str, str]) -> bool:
    """Whether the terminal opens links (OSC 8), as far as its variables tell. Multiplexers and CI
    do not pass them on; FORCE_HYPERLINK decides otherwise.
    """
    forced = environment.get("FORCE_HYPERLINK")
    if forced is not None:
        return forced not in ("", "0")
    if any(name in environment for name in ("CI", "TMUX", "STY")):
        return False
    is_known = any(name in environment for name in KNOWN)
    is_term = environment.get("TERM", "").startswith(TERMS)
    return is_known or is_term or environment.get("TERM_PROGRAM") in PROGRAMS


def linked(selection: Selection) -> Link:
    top = selection.folder.absolute()

    def link(place: Place, text: str) -> str:
        if "://" in place.file:
            return text
        address = f"file://{quote(str(top / place.file))}"
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"

    return link


def no_link(place: Place, text: str) -> str:
    return text


FORMAT = ReportFormat(lines, is_for_people=True)
