"""A fact -> its triples, as N-Quads text: one line a triple, in the graph of its subject.

The walker knows no kind of fact. It follows the joins a class states, walks parts, writes links to
mentions and remembers them, notes which documents were referred to, and keeps for every node the
class, row and steps it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from kg.facts.load import Loaded
from kg.facts.models.base import Entry, Fact
from kg.facts.reading.rows import Row
from kg.facts.values.references import Reference
from kg.facts.values.terms import Convert, Join, Mention, Unmapped, computed_values
from kg.mapping import iris, ntriples
from kg.mapping.origins import Clash, Conflict, Key, Origin, Remark
from kg.vocab import Iri, rdf, schema, xsd

POSITION, INTEGER = f"<{schema.position}>", f"<{xsd.integer}>"


class Node(NamedTuple):
    """A fact while it is written: its IRI, its document, where it came from, and subject and graph
    as they stand in a line.
    """

    iri: str
    document: str
    origin: Origin
    subject: str
    graph: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field or computed value: how its items are joined. With no joins at all its parts are only
    walked.
    """

    name: str
    # the field as it stands in the file: a computed value leads to the one it was made from
    written: str
    joins: tuple[tuple[str, str, Convert | None], ...]  # way, predicate in brackets, conversion
    ordered: bool
    plain: bool  # whether the item itself is written, and not only what it converts to
    direct: tuple[str, ...]  # the predicates, where all joins are plain terms


@dataclass(frozen=True, slots=True)
class Plan:
    """What a class of fact writes, computed once: its constant triples as text, its fields
    with their joins.
    """

    constants: tuple[str, ...]
    # way, predicate, and whether to the enclosing fact or to what the document is about
    ends: tuple[tuple[str, str, bool], ...]
    # name, direct predicates, all of it: the first two are looked at most
    fields: tuple[tuple[str, tuple[str, ...], Field], ...]
    computed: tuple[Field, ...]


