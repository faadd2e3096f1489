"""The vCard of each CV as a file of the site: from the graph, and thus with public values only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kg.graph.describe import Description
from kg.plugins.exchange.draft import SourceRecord
from kg.plugins.exchange.writers.public_cv import TOP, PublicCv
from kg.plugins.exchange.writers.vcard import write
from kg.publish.formats.media import VCARD
from kg.publish.page_files import PageFile, SiteFiles, owners
from kg.settings import query
from kg.store.protocol import Solution
from kg.vocab import cv, foaf, schema

# Fields of `basics` with the property that has their values, or the first value of texts in
# several languages.
LISTS = {
    "familyName": schema.familyName,
    "givenName": schema.givenName,
    "additionalName": schema.additionalName,
    "honorific": schema.honorificPrefix,
    "honorificSuffix": schema.honorificSuffix,
    "alternateNames": schema.alternateName,
    "email": schema.email,
    "phone": schema.telephone,
    "url": schema.url,
    "birthDate": schema.birthDate,
    "pronouns": schema.pronouns,
}
TEXTS = {
    "name": schema.name,
    "label": schema.disambiguatingDescription,
    "image": schema.image,
    "summary": schema.description,
}
ADDRESS = {
    "street": schema.streetAddress,
    "city": schema.addressLocality,
    "region": schema.addressRegion,
    "postalCode": schema.postalCode,
    "country": schema.addressCountry,
}


def make(documents: SiteFiles, address: str) -> bytes:
    description = documents.describe(address)
    now = documents.store.select(query("site/now"), thing=f"{description.document}#it")
    modified = description.value(schema.dateModified, description.document)
    sections = {
        "basics": [SourceRecord(basics(description, documents.base))],
        TOP: [SourceRecord({"modified": modified})],
        "work": [SourceRecord(post(row)) for row in now],
        "languages": [
            SourceRecord({"language": description.labels.get(each, ((), None))[1] or ""})
            for each in description.values(schema.knowsLanguage)
        ],
    }
    return write(PublicCv(address.rpartition("/")[2], documents.base, sections))


def post(row: Solution) -> Mapping[str, str]:
    names = [row[name].value for name in ("orgName", "employerName") if name in row]
    unit = {"unit": names[0]} if names[1:] else {}
    return {
        **unit,
        **({"organization": names[-1]} if names else {}),
        "position": row["title"].value,
        "endDate": "present",
    }


def basics(description: Description, base: str) -> dict[str, Any]:
    former = description.values(cv.formerName)
    found: dict[str, Any] = {name: description.values(term) for name, term in LISTS.items()}
    found |= {name: description.value(term) for name, term in TEXTS.items()}
    found["alternateNames"] = [each for each in found["alternateNames"] if each not in former]
    found["formerNames"] = former
    homes = description.values(schema.homeLocation)
    found["location"] = [description.labels.get(home, ((), None))[1] for home in homes]
    for term in description.terms(schema.address)[:1]:
        parts = {name: description.value(part, term.value) for name, part in ADDRESS.items()}
        found["address"] = parts if any(parts.values()) else term.value
    found["profiles"] = [
        {"network": description.value(schema.name, node), "url": url}
        for node in description.values(foaf.account)
        for url in description.values(schema.url, node)
    ]
    for node in description.values(schema.identifier):
        if (description.value(schema.propertyID, node) or "").endswith("/orcid"):
            found["orcid"] = description.value(schema.value, node)
    return found


FILE = PageFile(".vcf", VCARD, owners, make)
