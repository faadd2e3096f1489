"""Rules about the site's own questions, shapes and Turtle: terms that the site does not use, and
the former names of our terms.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.check.term_shapes import closed
from kg.errors import Problem, fix, place_at
from kg.facts.load import Facts
from kg.facts.values.text import SLUG, slugify
from kg.settings import readable
from kg.sparql.reading.tokens import Token, tokens
from kg.text.nearest import closest
from kg.vocab import FORMER, cv

FOLDER = "queries"
WITH_TERMS = ("queries/**/*.rq", "shapes/*.ttl", "data/*.ttl")


def own_words(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for path in readable(facts.folder / FOLDER, "*.rq"):
        file, text = f"{FOLDER}/{path.name}", path.read_text(encoding="utf-8", errors="replace")
        if not SLUG.fullmatch(path.stem):
            name = f"{slugify(path.stem) or 'question'}.rq"
            message = f"The file name is the address of the question. Rename it to {name}."
            yield Problem(place_at(file, text, 0), "warning", message, "")
        terms = closed(facts.site.vocabularies if facts.site else ())
        for token, message, near in (*other_protocols(text, terms), *unknown(text, terms)):
            place, remedy = place_at(file, text, token.start), fix(token.text, near, certain=False)
            yield Problem(place, "warning", message, "", fix=remedy if near else None)


def declared(text: str) -> dict[str, str]:
    """prefix -> namespace"""
    found = tokens(text)
    pairs = pairwise(found)
    return {
        one.text: two.text[1:-1] for one, two in pairs if one.text[-1:] == ":" and two.kind == "iri"
    }


def other_protocols(text: str, terms: Mapping[str, list[str]]) -> Iterator[tuple[Token, str, str]]:
    """Namespaces that differ from one of the site in https."""
    twins = {re.sub("^https?", "", space): space for space in terms}
    for token in tokens(text):
        space = token.text[1:-1]
        near = twins.get(re.sub("^https?", "", space), "") if token.kind == "iri" else ""
        if near and near != space and space not in terms:
            message = f"This site uses <{near}>, which is another address. Write that."
            yield token, message, f"<{near}>"


def unknown(text: str, terms: Mapping[str, list[str]]) -> Iterator[tuple[Token, str, str]]:
    """Properties and classes that the site does not use."""
    prefixes = declared(text)
    for token in tokens(text):
        prefix, _, name = token.text.partition(":")
        known = terms.get(prefixes.get(f"{prefix}:", ""), [])
        if token.kind == "name" and name and known and name not in known:
            alike = [each for each in known if each[0].isupper() == name[0].isupper()]
            near = next(iter(closest(name, alike, most=1, cutoff=0.7)), "")
            hint = f"Did you mean {prefix}:{near}?" if near else "Correct it."
            better = f"{prefix}:{near}" if near else ""
            yield token, f"{token.text} is nothing that this site uses. {hint}", better


def asked(pattern: str) -> dict[str, str | bytes]:
    query = f"PREFIX schema: <http://schema.org/>\nSELECT ?name WHERE {{ {pattern} }}\n"
    return {"queries/names.rq": f"#+ summary: Which names are there?\n{query}"}


QUESTION = PluginRule(
    Explanation(
        "A misspelt property is valid SPARQL that finds nothing, and the name of a "
        "question's file is its address.",
        asked("?person schema:nmae ?name"),
        asked("?person schema:name ?name"),
    ),
    own_words,
)


def former_terms(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    """Our terms at their former addresses, below the base of each site."""
    message = f"Our terms have one address at all sites now. Write <{cv}>."
    paths = (path for pattern in WITH_TERMS for path in readable(facts.folder, pattern))
    for path in dict.fromkeys(paths):
        text = path.read_text(encoding="utf-8", errors="replace")
        file = path.relative_to(facts.folder).as_posix()
        for found in re.finditer(re.escape(FORMER), text):
            place = place_at(file, text, found.start())
            yield Problem(place, "info", message, "", fix=fix(FORMER, f"<{cv}"))


def with_terms(address: str) -> dict[str, str | bytes]:
    """A question of a site that uses our terms at an address."""
    query = f"PREFIX cv: <{address}>\nSELECT ?person WHERE {{ ?person a cv:Owner }}\n"
    return {"queries/owners.rq": f"#+ summary: Whose CVs are here?\n{query}"}


TERMS = PluginRule(
    Explanation(
        "Before 0.1.0 each site had its own copy of our terms, so that no query fitted two sites. "
        "The former address still works in this release.",
        with_terms(FORMER[1:]),
        with_terms(str(cv)),
    ),
    former_terms,
)
