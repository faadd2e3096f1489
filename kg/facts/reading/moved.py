"""Addresses that documents had: an entry tells by `was` its own of before, `data/site.yaml` by
`withdrawn` those that are gone for good.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from kg.facts.values.references import WORDS, Context
from kg.facts.values.text import SLUG
from kg.vocab import Iri


def check_address(text: str) -> str:
    """`people/ada`: one of the folders, and a slug."""
    kind, _, slug = text.partition("/")
    if kind not in WORDS or not SLUG.fullmatch(slug):
        folders = ", ".join(WORDS)
        raise PydanticCustomError(
            "bad-slug",
            (
                f"{text!r} was never an address here. Write its folder and its slug, e.g. "
                f"people/ada-lovelace. Folders: {folders}."
            ),
        )
    return text


def former(text: str, info: ValidationInfo) -> Iri:
    """The thing that was there: `ada` in the folder of the entry that says so, `people/ada` where
    it was another one.
    """
    kind = (info.context or Context({})).kind
    return Iri(f"{check_address(text if '/' in text else f'{kind}/{text}')}#it")


Former = Annotated[str, AfterValidator(former)]
