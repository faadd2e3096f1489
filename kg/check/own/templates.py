"""A site's own templates, judged without being filled: what does not parse, and names of templates,
blocks, macros, filters and values that there are not.

What is known is what our own templates use, so that nothing is listed twice.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from jinja2 import Environment, TemplateSyntaxError, meta, nodes
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from kg.disk import walk
from kg.errors import Place, Problem, Severity, place_at
from kg.facts.formats.placement import is_remark
from kg.facts.values.text import closest
from kg.settings import shipped
from kg.sparql.reading.own_queries import read_text

FOLDER, SUFFIX = "templates", ".html"
OURS = "shipped/"  # before the name of a template that is ours
TAG = re.compile(r"\{%[-+]?\s*(\w+)")
QUOTED = re.compile(r"'([^']*)'")
CLOSED = ("autoescape", "block", "call", "filter", "for", "if", "macro", "with")
TAGS = (*CLOSED, "elif", "else", "extends", "from", "import", "include", "set")
CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
UNENDED = {
    "{{": "expected 'end of print statement'.",
    "{%": "expected 'end of statement block'.",
    "{#": "Missing end of comment tag",
}
CHARACTER = re.compile(r"unexpected char (\S+) at (\d+)")
UNCLOSED = "needs to be closed is"
UNKNOWN = "Encountered unknown tag"
GUARDS = ("default", "d", "defined", "undefined")  # filters and tests of what may not be there
Naming = nodes.Extends | nodes.Include | nodes.Import | nodes.FromImport


@lru_cache(maxsize=1)
def environment() -> Environment:
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)


@dataclass
class TemplateSource:
    """A template that was parsed."""

    text: str
    tree: nodes.Template

    @property
    def blocks(self) -> dict[str, nodes.Block]:
        return {block.name: block for block in self.tree.find_all(nodes.Block)}

    @property
    def assigned(self) -> set[str]:
        """Macros and values that it defines."""
        macros = {macro.name for macro in self.tree.find_all(nodes.Macro)}
        names = self.tree.find_all(nodes.Name)
        return macros | {name.name for name in names if name.ctx == "store"}

    @property
    def namings(self) -> list[Naming]:
        """Where it names other templates."""
        find = self.tree.find_all
        above: list[Naming] = [*find(nodes.Extends), *find(nodes.Include)]
        return [*above, *find(nodes.Import), *find(nodes.FromImport)]

    @cached_property
    def wanted(self) -> set[str]:
        """The values that it must be given. Raises TemplateSyntaxError where it cannot be used."""
        known = environment()
        for node in self.tree.find_all((nodes.Filter, nodes.Test)):  # which are judged by others
            names = known.filters if isinstance(node, nodes.Filter) else known.tests
            names.setdefault(node.name, lambda value: value)
        return meta.find_undeclared_variables(self.tree)

    @property
    def parent(self) -> str:
        found = self.tree.find(nodes.Extends)
        return constant(found.template) if found else ""


@dataclass
class Library:
    """The templates of a site, those that can be read and the names of the others; and ours."""

    own: dict[str, TemplateSource]
    others: set[str]
    ours: Mapping[str, TemplateSource]

    def find(self, name: str) -> TemplateSource | None:
        plain = name.removeprefix(OURS)
        return self.own.get(name) or self.ours.get(plain)

    @cached_property
    def names(self) -> set[str]:
        return {*self.own, *self.others, *self.ours, *(f"{OURS}{name}" for name in self.ours)}

    @cached_property
    def values(self) -> set[str]:
        """What a template is given, or may be given by another."""
        given = (source.wanted for source in self.ours.values())
        return set[str]().union(*given, *(source.assigned for source in self.own.values()))

    def known(self, kind: type[nodes.Filter] | type[nodes.Test]) -> set[str]:
        used = (node.name for each in self.ours.values() for node in each.tree.find_all(kind))
        default = FILTERS if kind is nodes.Filter else TESTS
        return {*used, *default}

    def ancestors(self, source: TemplateSource) -> list[TemplateSource]:
        found: list[TemplateSource] = []
        while (parent := self.find(source.parent)) and parent not in found:
            found.append(parent)
            source = parent
        return found


@lru_cache(maxsize=1)
def our_templates() -> Mapping[str, TemplateSource]:
    folder = shipped("publish") / FOLDER
    names = [name for name in walk(folder).files if name.endswith(SUFFIX)]
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    return {name: TemplateSource(text, environment().parse(text)) for name, text in texts.items()}


def judge_templates(folder: Path, filled: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the templates of a site; `filled` are the names of those that its blocks
    are shown by.
    """
    found = [name for name in walk(folder / FOLDER).files if not is_remark(name)]
    if not found:
        return
    library = Library({}, set(), our_templates())
    suffixes = {Path(name).suffix for name in library.ours}
    for name in found:
        file = f"{FOLDER}/{name}"
        text, problems = (
            read_text(folder / file, file) if Path(name).suffix in suffixes else ("", [])
        )
        yield from problems
        try:
            if text:
                library.own[name] = TemplateSource(text, environment().parse(text))
        except TemplateSyntaxError as error:
            yield in_words(file, text, error)
        if name not in library.own:
            library.others.add(name)
    for name, source in library.own.items():
        yield from TemplateJudge(name, source, library).problems()
    yield from unused(library, {f"blocks/{name}.html" for name in filled})


