"""The order of lists: as readers look for names, whatever the letters."""

from __future__ import annotations

import random
import re

import pytest

from kg.publish.site import Documents
from kg.text import sorting

PEOPLE = [
    ("Ada Åberg", ""),
    ("Zemann Aberg Wei", "Aberg"),
    ("Benno Adler", ""),
    ("Антон Чехов", ""),  # Chekhov
    ("Émile Durand", ""),
    ("Øystein Lund", ""),
    ("Jan Łukasiewicz", ""),
    ("Q. Lund", "Lund"),
    ("Conor O'Brien", ""),
    ("Ann Obst", ""),
    ("Γιώργος Παπαδόπουλος", ""),  # Papadopoulos
    ("Zoë van der Berg", ""),
    ("Zemann Wei", "Zemann"),
    ("Mirela Zemann", ""),
    ("王小明", "王"),
    ("김민지", ""),
]


def test_people_are_under_their_family_name() -> None:
    shuffled = random.Random(1).sample(PEOPLE, len(PEOPLE))
    names = [name for name, _ in sorted(shuffled, key=lambda person: sorting.of_person(*person))]
    assert names == [
        *(
            "Ada Åberg",
            "Zemann Aberg Wei",
            "Benno Adler",
            "Антон Чехов",
            "Émile Durand",
            "Jan Łukasiewicz",
            "Øystein Lund",
            "Q. Lund",
        ),
        *(
            "Conor O'Brien",
            "Ann Obst",
            "Γιώργος Παπαδόπουλος",
            "Zoë van der Berg",
            "Mirela Zemann",
            "Zemann Wei",
            "김민지",
            "王小明",
        ),
    ]


def test_other_things_are_under_their_name_without_an_article() -> None:
    names = [
        "AI Frameworks",
        "The Batch",
        "Brig Ads",
        "École Normale",
        "IEEE",
        "The Orla State University",
        "SC 9",
        "SC 10",
        "東京大学",
    ]
    assert sorted(random.Random(2).sample(names, len(names)), key=sorting.of_name) == names
    assert sorting.of_name("The")[1] == "the", "a name that is nothing but an article keeps it"


def test_works_are_by_year_and_then_by_title() -> None:
    works = [
        ("A Bridge", "2024-05"),
        ("The Canyon", "2024"),
        ("“Quoted” Dunes", "2024-01-02"),
        ("Zebra", "2023"),
        ("Anything", ""),
    ]
    assert (
        sorted(random.Random(3).sample(works, len(works)), key=lambda work: sorting.of_work(*work))
        == works
    )


@pytest.mark.parametrize(
    ("path", "first"),
    [
        (
            "people/index.html",
            ["Honibo Ahn", "A. Alboruve", "Alkelis Allisda", "Q. Alrinsen"],
        ),
        (
            "orgs/index.html",
            [
                "ABV-Inland Institute of Information Technology and Management",
                "AI Frameworks",
                "AICTE",
            ],
        ),
        (
            "publications/index.html",
            ["Be Like a Brook, Don't Ledger! Mooring Ledger in Dune LLMs"],
        ),
    ],
)
def test_the_lists_of_the_site_are_in_that_order(
    documents: Documents, path: str, first: list[str]
) -> None:
    page = documents.get(path)
    assert page is not None
    item = r'<li[^>]*>(?:<p class="title">)?<a[^>]*>(.*?)</a>'
    found = re.findall(item, page.body.decode().replace("&#39;", "'"))
    assert found[: len(first)] == first
