"""Hugo Blox: authors and publications by their front matter, of all ages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kg.plugins.exchange.importing import import_files
from tests.plugins.exchange.readers.reading import cv_of, drafted, imported, left_of

ADMIN = "content/authors/admin/_index.md"
PAPER = "content/publication/stones/index.md"
AUTHOR = """\
---
title: Dr. Mira Sand
superuser: true
role: Geologist
organizations: [{name: Stone Institute, url: https://stone.example.org}]
bio: I like stones.
interests: [Stones, "*Ice*"]
education:
  courses:
  - {course: PhD in Geology, institution: Oslo, year: 2015}
social:
- {icon: envelope, icon_pack: fas, link: "mailto:mira@example.org"}
- {icon: github, icon_pack: fab, link: https://github.com/mirasand}
- {icon: orcid, icon_pack: ai, link: https://orcid.org/0000-0002-1825-0097}
- {icon: cv, icon_pack: ai, link: files/cv.pdf}
---
{{< icon name="download" >}}

More of me.
"""
WORK = """\
---
title: Stones and <i>sand</i>
authors: [admin, Ole Berg]
author_notes: [Equal contribution, Equal contribution]
date: "2021-03-01T00:00:00Z"
publishDate: "2022-01-01"
publication_types: ["2"]
publication: "*Journal of Stones*, 3(2)"
doi: 10.1000/stones
url_pdf: files/stones.pdf
url_code: https://code.example.org
featured: true
tags: [Stones]
---
"""


def of(path: str, text: str) -> Any:
    return cv_of(drafted("hugo-blox", path, text))


def test_the_author_whose_site_it_is() -> None:
    draft = drafted("hugo-blox", ADMIN, AUTHOR)
    cv = cv_of(draft)
    assert cv["basics"] == {
        "name": "Mira Sand",
        "honorific": "Dr.",
        "label": "Geologist",
        "summary": "I like stones.",
        "email": {"value": "mira@example.org", "visibility": "public"},
        "profiles": [{"network": "github", "url": "https://github.com/mirasand"}],
        "orcid": "0000-0002-1825-0097",
    }
    assert cv["interests"] == ["Stones", "Ice"]
    assert cv["education"] == [
        {"studyType": "PhD in Geology", "institution": "Oslo", "endDate": "2015"}
    ]
    assert [each["title"] for each in cv["sections"]] == ["Biography", "Affiliations"]
    assert cv["sections"][0]["entries"] == ["More of me."]
    assert left_of(draft) == {"social[3].link": "files/cv.pdf"}
    assert draft.left[0].value.place.line == 15


def test_a_file_of_the_newest_kind() -> None:
    cv = of(
        "data/authors/me.yaml",
        """\
schema: hugoblox/author/v1
is_owner: true
name: {display: Mira Sand, given: Mira, family: Sand, pronouns: she/her}
links: [{icon: brands/github, url: https://github.com/mirasand, label: See my code}]
experience:
- {role: Researcher, org: Stone Institute, start: 2019-06-01, end: "", summary: Stones}
education:
- {area: MSc Geology, institution: Oslo, start: 2010, end: 2012, button: {text: PDF, url: /x.pdf}}
skills: [{name: Software, items: [{label: QGIS, level: 5}]}]
languages: [{name: Norwegian, level: 5, label: Native}]
""",
    )
    assert cv["basics"]["pronouns"] == "she/her"
    assert cv["work"] == [
        {
            "position": "Researcher",
            "organization": "Stone Institute",
            "startDate": "2019-06-01",
            "summary": "Stones",
            "endDate": "present",
        }
    ]
    assert cv["education"][0]["studyType"] == "MSc Geology"
    assert cv["skills"] == [{"name": "Software", "keywords": ["QGIS"]}]
    assert cv["languages"] == [{"language": "Norwegian", "level": "Native"}]


def test_somebody_else_is_an_entry_of_the_people() -> None:
    text = (
        "---\ntitle: Ole Berg\nrole: Student\norganizations: [{name: Oslo}]\n"
        "user_groups: [Students]\n---\n"
    )
    draft = drafted("hugo-blox", "content/authors/ole-berg/_index.md", text)
    assert not draft.cv
    assert draft.entries == {
        "people": {"ole-berg": {"name": "Ole Berg", "organization": "Oslo", "position": "Student"}}
    }


def test_a_publication_with_the_owner_among_its_authors(tmp_path: Path) -> None:
    cv, left = imported(tmp_path, {ADMIN: AUTHOR, PAPER: WORK})
    assert cv["publications"] == [
        {
            "kind": "journal",
            "title": "Stones and <i>sand</i>",
            "authors": [{"as": name, "equal": "true"} for name in ("Mira Sand", "Ole Berg")],
            "date": "2021-03",
            "journal": "Journal of Stones",
            "volume": "3",
            "issue": "2",
            "doi": "10.1000/stones",
            "keywords": ["Stones"],
            "code": "https://code.example.org",
        }
    ]
    assert left["url_pdf"] == "file of the imported site"


def test_words_of_csl_and_a_venue_of_fields() -> None:
    text = WORK.replace('["2"]', "[paper-conference]").replace(
        '"*Journal of Stones*, 3(2)"', "{name: Conference on Stones, short: CS, pages: 1-9}"
    )
    work = of(PAPER, text)["publications"][0]
    assert [work["kind"], work["conference"], work["pages"]] == [
        "conference",
        "Conference on Stones",
        "1-9",
    ]


def test_a_draft_stays_private() -> None:
    work = of(PAPER, WORK.replace("featured: true", "draft: true"))["publications"][0]
    assert work["visibility"] == "private"


def test_toml_as_it_was_first() -> None:
    text = (
        '+++\ntitle = "Stones"\nauthors = ["admin"]\npublication_types = ["1"]\n'
        'publication = "In *Conference on Stones*"\ndate = 2018-01-01\nmood = "gay"\n+++\n'
    )
    draft = drafted("hugo-blox", PAPER, text)
    assert cv_of(draft)["publications"][0]["conference"] == "Conference on Stones"
    assert cv_of(draft)["publications"][0]["date"] == "2018-01-01"
    assert left_of(draft) == {"mood": "gay"} and draft.left[0].value.place.line == 7


SAMPLE = """\
---
title: Nelson Bighetti
superuser: true
education: {courses: [{course: PhD in Artificial Intelligence, institution: Stanford, year: 2012}]}
---
"""


def test_of_a_checkout_only_what_is_the_owners_is_read(tmp_path: Path) -> None:
    files = {
        "content/authors/admin/_index.md": SAMPLE,
        "content/authors/mira-sand/_index.md": AUTHOR,
        "content/authors/吳恩達/_index.md": SAMPLE.replace("Nelson Bighetti", "吳恩達"),
        PAPER: WORK.replace("[admin, Ole Berg]", "[mira-sand, Ole Berg]"),
        "content/publication/moving/index.md": WORK.replace("[admin, Ole Berg]", "[A. Einstein]"),
        "README.md": "# Hugo Academic\n\n## About\n\nA theme.\n\n## Education\n\n- PhD, 2001\n",
    }
    cv, left = imported(tmp_path, files)
    assert cv["basics"]["name"] == "Mira Sand" and cv["basics"]["summary"] == "I like stones."
    assert [each["institution"] for each in cv["education"]] == ["Oslo"]
    assert [each["title"] for each in cv["publications"]] == ["Stones and <i>sand</i>"]
    assert cv["publications"][0]["authors"][0]["as"] == "Mira Sand"
    assert left["title"] == "not imported, because Mira Sand is not among its authors"


def test_an_example_of_the_theme_is_no_work_of_the_owner(tmp_path: Path) -> None:
    text = WORK.replace("Stones and <i>sand</i>", "An example preprint / working paper")
    cv, left = imported(tmp_path, {ADMIN: AUTHOR, PAPER: text})
    assert "publications" not in cv and left["title"] == "sample entry of the theme"


def test_the_citation_of_an_own_work_may_spell_the_owner_otherwise(tmp_path: Path) -> None:
    title = "title={Stones and <i>sand</i>}"
    text = f"@article{{a, {title}, author={{Sandström, M.}}, journal={{J}}, volume={{3}}}}\n"
    path = "content/publication/stones/cite.bib"
    cv, left = imported(tmp_path, {ADMIN: AUTHOR, PAPER: WORK, path: text})
    assert len(cv["publications"]) == 1 and cv["publications"][0]["volume"] == "3"
    assert not [why for why in left.values() if "not among" in why]


def test_of_two_languages_of_a_site_one_is_read(tmp_path: Path) -> None:
    files = {
        "content/en/authors/admin/_index.md": AUTHOR,
        "content/ko/authors/admin/_index.md": AUTHOR.replace("Dr. Mira Sand", "미라 샌드"),
    }
    cv, _ = imported(tmp_path, files)
    assert cv["basics"]["name"] == "Mira Sand"


def test_a_page_and_the_citation_beside_it_are_one_work(tmp_path: Path) -> None:
    bib = "@article{a, title={Stones and <i>sand</i>}, author={Sand, Mira}, year=2021, volume=9}"
    page = WORK.replace("Stones and <i>sand</i>", "Stones and <i>sand</i> (J, 2020)")
    cv, _ = imported(
        tmp_path, {ADMIN: AUTHOR, PAPER: page, "content/publication/stones/cite.bib": bib}
    )
    assert [each["title"] for each in cv["publications"]] == ["Stones and <i>sand</i>"]


def test_a_citation_of_another_work_stays_another_work(tmp_path: Path) -> None:
    bib = "@article{a, title={Gravel}, author={Sand, Mira}, journal={J}, year=2020}\n"
    files = {ADMIN: AUTHOR, PAPER: WORK, "content/publication/stones/cite.bib": bib}
    cv, _ = imported(tmp_path, files)
    assert [each["title"] for each in cv["publications"]] == ["Stones and <i>sand</i>", "Gravel"]


def test_a_summary_as_long_as_an_abstract_is_one() -> None:
    long = "Sand moves. " * 40
    text = f"---\ntitle: Sand\nauthors: [admin]\npublication_types: ['2']\nsummary: {long}\n---\n"
    (work,) = of(PAPER, text)["publications"]
    assert work["abstract"] == long.strip() and "summary" not in work


def test_a_link_around_a_picture_of_the_theme_is_left_out() -> None:
    link = '<a href="https://example.org">\n{{< figure src="a.png" >}}\n</a>'
    text = f"---\ntitle: Mira Sand\nsuperuser: true\n---\nI like stones.\n\n{link}\n"
    assert of(ADMIN, text)["basics"]["summary"] == "I like stones."


def test_the_heading_of_a_biography_is_left_out() -> None:
    text = "---\ntitle: Mira Sand\nsuperuser: true\n---\n## Biography\n\nI like stones.\n"
    assert of(ADMIN, text)["basics"]["summary"] == "I like stones."


def test_names_that_are_no_part_of_the_name_are_those_of_the_theme(tmp_path: Path) -> None:
    text = AUTHOR.replace("role:", "first_name: Alice\nlast_name: Wu\nrole:")
    cv, left = imported(tmp_path, {ADMIN: text})
    assert not {"givenName", "familyName"} & {*cv["basics"]}
    assert left["first_name"] == left["last_name"] == "no part of the name"


def test_degrees_after_a_name_are_no_part_of_it(tmp_path: Path) -> None:
    named = "name: {display: 'Dr. Ana Rey-Sol, DrPH, CHES', given: Ana, family: Rey-Sol}"
    text = f"schema: hugoblox/author/v1\n{named}\npostnominals: [DrPH, CHES]\n"
    cv, left = imported(tmp_path, {"data/authors/me.yaml": text})
    assert [cv["basics"][each] for each in ("name", "honorificSuffix")] == [
        *("Ana Rey-Sol", "DrPH, CHES")
    ]
    assert not left


def test_works_name_people_by_their_files(tmp_path: Path) -> None:
    author = "schema: hugoblox/author/v1\nname: {display: %s}\n"
    work = "---\ntitle: %s\nauthors: [%s]\npublication_types: [%s]\n---\n"
    cited = "@article{a, author={me and Kelton, DF}, title={Ice}, journal={J}, year=2020}"
    files = {
        "data/authors/_me.yaml": f"{author % 'Ana Rey'}is_owner: true\nslug: ana\n",
        "data/authors/b-berg.yaml": author % "Bo Berg",
        "data/authors/c-dahl.yaml": f"{author % 'Cy Dahl'}role: Student\n",
        "content/publications/a/index.md": work % ("Ice", "_me, b-berg", "article-journal"),
        "content/publications/a/cite.bib": cited,
        "content/publications/b/index.md": work % ("Sand", "ana", "commentary, preprint"),
        "content/publications/c/index.md": work % ("Mud", "me, 'Mart{\\H o}n, A.'", "'0'"),
    }
    cv, left = imported(tmp_path, files)
    assert [(each["kind"], each["authors"]) for each in cv["publications"]] == [
        ("journal", ["Ana Rey", "b-berg"]),
        ("preprint", ["Ana Rey"]),
        ("other", ["Ana Rey", "A. Martőn"]),
    ]
    assert left["publication_types[0]"] == "no matching field"
    assert not [path for path in left if path == "role"]
    found = import_files([tmp_path / "in"], tmp_path / "other")
    assert "c-dahl" not in found.texts["data/people.yaml"]
    assert any("Skipped 1 person whom no work names" in each for each in found.unread)
    assert not any("@owner" in each.value for each in found.left)


def test_addresses_levels_and_buttons_are_not_lost(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        {
            "data/authors/me.yaml": """\
schema: hugoblox/author/v1
name: {display: Mira Sand}
email: c@example.org
links: [{url: "mailto:a@example.org"}, {url: "mailto:b@example.org"}]
education: [{area: MSc, institution: Oslo, end: 2012, button: {url: "/x.pdf"}}]
skills: [{name: Software, items: [{label: QGIS, level: 5, description: Maps}]}]
languages: [{name: Norwegian, percent: 80}]
"""
        },
    )
    shown = [{"value": f"{each}@example.org", "visibility": "public"} for each in "ab"]
    assert cv["basics"]["email"] == [*shown, "c@example.org"]
    skill = "skills[0].items[0]"
    assert {*left} == {
        *("education[0].button.url", f"{skill}.level", f"{skill}.description"),
        "languages[0].percent",
    }
