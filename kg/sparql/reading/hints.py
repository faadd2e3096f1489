"""Hints for whoever asked: which addresses of the query no triple uses, and what may have been
meant. The answer stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.sparql.reading.outline import outline
from kg.sparql.reading.query_template import Shape
from kg.sparql.reading.suggest import knows, names_in, swapped
from kg.sparql.reading.used_iris import Mention, Prologue, mentions, prologue
from kg.store.memory import Memory
from kg.vocab import cut, edtf, prefixes, rdf, xsd

MOST = 3
LONGEST = 100  # characters of a name
DATATYPES = (
    str(xsd),
    str(edtf),
    rdf.langString,
)  # compared with DATATYPE(…); a triple has them only at its literals


def hints(memory: Memory, shape: Shape) -> tuple[str, ...]:
    """At most three sentences. A hint is never worth an answer: where something goes wrong there is
    none.
    """
    try:
        opening = prologue(memory.base, outline(shape.text).prologue)
        found = [
            mention for mention in mentions(memory, shape, opening) if is_missing(memory, mention)
        ]
        return tuple(said(memory, opening, found)) if found else ()
    except (SyntaxError, ValueError, RuntimeError, OSError, MemoryError):
        return ()


def is_missing(memory: Memory, mention: Mention) -> bool:
    return not mention.iri.startswith(DATATYPES) and not knows(
        memory, mention.iri, mention.is_graph
    )


def said(memory: Memory, opening: Prologue, missing: list[Mention]) -> Iterator[str]:
    moved: dict[tuple[str, str], list[str]] = {}
    others = []
    for mention in missing:
        move = moved_to(memory, opening, mention)
        if move:
            moved.setdefault(move, []).append(mention.text)
        else:
            others.append(mention)
    for (prefix, namespace), texts in list(moved.items())[:MOST]:
        yield (
            f"No triple uses {listed(texts)}; did you mean PREFIX {prefix}: "
            f"{short(f'<{namespace}>')}?"
        )
    for mention in others[: max(MOST - len(moved), 0)]:
        nothing = (
            f"No {'graph is called' if mention.is_graph else 'triple uses'} {short(mention.text)}"
        )
        meant = names_in(memory).meant(mention.iri, mention.is_graph)
        yield (
            f"{nothing}; did you mean {written(meant, mention, opening, memory.base)}?"
            if meant
            else f"{nothing}."
        )


def moved_to(memory: Memory, opening: Prologue, mention: Mention) -> tuple[str, str] | None:
    """A prefix, and the namespace it should stand for: where the rest of the name is right, and the
    PREFIX line is not.
    """
    prefix, _, name = mention.text.partition(":")
    if not mention.is_prefixed or prefix not in opening.prefixes:
        return None
    known = (
        place
        for place in swapped(opening.prefixes[prefix])
        if knows(memory, place + name, mention.is_graph)
    )
    return next(((prefix, namespace) for namespace in known), None)


def written(iri: str, mention: Mention, opening: Prologue, base: str) -> str:
    """An address as the query would write it: like the one in whose place it is."""
    namespace, name = cut(iri)
    if mention.is_prefixed and name:
        ours = {
            prefix: place
            for prefix, place in prefixes(base).items()
            if prefix not in opening.prefixes
        }
        prefix = next(
            (
                prefix
                for prefix, place in {**opening.prefixes, **ours}.items()
                if place == namespace
            ),
            None,
        )
        if prefix is not None:
            return short(f"{prefix}:{name}")
    if iri.startswith(opening.base) and iri != opening.base:
        return short(f"<{iri.removeprefix(opening.base)}>")
    return short(f"<{iri}>")


def listed(texts: list[str]) -> str:
    more = f" and {len(texts) - MOST} more" if len(texts) > MOST else ""
    return ", ".join(short(text) for text in texts[:MOST]) + more


def short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
