"""What each described thing is called, by kind and slug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.mapping import iris
from kg.store.memory import Memory
from kg.vocab import schema

Names = Mapping[tuple[str, str], str]
NAMED = (
    f"SELECT ?thing (MIN(?each) AS ?name) WHERE {{ ?thing <{schema.name}> ?each "
    f'FILTER(STRENDS(STR(?thing), "#it")) }} GROUP BY ?thing'
)


def names_of(memory: Memory, things: Sequence[str] | None = None) -> dict[tuple[str, str], str]:
    """Of all things, or of these."""
    rows = memory.select(NAMED) if things is None else memory.select(NAMED, thing=list(things))
    return {key(memory.base, row["thing"].value): row["name"].value for row in rows}


def renewed(names: Names, memory: Memory, things: Sequence[str]) -> Names:
    """The same, when these are called otherwise, or are new or gone."""
    again = names_of(memory, things)
    keys = {key(memory.base, thing) for thing in things}
    if all(names.get(each) == again.get(each) for each in keys):
        return names
    return {each: name for each, name in names.items() if each not in keys} | again


def key(base: str, thing: str) -> tuple[str, str]:
    kind, _, slug = (iris.path_of(base, thing) or "").partition("/")
    return kind, slug
