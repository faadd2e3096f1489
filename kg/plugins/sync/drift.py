"""What the profiles of a person at other services lack or have wrong, compared with the checked CV.

Corrections are written in the formats that the services take: BibTeX for ORCID, the JSON of
OpenAlex's author curation, and QuickStatements for Wikidata.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kg.graph.build import Graph
from kg.plugins.exchange.author_names import OwnName, name_of
from kg.plugins.exchange.edits.joined_entries import shown
from kg.plugins.sources.client import Client, Service
from kg.plugins.sources.found import NotFetched
from kg.plugins.sources.openalex import OpenAlex
from kg.plugins.sync.found_works import FoundWork
from kg.plugins.sync.own_works import is_doubtful
from kg.plugins.sync.people import NotSynced
from kg.plugins.sync.proposals import COMPARED, TITLES, agree, comparable, raw_value
from kg.plugins.sync.summary import PersonReport
from kg.publish.citations.citation import Citations
from kg.publish.citations.writers import bibtex

WIKIDATA = Service("Wikidata", ("www.wikidata.org",))
ENTITY = "https://www.wikidata.org/wiki/Special:EntityData/{}.json"
# Properties of Wikidata for identifiers of people.
PROPERTIES = {
    **{"orcid": "P496", "dblp": "P2456", "openalex": "P10283", "scopus": "P1153"},
    **{"researcherid": "P1053", "isni": "P213", "viaf": "P214", "gnd": "P227"},
}
OPENALEX = "https://openalex.org/"
# Where a mistake is corrected.
CORRECTED_AT = {
    "orcid": "https://orcid.org/my-orcid",
    "openalex": "https://help.openalex.org/access/fixing-errors/",
    "crossref": "the publisher, who corrects it at Crossref",
    "datacite": "the repository that registered the DOI",
    "dblp": "https://dblp.org/faq/How+can+I+correct+errors+in+dblp.html",
    "wikidata": "https://quickstatements.toolforge.org/",
}
HOW = {
    "orcid": "Add works > Add BibTeX",
    "openalex": "as JSON to https://user.openalex.org/curations, with your key",
    "wikidata": "New batch",
}


@dataclass
class Drift:
    """What one profile lacks or has wrong; `text` corrects it, in a file with this name."""

    service: str
    lines: list[str] = field(default_factory=list)
    name: str = ""
    text: str = ""


def drift(report: PersonReport, graph: Graph, client: Client) -> list[Drift]:
    """The profiles that differ from the CV, in the order of their services."""
    found = {name: Drift(name, list(wrong_values(report, name))) for name in report.survey.answered}
    if "orcid" in found and report.person.orcid:
        missing_at_orcid(report, graph, found["orcid"])
    if "openalex" in found:
        curation(report, client, found["openalex"])
    if number := identifiers(report).get("wikidata"):
        found["wikidata"] = Drift("wikidata")
        try:
            statements(report, number, client, found["wikidata"])
        except NotFetched as error:
            report.survey.messages.append(str(error))
    return [each for each in found.values() if each.lines]


def identifiers(report: PersonReport) -> dict[str, str]:
    known = report.person.basics.get("identifiers")
    return {**(known if isinstance(known, dict) else {}), **report.person.identifiers}


def wrong_values(report: PersonReport, source: str) -> Iterator[str]:
    """Values that differ from the CV, except those about which `kg sync` still asks."""
    asked = {(each.ids, each.field) for each in report.open}
    for work, mine in report.pairs.items():
        record = work.by_source().get(source)
        entry = record.entry if record else {}
        is_same = entry.get("kind") == mine.fields.get("kind")
        for name in COMPARED if is_same and not is_doubtful(mine.fields, entry) else ():
            theirs, own = (raw_value(name, each) for each in (entry, mine.fields))
            one, other = (comparable(name, each or "") for each in (theirs, own))
            is_same = agree(name, one, other) or (record and other in record.years)
            if one and other and not is_same and (mine.ids, name) not in asked:
                yield f"{mine.title}: {name} {shown(theirs)}; you say {shown(own)}"


def missing_at_orcid(report: PersonReport, graph: Graph, found: Drift) -> None:
    """Works of the CV that the ORCID record does not list, as BibTeX."""
    listed = {mine.key for work, mine in report.pairs.items() if "orcid" in sources_of(work)}
    works = Citations(graph.memory, graph.site.base).read(f"people/{report.person.slug}")
    own = {each.key for each in report.own if each.doi not in report.survey.unknown}
    missing = [each for each in works if each.key in own - listed]
    text = bibtex(missing).decode()
    if graph.secrets.found_in(text):
        raise NotSynced("The list for ORCID has private values. Run kg check to see them.")
    found.lines += [f"{each.title}: missing" for each in missing]
    if missing:
        found.name, found.text = f"{report.person.slug}-orcid.bib", text


def sources_of(work: FoundWork) -> set[str]:
    """The sources of a work and of its preprint."""
    return {*work.sources, *(work.preprint.sources if work.preprint else ())}


def curation(report: PersonReport, client: Client, found: Drift) -> None:
    """Works of others in the OpenAlex profile, which the author refused, and missing ones."""
    profile = OpenAlex(client).person(report.person.identifiers)
    number = str(profile.cv["basics"]["identifiers"]["openalex"]) if profile else ""
    requests, own = list[dict[str, str]](), OwnName(report.person.basics)
    for work in report.survey.works if number else ():
        record = work.by_source().get("openalex")
        ids = dict(record.also_as) if record else {}
        if record is None or "openalex" not in ids:
            continue
        request = {"entity": "works", "entity_id": f"{OPENALEX}{ids['openalex']}"}
        names = [str(name_of(each)) for each in record.entry.get("authors", ())]
        signed = [name for name in names if own.has_words(name) or own.is_variant(name)]
        is_listed = "openalex" in work.listed_by
        if is_listed and report.decisions.is_refused(work.ids):
            request |= {"property": "authorships.author.id", "action": "remove"}
            found.lines.append(f"{work.title}: not yours")
        elif not is_listed and work in report.pairs and len(signed) == 1 and '"' not in signed[0]:
            name = f'authorships[raw_author_name="{signed[0]}"].author.id'
            request |= {"property": name, "action": "replace"}
            found.lines.append(f"{work.title}: missing")
        else:
            continue
        requests.append({**request, "value": f"{OPENALEX}{number}"})
    if requests:
        found.name = f"{report.person.slug}-openalex.json"
        found.text = json.dumps(requests, ensure_ascii=False, indent=1) + "\n"


def statements(report: PersonReport, number: str, client: Client, found: Drift) -> None:
    """Identifiers that the item of the person lacks, as QuickStatements."""
    tree, answer = client.json(WIKIDATA, ENTITY.format(number))
    entity = tree.get("entities", {}).get(number) if isinstance(tree, dict) else None
    if answer is None or not isinstance(entity, dict):
        raise WIKIDATA.failure(ENTITY, f"has no item {number}", "Correct it in 'identifiers'.")
    lines, known = list[str](), identifiers(report)
    for scheme, property_ in PROPERTIES.items():
        value = known.get(scheme, "").removeprefix("pid/")
        there = values_of(entity.get("claims"), property_)
        if value and value not in there:
            what = f"{', '.join(there)}; you say {value}" if there else f"{value} is missing"
            found.lines.append(f"{scheme}: {what}")
            lines += [] if there else [f'{number}\t{property_}\t"{value}"']
    if lines:
        found.name, found.text = f"{report.person.slug}-wikidata.txt", "\n".join(lines) + "\n"


def values_of(claims: Any, property_: str) -> list[str]:
    """The texts of the statements about a property."""
    found = claims.get(property_) if isinstance(claims, dict) else None
    snaks = [each.get("mainsnak", {}).get("datavalue", {}) for each in found or ()]
    return [str(each["value"]) for each in snaks if isinstance(each.get("value"), str)]


def screen_lines(found: Drift) -> list[str]:
    """The differences, and where they are corrected."""
    title = TITLES.get(found.service, WIKIDATA.title)
    where = CORRECTED_AT[found.service]
    how = f" ({HOW[found.service]}: {found.name})" if found.name else ""
    return [title, *(f"  {line}" for line in found.lines), f"  Correct it at: {where}{how}"]
