"""The form of the JSON-LD beside pages: nothing remote, no blank nodes, typed values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kg.publish.formats import jsonld
from kg.publish.site import Documents
from kg.vocab import cv

PAGES = {  # address -> the classes of its page, and of what it is about
    "people/alvar-jarl": (
        ["ProfilePage", "WebPage", "CreativeWork", "foaf:PersonalProfileDocument", "foaf:Document"],
        ["Person", "cv:Owner", "foaf:Person"],
    ),
    "people/halvor-sundquist": (
        ["ItemPage", "WebPage", "CreativeWork", "foaf:Document"],
        ["Person", "foaf:Person"],
    ),
    "publications/jarl-2020-lagoons": (
        ["ItemPage", "WebPage", "CreativeWork", "foaf:Document"],
        ["ScholarlyArticle", "CreativeWork", "foaf:Document"],
    ),
    "orgs/osu": (
        ["ItemPage", "WebPage", "CreativeWork", "foaf:Document"],
        ["CollegeOrUniversity", "Organization", "foaf:Organization"],
    ),
    "venues/sc": (
        ["ItemPage", "WebPage", "CreativeWork", "foaf:Document"],
        ["EventSeries", "Event"],
    ),
    "people/": (["CollectionPage", "WebPage", "CreativeWork", "foaf:Document"], ["ItemList"]),
    "topics/": (
        ["CollectionPage", "WebPage", "CreativeWork", "foaf:Document"],
        ["DefinedTermSet", "ItemList", "CreativeWork"],
    ),
}


@pytest.fixture(scope="module")
def embeds(documents: Documents) -> dict[str, dict[str, Any]]:
    return {
        address: jsonld.document(documents.base, documents.describe(address))
        for address in sorted(documents.addresses)
    }


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects in it, at any depth."""
    if isinstance(value, dict):
        yield value
    for each in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from objects(each)


def nodes(embed: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        node["@id"]: node for node in objects(embed["@graph"]) if len(node) > 1 and "@id" in node
    }


def test_the_context_is_in_the_page(embeds: dict[str, dict[str, Any]]) -> None:
    for embed in embeds.values():
        context = embed["@context"]
        assert context["@vocab"] == "http://schema.org/"
        assert {
            "foaf",
            "dcterms",
            "bibo",
            "xsd",
            "edtf",
            "cv",
            "url",
            "sameAs",
            "image",
            "additionalType",
            "codeRepository",
        } <= context.keys()
        assert context["dateModified"] == {
            "@id": "http://schema.org/dateModified",
            "@type": "xsd:date",
        }
        assert not {"@import", "@base"} & context.keys()


def test_everything_has_an_address_or_is_a_typed_value(embeds: dict[str, dict[str, Any]]) -> None:
    seen = 0
    for address, embed in embeds.items():
        for each in objects(embed["@graph"]):
            seen += 1
            assert not {"@list", "@reverse", "@set", "@context"} & each.keys()
            if "@value" in each:
                assert each.keys() in ({"@value", "@type"}, {"@value", "@language"}), address
            else:
                assert ":" in each["@id"]
                assert not each["@id"].startswith("_:")
    assert seen > 10_000


def test_numbers_are_whole_or_typed(embeds: dict[str, dict[str, Any]]) -> None:
    plain = [
        value
        for embed in embeds.values()
        for each in objects(embed["@graph"])
        for value in each.values()
    ]
    assert not [value for value in plain if isinstance(value, float | bool)]
    typed = [
        each
        for embed in embeds.values()
        for each in objects(embed["@graph"])
        if each.get("@type") == "xsd:decimal"
    ]
    assert {"@value": "0.2531", "@type": "xsd:decimal"} in typed


@pytest.mark.parametrize("address", PAGES)
def test_a_page_holds_what_it_is_about(
    address: str, embeds: dict[str, dict[str, Any]], documents: Documents
) -> None:
    page = embeds[address]["@graph"][0]
    assert page["@id"] == documents.base + address
    assert (page["@type"], page["mainEntity"]["@type"]) == PAGES[address]
    assert page["mainEntity"]["@id"] == f"{page['@id']}#it"
    assert page["mainEntity"]["name"] == page["name"]
    assert isinstance(page["dateModified"], str)


def test_a_list_names_what_is_in_it(embeds: dict[str, dict[str, Any]]) -> None:
    listed = embeds["people/"]["@graph"][0]["mainEntity"]
    assert len(listed["itemListElement"]) == listed["numberOfItems"] > 100
    assert all(item["name"] and "Person" in item["@type"] for item in listed["itemListElement"])


def test_dates_and_periods_keep_their_precision(
    embeds: dict[str, dict[str, Any]], documents: Documents
) -> None:
    role = nodes(embeds["people/alvar-jarl"])[
        f"{documents.base}people/alvar-jarl#work-meridian-senior-researcher"
    ]
    assert role["@type"] == ["EmployeeRole", "Role", "cv:Employment"]
    assert role["startDate"] == {"@value": "2024-08", "@type": "xsd:gYearMonth"}
    assert role["additionalType"] == cv.Employment
    event = nodes(embeds["venues/sc"])[f"{documents.base}venues/sc#2019"]
    assert (event["@type"], event["startDate"]) == (
        ["ConferenceEvent", "Event"],
        {"@value": "2019", "@type": "xsd:gYear"},
    )


def test_an_employer_is_named_where_it_is_mentioned(
    embeds: dict[str, dict[str, Any]], documents: Documents
) -> None:
    person = embeds["people/alvar-jarl"]["@graph"][0]["mainEntity"]
    employer = {
        "@id": f"{documents.base}orgs/meridian#it",
        "@type": ["Corporation", "Organization", "foaf:Organization"],
        "name": "Meridian",
    }
    assert employer in [node for node in objects(person) if node.get("@id") == employer["@id"]]
    assert person["worksFor"]["@id"] == employer["@id"]
