"""Made-up names, always the same ones, and the finder of a site that has them."""

from __future__ import annotations

import random

from kg.publish.search.index import Finder
from kg.publish.search.matching import Index, SearchEntry

SCRIPTS = [
    "Лев Толстой",
    "Γιώργος Παπαδόπουλος",
    "李小龙",
    "佐々木 希",
    "김민지",
    "محمد علي",
    "אַבְרָהָם",
    "अनिल कुमार",
    "Ærøskøbing ẞ",
    "𝒜𝒹𝒶 ﬁne",
]
SOUNDS = "ka ko kai kam li lo mi mu ne no ra ri sa so ta to"


def made_of_sounds(*more: str) -> list[str]:
    """600 names of three words, of the usual sounds and `more`."""
    chance, sounds = random.Random(5), [*SOUNDS.split(), *more]
    return [
        " ".join("".join(chance.choices(sounds, k=3)).title() for _ in range(3)) for _ in range(600)
    ]


def finder_of(names: list[str]) -> Finder:
    """The finder of a site whose people have these names."""
    finder = Finder(None, "https://cases.example.org/", len(names))  # type: ignore[arg-type]
    finder.__dict__["index"] = Index(
        [SearchEntry(f"people/p{number}", "Person", name) for number, name in enumerate(names)]
    )
    return finder
