"""Reads ORCID records as JSON (API 3.0, 2.x and 1.2) or XML, and the XML files of a data export.

The API returns summaries without authors. Of several sources of a work, the preferred one is used:
that with the highest display index.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.values.person_identifiers import SCHEMES
from kg.facts.values.text import address_slug
from kg.facts.yaml.rows import Row
from kg.plugins.bibliography.bib_file import person
from kg.plugins.bibliography.work_records import without_tags
from kg.plugins.exchange.draft import OWNER, Draft, Format, SourceRecord, Value, without_empty
from kg.plugins.exchange.fields import mark_ongoing
from kg.plugins.exchange.readers.orcid_tree import (
    IDENTIFIER_FIELDS,
    apply,
    as_json,
    country,
    date,
    identifiers_of,
    normalised,
    other_tags,
    place,
    preferred,
    reviews_in,
    summaries,
    translated,
)
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import rows_of
from kg.text.normalize import letters

AFFILIATIONS = {
    "employments": "employment",
    "invited-positions": "invited-position",
    "educations": "education",
    "qualifications": "qualification",
    "distinctions": "distinction",
    "memberships": "membership",
    "services": "service",
}
NAMESPACE = b"http://www.orcid.org/ns/"
TEXTS = ("role-title", "department-name", "url")
DATES = ("start-date", "end-date")
WITH_ISBN = ("book", "edited-book", "proceedings", "translation", "thesis", "report", "manual")
TALKS = ("lecture-speech", "public-speech", "conference-presentation")
FUNDINGS = {"grant": "grant", "contract": "contract", "award": "grant", "salary-award": "grant"}
SPLIT = re.compile(r"\s*[,;]\s*")
DUPLICATE = "duplicate of an earlier work (same DOI)"
NO_AUTHORS = "the record lists no authors of works. Add your co-authors"
NOT_PUBLIC = "not public in ORCID"
LOCALE = "language of the ORCID account, not necessarily of the texts"


NO_RECORD = (
    "no data of a known version of ORCID was found. Download your record at "
    "https://orcid.org/my-orcid or https://pub.orcid.org/v3.0/YOUR-ID/record."
)


def matches(source: SourceFile) -> bool:
    if NAMESPACE in source.data[:5000]:
        return source.data[:500].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")
    tree = source.tree
    return isinstance(tree, Row) and (
        "orcid-profile" in tree
        or "activities-summary" in tree
        or ("orcid-identifier" in tree and "person" in tree)
    )


def read(source: SourceFile) -> Iterator[Draft]:
    is_xml = NAMESPACE in source.data[:5000]
    tree = normalised(as_json(rows_of(source)) if is_xml else source.root)
    top = tree.get("orcid-profile")
    draft = Orcid(SourceRecord(top if isinstance(top, Row) else tree)).draft
    if not any(draft.cv.values()):
        raise NotImported(f"{source.name}: {NO_RECORD}")
    yield draft


class Orcid:
    """Reads one record into a draft."""

    def __init__(self, root: SourceRecord) -> None:
        self.draft = Draft()
        self.known: set[str] = set()  # DOIs of works
        self.described: set[str] = set()  # organisations and journals that have an identifier
        identifier = root.record("orcid-identifier")
        self.draft.basics(orcid=identifier.text("path") or root.text("orcid-identifier", "orcid"))
        self.add_person(root.record("person") if "person" in root else root)
        activities = root.record("activities-summary") if "activities-summary" in root else root
        for affiliation in activities.record("affiliations").records("affiliation"):
            kind = (affiliation.text("type") or "").lower()
            self.add_affiliation(f"{kind}s", affiliation)
        for section, kind in AFFILIATIONS.items():
            for record in summaries(activities.record(section), kind):
                self.add_affiliation(section, record)
        for record in preferred(activities.record("works"), "work"):
            self.add_work(record)
        for record in preferred(activities.record("fundings"), "funding"):
            self.add_funding(record)
        for record in summaries(activities.record("research-resources"), "research-resource"):
            self.add_facility(record)
        self.add_reviews(activities.record("peer-reviews"))
        self.draft.leave(root.record("preferences").texts("locale"), LOCALE)
        self.draft.leave(root.left())
        works = [each for each in self.draft.cv.get("publications", ()) if "authors" not in each]
        for work in works:
            work["authors"] = [
                self.draft.cv["basics"].get("name") or work["title"].with_text(OWNER)
            ]
        if works:
            self.draft.leave([works[0]["title"]], NO_AUTHORS)

    def add_person(self, person: SourceRecord) -> None:
        name = person.record("name")
        given, family = name.text("given-names"), name.text("family-name")
        both = given and given.with_text(f"{given} {family}" if family else str(given))
        credit = name.text("credit-name")
        name.skip("visibility")
        others = [
            each
            for holder in (person, name)
            for record in holder.record("other-names").records("other-name")
            for each in self.open_texts(record, "content", "value", "")
        ]
        known = [*dict.fromkeys(filter(None, (credit, both, *others)))]
        self.draft.basics(
            name=known[0] if known else None,
            givenName=given,
            familyName=family,
            alternateNames=known[1:],
        )
        contact = person.record("contact-details")
        self.draft.basics(
            summary=next(
                iter(self.open_texts(person.record("biography"), "content", "value")), None
            )
            or person.text("biography"),
            email=[
                {"value": value, **self.visibility(each)}
                for each in [*person.record("emails").records("email"), *contact.records("email")]
                for value in each.texts("email", "value", "")
            ],
            profiles=[
                without_empty({"label": each.text("url-name"), "url": each.text("url")})
                for each in person.record("researcher-urls").records("researcher-url")
                if not self.is_hidden(each)
            ],
        )
        places = [
            country(value)
            for each in [
                *person.record("addresses").records("address"),
                contact.record("address"),
            ]
            for value in self.open_texts(each, "country")
        ]
        self.draft.basics(location=next(iter(places), None))
        self.draft.leave(places[1:], "a CV has only one location")
        for each in person.record("keywords").records("keyword"):
            for value in self.open_texts(each, "content", "value", ""):
                words = [value.with_text(word) for word in SPLIT.split(value) if word]
                self.draft.cv.setdefault("interests", []).extend(words)
        for each in person.record("external-identifiers").records("external-identifier"):
            self.add_identifier(each)

    def add_identifier(self, record: SourceRecord) -> None:
        """Adds an external identifier of the person, or else the page it links to."""
        kind, value, url = (record.text(f"external-id-{part}") for part in ("type", "value", "url"))
        record.skip("external-id-relationship")
        if value is None or self.is_hidden(record):
            self.draft.leave(filter(None, (kind, value, url)), NOT_PUBLIC)
            return
        folded = letters(kind or "")
        scheme = next((each for each in SCHEMES if folded.startswith(each)), "")
        basics = self.draft.cv.setdefault("basics", {})
        if scheme and scheme not in basics.get("identifiers", {}):
            basics.setdefault("identifiers", {})[scheme] = value
        elif url:
            basics.setdefault("profiles", []).append(without_empty({"label": kind, "url": url}))
        else:
            self.draft.leave(filter(None, (kind, value)))

    def add_affiliation(self, section: str, record: SourceRecord) -> None:
        """Adds a position, degree, award or membership, by the field table."""
        table = correspondence("orcid")
        ours = {
            theirs.removeprefix(f"{section}."): next(iter(paths))
            for theirs, paths in table.fields.items()
            if theirs.startswith(f"{section}.")
        }
        if not ours:
            return
        target = next(iter(ours.values())).partition(".")[0]
        entry: dict[str, Any] = {}
        for theirs in (*TEXTS, *DATES):
            path = ours.get(theirs, "").partition(".")[2]
            value = date(record.record(theirs)) if theirs in DATES else record.text(theirs)
            if path and value:
                entry[path] = value
            elif value:
                self.draft.leave([value], table.not_taken.get(f"{section}.{theirs}", ""))
        organization = record.record("organization")
        name = ours["organization.name"].partition(".")[2]
        entry[name] = self.organization(organization)
        if "organization.address" in ours:
            entry["location"] = place(organization.record("address"))
        else:
            organization.record("address").skip("city", "region", "country")
        if section == "employments":
            mark_ongoing(entry)
        record.skip("type")
        for number in identifiers_of(record, self.draft).values():
            if "external-ids" in ours and "number" not in entry:
                entry["number"] = number
            else:
                self.draft.leave([number])
        self.draft.put(target, {**without_empty(entry), **self.visibility(record)})

    def organization(self, record: SourceRecord) -> Any:
        """The name of an organisation, at its first occurrence with its ROR."""
        name = record.text("name")
        known = record.record("disambiguated-organization")
        number = known.text("disambiguated-organization-identifier")
        kind = known.text("disambiguation-source")
        is_ror = kind and kind.upper() == "ROR"
        if name is None or number is None or not is_ror or name in self.described:
            return name
        self.described.add(name)
        return {"name": name, "ror": number.with_text(number.rpartition("/")[2])}

    def add_work(self, record: SourceRecord) -> None:
        type_ = (record.text("type") or "other").lower().replace("_", "-")
        table = correspondence("orcid")
        kind = table.types.get(type_, "other")
        title = record.record("title")
        entry: dict[str, Any] = {
            "kind": kind,
            "title": apply(other_tags, title.text("title") or record.text("title")),
            "subtitle": title.text("subtitle"),
            "alternateTitles": translated(title),
            "authors": self.authors(record),
            "date": date(record.record("publication-date")),
            "abstract": apply(without_tags, record.text("short-description")),
            "url": record.text("url"),
            "language": record.text("language-code"),
        }
        record.record("citation").skip("citation-type", "citation-value")
        record.record("work-citation").skip("work-citation-type", "citation")
        record.skip("display-index", "country")
        container = record.text("journal-title")
        numbers = identifiers_of(record, self.draft)
        issn = numbers.pop("issn", None)
        if kind in ("book-chapter", "encyclopedia-entry") and container:
            entry["book"] = without_empty({"title": container, "isbn": numbers.pop("isbn", None)})
        elif container:
            path = table.path("works.journal-title", kind).rpartition(".")[2]
            entry[path] = container
            if issn and path == "journal" and container not in self.described:
                self.described.add(container)
                entry[path] = {"name": container, "issn": issn}
        if kind not in WITH_ISBN and "isbn" in numbers:
            self.draft.leave([numbers.pop("isbn")], "ISBN of the book, not of this work")
        entry |= {
            name: value for name, value in numbers.items() if name in IDENTIFIER_FIELDS.values()
        }
        entry["identifiers"] = {
            name: value for name, value in numbers.items() if name not in IDENTIFIER_FIELDS.values()
        }
        if entry.get("doi") and entry["url"] and entry["url"].endswith(str(entry["doi"])):
            entry["url"] = None
        if entry["title"] is None:
            found = [each for each in entry.values() if isinstance(each, Value)]
            self.draft.leave(found, "work without a title")
        elif type_ in TALKS:
            self.add_talk(entry)
        elif type_ == "patent":
            self.add_patent(entry)
        elif entry.get("doi") and entry["doi"].lower() in self.known:
            self.draft.leave([entry["title"]], DUPLICATE)
        else:
            self.known.add(str(entry.get("doi") or "").lower())
            self.draft.put("publications", {**entry, **self.visibility(record)})

    def authors(self, record: SourceRecord) -> list[Any]:
        found = []
        for each in record.record("contributors").records("contributor"):
            name, orcid = each.text("credit-name"), each.text("contributor-orcid")
            orcid = orcid or each.record("contributor-orcid").text("path")
            attributes = each.record("contributor-attributes")
            attributes.skip("contributor-sequence")
            role = (attributes.text("contributor-role") or "author").lower()
            name = name and name.with_text(person(name))  # `Fenner, M.`
            if name and role in ("author", "co-author", "null", ""):
                found.append({"as": name, "orcid": orcid} if orcid else name)
            elif name:
                self.draft.leave([name], f"not an author, but {role}")
        return found

    def add_talk(self, work: dict[str, Any]) -> None:
        found = {name: work.get(name) for name in ("title", "date", "url", "language")}
        where = next(
            (work[name] for name in ("journal", "conference", "venue") if name in work), None
        )
        found["conference"] = where["name"] if isinstance(where, dict) else where
        found["summary"] = work.get("abstract")
        self.draft.put("talks", {"kind": "presentation", **found})

    def add_patent(self, work: dict[str, Any]) -> None:
        names = ("title", "date", "url", "abstract", "doi", "authors")
        key = address_slug(work["title"]) or f"patent-{len(self.draft.cv.get('patents', ())) + 1}"
        entry = without_empty({"kind": "patent", **{name: work.get(name) for name in names}})
        entry.setdefault("authors", [self.draft.cv["basics"]["name"]] if self.draft.name else [])
        self.draft.entries.setdefault("patents", {})[key] = entry
        self.draft.cv.setdefault("patents", []).append(work["title"].with_text(key))

    def add_funding(self, record: SourceRecord) -> None:
        title = record.record("title")
        amount = record.record("amount")
        sum_ = amount.text("value")
        currency = amount.text("currency-code") or record.text("currency-code")
        kind = (record.text("type") or "grant").lower().replace("_", "-")
        numbers = identifiers_of(record, self.draft)
        entry = {
            "title": title.text("title") or record.text("title"),
            "alternateNames": translated(title),
            "funder": self.organization(record.record("organization")),
            "kind": FUNDINGS.get(kind),
            "programme": record.text("organization-defined-type"),
            "summary": record.text("short-description"),
            "amount": sum_ and currency and sum_.with_text(f"{sum_} {currency}"),
            "startDate": date(record.record("start-date")),
            "endDate": date(record.record("end-date")),
            "number": next((numbers[name] for name in numbers if name != "doi"), None),
            "doi": numbers.get("doi"),
            "url": record.text("url"),
        }
        record.record("organization").record("address").skip("city", "region", "country")
        record.skip("display-index")
        self.draft.put("grants", {**entry, **self.visibility(record)})

    def add_facility(self, record: SourceRecord) -> None:
        proposal = record.record("proposal")
        title = proposal.record("title").text("title")
        hosts = proposal.record("hosts").records("organization")
        numbers = identifiers_of(proposal, self.draft)
        for host in hosts:
            host.record("address").skip("city", "region", "country")
        entry = {
            "title": title,
            "kind": title and title.with_text("facility"),
            "funder": self.organization(hosts[0]) if hosts else None,
            "number": next(iter(numbers.values()), None),
            "startDate": date(proposal.record("start-date")),
            "endDate": date(proposal.record("end-date")),
            "url": proposal.text("url"),
        }
        record.skip("display-index")
        self.draft.put("grants", {**entry, **self.visibility(record)})

    def add_reviews(self, section: SourceRecord) -> None:
        """Adds one entry with a count for the reviews of a year for a journal or organisation."""
        counts: Counter[tuple[str, str, str]] = Counter()
        entries: dict[tuple[str, str, str], dict[str, Any]] = {}
        for record in reviews_in(section):
            journal = record.text("subject-container-name")
            organization = record.record("convening-organization")
            host = self.organization(organization)
            organization.record("address").skip("city", "region", "country")
            done = date(record.record("completion-date")) or date(
                record.record("review-completion-date")
            )
            year = done and done.with_text(done[:4])
            role = (record.text("reviewer-role") or "reviewer").lower()
            record.skip("review-type", "review-url", "display-index", "review-group-id", "url")
            record.skip("visibility", "external-ids", "subject-external-identifier", "subject-type")
            record.skip("subject-name", "subject-url", "type")
            where = {"journal": journal} if journal else {"organization": host}
            name = host["name"] if isinstance(host, dict) else host
            key = (str(journal or name), str(year), role)
            counts[key] += 1
            kind = "reviewing" if role == "reviewer" else "editor" if role == "editor" else None
            if year and (journal or host):
                entries.setdefault(
                    key, {**where, "kind": kind and year.with_text(kind), "year": year}
                )
            else:
                self.draft.leave(filter(None, (journal, name, year)))
        for key, entry in entries.items():
            number = counts[key]
            if number > 1 and key[2] == "reviewer":
                entry["count"] = entry["year"].with_text(str(number))
            self.draft.put("service", entry)

    def visibility(self, record: SourceRecord) -> dict[str, Value]:
        value = record.text("visibility")
        return {"visibility": value.with_text("private")} if value else {}

    def is_hidden(self, record: SourceRecord) -> bool:
        return bool(self.visibility(record))

    def open_texts(self, record: SourceRecord, *names: str) -> list[Value]:
        """The texts of a public part; those of a non-public part are listed."""
        found = record.texts(*names)
        if not self.is_hidden(record):
            return found
        self.draft.leave(found, NOT_PUBLIC)
        return []


FORMAT = Format("orcid", "ORCID", matches, read, priority=70)
