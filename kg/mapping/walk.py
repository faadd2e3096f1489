"""A fact -> its triples, as N-Quads text: one line a triple, in the graph of its subject.

The walker knows no kind of fact. It follows the joins a class states, walks parts, writes links to mentions and remembers them,
notes which documents were referred to, and keeps for every node the class, row and steps it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kg.facts.load import Loaded
from kg.facts.models.base import Fact
from kg.facts.references import Reference
from kg.facts.rows import Row
from kg.facts.terms import Mention
from kg.mapping import iris, plan, text
from kg.mapping.origins import Clash, Origin
from kg.vocab import Iri, schema, xsd


class Walker:
    """One walk over many facts. `hidden` are documents that private facts stand in: no triple may point there."""

    def __init__(self, base: str, hidden: Iterable[tuple[str, str]] = ()) -> None:
        self.base = base
        self.hidden = frozenset(hidden)
        self.lines: list[str] = []
        self.referred: dict[tuple[str, str], None] = {}
        self.mentions: dict[str, tuple[Mention, Origin]] = {}
        self.origins: dict[str, list[Origin]] = {}
        self.clashes: list[Clash] = []
        self.plans: dict[type[Fact], plan.Plan] = {}

    def walk(self, loaded: Loaded) -> None:
        """All triples of a fact of a document."""
        document = iris.document(self.base, loaded.kind, loaded.slug)
        self.fact(loaded.fact, document, Origin(type(loaded.fact), loaded.row, ()), token=loaded.row.token)

    def fact(self, fact: Fact, document: str, origin: Origin, enclosing: str = "", position: int = 0, token: str = "") -> str:
        """Writes a fact and gives its IRI in brackets; `enclosing` is the IRI of the fact it is a part of, `position` its number there."""
        iri = iris.of(fact, document, enclosing, position, token)
        subject, graph = f"<{iri}>", f" <{document}> .\n"
        if not self.note(iri, origin):
            return subject
        todo = self.plans.get(type(fact)) or self.plans.setdefault(type(fact), plan.make(type(fact), self.base))
        self.lines += [f"{subject} {constant}{graph}" for constant in todo.constants]
        for end, other in ((todo.of, f"{document}#it"), (todo.within, enclosing)):
            if end and other:
                self.join(end[0], subject, end[1], f"<{other}>", graph)
        if position:
            self.lines.append(f'{subject} <{schema.position}> "{position}"^^<{xsd.integer}>{graph}')
        values = fact.__dict__
        for field in todo.fields:
            value = getattr(fact, field.name) if field.said else values.get(field.name)
            if value is None or value == []:
                continue
            kind = type(value)
            items = value.items() if kind is dict else enumerate(value) if kind is list or kind is tuple else ((None, value),)
            for number, (key, item) in enumerate(items, 1):
                steps = (*origin.steps, field.written) if key is None else (*origin.steps, field.written, key)
                here = Here(document, iri, Origin(type(item), origin.row, steps), number if field.ordered else 0)
                self.item(field, item, here, subject, graph)
        return subject

    def item(self, field: plan.Field, item: Any, here: Here, subject: str, graph: str) -> None:
        """Joins one item of a field to its fact; a part without a join is only walked."""
        written = self.node(item, here) if field.plain else None
        for way, predicate, convert in field.joins:
            object_ = self.node(convert(item), here) if convert else written
            if object_ is not None:
                self.join(way, subject, predicate, object_, graph)

    def join(self, way: str, subject: str, predicate: str, object_: str, graph: str) -> None:
        if way == "inverse":
            self.lines.append(f"{object_} {predicate} {subject} <{iris.document_of(object_[1:-1])}> .\n")
        else:
            self.lines.append(f"{subject} {predicate} {object_}{graph}")

    def node(self, value: Any, here: Here) -> str | None:
        """A value as it stands in a triple; a part is walked, a mention remembered, a reference noted. None means no triple."""
        kind = type(value)
        if writer := text.WRITERS.get(kind):
            return writer(value)
        if isinstance(value, Reference):
            return self.refer(value.kind, value.slug)
        if isinstance(value, Fact):
            return self.fact(value, here.document, here.origin, here.iri, here.position)
        if kind is Iri:
            return f"<{iris.resolve(self.base, value)}>"
        if kind is Mention:
            return self.mention(value, here.origin)
        if value is None:
            return None
        raise TypeError(f"no way to write a {kind.__name__}: {value!r}")

    def refer(self, kind: str, slug: str) -> str | None:
        if (kind, slug) in self.hidden:
            return None
        self.referred[kind, slug] = None
        return f"<{iris.thing(self.base, kind, slug)}>"

    def mention(self, mention: Mention, origin: Origin) -> str | None:
        if self.refer(mention.kind, mention.slug) is None:
            return None
        iri = iris.mentioned(self.base, mention)
        self.mentions.setdefault(iri, (mention, Origin(type(mention.fact), origin.row, origin.steps)))
        if mention.within:
            self.mention(mention.within, origin)
        return f"<{iri}>"

    def settle(self) -> None:
        """Describes what was only mentioned. Describing may mention more, so it goes on until nothing is left."""
        while left := [found for iri, found in self.mentions.items() if iri not in self.origins]:
            for mention, origin in left:
                enclosing = iris.mentioned(self.base, mention.within) if mention.within else ""
                self.fact(mention.fact, iris.document(self.base, mention.kind, mention.slug), origin, enclosing)

    def note(self, iri: str, origin: Origin) -> bool:
        """Keeps where a node came from. Two facts that both say what a node is would melt into one: the second is not written."""
        known = self.origins.setdefault(iri, [])
        if known and origin.model.types and any(other.model.types for other in known):
            self.clashes.append(Clash(iri, known[0], origin))
            return False
        known.append(origin)
        return True


class Here:
    """Where a value stands: the document, the IRI of the fact around it, the way to it in the file, its number in an ordered list."""

    __slots__ = ("document", "iri", "origin", "position")

    def __init__(self, document: str, iri: str, origin: Origin, position: int) -> None:
        self.document, self.iri, self.origin, self.position = document, iri, origin, position


def lines_of(facts: Iterable[tuple[Fact, str]], base: str) -> list[str]:
    """The triples of facts that no author wrote, such as pages: pairs of a fact and its document."""
    walker = Walker(base)
    for fact, document in facts:
        walker.fact(fact, document, Origin(type(fact), Row(""), ()))
    return walker.lines
