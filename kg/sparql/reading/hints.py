"""Hints about a query: IRIs in it that no triple uses, and what may have been meant. Hints never
change the answer.

Considered are IRIs that must occur in a triple or name a graph. Not considered are datatypes,
functions, the template of a CONSTRUCT, and IRIs that are used as text. An unknown name is compared
with our own vocabulary, the graphs and a sample of the triples. Every suggestion is looked up, so
it always exists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, islice
from typing import NamedTuple

from pyoxigraph import DefaultGraph, NamedNode, Quad, QuerySolutions, Store

from kg.sparql.reading.outline import Outline, outline
from kg.sparql.reading.tokens import END, QueryTemplate, Token
from kg.store.memory import Memory
from kg.text.nearest import alike
from kg.vocab import ABOUT, ALL_PREFIXES, EXTERNAL, apart, cut, edtf, rdf, xsd

MAX_HINTS = 3
MAX_NAME = 100  # characters shown of a name
# Used with DATATYPE(…); in triples they occur only in literals.
DATATYPES = (str(xsd), str(edtf), rdf.langString)
MAX_IRIS = 500  # IRIs of a query; longer queries are machine-written
KNOWN_CACHE_SIZE, TEMPLATE_CACHE_SIZE = 256, 64  # cache sizes
SAMPLE = 20_000  # sampled triples
MAX_GRAPHS = 200_000
MAX_LENGTH_DIFFERENCE = 2  # maximum difference in length
MIN_SIMILARITY = 0.75
TYPE = NamedNode(rdf.type)
PAGE = re.compile(r"\.(html|ttl|jsonld|nt)(#.*)?$")
HEADER = "#+"  # starts a question, which may legitimately use terms that a site does not have
BEFORE_LESS_THAN = (
    "variable",
    "number",
    "close",
)  # kinds of tokens before a `<` that means less-than


class UsedIri(NamedTuple):
    """An IRI as written in the query, and in full. `is_graph`: it is used as the name of a
    graph.
    """

    text: str
    iri: str
    is_graph: bool


def hints(
    memory: Memory, template: QueryTemplate, place: DefaultGraph | None = None
) -> tuple[str, ...]:
    """At most three hints for a query that sees the triples in a `place` (None: in any graph).
    Errors are ignored: a hint is never worth losing an answer.
    """
    query = template.restore(template.text)
    if query.startswith(HEADER):
        return ()
    known = memory.once(
        f"known {place}",
        lambda: lru_cache(maxsize=KNOWN_CACHE_SIZE)(partial(is_known, memory, place=place)),
    )
    try:
        used = used_iris(memory.base, template)
        missing = (each for each in used if not known(each.iri, each.is_graph))
        return tuple(write_hint(memory, each) for each in islice(missing, MAX_HINTS))
    except (SyntaxError, ValueError, RuntimeError, OSError, MemoryError):
        return ()


def write_hint(memory: Memory, used: UsedIri) -> str:
    if graph := other_graph(memory, used):
        return (
            f"No triple in the default graph uses {short(used.text)}; it is in the graph "
            f"<{graph}>: use GRAPH <{graph}> {{ … }}."
        )
    nothing = f"No {'graph is named' if used.is_graph else 'triple uses'} {short(used.text)}"
    index = memory.once("names", lambda: NameIndex(memory))
    meant = index.meant(used.iri, used.is_graph)
    return (
        f"{nothing}. Did you mean {as_written(meant, used, memory.base)}?"
        if meant
        else f"{nothing}."
    )


def other_graph(memory: Memory, used: UsedIri) -> str:
    """The graph without facts that uses an IRI, relative to the base; empty if there is none."""
    for name in apart(memory.base) if memory.rest and not used.is_graph else ():
        if is_used(memory.store, NamedNode(used.iri), NamedNode(name)):
            return name.removeprefix(memory.base)
    return ""


def as_written(iri: str, used: UsedIri, base: str) -> str:
    """An IRI in the notation of the one it would replace: prefixed, relative or full."""
    (namespace, name), is_prefixed = cut(iri), not used.text.startswith("<")
    if is_prefixed and name and namespace == cut(used.iri)[0]:
        return short(f"{used.text.partition(':')[0]}:{name}")
    is_relative = "://" not in used.text and used.iri.startswith(base)
    return short(f"<{iri.removeprefix(base) if is_relative else iri}>")


def short(text: str) -> str:
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"


def used_iris(base: str, template: QueryTemplate) -> Iterator[UsedIri]:
    """Each IRI once, in the order of the query."""
    for text, iri, is_graph in resolved_terms(base, template.text):
        if not iri.startswith(DATATYPES):
            yield UsedIri(template.restore(text), template.restore(f"<{iri}>")[1:-1], is_graph)


@lru_cache(maxsize=TEMPLATE_CACHE_SIZE)
def resolved_terms(base: str, text: str) -> list[UsedIri]:
    """The IRIs of a template, resolved by the engine."""
    found = ((token.text.rstrip("."), is_graph) for token, is_graph in find_terms(outline(text)))
    terms = list(dict.fromkeys(found))[:MAX_IRIS]
    if not terms:
        return []
    query = outline(text).resolving([Token("iri", term, 0) for term, _ in terms])
    rows = Store().query(query, base_iri=base, prefixes=ALL_PREFIXES)
    values = [value for row in rows for value in row] if isinstance(rows, QuerySolutions) else []
    return [
        UsedIri(term, value.value, is_graph)
        for (term, is_graph), value in zip(terms, values, strict=True)
        if isinstance(value, NamedNode)
    ]


def find_terms(outlined: Outline) -> Iterator[tuple[Token, bool]]:
    """The tokens that denote IRIs to look up, and whether as a graph."""
    found = [END, END, *body(outlined), END]
    for at, token in enumerate(found):
        if token.kind not in ("iri", "name") or token.text.startswith("_:"):
            continue
        earlier, before, after = found[at - 2], found[at - 1], found[at + 1]
        is_datatype = before.text == earlier.text == "^"
        is_function = after.text == "("
        is_text = before.text == "(" and earlier.word == "STR"
        is_less = (
            token.kind == "iri" and before.kind in BEFORE_LESS_THAN and is_in_parentheses(found, at)
        )
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
    """The tokens after the query form; for CONSTRUCT, after its template."""
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
    """The local names in a graph, by namespace or folder."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.of: dict[str, dict[str, None]] = defaultdict(dict)
        for iri in gather_iris(memory):
            for place, name, _ in splits(iri):
                self.of[place][name] = None

    def meant(self, iri: str, is_graph: bool) -> str | None:
        """The most similar existing IRI."""
        found = chain(other_addresses(iri), self.near(iri), self.elsewhere(iri), bare(iri))
        return next((each for each in found if is_known(self.memory, each, is_graph)), None)

    def near(self, iri: str) -> Iterator[str]:
        """Names with few different letters, in the same namespace or its http/https variant."""
        for place, name, fragment in splits(iri):
            for home in (place, *other_addresses(place)):
                for found in close(name, self.of.get(home, {})):
                    yield from (home + found + end for end in (fragment, "#it", ""))

    def elsewhere(self, iri: str) -> Iterator[str]:
        """The same name in another namespace or folder: `schema:author` for `foaf:author`, a person
        among the organisations.
        """
        _, name, fragment = next(splits(iri))
        yield from (place + name + fragment for place, names in self.of.items() if name in names)


