"""Hints about a query: which of its addresses no triple uses, and which may have been meant. The
answer stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.sparql.reading.outline import outline
from kg.sparql.reading.query_template import QueryTemplate
from kg.sparql.reading.suggest import knows, names_in, swapped
from kg.sparql.reading.used_iris import Prologue, UsedIri, prologue, used_iris
from kg.store.memory import Memory
from kg.vocab import cut, edtf, prefixes, rdf, xsd

MOST = 3
LONGEST = 100  # characters of a name
DATATYPES = (
    str(xsd),
    str(edtf),
    rdf.langString,
)  # compared with DATATYPE(…); a triple has them only at its literals


def hints(memory: Memory, template: QueryTemplate) -> tuple[str, ...]:
    """At most three sentences. A hint is never worth an answer: where something goes wrong there is
    none.
    """
    try:
        opening = prologue(memory.base, outline(template.text).prologue)
        found = [used for used in used_iris(memory, template, opening) if is_missing(memory, used)]
        return tuple(write_hints(memory, opening, found)) if found else ()
    except (SyntaxError, ValueError, RuntimeError, OSError, MemoryError):
        return ()


def is_missing(memory: Memory, used: UsedIri) -> bool:
    return not used.iri.startswith(DATATYPES) and not knows(memory, used.iri, used.is_graph)


def write_hints(memory: Memory, opening: Prologue, missing: list[UsedIri]) -> Iterator[str]:
    moved: dict[tuple[str, str], list[str]] = {}
    others = []
    for used in missing:
        move = moved_to(memory, opening, used)
        if move:
            moved.setdefault(move, []).append(used.text)
        else:
            others.append(used)
    for (prefix, namespace), texts in list(moved.items())[:MOST]:
        yield (
            f"No triple uses {listed(texts)}; did you mean PREFIX {prefix}: "
            f"{short(f'<{namespace}>')}?"
        )
    for used in others[: max(MOST - len(moved), 0)]:
        nothing = f"No {'graph is called' if used.is_graph else 'triple uses'} {short(used.text)}"
        meant = names_in(memory).meant(used.iri, used.is_graph)
        yield (
            f"{nothing}; did you mean {written(meant, used, opening, memory.base)}?"
            if meant
            else f"{nothing}."
        )


def moved_to(memory: Memory, opening: Prologue, used: UsedIri) -> tuple[str, str] | None:
    """A prefix, and the namespace it should stand for: where the rest of the name is right, and the
    PREFIX line is not.
    """
    prefix, _, name = used.text.partition(":")
    if not used.is_prefixed or prefix not in opening.prefixes:
        return None
    known = (
        place
        for place in swapped(opening.prefixes[prefix])
        if knows(memory, place + name, used.is_graph)
    )
    return next(((prefix, namespace) for namespace in known), None)


def written(iri: str, used: UsedIri, opening: Prologue, base: str) -> str:
    """An address as the query would write it: like the one in whose place it is."""
    namespace, name = cut(iri)
    if used.is_prefixed and name:
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
