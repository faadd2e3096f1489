"""`kg import orcid:…` and the other schemes: one draft from the answers of several sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

from kg.errors import counted
from kg.facts.values.text import slugify
from kg.plugins.exchange.draft import Draft, Fetched, Format, Request, Value
from kg.plugins.exchange.edits.entry_matching import is_same_work
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.readers.orcid import sign_as_owner
from kg.plugins.sources.answer_fields import checked_person
from kg.plugins.sources.arxiv import Arxiv, checked_number
from kg.plugins.sources.client import Client, WebSource
from kg.plugins.sources.crossref import Crossref
from kg.plugins.sources.datacite import DataCite
from kg.plugins.sources.dblp import Dblp
from kg.plugins.sources.doi import Doi, checked_doi
from kg.plugins.sources.found import Identifiers, NotFetched, NotFound, Record
from kg.plugins.sources.openalex import OpenAlex
from kg.plugins.sources.orcid import Orcid
from kg.plugins.sources.ror import Ror, checked_ror
from kg.plugins.sources.zotero import Zotero, checked_library

SOURCES: tuple[Callable[[Client], WebSource], ...] = (
    *(Orcid, Crossref, DataCite, Doi, Dblp, OpenAlex, Arxiv),
)
FIRST_FIELDS = ("kind", "title", "authors", "moreAuthors")
DBLP_PERSON = re.compile(r"pid/\w+/[\w-]+")
MOST_NEGOTIATED = 50  # DOIs that neither Crossref nor DataCite knows, of one import
Fetch = Callable[[str, Client], Iterable[Draft]]


def sources_of(client: Client) -> dict[str, WebSource]:
    """All sources by name."""
    return {source.name: source for source in (make(client) for make in SOURCES)}


def fetch(read: Fetch, text: str, request: Request) -> Fetched:
    today, contact, is_offline, record = request
    with closing(Client(today, contact, None, is_offline, record)) as client:
        return Fetched([*read(text, client)], client.notes)


def orcid_record(text: str, client: Client) -> Iterator[Draft]:
    """The record of a person, with what the DOIs of its works say."""
    orcid = checked_person("orcid", text)
    draft, _ = Orcid(client, Ror(client)).record(orcid)
    if not draft.name and "publications" not in draft.cv:
        raise NotFound(f"The ORCID record {orcid} has no public name and no public works.")
    if "publications" not in draft.cv:
        client.notes.append(f"The ORCID record {orcid} has no public works.")
    complete(draft, client)
    sign_as_owner(draft)
    yield draft


def complete(draft: Draft, client: Client) -> None:
    """Adds what Crossref, DataCite and other agencies say about the DOIs of a draft."""
    works = draft.cv.get("publications", [])
    waiting = {
        str(work["doi"]).lower(): number for number, work in enumerate(works) if "doi" in work
    }
    joining = Joining()
    for source in (Crossref(client), DataCite(client), Doi(client)):
        wanted = [*waiting]
        if isinstance(source, Doi):  # one request for each
            wanted = [doi for doi in wanted if "authors" not in works[waiting[doi]]]
            wanted = wanted[:MOST_NEGOTIATED]
        try:
            for record in source.works(wanted):
                number = waiting.pop(dict(record.also_as)["doi"], None)
                if number is None or not record.entry:
                    continue
                report(client, source, record)
                if is_same_work(works[number], record.entry):
                    joined = joining.fields(works[number], record.entry)
                    if "moreAuthors" in record.entry:  # ORCID may know fewer authors
                        joined["moreAuthors"] = record.entry["moreAuthors"]
                    first = {name: joined[name] for name in FIRST_FIELDS if name in joined}
                    works[number] = {**first, **joined}
                else:
                    why = f"{source.title} has another work at the DOI {works[number]['doi']}"
                    draft.leave([works[number]["title"]], why)
        except NotFetched as error:
            what = counted(len(waiting), "work has only what", "works have only what")
            client.notes.append(f"{error} {what} ORCID says.")
    draft.left += joining.unplaced()


def report(client: Client, source: WebSource, record: Record) -> None:
    """Reports retractions and other notices about a work."""
    title = record.entry.get("title", "")
    for each in record.updates:
        doi, kind = f" ({each.doi})" if each.doi else "", each.kind.replace("_", " ")
        date = f" of {each.date}" if each.date else ""
        client.notes.append(f"{title}: {kind}{date}{doi}, according to {source.title}.")


def person_works(
    source: Callable[[Client], WebSource], known: Identifiers, client: Client
) -> Draft:
    """The person and works of one source."""
    asked = source(client)
    draft = asked.person(known) or Draft()
    if not draft.cv and asked.name != "crossref":
        raise NotFound(f"{asked.title} does not know {next(iter(known.values()))}.")
    for record in asked.works_of(known):
        report(client, asked, record)
        draft.put("publications", record.entry)
    if "publications" not in draft.cv:
        client.notes.append(f"{asked.title} has no works of {next(iter(known.values()))}.")
    return draft


def crossref_works(text: str, client: Client) -> Iterator[Draft]:
    scheme, _, rest = text.partition(":")
    if scheme != "orcid":
        raise NotFetched(f"'crossref:{text}': write crossref:orcid: and an ORCID iD.")
    orcid = checked_person("orcid", rest)
    draft = person_works(Crossref, {"orcid": orcid}, client)
    names = Counter(
        author["as"]
        for work in draft.cv.get("publications", ())
        for author in work.get("authors", ())
        if isinstance(author, dict) and author.get("orcid") == orcid
    )
    if not names:
        raise NotFound(f"Crossref has no works with the ORCID iD {orcid}. Try orcid:{orcid}.")
    name: Value = max(names, key=lambda each: (names[each], len(each), each))
    basics = {"name": name, "orcid": name.with_text(orcid)}
    draft.cv = {"basics": basics, **draft.cv}
    yield draft


def dblp_person(text: str, client: Client) -> Iterator[Draft]:
    path = text if "pid/" in text else f"pid/{text}"
    number = checked_person("dblp", path.removesuffix(".html").removesuffix(".xml"))
    if not DBLP_PERSON.fullmatch(number):
        raise NotFetched(f"'{text}' is not a dblp PID. Write it like dblp:55/1-1.")
    yield person_works(Dblp, {"dblp": number}, client)


def openalex_author(text: str, client: Client) -> Iterator[Draft]:
    number = checked_person("openalex", text)
    if number.startswith("W"):
        raise NotFetched(f"{number} is a work. Import it by its DOI, or an author: openalex:A…")
    yield person_works(OpenAlex, {"openalex": number}, client)


def doi_work(text: str, client: Client) -> Iterator[Draft]:
    doi = checked_doi(text)
    for source in (Crossref(client), DataCite(client), Doi(client)):
        for record in source.works([doi]):
            if record.entry:
                report(client, source, record)
                yield draft_of(record)
                return
    raise NotFound(f"No agency has a work with the DOI {doi}. Check it at https://doi.org/{doi}.")


def arxiv_work(text: str, client: Client) -> Iterator[Draft]:
    number = checked_number(text)
    found = next(Arxiv(client).numbered([number]), None)
    if found is None:
        raise NotFound(f"arXiv does not know {number}. Check it at https://arxiv.org/abs/{number}.")
    yield draft_of(found)


def draft_of(record: Record) -> Draft:
    draft = Draft()
    draft.put("publications", record.entry)
    return draft


def ror_organization(text: str, client: Client) -> Iterator[Draft]:
    entry: dict[str, Any] = Ror(client).organization(checked_ror(text))
    yield Draft(entries={"orgs": {slugify(entry["name"]): entry}})


def zotero_library(text: str, client: Client) -> Iterator[Draft]:
    whole = Draft()
    for draft in Zotero(client).library(checked_library(text)):
        for section in ("publications", "patents"):
            for each in draft.cv.get(section, ()):
                whole.add(section, each)
        for kind, entries in draft.entries.items():
            whole.entries.setdefault(kind, {}).update(entries)
        whole.left += draft.left
    if not whole.cv:
        raise NotFound(f"The library {text} at Zotero has no public works.")
    yield whole


def scheme(name: str, title: str, read: Fetch) -> Format:
    return Format(name, title, lambda _: False, lambda _: (), fetch=partial(fetch, read))


ORCID = scheme("orcid", "ORCID record", orcid_record)
CROSSREF = scheme("crossref", "works at Crossref", crossref_works)
DBLP = scheme("dblp", "dblp person", dblp_person)
OPENALEX = scheme("openalex", "OpenAlex author", openalex_author)
DOI = scheme("doi", "work with a DOI", doi_work)
ARXIV = scheme("arxiv", "arXiv preprint", arxiv_work)
ROR = scheme("ror", "organisation", ror_organization)
ZOTERO = scheme("zotero", "Zotero library", zotero_library)
