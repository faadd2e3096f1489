"""A site's own shape files: their triples with places, and what is wrong with their text, be it
Turtle or the SPARQL in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pyoxigraph import Literal, Store, Triple

from kg.errors import BadQuery, Problem, offset_of
from kg.graph.turtle_errors import refusal
from kg.graph.turtle_places import OwnPlace, TriplePlace, read
from kg.sparql.reading.guard import forbid, form_of
from kg.sparql.reading.parse_errors import readable
from kg.sparql.reading.tokens import tokens, without_place
from kg.vocab import prefixes, sh

FORMS = {f"{sh}{term}": term.upper() for term in ("select", "ask", "construct")}
FUNCTION = re.compile(r"function <(.*)>")
BEFORE = "the prefix just before"
START = TriplePlace(0, 0, 0)


def read_own(file: str, body: bytes, base: str) -> dict[Triple, OwnPlace] | Problem:
    """The triples of a site's own file with their places, or why there are none."""
    try:
        text = body.decode("utf-8-sig")
        triples = read(text, base)
    except (UnicodeDecodeError, SyntaxError) as error:
        return refusal(file, body, error, {**prefixes(base), "sh": str(sh), "s": "shapes#"})
    return {triple: OwnPlace(file, text, at or START) for triple, at in triples.items()}


def query_header(triples: Iterable[Triple]) -> str:
    """PREFIX lines, as one, of all prefixes that shapes declare."""
    said: dict[object, dict[str, str]] = {}
    for triple in triples:
        if isinstance(triple.object, Literal):
            said.setdefault(triple.subject, {})[triple.predicate.value] = triple.object.value
    declared = {each.get(sh.prefix): each.get(sh.namespace) for each in said.values()}
    return "".join(
        f"PREFIX {prefix}: <{namespace}> "
        for prefix, namespace in declared.items()
        if prefix is not None and namespace
    )


def query_fault(triple: Triple, place: OwnPlace, header: str, base: str) -> Problem | None:
    """What is wrong with the query of a triple, if it has one."""
    query, form = triple.object, FORMS.get(triple.predicate.value)
    if form is None or not isinstance(query, Literal):
        return None
    term = f"'sh:{form.lower()}'"
    found = form_of(tokens(query.value))
    if found.word != form:
        there = f"begins with {found.word}" if found.word else "has no query"
        where = place.inside(found.start) if found.word else place.object
        return Problem(
            where, "error", f"{term} {there}. Write a query that begins with {form}.", "bad-shape"
        )
    before = ""
    try:
        forbid(query.value, tokens(query.value))
        before = header
        Store().query(before + query.value, base_iri=base)
    except BadQuery as error:
        words = str(error)
    except (SyntaxError, ValueError) as error:
        words = readable(str(error), before + query.value)
    except RuntimeError as error:
        return unsupported(str(error), query.value, place)
    else:
        return None
    words, line, column = without_place(words)
    offset = offset_of(before + query.value, line, column) - len(before)
    for name in tokens(query.value) if BEFORE in words else ():
        if name.start < offset <= name.end:
            words = words.replace(BEFORE, f"the prefix '{name.text.partition(':')[0]}:'")
            offset = name.start
    message = f"{term}: {words}. Correct this query."
    return Problem(place.inside(max(offset, 0)), "error", message, "bad-shape")


def unsupported(words: str, query: str, place: OwnPlace) -> Problem:
    """A function that SPARQL does not have, at its name."""
    function = FUNCTION.search(words)
    name = function[1] if function else ""
    calls = (each for each in tokens(query) if each.is_term and name.endswith(local(each.text)))
    call = next(calls, None) if name else None
    this = call.text if call else words
    message = f"SPARQL has no function {this}. Use one that it has, such as STRLEN or REGEX."
    return Problem(place.inside(call.start if call else 0), "error", message, "bad-shape")


def local(name: str) -> str:
    """The name of a term without its prefix or brackets."""
    return name.strip("<>").rpartition(":" if name[0] != "<" else "/")[2]
