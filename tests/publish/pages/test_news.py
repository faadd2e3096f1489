"""What is new stands first on the page of a person, while it is new."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from kg.check.check import good
from kg.publish.site import Documents
from kg.settings import query
from kg.store.memory import Memory
from kg.vocab import cv, foaf, rdf, schema, xsd

BASE = "https://lab.example.org/"
ADA = f"{BASE}people/ada"


def memory(modified: str | None, latest: list[str]) -> Memory:
    """News of Ada, by their last days, and when her CV was last changed."""
    lines = [f"<{ADA}> <{foaf.primaryTopic}> <{ADA}#it> <{ADA}> ."]
    if modified:
        lines.append(f'<{ADA}> <{schema.dateModified}> "{modified}" <{BASE}pages> .')
    for number, day in enumerate(latest):
        news = {
            rdf.type: f"<{cv.News}>",
            schema.about: f"<{ADA}#it>",
            schema.datePublished: f'"{day[:7]}"',
            schema.description: f'"Number {number}."',
            cv.latest: f'"{day}"^^<{xsd.date}>',
        }
        lines += [f"<{ADA}#{number}> <{key}> {value} <{ADA}> ." for key, value in news.items()]
    return Memory(BASE, "\n".join(lines).encode())


@pytest.mark.parametrize(
    ("modified", "latest", "shown"),
    [
        ("2026-11-15", ["2026-10-31"], 1),
        ("2026-11-15", ["2025-11-30"], 1),  # some day in November
        ("2026-11-15", ["2025-10-31"], 0),
        ("2026-11-15", ["2025-10-31", "2026-01-31"], 1),
        ("2026-11", ["2025-10-31"], 0),
        ("2026", ["2025-01-31"], 1),
        (None, ["1999-01-31"], 1),
        ("2026-11-15", [f"2026-0{month}-28" for month in range(1, 8)], 5),
        ("2026-11-15", [], 0),
    ],
)
def test_it_is_shown_for_a_year(modified: str | None, latest: list[str], shown: int) -> None:
    rows = memory(modified, latest).select(query("pages/news"), thing=f"{ADA}#it")
    assert len(rows) == shown
    dates = [row["date"].value for row in rows]
    assert dates == sorted((day[:7] for day in latest), reverse=True)[:shown]


def test_it_stands_first_with_its_links(example: Path) -> None:
    document = Documents(good(example)).get("people/ada-lindqvist.html")
    assert document is not None
    section = html.document_fromstring(document.body.decode()).xpath("//section")[0]
    assert section.findtext("h2") == "News"
    rows = section.xpath(".//*[@class='row']")
    assert [row.findtext("p") for row in rows] == [
        "Nov\N{NO-BREAK SPACE}2025",
        "Mar\N{NO-BREAK SPACE}2025",
    ]
    assert rows[0].xpath(".//a/@href") == ["https://ada.example.org/"]
    assert rows[1].xpath(".//em")[0].text == "Listening to a River"
