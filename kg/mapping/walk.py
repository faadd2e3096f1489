"""Maps facts to N-Quads: one line for each triple, in the graph of its subject.

The walker has no code for specific models. It follows the joins that a model declares, maps parts
recursively, collects mentions and references, and records the origin of every node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from kg.errors import Problem
from kg.facts.loaded import Loaded
from kg.facts.models.base import Entry
from kg.facts.values.languages import Tagged, Words
from kg.facts.values.references import Reference
from kg.facts.values.terms import Convert, Fact, Join, Mention, Unmapped, computed_values
from kg.facts.yaml.rows import Row
from kg.mapping import iris, ntriples
from kg.mapping.iris import chosen_addresses, has_same_content, own_id, unique_words
from kg.mapping.origins import Key, Origin, RemoteOrigin, contradiction, same_address
from kg.vocab import Iri, dcterms, provenance_graph, rdf, schema, xsd

POSITION, INTEGER = f"<{schema.position}>", f"<{xsd.integer}>"


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """A field or computed value, and its joins. Without joins, its parts are only mapped."""

    name: str
    # the fields in the file; those that a computed value is made from
    written: tuple[str, ...]
    joins: tuple[tuple[str, str, Convert | None], ...]  # way, predicate in brackets, conversion
    ordered: bool
    plain: bool  # whether the item itself is written, not only its conversions
    direct: tuple[str, ...]  # the predicates, if items are written without conversion
    is_source: bool  # whether it says where facts are from, which is no fact itself


class Node(NamedTuple):
    """A fact being written: IRI, document, origin, and the start and end of its lines."""

    iri: str
    document: str
    origin: Origin
    subject: str
    graph: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a model writes, computed once: constant triples as text, and fields with joins."""

    constants: tuple[str, ...]
    # way, predicate, and whether it joins the enclosing fact or the document's subject
    ends: tuple[tuple[str, str, bool], ...]
    fields: tuple[FieldPlan, ...]


