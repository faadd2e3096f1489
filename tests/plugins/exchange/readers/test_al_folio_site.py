"""Checkouts of al-folio sites: the about page, the news, files of the site and what it shows."""

from __future__ import annotations

from pathlib import Path

from kg.plugins.exchange.importing import import_files
from tests.plugins.exchange.readers.reading import imported

FILES = {
    "_config.yml": """\
first_name: Mira
last_name: Sand
email: mira@example.org
url: https://mira.example.org
baseurl: /home
scholar: {last_name: [Sand], first_name: [Mira], bibliography: papers.bib}
""",
    "_pages/about.md": """\
---
layout: about
subtitle: Affiliations elsewhere
profile: {image: me.jpg, more_info: "<p>555 your office number</p>"}
---
I study *sand* {% include tag.html %} at [Stone](https://stone.example.org). :tada:
""",
    "_news/announcement_1.md": "---\ndate: 2015-10-22\n---\nA simple inline announcement.\n",
    "_news/announcement_2.md": "---\ndate: 2024-10-01 07:59\n---\nOur paper is out! :smile:\n",
    "_news/announcement_3.md": (
        "---\ndate: 2015-11-07\ntitle: A long announcement with details\n---\nNews can be longer.\n"
    ),
    "_news/announcement_4.md": "---\ndate: 2023-02-01\ntitle: A visit\n---\nMuch text.\n",
    "_data/cv.yml": """\
cv:
  name: Mira Sand
  sections:
    Skills: [{label: Tools, details: "Zeiss, Abacus"}]
    Experience: [{company: Stone, position: Digger, start_date: 2020}]
    Field notes: ["Found a stone"]
""",
    "_bibliography/papers.bib": """\
@article{a, title={Slow Sand}, author={Sand, Mira}, journal={Sand},
  year={2020}, pdf={slow sand.pdf}}
""",
    "_bibliography/papers_old.bib": "@book{b, title={Old}, author={Sand, Mira}, year={1920}}\n",
    "assets/pdf/slow sand.pdf": "%PDF",
    "assets/img/me.jpg": "picture",
}


def test_the_about_page_and_the_news_are_imported_without_samples(tmp_path: Path) -> None:
    cv, left = imported(tmp_path, FILES)
    assert cv["basics"]["summary"] == "I study *sand*  at [Stone](https://stone.example.org)."
    assert cv["news"] == [
        {"date": "2023-02-01", "text": "A visit"},
        {"date": "2024-10-01", "text": "Our paper is out!"},
    ]
    assert [*left.values()].count("sample value of the theme") == 3
    assert left["subtitle"] == "no matching field"


def test_files_and_mail_of_the_site_keep_their_public_addresses(tmp_path: Path) -> None:
    cv, _ = imported(tmp_path, FILES)
    assets = "https://mira.example.org/home/assets"
    assert cv["basics"]["image"] == f"{assets}/img/me.jpg"
    assert cv["basics"]["email"] == {"value": "mira@example.org", "visibility": "public"}
    (work,) = cv["publications"]  # of the bibliography that the site lists
    assert work["pdf"] == f"{assets}/pdf/slow%20sand.pdf"


def test_the_page_keeps_the_order_of_the_source(tmp_path: Path) -> None:
    cv, _ = imported(tmp_path, FILES)
    assert cv["layout"] == {"order": ["skills", "work", "Field notes"]}


def test_the_order_of_an_existing_cv_is_kept(tmp_path: Path) -> None:
    files = {"resume.json": '{"basics": {"name": "Mira Sand"}, "skills": [{"name": "C"}]}'}
    imported(tmp_path, files)
    first = import_files([tmp_path / "in"], tmp_path / "site")
    for path, text in first.texts.items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_text(text)
    cv = tmp_path / "cv.yaml"
    cv.write_text("cv: {name: Mira Sand, sections: {Languages: [Latin], Notes: [A stone]}}\n")
    (found,) = [
        text
        for path, text in import_files([cv], tmp_path / "site").texts.items()
        if path.startswith("data/cv/")
    ]
    assert "Latin" in found and "layout" not in found
