"""The tables of the database. Keys are addresses relative to the site: `people/ada-lindqvist`.

Dates are texts, as precise as they are known; `earliest` and `latest` are the full days that they
can mean. The same site gives the same bytes with the same version of SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any

from kg.graph.linked_things import RoleThing, Thing, WorkThing
from kg.opened_site import OpenSite, SiteFormat

SCHEMA = """
CREATE TABLE people (
  address TEXT PRIMARY KEY, name TEXT NOT NULL, has_cv INTEGER NOT NULL, email TEXT,
  homepage TEXT, summary TEXT, url TEXT NOT NULL
);
CREATE TABLE organisations (
  address TEXT PRIMARY KEY, name TEXT NOT NULL, parent TEXT REFERENCES organisations (address),
  url TEXT NOT NULL
);
CREATE TABLE venues (address TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL);
CREATE TABLE topics (address TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL);
CREATE TABLE works (
  address TEXT PRIMARY KEY, title TEXT NOT NULL, kind TEXT, date TEXT, year INTEGER,
  venue TEXT REFERENCES venues (address), appeared_in TEXT, doi TEXT, url TEXT NOT NULL
);
CREATE TABLE authorships (
  address TEXT PRIMARY KEY, work TEXT NOT NULL REFERENCES works (address), position INTEGER,
  role TEXT, printed_name TEXT, person TEXT REFERENCES people (address),
  organisation TEXT REFERENCES organisations (address)
);
CREATE TABLE positions (
  address TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (address),
  title TEXT NOT NULL, kind TEXT,
  unit TEXT REFERENCES organisations (address),
  organisation TEXT REFERENCES organisations (address),
  start TEXT, "end" TEXT, is_current INTEGER NOT NULL, earliest TEXT, latest TEXT
);
CREATE TABLE studies (
  address TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (address),
  title TEXT NOT NULL, kind TEXT,
  unit TEXT REFERENCES organisations (address),
  organisation TEXT REFERENCES organisations (address),
  start TEXT, "end" TEXT, is_current INTEGER NOT NULL, earliest TEXT, latest TEXT
);
CREATE TABLE work_topics (
  work TEXT NOT NULL REFERENCES works (address), topic TEXT NOT NULL REFERENCES topics (address),
  PRIMARY KEY (work, topic)
);
CREATE TABLE person_topics (
  person TEXT NOT NULL REFERENCES people (address), topic TEXT NOT NULL REFERENCES topics (address),
  PRIMARY KEY (person, topic)
);
CREATE INDEX works_by_year ON works (year);
CREATE INDEX works_by_venue ON works (venue);
CREATE INDEX authorships_by_work ON authorships (work, position);
CREATE INDEX authorships_by_person ON authorships (person);
CREATE INDEX positions_by_person ON positions (person);
CREATE INDEX positions_by_organisation ON positions (organisation);
CREATE INDEX studies_by_person ON studies (person);
CREATE INDEX studies_by_organisation ON studies (organisation);
CREATE INDEX organisations_by_parent ON organisations (parent);
CREATE INDEX work_topics_by_topic ON work_topics (topic);
CREATE INDEX person_topics_by_topic ON person_topics (topic);
"""
WORKS = ("publications/", "patents/")
SIGNATURES = """SELECT ?work ?signature ?position ?role ?printed ?person ?organisation {
  ?work schema:creator|schema:contributor ?signature .
  ?signature a schema:ListItem ; schema:position ?position
  OPTIONAL { ?signature schema:roleName ?role FILTER(LANG(?role) = "") }
  OPTIONAL { ?signature schema:alternateName ?printed }
  OPTIONAL { ?signature schema:item ?person . ?person a schema:Person }
  OPTIONAL { ?signature schema:item ?organisation . ?organisation a schema:Organization }
} ORDER BY ?signature ?printed"""
ROLES = """SELECT DISTINCT ?role ?person {
  ?person a schema:Person ; schema:affiliation|schema:hasOccupation ?role .
  ?role a ?kind FILTER(?kind IN (KINDS))
} ORDER BY ?role"""
POSITIONS = [
    f"cv:{kind}"
    for kind in (
        *("Employment", "Postdoc", "Founder", "Assistantship", "Internship", "Visiting"),
        *("Honorary", "SelfEmployment", "Affiliation"),
    )
]
STUDIES = ["cv:Study"]
TOPICS = "SELECT DISTINCT ?of ?topic { ?of PROPERTY ?topic } ORDER BY ?of ?topic"
Row = tuple[Any, ...]


def write(site: OpenSite) -> bytes:
    """The database file."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SCHEMA)
        for table, rows in tables(site):
            found = dict.fromkeys(rows)
            if not found:
                continue
            marks = ",".join("?" * len(next(iter(found))))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", found)  # noqa: S608  ours
        database.commit()
        return database.serialize()