class Walker:
    """Maps many facts: to `lines` of facts, and of their `sources`. No triple may point to `hidden`
    documents, which are private.
    """

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        self.base = base
        self.hidden = frozenset(hidden)
        self.lines: list[str] = []
        self.sources: list[str] = []
        self.provenance = f"<{provenance_graph(base)}> .\n"
        self.referred: dict[tuple[str, str], str] = {}
        self.mentions: dict[str, tuple[Mention, Origin]] = {}
        self.origins: MutableMapping[str, list[Origin]] = {}
        self.problems: list[Problem] = []
        self.added = ""  # word that makes the current entry's address unique
        self.typed: dict[str, Fact] = {}  # facts with a type in the last walk
        self.ids: frozenset[str] = frozenset()  # addresses that authors chose
        # Writers of plain values by exact type; references are added when first met.
        self.writers: dict[type, Callable[[Any], str | None]] = {
            **ntriples.WRITERS,
            Iri: lambda iri: f"<{iris.resolve(base, iri)}>",
            type(None): lambda nothing: None,
        }

    def walk(self, loaded: Sequence[Loaded]) -> None:
        """Writes the facts of complete documents."""
        self.ids = chosen_addresses(self.base, loaded)
        added = unique_words(self.base, loaded, self.ids, self.hidden)
        self.typed.clear()
        for each in loaded:
            document = iris.document(self.base, each.kind, each.slug)
            self.added = added.get(id(each), "")
            tokens = (each.row.token, self.added)
            self.fact(each.fact, document, Origin(type(each.fact), each.row, ()), tokens=tokens)
        self.added = ""

    def fact(
        self,
        fact: Fact,
        document: str,
        origin: Origin,
        enclosing: str = "",
        position: int = 0,
        tokens: tuple[str, ...] = (),
    ) -> str:
        """Writes a fact; returns its IRI in brackets. `enclosing` is the IRI of the fact it is part
        of, `position` its number there.
        """
        plan, lines = self.plan(type(fact)), self.lines
        iri = self.address(fact, iris.of(fact, document, enclosing, position, tokens))
        subject, graph = f"<{iri}>", f"<{document}> .\n"
        if not self.note(iri, origin):
            return subject
        for constant in plan.constants:
            lines.append(f"{subject} {constant} {graph}")
        for way, predicate, to_enclosing in plan.ends:
            if other := enclosing if to_enclosing else f"{document}#it":
                self.join(way, subject, predicate, f"<{other}>")
        if position:
            lines.append(f'{subject} {POSITION} "{position}"^^{INTEGER} {graph}')
        here = Node(iri, document, origin, subject, graph)
        stored, writers = fact.__dict__, self.writers
        for field in plan.fields:
            name = field.name
            value = stored[name] if name in stored else getattr(fact, name)
            if value is None:  # the usual case
                continue
            kind = type(value)
            if field.direct and (writer := writers.get(kind)):
                if written := writer(value):
                    for predicate in field.direct:
                        lines.append(f"{subject} {predicate} {written} {graph}")
            elif value or kind is not list:
                near = here._replace(graph=self.provenance) if field.is_source else here
                for key, item in items_of(value, kind):
                    self.item(field, item, key, near)
        return subject

    def address(self, fact: Fact, iri: str) -> str:
        """The IRI of a fact, with a number if another fact has it, unless both have equal content
        or an `id` sets it.
        """
        if not fact.types or fact.key == "it":
            return iri
        found, numbers = iri, count(2)
        while not own_id(fact) and (found in self.ids or found in self.typed):
            other = self.typed.get(found)
            if other and not fact.may_repeat and has_same_content(fact, other):
                break
            found = f"{iri}-{next(numbers)}"
        self.typed.setdefault(found, fact)
        return found

    def plan(self, model: type[Fact]) -> Plan:
        return plan_of(model, self.base)

    def item(self, field: FieldPlan, item: Any, key: Key, here: Node) -> None:
        """Writes the triples of one item; a part without a join is only mapped."""
        written = self.node(item, field, key, here) if field.plain else None
        for way, predicate, convert in field.joins:
            object_ = written
            if convert:
                value = convert(item) if type(item) is not Tagged else retagged(item, convert)
                writer = self.writers.get(type(value))
                object_ = writer(value) if writer else self.node(value, field, key, here)
            if object_ is None:
                continue
            if way == "inverse":
                self.join(way, here.subject, predicate, object_)
            else:
                lines = self.sources if field.is_source else self.lines
                lines.append(f"{here.subject} {predicate} {object_} {here.graph}")

    def join(self, way: str, subject: str, predicate: str, object_: str) -> None:
        if way == "inverse":
            subject, object_ = object_, subject
        document, hash_, _ = subject.partition("#")
        graph = f"{document}>" if hash_ else subject
        self.lines.append(f"{subject} {predicate} {object_} {graph} .\n")

    def node(self, value: Any, field: FieldPlan, key: Key, around: Node) -> str | None:
        """A value as a term of a triple; maps parts, and records mentions and references. None: no
        triple.
        """
        kind = type(value)
        if writer := self.writers.get(kind):
            return writer(value)
        if isinstance(value, Reference):
            self.writers[kind] = self.refer
            return self.refer(value)
        if kind is Mention:
            return self.mention(value, around.origin.then(type(value.fact), field.written, key))
        position = key + 1 if field.ordered and isinstance(key, int) else 0
        below = around.origin.then(kind, field.written, key)
        tokens = () if "{within}" in kind.key else (self.added,)
        return self.fact(value, around.document, below, around.iri, position, tokens)

    def refer(self, to: Reference | Mention) -> str | None:
        document = (to.kind, to.slug)
        known = self.referred.get(document)
        if known is None and document not in self.hidden:
            known = self.referred[document] = f"<{iris.thing(self.base, *document)}>"
        return known

    def mention(self, mention: Mention, origin: Origin | RemoteOrigin) -> str | None:
        if self.refer(mention) is None:
            return None
        iri = iris.mentioned(self.base, mention)
        known = self.mentions.get(iri)
        if known and vars(known[0].fact) != vars(mention.fact):
            self.agree(iri, known, mention, origin)
        # In a part of a site, only the first mention has an Origin; later ones are Remarks.
        elif not known and isinstance(origin, Origin):
            self.mentions[iri] = (mention, origin)
            if mention.within:
                self.mention(
                    mention.within, Origin(type(mention.within.fact), origin.row, origin.steps)
                )
        return f"<{iri}>"

    def agree(
        self,
        iri: str,
        known: tuple[Mention, Origin],
        mention: Mention,
        origin: Origin | RemoteOrigin,
    ) -> None:
        """Merges two mentions of one entity. If they contradict each other, the first is used and a
        problem is reported.
        """
        old, new = vars(known[0].fact), vars(mention.fact)
        merged = {name: old.get(name) or new.get(name) for name in {**old, **new}}
        if any(value and merged[name] != value and name != "source" for name, value in new.items()):
            self.problems.append(contradiction(known[0].fact, known[1], mention.fact, origin))
        if isinstance(merged.get("source"), list):
            merged["source"] = list(dict.fromkeys([*old["source"], *new["source"]]))
        fact = type(known[0].fact).unchecked(**merged)
        self.mentions[iri] = (known[0]._replace(fact=fact), known[1])

    def settle(self) -> bool:
        """Writes entities that were only mentioned. They may refer to more documents; write those
        before the next call.
        """
        left = [found for iri, found in self.mentions.items() if iri not in self.origins]
        for mention, origin in left:
            enclosing = iris.mentioned(self.base, mention.within) if mention.within else ""
            self.fact(
                mention.fact,
                iris.document(self.base, mention.kind, mention.slug),
                origin,
                enclosing,
            )
        return bool(left)

    def note(self, iri: str, origin: Origin) -> bool:
        """Records the origin of a node. A second fact with a type for the same node is reported and
        not written, because the two would merge.
        """
        known = self.origins.get(iri)
        if known and origin.model.types and any(other.model.types for other in known):
            self.problems.append(same_address(iri, known[0], origin))
            return False
        self.origins[iri] = [*known, origin] if known else [origin]
        return True


