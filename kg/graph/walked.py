"""The walk over what is public of a site, and the way back from its nodes to the files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kg.facts.garbage import quiet
from kg.facts.load import Facts
from kg.facts.notes import Key
from kg.facts.values.references import Reference
from kg.graph.pages import Profile
from kg.graph.parallel.shards import Mapped, grown
from kg.graph.public import ROOTS, public_documents
from kg.graph.sorted_lines import packed
from kg.mapping.origins import Origin
from kg.mapping.walk import Walker


@quiet()
def walk(
    facts: Facts, base: str, parts: Sequence[Mapped] = ()
) -> tuple[Walker, dict[str, Profile]]:
    """The asserted lines of all that is public: CVs and works first, then whatever they refer to,
    until nothing new is referred to.

    Where CVs and works were walked in `parts`, only the rest is walked here.
    """
    hidden = {key for part in parts for key in part.hidden}
    public = public_documents(facts.loaded, hidden)
    profiles = {
        **public.profiles,
        **{slug: profile for part in parts for slug, profile in part.profiles.items()},
    }
    walker = Walker(base, public.private | hidden)
    walker.origins = Origins(parts) if parts else {}
    for source in (source for profile in profiles.values() for source in profile.sources):
        walker.refer(source)
    for part in parts:
        for kind, slug in part.referred:
            walker.refer(Reference(kind, slug))
        for mention, origin in part.mentions():
            walker.mention(mention, origin)
    roots = [
        key
        for key in public.documents
        if key[0] in ROOTS or (key[0] == "people" and key[1] in facts.owners)
    ]
    waiting, done = roots or list(walker.referred), set[Key]()
    while waiting or walker.settle():
        for key in waiting:
            for each in public.documents.get(key, []):
                walker.walk(each)
        done.update(waiting)
        waiting = [key for key in walker.referred if key not in done]
    walker.close()
    return walker, profiles


class Walked:
    """A walk that is kept. While what it was given is the same, but for lines that parts have
    walked themselves, so is all that it gave.
    """

    def __init__(self) -> None:
        self.last: tuple[Facts, str, Sequence[Mapped]] | None = None
        self.walker, self.profiles, self.lines = Walker(""), dict[str, Profile](), packed(())

    def walk(self, facts: Facts, base: str, parts: Sequence[Mapped]) -> None:
        if self.last and parts and is_same(self.last, (facts, base, parts)):
            own, self.walker.origins = self.walker.origins, Origins(parts)
            self.walker.origins.update(own)
        else:
            self.last = None
            self.walker, self.profiles = walk(facts, base, parts)
            self.lines = packed(self.walker.lines)
            self.walker.lines.clear()
        self.last = facts, base, parts


def is_same(
    old: tuple[Facts, str, Sequence[Mapped]], new: tuple[Facts, str, Sequence[Mapped]]
) -> bool:
    (facts, base, parts), (more, other, others) = old, new
    return (
        (base, facts.owners, len(facts.loaded), len(parts))
        == (other, more.owners, len(more.loaded), len(others))
        and all(one is two for one, two in zip(facts.loaded, more.loaded, strict=True))
        and all(
            one is two or told(one) == told(two) for one, two in zip(parts, others, strict=True)
        )
    )


def told(part: Mapped) -> tuple[object, ...]:
    """What is walked besides the lines of a part."""
    return part.referred, part.said, part.profiles, part.hidden


class Origins(dict[str, list[Origin]]):
    """The way back from nodes to lines; for those of a shard it is unpacked when somebody asks, few
    documents at a time.

    `asked` are the nodes that were asked for.
    """

    def __init__(self, parts: Sequence[Mapped]) -> None:
        super().__init__()
        self.asked: set[str] = set()
        portions = [portion for part in parts for portion in part.origins]
        self.portion_of = {
            document: number
            for number, (documents, _) in enumerate(portions)
            for document in documents
        }
        self.packed = packed = [each for _, each in portions]

        @lru_cache(maxsize=8)
        def unpacked(number: int) -> dict[str, list[Origin]]:
            found: dict[str, list[Origin]] = grown(packed[number])
            return found

        self.unpacked = unpacked

    def get(self, iri: str, default: list[Origin] | None = None) -> list[Origin] | None:  # type: ignore[override]
        self.asked.add(iri)
        found = super().get(iri)
        if found is None and (number := self.portion_of.get(iri.partition("#")[0])) is not None:
            found = self.unpacked(number).get(iri)
        return default if found is None else found

    def __contains__(self, iri: object) -> bool:
        return isinstance(iri, str) and self.get(iri) is not None

    def source(self, iri: str) -> list[Origin] | bytes | None:
        """What tells the way back from a node, and other nodes perhaps."""
        number = self.portion_of.get(iri.partition("#")[0])
        return super().get(iri) or (None if number is None else self.packed[number])
