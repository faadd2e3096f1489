"""A period whose end nobody states reads "from 2019", never like one year, on each kind of page."""

from __future__ import annotations

import lxml.html
import pytest

from kg.check.check import good
from kg.publish.site import Documents

SITE = "base: https://lab.example.org/\ntitle: Lab\n"
ADA = """basics: {name: Ada Berg}
work:
  - {organization: Hill Institute, position: Engineer, startDate: 2019-03}
  - {organization: Hill Institute, position: Intern, startDate: summer 2016}
  - {organization: Hill Institute, position: Analyst, startDate: 2017, endDate: 2017}
  - {organization: Dale Office, position: Clerk, startDate: 2012, endDate: present}
education:
  - {institution: University of Oslo, studyType: PhD, startDate: 2008}
memberships:
  - {organization: Snow Society, level: Member, startDate: 2011}
service:
  - {venue: Annals of Ice, role: Reviewer, startDate: 2014}
  - {venue: Snow Letters, role: Reviewer, year: 2015}
grants:
  - {title: Thin Ice, funder: Ice Fund, startDate: 2018, role: Principal investigator}
talks:
  - {title: On Ice, venue: Snow Days, date: 2013}
awards:
  - {title: Ice Prize, year: 2010}
projects:
  - {name: Ice maps, startDate: 2020}
  - {name: Snow maps, startDate: 2009, endDate: 2009}
  - {name: Sledge, endDate: 2007}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    folder = tmp_path_factory.mktemp("spans")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text(SITE, encoding="utf-8")
    (folder / "data" / "cv" / "ada.yaml").write_text(ADA, encoding="utf-8")
    return Documents(good(folder))


def text_of(pages: Documents, path: str) -> str:
    document = pages.get(path)
    assert document is not None
    body = document.body.decode()
    if path.endswith(".html"):
        body = lxml.html.document_fromstring(body).find(".//main").text_content()
    return " ".join(body.replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("format", ["html", "md"])
def test_spans_of_a_person(pages: Documents, format: str) -> None:
    text = text_of(pages, f"people/ada.{format}")
    for words in ("Mar 2019", "summer 2016", "2008", "2011", "2014", "2018", "2020"):
        assert f"from {words}".casefold() in text.casefold()
    for words in ("2017", "2015", "2013", "2010", "2009"):
        assert words in text
        assert f"from {words}" not in text
    assert "2012 – present" in text
    assert "until 2007" in text


def test_spans_on_other_pages(pages: Documents) -> None:
    hill = text_of(pages, "orgs/hill-institute.html")
    assert "One person on this site worked here, from 2016." in hill
    assert "from Mar 2019" in hill
    assert "from 2014" in text_of(pages, "venues/annals-of-ice.html")
    assert "from 2018" in text_of(pages, "orgs/ice-fund.html")
    assert "from 2018" in text_of(pages, next(iter(grants(pages))))


def grants(pages: Documents) -> list[str]:
    return [f"{each}.html" for each in pages.addresses if each.startswith("grants/") and each[7:]]
