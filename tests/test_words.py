"""Plain words in everything that users read: the pages of docs/, `--help`, messages, templates,
shapes and questions. `WORDS` has the words that are refused, and what to write instead.

`python -m tests.test_words` lists all hits.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml

from kg.cli import main
from kg.sparql.reading.questions import header
from tests.conftest import ROOT

WORDS = {
    r"by itself": "by default; automatically; alone",
    r"(?:who|whoever) asks": "the client; any client",
    r"who shows (?:the|its|a) key": "clients that send the key",
    r"told(?! apart)|tells? of": "is reported; reports",
    r"says? [`'(]?--": "use --option",
    r"mend(?:s|ed|ing)?": "fix",
    r"anew": "again",
    r"stands?(?! (?:in )?for\b)|stood": "is",
    r"lies": "is",
    r"lean(?:s|ed) on": "was derived from",
    r"there (?:is|are) not": "does not exist",
    r"(?:named?|names|things?|written|described|entit(?:y|ies)) in place": "inline",
    r"ha(?:s|ve) no place": "values that cannot be mapped",
    r"stays? (?:at )?home": "is private; is not published",
    r"prov(?:e|es|ed|en|ing)|proofs?": "verify, verified, verification",
    r"twins?": "format, representation",
    r"forms? of (?:an?|the|each|its|this) (?:page|document|answer|report|list|data|dump|findings)s?"
    r"|(?:data|other|all|every|each|which|wanted|\d) forms?"
    r"|in (?:that|another|any|one) form": "format",
    r"manners": "HTTP behaviour",
    r"slips?": "mistake, typo",
    r"by hand": "manually",
    r"from afar": "remotely",
    r"elsewhere": "on another server; in another file",
    r"(?<!different )things?": "person, publication, organisation …; entry, item",
    r"owners? of (?:a|an|the|his|her|this) CVs?": "the person; people with a CV here",
    r"invented (?:people|persons?|site|lab|data|names?)": "fictional",
    r"nothing more is said": "leave the section out",
    r"(?:server|program) made a mistake": "Internal server error.",
}
# Hits that are right, by a part of the place and of the text, with the reason.
EXCEPTIONS = []
BEFORE, AFTER = r"(?<![\w?$/_.#<=\"'@:-])", r"(?![\w=-]|\(|\.\w)"
PATTERNS = {
    re.compile(f"{BEFORE}(?:{words}){AFTER}", re.IGNORECASE): instead
    for words, instead in WORDS.items()
}
ANY = re.compile(f"{BEFORE}(?:{'|'.join(WORDS)}){AFTER}", re.IGNORECASE)
# Generated pages whose words are checked at their source.
REPEATED = {"addresses", "commands", "questions", "rules"}
READ_ATTRIBUTES = ("title", "alt", "placeholder", "aria-label", "content")


class Text(NamedTuple):
    """A text that users read, and where it is."""

    place: str
    words: str


def pages() -> Iterator[Text]:
    """README, CONTRIBUTING and docs/, without code: its output is checked where it is made."""
    paths = [each for each in (ROOT / "docs").rglob("*.md") if each.stem not in REPEATED]
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *paths]:
        text = re.sub(r"^```.*?^```$", blank, read(path), flags=re.DOTALL | re.MULTILINE)
        yield from lines(path, re.sub(r"`[^`\n]+`|\]\([^)]*\)", " ", text))
    notebook = ROOT / "docs" / "questions.ipynb"
    for cell in json.loads(read(notebook))["cells"]:
        if cell["cell_type"] == "markdown":
            yield Text(notebook.name, re.sub(r"`[^`\n]+`", " ", "".join(cell["source"])))


def helps() -> Iterator[Text]:
    """`--help` of every command."""
    context = click.Context(
        main,
        info_name="kg",
        terminal_width=10_000,
        max_content_width=10_000,
        **main.context_settings,
    )
    seen = set[str]()  # options that every command has
    for name in ["", *main.list_commands(context)]:
        command = main.get_command(context, name) if name else main
        if command:
            own = click.Context(command, info_name=name, parent=context) if name else context
            new = [line for line in command.get_help(own).splitlines() if line.strip() not in seen]
            seen.update(line.strip() for line in new)
            yield from (Text(f"kg {name} --help", " ".join(line.split())) for line in new)


def messages() -> Iterator[Text]:
    """Strings in kg/ that have a space, docstrings excluded."""
    for path in (ROOT / "kg").rglob("*.py"):
        queue: list[ast.AST] = [ast.parse(read(path))]
        for node in queue:  # which grows
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str) and " " in node.value:
                    yield Text(f"{path.relative_to(ROOT)}:{node.lineno}", node.value)
            else:
                queue.extend(read_parts(node))


def read_parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node without its docstring and patterns of `re`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
            return
    docstring = None
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        match node.body:
            case [ast.Expr(value=ast.Constant()) as docstring, *_]:
                pass
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield part
        elif isinstance(part, list):
            yield from (
                each for each in part if isinstance(each, ast.AST) and each is not docstring
            )


def scripts() -> Iterator[Text]:
    """Strings in our JavaScript that have a space."""
    for path in (ROOT / "kg").rglob("*.js"):
        for number, line in enumerate(read(path).splitlines(), 1):
            code = re.sub(r"(?:^|\s)//\s.*", "", line)
            for text in re.findall(r"\"([^\"]* [^\"]*)\"|`([^`]* [^`]*)`", code):
                yield Text(f"{path.relative_to(ROOT)}:{number}", "".join(text))


class Visible(HTMLParser):
    """The text of a template, and attributes that are shown or read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        texts = [value for name, value in attrs if name in READ_ATTRIBUTES and value]
        self.found += [(self.getpos()[0], text) for text in texts]

    def handle_data(self, data: str) -> None:
        self.found += [(self.getpos()[0] + at, line) for at, line in enumerate(data.split("\n"))]


