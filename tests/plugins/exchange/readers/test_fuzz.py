"""No file makes a reader crash or hang: crooked ones are read as far as they go, or refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from time import process_time
from typing import Any
from xml.sax.saxutils import escape

import pytest

from kg.plugins.exchange.formats import detect_format, format_named
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import NotImported, SourceFile, read_foreign
from kg.plugins.exchange.source_rows import rows_of
from tests.plugins.exchange.readers import test_europass, test_hugo_blox, test_linkedin

pytestmark = [pytest.mark.proof, pytest.mark.fuzz]

RENDERCV = """\
cv:
  name: Mira Sand
  phone: "+47 22 00 00 00"
  social_networks: [{network: GitHub, username: mirasand}]
  sections:
    experience: [{company: A, position: B, start_date: 2019-06, highlights: ["*x* - y"]}]
    skills: [{label: Software, details: "Python, C++ (some)"}]
    publications: [{title: T, authors: ["***M. Sand***"], journal: J, date: 2020}]
    other: [{name: N, date: 2020, summary: S}, bullet: B, text]
"""
AL_FOLIO = """\
- {title: General, type: map, contents: [{name: Full Name, value: Mira Sand}]}
- {title: Awards, type: time_table, contents: [{year: 2018, items: [A, {title: B, contents: [C]}]}]}
- {title: Experience, type: time_table, contents: [{title: R, institution: S, year: 2019 - 2020}]}
- {title: Interests, type: nested_list, contents: [{title: Ice, items: [Sea]}]}
"""
FILES = {
    "rendercv": ("cv.yaml", RENDERCV),
    "al-folio": ("_data/cv.yml", AL_FOLIO),
    "hugo-blox": ("authors/admin/_index.md", test_hugo_blox.AUTHOR),
    "hugo-blox work": ("publication/x/index.md", test_hugo_blox.WORK),
    "linkedin": ("Profile.csv", test_linkedin.PROFILE),
    "europass": ("cv.xml", test_europass.XML),
    "europass candidate": ("cv.xml", test_europass.CANDIDATE),
}
PIECES = (
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b'"',
        b"'",
        b": ",
        b"\n- ",
        b"{",
        b"]",
        b"<",
        b"&#0;",
        b"\r",
        b"---\n",
    ),
    *(
        b"<![CDATA[",
        b"\xf0\x9f\x98\x80",
        b"9999999999999999",
        b"*",
        b"[a](b",
        b"null",
        b",,,",
        b"\t",
    ),
)
VALUES = (None, "", "x" * 9, "2019-13-45", "\n\n", "- a\n- b", "<b>", "@owner", "null", "9" * 30)
TIMES = 300


def mutated(data: bytes, dice: random.Random) -> bytes:
    """A few places of a file are cut, repeated, moved, or get something that means much."""
    for _ in range(dice.randint(1, 6)):
        start = dice.randrange(len(data) + 1)
        end = min(len(data), start + dice.choice([0, 1, 3, 10, 60]))
        piece = dice.choice([*PIECES, data[start:end] * 2, data[end:start:-1]])
        data = data[:start] + piece + data[end:]
    return data


def as_xml(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "".join(as_xml(name, inner) for inner in value)
    inside = "".join(as_xml(*each) for each in value.items()) if isinstance(value, dict) else ""
    return f"<{name}>{inside or escape(str(value or ''))}</{name}>"


def bent(value: Any, dice: random.Random) -> Any:
    """A value of another kind in some places of a tree, and everything else as it was."""
    if dice.random() < 0.06:
        return dice.choice([*VALUES, [value], {"name": value}, [[value]], [None, value], {}, []])
    if isinstance(value, dict):
        return {name: bent(inner, dice) for name, inner in value.items() if dice.random() > 0.03}
    return [bent(inner, dice) for inner in value] if isinstance(value, list) else value


def read_all(path: str, data: bytes, name: str) -> int:
    source = SourceFile(path, path, data)
    try:
        known = detect_format(source) or format_named(name.partition(" ")[0])
        return sum(bool(draft.cv or draft.left) for draft in known.read(source))
    except NotImported as error:
        assert str(error).endswith(".")
        return 0


@pytest.mark.parametrize("name", FILES)
def test_mutated_files_are_read_or_refused(name: str) -> None:
    path, text = FILES[name]
    dice, started = random.Random(name), process_time()
    read = [read_all(path, mutated(text.encode(), dice), name) for _ in range(TIMES)]
    assert any(read) and process_time() - started < 60


@pytest.mark.parametrize("name", [name for name in FILES if name != "linkedin"])
def test_values_of_another_kind_are_read_or_listed(name: str) -> None:
    path, text = FILES[name]
    dice, read = random.Random(name), []
    fields = text.split("---")[1] if path.endswith(".md") else text
    is_xml = path.endswith(".xml")
    source = SourceFile(path, path, text.encode())
    tree = rows_of(source) if is_xml else read_foreign(path, fields.encode())[0]
    for _ in range(TIMES):
        if is_xml:
            root, content = next(iter(tree.items()))
            data = f"<?xml version='1.0'?><!-- europass -->{as_xml(root, bent(content, dice))}"
        else:
            data = json.dumps(bent(tree, dice))
        data = f"---\n{data}\n---\n" if path.endswith(".md") else data
        read.append(read_all(path, data.encode(), name))
    assert sum(map(bool, read)) > TIMES / 2


@pytest.mark.parametrize("name", FILES)
def test_what_is_left_of_a_mutated_file_checks(name: str, tmp_path: Path) -> None:
    path, text = FILES[name]
    dice = random.Random(name)
    for number in range(6):
        file = tmp_path / str(number) / Path(path).name
        file.parent.mkdir()
        file.write_bytes(mutated(text.encode(), dice))
        try:
            import_files([file], tmp_path / f"site{number}", person="mira-sand")
        except NotImported as error:
            assert str(error).endswith(".")
