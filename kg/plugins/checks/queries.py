"""A rule about the site's own questions: words in them that nothing else knows."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.check.shacl.term_shapes import closed
from kg.errors import Problem, fix, place_at
from kg.facts.load import Facts
from kg.facts.values.text import SLUG, slugify
from kg.settings import readable
from kg.sparql.reading.tokens import Token, tokens
from kg.text.nearest import closest

FOLDER = "queries"
KINDS = ("variable", "name", "open", "close")


def own_words(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for path in readable(facts.folder / FOLDER, "*.rq"):
        file, text = f"{FOLDER}/{path.name}", path.read_text(encoding="utf-8", errors="replace")
        if not SLUG.fullmatch(path.stem):
            name = f"{slugify(path.stem) or 'question'}.rq"
            message = f"The file name is the address of the question. Rename it to {name}."
            yield Problem(place_at(file, text, 0), "warning", message, "")
        found = [
            token for token in tokens(text) if token.kind in KINDS or token.text.upper() == "AS"
        ]
        depth = sum({"open": 1, "close": -1}.get(token.kind, 0) for token in found)
        if depth:  # another problem
            continue
        terms = closed(facts.site.vocabularies if facts.site else ())
        prefixes = declared(text)
        for token, message, near in (*lonely(found), *unknown(found, terms, prefixes)):
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
        if number > max(ends, default=0) or inside:
            hint = f"Did you mean {near}?" if near else "Correct it."
            yield token, f"{token.text} occurs nowhere else in this question. {hint}", near


def declared(text: str) -> dict[str, str]:
    """prefix -> namespace"""
    found = tokens(text)
    pairs = pairwise(found)
    return {
        one.text: two.text[1:-1] for one, two in pairs if one.text[-1:] == ":" and two.kind == "iri"
    }


def unknown(
    found: list[Token], terms: Mapping[str, list[str]], prefixes: Mapping[str, str]
) -> Iterator[tuple[Token, str, str]]:
    """Properties and classes that the site does not use."""
    for token in found:
        prefix, _, name = token.text.partition(":")
        known = terms.get(prefixes.get(f"{prefix}:", ""), [])
        if token.kind == "name" and name and known and name not in known:
            alike = [each for each in known if each[0].isupper() == name[0].isupper()]
            near = next(iter(closest(name, alike, most=1)), "")
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
