"""Whatever is written, the check answers: with problems or wrong use in words, soon, and without
the network.

`python -m tests.check.test_fuzz KIND FIRST LAST` makes more mutations, by their numbers.
"""

from __future__ import annotations

import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from kg.check.check import Checked, check
from kg.check.report import machine, text
from kg.check.report.selection import select
from kg.errors import KgError
from kg.graph.parallel.run import Run
from kg.plugins.reports import ci, sarif
from kg.settings import shipped
from tests.cli.test_cli import run

pytestmark = pytest.mark.fuzz

TODAY = "2026-11-15"
LONGEST = 10.0  # seconds of CPU
HANGS = 120  # seconds, after which a check is stopped
BY_COMMAND = 25  # one of so many is checked by the command too
OPENED: list[str] = []  # addresses on the network that somebody asked for

TURTLE = """@prefix schema: <http://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@base <https://lab.example.org/> .
<people/ada-lindqvist#it> schema:award "Gravel Medal"@en, "Kiesmedaille"@de-CH ;
    schema:knowsAbout <topics/field-measurement#it> ;
    foaf:nick 'ada' ; schema:birthDate "1985-04-03"^^xsd:date ; schema:height 1.74, 17e1, 3, true .
<people/ada-lindqvist#prize> a schema:Grant ; schema:name \"\"\"A "long"
name\"\"\" ; schema:startDate "2024-02"^^xsd:gYearMonth ; schema:url <https://example.org/a%20b> .
"""
SHAPES = """@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix s: <https://lab.example.org/shapes#> .
s:own-name a sh:NodeShape ; sh:targetClass schema:Person ; sh:severity sh:Warning ;
    sh:message "A name has two words. Write both." ;
    sh:property [ sh:path schema:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:string ;
        sh:pattern "^\\\\S+ \\\\S+" ; sh:flags "i" ; sh:minLength 3 ; sh:maxLength 90 ] ;
    sh:not [ sh:property [ sh:path schema:email ; sh:hasValue "x" ] ] .
s:own-work a sh:NodeShape ; sh:targetSubjectsOf schema:author ; sh:nodeKind sh:IRI ;
    sh:or ( [ sh:property [ sh:path schema:name ; sh:minCount 1 ] ]
            [ sh:property [ sh:path [ sh:inversePath schema:author ] ; sh:maxCount 0 ] ] ) ;
    sh:property [ sh:path ( schema:author schema:name ) ; sh:uniqueLang true ;
        sh:in ( "Ada Lindqvist" "Tomás Ferreira" ) ; sh:message "Who is this?" ] ;
    sh:closed false ; sh:ignoredProperties ( schema:name ) .
s:own-asked a sh:NodeShape ; sh:targetNode <people/ada-lindqvist#it> ;
    sh:sparql [ sh:message "{$this} has no name: {?other}." ; sh:select \"\"\"
        SELECT $this ?other WHERE { $this <http://schema.org/name> ?other
            FILTER(STRLEN(?other) < 3) } \"\"\" ] ;
    sh:property [ sh:path [ sh:oneOrMorePath schema:knows ] ; sh:class schema:Person ;
        sh:qualifiedValueShape [ sh:node s:own-name ] ; sh:qualifiedMinCount 0 ] .
"""
ODD = [
    *("\0", "\t", "\r", "\x1b[31m", "\x7f", "\u00a0", "\u200b", "\u2028", "\u202e", "\ufeff"),
    *("\ud800", "\U0001f600", "e\u0301", "İ", "ß", "ﬁ", "א", "﷽", "{", "}", "[", "]", ": ", "- "),
    *(
        "#",
        "&a ",
        "*a",
        "!!python/object:os.system ",
        "!x ",
        "|",
        ">",
        "'",
        '"',
        "\\",
        "%",
        "@",
        "`",
    ),
    *("---\n", "...\n", "<<: ", "? ", "<", ">", "^^", "@en", ";", ".", "(", ")", "_:b ", "\\u0000"),
]
VALUES = [
    *(
        "null",
        "~",
        "true",
        "no",
        "0",
        "-1",
        "1e400",
        ".nan",
        ".inf",
        "0x7fffffffffffffff",
        "9" * 400,
    ),
    *("2024-02-30", "0000-00-00", "99999-01-01", "2024-01-01T00:00:00Z", "12:30:45", "''", '""'),
    *("[]", "{}", "[[]]", "{a: {b: {c: []}}}", "[" * 300 + "]" * 300, "{a: " * 99 + "}" * 99),
    *(
        "https://",
        "https://[::1",
        "http://exa mple.org/%zz",
        "mailto:",
        "../../etc/passwd",
        "x" * 9999,
    ),
    *("people/ada-lindqvist", "ada-lindqvist", "northfjord", "10.1/x", "{visibility: private}"),
    *(
        "<people/ada-lindqvist#it>",
        "schema:name",
        "sh:property",
        "sh:path",
        "sh:node",
        "sh:or",
        "a",
    ),
    *(
        '"abc"^^xsd:date',
        '"1e400"^^xsd:decimal',
        "<http://[bad>",
        "<>",
        "[]",
        "()",
        "( 1 2 )",
        "xsd:none",
    ),
    *("sh:maxCount", '"-1"', '"("', "rdf:nil", "s:own-name", "sh:not", "sh:xone", "sh:sparql"),
]
TOKEN = re.compile(r"[\w.@/-]+|\"[^\"\n]*\"|<[^<>\n]*>")


