"""Explains an entity and each of its statements: the result of `kg why`.

Only published facts are quoted. Private entries are not in the graph, so there is nothing to
explain; for notes and disputes only the place is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyoxigraph import Literal, NamedNode, Triple

from kg.errors import Place, UnknownName
from kg.facts.yaml.rows import Row, texts
from kg.mapping import iris
from kg.plugins.why.provenance import Provenance, Reason, triple_in, value_of
from kg.publish.questions.values import THING, Things
from kg.text.nearest import closest
from kg.text.normalize import name_key
from kg.vocab import PREFIXES, cut, dcterms, schema, short

COMMENT = re.compile(r"\s#\s*(\S.*)$")
NAMES = {
    "alternateNames": "also called",
    "formerNames": "has a former name, which is not published",
}


class Decision(NamedTuple):
    """A manual decision: its place, a description, and the reason if one is written."""

    place: Place
    text: str
    reason: str = ""


class ExplainedTriple(NamedTuple):
    triple: Triple
    reasons: list[Reason]


@dataclass(frozen=True)
class ThingExplanation:
    """The explanation of a node: its entries, its source documents, decisions about names, and the
    reasons of each statement.
    """

    iri: str
    entries: list[tuple[Place, str]]
    sources: list[tuple[str, list[Reason]]]
    decisions: list[Decision]
    statements: list[ExplainedTriple]
    is_chosen: bool  # whether only some statements were selected


def find_node(origins: Provenance, value: str) -> str:
    """The IRI that is meant by an address (full or relative), a slug or a name. Raises
    UnknownName.
    """
    base, known = origins.site.base, origins.by_subject
    given = value.strip().removeprefix("<").removesuffix(">")
    path = given.removeprefix(base)
    for iri in (f"{base}{path}{THING}", f"{base}{path}"):
        if iri in known:
            return iri
    things = Things.of(origins.memory)
    slug, _, part = given.partition("#")
    slugs = [f"{kind}/{slug}" for kind, names in things.names.items() if slug in names]
    named = [
        f"{kind}/{slug}"
        for kind, names in things.slugs.items()
        for slug in names.get(name_key(given), ())
    ]
    found = sorted({*slugs} or {*named})
    if len(found) > 1:
        raise UnknownName(f"'{value}' is ambiguous: {' or '.join(found)}. Use the address.", found)
    if found and (iri := f"{base}{found[0]}#{part or 'it'}") in known:
        return iri
    parts = [each.removeprefix(base) for each in known if each.startswith(base)]
    document = found[0] if found else path.partition("#")[0]
    own = [each for each in parts if part and each.startswith(f"{document}#")]
    near = closest(f"{document}#{part}", own) if own else closest(path, parts)
    near += [f"{kind}/{each}" for kind in things.names for each in things.nearest(kind, given)]
    shown = list(dict.fromkeys(each.removesuffix(THING) for each in near))[:5]
    advice = f"Closest: {', '.join(shown)}." if shown else "Use kg names or kg query to find it."
    raise UnknownName(f"'{value}' does not exist. {advice}", shown)


def explain(
    origins: Provenance, iri: str, property: str | None = None, value: str | None = None
) -> ThingExplanation:
    """Explains a node, or one of its properties, or one value."""
    found = [
        ExplainedTriple(triple_in(line), origins.reasons(line)) for line in origins.by_subject[iri]
    ]
    if property is not None:
        found = of_property(origins, found, property)
    if value is not None:
        found = of_value(origins, found, value)
    document = iris.document_of(iri)
    based_on = [
        ExplainedTriple(triple_in(line), origins.reasons(line))
        for line in origins.by_subject.get(document, ())
        if f"<{schema.isBasedOn}>" in line
    ]
    sources = {
        each.triple.object.value: each.reasons
        for each in (*found, *based_on)
        if each.triple.predicate.value in (dcterms.source, schema.isBasedOn)
        and isinstance(each.triple.object, NamedNode)
    }
    decisions = dict.fromkeys(names_decided(origins, found))
    if property is not None:
        return ThingExplanation(iri, [], [*sources.items()], [*decisions], found, is_chosen=True)
    entries = [(each.place, each.label) for each in origins.origins.get(iri, ())]
    entries += [(each.subject, "Turtle") for each in origins.by_hand.about(iri)[:1]]
    own = [*decisions_of(origins, iri)]
    others = [each for each in decisions if each.place not in {known.place for known in own}]
    return ThingExplanation(iri, entries, [*sources.items()], own + others, found, is_chosen=False)


def of_property(
    origins: Provenance, found: list[ExplainedTriple], name: str
) -> list[ExplainedTriple]:
    """The statements with a property, given by its IRI, with or without prefix, or by its YAML
    field.
    """
    wanted = name.strip("<>")
    kept = [
        each
        for each in found
        if wanted in names_of_property(origins, each.triple)
        or any(reason.field == wanted for reason in each.reasons)
    ]
    if not kept:
        known = sorted({shortened(origins, each.triple.predicate.value) for each in found})
        words = {word: each for each in known for word in (each, each.rpartition(":")[2])}
        near = [*dict.fromkeys(words[word] for word in closest(name, words))]
        there = f"Closest: {', '.join(near)}." if near else f"Known: {', '.join(known)}."
        raise UnknownName(f"No statement has the property '{name}'. {there}", near or known)
    return kept


def of_value(
    origins: Provenance, found: list[ExplainedTriple], value: str
) -> list[ExplainedTriple]:
    kept = [
        each
        for each in found
        if name_key(value.strip("<>")) in map(name_key, names_of_value(origins, each.triple))
    ]
    if not kept:
        known = {names_of_value(origins, each.triple)[0]: None for each in found}
        near = closest(value, known) or [*known][:5]
        raise UnknownName(
            f"None of the {len(found)} statements has the value '{value}'. Closest: "
            f"{', '.join(near)}.",
            near,
        )
    return kept


def names_of_property(origins: Provenance, triple: Triple) -> tuple[str, ...]:
    iri = triple.predicate.value
    return iri, shortened(origins, iri), cut(iri)[1]


def names_of_value(origins: Provenance, triple: Triple) -> tuple[str, ...]:
    """The names of a value: a text itself; an entity by address, slug or name."""
    if not isinstance(triple.object, NamedNode):
        return (getattr(triple.object, "value", str(triple.object)),)
    iri = triple.object.value
    path = iri.removeprefix(origins.site.base).removesuffix(THING)
    called = name_of(origins, iri)
    return (
        path,
        iri,
        iri.removesuffix(THING),
        path.rpartition("/")[2],
        shortened(origins, iri),
        called,
    )


def decisions_of(origins: Provenance, iri: str) -> Iterator[Decision]:
    """Decisions in the entries of an entity: other names, accepted rules, disputed values."""
    for origin in origins.origins.get(iri, ()):
        row = origin.row if not origin.steps else Row("")
        for field, words in NAMES.items():
            for number, name in enumerate(texts(row, field)):
                is_public = field != "formerNames"
                said = f"{words} {name}" if is_public else words
                yield decision(origins, row.at(field, number), said)
        accepted = row.get("accept")
        for rule, reason in accepted.items() if isinstance(accepted, Row) else ():
            text = f"exception from the rule {rule}"
            yield Decision(row.at("accept", rule), text, str(reason))
        disputed = row.get("disputed")
        for field in disputed if isinstance(disputed, Row) else ():
            yield Decision(
                row.at("disputed", field), f"another {field} is disputed and not published"
            )


def names_decided(origins: Provenance, found: Sequence[ExplainedTriple]) -> Iterator[Decision]:
    """The entries that define a name, used where a statement is written, as a name of the
    target.
    """
    triples = {each.triple: None for each in found}
    triples |= {triple: None for each in found for why in each.reasons for triple in why.because}
    for triple in triples:
        target = value_of(triple.object)
        kind, _, slug = (iris.path_of(origins.site.base, target) or "").partition("/")
        row = origins.entries.get((kind, slug))
        if row is None or not target.endswith(THING):
            continue
        for line in origins.lines_of(triple):
            for origin, _ in origins.written.get(line, ()):
                name = written_name(origin.row, origin.steps)
                for number, other in enumerate(texts(row, "alternateNames")):
                    if name and name_key(other) == name_key(name):
                        place = row.at("alternateNames", number)
                        yield decision(origins, place, f"{name} means {kind}/{slug}")


def written_name(row: Row, steps: Sequence[str | int]) -> str:
    """The text at the end of the steps; for an inline entry, its name."""
    here: Any = row
    for step in steps:
        if isinstance(here, Row) and step in here:
            here = here[str(step)]
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
    if isinstance(here, Row):
        here = here.get("as") or here.get("name")
    return here if isinstance(here, str) else ""


def decision(origins: Provenance, place: Place, text: str) -> Decision:
    """A decision with the comment at the end of its line, where `kg reconcile` writes the
    reason.
    """
    lines = origins.text_of(place.file).splitlines()
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    comment = COMMENT.search(line)
    return Decision(place, text, comment[1] if comment else "")


def shortened(origins: Provenance, iri: str) -> str:
    """An IRI with the prefixes of the site and of its vocabularies."""
    own = {each.prefix: each.namespace for each in origins.site.vocabularies}
    return short(iri, PREFIXES | own)


def name_of(origins: Provenance, iri: str) -> str:
    _, name = origins.memory.labels([iri]).get(iri, ((), None))
    return name or ""


def shown(origins: Provenance, term: object) -> str:
    """A term for people: an entity by address and name, a literal by its text."""
    if isinstance(term, NamedNode):
        base = origins.site.base
        path = term.value.removeprefix(base).removesuffix(THING)
        if path == term.value:
            return shortened(origins, term.value)
        name = name_of(origins, term.value)
        return f"{path or base} ({name})" if name else path or base
    if isinstance(term, Literal):
        return term.value + (f" (@{term.language})" if term.language else "")
    return str(term)
