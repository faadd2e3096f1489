"""Titles of sections in many languages."""

from __future__ import annotations

import pytest
import yaml

from kg.advice.other_words import words_for
from kg.plugins.exchange import titles as module
from kg.plugins.exchange.draft import SECONDARY
from kg.plugins.exchange.fields import choices
from kg.plugins.exchange.titles import SEVERAL, Title, as_heading, meaning, title_for, titles
from kg.text.normalize import letters

MEANINGS = {
    "Education & Training": Title("education"),
    "WORK EXPERIENCE": Title("work"),
    "professional_experience": Title("work"),
    "Students": Title("mentoring"),
    "Current PhD Students": Title("mentoring", "doctoral"),
    "Refereed Journal Articles": Title("publications", "journal"),
    "Selected invited talks": Title("talks", "invited"),
    "Peer review": Title("service", "reviewing"),
    "Programme committees": Title("service", "program-committee"),
    "Honors, Awards": Title("awards"),
    "Lehrerfahrung": Title("teaching"),
    "Distinctions et prix": Title("awards"),
    "Proyectos de investigación": Title("projects"),
    "Istruzione e formazione": Title("education"),
    "Formação acadêmica": Title("education"),
    "Werkervaring": Title("work"),
    "Doświadczenie zawodowe": Title("work"),
    "Språkkunskaper": Title("languages"),
    "Ödüller ve burslar": Title("awards"),
    "Опыт работы": Title("work"),
    "教育背景": Title("education"),
    "職務経歴": Title("work"),
    "Teaching and mentoring": Title(),
    "Education and outreach": Title(),
    "Courses": Title(),
    "Selected works": Title(),
    "Leadership experience": Title(),
    "Exhibitions": Title(),
}


@pytest.mark.parametrize("title", MEANINGS)
def test_a_title_means_a_section(title: str) -> None:
    assert title_for(title) == MEANINGS[title]


def test_a_title_can_mean_more_than_a_section() -> None:
    assert [meaning(each).section for each in ("About me", "Kontakt", "Lebenslauf")] == [
        "summary",
        "contact",
        "title",
    ]
    assert meaning("Teaching and mentoring").section == SEVERAL
    assert meaning("Languages and frameworks").section == "languages"


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("speaking_engagements", "Speaking engagements"),
        ("workHistory", "Work history"),
        ("speaking-engagements", "Speaking engagements"),
        ("WORK EXPERIENCE", "WORK EXPERIENCE"),
        ("NASA_PROJECTS", "NASA PROJECTS"),
        ("E-Learning", "E-Learning"),
        ("iOS", "iOS"),
        ("PhD students", "PhD students"),
    ],
)
def test_a_key_becomes_a_heading(name: str, heading: str) -> None:
    assert as_heading(name) == heading


def test_each_title_is_in_one_place() -> None:
    read = yaml.safe_load(table_text())
    rows = {**read["titles"], "unclear": read["unclear"]}
    words = [letters(word) for row in rows.values() for word in row.split(",")]
    assert len(words) > 2_000
    assert sorted(words) == sorted({*words})
    plain_rows = (row for key, row in read["titles"].items() if "/" not in key)
    own = {letters(word) for row in plain_rows for word in row.split(",")}
    of_core = {word for word, ours in words_for("sections").items() if ours[0] in module.LISTS}
    assert not own & of_core


def table_text() -> str:
    return module.Path(module.__file__).with_suffix(".yaml").read_text(encoding="utf-8")


def test_a_kind_is_one_of_the_section() -> None:
    for title in {*titles().known.values()} - {Title()}:
        field = "level" if title.section == "mentoring" else "kind"
        if title.kind not in ("", SECONDARY):
            assert title.kind in choices(title.section, field)
