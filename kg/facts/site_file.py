"""The file of the site itself, `data/site.yaml`: where the site is, what it is called, and what is
gone from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from kg.disk import fault_of
from kg.errors import Place, Problem
from kg.facts.explain import problems_of, unknown_sections
from kg.facts.models.base import Short
from kg.facts.reading.yaml import read
from kg.facts.values.dates import Date
from kg.facts.values.former import check_address
from kg.facts.values.languages import Tag
from kg.facts.values.prose import Prose
from kg.facts.values.terms import term, unmapped
from kg.facts.values.text import Listed, Text, WebAddress
from kg.settings import Moved, Site, Withdrawn, site_file
from kg.vocab import schema


def check_base(address: WebAddress) -> WebAddress:
    if not address.endswith("/") or "?" in address or "#" in address:
        raise PydanticCustomError(
            "bad-base",
            f"{address!r} must end in '/' and have no '?' or '#', e.g. https://cv.example.org/.",
        )
    return address


class Withdrawal(Short):
    """An address that was published and is gone for good. Reason and date are published, where they
    are given.
    """

    short = "address"

    address: Annotated[str, AfterValidator(check_address), unmapped("the address that is answered")]
    reason: Annotated[Text | None, unmapped("part of that answer")] = None
    date: Annotated[Date | None, unmapped("part of that answer")] = None


FormerAddress = Annotated[str, AfterValidator(check_address)]


class SiteFile(BaseModel):
    """The site as a whole: where it is, what it is called, and what is gone from it."""

    model_config = ConfigDict(extra="forbid")

    base: Annotated[
        WebAddress,
        AfterValidator(check_base),
        unmapped("where the site is: all its addresses begin so"),
    ]
    title: Annotated[Text, term(schema.name)]
    description: Annotated[Prose | None, term(schema.description)] = None
    language: Annotated[
        Tag | None,
        "The tag of the language the CVs are written in, e.g. en.",
        unmapped("of a text in several languages, the one that pages show first"),
    ] = None
    modified: Annotated[Date | None, term(schema.dateModified)] = None
    license: Annotated[WebAddress | None, term(schema.license)] = None
    contact: Annotated[
        Text | None, unmapped("whom to write to for a correction, as every page says")
    ] = None
    visibility: Annotated[
        dict[str, Literal["public", "private"]],
        unmapped("of whole sections in all CVs: `{talks: private}`"),
    ] = {}
    withdrawn: Annotated[
        list[Withdrawal],
        Listed,
        unmapped(
            "addresses that were published and are gone for good: `people/ada`, or "
            "`{address, reason, date}`"
        ),
    ] = []
    moved: Annotated[
        dict[FormerAddress, FormerAddress],
        unmapped(
            "where the address of a name in place leads that was corrected: "
            "`{orgs/charls-university: orgs/charles-university}`"
        ),
    ] = {}


def read_site(folder: Path) -> tuple[Site | None, list[Problem]]:
    path = site_file(folder)
    name = str(path.relative_to(folder))
    if fault := fault_of(path):
        return None, [Problem(Place(name), "error", fault, "unreadable-file")]
    row, problems = read(name, path.read_bytes())
    if row is None:
        return None, problems
    try:
        content = SiteFile.model_validate(row)
    except ValidationError as error:
        return None, problems + problems_of(error, row, SiteFile)
    problems += unknown_sections(row)
    modified = content.modified.iso if content.modified else None
    withdrawn = tuple(
        Withdrawn(
            each.address,
            each.reason,
            each.date.iso if each.date else None,
            row.at("withdrawn", number),
        )
        for number, each in enumerate(content.withdrawn)
    )
    return (
        Site(
            folder,
            content.base,
            content.title,
            content.description or "",
            modified,
            content.license,
            content.contact,
            content.visibility,
            withdrawn,
            content.language,
            tuple(Moved(old, new, row.at("moved", old)) for old, new in content.moved.items()),
        ),
        problems,
    )