def unused(library: Library, filled: Collection[str]) -> Iterator[Problem]:
    namings = [node for source in library.own.values() for node in source.namings]
    used = {
        *library.ours,
        *filled,
        *(name for node in namings for name in constants(node.template)),
    }
    if any(not constants(node.template) for node in namings):
        return  # any may be meant
    for name in sorted({*library.own, *library.others} - used):
        near = ", ".join(closest(name, library.ours, most=2)) or "page.html"
        message = f"Nothing uses this template. Closest of those that are used: {near}."
        yield Problem(Place(f"{FOLDER}/{name}"), "warning", message, "template")


def constants(node: nodes.Node) -> list[str]:
    """The names of templates that are written out."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return [name for item in node.items for name in constants(item)]
    return [constant(node)] if constant(node) else []


def constant(node: nodes.Node) -> str:
    return node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else ""


class TemplateJudge:
    """What is wrong with one template that can be read."""

    def __init__(self, name: str, source: TemplateSource, library: Library) -> None:
        self.name, self.source, self.library = name, source, library
        self.lines = source.text.split("\n")

    def problems(self) -> Iterator[Problem]:
        yield from self.templates()
        yield from self.missing_blocks()
        yield from self.values()
        for kind, what in ((nodes.Filter, "filter"), (nodes.Test, "test")):
            known = self.library.known(kind)
            for node in self.source.tree.find_all(kind):
                if node.name not in known:
                    yield self.unknown(node.lineno, node.name, f"There is no {what}", known)

    def templates(self) -> Iterator[Problem]:
        for node in self.source.namings:
            written = constants(node.template)
            is_optional = isinstance(node, nodes.Include) and node.ignore_missing
            if isinstance(node, nodes.Extends) and written == [self.name]:
                message = f"This template extends itself. Write '{OURS}{self.name}' for ours."
                yield self.problem(node.lineno, self.name, message)
            if written and not is_optional and self.library.names.isdisjoint(written):
                known = self.library.names
                yield self.unknown(node.lineno, written[0], "There is no template", known)
            target = self.library.find(written[0]) if written else None
            for each in node.names if isinstance(node, nodes.FromImport) and target else ():
                name = each[0] if isinstance(each, tuple) else each
                if target and name not in target.assigned:
                    what = f"'{written[0]}' has no macro"
                    yield self.unknown(node.lineno, name, what, target.assigned)

    def missing_blocks(self) -> Iterator[Problem]:
        """A block that no template above it has is shown nowhere."""
        above = self.library.ancestors(self.source)
        known = {name for each in above for name in each.blocks}
        for name, block in self.source.blocks.items() if above else ():
            is_inside = any(
                block is not other and block in list(other.find_all(nodes.Block))
                for other in self.source.blocks.values()
            )
            if name not in known and not is_inside:
                what = f"'{self.source.parent}' has no block"
                yield self.unknown(block.lineno, name, what, known, "warning")

    def values(self) -> Iterator[Problem]:
        """Values that nobody gives to a template, but for those it asks for first."""
        try:
            missing = self.source.wanted - self.library.values
        except TemplateSyntaxError as error:
            yield in_words(f"{FOLDER}/{self.name}", self.source.text, error)
            return
        asked = {
            node.node.name
            for kind in (nodes.Filter, nodes.Test)
            for node in self.source.tree.find_all(kind)
            if isinstance(node.node, nodes.Name)
            and (node.name in GUARDS or node.name not in self.library.known(kind))
        }
        for node in self.source.tree.find_all(nodes.Name):
            if node.name in missing - asked:
                missing.discard(node.name)
                known = self.library.values - self.source.assigned
                yield self.unknown(node.lineno, node.name, "There is no value", known)

    def unknown(
        self, line: int, name: str, what: str, known: Collection[str], how: Severity = "error"
    ) -> Problem:
        near = ", ".join(closest(name, sorted(known), cutoff=0.75))
        hint = f"Closest: {near}." if near else "Correct the name, or remove it."
        return self.problem(line, name, f"{what} '{name}'. {hint}", how)

    def problem(self, line: int, word: str, message: str, how: Severity = "error") -> Problem:
        place = place_of(f"{FOLDER}/{self.name}", self.lines, line, word)
        return Problem(place, how, message, "template")


def place_of(file: str, lines: list[str], line: int, word: str) -> Place:
    """Where a word stands, on the line of its tag or one after it."""
    edge = r"\b" if word.isidentifier() else ""
    pattern = re.compile(edge + re.escape(word) + edge)
    for number in range(max(line, 1), min(line + 5, len(lines)) + 1):
        if found := pattern.search(lines[number - 1]):
            return Place(file, number, found.start() + 1)
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    return Place(file, max(line, 1), len(here) - len(here.lstrip()) + 1)


def in_words(file: str, text: str, error: TemplateSyntaxError) -> Problem:
    """What the parser says, at what it means."""
    said, lines = error.message or "", text.split("\n")
    quoted = QUOTED.findall(said)
    place = place_of(file, lines, error.lineno, quoted[-1] if quoted else "")
    line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
    begun = next((mark for mark, words in UNENDED.items() if words in said), open_in(line))
    if UNKNOWN in said:
        place = place_of(file, lines, error.lineno, quoted[0])
        message = wrong_tag(quoted[0], quoted[-1] if UNCLOSED in said else "")
    elif UNCLOSED in said:
        place = place_at(file, text, last_open(text))
        message = f"This '{quoted[-1]}' is never closed. Add '{{% end{quoted[-1]} %}}'."
    elif begun:
        before = sum(len(each) + 1 for each in lines[: error.lineno])
        place = place_at(file, text, max(text.rfind(begun, 0, before), 0))
        message = f"This '{begun}' is never closed. Add '{CLOSING[begun]}'."
    elif found := CHARACTER.search(said):
        place = place_at(file, text, int(found[2]))
        message = f"A template cannot be read from {found[1]} on. Close or remove it."
    else:
        message = f"This cannot be used: {said.rstrip('.')}. Correct what stands before it."
    return Problem(place, "error", message, "template")


def open_in(line: str) -> str:
    """The braces that are still open at the end of a line."""
    mark = max(CLOSING, key=line.rfind)
    return mark if mark in line and CLOSING[mark] not in line[line.rfind(mark) :] else ""


def wrong_tag(tag: str, opened: str) -> str:
    if tag.startswith("end"):
        still = f"'{opened}' is still open" if opened else "nothing is open"
        return f"'{tag}' closes nothing here, for {still}. Correct the order."
    if tag in TAGS:
        return f"'{tag}' must stand inside an 'if' or a 'for'. Correct the order."
    near = ", ".join(closest(tag, TAGS, cutoff=0.6))
    return f"There is no tag '{tag}'. {f'Closest: {near}.' if near else 'Correct it.'}"


def last_open(text: str) -> int:
    """Where the innermost tag begins that is not closed."""
    stack: list[tuple[str, int]] = []
    for found in TAG.finditer(text):
        if found[1].startswith("end"):
            if stack and stack[-1][0] == found[1][3:]:
                stack.pop()
        elif found[1] in CLOSED:
            stack.append((found[1], found.start()))
    return stack[-1][1] if stack else 0