def insert(dice: random.Random, old: str) -> str:
    at = dice.randint(0, len(old))
    return old[:at] + dice.choice(ODD) + old[at:]


def remove(dice: random.Random, old: str) -> str:
    at = dice.randint(0, len(old))
    return old[:at] + old[at + dice.choice((1, 1, 2, 5, 40)) :]


def truncate(dice: random.Random, old: str) -> str:
    return old[: dice.randint(0, len(old))]


def replace_token(dice: random.Random, old: str) -> str:
    tokens = list(TOKEN.finditer(old))
    if not tokens:
        return old
    token = dice.choice(tokens)
    other = dice.choice([dice.choice(VALUES), dice.choice(tokens)[0], dice.choice(ODD)])
    return old[: token.start()] + other + old[token.end() :]


def swap_tokens(dice: random.Random, old: str) -> str:
    tokens = list(TOKEN.finditer(old))
    if len(tokens) < 2:
        return old
    first, second = sorted(dice.sample(tokens, 2), key=lambda token: token.start())
    between = old[first.end() : second.start()]
    return f"{old[: first.start()]}{second[0]}{between}{first[0]}{old[second.end() :]}"


def change_lines(dice: random.Random, old: str) -> str:
    lines = old.split("\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = dice.choice(("  ", " ", "\t", "- ", "# ")) + lines[at]
        case 4:
            lines[at] = lines[at].lstrip()
        case _:
            lines[at] = lines[at] + " " + lines[other]
    return "\n".join(lines)


def double(dice: random.Random, old: str) -> str:
    return dice.choice(
        (old + old, old.replace("\n", "\r\n"), "\ufeff" + old, f"{old}\n{'a' * 70000}")
    )


MUTATIONS: list[Callable[[random.Random, str], str]] = [
    *(insert, insert, remove, truncate, replace_token, replace_token, replace_token),
    *(swap_tokens, change_lines, change_lines, double),
]


class Kind(NamedTuple):
    """Which files of the site are changed, and how many mutations the proof makes."""

    files: str
    number: int


KINDS = {
    "yaml": Kind("data/**/*.yaml", 300),
    "turtle": Kind("data/extra.ttl", 60),
    "shapes": Kind("shapes/own.ttl", 60),
}


def mutated(kind: str, number: int, originals: dict[str, bytes]) -> tuple[str, bytes]:
    """The file that is changed, and what it says then; the same for a number."""
    dice = random.Random(f"{kind} {number}")
    name = dice.choice(sorted(originals))
    new = originals[name].decode()
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        new = dice.choice(MUTATIONS)(dice, new)
    body = new.encode("utf-8", "surrogatepass")
    if not dice.randrange(40):
        at = dice.randint(0, len(body))
        body = body[:at] + bytes([dice.randrange(256)]) + body[at:]
    return name, body


def site_for(kind: str, folder: Path) -> Path:
    site = folder / "site"
    shutil.copytree(shipped("example"), site, ignore=shutil.ignore_patterns(".*"))
    if kind == "turtle":
        (site / "data" / "extra.ttl").write_text(TURTLE, encoding="utf-8")
    if kind == "shapes":
        (site / "shapes").mkdir()
        (site / "shapes" / "own.ttl").write_text(SHAPES, encoding="utf-8")
    return site


def watch_network(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "urllib.Request"):
        OPENED.append(f"{event}{arguments}")


@contextmanager
def bounded() -> Iterator[None]:
    """Raises TimeoutError where a check hangs, or takes too much CPU."""

    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANGS)
    begun = time.process_time()
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    taken = time.process_time() - begun
    if taken > LONGEST:
        raise TimeoutError(f"it took {taken:.1f} s")


def print_all(checked: Checked, site: Path) -> None:
    """The report in its four forms."""
    shown = select(checked.problems, site, checked.publishable)
    machine.json_text(shown)
    sarif.sarif_text(shown, {})
    list(ci.github_lines(shown))
    list(text.lines(shown, terminal=True))


def look(site: Path, by_command: bool) -> None:
    with bounded():
        try:
            print_all(check(site, Run(TODAY)), site)
        except KgError as error:  # wrong use, which a command says
            assert str(error)
    if by_command:
        result = run("check", site, "--today", TODAY)
        assert result.exit_code in (0, 1, 2), result.output
        assert "Traceback" not in result.output


def fuzz(kind: str, numbers: range, folder: Path) -> Iterator[str]:
    """What went wrong, with the number of the mutation."""
    sys.addaudithook(watch_network)
    site = site_for(kind, folder)
    paths = sorted(site.glob(KINDS[kind].files))
    originals = {path.relative_to(site).as_posix(): path.read_bytes() for path in paths}
    for number in numbers:
        name, body = mutated(kind, number, originals)
        (site / name).write_bytes(body)
        OPENED.clear()
        try:
            look(site, number % BY_COMMAND == 0)
        except Exception as error:  # all are to be seen
            yield f"{number}: {name}: {type(error).__name__}: {error}"
        if OPENED:
            yield f"{number}: {name}: the network was asked: {OPENED}"
        (site / name).write_bytes(originals[name])


@pytest.mark.proof
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_written_is_answered(kind: str, tmp_path: Path) -> None:
    assert list(fuzz(kind, range(KINDS[kind].number), tmp_path)) == []


if __name__ == "__main__":
    _, chosen, first, last = sys.argv
    with tempfile.TemporaryDirectory() as temporary:
        for found in fuzz(chosen, range(int(first), int(last)), Path(temporary)):
            sys.stdout.write(f"{found}\n")
            sys.stdout.flush()
