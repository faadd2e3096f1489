"""OpenAlex: works by author or DOI, with affiliations, retractions and free copies.

Lists need a key, which is free: `OPENALEX_KEY`. Authors need none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from kg.plugins.exchange.draft import Draft
from kg.plugins.sources.answer_fields import (
    Types,
    bare,
    check_types,
    dictionaries,
    field,
    mapping,
    texts,
)
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service, WebSource, batches
from kg.plugins.sources.csl_items import date_parts, entry_of, value_of
from kg.plugins.sources.found import (
    FreeCopy,
    Identifiers,
    NotFetched,
    Record,
    Update,
)

KEY = "OPENALEX_KEY"
SERVICE = Service("OpenAlex", ("api.openalex.org",), ("api_key", KEY))
ROOT = "https://api.openalex.org"
MOST_DOIS, ROWS, MOST_WORKS = 50, 100, 5_000
FIELDS = (
    *("id", "doi", "title", "publication_date", "type", "language", "authorships", "biblio"),
    *("primary_location", "best_oa_location", "ids", "is_retracted"),
)
NO_KEY = (
    "OpenAlex answers lists only to clients with a key. Get a free one at "
    f"https://openalex.org/settings/api and set {KEY}."
)
KINDS = {
    **{"article": "article-journal", "preprint": "article", "book-chapter": "chapter"},
    **{"dissertation": "thesis", "review": "article-journal", "letter": "article-journal"},
    **{"editorial": "article-journal", "erratum": "article-journal", "report": "report"},
    **{"reference-entry": "entry-encyclopedia", "peer-review": "review", "book": "book"},
    **{"dataset": "dataset", "software": "software", "standard": "standard"},
    **{"conference-paper": "paper-conference", "conference-abstract": "paper-conference"},
    **{"data-paper": "article-journal", "software-paper": "article-journal"},
    **{"book-review": "review-book", "retraction": "article-journal"},
}
TYPES: Types = {
    dict: ("biblio", "primary_location", "best_oa_location", "ids"),
    str: ("doi", "title", "publication_date", "type", "language"),
}
NOTICES = ("erratum", "retraction")
CONFERENCE = "conference"


class OpenAlex(WebSource):
    """Asks the API."""

    name, title = "openalex", SERVICE.title

    def person(self, known: Identifiers) -> Draft | None:
        if not (who := author_of(known)):
            return None
        found, answer = self.client.json(SERVICE, f"{ROOT}/authors/{quote(who, safe=':/')}")
        if answer is None:
            return None
        name = field(SERVICE, answer, found, str, "display_name")
        number = bare(field(SERVICE, answer, found, str, "id"))
        orcid, draft = bare(str(found.get("orcid") or "")), Draft()
        others = texts(found, "display_name_alternatives")
        draft.basics(
            name=value_of(answer, "display_name", name),
            alternateNames=[value_of(answer, "names", each) for each in others if each != name],
            orcid=value_of(answer, "orcid", orcid) if orcid else None,
            identifiers={"openalex": value_of(answer, "id", number)},
        )
        return draft

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        number, orcid = known.get("openalex", ""), known.get("orcid", "")
        if number.startswith("A"):
            yield from self.listed(f"authorships.author.id:{number}")
        elif orcid:
            yield from self.listed(f"authorships.author.orcid:{orcid}")

    def works(self, dois: Sequence[str]) -> Iterator[Record]:
        for batch in batches([doi for doi in dois if not {*"|,"} & {*doi}], MOST_DOIS):
            yield from self.listed(f"doi:{'|'.join(batch)}")

    def listed(self, filter_: str) -> Iterator[Record]:
        if not (self.client.variables.get(KEY) or self.client.is_offline):
            raise NotFetched(NO_KEY)
        cursor, count = "*", 0
        while cursor and count < MOST_WORKS:
            select = ",".join(FIELDS)
            query = {"filter": filter_, "select": select, "per-page": ROWS, "cursor": cursor}
            address = f"{ROOT}/works?{urlencode(query, safe=':,*|/')}"
            found, answer = self.client.json(SERVICE, address)
            if answer is None:
                return
            items = field(SERVICE, answer, found, list, "results")
            count += len(items)
            for item in items:
                yield record_of(answer, item)
            cursor = str(mapping(found, "meta").get("next_cursor") or "") if items else ""


def author_of(known: Identifiers) -> str:
    number, orcid = known.get("openalex", ""), known.get("orcid", "")
    return number if number.startswith("A") else f"orcid:{orcid}" if orcid else ""


def record_of(answer: Answer, item: Any) -> Record:
    number = bare(field(SERVICE, answer, item, str, "id"))
    field(SERVICE, answer, item, list, "authorships")
    check_types(SERVICE, answer, item, TYPES)
    is_retracted = field(SERVICE, answer, item, bool, "is_retracted")
    csl = csl_item(item)
    entry = entry_of(answer.address, csl)
    found = {name: str(entry[name]) for name in ("doi", "pmid") if name in entry}
    numbers = (("openalex", number), *found.items())
    updates = (Update("retraction", "", "", "openalex"),) if is_retracted else ()
    kind = str(item.get("type"))
    return Record(
        answer.origin("openalex"),
        entry,
        numbers,
        updates,
        (Update(kind, "", "", "openalex"),) if kind in NOTICES else (),
        free_copy(item),
    )


def csl_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """A work as CSL-JSON. Days and months that are not known are 1 in its date."""
    place = mapping(mapping(item, "primary_location"), "source")
    biblio, kind = mapping(item, "biblio"), KINDS.get(str(item.get("type")), "document")
    if kind == "article-journal" and place.get("type") == CONFERENCE:
        kind = "paper-conference"
    pages = [str(biblio[name]) for name in ("first_page", "last_page") if biblio.get(name)]
    doi = str(item.get("doi") or "").lower().removeprefix("https://doi.org/")
    date = str(item.get("publication_date") or "").removesuffix("-01-01").removesuffix("-01")
    is_server = kind == "article" and place.get("type") == "repository"
    found = {
        "type": kind,
        "title": item.get("title"),
        "author": [name for each in dictionaries(item, "authorships") if (name := author(each))],
        "issued": date_parts(date) if date else None,
        "publisher" if is_server else "container-title": place.get("display_name"),
        "ISSN": place.get("issn_l"),
        "volume": biblio.get("volume"),
        "issue": biblio.get("issue"),
        "page": "-".join(dict.fromkeys(pages)),
        "language": item.get("language"),
        "DOI": doi,
        "PMID": bare(str(mapping(item, "ids").get("pmid") or "")),
    }
    return {name: value for name, value in found.items() if value}


def author(authorship: Mapping[str, Any]) -> dict[str, Any]:
    """The printed name of an author, with the ORCID that OpenAlex found."""
    known = mapping(authorship, "author")
    name = authorship.get("raw_author_name") or known.get("display_name")
    orcid = bare(str(known.get("orcid") or ""))
    return {"family": name, **({"ORCID": orcid} if orcid else {})} if name else {}


def free_copy(item: Mapping[str, Any]) -> FreeCopy | None:
    place = mapping(item, "best_oa_location")
    url = place.get("pdf_url") or place.get("landing_page_url")
    if not isinstance(url, str):
        return None
    licence, version = str(place.get("license") or ""), str(place.get("version") or "")
    return FreeCopy(url, licence, version, bool(place.get("pdf_url")))
