"""String similarity for all "Did you mean" suggestions.

It is the share of letters that two words have in common in the same order (rapidfuzz), which suits
typos. Synonyms are in tables (`kg.advice`).
"""

from __future__ import annotations

from collections.abc import Iterable

TYPO = 0.8  # least similarity of a misspelling, of which it is asked "Did you mean"
CLEARLY = 0.05  # how much more similar than the next word


def likeness(one: str, other: str) -> float:
    """From 0 (nothing in common) to 1 (equal)."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(one, other)


def differing_letters(one: str, other: str) -> int:
    """The number of typos between two words; a transposition counts as one."""
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other)


def alike(word: str, words: Iterable[str], most: int, cutoff: float) -> list[str]:
    """The words with at least this similarity, the most similar first. Ties are sorted by number of
    typos; a transposition counts as one.
    """
    from rapidfuzz.distance import OSA, Indel
    from rapidfuzz.process import extract

    found = extract(
        word, [*words], scorer=Indel.normalized_similarity, limit=None, score_cutoff=cutoff
    )
    found.sort(key=lambda each: (-each[1], OSA.distance(word, each[0])))
    return [each for each, _, _ in found[:most]]


def closest(word: str, words: Iterable[str], most: int = 3, cutoff: float = 0.5) -> list[str]:
    """The closest words. A common prefix also counts, so that `osu` finds `osu-nbcl`."""
    known = [name for name in words if name] if word else []
    starts = (name for name in known if name.startswith(word) or word.startswith(name))
    near = alike(word, known, most, cutoff)
    return [*dict.fromkeys([*near, *sorted(starts)])][:most]


def transposed(word: str, words: Iterable[str]) -> list[str]:
    """The word with two letters in the other order; empty if another word is as near."""
    near = [each for each in words if differing_letters(word, each) <= 1]
    return near if len(near) == 1 and sorted(near[0]) == sorted(word) else []


def is_only_typo(word: str, meant: str, words: Iterable[str]) -> bool:
    """Whether a word is a misspelling of this one and of no other."""
    known = [*words]
    if sorted(word) == sorted(meant):
        return transposed(word, known) == [meant]
    near = alike(word, known, most=2, cutoff=TYPO)
    is_first = near[:1] == [meant]
    return is_first and (not near[1:] or likeness(word, near[1]) < likeness(word, meant) - CLEARLY)


def meant(word: str, words: Iterable[str]) -> str:
    """The word of which this is a misspelling; empty if none is as similar as `TYPO`."""
    known = [*words]
    near = transposed(word, known) or closest(word, known, most=1, cutoff=TYPO)
    return near[0] if near else ""


def did_you_mean(word: str, words: Iterable[str], otherwise: str) -> str:
    """ "Did you mean" with the word that is meant, or `otherwise`."""
    near = meant(word, words)
    return f"Did you mean '{near}'?" if near else otherwise


def closest_are(word: str, words: Iterable[str], otherwise: str = "", most: int = 3) -> str:
    """ "Closest: …" with the closest words, or `otherwise`."""
    near = closest(word, words, most)
    return f"Closest: {', '.join(near)}." if near else otherwise
