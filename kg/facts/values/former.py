"""Former addresses such as `people/ada`, which redirect to the entry that lists them in `was`.

Addresses that are gone for good are withdrawn in site.yaml.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from kg.facts.values.naming import WORDS
from kg.facts.values.references import Context
from kg.facts.values.text import SLUG, require
from kg.vocab import Iri


def check_address(text: str) -> str:
    """`people/ada`: a folder of the site and a slug."""
    kind, _, slug = text.partition("/")
    require(
        kind in WORDS and SLUG.fullmatch(slug),
        "bad-slug",
        f"{text!r} is not an address of this site. Write folder/slug, e.g. people/ada-lovelace. "
        f"Folders: {', '.join(WORDS)}.",
    )
    return text


def former(text: str, info: ValidationInfo) -> Iri:
    """The IRI of a former address: `ada` in the folder of the same entry, or `people/ada`."""
    kind = (info.context or Context({})).kind
    return Iri(f"{check_address(text if '/' in text else f'{kind}/{text}')}#it")


Former = Annotated[str, AfterValidator(former)]