def is_known(
    memory: Memory, iri: str, is_graph: bool = False, place: DefaultGraph | None = None
) -> bool:
    """Whether a triple has the IRI as subject, predicate or object, or a graph as its name."""
    try:
        node = NamedNode(iri)
    except ValueError:
        return False
    if not is_graph and is_used(memory.store, node, place):
        return True
    return memory.has_graph(iri)


def is_used(store: Store, node: NamedNode, graph: NamedNode | DefaultGraph | None) -> bool:
    """Whether a triple has a node, in a graph or in any."""
    patterns = ((node, None, None), (None, node, None), (None, None, node))
    found = (store.quads_for_pattern(one, two, three, graph) for one, two, three in patterns)
    return any(next(quads, None) for quads in found)


def gather_iris(memory: Memory) -> Iterator[str]:
    store, place = memory.store, memory.place
    for namespace in (*EXTERNAL.values(), *ABOUT.values()):
        yield from (f"{namespace}{term}" for term in namespace)
    graphs = (graph.value for graph in store.named_graphs() if isinstance(graph, NamedNode))
    yield from islice((*graphs, *memory.fact_graphs), MAX_GRAPHS)
    quads: Iterator[Quad]
    for quads in (
        store.quads_for_pattern(None, TYPE, None, place),
        store.quads_for_pattern(None, None, None, place),
    ):
        for quad in islice(quads, SAMPLE // 2):
            nodes = (quad.subject, quad.predicate, quad.object if quad.predicate == TYPE else None)
            yield from (node.value for node in nodes if isinstance(node, NamedNode))


def splits(iri: str) -> Iterator[tuple[str, str, str]]:
    """Namespace or folder, name and fragment, the likelier split first: (`…/people/`, `ada`,
    `#it`), (`…/rdf-schema#`, `label`, ``).
    """
    document, sign, fragment = iri.partition("#")
    place, slash, name = document.rpartition("/")
    as_thing, as_term = (place + slash, name, sign + fragment), (document + sign, fragment, "")
    if not fragment or fragment == "it":
        yield as_thing
    else:
        yield from (as_term, as_thing)


def other_addresses(iri: str) -> list[str]:
    """The same IRI with http for https or vice versa, and without `www.`."""
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
    """The entity of a document and the document itself, without suffix and fragment."""
    document = PAGE.sub("", iri).partition("#")[0].rstrip("/")
    return [f"{document}#it", document, f"{document}/", f"{document}#"]


def close(word: str, names: Collection[str]) -> list[str]:
    """The names most similar to a word, or that have it as their first or last part."""
    if not word:
        return []
    as_long = (name for name in names if abs(len(name) - len(word)) <= MAX_LENGTH_DIFFERENCE)
    return (
        alike(word, as_long, most=3, cutoff=MIN_SIMILARITY)
        or [name for name in names if name.startswith(f"{word}-") or name.endswith(f"-{word}")][:3]
    )
