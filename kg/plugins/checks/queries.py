"""Rules about the site's own questions, shapes and Turtle: words in them that nothing else knows,
and the former names of our terms.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
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
WORDS = ("AS", "FILTER", "BIND")
UNBOUND = ("none", "nothing", "null", "unbound", "undef")
KINDS = ("variable", "name", "open", "close")


def own_words(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for path in readable(facts.folder / FOLDER, "*.rq"):
        file, text = f"{FOLDER}/{path.name}", path.read_text(encoding="utf-8", errors="replace")
        if not SLUG.fullmatch(path.stem):
            name = f"{slugify(path.stem) or 'question'}.rq"
            message = f"The file name is the address of the question. Rename it to {name}."
            yield Problem(place_at(file, text, 0), "warning", message, "")
        found = [
            token for token in tokens(text) if token.kind in KINDS or token.text.upper() in WORDS
        ]
        depth = sum({"open": 1, "close": -1}.get(token.kind, 0) for token in found)
        if depth:  # another problem
            continue
        terms = closed(facts.site.vocabularies if facts.site else ())
        prefixes = declared(text)
        wrong = (*other_protocols(text, terms), *lonely(found), *unknown(found, terms, prefixes))
        for token, message, near in wrong:
            place, remedy = place_at(file, text, token.start), fix(token.text, near, certain=False)
            yield Problem(place, "warning", message, "", fix=remedy if near else None)


def lonely(found: list[Token]) -> Iterator[tuple[Token, str, str]]:
    """Variables that are asked for or sorted by, and occur nowhere else."""
    counts = Counter(token.text[1:] for token in found if token.kind == "variable")
    ends = [number for number, token in enumerate(found) if token.kind == "close"]
    first = next((number for number, token in enumerate(found) if token.text == "{"), 0)
    computed = {two for one, two in pairwise(found) if one.text.upper() == "AS"}
    once = [
        token
        for token in found
        if token.kind == "variable" and counts[token.text[1:]] == 1 and token not in computed
    ]
    for number, token in enumerate(found):
        is_outside = number > max(ends, default=0) or number < first
        if token not in once or not is_outside:
            continue
        others = [f"?{name}" for name in counts if name != token.text[1:]]
        near = next(iter(closest(f"?{token.text[1:]}", others, most=1, cutoff=0.6)), "")
        inside = next((each for each in once if each.text == near), None)
        if inside and is_term(token, found) and not is_term(inside, found):
            yield inside, *nowhere_else(inside, token.text)
        elif number > max(ends, default=0) or inside:
            yield token, *nowhere_else(token, near)
    for token in in_expressions(found):  # others are often unbound on purpose: IF(…, ?none, ?x)
        others = [f"?{name}" for name in counts if name != token.text[1:]]
        meant = closest(token.text, others, 1, 0.6) if token in once else []
        if meant and token.text[1:] not in UNBOUND:
            yield token, *nowhere_else(token, meant[0])


def nowhere_else(token: Token, near: str) -> tuple[str, str]:
    hint = f"Did you mean {near}?" if near else "Correct it."
    return f"{token.text} occurs nowhere else in this question. {hint}", near


def is_term(variable: Token, found: list[Token]) -> bool:
    """Whether a variable is called like a property or class of the question: `?name`."""
    names = (token.text.rpartition(":")[2] for token in found if token.kind == "name")
    return variable.text[1:].lower() in map(str.lower, names)


def in_expressions(found: list[Token]) -> Iterator[Token]:
    """The variables between the brackets of FILTER and BIND, which cannot bind them."""
    for number, token in enumerate(found):
        if token.text.upper() not in ("FILTER", "BIND") or found[number + 1].text != "(":
            continue
        depth = 0
        for each in found[number + 1 :]:
            depth += {"open": 1, "close": -1}.get(each.kind, 0)
            if each.text == "{" or not depth:  # EXISTS has a pattern
                break
            if each.kind == "variable":
                yield each


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


def unknown(
    found: list[Token], terms: Mapping[str, list[str]], prefixes: Mapping[str, str]
) -> Iterator[tuple[Token, str, str]]:
    """Properties and classes that the site does not use."""
    for token in found:
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
        "A misspelt variable or property is valid SPARQL that finds nothing, and the name of a "
        "question's file is its address.",
        asked("?person schema:name ?nmae"),
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
