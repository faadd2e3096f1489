"""Writes vCard 4.0 (RFC 6350): names and contact details for address books.

The vCard of each CV is also a file of the site: from the graph, and thus with public values only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kg.facts.values.languages import language_tag
from kg.graph.describe import Description
from kg.plugins.exchange.draft import SourceRecord
from kg.plugins.exchange.writers import notation
from kg.plugins.exchange.writers.public_cv import TOP, ExportFormat, PublicCv
from kg.publish.formats.media import VCARD
from kg.publish.page_files import PageFile, SiteFiles, owners
from kg.settings import query
from kg.store.protocol import Solution
from kg.text.markdown import plain_prose
from kg.text.person_names import split
from kg.vocab import cv, foaf, schema

WIDEST = 75  # bytes per line
SPECIAL = re.compile(r"([\\,;])")
PARTS = ("street", "city", "region", "postalCode", "country")
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


def write(cv: PublicCv) -> bytes:
    lines = ["BEGIN:VCARD", "VERSION:4.0", *properties(cv), "END:VCARD"]
    return b"".join(map(folded, lines))


def properties(cv: PublicCv) -> Iterator[str]:
    own = cv.basics
    name = own.text("name") or ""
    yield f"UID:{cv.address}#it"
    yield f"FN:{escaped(name)}"
    yield names(own, name)
    for other in notation.main_texts(own, "alternateNames", "formerNames"):
        yield f"NICKNAME:{escaped(other)}"
    yield from current(cv)
    yield from (f"EMAIL:{escaped(each)}" for each in notation.main_texts(own, "email"))
    yield from (f"TEL:{escaped(each)}" for each in notation.main_texts(own, "phone"))
    yield from address(own)
    yield from (f"URL:{each}" for each in notation.main_texts(own, "url"))
    for network, _, url in notation.profiles(own):
        yield f"SOCIALPROFILE;SERVICE-TYPE={quoted(network)}:{url}"
    if (image := own.text("image")) and "://" in image:
        yield f"PHOTO:{image}"
    if (birth := own.text("birthDate")) and (day := notation.iso(cv, birth)):
        yield f"BDAY:{day if len(day) == 7 else day.replace('-', '')}"
    if pronouns := own.text("pronouns"):
        yield f"PRONOUNS:{escaped(pronouns)}"
    if summary := own.text("summary"):
        yield f"NOTE:{escaped(plain_prose(summary))}"
    for each in cv.entries("languages"):
        if tag := language_tag(each.row.get("language", "")):
            each.text("language")
            yield f"LANG:{tag}"
    if (modified := cv.top.text("modified")) and len(modified) == 10:
        yield f"REV:{modified.replace('-', '')}T000000Z"


def names(own: SourceRecord, name: str) -> str:
    """The property N: family; given; additional; prefix; suffix.

    A name that cannot be split is written as the family name.
    """
    parts = split(name, own.text("familyName") or "", own.text("givenName") or "")
    more = (own.text(each) or "" for each in ("additionalName", "honorific", "honorificSuffix"))
    return f"N:{';'.join(map(escaped, (parts.family, parts.given, *more)))}"


def current(cv: PublicCv) -> Iterator[str]:
    """The current main positions, and the label of the person."""
    label = cv.basics.text("label")
    for post in cv.entries("work"):
        if post.row.get("endDate") == "present" and not post.row.get("secondary"):
            post.skip("endDate")
            where = filter(None, (post.text("organization"), post.text("unit")))
            if there := ";".join(map(escaped, where)):
                yield f"ORG:{there}"
            if position := post.text("position"):
                yield f"TITLE:{escaped(position)}"
    if label:
        yield f"ROLE:{escaped(label)}"


def address(own: SourceRecord) -> Iterator[str]:
    """The public address, or else the town."""
    parts = own.record("address")
    if any(part in parts for part in PARTS):
        cells = [parts.text(part) or "" for part in PARTS]
        yield f"ADR:;;{';'.join(map(escaped, cells))}"
    elif whole := own.text("address") or own.text("location"):
        yield f"ADR;LABEL={quoted(whole)}:;;;;;;"


def escaped(text: str) -> str:
    return "\\n".join(SPECIAL.sub(r"\\\1", text).splitlines())


def quoted(text: str) -> str:
    """Quotes a parameter value, and encodes quotes and line breaks (RFC 6868)."""
    return '"' + "^n".join(text.replace("^", "^^").replace('"', "^'").splitlines()) + '"'


def folded(line: str) -> bytes:
    """Folds a long line; continuation lines start with a space, and no character is split."""
    rows, row = [], b""
    for letter in line:
        if len(row) + len(letter.encode()) > WIDEST:
            rows.append(row)
            row = b" "
        row += letter.encode()
    return b"\r\n".join([*rows, row]) + b"\r\n"


def make(documents: SiteFiles, address: str) -> bytes:
    description = documents.describe(address)
    now = documents.store.select(query("site/now"), thing=f"{description.document}#it")
    modified = description.value(schema.dateModified, description.document)
    sections = {
        "basics": [SourceRecord(basics(description, documents.base))],
        TOP: [SourceRecord({"modified": modified})],
        "work": [SourceRecord(post(row)) for row in now if "beside" not in row],
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


FORMAT = ExportFormat("vCard", write)
FILE = PageFile(".vcf", VCARD, owners, make)
