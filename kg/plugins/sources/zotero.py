"""Zotero: the works of a public library or collection, as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.plugins.bibliography.bib_file import BibFile
from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.readers.bibliographies import ENTRY, draft_works
from kg.plugins.exchange.tidy_works import tidy_works
from kg.plugins.sources.client import Service, WebSource
from kg.plugins.sources.found import NotFetched, NotFound

SERVICE = Service("Zotero", ("api.zotero.org",), ("key", "ZOTERO_KEY"))
ROOT = "https://api.zotero.org"
LIBRARY = re.compile(r"(?:groups|users)/\d+(?:/collections/[A-Z0-9]{8})?")
ROWS, MOST_WORKS = 100, 5_000


def checked_library(text: str) -> str:
    """The path of a library. Raises NotFetched."""
    path = text.strip().strip("/")
    if not LIBRARY.fullmatch(path):
        raise NotFetched(
            f"'{text}' is not a library of Zotero. Write groups/ID or users/ID, and "
            "/collections/KEY after it for a collection."
        )
    return path


class Zotero(WebSource):
    """Asks the API, version 3."""

    def library(self, path: str) -> Iterator[Draft]:
        """The works of a library, 100 at a time."""
        for start in range(0, MOST_WORKS, ROWS):
            address = f"{ROOT}/{path}/items/top?format=bibtex&limit={ROWS}&start={start}&v=3"
            answer = self.client.ask(SERVICE, address, "application/x-bibtex", expected=(403,))
            if answer is None:
                raise NotFound(f"Zotero does not know {path}. Copy its address from zotero.org.")
            if answer.status == 403:
                raise NotFound(f"{path} at Zotero is private. Make it public, or set ZOTERO_KEY.")
            count = len(ENTRY.findall(answer.text))
            if answer.text.strip() and not count:
                raise SERVICE.failure(address, "did not send BibTeX")
            draft = draft_works(BibFile(answer.address, answer.text), answer.text)
            tidy_works(draft, answer.text)
            yield draft
            if count < ROWS:
                return
