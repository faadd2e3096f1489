"""A job title and an employer are those of one position; roles and talks read as written."""

from __future__ import annotations

import json
from pathlib import Path

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.site import Documents

PAT = """basics:
  {name: Pat Pool, label: Scientist, summary: Student Researcher at Beta Hospital.}
work:
  - {organization: Alpha University, position: Research Assistant, startDate: 2021,
     endDate: present}
  - {organization: Beta Hospital, position: Student Researcher, startDate: 2020, endDate: present,
     secondary: true}
  - {organization: Gamma Institute, position: Student Researcher, startDate: 2020, endDate: present}
projects:
  - {project: sand, position: Wissenschaftlicher Mitarbeiter, startDate: 2020}
talks:
  - {title: Gravel, location: Bergen, date: 2022-05-02, summary: In the morning.}
  - {title: Gravel, location: Bergen, date: 2022-05-02, summary: In the evening.}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("position")
    (folder / "data" / "cv").mkdir(parents=True)
    for path, text in (
        ("site.yaml", "base: https://lab.example.org/\ntitle: Lab\n"),
        ("projects.yaml", "sand: {name: Sand}\n"),
        ("cv/pat.yaml", PAT),
    ):
        Path(folder / "data" / path).write_text(text, encoding="utf-8")
    return Documents(good(folder))


def read(pages: Documents, path: str) -> str:
    document = pages.get(path)
    assert document is not None
    return document.body.decode()


def test_title_and_employer_of_the_json_ld_are_of_one_position(pages: Documents) -> None:
    page = lxml.html.document_fromstring(read(pages, "people/pat.html"))
    [data] = page.xpath("//script[@type='application/ld+json']")
    person = json.loads(data.text)["mainEntity"]
    assert (person["jobTitle"], person["worksFor"]["name"]) == (
        "Research Assistant",
        "Alpha University",
    )


def test_roles_keep_their_case_and_texts_of_talks_follow_no_semicolon(pages: Documents) -> None:
    for suffix in (".html", ".md"):
        text = read(pages, f"people/pat{suffix}")
        assert "Wissenschaftlicher Mitarbeiter" in text
        assert "; " not in text.partition("Gravel")[2].partition("In the evening")[0]


def test_a_vcard_has_the_main_positions_only(pages: Documents) -> None:
    card = read(pages, "people/pat.vcf")
    assert "ORG:Alpha University" in card and "ORG:Gamma Institute" in card
    assert "Beta Hospital" not in card.partition("NOTE:")[0]
