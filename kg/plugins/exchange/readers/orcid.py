"""Reads ORCID records as JSON (API 3.0 and 2.x) or XML, and the XML files of a data export.

The files of an export have one section or one activity each. The API returns summaries without
authors. Of several sources of a work, the preferred one is used: that with the highest display
index.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.errors import counted
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.values.person_identifiers import SCHEMES
from kg.facts.values.regions import country_names
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.plugins.bibliography.bib_file import person
from kg.plugins.bibliography.csl_file import TAG
from kg.plugins.bibliography.venue_titles import without_tags
from kg.plugins.exchange.draft import (
    NO_FIELD,
    OWNER,
    Draft,
    Format,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import mark_ongoing
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import TEXT, mapped, rows_of
from kg.text.normalize import letters, squeeze

NAMESPACE = b"http://www.orcid.org/ns/"
IDENTIFIER_FIELDS = {"doi": "doi", "arxiv": "arxiv", "pmid": "pmid", "pmc": "pmcid", "isbn": "isbn"}
INTERNAL = ("source-work-id", "put-code")  # identifiers within ORCID
WITH_ISBN = ("book", "edited-book", "proceedings", "translation", "thesis", "report", "manual")
TALKS = ("lecture-speech", "public-speech", "conference-presentation")
FUNDINGS = {"grant": "grant", "contract": "contract", "award": "grant", "salary-award": "grant"}
SPLIT = re.compile(r"\s*[,;]\s*")
PREFIXES = {
    "doi": re.compile(r"^(?:https?://(?:dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE),
    "arxiv": re.compile(r"^(?:https?://arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", re.IGNORECASE),
}
FULL_STOP = re.compile(r"(?<=\w{4})\.$")  # PubMed ends titles with one
NO_AUTHORS = "the record lists no authors of {}. Add your co-authors"
NOT_PUBLIC = "not public in ORCID"
LOCALE = "language of the ORCID account, not necessarily of the texts"
NO_RECORD = (
    "no data of a known version of ORCID was found. Download your record at "
    "https://orcid.org/my-orcid or https://pub.orcid.org/v3.0/YOUR-ID/record."
)
# Fields about the account, or that repeat other fields.
SKIPPED = {
    *("put-code", "path", "source", "created-date", "last-modified-date", "history", "host", "uri"),
    *("display-index", "external-id-normalized", "external-id-normalized-error", "citation"),
    *("verified", "primary", "media-type", "contributor-sequence"),
}
NEEDED = {"path": "uri", "display-index": "title"}  # skipped fields that are kept beside these
DATE = ("year", "month", "day")
PLACE = ("city", "region", "country")
REGIONS = ("US", "CA", "AU")  # countries whose regions are part of an address
VISIBILITY, OPEN = "visibility", ("public", "registered-only")
RECORD = "record"
# Sections of activities, and the name of one activity.
ACTIVITIES = {
    **{"employments": "employment", "invited-positions": "invited-position"},
    **{"educations": "education", "qualifications": "qualification"},
    **{"distinctions": "distinction", "memberships": "membership", "services": "service"},
    **{"works": "work", "fundings": "funding", "research-resources": "research-resource"},
    "peer-reviews": "peer-review",
}
ALTERNATIVES = ("works", "fundings")  # sections with groups of one activity from several sources
SECTION_OF = {kind: section for section, kind in ACTIVITIES.items()}
GROUPS = ("affiliation-group", "group", "summaries", "peer-review-group")
ORCID = re.compile(r"^/((?:\d{4}-){3}\d{3}[\dX])\b")  # in the path of an element


def is_xml(source: SourceFile) -> bool:
    return NAMESPACE in source.data[:5000]


def matches(source: SourceFile) -> bool:
    if is_xml(source):
        return source.data[:500].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<")
    tree = source.tree
    return isinstance(tree, Row) and (
        "activities-summary" in tree or ("orcid-identifier" in tree and "person" in tree)
    )


def read(source: SourceFile) -> Iterator[Draft]:
    tree = mapped(as_json(rows_of(source)) if is_xml(source) else source.root, normalised)
    draft = Orcid(SourceRecord(tree)).draft
    sign_as_owner(draft)
    if not any(draft.cv.values()):
        raise NotImported(f"{source.name}: {NO_RECORD}")
    yield draft


class Orcid:
    """Reads one record into a draft."""

    def __init__(self, root: SourceRecord) -> None:
        self.draft, self.table = Draft(), correspondence("orcid")
        self.described: set[str] = set()  # organisations and journals that have an identifier
        self.reviews: dict[tuple[str, ...], dict[str, Any]] = {}
        identifier = root.record("orcid-identifier").text("path") or root.text("orcid-identifier")
        self.draft.basics(orcid=identifier)
        self.add_person(root.record("person"))
        readers = {"works": self.add_work, "peer-reviews": self.add_review}
        activities = root.record("activities-summary")
        for section in ACTIVITIES:
            for record in activities_in(activities.record(section), section):
                readers.get(section, self.add_entry)(record, section)
        self.draft.leave(root.record("preferences").texts("locale"), LOCALE)
        self.draft.leave_rest(root)

    def add_person(self, person: SourceRecord) -> None:
        name, draft = person.record("name"), self.draft
        given, family = name.text("given-names"), name.text("family-name")
        both = join_values(filter(None, (given, family)), " ") if given else None
        others = [each.text("content") for each in self.public(person, "other-names", "other-name")]
        known = [*dict.fromkeys(filter(None, (name.text("credit-name"), both, *others)))]
        name.skip(VISIBILITY)
        about = next(iter(self.public(person, "biography")), None)
        places = [
            value.with_text(country_names().get(value.upper(), value))
            for each in self.public(person, "addresses", "address")
            for value in each.texts("country")
        ]
        draft.basics(
            name=known[0] if known else None,
            givenName=given,
            familyName=family,
            alternateNames=known[1:],
            summary=about and about.text("content"),
            email=[
                {"value": value, **visibility(each)}
                for each in person.record("emails").records("email")
                for value in each.texts("email")
            ],
            profiles=[
                without_empty({"label": each.text("url-name"), "url": each.text("url")})
                for each in self.public(person, "researcher-urls", "researcher-url")
            ],
            location=next(iter(places), None),
        )
        draft.leave(places[1:], "a CV has only one location")
        for each in self.public(person, "keywords", "keyword"):
            for value in each.texts("content"):
                words = [value.with_text(word) for word in SPLIT.split(value) if word]
                draft.cv.setdefault("interests", []).extend(words)
        for each in self.public(person, "external-identifiers", "external-identifier"):
            self.add_identifier(each)

    def public(self, person: SourceRecord, *path: str) -> list[SourceRecord]:
        """The public records at a path; the values of others are listed."""
        *above, last = path
        for name in above:
            person = person.record(name)
        found = person.records(last)
        for each in found:
            if visibility(each):
                self.draft.leave(each.left(), NOT_PUBLIC)
                each.skip(*each)
        return [each for each in found if VISIBILITY not in each]

    def add_identifier(self, record: SourceRecord) -> None:
        """Adds an external identifier of the person, or else the page it links to."""
        kind, value, url = (record.text(f"external-id-{part}") for part in ("type", "value", "url"))
        record.skip("external-id-relationship")
        folded, basics = letters(kind or ""), self.draft.cv["basics"]
        scheme = next((each for each in SCHEMES if folded.startswith(each)), "")
        if value and scheme and scheme not in basics.get("identifiers", {}):
            basics.setdefault("identifiers", {})[scheme] = value
        elif value and url:
            basics.setdefault("profiles", []).append(without_empty({"label": kind, "url": url}))
        else:
            self.draft.leave(filter(None, (kind, value, url)))

    def add_entry(self, record: SourceRecord, section: str) -> None:
        """Adds a position, degree, award, membership or grant, by the field table."""
        is_proposal = section == "research-resources"
        start = f"{section}.proposal." if is_proposal else f"{section}."
        record = record.record("proposal") if is_proposal else record
        ours = {
            theirs.removeprefix(start): next(iter(paths)).split(".")
            for theirs, paths in self.table.fields.items()
            if theirs.startswith(start)
        }
        section_of_ours = next(iter(ours.values()))[0]
        entry = {
            ours[theirs][1]: self.value(record, theirs)
            for theirs in sorted(ours, key=lambda name: name.startswith("organization"))
            if len(ours[theirs]) == 2
        }
        for theirs in ("department-name", "end-date"):
            if theirs not in ours:
                reason = self.table.not_taken.get(f"{section}.{theirs}", NO_FIELD)
                self.draft.leave(record.texts(theirs), reason)
        numbers = self.identifiers(record)
        first = next((numbers[name] for name in numbers if name != "doi"), None)
        if "number" in entry:
            entry["number"] = first
        self.draft.leave(each for each in numbers.values() if "number" not in entry)
        if section_of_ours == "grants":
            title, kind = record.record("title"), record.text("type") or "grant"
            amount = record.record("amount")
            sum_, currency = amount.text("value", TEXT), amount.text("currency-code")
            kind = "facility" if is_proposal else FUNDINGS.get(kind.lower().replace("_", "-"), "")
            entry |= {
                "kind": entry["title"] and entry["title"].with_text(kind),
                "amount": sum_ and currency and sum_.with_text(f"{sum_} {currency}"),
                "doi": numbers.get("doi"),
                "alternateNames": translated(title),
            }
        record.skip("type", "display-index")
        found = without_empty(entry)
        if section == "employments":
            mark_ongoing(found)
        self.draft.put(section_of_ours, {**found, **visibility(record)})

    def value(self, record: SourceRecord, path: str) -> Any:
        """The value of one field of an activity."""
        if path in ("organization.name", "hosts"):
            holder = record.record("hosts") if path == "hosts" else record
            return self.organization(holder.record("organization"))
        if path == "title":
            return record.record("title").text("title") or record.text("title")
        *above, last = path.split(".")
        for name in above:
            record = record.record(name)
        found = record.text(last)
        return parse_date(found) if last.endswith("-date") else found

    def organization(self, record: SourceRecord) -> Any:
        """The name of an organisation, at its first occurrence with its ROR."""
        name, known = record.text("name"), record.record("disambiguated-organization")
        number = known.text("disambiguated-organization-identifier")
        kind = known.text("disambiguation-source")
        record.skip("address")
        is_ror = number and kind and kind.upper() == "ROR" and name not in self.described
        if name is None or number is None or not is_ror:
            return name
        self.described.add(name)
        return {"name": name, "ror": number.with_text(number.rpartition("/")[2])}

    def identifiers(self, record: SourceRecord) -> dict[str, Value]:
        """The identifiers of an activity by scheme, with the ISSN or ISBN of its container."""
        found: dict[str, Value] = {}
        for each in record.record("external-ids").records("external-id"):
            kind = (each.text("external-id-type") or "").lower().replace("_", "-")
            value = each.text("external-id-value")
            relation = (each.text("external-id-relationship") or "self").lower()
            is_own = relation == "self" or kind in ("issn", "isbn")
            each.skip("external-id-url")
            name = IDENTIFIER_FIELDS.get(kind, kind)
            if value is None or kind in INTERNAL:
                continue
            if is_own and name and name not in found:
                bare = PREFIXES[name].sub("", value) if name in PREFIXES else value
                found[name] = value.with_text(bare)
            else:
                self.draft.leave([value], f"{kind or 'identifier'} with relation '{relation}'")
        return found

    def add_work(self, record: SourceRecord, section: str) -> None:
        type_ = (record.text("type") or "other").lower().replace("_", "-")
        kind, title = self.table.types.get(type_, "other"), record.record("title")
        named, about = title.text("title") or record.text("title"), record.text("short-description")
        numbers = self.identifiers(record)
        entry: dict[str, Any] = {
            "kind": kind,
            "title": named and named.with_text(FULL_STOP.sub("", squeeze(TAG.sub("", named)))),
            "subtitle": title.text("subtitle"),
            "alternateTitles": translated(title),
            "authors": self.authors(record),
            "date": parse_date(record.text("publication-date")),
            "abstract": about and about.with_text(without_tags(about)),
            "url": record.text("url"),
            "language": record.text("language-code"),
        }
        record.skip("display-index", "country")
        self.add_container(entry, record.text("journal-title"), numbers)
        if kind not in WITH_ISBN and "isbn" in numbers:
            self.draft.leave([numbers.pop("isbn")], "ISBN of the book, not of this work")
        own = {name: numbers.pop(name) for name in IDENTIFIER_FIELDS.values() if name in numbers}
        entry |= {**own, "identifiers": numbers}
        if own.get("doi") and entry["url"] and entry["url"].endswith(own["doi"]):
            entry["url"] = None
        if entry["title"] is None:
            self.draft.leave(filter(None, own.values()), "work without a title")
        elif type_ in TALKS:
            where = next((entry[name] for name in ("journal", "conference") if name in entry), None)
            found = {name: entry[name] for name in ("title", "date", "url", "language")}
            found |= {"conference": where, "summary": entry["abstract"]}
            self.draft.put("talks", {"kind": "presentation", **found})
        elif type_ == "patent":
            names = ("title", "date", "url", "abstract", "authors", "doi")
            patent = {"kind": "patent", **{name: entry.get(name) for name in names}}
            patent["authors"] = patent["authors"] or [*filter(None, [self.owner])]
            self.draft.put_patent(entry["title"], patent)
        else:
            self.draft.put("publications", {**entry, **visibility(record)})

    @property
    def owner(self) -> Value | None:
        found: Value | None = self.draft.cv["basics"].get("name")
        return found

    def add_container(
        self, entry: dict[str, Any], name: Value | None, numbers: dict[str, Value]
    ) -> None:
        """Adds the journal, conference or book of a work, at its first occurrence with its ISSN."""
        issn = numbers.pop("issn", None)
        path = self.table.path("works.journal-title", entry["kind"]).split(".")
        if name is None:
            return
        if path[1] == "book":
            entry["book"] = without_empty({"title": name, "isbn": numbers.pop("isbn", None)})
        elif issn and path[1] == "journal" and name not in self.described:
            self.described.add(name)
            entry["journal"] = {"name": name, "issn": issn}
        else:
            entry[path[1]] = name

    def authors(self, record: SourceRecord) -> list[Any]:
        found = []
        for each in record.record("contributors").records("contributor"):
            orcid = each.record("contributor-orcid").text("path")
            role = each.record("contributor-attributes").text("contributor-role") or "author"
            printed = each.text("credit-name")
            name = printed and printed.with_text(person(printed))  # `Fenner, M.`
            if name and role.lower() in ("author", "co-author", "null"):
                found.append({"as": name, "orcid": orcid} if orcid else name)
            elif name:
                self.draft.leave([name], f"not an author, but {role.lower()}")
        return found

    def add_review(self, record: SourceRecord, section: str) -> None:
        """Adds an entry for the reviews of a year for a journal or organisation, with a count."""
        journal = record.text("subject-container-name")
        host = self.organization(record.record("convening-organization"))
        done = parse_date(record.text("completion-date", "review-completion-date"))
        role = (record.text("reviewer-role") or "reviewer").lower()
        record.skip(*record)  # reviews are confidential
        name = journal or (host["name"] if isinstance(host, dict) else host)
        if done is None or name is None:
            self.draft.leave(filter(None, (name, done)))
            return
        year, key = done.with_text(done[:4]), (name, done[:4], role)
        if key in self.reviews and role == "reviewer":
            count = int(self.reviews[key].get("count", 1)) + 1
            self.reviews[key]["count"] = year.with_text(str(count))
        elif key not in self.reviews:
            where = {"journal": journal} if journal else {"organization": host}
            kind = {"reviewer": "reviewing", "editor": "editor"}.get(role)
            self.draft.put(
                "service", {**where, "kind": kind and year.with_text(kind), "year": year}
            )
            self.reviews[key] = self.draft.cv["service"][-1]


def sign_as_owner(draft: Draft) -> None:
    """Makes the person the author of works without authors."""
    works = [each for each in draft.cv.get("publications", ()) if "authors" not in each]
    for work in works:
        work["authors"] = [draft.cv["basics"].get("name") or work["title"].with_text(OWNER)]
        work["moreAuthors"] = work["title"].with_text("unknown")
    why = NO_AUTHORS.format(counted(len(works), "work"))
    draft.leave([each["title"] for each in works[:1]], why)


def visibility(record: SourceRecord) -> dict[str, Value]:
    value = record.text(VISIBILITY)
    return {VISIBILITY: value.with_text("private")} if value else {}


def translated(title: SourceRecord) -> list[Value]:
    inner = title.record("translated-title")
    inner.skip("language-code")
    return title.texts("translated-title") or inner.texts("value", TEXT)


def normalised(row: Row) -> Row:
    """A mapping without wrappers and skipped fields; dates and places are texts."""
    found = Row(row.file, row.spot, row.path)
    for name, item in row.items():
        inner, at = unwrapped(item, row.values_at[name])
        is_kept = name not in SKIPPED or NEEDED.get(name, "") in row
        if is_kept and not (name == VISIBILITY and str(inner).lower() in OPEN):
            found.put(name, inner, row.keys_at[name], at)
    if VISIBILITY in found:
        for part in [each for each in found.values() if isinstance(each, Rows)]:
            for item in part:  # what is not public has no public parts
                if isinstance(item, Row) and VISIBILITY not in item:
                    item.copy_keys(found, [VISIBILITY])
    return found


def unwrapped(value: Any, at: Spot) -> tuple[Any, Spot]:
    """The text that a mapping stands for, with its position; other values are unchanged."""
    fields = {*value} if isinstance(value, Row) else set()
    if fields == {"value"}:
        return value["value"], value.values_at["value"]
    if "year" in fields and fields <= {*DATE}:
        parts = [str(value[name]) for name in DATE if value.get(name) not in (None, "", "null")]
        return "-".join(part.zfill(2) for part in parts), value.values_at["year"]
    if fields & {*PLACE} and fields <= {*PLACE}:
        city, region, land = (str(value.get(name) or "null") for name in PLACE)
        region = region if land in REGIONS else "null"
        named = [city, region, country_names().get(land.upper(), land)]
        return ", ".join(part for part in named if part != "null"), value.spot
    return value, at


def as_json(root: Row) -> Row:
    """Converts the rows of an XML file to those of JSON: a record, section or single activity."""
    ((name, inner),) = root.items()
    if name == RECORD or not isinstance(inner, Row):
        return inner if isinstance(inner, Row) else root
    tree = Row(inner.file, inner.spot)
    if found := ORCID.match(str(inner.get("path", ""))):
        tree.fill("orcid-identifier", found[1])
    if name not in (*ACTIVITIES, *SECTION_OF):
        return tree.fill(name, inner)
    activities, section = Row(inner.file, inner.spot), SECTION_OF.get(name, name)
    whole = Row(inner.file, inner.spot).fill(name, inner) if name in SECTION_OF else inner
    return tree.fill("activities-summary", activities.fill(section, whole))


def activities_in(section: SourceRecord, name: str) -> Iterator[SourceRecord]:
    """The activities of a section or group; of alternatives, only the preferred one."""
    found = section.records(f"{ACTIVITIES[name]}-summary", ACTIVITIES[name])
    for group in section.records(*GROUPS):
        group.skip("external-ids")
        found += activities_in(group, name)
    is_group = section.path.endswith("]")
    best = max(found, key=rank) if found and is_group and name in ALTERNATIVES else None
    for each in found:
        if best is None or each is best:
            yield each
        else:
            each.skip(*each)


def rank(record: SourceRecord) -> int:
    """The display index of an activity; the preferred source has the highest."""
    index = record.text("display-index")
    return int(index) if index and index.isdecimal() else 0


FORMAT = Format("orcid", "ORCID", matches, read, priority=70)