class Walker:
    """One walk over many facts. `hidden` are documents that private facts stand in: no triple may
    point there.
    """

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        self.base = base
        self.hidden = frozenset(hidden)
        self.lines: list[str] = []
        self.referred: dict[tuple[str, str], str] = {}
        self.mentions: dict[str, tuple[Mention, Origin]] = {}
        self.origins: MutableMapping[str, list[Origin]] = {}
        self.clashes: list[Clash] = []
        self.conflicts: list[Conflict] = []
        self.plans: dict[type[Fact], Plan] = {}
        # How a value that is no fact is written, by its exact type; references join as they are
        # met.
        self.writers: dict[type, Callable[[Any], str | None]] = {
            **ntriples.WRITERS,
            Iri: lambda iri: f"<{iris.resolve(base, iri)}>",
            type(None): lambda nothing: None,
        }

    def walk(self, loaded: Loaded) -> None:
        """All triples of a fact of a document."""
        document = iris.document(self.base, loaded.kind, loaded.slug)
        self.fact(
            loaded.fact, document, Origin(type(loaded.fact), loaded.row, ()), token=loaded.row.token
        )

    def close(self) -> None:
        """Lets go of itself: its ways to write refer to it, and what is part of a circle is not
        freed while the collector pauses.
        """
        self.writers.clear()

    def fact(
        self,
        fact: Fact,
        document: str,
        origin: Origin,
        enclosing: str = "",
        position: int = 0,
        token: str = "",
    ) -> str:
        """Writes a fact and gives its IRI in brackets; `enclosing` is the IRI of the fact it is a
        part of, `position` its number there.
        """
        iri = iris.of(fact, document, enclosing, position, token)
        subject, graph = f"<{iri}>", f" <{document}> .\n"
        if not self.note(iri, origin):
            return subject
        todo = self.plans.get(type(fact)) or self.plans.setdefault(
            type(fact), plan_of(type(fact), self.base)
        )
        self.lines += [f"{subject} {constant}{graph}" for constant in todo.constants]
        for way, predicate, to_enclosing in todo.ends:
            if other := enclosing if to_enclosing else f"{document}#it":
                self.join(way, subject, predicate, f"<{other}>", graph)
        if position:
            self.lines.append(f'{subject} {POSITION} "{position}"^^{INTEGER}{graph}')
        self.fields(fact, todo, Node(iri, document, origin, subject, graph))
        return subject

    def fields(self, fact: Fact, todo: Plan, node: Node) -> None:
        """Each item of each field, joined to its fact."""
        values, writers = fact.__dict__, self.writers
        for name, direct, field in todo.fields:
            value = values.get(name)
            if value is None or value == []:
                continue
            # The short way, for most values are plain ones.
            if direct and (writer := writers.get(type(value))):
                if (object_ := writer(value)) is not None:
                    for predicate in direct:
                        self.lines.append(f"{node.subject} {predicate} {object_}{node.graph}")
            else:
                self.items(field, value, node)
        for field in todo.computed:
            if (value := getattr(fact, field.name)) is not None:
                self.items(field, value, node)

    def items(self, field: Field, value: Any, node: Node) -> None:
        if isinstance(value, list | tuple):
            for number, item in enumerate(value):
                self.item(field, item, number, node)
        elif isinstance(value, dict):
            for key, item in value.items():
                self.item(field, item, key, node)
        else:
            self.item(field, value, None, node)

    def item(self, field: Field, item: Any, key: Key, node: Node) -> None:
        """Joins one item to its fact; a part without a join is only walked."""
        written = self.node(item, field, key, node) if field.plain else None
        if field.direct:
            if written is not None:
                for predicate in field.direct:
                    self.lines.append(f"{node.subject} {predicate} {written}{node.graph}")
            return
        for way, predicate, convert in field.joins:
            object_ = self.node(convert(item), field, key, node) if convert else written
            if object_ is not None:
                self.join(way, node.subject, predicate, object_, node.graph)

    def join(self, way: str, subject: str, predicate: str, object_: str, graph: str) -> None:
        if way == "inverse":
            self.lines.append(
                f"{object_} {predicate} {subject} <{iris.document_of(object_[1:-1])}> .\n"
            )
        else:
            self.lines.append(f"{subject} {predicate} {object_}{graph}")

    def node(self, value: Any, field: Field, key: Key, around: Node) -> str | None:
        """A value as it stands in a triple; a part is walked, a mention remembered, a reference
        noted. None means no triple.
        """
        kind = type(value)
        if writer := self.writers.get(kind):
            return writer(value)
        if isinstance(value, Fact):
            position = key + 1 if field.ordered and isinstance(key, int) else 0
            return self.fact(
                value,
                around.document,
                around.origin.then(kind, field.written, key),
                around.iri,
                position,
            )
        if isinstance(value, Reference):
            self.writers[kind] = self.refer
            return self.refer(value)
        if kind is Mention:
            return self.mention(value, around.origin.then(type(value.fact), field.written, key))
        raise TypeError(f"no way to write a {kind.__name__}: {value!r}")

    def refer(self, to: Reference | Mention) -> str | None:
        document = (to.kind, to.slug)
        known = self.referred.get(document)
        if known is None and document not in self.hidden:
            known = self.referred[document] = f"<{iris.thing(self.base, *document)}>"
        return known

    def mention(self, mention: Mention, origin: Origin | Remark) -> str | None:
        if self.refer(mention) is None:
            return None
        iri = iris.mentioned(self.base, mention)
        known = self.mentions.get(iri)
        if known and vars(known[0].fact) != vars(mention.fact):
            self.agree(iri, known, mention, origin)
        # Of a part of a site only what was said before is a mere remark.
        elif not known and isinstance(origin, Origin):
            self.mentions[iri] = (mention, origin)
            if mention.within:
                self.mention(
                    mention.within, Origin(type(mention.within.fact), origin.row, origin.steps)
                )
        return f"<{iri}>"

    def agree(
        self, iri: str, known: tuple[Mention, Origin], mention: Mention, origin: Origin | Remark
    ) -> None:
        """Two mentions of one thing: what one leaves out the other fills in; where they contradict,
        the first holds and it is noted.
        """
        old, new = vars(known[0].fact), vars(mention.fact)
        merged = {name: old.get(name) or new.get(name) for name in {**old, **new}}
        if any(value and merged[name] != value and name != "source" for name, value in new.items()):
            self.conflicts.append(Conflict(known[1], origin, (known[0].fact, mention.fact)))
        if isinstance(merged.get("source"), list):
            merged["source"] = list(dict.fromkeys([*old["source"], *new["source"]]))
        self.mentions[iri] = (
            replace(known[0], fact=type(known[0].fact).unchecked(**merged)),
            known[1],
        )

    def settle(self) -> bool:
        """Describes what was only mentioned so far. That may refer to more documents, which come
        first before it is called again.
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
        """Keeps where a node came from. Two facts that both say what a node is would melt into one:
        the second is not written.
        """
        known = self.origins.get(iri)
        if known is None:
            self.origins[iri] = [origin]
        elif origin.model.types and any(other.model.types for other in known):
            self.clashes.append(Clash(iri, known[0], origin))
            return False
        else:
            self.origins[iri] = [*known, origin]
        return True


class PartWalker(Walker):
    """A walk over a part of a site. What it mentions is told to who walks the rest, in the order it
    was said; it is described there.
    """

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(base, hidden)
        self.mentioned: list[tuple[Mention, Origin | Remark]] = []
        self.before: dict[str, list[Mention]] = {}

    def mention(self, mention: Mention, origin: Origin | Remark) -> str | None:
        if self.refer(mention) is None:
            return None
        iri = iris.mentioned(self.base, mention)
        before = self.before.setdefault(iri, [])
        same = next((each for each in before if vars(each.fact) == vars(mention.fact)), None)
        self.mentioned.append(
            (same or mention, Remark(origin.place, origin.label) if before else origin)
        )
        if same is None:
            before.append(mention)
        return f"<{iri}>"


def lines_of(facts: Iterable[tuple[Fact, str]], base: str) -> list[str]:
    """The triples of facts that no author wrote, such as pages: pairs of a fact and its
    document.
    """
    walker = Walker(base)
    for fact, document in facts:
        walker.fact(fact, document, Origin(type(fact), Row(""), ()))
    walker.close()
    return walker.lines


def plan_of(model: type[Fact], base: str) -> Plan:
    """The plan of a class, for a site at this address."""

    def node(value: Iri | str) -> str:
        return (
            f"<{iris.resolve(base, value)}>" if isinstance(value, Iri) else ntriples.literal(value)
        )

    def field(name: str, written: str, joins: tuple[Join, ...]) -> Field:
        plain = tuple((join.way, node(join.predicate), join.as_) for join in joins)
        ordered, unconverted = (
            any(join.way == "ordered" for join in joins),
            not joins or any(join.as_ is None for join in joins),
        )
        direct = tuple(
            predicate for way, predicate, convert in plain if way == "term" and convert is None
        )
        return Field(
            name, written, plain, ordered, unconverted, direct if len(direct) == len(plain) else ()
        )

    constants = [f"{node(rdf.type)} {node(kind)}" for kind in model.types]
    constants += [f"{node(predicate)} {node(value)}" for predicate, value in model.fixed.items()]
    fields = [
        field(
            name,
            info.alias or name,
            tuple(mark for mark in info.metadata if isinstance(mark, Join)),
        )
        for name, info in model.model_fields.items()
        if walked(info.metadata, name)
    ]
    computed = [
        field(name, value.field.partition(" ")[0], value.joins)
        for name, value in computed_values(model).items()
    ]
    ends = [(join.way, node(join.predicate), False) for join in model.of]
    if model.within:
        ends.append((model.within.way, node(model.within.predicate), True))
    quick = tuple((each.name, each.direct, each) for each in fields)
    return Plan(tuple(constants), tuple(ends), quick, tuple(computed))


def walked(metadata: list[object], name: str) -> bool:
    """A field without a join is a part that is only walked, unless it is kept back or one of those
    every entry may carry.
    """
    if any(isinstance(mark, Join) for mark in metadata):
        return True
    return name not in Entry.model_fields and not any(
        isinstance(mark, Unmapped) for mark in metadata
    )
