"""The one measure of likeness, by which every "Did you mean" chooses its words.

It is the share of letters that two words have in common and in the same order (`rapidfuzz`), and
so fits slips of typing; what somebody means in other words is told by tables (`kg.advice`).
"""

from __future__ import annotations

from collections.abc import Iterable


def likeness(one: str, other: str) -> float:
    """From 0, nothing in common, to 1, the same."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(one, other)


def alike(word: str, words: Iterable[str], most: int, cutoff: float) -> list[str]:
    """The words with at least this likeness to one, the likeliest first; of equally likely ones
    that which is fewer slips away, for two letters in the wrong order are one.
    """
    from rapidfuzz.distance import OSA, Indel
    from rapidfuzz.process import extract

    found = extract(
        word, [*words], scorer=Indel.normalized_similarity, limit=None, score_cutoff=cutoff
    )
    found.sort(key=lambda each: (-each[1], OSA.distance(word, each[0])))
    return [each for each, _, _ in found[:most]]


def closest(word: str, words: Iterable[str], most: int = 3, cutoff: float = 0.5) -> list[str]:
    """The nearest of the words; a shared beginning counts too, for `osu` should find `osu-nbcl`."""
    known = [name for name in words if name] if word else []
    starts = (name for name in known if name.startswith(word) or word.startswith(name))
    near = alike(word, known, most, cutoff)
    return [*dict.fromkeys([*near, *sorted(starts)])][:most]


def did_you_mean(word: str, words: Iterable[str], otherwise: str, cutoff: float = 0.5) -> str:
    """The sentence about the nearest word, or another where none is near."""
    near = closest(word, words, most=1, cutoff=cutoff)
    return f"Did you mean '{near[0]}'?" if near else otherwise


def closest_are(word: str, words: Iterable[str], otherwise: str = "", most: int = 3) -> str:
    """The sentence about the nearest words, or another where none is near."""
    near = closest(word, words, most)
    return f"Closest: {', '.join(near)}." if near else otherwise
