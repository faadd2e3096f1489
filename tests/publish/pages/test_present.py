"""In figures, whatever goes on ends at one place: the date of the page, else of the site, else the
day that the build was asked for.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.check.check import good
from kg.publish.site import Documents

ADA = """basics: {{name: Ada Berg}}
{modified}
work:
  - {{organization: Hill Institute, position: Engineer, startDate: 2012, endDate: present}}
  - {{organization: Dale Office, position: Adviser, startDate: 2016, endDate: present}}
  - {{organization: Ford School, position: Clerk, startDate: 2010, endDate: 2012}}
"""
NOW = re.compile(r'<svg class="now" x="([\d.]+)%"|<svg x="([\d.]+)%"[^>]*class="now"')


def figure(folder: Path, modified: str = "", site: str = "", today: str = "") -> tuple[str, float]:
    """The years of the figure, and the one place of the present as a share of its width."""
    (folder / "data" / "cv").mkdir(parents=True)
    text = f"base: https://lab.example.org/\ntitle: Lab\n{site}\n"
    (folder / "data" / "site.yaml").write_text(text, encoding="utf-8")
    cv = ADA.format(modified=modified)
    (folder / "data" / "cv" / "ada.yaml").write_text(cv, encoding="utf-8")
    document = Documents(good(folder), today=today).get("people/ada.html")
    assert document is not None
    body = document.body.decode()
    places = {found[1] or found[2] for found in NOW.finditer(body)}
    assert len(places) == 1
    years = re.search(r"Positions and studies of Ada Berg, (\d+ to \d+)", body)
    assert years
    return years[1], round(float(places.pop()) / 100, 2)


@pytest.mark.parametrize(
    ("modified", "site", "today", "expected"),
    [
        ("modified: 2018-12-31", "modified: 2020-12-31", "2026-07-01", ("2010 to 2019", 1.0)),
        ("", "modified: 2019-12-31", "2026-07-01", ("2010 to 2020", 1.0)),
        ("", "", "2025-12-31", ("2010 to 2026", 1.0)),
        ("", "", "2017-12-31", ("2010 to 2018", 1.0)),
        ("modified: 2014-12-31", "", "", ("2010 to 2017", 1.0)),  # 2016 began later
    ],
)
def test_the_present_is_at_one_place(
    tmp_path: Path, modified: str, site: str, today: str, expected: tuple[str, float]
) -> None:
    assert figure(tmp_path, modified, site, today) == expected
