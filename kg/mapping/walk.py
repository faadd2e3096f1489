"""A fact -> its triples, as N-Quads text: one line a triple, in the graph of its subject.

The walker knows no kind of fact. It follows the joins a class states, walks parts, writes links to mentions and remembers them,
notes which documents were referred to, and keeps for every node the class, row and steps it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kg.facts.load import Loaded
from kg.facts.models.base import Fact
from kg.facts.references import Reference
from kg.facts.rows import Row
from kg.facts.terms import Mention
from kg.mapping import iris, plan, text
from kg.mapping.origins import Clash, Origin, Steps
from kg.vocab import Iri, schema, xsd

POSITION = f"<{schema.position}>"
INTEGER = f"<{xsd.integer}>"


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
        self.fact(
            loaded.fact, iris.document(self.base, loaded.kind, loaded.slug), Origin(type(loaded.fact), loaded.row, ()), loaded.row.token
        )

    def fact(
        self, fact: Fact, document: str, origin: Origin, token: str = "", enclosing: str = "", extra: Mapping[str, str] | None = None
    ) -> str:
        """Writes a fact and gives its IRI in brackets; `enclosing` is the IRI of the fact it is a part of."""
        fragment = iris.fragment(fact, token, extra)
        iri = f"{document}#{fragment}" if fragment else document
        self.note(iri, origin)
        subject, graph = f"<{iri}>", f" <{document}> .\n"
        todo = self.plans.get(type(fact)) or self.plans.setdefault(type(fact), plan.make(type(fact), self.base))
        out = self.lines
        for constant in todo.constants:
            out.append(f"{subject} {constant}{graph}")
        for end, other in ((todo.of, f"{document}#it"), (todo.within, enclosing)):
            if end and other:
                self.join(end[0], subject, end[1], f"<{other}>", graph)
        if extra and "position" in extra:
            out.append(f'{subject} {POSITION} "{extra["position"]}"^^{INTEGER}{graph}')
        values = fact.__dict__
        for field in todo.fields:
            value = getattr(fact, field.name) if field.said else values.get(field.name)
            if value is None or value == []:
                continue
            kind = type(value)
            items = value if kind is list or kind is tuple else value.values() if kind is dict else (value,)
            keys: Iterable[str | int | None] = value if kind is dict else range(len(items)) if kind is list else (None,) * len(items)
            for number, (key, item) in enumerate(zip(keys, items, strict=True), 1):
                steps: Steps = (*origin.steps, field.written) if key is None else (*origin.steps, field.written, key)
                more = {"within": fragment, **({"position": str(number)} if field.ordered else {})}
                written: str | None = None
                if not field.joins:
                    self.node(item, document, origin, steps, iri, more)
                for way, predicate, convert in field.joins:
                    if convert is None:
                        written = written or self.node(item, document, origin, steps, iri, more)
                        object_ = written
                    else:
                        object_ = self.node(convert(item), document, origin, steps, iri, more)
                    if object_ is not None:
                        self.join(way, subject, predicate, object_, graph)
        return subject

    def join(self, way: str, subject: str, predicate: str, object_: str, graph: str) -> None:
        if way == "inverse":
            self.lines.append(f"{object_} {predicate} {subject} <{iris.document_of(object_[1:-1])}> .\n")
        else:
            self.lines.append(f"{subject} {predicate} {object_}{graph}")

    def node(self, value: Any, document: str, origin: Origin, steps: Steps, enclosing: str, extra: Mapping[str, str]) -> str | None:
        """A value as it stands in a triple; a part is walked, a mention remembered, a reference noted. None means no triple."""
        kind = type(value)
        writer = text.WRITERS.get(kind)
        if writer:
            return writer(value)
        if isinstance(value, Fact):
            return self.fact(value, document, Origin(kind, origin.row, steps), "", enclosing, extra)
        if isinstance(value, Reference):
            return self.refer(value.kind, value.slug)
        if kind is Iri:
            return f"<{iris.resolve(self.base, value)}>"
        if kind is Mention:
            return self.mention(value, Origin(type(value.fact), origin.row, steps))
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
        iri = self.mentioned(mention)
        self.mentions.setdefault(iri, (mention, origin))
        if mention.within:
            self.mention(mention.within, origin)
        return f"<{iri}>"

    def mentioned(self, mention: Mention) -> str:
        extra = {"within": self.mentioned(mention.within).partition("#")[2]} if mention.within else {}
        return f"{iris.document(self.base, mention.kind, mention.slug)}#{iris.fragment(mention.fact, extra=extra)}"

    def settle(self) -> None:
        """Describes what was only mentioned. Describing may mention more, so it goes on until nothing is left."""
        while left := [(iri, *found) for iri, found in self.mentions.items() if iri not in self.origins]:
            for _, mention, origin in left:
                enclosing = self.mentioned(mention.within) if mention.within else ""
                extra = {"within": enclosing.partition("#")[2]}
                self.fact(mention.fact, iris.document(self.base, mention.kind, mention.slug), origin, "", enclosing, extra)

    def note(self, iri: str, origin: Origin) -> None:
        known = self.origins.setdefault(iri, [])
        if known and origin.model.types and any(other.model.types for other in known):
            self.clashes.append(Clash(iri, known[0], origin))
        known.append(origin)


def lines_of(facts: Iterable[tuple[Fact, str]], base: str) -> list[str]:
    """The triples of facts that no author wrote, such as pages: pairs of a fact and its document."""
    walker = Walker(base)
    for fact, document in facts:
        walker.fact(fact, document, Origin(type(fact), Row(""), ()))
    return walker.lines