class PartWalker(Walker):
    """Maps a part of a site. Mentions are listed in file order for the process that maps the
    rest.
    """

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(base, hidden)
        self.mentioned: list[tuple[Mention, Origin | RemoteOrigin]] = []
        self.before: dict[str, list[Mention]] = {}

    def mention(self, mention: Mention, origin: Origin | RemoteOrigin) -> str | None:
        if self.refer(mention) is None:
            return None
        iri = iris.mentioned(self.base, mention)
        before = self.before.setdefault(iri, [])
        same = next((each for each in before if each.fact == mention.fact), None)
        self.mentioned.append(
            (same or mention, RemoteOrigin(origin.place, origin.label) if before else origin)
        )
        if same is None:
            before.append(mention)
        return f"<{iri}>"


def lines_of(facts: Iterable[tuple[Fact, str]], base: str) -> list[str]:
    """The triples of facts that authors did not write, such as pages."""
    walker = Walker(base)
    for fact, document in facts:
        walker.fact(fact, document, Origin(type(fact), Row(""), ()))
    return walker.lines


def retagged(item: Tagged, convert: Convert) -> Tagged | None:
    """Converts a text and keeps its language."""
    text = convert(item.text)
    return Tagged(text, item.tag) if text else None


def items_of(value: Any, kind: type) -> Iterable[tuple[Key, Any]]:
    """The items of a list or mapping, or the translations of a text, with their keys; any other
    value is one item.
    """
    if kind is list or kind is tuple:
        return enumerate(value)
    if isinstance(value, Words):
        return value.literals
    return value.items() if kind is dict else ((None, value),)


@cache
def plan_of(model: type[Fact], base: str) -> Plan:
    if not issubclass(model, Fact):
        raise TypeError(f"cannot map a {model.__name__}")

    def node(value: Iri | str) -> str:
        return (
            f"<{iris.resolve(base, value)}>" if isinstance(value, Iri) else ntriples.literal(value)
        )

    def field(name: str, written: str, joins: Sequence[Join]) -> FieldPlan:
        is_direct = all(join.way != "inverse" and join.as_ is None for join in joins)
        return FieldPlan(
            name,
            tuple(written.split()) or ("",),
            tuple((join.way, node(join.predicate), join.as_) for join in joins),
            ordered=any(join.way == "ordered" for join in joins),
            plain=not joins or any(join.as_ is None for join in joins),
            direct=tuple(node(join.predicate) for join in joins) if is_direct else (),
            is_source=any(join.predicate == dcterms.source for join in joins),
        )

    constants = [f"{node(rdf.type)} {node(kind)}" for kind in model.types]
    constants += [f"{node(predicate)} {node(value)}" for predicate, value in model.fixed.items()]
    fields = [
        field(name, info.alias or name, [mark for mark in info.metadata if isinstance(mark, Join)])
        for name, info in model.model_fields.items()
        if is_walked(info.metadata, name)
    ]
    fields += [
        field(name, value.field, value.joins) for name, value in computed_values(model).items()
    ]
    ends = [(join.way, node(join.predicate), False) for join in model.of]
    if model.within:
        ends.append((model.within.way, node(model.within.predicate), True))
    return Plan(tuple(constants), tuple(ends), tuple(fields))


def is_walked(metadata: list[object], name: str) -> bool:
    """Whether a field is mapped. Without a join it is a part, unless it is unmapped or one of the
    common fields of entries.
    """
    is_part = name not in Entry.model_fields and not any(
        isinstance(mark, Unmapped) for mark in metadata
    )
    return is_part or any(isinstance(mark, Join) for mark in metadata)
