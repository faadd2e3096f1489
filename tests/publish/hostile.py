"""A site whose authors mean harm: the example, with every free text grown into something that would
like to break out of its place.
"""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic.types import StringConstraints

from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.careers import Highlight
from kg.facts.models.people import Owner, Person
from kg.facts.models.venues import Edition
from kg.facts.site_file import SiteFile
from kg.facts.values.prose import check_prose, check_title
from kg.text.markdown import HTML
from tests.conftest import ROOT

HOSTILE = " ".join(
    [
        "</script><script>alert(1)</script>",
        "</title></textarea></style><!-- --> ]]> <![CDATA[",
        "<img src=x onerror=alert(1)> <b onmouseover='alert(1)'> <svg/onload=alert(1)>",
        "\" onmouseover=\"alert(1) ' onmouseover='alert(1) `",
        "&amp; &lt;i&gt; &#60;i&#62; &copy javascript:alert(1)",
        "{{7*7}} {% raw %} ${7*7} #{7*7} <%= 7*7 %>",
        r"\ \u003c \" %3Cb%3E \\",
        "🦉 👩‍🔬 \u202eevil\u202c \u2066שלום\u2069 مرحبا \u200b \ufeff e\u0301",
        "\t \x85 \u2028 \u2029 \xa0 \ufffd \U0001ffff",
        "w" * 400,
    ]
)
# What begins a line of its own means much in headers, vCards, BibTeX, Markdown and spreadsheets.
LINES = (
    "and\n# more\n\n- item\nSet-Cookie: a=b\n---\n=1+1\nBEGIN:VCARD\nEND:VCARD\n@article{x\n> a\n"
    "1. b\n| a | b |\n\t\u2028x\u2029y\x85z and Bo Ek; [a](javascript:x) "
    "![b](http://evil.example/b) `b *c* _d_ <http://evil.example> שלום \\"
)
# The same scripts, and no harm.
MILD = "and more שלום"
# A title with HTML in it is refused, but not one with tags that nobody knows.
HOSTILE_TITLE = HTML.sub(r"\g<0>x", HOSTILE).replace("<!--x", "<!-x")
UNFREE = {
    "note",
    "accept",
    "signed",
    "tag",
    "kind",
    "identifiers",
    "isbn",
    "issn",
}  # texts with a form of their own, or that stay home
# sections whose texts name things, and so make their addresses
NAMES = ("skills", "interests", "languages")
Row = dict[str, Any]


def is_text(annotation: Any, metadata: Any = ()) -> bool:
    """Whether a field takes a text of any kind, or a list of such."""
    if annotation is str:
        return any(isinstance(mark, StringConstraints) for mark in metadata)
    if hasattr(annotation, "__metadata__"):
        return is_text(annotation.__origin__, annotation.__metadata__)
    return any(is_text(each) for each in get_args(annotation))


def is_checked_by(check: object, annotation: Any, metadata: Any = ()) -> bool:
    marks = (*metadata, *getattr(annotation, "__metadata__", ()))
    inner = (getattr(annotation, "__origin__", None), *get_args(annotation))
    return any(getattr(mark, "func", None) is check for mark in marks) or any(
        is_checked_by(check, each) for each in inner if each is not None
    )


def texts(model: type[BaseModel]) -> list[str]:
    fields = model.model_fields.items()
    return [
        name
        for name, field in fields
        if name not in UNFREE and is_text(field.annotation, field.metadata)
    ]


class Author:
    """Somebody who ends every free text of a site with the same words."""

    def __init__(self, words: str) -> None:
        self.words, self.numbers = words, count(1)

    def grown(self, value: Any, words: str = "") -> Any:
        if isinstance(value, dict):
            return {name: self.grown(each, words) for name, each in value.items()}
        return (
            [self.grown(each, words) for each in value]
            if isinstance(value, list)
            else f"{value} {words or self.words}"
        )

    def words_for(self, field: FieldInfo) -> str:
        """Prose holds HTML only where it shows it, and titles hold tags that nobody knows."""
        if is_checked_by(check_prose, field.annotation, field.metadata):
            return f"`` {self.words.replace(chr(10), ' ')} ``"  # paragraphs are the author's
        is_title = is_checked_by(check_title, field.annotation, field.metadata)
        return HOSTILE_TITLE if is_title and self.words == HOSTILE else self.words

    def fill(self, row: Row, model: type[BaseModel]) -> None:
        """Every free text of a row, written or not; what is inside it too."""
        for name in texts(model):
            field = model.model_fields[name]
            more = f"more {next(self.numbers)}"  # no two alike, for some are names of things
            value = row.get(name, [more] if "list" in str(field.annotation) else more)
            row[name] = self.grown(value, self.words_for(field))
        for name in ("authors", "editors", "translators", "alternateNames"):
            if name in row and name not in texts(model):
                row[name] = self.grown(row[name])
        if row.get("kind") != "other":
            row.pop("kindName", None)  # it says what another kind is
        for edition in row.get("editions", {}).values():
            self.fill(edition, Edition)
        for highlight in row.get("highlights", []):
            if isinstance(highlight, dict):
                self.fill(highlight, Highlight)
        if issubclass(model, Person):
            row.setdefault("organization", "northfjord")  # a position needs one
            address = f"https://net.example.org/{row['name'].split()[0]}"
            row["profiles"] = [
                {"network": self.grown("net"), "username": self.grown("me"), "url": address}
            ]
        if model is Owner:
            row["address"] = {"value": self.grown("1 Quay"), "visibility": "public"}

    def file(self, path: Path, row: Row) -> None:
        if path.stem == "site":
            self.fill(row, SiteFile)
        elif path.parent.name == "cv":
            self.fill(row["basics"], Owner)
            for name, section in SECTIONS.items():
                for entry in row.get(name, []) if name not in NAMES else []:
                    entries = entry.get("positions", [entry]) if isinstance(entry, dict) else []
                    if name == "news" and "text" not in entry:  # `2026-03: …`
                        [(entry["date"], entry["text"])] = entry.items()
                        del entry[entry["date"]]
                    for each in entries:
                        self.fill(each, section.model_for(each))
        else:
            registry = next(each for each in REGISTRIES.values() if each.file == path.stem)
            for entry in row.values():
                self.fill(entry, registry.model_for(entry))

    def write(self, folder: Path) -> Path:
        """The example, by this author."""
        shutil.copytree(ROOT / "kg" / "example", folder, ignore=shutil.ignore_patterns(".*"))
        for path in folder.glob("data/**/*.yaml"):
            row = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
            self.file(path, row)
            path.write_text(
                yaml.dump(row, sort_keys=False), encoding="utf-8"
            )  # in escapes, for not all of it may stand there as it is
        return folder
