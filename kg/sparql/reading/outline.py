"""The outline of a query, read from its tokens: its form, columns and graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import Template

from kg.sparql.reading.guard import FORMS
from kg.sparql.reading.tokens import Token, once, tokens
from kg.vocab import dcterms, schema

AFTER_HEAD = {"FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"}
CHANGING = {"NOW", "RAND", "UUID", "STRUUID", "BNODE"}  # functions with a different value each time

MAX_EVIDENCE = 20_000  # matches of patterns whose sources are read
SHARED = "people|orgs|venues|places|topics|software|courses|languages|projects"
EVIDENCE = Template(f"""${{prologue}}SELECT DISTINCT ?kgSource ?kgName ?kgUrl WHERE {{
  {{
    SELECT DISTINCT ?kgFact WHERE {{
      {{ SELECT DISTINCT $subjects WHERE $pattern LIMIT {MAX_EVIDENCE} }}
      VALUES ?kgPlace {{ $places }}
      BIND($chosen AS ?kgFact)
      FILTER(ISIRI(?kgFact) && !REGEX(STR(?kgFact), "/({SHARED})/[^/]*#it$$"))
    }}
  }}
  GRAPH <provenance> {{ ?kgFact <{dcterms.source}> ?kgSource }}
  ?kgSource <{schema.name}> ?kgName
  OPTIONAL {{ ?kgSource <{schema.url}> ?kgUrl }}
}} ORDER BY ?kgName ?kgSource""")


@dataclass(frozen=True, slots=True)
class Outline:
    """`head` is the tokens between the form and the patterns or graphs: `DISTINCT *`, or the nodes
    to describe. `rest` is the offset of what follows.
    """

    query: str
    tokens: tuple[Token, ...]
    form: Token
    head: tuple[Token, ...]
    rest: int
    graphs: tuple[Token, ...]  # after FROM
    names_graphs: bool  # has FROM or FROM NAMED
    is_changing: bool

    @property
    def prologue(self) -> str:
        return self.query[: self.form.start]

    @property
    def has_patterns(self) -> bool:
        return any(token.text == "{" for token in self.tokens if token.start >= self.rest)

    @property
    def variables(self) -> list[str]:
        """All variables, in the order of the text."""
        return list(
            dict.fromkeys(token.text[1:] for token in self.tokens if token.kind == "variable")
        )

    @property
    def selects_all(self) -> bool:
        return self.form.word == "SELECT" and bool(self.head) and self.head[-1].text == "*"

    def selecting(self, columns: Sequence[str]) -> str:
        """The same query as a SELECT of these columns."""
        distinct = " ".join(
            token.text for token in self.head if token.word in ("DISTINCT", "REDUCED")
        )
        return f"{self.prologue}SELECT {distinct} {' '.join(columns)} {self.query[self.rest :]}"

    @property
    def pattern(self) -> str:
        """The outermost group of patterns, with its braces; empty if there is none."""
        depth, begins = 0, None
        for token in self.tokens:
            if token.start < self.rest or token.text not in "{}":
                continue
            begins = token.start if begins is None else begins
            depth += 1 if token.text == "{" else -1
            if not depth:
                return self.query[begins : token.end]
        return ""

    def evidence(self) -> str:
        """A query for the documents that an answer rests on: the sources of all roles, works and
        other facts that the patterns match. People, organisations and other entries that several
        documents name are left out.
        """
        subjects = dict.fromkeys(
            token.text
            for before, token in pairwise(self.tokens)
            if token.kind == "variable"
            and token.start > self.rest
            and before.text.endswith(("{", "}", "."))
        )
        chosen = "?kgNone"
        for number, name in enumerate(subjects):
            chosen = f"IF(?kgPlace = {number}, {name}, {chosen})"
        return EVIDENCE.substitute(
            prologue=self.prologue,
            subjects=" ".join(subjects) or "*",
            pattern=self.pattern,
            places=" ".join(map(str, range(len(subjects)))),
            chosen=chosen,
        )

    def resolving(self, terms: Sequence[Token]) -> str:
        """A query that returns one row with the full IRIs of these terms."""
        columns = " ".join(
            f"({token.text.rstrip('.')} AS ?a{number})" for number, token in enumerate(terms)
        )
        return f"{self.prologue}SELECT {columns} {{}}"


def with_prefixes(query: str, known: Mapping[str, str]) -> str:
    """The query with declarations of the known prefixes that it uses without declaring them."""
    found = tokens(query)
    own = {after.text for token, after in pairwise(found) if token.word == "PREFIX"}
    used = dict.fromkeys(token.text.partition(":")[0] for token in found if token.kind == "name")
    missing = [name for name in used if name in known and f"{name}:" not in own]
    return "".join(f"PREFIX {name}: <{known[name]}> " for name in missing) + query


@once
def outline(query: str) -> Outline:
    found = tokens(query)
    words = {token.word for token in found}
    first = next((at for at, token in enumerate(found) if token.word in FORMS), len(found))
    end = Token("end", "", len(query))
    begins = next(
        (
            at
            for at, token in enumerate(found)
            if at > first and (token.text == "{" or token.word in AFTER_HEAD)
        ),
        len(found),
    )
    rest = (*found[begins:], end)
    froms = (
        [after for token, after in pairwise(rest) if token.word == "FROM"]
        if "FROM" in words
        else []
    )
    return Outline(
        query=query,
        tokens=found,
        form=found[first] if first < len(found) else end,
        head=tuple(found[first + 1 : begins]),
        rest=rest[0].start,
        graphs=tuple(token for token in froms if token.kind in ("iri", "name")),
        names_graphs=bool(froms),
        is_changing=not CHANGING.isdisjoint(words),
    )
