"""No field vanishes: whatever an author writes is in the graph, or on a page, or named on the
format page as not published, with the reason.

Each field of each kind of entry is written with a value of its own into a small site, and looked
for in what the site's graph says more than without it.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from kg.advice.explain import model_in
from kg.facts.load import load
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.activities import AwardAmount
from kg.facts.models.base import Entry
from kg.facts.models.careers import Highlight
from kg.facts.models.contacts import (
    Account,
    BirthDate,
    Contact,
    Email,
    FormerName,
    Homepage,
    PersonalText,
    StreetAddress,
)
from kg.facts.models.education import GradePointAverage
from kg.facts.models.grants import Amount, Investigator, Share
from kg.facts.models.links import DataFile, Pdf, PosterFile, RelatedPage, Slides, Video
from kg.facts.models.people import Cv, Listing, Metric, Owner
from kg.facts.models.publications import Preprint
from kg.facts.models.sections import FreeEntry, Layout, Sync
from kg.facts.models.signatures import Editor, OtherContributor, Signature, Translator
from kg.facts.models.teaching import Attendance
from kg.facts.models.venues import Acceptance, Edition, Host
from kg.facts.schema import COMMON
from kg.facts.site_file import JoinedSite, SiteFile, VocabularyEntry, Withdrawal
from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Unmapped
from kg.facts.values.text import WebAddress
from kg.graph.build import build
from kg.plugins.format_page import format_page
from kg.publish.site import Documents

MARK = "Zyx Mark"
SITE = {"base": "https://fields.example.org/", "title": "Fields"}
SAME = {"name": "Same"}
NAMED = {"publications", "patents", "press", "tutorials", "grants"}  # by their titles
WORLD: dict[str, dict[str, Any]] = {
    registry.file: {
        key: {"title" if kind in NAMED else "name": f"{key} of {kind}"}
        for key in ("usual", f"mark-{kind}")
    }
    for kind, registry in REGISTRIES.items()
}
for each in WORLD["organizations"].values():
    each["kind"] = "other"
WORLD["organizations"]["usual-lab"] = {"name": "Lab", "kind": "other", "parent": "mark-orgs"}
WORLD["organizations"]["mark-orgs"]["parent"] = "usual"
for each in WORLD["venues"].values():
    each["kind"] = "conference"
WORLD["venues"]["journal"] = {"name": "Journal", "kind": "journal"}
for each in WORLD["publications"].values():
    each.update(kind="report", authors=["Ada Berg"])
for each in WORLD["patents"].values():
    each.update(kind="patent", authors=["Ada Berg"])
for each in WORLD["press"].values():
    each["kind"] = "news"
WORLD["people"]["owner"] = {}  # has a CV

# The least that an entry needs, in each of the forms in which other fields might vanish.
ENTRIES: dict[str, list[dict[str, Any]]] = {
    "basics": [{"name": "Ada Berg"}],
    "cv": [{}],
    "work": [
        {"organization": "usual", "position": "Clerk"},
        {"organization": "usual", "unit": "usual-lab", "position": "Clerk", "endDate": "present"},
        {"position": "Editor", "kind": "self-employed"},
    ],
    "breaks": [{"reason": "Parental leave"}],
    "certificates": [{"name": "First aid"}],
    "education": [
        {"institution": "usual", "studyType": "Ph.D.", "endDate": 2019},
        {"institution": "usual", "studyType": "Ph.D.", "endDate": "present"},
        {"institution": "usual", "unit": "usual-lab", "studyType": "Ph.D."},
        {"institution": "usual", "studyType": "Ph.D.", "endDate": 2019, "completed": False},
    ],
    "grants": [{"grant": "usual"}],
    "teaching": [
        {"course": "usual", "role": "Grader"},
        {"course": "usual", "role": "Grader", "startDate": 2020},
    ],
    "mentoring": [
        {"person": "usual"},
        {"person": "usual", "level": "master"},
        {"person": "owner"},
        {"level": "master", "count": 12},
    ],
    "memberships": [{"organization": "usual"}],
    "service": [{"venue": "usual"}, {"organization": "usual"}],
    "tutorials": [{"tutorial": "usual", "venue": "usual"}],
    "talks": [{"title": "Talk"}],
    "volunteer": [{"venue": "usual"}, {"organization": "usual"}],
    "languages": [{"language": "usual", "level": "B1"}],
    "skills": [{"name": "usual"}],
    "interests": [{"name": "usual"}],
    "awards": [{"title": "Prize"}],
    "extracurricular": [{"organization": "usual", "position": "Cox"}],
    "projects": [{"name": "Boat"}, {"project": "usual", "position": "Lead"}],
    "systems": [{"software": "usual"}],
    "references": [{"person": "usual", "visibility": "public"}],
    "news": [{"date": "2026-03", "text": "Same."}],
    "contributions": [{"title": "Same"}],
    "sections": [{"title": "Same", "entries": ["Done."]}],
    "people": [{"name": "Same"}],
    "publications": [
        {"title": "Same", "kind": kind, "authors": ["Ada Berg"]}
        for kind in ("conference", "book", "thesis", "report", "dataset", "software", "other")
    ]
    + [
        {
            "title": "Same",
            "kind": "journal",
            "authors": ["Ada Berg"],
            "venue": "journal",
            "volume": "3",
        }
    ],
    "patents": [{"title": "Same", "kind": "patent", "authors": ["Ada Berg"]}],
    "orgs": [{"name": "Same", "kind": "other"}],
    "venues": [{"name": "Same", "kind": "conference"}, {"name": "Same", "kind": "journal"}],
    "software": [SAME],
    "projects/": [SAME],
    "grants/": [{"title": "Same", "visibility": "public"}],
    "courses": [SAME],
    "tutorials/": [{"title": "Same"}],
    "press": [{"item": "usual", "role": "Quoted"}, {"item": "usual"}],
    "press/": [{"title": "Same", "kind": kind} for kind in ("news", "tv")],
    "topics": [SAME],
    "places": [SAME],
    "languages/": [SAME],
    "sources": [SAME],
    "site": [SITE],
}
# How something public comes to speak of an entry of a registry, so that it has a page.
SPOKEN_OF: dict[str, dict[str, Any]] = {
    "people": {"mentoring": [{"person": "same"}]},
    "orgs": {"memberships": [{"organization": "same"}]},
    "venues": {"service": [{"venue": "same"}]},
    "software": {"systems": [{"software": "same"}]},
    "projects/": {"projects": [{"project": "same", "position": "Lead"}]},
    "grants/": {"grants": [{"grant": "same"}]},
    "courses": {"teaching": [{"course": "same", "role": "Grader"}]},
    "tutorials/": {"tutorials": [{"tutorial": "same", "venue": "usual"}]},
    "topics": {"interests": ["same"]},
    "places": {"basics": {"name": "Ada Berg", "location": "same"}},
    "languages/": {"languages": ["same"]},
    "sources": {"sources": ["same"]},
}
INSIDE: dict[type[BaseModel], dict[str, Any]] = {
    Account: {"network": "github", "username": "ada", "url": "https://github.com/ada"},
    Email: {"value": "ada@example.org", "visibility": "public"},
    Contact: {"value": "+1 555 0100", "visibility": "public"},
    BirthDate: {"value": "1985", "visibility": "public"},
    FormerName: {"name": "Ada Quist", "visibility": "public"},
    PersonalText: {"value": "Sweden", "visibility": "public"},
    StreetAddress: {"street": "Mill Road 1", "visibility": "public"},
    Homepage: {"value": "https://ada.example.org/"},
    Metric: {"name": "h-index", "value": "21"},
    Highlight: {"text": "Did."},
    FreeEntry: {"name": "Done"},
    Layout: {},
    Sync: {"sources": ["orcid"]},
    JoinedSite: {"site": "https://other.example.org/"},
    Listing: {"key": "usual"},
    **{each: {"as": "Zoe Dahl"} for each in (Signature, Editor, Translator)},
    OtherContributor: {"as": "Zoe Dahl", "role": "Photographs"},
    **{
        each: {"url": "https://x.example/"}
        for each in (Pdf, PosterFile, Slides, Video, RelatedPage, DataFile)
    },
    Preprint: {"arxiv": "1911.00001"},
    Edition: {},
    Host: {"venue": "usual", "year": 1991},
    Acceptance: {"range": "20-25%"},
    GradePointAverage: {"value": "3"},
    Attendance: {"value": "85"},
    Amount: {"value": "3", "currency": "NOK"},
    Share: {"value": "3", "currency": "NOK"},
    AwardAmount: {"value": "3", "currency": "NOK"},
    Investigator: {"person": "usual"},
    Withdrawal: {"address": "people/gone"},
    VocabularyEntry: {"namespace": "http://ex.example.org/", "terms": ["usual"]},
}
VENUES = ("venue", "conference", "journal")  # of which an entry has one
SPECIAL: dict[str, tuple[Any, str]] = {  # a value that is right in the field, and what shows it
    "doi": ("10.1234/zyx", "10.1234/zyx"),
    "arxiv": ("1907.01234", "1907.01234"),
    "orcid": ("0000-0002-1825-0097", "0000-0002-1825-0097"),
    "ror": ("05gq02987", "https://ror.org/05gq02987"),
    "isbn": ("978-3-16-148410-0", "9783161484100"),
    "journal": ("journal", "/journal#it>"),
    "students": ("31", '"31"'),
    "credits": ("31", '"31"'),
    "count": ("31", '"31"'),
    "pmid": ("1987123", '"1987123"'),
    "pmcid": ("PMC1987", '"PMC1987"'),
    "identifiers": ({"hal": "zyx-1987"}, '"zyx-1987"'),
    "license": ("https://zyx.example.org/", "<https://zyx.example.org/>"),
    "numberOfPages": ("77", '"77"'),
    **{
        f"{field}.url": ("https://zyx.example.org/", "<https://zyx.example.org/>")
        for field in ("pdf", "slides", "poster", "downloads")
    },
    "numbers": ({"patent": MARK}, MARK),
    "id": ("zyx-mark", "#zyx-mark>"),
    "was": ("former-key", "/former-key#it>"),
    "image": ("https://zyx.example.org/a.jpg", "https://zyx.example.org/a.jpg"),
    "metrics.value": ("77", '"77"'),
    "language": ("de", ""),
    "username": ("zyxmark", '"zyxmark"'),
    "network": ("zyxnet", '"zyxnet"'),
    "sha1": ("0" * 39 + "1", "0" * 39 + "1"),
    "email.value": ("zyx@example.org", "zyx@example.org"),
    "address.value": (MARK, MARK),
    "phone.value": ("+1 555 0199", "+1 555 0199"),
    "expected": ("1987", "Expected 1987"),
    "score.value": ("3.25", '"3.25"'),
    "score.scale": ("4.5", '"4.5"'),
    "amount.value": ("125", '"125"'),
    "share.value": ("125", '"125"'),
    "attendees.value": ("77", '"77"'),
    "attendees.least": ("66", '"66"'),
    "accepted": ({"accepted": "31", "submitted": "97"}, '"31"'),
    "submitted": ({"accepted": "31", "submitted": "97"}, '"97"'),
    "stated": ({"stated": "33.1%"}, '"0.331"'),
    "layout.order": ("talks", "talks"),
    "layout.hide": ("talks", "-talks"),
    "range": ({"range": "41-43%"}, '"0.41"'),
    "withdrawn.address": ("people/zyx-gone", "<h1"),
    "moved": ({"people/zyx-gone": "people/ada"}, "people/ada"),
    "base": ("https://zyx.example.org/", "https://zyx.example.org/"),
    "vocabularies.namespace": ("http://zyx.example.org/", "http://zyx[.]example[.]org/(usual)"),
    "vocabularies.terms": ("zyxTerm", "http://ex[.]example[.]org/(zyxTerm)"),
}
# What is on a page, or in a file, alone, and in which.
PAGES = {
    "vocabularies.namespace": "shapes.ttl",
    "vocabularies.terms": "shapes.ttl",
    "contact": "index.html",
    "withdrawn.address": "people/zyx-gone.html",
    "moved": "people/zyx-gone.html",
    "withdrawn.reason": "people/gone.html",
    "withdrawn.date": "people/gone.html",
}
# Fields that say nothing in some entries, as the format page tells in these words.
SILENT = {
    ("education", "degree"): "not published before 'endDate'",
    ("education", "completed"): "ignored before 'endDate'",
    ("publications", "volume"): "not published without a journal",
    ("publications", "issue"): "not published without a volume",
}


KEYED = {"editions": "1991", "vocabularies": "ex"}  # fields with keys of their own
IN_A_JOURNAL = ("volume", "issue")


class Written(NamedTuple):
    """A field in a place: the entry with and without it, and what shows that it was written."""

    place: str
    field: str
    info: FieldInfo
    without: dict[str, Any]
    values: list[tuple[Any, str]]  # an entry, and what shows the field; "" where any change will do


def model_of(place: str, entry: dict[str, Any]) -> type[BaseModel]:
    if place == "site":
        return SiteFile
    if place in ("basics", "cv"):
        return Owner if place == "basics" else Cv
    if place in SECTIONS:
        return SECTIONS[place].model_for(entry)
    return REGISTRIES[place.rstrip("/")].model_for(entry)


def fields() -> Iterator[Written]:
    for place, entries in ENTRIES.items():
        usual = model_of(place, entries[0]) if place == "publications" else Entry
        for number, entry in enumerate(entries):
            for written in fields_of(model_of(place, entry), place, entry, ()):
                top = written.field.partition(".")[0]
                if not number or top not in usual.model_fields or top in IN_A_JOURNAL:
                    yield written  # those of all entries once a place


def fields_of(
    model: type[BaseModel], place: str, entry: dict[str, Any], path: tuple[str, ...]
) -> Iterator[Written]:
    """The fields of the value at a path of an entry, and of the values inside."""
    for name, info in model.model_fields.items():
        key = info.alias or name
        if name in getattr(model, "from_loader", ()) or (path and key in ("id", "accept")):
            continue
        if model is Edition and key == "year":
            continue  # its key in the file
        if key == "id" and (getattr(model, "key", "it") == "it" or place not in SECTIONS):
            continue  # it is refused there
        dotted = ".".join([*path, key])
        inner = model_in(info.annotation)
        if inner:
            below = deepcopy(INSIDE[inner])
            if any(isinstance(each, Unmapped) and each.is_withheld for each in info.metadata):
                values = [(put(entry, path, key, info, below), "")]
                yield Written(place, dotted, info, entry, values)
                continue
            yield from fields_of(inner, place, put(entry, path, key, info, below), (*path, key))
            continue
        values = [
            (put(entry, path, key, info, value), sign)
            for value, sign in values_of(key, dotted, info.annotation, model)
        ]
        yield Written(place, dotted, info, entry, values)
    for name in getattr(model, "spread", ()):
        value: Any = {"dates": "1987", "years": ["1987"]}.get(name)
        if value and not path:
            made = {key: entry[key] for key in entry if key not in ("startDate", "endDate", "year")}
            found = [({**made, name: value}, '"1987')]
            yield Written(place, name, FieldInfo(), made, found)


def put(
    entry: dict[str, Any], path: tuple[str, ...], key: str, info: FieldInfo, value: Any
) -> dict[str, Any]:
    """The entry with a value in a field of the value at the path; counts of papers go together."""
    made = deepcopy(entry)
    around = made
    for step in path:
        around = around.setdefault(step, {})
        if isinstance(around, list):
            around = around[0]
        elif step in KEYED:
            around = around[KEYED[step]]
    if key == "reviews":
        around["kind"] = "review"
    if key in VENUES and not path:
        made = {name: made[name] for name in made if name not in VENUES} | {key: value}
    elif key in ("accepted", "submitted", "stated", "range"):
        around.clear()
        around.update(value)
    elif "attendees" in path or "sha1" in key:
        around.pop("value", None)
        around.update({key: value} | ({"visibility": "hashed"} if key == "sha1" else {}))
    elif key == "position" and model_in_registry(entry):
        around.update({key: value, "organization": "usual"})
    elif key in ("text", "label") and path == ("entries",):  # instead of a name
        around.clear()
        around[key] = value
    elif key in KEYED:
        around[key] = {KEYED[key]: value}
    elif get_origin(info.annotation) is list:
        around[key] = [value]
    else:
        around[key] = value
    return made


def model_in_registry(entry: dict[str, Any]) -> bool:
    """Whether this is an entry of a person, whose position needs an organisation."""
    return entry.keys() == {"name"}


def values_of(
    key: str, dotted: str, annotation: Any, model: type[BaseModel]
) -> Iterator[tuple[Any, str]]:
    """Values for a field, each with what shows it in a line of the graph."""
    special = (
        SPECIAL.get(dotted) or SPECIAL.get(".".join(dotted.split(".")[-2:])) or SPECIAL.get(key)
    )
    if special:
        yield special
    elif key == "disputed":
        yield {"name": [{"value": MARK}]}, MARK
    elif key == "accept":
        yield {"owner-page": MARK}, MARK
    elif key == "files" and model is SiteFile:
        yield {"vcard": False}, ""
    elif key == "visibility" and model in (Cv, SiteFile):
        yield {"talks": "private"}, ""
    else:
        yield from values_of_type(annotation)


def values_of_type(annotation: Any) -> Iterator[tuple[Any, str]]:
    if get_origin(annotation) is Literal:
        yield from ((value, "") for value in get_args(annotation))
    elif annotation is bool:
        yield from ((value, "") for value in (True, False))
    elif isinstance(annotation, type) and issubclass(annotation, Reference):
        yield from ((f"mark-{kind}", f"/mark-{kind}#it>") for kind in annotation.kinds)
    elif annotation is When:
        yield "1987", '"1987'
    elif annotation is WebAddress:
        yield "https://zyx.example.org/", "<https://zyx.example.org/>"
    elif annotation is str:
        yield MARK, MARK
    else:
        found = (each for each in get_args(annotation) if each is not type(None))
        yield from values_of_type(next(found))


@cache
def lines(place: str, entry: str) -> tuple[str, ...] | None:
    """The graph of the small site with this entry; None where the check refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        graph = graph_of(place, json.loads(entry), Path(folder))
        return tuple(sorted((graph.nquads + graph.rest).decode().splitlines()))


