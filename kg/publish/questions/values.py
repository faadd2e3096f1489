"""Values of a question's parameters as people write them: an entry by its slug, address or exact
name; dates, numbers and texts as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from pyoxigraph import Literal, NamedNode

from kg.errors import BadValue
from kg.facts.values.text import slugify
from kg.graph.pages import only_skills
from kg.publish.formats.suggestions import Suggestions
from kg.sparql.reading.parameters import THINGS, Parameter, example, written
from kg.sparql.reading.questions import Question
from kg.store.memory import Memory
from kg.text.nearest import closest
from kg.text.normalize import name_key
from kg.vocab import schema

NAMES = [NamedNode(schema.name), NamedNode(schema.alternateName)]
NAMES_QUERY = " UNION ".join(f"{{ ?thing {each} ?name }}" for each in NAMES)
NAMES_QUERY = f"SELECT ?thing ?name {{ {NAMES_QUERY} FILTER(STRENDS(STR(?thing), '#it')) }}"
THING = "#it"
MAX_SUGGESTIONS, MAX_WORDS, MAX_VALUE_LENGTH = 5, 8, 200
MAX_SAME_NAME = 20  # entries with the same name


class Things:
    """The entries of a graph that a value can refer to, by kind (`people`) and slug. `named` are
    IRIs with their names.
    """

    def __init__(self, base: str, named: Iterable[tuple[str, str]]) -> None:
        self.base = base
        self.names: dict[str, dict[str, str]] = defaultdict(dict)
        self.slugs: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for iri, name in named:
            self.add(iri, name)
        self.words = lru_cache(maxsize=len(THINGS))(
            lambda kind: {word: None for slug in self.names[kind] for word in slug.split("-")}
        )
        self.near = Suggestions(
            [f"{kind}/{slug}" for kind, known in self.names.items() for slug in known]
            + [f"{kind}/" for kind in self.names]
        )

    @classmethod
    def of(cls, store: Memory) -> Things:
        """Without topics that are only a skill of one person."""
        skills = only_skills(store)
        named = ((iri, name) for iri, name in names_in(store) if iri not in skills)
        return store.once("things", lambda: cls(store.base, named))

    def add(self, iri: str, name: str) -> None:
        path = iri.removeprefix(self.base)
        kind, _, slug = path.removesuffix(THING).partition("/")
        is_own = path != iri and path.endswith(THING) and slug and "/" not in slug
        if not is_own:
            return
        self.names[kind].setdefault(slug, name)
        if slug not in (same := self.slugs[kind][name_key(name)]):
            same.append(slug)

    def find(self, parameter: Parameter, value: str) -> str:
        """The slug of the entry that a value refers to."""
        kind = THINGS[parameter.type]
        known, given = self.names[kind], value.strip().removeprefix("<").removesuffix(">")
        path = given.removeprefix(self.base).removesuffix(THING)
        slug = path.removeprefix(f"{kind}/")
        if slug in known:
            return slug
        meant = self.slugs[kind].get(name_key(value), [])
        if len(meant) > 1:
            some = sorted(meant)[:MAX_SAME_NAME]
            why = f"several entries have this name. Use one of {', '.join(some)}."
            raise parameter.refuse(value, why, some)
        if meant:
            return meant[0]
        nearest = self.nearest(kind, slug)
        shown = self.example(parameter)
        names = (
            f"Use a slug, an address or a name, such as {shown}." if shown else "The site has none."
        )
        advice = f"Did you mean {', '.join(nearest)}?" if nearest else names
        raise parameter.refuse(value, f"unknown {parameter.type}. {advice}", nearest)

    def example(self, parameter: Parameter) -> str:
        """An example value that exists on this site."""
        stated = example(parameter, "")
        known = self.names[THINGS[parameter.type]] if parameter.is_thing else {stated: ""}
        return stated if stated in known else next(iter(sorted(known)), "")

    def nearest(self, kind: str, value: str) -> list[str]:
        """The slugs of a kind that contain all words of a value, resemble it, or contain similar
        words.
        """
        wanted = slugify(value[:MAX_VALUE_LENGTH]).split("-")[:MAX_WORDS]
        near = [path.partition("/")[2] for path in self.near.of(f"{kind}/{slugify(value)}")]
        likely = [{word, *closest(word, self.words(kind), most=1)} for word in wanted if word]
        exact = [{word} for word in wanted]
        found = dict.fromkeys([*self.having(kind, exact), *near, *self.having(kind, likely)])
        return [slug for slug in found if slug][:MAX_SUGGESTIONS]

    def having(self, kind: str, words: Sequence[Set[str]]) -> Iterator[str]:
        """The slugs that contain one of each of these sets of words."""
        for slug in self.names[kind] if words else ():
            own = slug.split("-")
            if not any(each.isdisjoint(own) for each in words):
                yield slug


def names_in(store: Memory) -> Iterator[tuple[str, str]]:
    for property in NAMES:
        for quad in store.store.quads_for_pattern(None, property, None):
            if isinstance(quad.object, Literal):
                yield str(quad.subject)[1:-1], quad.object.value


def bind(question: Question, given: Mapping[str, str], things: Things | None) -> str:
    """The query of a question with the given values. Without `things`, the graph is on another
    server, and slugs and addresses are not checked.
    """
    for name in given:
        if not question.parameter(name):
            raise unknown_parameter(question, name)
    for parameter in question.needed:
        if parameter.name not in given:
            raise BadValue(
                f"{parameter.name} is missing: {parameter.meaning}, such as "
                f"{(things.example(parameter) if things else parameter.example) or '…'}.",
                parameter.name,
            )
    return question.filled(
        {name: term(question, name, value, things) for name, value in given.items()}
    )


def unknown_parameter(question: Question, name: str) -> BadValue:
    known = [each.name for each in question.parameters]
    near: Sequence[str] = closest(name[:50], known, most=1)
    has = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known) or 'none'}."
    return BadValue(f"Unknown parameter '{name[:50]}'. {has}", "", near)


def term(question: Question, name: str, value: str, things: Things | None) -> str:
    """A value in SPARQL syntax."""
    parameter = next(each for each in question.parameters if each.name == name)
    if things and parameter.is_thing:
        slug = things.find(parameter, value)
        return str(NamedNode(f"{things.base}{THINGS[parameter.type]}/{slug}{THING}"))
    return written(parameter, value, question.slots[name])
