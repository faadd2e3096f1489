"""A record with many works: as large as those of people with a long life in research."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.plugins.sources.recorded_server import RecordedServer, Reply

ORCID = "0000-0002-1825-0097"
COAUTHORS = 40


class ManyWorks(RecordedServer):
    """Answers for a person with this number of works, whose details and authors are at Crossref."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.bytes = count, 0

    def answer(self, address: str) -> Reply:
        found = super().answer(address)
        if "pub.orcid.org" in address:
            found = self.of_orcid(address, found)
        elif "api.crossref.org" in address:
            found = Reply(body=dump({"message": {"items": [*map(item, dois(address))]}}))
        self.bytes += len(found.body)
        return found

    def of_orcid(self, address: str, found: Reply) -> Reply:
        if codes := re.search(r"/works/([\d,]+)$", address):
            works = [{"work": summary(int(code))} for code in codes[1].split(",")]
            return Reply(body=dump({"bulk": works}))
        record = json.loads(found.body)
        groups = [{"work-summary": [summary(number)]} for number in range(self.count)]
        record["activities-summary"]["works"] = {"group": groups}
        return Reply(body=dump(record))


def dump(value: Any) -> bytes:
    return json.dumps(value).encode()


def summary(number: int) -> dict[str, Any]:
    doi = {"external-id-type": "doi", "external-id-value": f"10.5555/w.{number}"}
    return {
        "put-code": number,
        "title": {"title": {"value": title(number)}},
        "type": "journal-article",
        "external-ids": {"external-id": [{**doi, "external-id-relationship": "self"}]},
        "publication-date": {"year": {"value": str(1980 + number % 45)}},
        "journal-title": {"value": f"Journal of Ice {number % 30}"},
        "visibility": "public",
        "display-index": "1",
    }


def title(number: int) -> str:
    return f"Sounds of the river ice at station {number}"


def dois(address: str) -> list[int]:
    return [int(number) for number in re.findall(r"doi:10\.5555/w\.(\d+)", address)]


def item(number: int) -> dict[str, Any]:
    others = [(number + step) % COAUTHORS for step in (0, 13, 29)]
    names = [{"given": "Hana", "family": "Lind", "ORCID": f"https://orcid.org/{ORCID}"}]
    names += [{"given": f"A{chr(97 + each % 26)}a", "family": f"Osei{each}"} for each in others]
    return {
        "DOI": f"10.5555/w.{number}",
        "type": "journal-article",
        "title": [title(number)],
        "author": names,
        "issued": {"date-parts": [[1980 + number % 45, 1 + number % 12, 1 + number % 28]]},
        "container-title": [f"Journal of Ice {number % 30}"],
        "volume": str(1 + number % 45),
        "page": f"{number}-{number + 9}",
        "publisher": "Ice Press",
        "abstract": "<jats:p>Ice on rivers moves, and what moves can be heard. " * 8 + "</jats:p>",
    }
