"""Other programs on the same facts, each in its own process: morph-kgc, an RML engine, and rdflib,
which reads and writes the graph.

morph-kgc cannot read YAML, so it gets works, authors, people and positions as flat JSON, written
before its timing starts. It creates fewer triples, and neither checks nor derives anything. So the
comparison is the cost of 1,000 triples.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from bench.servers import environment

MORPH = "morph_kgc==2.10.0"
RDFLIB = "rdflib==7.6.0"
SCHEMA, BASE = "http://schema.org/", "https://bench.example.org/"
CONFIGURATION = "[CONFIGURATION]\nlogging_level=ERROR\nnumber_of_processes=1\n[all]\nmappings={}\n"
PREFIXES = """@prefix rr: <http://www.w3.org/ns/r2rml#> . @prefix rml: <http://semweb.mmlab.be/ns/rml#> .
@prefix ql: <http://semweb.mmlab.be/ns/ql#> . @prefix schema: <http://schema.org/> .
"""  # noqa: E501
# file -> class, IRI template, {property: field or IRI template}
MAPPING: dict[str, tuple[str, str, dict[str, str]]] = {
    "works": (
        "ScholarlyArticle",
        "works/{id}",
        {
            "name": "title",
            "alternateName": "alternate",
            "datePublished": "year",
            "pagination": "pages",
            "sameAs": "https://doi.org/{doi}",
            "isPartOf": "venues/{venue}",
            "description": "note",
        },
    ),
    "authors": ("CreativeWork", "works/{work}", {"author": "people/{slug}"}),
    "people": (
        "Person",
        "people/{id}",
        {
            "name": "name",
            "givenName": "given",
            "familyName": "family",
            "description": "summary",
            "url": "url",
        },
    ),
    "jobs": (
        "OrganizationRole",
        "jobs/{id}",
        {
            "roleName": "position",
            "startDate": "start",
            "endDate": "end",
            "memberOf": "orgs/{org}",
            "member": "people/{person}",
        },
    ),
    "deeds": ("CreativeWork", "deeds/{id}", {"text": "text", "isPartOf": "jobs/{job}"}),
}
MORPH_RUN = """import sys, time, json, logging, morph_kgc
start = time.process_time(); found = morph_kgc.materialize_set(sys.argv[1]); cpu = time.process_time() - start
print(json.dumps({"cpu": cpu, "triples": len(found)}))"""  # noqa: E501
RDFLIB_RUN = """import sys, time, json, rdflib
start = time.process_time(); found = rdflib.Dataset(); found.parse(sys.argv[1], format="nquads"); text = found.serialize(format="nquads")
print(json.dumps({"cpu": time.process_time() - start, "triples": len(found)}))"""  # noqa: E501


def morph(site: Path, work: Path) -> dict[str, float]:
    """Returns CPU seconds and the number of triples."""
    folder = site / "flat"
    folder.mkdir(exist_ok=True)
    for name, rows in flat(site).items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    mapping = PREFIXES + "".join(rule(folder, name, *said) for name, said in MAPPING.items())
    (folder / "mapping.ttl").write_text(mapping)
    (folder / "all.ini").write_text(CONFIGURATION.format(folder / "mapping.ttl"))
    return measured(environment(work, MORPH), MORPH_RUN, folder / "all.ini")


def rdflib(nquads: Path, work: Path) -> dict[str, float]:
    return measured(environment(work, RDFLIB), RDFLIB_RUN, nquads)


def measured(programs: Path, text: str, argument: Path) -> dict[str, float]:
    done = subprocess.run(
        [programs / "python", "-W", "ignore", "-c", text, argument],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-500:])
    return dict(json.loads(done.stdout.splitlines()[-1]))


def flat(site: Path) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {name: [] for name in MAPPING}
    for key, work in entries(site / "data" / "publications"):
        about = {
            name: value
            for name, value in work.items()
            if name not in ("authors", "alternateTitles")
        }
        found["works"].append({"id": key, "alternate": work["alternateTitles"][0], **about})
        found["authors"] += [
            {"work": key, "slug": name.lower().replace(" ", "-")} for name in work["authors"]
        ]
    for path in sorted((site / "data" / "cv").glob("*.yaml")):
        cv = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        said = cv["basics"]
        names = {"name": said["name"], "given": said["givenName"], "family": said["familyName"]}
        found["people"].append(
            {"id": path.stem, **names, "summary": said["summary"], "url": said["url"]}
        )
        for number, job in enumerate(cv["work"]):
            key = f"{path.stem}-{number}"
            place = {
                "org": job["organization"],
                "start": str(job["startDate"]),
                "end": str(job.get("endDate", "")),
            }
            found["jobs"].append(
                {"id": key, "person": path.stem, "position": job["position"], **place}
            )
            found["deeds"] += [
                {"id": f"{key}-{at}", "job": key, "text": text}
                for at, text in enumerate(job.get("highlights", []))
            ]
    return found


def entries(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(folder.glob("*.yaml")):
        yield from yaml.load(path.read_bytes(), yaml.CSafeLoader).items()


def rule(folder: Path, name: str, kind: str, address: str, fields: dict[str, str]) -> str:
    """An RML triples map."""
    objects = "".join(
        f" ; rr:predicateObjectMap [ rr:predicate schema:{edge} ; rr:objectMap [ {value(field)} ] ]"
        for edge, field in fields.items()
    )
    source = (
        f'[ rml:source "{folder / name}.json" ; rml:referenceFormulation ql:JSONPath ; '
        'rml:iterator "$[*]" ]'
    )
    subject = f'[ rr:template "{BASE}{address}" ; rr:class schema:{kind} ]'
    return (
        f"<#{name}> a rr:TriplesMap ; rml:logicalSource {source} ; rr:subjectMap "
        f"{subject}{objects} .\n"
    )


def value(field: str) -> str:
    if "{" not in field:
        return f'rml:reference "{field}"'
    return f'rr:template "{field if "://" in field else BASE + field}" ; rr:termType rr:IRI'