def tables(site: OpenSite) -> Iterator[tuple[str, Iterable[Row]]]:
    people, organisations = site.people, site.organizations
    works = [each for each in all_works(site) if each.address.startswith(WORKS)]
    known = {
        each.address for some in (people, organisations, site.venues, site.topics, works)
        for each in some
    }  # fmt: skip

    def key(thing: object) -> str | None:
        """The key of an entry that has a row."""
        return thing.address if isinstance(thing, Thing) and thing.address in known else None

    yield (
        "people",
        (
            (
                each.address,
                each.name,
                each.has_cv,
                each.email,
                each.homepage,
                each.summary,
                each.url,
            )
            for each in people
        ),
    )
    yield (
        "organisations",
        (
            (each.address, each.name, key(first(each, "schema:parentOrganization")), each.url)
            for each in organisations
        ),
    )
    for name, entries in (("venues", site.venues), ("topics", site.topics)):
        yield name, ((each.address, each.name, each.url) for each in entries)
    yield (
        "works",
        (
            (
                each.address,
                each.title,
                first(each, "schema:genre"),
                each.date,
                each.year,
                key(each.venue),
                each.venue and each.venue.name,
                each.doi,
                each.url,
            )
            for each in works
        ),
    )
    signatures = {
        signature.address: row
        for row in reversed(site.sparql(SIGNATURES))
        if isinstance(signature := row["signature"], Thing)
    }
    yield (
        "authorships",
        (
            (
                address,
                key(row["work"]),
                row["position"],
                row["role"],
                row["printed"],
                key(row["person"]),
                key(row["organisation"]),
            )
            for address, row in sorted(signatures.items())
            if key(row["work"])
        ),
    )
    for name, kinds in (("positions", POSITIONS), ("studies", STUDIES)):
        roles = site.sparql(ROLES.replace("KINDS", ", ".join(kinds)))
        yield (
            name,
            (
                (
                    role.address,
                    key(row["person"]),
                    role.name,
                    kind_of(role, kinds),
                    key(first(role, "schema:affiliation")),
                    key(role.organization),
                    role.start,
                    role.end,
                    role.is_current,
                    day(role.earliest),
                    day(role.latest),
                )
                for row in roles
                if isinstance(role := row["role"], RoleThing) and key(row["person"])
            ),
        )
    pairs = (("work_topics", "schema:about"), ("person_topics", "schema:knowsAbout"))
    for name, property_ in pairs:
        found = site.sparql(TOPICS.replace("PROPERTY", property_))
        rows = [(key(row["of"]), key(row["topic"])) for row in found]
        folder = ("people/",) if name == "person_topics" else WORKS
        yield (
            name,
            (
                (of, topic)
                for of, topic in rows
                if of and topic and of.startswith(folder) and topic.startswith("topics/")
            ),
        )


def all_works(site: OpenSite) -> list[WorkThing]:
    rows = site.sparql("SELECT DISTINCT ?work { ?work schema:headline ?title } ORDER BY ?work")
    return [each for row in rows if isinstance(each := row["work"], WorkThing)]


def first(thing: Thing, property: str) -> object:
    return next(iter(thing.properties.get(property, ())), None)


def kind_of(role: RoleThing, kinds: Sequence[str]) -> str | None:
    """The class of a role that says most, without its prefix: `DoctoralStudy`."""
    own = [each for each in role.classes if each.startswith("cv:")]
    named = [each for each in own if each not in STUDIES and (kinds == STUDIES or each in kinds)]
    return next(iter(named or own), "").removeprefix("cv:") or None


def day(date: object) -> str | None:
    return str(date) if date else None


FORMAT = SiteFormat("SQLite", write)
