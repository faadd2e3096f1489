"""Hints about a query: which of its addresses no triple uses, and which may have been meant; which
only pages use; and that dates as written do not compare. The answer stays as it is.

The addresses are those that a triple or a graph would have to have. Datatypes and functions are
none of them, nor is what a CONSTRUCT makes anew, nor an address that is only read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pyoxigraph import NamedNode, QuerySolutions

from kg.sparql.reading.outline import Outline, outline
from kg.sparql.reading.suggest import knows, names_in, other_addresses
from kg.sparql.reading.tokens import END, QueryTemplate, Token, once, tokens
from kg.store.memory import Memory
from kg.vocab import (
    bibo,
    cut,
    cv,
    dcterms,
    edtf,
    foaf,
    measures,
    prefixes,
    rdf,
    schema,
    skos,
    xsd,
)

MOST_HINTS = 3
LONGEST = 100  # characters of a name
# Compared with DATATYPE(…); a triple has them only at its literals.
DATATYPES = (str(xsd), str(edtf), rdf.langString)
MOST_USED = 500  # addresses; who names more has listed them by machine
ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\\]*")
RELATIVE = re.compile(r"[\w-][\w/-]*(#[\w:.-]*)?")
DATES = (schema.startDate, schema.endDate, schema.datePublished)
PAGES_HINT = "ask pages for it, which have a graph of their own: GRAPH <pages> { … }."
DATES_HINT = "These have three datatypes; cv:earliest and cv:latest are dates."
HEADER = "#+"  # a query that opens so is a question
VOCABULARIES = (bibo, cv, dcterms, foaf, measures, schema, skos)
COMPARED = ("variable", "number", "close")  # what stands before `<` where that means less


def hints(memory: Memory, template: QueryTemplate) -> tuple[str, ...]:
    """At most three sentences. A hint is never worth an answer: where something goes wrong there is
    none.
    """
    try:
        opening = prologue(memory.base, outline(template.text).prologue)
        found = [
            used
            for used in used_iris(memory, template, opening)
            if not used.iri.startswith(DATATYPES) and not knows(memory, used.iri, used.is_graph)
        ]
        if template.text.startswith(HEADER):
            found = [used for used in found if used.iri not in profile(memory.base)]
        of_pages = [used for used in found if f"<{used.iri}>".encode() in memory.pages]
        others = [used for used in found if used not in of_pages]
        written = tuple(write_hints(memory, opening, others)) if others else ()
        if of_pages and not memory.names_pages(template.restore(template.text)):
            texts = list_texts([used.text for used in of_pages])
            written = (f"No fact uses {texts}; {PAGES_HINT}", *written)[:MOST_HINTS]
        if compares_dates(template, opening) and knows(memory, memory.base + cv.earliest, False):
            written = (DATES_HINT, *written)[:MOST_HINTS]
        return written
    except (SyntaxError, ValueError, RuntimeError, OSError, MemoryError):
        return ()


@lru_cache(maxsize=4)
def profile(base: str) -> frozenset[str]:
    """The terms that facts can have. A question may ask for those that a site does not use, and
    that is no slip.
    """
    terms = (vocabulary[term] for vocabulary in VOCABULARIES for term in vocabulary)
    return frozenset(term if ":" in term else base + term for term in terms)


def compares_dates(template: QueryTemplate, opening: Prologue) -> bool:
    """Whether `<` or `>` stands beside a variable that is a date as it was written."""
    return any(
        opening.plain(template.restore(text)) in DATES for text in compared_terms(template.text)
    )


@once
def compared_terms(text: str) -> list[str]:
    """What a template names just before a variable that `<` or `>` stands beside."""
    found = [END, END, *body(outline(text)), END]
    compared = {
        token.text
        for at, token in enumerate(found)
        if token.kind == "variable"
        and not {"<", ">"}.isdisjoint(
            (
                found[at + 1].text,
                found[at - 1].text,
                found[at - 2].text if found[at - 1].text == "=" else "",
            )
        )
    }
    return [
        before.text
        for before, after in pairwise(found)
        if after.text in compared and before.kind in ("iri", "name")
    ]


def write_hints(memory: Memory, opening: Prologue, missing: list[UsedIri]) -> Iterator[str]:
    moved: dict[tuple[str, str], list[str]] = {}
    others = []
    for used in missing:
        move = moved_to(memory, opening, used)
        if move:
            moved.setdefault(move, []).append(used.text)
        else:
            others.append(used)
    for (prefix, namespace), texts in list(moved.items())[:MOST_HINTS]:
        yield (
            f"No triple uses {list_texts(texts)}; did you mean PREFIX {prefix}: "
            f"{short(f'<{namespace}>')}?"
        )
    for used in others[: max(MOST_HINTS - len(moved), 0)]:
        nothing = f"No {'graph is called' if used.is_graph else 'triple uses'} {short(used.text)}"
        meant = names_in(memory).meant(used.iri, used.is_graph)
        yield (
            f"{nothing}; did you mean {write_iri(meant, used, opening, memory.base)}?"
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
    return next(
        (
            (prefix, namespace)
            for namespace in other_addresses(opening.prefixes[prefix])
            if knows(memory, namespace + name, used.is_graph)
        ),
        None,
    )


def write_iri(iri: str, used: UsedIri, opening: Prologue, base: str) -> str:
    """An address as the query would write it: like the one in whose place it is."""
    namespace, name = cut(iri)
    if used.is_prefixed and name:
        # Those of the query come first, and mean what it says.
        known = {**opening.prefixes, **prefixes(base), **opening.prefixes}
        prefix = next((prefix for prefix, place in known.items() if place == namespace), None)
        if prefix is not None:
            return short(f"{prefix}:{name}")
    if iri.startswith(opening.base) and iri != opening.base:
        return short(f"<{iri.removeprefix(opening.base)}>")
    return short(f"<{iri}>")


def list_texts(texts: list[str]) -> str:
    more = f" and {len(texts) - MOST_HINTS} more" if len(texts) > MOST_HINTS else ""
    return ", ".join(short(text) for text in texts[:MOST_HINTS]) + more


def short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


class UsedIri(NamedTuple):
    """An address as the query writes it and in full. `is_graph`: it stands where only the name of a
    graph can.
    """

    text: str
    iri: str
    is_graph: bool

    @property
    def is_prefixed(self) -> bool:
        return not self.text.startswith("<")


@dataclass(frozen=True, slots=True)
class Prologue:
    """What the lines before a query say about its addresses. Without a base of its own it has the
    site's.
    """

    base: str
    prefixes: dict[str, str]

    def plain(self, text: str) -> str | None:
        """The address that a token stands for, where that is plain. The engine is asked for the
        others, and costs more.
        """
        if text.startswith("<"):
            return join_address(self.base, text[1:-1])
        prefix, _, name = text.partition(":")
        namespace = self.prefixes.get(prefix)
        return None if namespace is None or "\\" in name else namespace + name


@lru_cache(maxsize=16)  # many queries begin alike
def prologue(base: str, text: str) -> Prologue:
    """The one of a text."""
    prefixes = {}
    around = [END, END, *tokens(text)]
    for word, name, iri in zip(around, around[1:], around[2:], strict=False):
        if iri.kind != "iri":
            continue
        if name.word == "BASE":
            base = join_address(base, iri.text[1:-1]) or ""
        elif word.word == "PREFIX" and (namespace := join_address(base, iri.text[1:-1])):
            prefixes[name.text[:-1]] = namespace
    return Prologue(base, prefixes)


def join_address(base: str, address: str) -> str | None:
    """An address on a base, where nothing about it is special."""
    if ABSOLUTE.fullmatch(address):
        return address if "/." not in address else None
    return base + address if base.endswith("/") and RELATIVE.fullmatch(address) else None


def used_iris(memory: Memory, template: QueryTemplate, opening: Prologue) -> list[UsedIri]:
    """Each once, in the order of the query."""
    terms = [(template.restore(text), is_graph) for text, is_graph in terms_in(template.text)]
    plain = {text: opening.plain(text) for text, _ in terms}
    special = [Token("iri", text, 0) for text, iri in plain.items() if iri is None]
    if special:
        rows = memory.store.query(outline(template.text).resolving(special), base_iri=memory.base)
        found = [term for row in rows for term in row] if isinstance(rows, QuerySolutions) else []
        plain.update(
            (token.text, term.value)
            for token, term in zip(special, found, strict=True)
            if isinstance(term, NamedNode)
        )
    return [UsedIri(text, iri, is_graph) for text, is_graph in terms if (iri := plain[text])]


@once
def terms_in(text: str) -> list[tuple[str, bool]]:
    """What a template names, and whether as a graph."""
    return list(
        dict.fromkeys(
            (token.text.rstrip("."), is_graph) for token, is_graph in find_terms(outline(text))
        )
    )[:MOST_USED]


def find_terms(outlined: Outline) -> Iterator[tuple[Token, bool]]:
    """The tokens that name something, and whether as a graph."""
    found = [END, END, *body(outlined), END]
    for at, token in enumerate(found):
        if token.kind not in ("iri", "name") or token.text.startswith("_:"):
            continue
        earlier, before, after = found[at - 2], found[at - 1], found[at + 1]
        is_datatype = before.text == earlier.text == "^"
        is_function = after.text == "("
        is_text = before.text == "(" and earlier.word == "STR"
        is_less = token.kind == "iri" and before.kind in COMPARED and is_in_parentheses(found, at)
        if not (is_datatype or is_function or is_text or is_less):
            yield token, before.word in ("GRAPH", "FROM", "NAMED")


def is_in_parentheses(found: list[Token], at: int) -> bool:
    depth = 0
    for token in reversed(found[:at]):
        depth += (token.kind == "close") - (token.kind == "open")
        if depth < 0:
            return token.text == "("
    return False


def body(outlined: Outline) -> Sequence[Token]:
    """All after the form; of a CONSTRUCT what stands behind its template."""
    found = outlined.tokens[outlined.tokens.index(outlined.form) + 1 :]
    if outlined.form.word != "CONSTRUCT" or not found or found[0].text != "{":
        return found
    depth = 0
    for at, token in enumerate(found):
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0:
            return found[at + 1 :]
    return ()
