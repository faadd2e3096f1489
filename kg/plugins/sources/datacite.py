"""DataCite: datasets, software, preprints and reports by DOI, and those of an ORCID iD."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from kg.plugins.bibliography.venue_kinds import REPOSITORY
from kg.plugins.exchange.edits.entry_matching import ARXIV_DOI
from kg.plugins.sources.answer_fields import Types, bare, check_types, dictionaries, field, mapping
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service, WebSource, batches
from kg.plugins.sources.csl_items import date_parts, entry_of
from kg.plugins.sources.found import FreeCopy, Identifiers, Record

SERVICE = Service("DataCite", ("api.datacite.org",))
ROOT = "https://api.datacite.org/dois"
MOST_DOIS, ROWS = 50, 100
MOST_PAGES = 50
# Values of `resourceTypeGeneral`; of others, such as Text, `resourceType` says in words what it is.
KINDS = {
    **{"Preprint": "article", "Dataset": "dataset", "Software": "software", "Text": "document"},
    **{"JournalArticle": "article-journal", "ConferencePaper": "paper-conference"},
    **{"ConferenceProceeding": "book", "Book": "book", "BookChapter": "chapter"},
    **{"Dissertation": "thesis", "Report": "report", "Audiovisual": "motion_picture"},
    **{"Collection": "document", "ComputationalNotebook": "software", "Standard": "standard"},
}
WORDS = {
    **{r"thes[ei]s|dissertation": "thesis", r"blog": "post-weblog", r"preprint": "article"},
    **{r"chapter|\bsection": "chapter", r"conference": "paper-conference", r"report": "report"},
    **{r"article": "article-journal", r"\bbook|monogra": "book"},
}
UNSURE = ("article", "article-journal")  # `citeproc` of anything that DataCite does not know
TYPES: Types = {
    list: ("titles", "dates", "descriptions", "rightsList", "relatedIdentifiers"),
    dict: ("types", "container"),
}
OF_INSTITUTIONS = ("thesis", "report")
ISSUED = ("Issued", "Available", "Submitted")
PUBLISHED_AS = ("IsPreprintOf",)


class DataCite(WebSource):
    """Asks the REST API."""

    name, title = "datacite", SERVICE.title

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        if orcid := known.get("orcid"):
            name = "creators.nameIdentifiers.nameIdentifier"
            yield from self.listed({"query": f'{name}:"https://orcid.org/{orcid}"'})

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        for batch in batches([doi for doi in dois if "," not in doi], MOST_DOIS):
            yield from self.listed({"ids": ",".join(batch)})

    def listed(self, query: Mapping[str, str]) -> Iterator[Record]:
        for page in range(1, MOST_PAGES + 1):
            paging = {"page[size]": ROWS, "page[number]": page, "disable-facets": "true"}
            address = f"{ROOT}?{urlencode({**query, **paging}, safe=':,/[]')}"
            found, answer = self.client.json(SERVICE, address)
            if answer is None:
                return
            items = field(SERVICE, answer, found, list, "data")
            for item in items:
                yield record_of(answer, field(SERVICE, answer, item, dict, "attributes"))
            if len(items) < ROWS:
                return


def record_of(answer: Answer, item: Mapping[str, Any]) -> Record:
    doi = field(SERVICE, answer, item, str, "doi").lower()
    field(SERVICE, answer, item, list, "creators")
    check_types(SERVICE, answer, item, TYPES)
    csl = csl_item(item)
    entry = entry_of(answer.address, csl)
    if doi.startswith(ARXIV_DOI) and entry:
        entry["arxiv"] = entry["doi"].with_text(doi.removeprefix(ARXIV_DOI))
    # arXiv names the paper with this relation; others name a record of all versions with it.
    relations = (*PUBLISHED_AS, "IsVersionOf") if doi.startswith(ARXIV_DOI) else PUBLISHED_AS
    published = next(
        (
            str(each.get("relatedIdentifier")).lower()
            for each in dictionaries(item, "relatedIdentifiers")
            if each.get("relationType") in relations
            and each.get("relatedIdentifierType") == "DOI"
            and item_kind(item) == "article"
        ),
        "",
    )
    numbers = tuple((name, str(entry[name])) for name in ("doi", "arxiv") if name in entry)
    return Record(
        answer.origin("datacite"),
        entry,
        numbers,
        free_copy=free_copy(item),
        published_as=published,
    )


def item_kind(item: Mapping[str, Any]) -> str:
    types = mapping(item, "types")
    known = KINDS.get(str(types.get("resourceTypeGeneral")), "document")
    said, named = str(types.get("citeproc") or known), str(types.get("resourceType"))
    if known != "document":
        return known
    if journal_of(item):
        return "article-journal"
    found = next((WORDS[each] for each in WORDS if re.search(each, named, re.IGNORECASE)), "")
    return found or (known if said in UNSURE else said)


def journal_of(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The journal; containers of other types are free text."""
    container = mapping(item, "container")
    return container if container.get("type") == "Journal" else {}


def csl_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a DOI as CSL-JSON."""
    titles = dictionaries(item, "titles")
    main = next((each for each in titles if not each.get("titleType")), None)
    dates = {str(each.get("dateType")): each.get("date") for each in dictionaries(item, "dates")}
    date = next((dates[kind] for kind in ISSUED if dates.get(kind)), item.get("publicationYear"))
    about = next(
        (
            each.get("description")
            for each in dictionaries(item, "descriptions")
            if each.get("descriptionType") == "Abstract"
        ),
        None,
    )
    journal, publisher = journal_of(item), item.get("publisher")
    publisher = publisher.get("name") if isinstance(publisher, Mapping) else publisher
    rights, kind = dictionaries(item, "rightsList"), item_kind(item)
    is_institution = not REPOSITORY.fullmatch(str(publisher))
    found = {
        "type": kind,
        "title": main and main.get("title"),
        "author": [person(each) for each in dictionaries(item, "creators")],
        "issued": date_parts(str(date)[:10]) if date else None,
        "publisher": publisher if is_institution or kind not in OF_INSTITUTIONS else None,
        "DOI": str(item.get("doi")).lower(),
        "version": item.get("version"),
        "abstract": about,
        "language": item.get("language"),
        "container-title": journal.get("title"),
        "volume": journal.get("volume"),
        "issue": journal.get("issue"),
        "license": next((r["rightsIdentifier"] for r in rights if r.get("rightsIdentifier")), None),
    }
    return {name: value for name, value in found.items() if value}


def person(creator: Mapping[str, Any]) -> dict[str, Any]:
    numbers = dictionaries(creator, "nameIdentifiers")
    orcid = next(
        (
            bare(str(each.get("nameIdentifier")))
            for each in numbers
            if str(each.get("nameIdentifierScheme")).upper() == "ORCID"
        ),
        "",
    )
    known = {"given": creator.get("givenName"), "family": creator.get("familyName")}
    if not known["family"] or creator.get("nameType") == "Organizational":
        is_group = creator.get("nameType") == "Organizational"
        known = {"name" if is_group else "family": creator.get("name")}
    return {name: value for name, value in {**known, "ORCID": orcid}.items() if value}


def free_copy(item: Mapping[str, Any]) -> FreeCopy | None:
    """The landing page, if the licence is open; the files are not known."""
    rights = dictionaries(item, "rightsList")
    licence = next((str(r.get("rightsIdentifier") or "") for r in rights), "")
    url = item.get("url")
    is_open = licence.startswith("cc") and isinstance(url, str)
    return FreeCopy(str(url), licence, "", False) if is_open else None