def templates() -> Iterator[Text]:
    folder = ROOT / "kg" / "publish" / "templates"
    for path in [each for each in folder.rglob("*") if each.is_file() and each.suffix != ".pyc"]:
        text = re.sub(r"\{[{%#].*?[}%#]\}", in_template, read(path), flags=re.DOTALL)
        visible = Visible()
        visible.feed(re.sub(r"<(script|style)\b.*?</\1>", blank, text, flags=re.DOTALL))
        yield from (
            Text(f"{path.relative_to(ROOT)}:{line}", words) for line, words in visible.found
        )


def in_template(code: re.Match[str]) -> str:
    """The strings of a Jinja expression that have a space."""
    texts = re.findall(r"\"([^\"]* [^\"]*)\"", code[0]) if code[0].startswith("{{") else []
    return " ".join(texts) + blank(code)


def shapes() -> Iterator[Text]:
    """Messages of shapes, and the reasons of rules."""
    for path in (ROOT / "shapes").glob("*.ttl"):
        for found in re.finditer(r"sh:message \"((?:[^\"\\]|\\.)*)\"", read(path)):
            line = read(path).count("\n", 0, found.start()) + 1
            yield Text(f"{path.relative_to(ROOT)}:{line}", found[1])
    for path in (ROOT / "shapes" / "explained").glob("*.yaml"):
        yield Text(str(path.relative_to(ROOT)), yaml.safe_load(path.read_bytes())["why"])


def questions() -> Iterator[Text]:
    """Headers of questions, and titles of the sections of pages."""
    for path in (ROOT / "queries").rglob("*.rq"):
        text, place = read(path), str(path.relative_to(ROOT))
        row = header(text)[0] or {}
        params = row.get("params", {}).values()
        given = [row.get("summary"), row.get("description"), *(each["meaning"] for each in params)]
        titles = re.findall(r"^# (?:title|note|empty|intro): (.+)", text, re.MULTILINE)
        yield from (Text(place, str(each)) for each in [*given, *titles] if each)


def new_sites() -> Iterator[Text]:
    """The files that `kg new` writes."""
    for path in (ROOT / "kg" / "cli" / "files").iterdir():
        yield from lines(path, re.sub(r"`[^`\n]+`", " ", read(path)))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blank(match: re.Match[str]) -> str:
    """As many empty lines, so that the numbers of lines stay."""
    return "\n" * match[0].count("\n")


def lines(path: Path, text: str) -> Iterator[Text]:
    for number, line in enumerate(text.splitlines(), 1):
        yield Text(f"{path.relative_to(ROOT)}:{number}", line)


def hits(text: Text) -> Iterator[str]:
    for pattern, instead in PATTERNS.items() if ANY.search(text.words) else ():
        for found in pattern.finditer(text.words):
            if not is_exception(text, found):
                around = " ".join(text.words[max(0, found.start() - 30) : found.end() + 30].split())
                yield f"{text.place}: '{found[0]}' (write: {instead}) in: {around}"


def is_exception(text: Text, found: re.Match[str]) -> bool:
    near = text.words[max(0, found.start() - 20) : found.end() + 20]
    return any(place in text.place and words in near for place, words, _ in EXCEPTIONS)


SOURCES: list[Callable[[], Iterator[Text]]] = [
    pages,
    helps,
    messages,
    scripts,
    templates,
    shapes,
    questions,
    new_sites,
]


@cache
def texts_of(source: Callable[[], Iterator[Text]]) -> list[Text]:
    return list(source())


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_users_read_plain_words(source: Callable[[], Iterator[Text]]) -> None:
    texts = texts_of(source)
    assert len(texts) > 50
    found = [hit for text in texts for hit in hits(text)]
    assert not found, "\n".join([f"{len(found)} hits:", *found])


@pytest.mark.parametrize(
    ("words", "is_refused"),
    [
        ("The day for rules about the present; by itself the real one.", True),
        ("Mend the errors to publish.", True),
        ("3 things are named in place", True),
        ("Tell of problems, and of nothing else.", True),
        ("a star stands for all names", False),
        ("PREFIX … SELECT ?thing WHERE", False),
        ("recommended amendments, something, provenance", False),
        ("Fill in the form to ask.", False),
    ],
)
def test_a_word_is_refused_where_it_is_a_word(words: str, is_refused: bool) -> None:
    assert bool([*hits(Text("here", words))]) is is_refused


@pytest.mark.slow
def test_every_exception_is_needed() -> None:
    texts = [text for source in SOURCES for text in texts_of(source)]
    for place, words, _ in EXCEPTIONS:
        near = [text.words for text in texts if place in text.place and words in text.words]
        assert any(map(ANY.search, near)), (place, words)


if __name__ == "__main__":
    for source in SOURCES:
        for text in source():
            for hit in hits(text):
                click.echo(hit)