def graph_of(place: str, entry: dict[str, Any], folder: Path) -> Any:
    cv: dict[str, Any] = {"basics": {"name": "Ada Berg"}, **SPOKEN_OF.get(place, {})}
    files = deepcopy(WORLD)
    site = SITE
    if place == "site":
        site, cv["talks"] = entry, [{"title": "Talk"}]
    elif place == "basics":
        cv["basics"] = entry
    elif place == "cv":
        cv = {**cv, "talks": [{"title": "Talk"}], **entry}
    elif place in SECTIONS:
        cv[place] = [entry]
    else:
        files[REGISTRIES[place.rstrip("/")].file]["same"] = entry
    del files["people"]["owner"]
    owner = {"basics": {"name": "Owner"}}
    content = {"site": site, "cv/ada": cv, "cv/owner": owner, **files}
    for name, value in content.items():
        path = folder / "data" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
    facts = load(folder)
    assert facts.site is not None
    assert [str(each) for each in facts.problems if each.severity == "error"] == []
    return build(facts, facts.site)


FIELDS = list(fields())


def test_every_kind_of_entry_is_tried() -> None:
    models = {registry.model for registry in REGISTRIES.values()}
    models |= {model for registry in REGISTRIES.values() for model in registry.by_kind.values()}
    models |= {model for each in SECTIONS.values() for model in (each.model, each.other) if model}
    tried = {model_of(place, entry) for place, entries in ENTRIES.items() for entry in entries}
    assert models | {Owner, Cv, SiteFile} == tried
    assert len(FIELDS) > 300


