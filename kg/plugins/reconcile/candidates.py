"""Candidates for a name from a table, with scores.

A score is at most 100. The name of a candidate gives

  - 95 if it is the same
  - 90 if it differs only in case, accents, punctuation and word order
  - 60 to 80 if each word is the start of a word of the name, such as an initial
  - up to 70 by similarity, from 0.65 on, whatever the word order

A matching identifier (the id, a DOI, an ORCID iD, a website) makes it 100; a different one excludes
the candidate. Any other matching property halves the distance to 100. A different value multiplies
the score by 0.6, an unknown one by 0.9. The features of a candidate show what was found. A
candidate is a match if it has 90 or more and no other has 80 or more. A name with initials is never
a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kg.plugins.reconcile.entities import PROPERTIES, TYPES, Entities, type_of
from kg.publish.search.matching import KEY, MOST_WORDS, SearchEntry, has_all
from kg.text.nearest import likeness
from kg.text.normalize import fold_text, words

SURE, ALONE, CERTAIN = 90, 80, 100
EXACT, FOLDED, FIRST_LETTERS, BY_LETTERS = 95, 90, 60, 70
MIN_SIMILARITY = 0.65  # minimum similarity
MAX_COMPARED = 100  # compared by similarity
MAX_FOUND = 50
DEFAULT_LIMIT = 10
MAX_TEXT = 500  # characters of a name or value
MAX_VALUES = 20

Checkpoint = Callable[[], None]
Short = Annotated[str, Field(max_length=MAX_TEXT)]


class GivenEntity(BaseModel):
    """An entity that the client matched before."""

    model_config = ConfigDict(extra="ignore")
    id: Short
    name: Short = ""


GivenValue = GivenEntity | bool | int | float | Short


class GivenProperty(BaseModel):
    model_config = ConfigDict(extra="forbid")
    pid: Short
    v: GivenValue | Annotated[list[GivenValue], Field(max_length=MAX_VALUES)]

    @property
    def values(self) -> list[GivenEntity | str]:
        found = self.v if isinstance(self.v, list) else [self.v]
        return [each if isinstance(each, GivenEntity) else str(each) for each in found]


class EntityQuery(BaseModel):
    """A query for an entity by name, properties, or both."""

    model_config = ConfigDict(extra="forbid")
    query: Short = ""
    type: Short | Annotated[list[Short], Field(max_length=MAX_VALUES)] = ""
    limit: Annotated[int, Field(gt=0)] = DEFAULT_LIMIT
    properties: Annotated[list[GivenProperty], Field(max_length=MAX_VALUES)] = []
    type_strict: Literal["any", "should", "all"] = "any"

    @property
    def types(self) -> list[str]:
        return [each for each in ([self.type] if isinstance(self.type, str) else self.type) if each]


@dataclass
class Candidate:
    id: str
    name: str
    note: str
    score: float
    features: dict[str, bool | float] = field(default_factory=dict)
    is_certain: bool = False  # an identifier matches
    is_match: bool = False

    def as_json(self) -> dict[str, Any]:
        kind = type_of(self.id)
        return {
            "id": self.id,
            "name": self.name,
            **({"description": self.note} if self.note else {}),
            "type": [{"id": kind.id, "name": kind.name}],
            "score": round(self.score, 1),
            "features": [{"id": id, "value": value} for id, value in self.features.items()],
            "match": self.is_match,
        }


def never() -> None:
    """A checkpoint that never stops the work."""


def find(entities: Entities, asked: EntityQuery, checkpoint: Checkpoint = never) -> list[Candidate]:
    """The candidates, best first."""
    checkpoint()
    types = [each for each in asked.types or TYPES if each in TYPES]
    name = GivenName(asked.query)
    agreeing = [having(entities, given) for given in asked.properties]
    found = list[Candidate]()
    for entry in retrieve(entities, asked, types):
        checkpoint()
        if candidate := judge(entities, asked, agreeing, name, entry):
            found.append(candidate)
    found.sort(key=lambda each: (-each.score, each.id))
    has_initials = any(len(word) == 1 for word in name.words)
    likely = [each for each in found if each.score >= ALONE]
    if len(likely) == 1 and (best := likely[0]).score >= SURE:
        best.is_match = best.is_certain or not has_initials
    return found[: min(asked.limit, MAX_FOUND)]


def retrieve(entities: Entities, asked: EntityQuery, types: Sequence[str]) -> list[SearchEntry]:
    """Entities to compare: by identifier, by the starts of words, or else by some of the words."""
    index, text = entities.index(types), asked.query.strip()
    ids = dict.fromkeys(identified(entities, asked))
    if text:
        ranked = (entry.address for _, entry in index.ranked(text)[0])
        ids |= dict.fromkeys(islice((id for id in ranked if type_of(id).id in types), MAX_FOUND))
        if not ids:
            shared = Counter(
                number
                for word in dict.fromkeys(words(text)[:MOST_WORDS])
                if len(word) >= KEY
                for number in index.beginning(word[:KEY])
                if type_of(index.entries[number].address).id in types
            )
            best = nsmallest(MAX_COMPARED, shared, key=lambda each: (-shared[each], each))
            ids |= dict.fromkeys(index.entries[number].address for number in best)
    elif asked.properties and not ids:
        ids |= dict.fromkeys(sorted(having(entities, asked.properties[0])))
    return [entities.entries[id] for id in ids if type_of(id).id in types]


def identified(entities: Entities, asked: EntityQuery) -> Iterator[str]:
    """The ids of entities that an identifier in the query names."""
    if own := entities.find(asked.query):
        yield own
    yield from sorted(entities.identified(asked.query))
    for given in asked.properties:
        if PROPERTIES[given.pid].identifies:
            yield from sorted(having(entities, given))


def having(entities: Entities, given: GivenProperty) -> set[str]:
    """The ids of entities that have one of the values."""
    found: set[str] = set()
    for value in given.values:
        if isinstance(value, GivenEntity):
            found |= entities.with_value(given.pid, "", value.id)
        else:
            found |= entities.with_value(given.pid, value)
    return found


def judge(
    entities: Entities,
    asked: EntityQuery,
    agreeing: Sequence[Set[str]],
    name: GivenName,
    entry: SearchEntry,
) -> Candidate | None:
    """The entry as a scored candidate, or None. `agreeing` is, for each property, the ids of
    entities that have its value.
    """
    id, text = entry.address, name.text
    found = Candidate(id, entry.name, entry.note, 0 if text else SURE)
    if text:
        found.score, found.features = name.score(entry)
        found.is_certain = entities.find(text) == id or id in entities.identified(text)
        found.features["identifier"] = found.is_certain
    for given, those in zip(asked.properties, agreeing, strict=True):
        known, agrees = entities.known(id, given.pid), id in those
        found.features[f"property-{given.pid}"] = agrees
        if PROPERTIES[given.pid].identifies and agrees:
            found.is_certain = True
        elif PROPERTIES[given.pid].identifies and known:
            return None
        elif agrees:
            found.score += (CERTAIN - found.score) / 2 if found.score else 0
        elif not text:
            return None
        else:
            found.score *= 0.6 if known else 0.9
    if found.is_certain:
        found.score = CERTAIN
    return found if found.score else None


class GivenName:
    """A name in the query, normalised for comparison."""

    def __init__(self, text: str) -> None:
        self.text, self.words = " ".join(text.split()), words(text)
        self.letters, self.sorted = fold_text(text).letters, " ".join(sorted(self.words))

    def score(self, entry: SearchEntry) -> tuple[float, dict[str, bool | float]]:
        """The score of an entry's best name, and the features found."""
        names = (entry.name, *entry.others)
        alike = max(likeness(self.sorted, " ".join(sorted(words(name)))) for name in names)
        is_exact = self.text in names
        is_folded = bool(self.letters) and any(
            self.letters == folded.letters or sorted(self.words) == sorted(words(name))
            for name, folded in zip(names, entry.names, strict=True)
        )
        features = {
            "exact-name": is_exact,
            "folded-name": is_folded,
            "likeness": round(alike, 3),
        }
        if is_exact or is_folded:
            return EXACT if is_exact else FOLDED, features
        best = BY_LETTERS * alike if alike >= MIN_SIMILARITY else 0
        first = self.words[:MOST_WORDS]
        for name in entry.names:
            if first and has_all(name, first, typos=0):
                share = min(len(self.letters) / len(name.letters), 1)
                best = max(best, FIRST_LETTERS + (ALONE - 1 - FIRST_LETTERS) * share)
        return best, features
