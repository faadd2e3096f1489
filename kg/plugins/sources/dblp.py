"""dblp: the works of a person in computer science, read by the dblp reader of `kg import`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.readers.references import (
    DBLP_ROOT,
    NUMBER,
    items_in,
    read_dblp,
)
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.tidy_works import tidy_works
from kg.plugins.sources.answer_fields import xml_record
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Client, Service, WebSource
from kg.plugins.sources.found import Identifiers, NotFound, Record

SERVICE = Service("dblp", ("dblp.org", "dblp.uni-trier.de"))
SEVERAL = "disambiguation"


class Dblp(WebSource):
    """Asks for the XML of a person. It is read once."""

    name, title = "dblp", SERVICE.title

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.read = dict[str, tuple[Draft, Answer]]()

    def person(self, known: Identifiers) -> Draft | None:
        if not (number := number_of(known)):
            return None
        draft, _ = self.record(number)
        cv = {name: value for name, value in draft.cv.items() if name != "publications"}
        return Draft(cv, draft.entries, draft.left)

    def works_of(self, known: Identifiers) -> Iterator[Record]:
        if number := number_of(known):
            draft, answer = self.record(number)
            for entry in draft.cv.get("publications", ()):
                numbers = tuple((n, str(entry[n])) for n in ("doi", "arxiv") if n in entry)
                yield Record(answer.origin(self.name), entry, numbers)

    def record(self, number: str) -> tuple[Draft, Answer]:
        if number not in self.read:
            address = f"https://dblp.org/pid/{quote(number, safe='/')}.xml"
            answer = self.client.ask(SERVICE, address, "application/xml")
            if answer is None:
                raise NotFound(f"dblp does not know pid/{number}. Copy it from the page at dblp.")
            self.read[number] = read_person(number, answer), answer
        return self.read[number]


def number_of(known: Identifiers) -> str:
    return known.get("dblp", "").removeprefix("pid/").removesuffix(".html").removesuffix(".xml")


def read_person(number: str, answer: Answer) -> Draft:
    root = xml_record(SERVICE, answer, DBLP_ROOT)
    if root.record("person").text("publtype") == SEVERAL:
        same = [each for h in root.record("homonyms").records("h") for each in h.records("person")]
        names = [str(each.text("key")).removeprefix("homepages/") for each in same]
        some = f", such as pid/{names[0]}" if names else ""
        raise NotFound(
            f"pid/{number} at dblp has the works of several people with one name. Choose your own "
            f"page{some}."
        )
    (draft,) = read_dblp(SourceFile(answer.address, "person.xml", answer.body))
    works = draft.cv.get("publications", [])
    items = [item for record in root.records("r") for item in items_in(record)]
    own = str(root.text("name"))
    for work, item in zip(works, items, strict=False) if len(works) == len(items) else ():
        for position, author in enumerate(item.get("author", ())):
            name = author["family"]
            if name != own and NUMBER.sub("", name) == NUMBER.sub("", own):
                set_namesake(work["authors"], position, name)
    tidy_works(draft, "")
    return draft


def set_namesake(authors: list[Any], position: int, name: str) -> None:
    """Marks an author of the same name as another person, whom dblp gives a number."""
    fields = authors[position] if isinstance(authors[position], dict) else {"as": authors[position]}
    if "orcid" not in fields:
        authors[position] = {**fields, "person": fields["as"].with_text(name)}