@cache
def explanations() -> str:
    return "".join(meanings(field) for kind in format_page.kinds() for field in kind.fields)


def meanings(field: format_page.Field) -> str:
    return f"{field.name}: {field.meaning}\n" + "".join(map(meanings, field.inner))


@pytest.mark.corpus
@pytest.mark.sample(test=0.03, proof=0.4)
@pytest.mark.parametrize("written", FIELDS, ids=lambda each: f"{each.place}-{each.field}")
def test_a_field_is_published_or_named_as_withheld(written: Written) -> None:
    mark = next((each for each in written.info.metadata if isinstance(each, Unmapped)), None)
    name = written.field.rpartition(".")[2]
    before = lines(written.place, json.dumps(written.without))
    graphs = [(lines(written.place, json.dumps(entry)), sign) for entry, sign in written.values]
    if name in ("note", "disputed", "accept"):
        assert "never published" in COMMON[name]
        assert all(graph == before for graph, _ in graphs)
    elif mark and mark.is_withheld:
        why = mark.why.replace("`", "'")
        assert f"{name}: Not published: {why}." in explanations()
        assert all(graph == before for graph, _ in graphs)
    elif written.field in PAGES:
        ((entry, sign),) = written.values
        with tempfile.TemporaryDirectory() as folder:
            documents = Documents(graph_of(written.place, entry, Path(folder)))
            page = documents.get(PAGES[written.field])
        assert page is not None and sign.strip('"') in page.body.decode()
    elif is_silent(written):
        assert SILENT[written.place, name] in explanations()
    elif all(sign for _, sign in graphs):
        for graph, sign in graphs:
            new = set(graph) - set(before)
            assert any(sign in line for line in new), sorted(new)
    else:
        told = {plain(graph) for graph, _ in graphs}
        assert len(told) == len(graphs)


def is_silent(written: Written) -> bool:
    entry = written.without
    if (written.place, written.field) not in SILENT:
        return False
    if written.place == "publications":
        return "volume" not in entry
    return entry.get("endDate") != 2019 or (written.field == "degree" and "completed" in entry)


def plain(graph: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without fragments: an address that differs says nothing by itself."""
    return tuple(sorted(re.sub(r"(?<!/cv-kg/terms)#[^>]*>", "#>", line) for line in graph))
