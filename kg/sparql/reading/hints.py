"""Hints about a query: which of its addresses no triple uses, and which may have been meant. The
answer stays as it is.

The addresses are those that a triple or a graph would have to have. Datatypes and functions are
none of them, nor is what a CONSTRUCT makes, nor an address that is only read as text. A name is
compared with our own terms, the graphs, and what a sample of the triples uses; whatever is proposed
is looked up, so it is always there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from typing import NamedTuple

from pyoxigraph import NamedNode, Quad, QuerySolutions, Store

from kg.sparql.reading.outline import Outline, outline
from kg.sparql.reading.tokens import END, QueryTemplate, Token
from kg.store.memory import Memory
from kg.text.nearest import alike
from kg.vocab import ABOUT, EXTERNAL, cut, cv, edtf, measures, rdf, xsd

MOST_HINTS = 3
LONGEST = 100  # characters of a name
# Compared with DATATYPE(…); a triple has them only at its literals.
DATATYPES = (str(xsd), str(edtf), rdf.langString)
MOST_USED = 500  # addresses of a query; one with more was written by a machine
MOST_KNOWN, MOST_TEMPLATES = 256, 64  # in the caches
SAMPLE = 20_000  # triples
MOST_GRAPHS = 200_000
EDITS = 2  # letters more or fewer
LIKENESS = 0.75
TYPE = NamedNode(rdf.type)
PAGE = re.compile(r"\.(html|ttl|jsonld|nt)(#.*)?$")
PAGES_HINT = "ask pages for it, which have a graph of their own: GRAPH <pages> { … }."
HEADER = "#+"  # a query that opens so is a question, and may ask for what a site does not have
COMPARED = ("variable", "number", "close")  # what stands before `<` where that means less


class UsedIri(NamedTuple):
    """An address as the query writes it and in full. `is_graph`: it stands where only the name of a
    graph can.
    """

    text: str
    iri: str
    is_graph: bool


def hints(memory: Memory, template: QueryTemplate) -> tuple[str, ...]:
    """At most three sentences. A hint is never worth an answer: where something goes wrong there is
    none.
    """
    query = template.restore(template.text)
    if query.startswith(HEADER) or (memory.pages and memory.names_pages(query)):
        return ()
    known = memory.once(
        "known", lambda: lru_cache(maxsize=MOST_KNOWN)(partial(is_known, memory.store))
    )
    try:
        used = used_iris(memory.base, template)
        missing = (each for each in used if not known(each.iri, each.is_graph))
        return tuple(write_hint(memory, each) for each in islice(missing, MOST_HINTS))
    except (SyntaxError, ValueError, RuntimeError, OSError, MemoryError):
        return ()


def write_hint(memory: Memory, used: UsedIri) -> str:
    if f"<{used.iri}>".encode() in memory.pages:
        return f"No fact uses {short(used.text)}; {PAGES_HINT}"
    nothing = f"No {'graph is called' if used.is_graph else 'triple uses'} {short(used.text)}"
    index = memory.once("names", lambda: NameIndex(memory.store, memory.base))
    meant = index.meant(used.iri, used.is_graph)
    return (
        f"{nothing}; did you mean {as_written(meant, used, memory.base)}?"
        if meant
        else f"{nothing}."
    )


def as_written(iri: str, used: UsedIri, base: str) -> str:
    """An address as the query would write it: like the one in whose place it is."""
    (namespace, name), is_prefixed = cut(iri), not used.text.startswith("<")
    if is_prefixed and name and namespace == cut(used.iri)[0]:
        return short(f"{used.text.partition(':')[0]}:{name}")
    is_relative = "://" not in used.text and used.iri.startswith(base)
    return short(f"<{iri.removeprefix(base) if is_relative else iri}>")


def short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def used_iris(base: str, template: QueryTemplate) -> Iterator[UsedIri]:
    """Each once, in the order of the query."""
    for text, iri, is_graph in resolved_terms(base, template.text):
        if not iri.startswith(DATATYPES):
            yield UsedIri(template.restore(text), template.restore(f"<{iri}>")[1:-1], is_graph)


@lru_cache(maxsize=MOST_TEMPLATES)
def resolved_terms(base: str, text: str) -> list[UsedIri]:
    """What a template names, in full as the engine reads it."""
    found = ((token.text.rstrip("."), is_graph) for token, is_graph in find_terms(outline(text)))
    terms = list(dict.fromkeys(found))[:MOST_USED]
    if not terms:
        return []
    query = outline(text).resolving([Token("iri", term, 0) for term, _ in terms])
    rows = Store().query(query, base_iri=base)
    values = [value for row in rows for value in row] if isinstance(rows, QuerySolutions) else []
    return [
        UsedIri(term, value.value, is_graph)
        for (term, is_graph), value in zip(terms, values, strict=True)
        if isinstance(value, NamedNode)
    ]


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


class NameIndex:
    """What is called how in a store: for each namespace or folder, the names in it."""

    def __init__(self, store: Store, base: str) -> None:
        self.store = store
        self.of: dict[str, dict[str, None]] = defaultdict(dict)
        for iri in gather_iris(store, base):
            for place, name, _ in splits(iri):
                self.of[place][name] = None

    def meant(self, iri: str, is_graph: bool) -> str | None:
        """The name in the graph that is most like one which is not."""
        found = chain(other_addresses(iri), self.near(iri), self.elsewhere(iri), bare(iri))
        return next((each for each in found if is_known(self.store, each, is_graph)), None)

    def near(self, iri: str) -> Iterator[str]:
        """Names with few letters changed, in the same place or in the same at its other address."""
        for place, name, fragment in splits(iri):
            for home in (place, *other_addresses(place)):
                for found in close(name, self.of.get(home, {})):
                    yield from (home + found + end for end in (fragment, "#it", ""))

    def elsewhere(self, iri: str) -> Iterator[str]:
        """The same name in another place: `foaf:author` for `schema:author`, a person among the
        organisations.
        """
        _, name, fragment = next(splits(iri))
        yield from (place + name + fragment for place, names in self.of.items() if name in names)


def is_known(store: Store, iri: str, is_graph: bool = False) -> bool:
    """Whether a quad has it, be it as subject, property, value or graph."""
    try:
        node = NamedNode(iri)
    except ValueError:
        return False
    patterns = ((node, None, None), (None, node, None), (None, None, node))
    if not is_graph and any(next(store.quads_for_pattern(*pattern), None) for pattern in patterns):
        return True
    return store.contains_named_graph(node)


def gather_iris(store: Store, base: str) -> Iterator[str]:
    for namespace in (*EXTERNAL.values(), *ABOUT.values()):
        yield from (f"{namespace}{term}" for term in namespace)
    for own in (cv, measures):
        yield from (base + own[term] for term in own)
    yield from (
        graph.value
        for graph in islice(store.named_graphs(), MOST_GRAPHS)
        if isinstance(graph, NamedNode)
    )
    quads: Iterator[Quad]
    for quads in (
        store.quads_for_pattern(None, TYPE, None),
        store.quads_for_pattern(None, None, None),
    ):
        for quad in islice(quads, SAMPLE // 2):
            nodes = (quad.subject, quad.predicate, quad.object if quad.predicate == TYPE else None)
            yield from (node.value for node in nodes if isinstance(node, NamedNode))


def splits(iri: str) -> Iterator[tuple[str, str, str]]:
    """Place, name and fragment, the likelier way first: (`…/people/`, `ada`, `#it`),
    (`…/rdf-schema#`, `label`, ``).
    """
    document, sign, fragment = iri.partition("#")
    place, slash, name = document.rpartition("/")
    as_thing, as_term = (place + slash, name, sign + fragment), (document + sign, fragment, "")
    if not fragment or fragment == "it":
        yield as_thing
    else:
        yield from (as_term, as_thing)


def other_addresses(iri: str) -> list[str]:
    """The same at the other kind of web address."""
    scheme, sign, rest = iri.partition("://")
    other = {"http": "https", "https": "http"}.get(scheme)
    if other is None:
        return []
    hosts = dict.fromkeys((rest, rest.removeprefix("www.")))
    return [
        address
        for kind in (other, scheme)
        for host in hosts
        if (address := f"{kind}{sign}{host}") != iri
    ]


def bare(iri: str) -> list[str]:
    """The thing of a document, and the document, without what else the address had."""
    document = PAGE.sub("", iri).partition("#")[0].rstrip("/")
    return [f"{document}#it", document, f"{document}/", f"{document}#"]


def close(word: str, names: Collection[str]) -> list[str]:
    """The names most like a word, or with it as their first or last part."""
    if not word:
        return []
    as_long = (name for name in names if abs(len(name) - len(word)) <= EDITS)
    return (
        alike(word, as_long, most=3, cutoff=LIKENESS)
        or [name for name in names if name.startswith(f"{word}-") or name.endswith(f"-{word}")][:3]
    )
