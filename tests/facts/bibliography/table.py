"""Writes `docs/formats.md`: which field of other formats goes where, from the models and the tables
in `kg/facts/bibliography/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kg.facts.bibliography.correspondence import ELSE, NAMES, Correspondence, correspondence
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import classes_in
from kg.facts.models.people import Owner
from kg.facts.schema import COMMON, schemas
from kg.facts.values.references import Reference
from tests.conftest import ROOT

FILE = ROOT / "docs" / "formats.md"
FORMATS = [correspondence(name) for name in NAMES]
START = """# Other formats

For everyone who imports or exports CVs. These tables show how the fields of
{names} are mapped to ours. Files listed in a CV
(`publications: papers.bib`) are read with the same tables.

Fields are named by their path in a CV: `work.position` is `position:` of an entry in `work:`.
Every entry can also have {common}. If a mapping applies only to some kinds
of entries, they are in parentheses.

`python -m tests.facts.bibliography` generates this page from the models and from
`kg/facts/bibliography/*.yaml`; a test checks that it is up to date.
"""
NOT_TAKEN = """
## {name} {version}: ignored fields

| Field | Reason |
|---|---|
"""


def our_fields() -> dict[str, list[str]]:
    """Every field of a CV by its part: `work` -> `work.position` and so on."""
    schema = schemas()["cv"]
    parts = {
        name: [name, *dict.fromkeys(below(name, node, schema["$defs"]))]
        for name, node in schema["properties"].items()
    }
    alone = [name for name, paths in parts.items() if len(paths) == 1]
    return {"Top level of a CV": alone} | {
        name: paths for name, paths in parts.items() if name not in alone
    }


def below(path: str, node: Any, defs: dict[str, Any], depth: int = 0) -> Iterator[str]:
    """The fields inside a field, each before those inside it."""
    if depth > 2:
        return
    for each in alternatives(node, defs):
        fields = each.get("properties", {})
        for name, inner in fields.items() if fields.keys() != {"name"} else ():
            if name not in COMMON or name in ("dates", "years", "positions", "given"):
                yield f"{path}.{name}"
                yield from below(f"{path}.{name}", inner, defs, depth + 1)


def alternatives(node: dict[str, Any], defs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The forms that a value may have; of a list, those of its items."""
    if "$ref" in node:
        yield from alternatives(defs[node["$ref"].rpartition("/")[2]], defs)
    for each in (*node.get("anyOf", ()), *filter(None, [node.get("items")])):
        yield from alternatives(each, defs)
    yield node


def exists(path: str, ours: set[str]) -> bool:
    """Whether a path is a field of ours, one of any entry, or one of a thing in place."""
    before, _, last = path.rpartition(".")
    return path in ours or (before in ours and (last in COMMON or last in fields_in_place(before)))


def fields_in_place(path: str) -> set[str]:
    """The fields that may stand where this one names a thing: those of its registry."""
    part, _, name = path.partition(".")
    section = SECTIONS.get(part)
    models = (
        [section.model, section.other] if section else [Owner, *REGISTRIES["publications"].models]
    )
    fields = [each.model_fields[name] for each in models if each and name in each.model_fields]
    return {
        field
        for info in fields
        for each in classes_in(info.annotation)
        if issubclass(each, Reference) and each.inline
        for model in REGISTRIES[each.inline].models
        for field in model.model_fields
    }


def document() -> str:
    parts = our_fields()
    names = ", ".join(each.name for each in FORMATS[:-1]) + f" and {FORMATS[-1].name}"
    common = ", ".join(f"`{name}`" for name in ("id", "visibility", "source", "note", "accept"))
    text = START.format(names=names, common=common)
    theirs = [by_path(each) for each in FORMATS]
    for part, paths in parts.items():
        text += f"\n## {part}\n\n"
        own = [path for path in paths if path != part or any(path in each for each in theirs)]
        text += table(["Our field", *(each.name for each in FORMATS)], rows(own, theirs))
    text += "\n## Kinds of publication\n\n"
    typed = [each for each in FORMATS if each.types]
    text += table(["Our field", *(each.name for each in typed)], kinds(typed))
    for each in FORMATS:
        text += NOT_TAKEN.format(name=each.name, version=each.version)
        reasons = {**each.not_taken, **each.types_not_taken}
        text += "".join(f"| `{field}` | {why} |\n" for field, why in reasons.items())
    return text


def by_path(table: Correspondence) -> dict[str, list[str]]:
    """Their fields by ours, with the kinds for which they are."""
    found: dict[str, list[str]] = {}
    for field, targets in table.fields.items():
        for path, which in targets.items():
            some = "" if which == ELSE else f" ({', '.join(which)})"
            whole = ".".join(filter(None, [table.at, path]))
            found.setdefault(whole, []).append(f"`{field}`{some}")
    return found


def rows(paths: list[str], theirs: list[dict[str, list[str]]]) -> Iterator[list[str]]:
    named = dict.fromkeys(path for table in theirs for path in table)
    for path in paths:
        own = [each for each in named if each.rpartition(".")[0] == path]
        inside = [each for each in own if each not in paths]
        for each in (path, *inside):
            yield [f"`{each}`", *("<br>".join(table.get(each, ())) for table in theirs)]


def kinds(typed: list[Correspondence]) -> Iterator[list[str]]:
    for kind in REGISTRIES["publications"].kinds:
        types = (
            dict.fromkeys(
                [each.type_of(kind), *(name for name, ours in each.types.items() if ours == kind)]
            )
            for each in typed
        )
        yield [f"`{kind}`", *("<br>".join(f"`{name}`" for name in each) for each in types)]


def table(heads: list[str], lines: Iterable[list[str]]) -> str:
    start = f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    return start + "".join(f"| {' | '.join(line)} |\n" for line in lines)
