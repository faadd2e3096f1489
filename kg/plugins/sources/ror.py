"""ROR: organisations, with their names, places and addresses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pydantic_core import PydanticCustomError

from kg.facts.models.things import check_ror
from kg.plugins.sources.answer_fields import (
    Types,
    bare,
    check_types,
    dictionaries,
    field,
    mapping,
    texts,
)
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service, WebSource
from kg.plugins.sources.csl_items import value_of
from kg.plugins.sources.found import NotFetched, NotFound

SERVICE = Service("ROR", ("api.ror.org",))
ROOT = "https://api.ror.org/v2/organizations"
TYPES: Types = {list: ("types", "links", "locations", "external_ids")}
KINDS = {"company": "company", "government": "government"}
WIKIDATA = "https://www.wikidata.org/entity/{}"


def checked_ror(text: str) -> str:
    """A ROR without its web address. Raises NotFetched."""
    try:
        return check_ror(bare(text.strip()).lower())
    except PydanticCustomError as error:
        raise NotFetched(error.message()) from error


class Ror(WebSource):
    """Asks the API, version 2."""

    def organization(self, number: str) -> dict[str, Any]:
        """The organisation as an entry of `orgs`."""
        found, answer = self.client.json(SERVICE, f"{ROOT}/{number}")
        if answer is None:
            raise NotFound(f"ROR does not know {number}. Copy it from the page at ror.org.")
        return entry_of(answer, found)

    def number_of(self, scheme: str, identifier: str) -> str:
        """The ROR of the organisation that has another identifier; empty if there is none."""
        quoted = quote(f'"{identifier}"', safe="")
        address = f"{ROOT}?query={quoted}"
        found, answer = self.client.json(SERVICE, address)
        for each in field(SERVICE, answer, found, list, "items") if answer else ():
            for other in dictionaries(each, "external_ids"):
                if other.get("type") == scheme and identifier in texts(other, "all"):
                    return bare(str(each.get("id")))
        return ""


def entry_of(answer: Answer, item: Any) -> dict[str, Any]:
    number = bare(field(SERVICE, answer, item, str, "id"))
    field(SERVICE, answer, item, list, "names")
    check_types(SERVICE, answer, item, TYPES)
    names = dictionaries(item, "names")
    shown = [each.get("value") for each in names if "ror_display" in texts(each, "types")]
    name = field(SERVICE, answer, {"names": next(iter(shown), None)}, str, "names")
    others = [str(each.get("value")) for each in names if each.get("value") != name]
    websites = [
        each.get("value") for each in dictionaries(item, "links") if each.get("type") == "website"
    ]
    place = next(iter(dictionaries(item, "locations")), {})
    where = mapping(place, "geonames_details")
    located = [where.get(part) for part in ("name", "country_name")]
    found = {
        "name": name,
        "kind": next((KINDS[each] for each in texts(item, "types") if each in KINDS), None),
        "location": ", ".join(str(part) for part in located if part),
        "url": next(iter(websites), None),
        "ror": number,
    }
    entry: dict[str, Any] = {
        key: value_of(answer, key, str(value)) for key, value in found.items() if value
    }
    if others:
        entry["alternateNames"] = [
            value_of(answer, "names", each) for each in dict.fromkeys(others)
        ]
    if wikidata := external(item, "wikidata"):
        entry["sameAs"] = [value_of(answer, "external_ids", WIKIDATA.format(wikidata))]
    return entry


def external(item: Mapping[str, Any], scheme: str) -> str:
    for each in dictionaries(item, "external_ids"):
        if each.get("type") == scheme:
            return str(each.get("preferred") or next(iter(texts(each, "all")), ""))
    return ""
