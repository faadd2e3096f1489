"""Addresses that things had before: `people/ada`, a folder of the site and a slug.

A thing that moved names its former address, which leads to it. One that is gone for good is
withdrawn by the site's own file.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from kg.facts.values.naming import WORDS
from kg.facts.values.references import Context
from kg.facts.values.text import SLUG, require
from kg.vocab import Iri


def check_address(text: str) -> str:
    """`people/ada`: one of the folders, and a slug."""
    kind, _, slug = text.partition("/")
    require(
        kind in WORDS and SLUG.fullmatch(slug),
        "bad-slug",
        f"{text!r} was never an address here. Write its folder and its slug, e.g. "
        f"people/ada-lovelace. Folders: {', '.join(WORDS)}.",
    )
    return text


def former(text: str, info: ValidationInfo) -> Iri:
    """The thing that was there: `ada` in the folder of the entry that says so, `people/ada` where
    it was another one.
    """
    kind = (info.context or Context({})).kind
    return Iri(f"{check_address(text if '/' in text else f'{kind}/{text}')}#it")


Former = Annotated[str, AfterValidator(former)]
