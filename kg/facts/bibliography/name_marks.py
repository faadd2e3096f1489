"""Marks beside the names of authors: `Wei Yuan*`, `Dahl†`, `Ek¹`. They are no part of a name, and
what they mean only a legend tells: `* equal contribution`.
"""

from __future__ import annotations

import re

from kg.advice.several_names import is_group

SIGNS = "*∗⁎⋆★†‡§¶#✉"
MARK = re.compile(
    rf"\\?[{SIGNS}]+|[⁰¹²³⁴-⁹]+(?:,[⁰¹²³⁴-⁹]+)*|<sup>[^<>]{{0,40}}</sup>"
    rf"|\^(?:\{{[^{{}}]{{0,20}}\}}|[\d,{SIGNS}]+|[a-z]\b)?"
    r"|\((?:co-)?(?:corresponding|equal|first|joint|shared)[^()]{0,40}\)",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"(?<=[^\W\d_A-Z])\d{1,2}(?:,\d{1,2})*(?![\w-])"
)  # of an affiliation: `Dahl1,2`


def without_marks(name: str) -> tuple[str, list[str]]:
    """A name, and the marks that were written with it."""
    patterns = [MARK] if is_group(name) else [MARK, NUMBER]
    marks = [found[0] for pattern in patterns for found in pattern.finditer(name)]
    for pattern in patterns if marks else ():
        name = pattern.sub("", name)
    return " ".join(name.split()).strip(" ,;") if marks else name, marks


def meaning(mark: str, legend: str) -> str:
    """The field of an author that a mark stands for by a legend: `equal`, `corresponding`, or
    nothing.
    """
    sign = re.sub(r"</?sup>|[\\^{}]", "", mark)
    if sign.startswith("("):
        return next((field for field in ("equal", "corresponding") if field in sign.lower()), "")
    found = re.search(
        rf"{re.escape(sign)}[^{SIGNS};.\d]{{0,40}}?\b(equal|corresponding)", legend, re.IGNORECASE
    )
    return found[1].lower() if found and sign else ""
