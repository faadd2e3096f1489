"""What an import must not say about a person. Each case is a small invented source, and what comes
of it in the CV; `without` are texts that nothing may have.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.facts.yaml.reader import read
from kg.plugins.exchange.importing import import_files
from tests.plugins.exchange.readers.reading import imported

NAME = {"name": "Mira Sand"}


def resume(**sections: Any) -> dict[str, str]:
    return {"resume.json": json.dumps({"basics": NAME, **sections}, ensure_ascii=False)}


def rendercv(sections: str) -> dict[str, str]:
    lines = "".join(f"    {line}\n" for line in sections.strip().split("\n"))
    return {"cv.yaml": f"cv:\n  name: Mira Sand\n  sections:\n{lines}"}


def hugo(fields: str) -> dict[str, str]:
    return {"data/authors/me.yaml": f"schema: hugoblox/author/v1\nname: Mira Sand\n{fields}"}


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"city": "Atlanta", "region": "GA", "countryCode": "US"}, "Atlanta, GA, United States"),
        ({"city": "Davis", "region": "CA", "countryCode": "US"}, "Davis, CA, United States"),
        ({"city": "Dover", "region": "DE", "countryCode": "us"}, "Dover, DE, United States"),
        ({"city": "Gary", "region": "IN", "country": "USA"}, "Gary, IN, USA"),
        ({"city": "Joliet", "region": "IL"}, "Joliet, IL"),
        ({"city": "Toronto", "region": "ON", "countryCode": "CA"}, "Toronto, ON, Canada"),
        ({"city": "Köln", "countryCode": "DE"}, "Köln, Germany"),
        ({"countryCode": "IL"}, "Israel"),
        ({"city": "Tbilisi", "countryCode": "GE"}, "Tbilisi, Georgia"),
        ({"city": "Atlanta", "region": "Georgia"}, "Atlanta, Georgia"),
        ({"city": "Singapore", "countryCode": "SG"}, "Singapore"),
    ],
)
def test_only_a_country_can_be_the_code_of_a_country(
    where: dict[str, str], expected: str, tmp_path: Path
) -> None:
    job = {"name": "Stone", "position": "Digger", "startDate": "2020", "location": where}
    files = {"resume.json": json.dumps({"basics": {**NAME, "location": where}, "work": [job]})}
    cv, left = imported(tmp_path, files)
    for entry in (cv["basics"], cv["work"][0]):
        assert entry["location"].replace("States of America", "States") == expected
    assert not left


def test_a_region_of_schema_org_and_of_europass_is_no_country(tmp_path: Path) -> None:
    address = {"@type": "PostalAddress", "addressLocality": "Atlanta", "addressRegion": "GA"}
    person = {"@context": "https://schema.org", "@type": "Person", "name": "Mira Sand"}
    person = {**person, "address": {**address, "addressCountry": "US"}}
    cv, _ = imported(tmp_path, {"me.jsonld": json.dumps(person)})
    assert cv["basics"]["location"] == "Atlanta, GA, United States of America"


@pytest.mark.parametrize(
    ("section", "is_ongoing"),
    [
        *((section, True) for section in ("work", "volunteer", "education", "projects")),
        *((section, False) for section in ("awards", "certificates", "publications")),
    ],
)
@pytest.mark.parametrize("end", [{}, {"endDate": ""}, {"endDate": None}, {"endDate": "soon?"}])
def test_an_entry_that_has_begun_and_not_ended_is_ongoing(
    section: str, is_ongoing: bool, end: dict[str, Any], tmp_path: Path
) -> None:
    entry = {
        "work": {"name": "Stone", "position": "Digger"},
        "volunteer": {"organization": "Stone", "position": "Digger"},
        "education": {"institution": "Stone School", "studyType": "PhD"},
        "projects": {"name": "Sand"},
        "awards": {"title": "Sand Prize", "date": "2020"},
        "certificates": {"name": "Sieving", "date": "2020"},
        "publications": {"name": "Sand", "releaseDate": "2020"},
    }[section]
    cv, left = imported(tmp_path, resume(**{section: [{**entry, "startDate": "2020", **end}]}))
    is_unclear = end.get("endDate") == "soon?"
    assert cv[section][0].get("endDate") == ("present" if is_ongoing and not is_unclear else None)
    assert (f"{section}[0].endDate" in left) is is_unclear


@pytest.mark.parametrize("end", ["", '    end: ""\n', '    date_end: ""\n', "    end:\n"])
def test_an_empty_end_in_hugo_blox_is_the_present(end: str, tmp_path: Path) -> None:
    cv, _ = imported(
        tmp_path,
        hugo(
            f"experience:\n  - role: Digger\n    org: Stone\n    start: 2020-03-01\n{end}"
            f"education:\n  - degree: PhD\n    institution: Stone School\n    start: 2020\n{end}"
            'awards:\n  - {title: Sand Prize, date: "2020-12-01"}\n'
        ),
    )
    assert (cv["work"][0]["endDate"], cv["education"][0]["endDate"]) == ("present", "present")
    assert "endDate" not in cv["awards"][0]


STAYS = [
    *("Visiting Student", "Visiting PhD student", "Erasmus exchange", "Exchange semester"),
    *("Study Abroad", "Auslandssemester", "Gaststudentin", "Austauschstudium", "Research stay"),
    *(
        "Séjour Erasmus",
        "Échange universitaire",
        "Intercambio académico",
        "Estancia de investigación",
    ),
    *(
        "Scambio Erasmus",
        "Utvekslingsstudent",
        "Uitwisseling",
        "交换生",
        "Стажировка",
        "Summer School",
    ),
    *("Erasmus+, Master level", "Guest student (MSc)", "Intercâmbio"),
    *("PhD Student Visitor", "Doctoral visitor", "Research Student", "PhD visiting student"),
]
COURSES = [
    *("Certificate", "Professional Certificate", "Online Course", "Bootcamp", "Coding Boot Camp"),
    *(
        "MOOC",
        "Nanodegree",
        "Zertifikat",
        "Sprachkurs",
        "Weiterbildung",
        "Certificat",
        "Curso online",
    ),
    *("Certificado profesional", "Corso di perfezionamento", "Cursus", "证书", "Сертификат"),
    *("Diplomado", "Formation continue", "Workshop"),
]
DEGREES = [
    *(
        "PhD",
        "M.Sc.",
        "MSc (exchange year in Oslo)",
        "Master's course",
        "Bachelor",
        "Diplom",
        "Licence",
    ),
    *("Graduação", "Laurea magistrale", "B.S.", "M.A.", "Dr. rer. nat.", "Abitur", "学士", "MBA"),
    *("General Certificate of Secondary Education", "School Leaving Certificate", "Magister"),
    *(
        "Curso superior de tecnologia",
        "Grado en Historia",
        "Master Gastronomy",
        "Doctorat, en cours",
    ),
]


@pytest.mark.parametrize("kind", STAYS)
def test_a_visit_is_a_stay_and_no_study(kind: str, tmp_path: Path) -> None:
    study = {"institution": "ETH Zurich", "studyType": kind, "area": "Geology"}
    dates = {"startDate": "2019-01", "endDate": "2019-06", "courses": ["Ice I"], "score": "5.0/6"}
    cv, left = imported(tmp_path, resume(education=[{**study, **dates}]))
    assert "education" not in cv
    assert cv["work"] == [
        {
            "organization": "ETH Zurich",
            "position": kind,
            "kind": "visiting",
            "secondary": "true",
            "startDate": "2019-01",
            "endDate": "2019-06",
            "keywords": ["Geology"],
            "highlights": ["Ice I"],
        }
    ]
    assert [*left] == ["education[0].score"]


@pytest.mark.parametrize("position", ["Research Visitor", "Visiting Student Researcher"])
def test_a_visitor_at_a_university_is_not_employed_there(position: str, tmp_path: Path) -> None:
    dates = "start: 2024-03-05, end: 2024-03-31"
    cv, _ = imported(
        tmp_path,
        hugo(
            f"experience:\n  - {{role: {position}, org: Sand University, {dates}}}\n"
            f"  - {{role: Health Visitor, org: Sand Clinic, {dates}}}\n"
            f"  - {{role: Stock Exchange Analyst, org: Stone, {dates}}}\n"
        ),
    )
    assert [(each.get("kind"), each.get("secondary")) for each in cv["work"]] == [
        ("visiting", "true"),
        (None, None),
        (None, None),
    ]


@pytest.mark.parametrize(
    "kind",
    [
        *("Compulsory Education", "OSSD and AP", "Sekundarschule", "BMS - Lehrbegleitend"),
        *("Abitur", "High School", "High School Diploma", "Allgemeine Hochschulreife", "A-levels"),
        *("Bachillerato", "Baccalauréat", "Matura", "Ensino Médio", "高中", "Secondary School"),
    ],
)
def test_time_at_a_school_is_no_degree_course(kind: str, tmp_path: Path) -> None:
    dates = {"startDate": "2010", "endDate": "2014"}
    school = {"institution": "Sand School", "studyType": kind, **dates}
    cv, left = imported(tmp_path, resume(education=[school]))
    assert cv["education"] == [{**school, "level": "school"}]
    assert not left


def test_the_diploma_of_a_school_is_no_topic(tmp_path: Path) -> None:
    dates = {"startDate": "2010", "endDate": "2014"}
    at = {"institution": "Sand School", **dates}
    teacher = {**at, "studyType": "M.Ed.", "area": "Secondary Education"}
    diploma = {**at, "studyType": "Diploma", "area": "High School Diploma"}
    cv, _ = imported(tmp_path, resume(education=[diploma, teacher]))
    assert cv["education"] == [
        {"institution": "Sand School", "studyType": "High School Diploma", **dates}
        | {"level": "school"},
        teacher,
    ]


def test_two_scores_are_no_honours(tmp_path: Path) -> None:
    study = {"institution": "Sand School", "studyType": "PhD", "endDate": "2014"}
    cv, left = imported(
        tmp_path,
        resume(
            education=[
                {**study, "score": "3.88 / 4.00; 88.2 / 100"},
                {**study, "studyType": "MSc", "score": "cum laude"},
            ]
        ),
    )
    assert [(each.get("score"), each.get("honors")) for each in cv["education"]] == [
        ("3.88 / 4.00", None),
        (None, "cum laude"),
    ]
    assert [*left] == ["education[0].score"]


@pytest.mark.parametrize("year", ["2025 (expected)", "expected 2025", "2025, voraussichtlich"])
def test_an_expected_year_is_no_end(year: str, tmp_path: Path) -> None:
    degree = f"{{degree: PhD, institution: Sand School, year: '{year}'}}"
    cv, left = imported(tmp_path, hugo(f"education:\n  courses:\n    - {degree}\n"))
    (study,) = cv["education"]
    assert (study["endDate"], study["expected"]) == ("present", "2025")
    assert not left


def test_keywords_without_a_name_are_interests_in_their_order(tmp_path: Path) -> None:
    groups = [{"name": "", "keywords": ["Singen", "Malen"]}, {"keywords": ["Lesen"]}]
    cv, left = imported(tmp_path, resume(interests=groups))
    assert cv["interests"] == ["Singen", "Malen", "Lesen"]
    assert not left


def test_a_sentence_is_no_field_of_study(tmp_path: Path) -> None:
    area = "I studied how sand moves over dunes in a strong wind"
    study = {"institution": "Sand School", "studyType": "PhD", "endDate": "2014"}
    cv, _ = imported(tmp_path, resume(education=[{**study, "area": area}]))
    assert cv["education"] == [{**study, "summary": area}]


@pytest.mark.parametrize("kind", COURSES)
def test_a_course_is_a_certificate_and_no_degree(kind: str, tmp_path: Path) -> None:
    study = {"institution": "Sand Academy", "studyType": kind, "area": "Sieving"}
    cv, left = imported(tmp_path, resume(education=[{**study, "endDate": "2019-06"}]))
    assert "education" not in cv
    name = f"{kind}: Sieving"
    assert cv["certificates"] == [{"name": name, "issuer": "Sand Academy", "date": "2019-06"}]
    assert not left


@pytest.mark.parametrize("kind", DEGREES)
def test_a_degree_stays_a_study(kind: str, tmp_path: Path) -> None:
    study = {"institution": "Sand School", "studyType": kind, "area": "Sieving", "endDate": "2019"}
    cv, left = imported(tmp_path, resume(education=[study]))
    assert [each["studyType"] for each in cv["education"]] == [kind]
    assert not left


def test_stays_and_courses_of_all_formats_are_no_studies(tmp_path: Path) -> None:
    entry = "{institution: ETH Zurich, %s, start_date: 2019-01, end_date: 2019-06}"
    sources = [
        rendercv(f"Education:\n  - {entry % 'area: Geology, degree: Visiting student'}"),
        hugo("education:\n  - {institution: ETH Zurich, area: Visiting student, date_end: 2019}\n"),
        {
            "_data/cv.yml": "- title: Education\n  type: time_table\n  contents:\n"
            "    - {title: Visiting student, institution: ETH Zurich, year: 2019}\n",
            "_config.yml": "first_name: Mira\nlast_name: Sand\nscholar: {last_name: [Sand]}\n",
        },
    ]
    for number, files in enumerate(sources):
        cv, _ = imported(tmp_path / str(number), files)
        assert "education" not in cv
        assert [each["kind"] for each in cv["work"]] == ["visiting"]


def test_a_course_on_a_platform_is_no_degree_unless_it_is_called_one(tmp_path: Path) -> None:
    dates = {"startDate": "2019-01", "endDate": "2019-06"}
    coursera = {"institution": "Coursera", **dates}
    running = {"institution": "Le Wagon", "studyType": "Bootcamp", "startDate": "2024"}
    master = {**coursera, "studyType": "Master of Sand"}
    cv, left = imported(
        tmp_path, resume(education=[{**coursera, "area": "Sieving"}, running, master])
    )
    assert cv["certificates"] == [{"name": "Sieving", "issuer": "Coursera", "date": "2019-06"}]
    assert [each["studyType"] for each in cv["education"]] == ["Master of Sand"]
    assert cv["extracurricular"][0]["endDate"] == "present"  # it has not given a certificate yet
    assert [*left] == ["education[0].startDate"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("sand.example.org", "https://sand.example.org"),
        ("www.sand.example/~mira?cv=1", "https://www.sand.example/~mira?cv=1"),
        ("//sand.example.org", "https://sand.example.org"),
        ("https://sand.example.org", "https://sand.example.org"),
        ("mira", None),
        ("mira@sand.example", None),
        ("cv.pdf", None),
        ("see above", None),
    ],
)
def test_a_bare_domain_is_an_address_in_every_format(
    written: str, expected: str | None, tmp_path: Path
) -> None:
    job = {"name": "Stone", "position": "Digger", "startDate": "2020", "url": written}
    network = {"network": "Sandbook", "username": "mira", "url": written}
    basics = {**NAME, "url": written, "profiles": [network]}
    sources = [
        {"resume.json": json.dumps({"basics": basics, "work": [job]})},
        {
            "cv.yaml": f"cv:\n  name: Mira Sand\n  website: {written}\n  sections:\n    Work:\n"
            f"      - {{company: Stone, position: Digger, start_date: 2020, url: '{written}'}}\n"
        },
    ]
    for number, files in enumerate(sources):
        cv, left = imported(tmp_path / str(number), files)
        pages = [cv["basics"], cv["work"][0], *cv["basics"].get("profiles", ())]
        assert [page.get("url") for page in pages] == [expected] * len(pages)
        assert not expected or not left
        assert expected or len(left) >= len(pages)  # each is listed


def test_a_postcode_stays_a_text(tmp_path: Path) -> None:
    where = {"address": "Ice Road 1", "postalCode": "01067", "city": "Dresden"}
    cv, _ = imported(
        tmp_path, {"r.json": json.dumps({"basics": {**NAME, "location": where}, "work": []})}
    )
    assert cv["basics"]["address"]["postalCode"] == "01067"


def test_icons_and_attributes_are_no_text(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        rendercv("""
Skills:
  - {name: Digging, icon: fa-solid fa-hashtag, keywords: "sand, stones (some)"}
Field notes:
  - {name: Dune, icon: fas fa-tag, text: "Found [sand](https://sand.example){:target=\\"_blank\\"}"}
  - "Read *on*{style=\\"color: red\\"} the [dune](https://dune.example){.btn .big}{: .x }"
        """),
    )
    assert cv["skills"] == [{"name": "Digging", "keywords": ["sand", "stones (some)"]}]
    assert cv["sections"][0]["entries"] == [
        {"name": "Dune", "summary": "Found [sand](https://sand.example)"},
        "Read *on* the [dune](https://dune.example)",
    ]
    assert not left


def test_a_label_and_its_text_in_a_list_are_one_text(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        rendercv("""
Work:
  - company: Stone
    position: Digger
    start_date: 2020
    highlights: [Dug, Tools: "spade, sieve", "C++: no mapping"]
Skills:
  - Tools: spade, sieve
Field notes:
  - Dune: found sand
        """),
    )
    assert cv["work"][0]["highlights"] == ["Dug", "Tools: spade, sieve", "C++: no mapping"]
    assert cv["skills"] == [{"name": "Tools", "keywords": ["spade", "sieve"]}]
    assert cv["sections"][0]["entries"] == ["Dune: found sand"]
    assert not left


def test_a_label_and_its_text_are_one_text_in_json_and_al_folio(tmp_path: Path) -> None:
    job = {"name": "Stone", "position": "Digger", "highlights": ["Dug", {"Tools": "spade"}]}
    cv, left = imported(tmp_path / "json", resume(work=[{**job, "startDate": "2020"}]))
    assert cv["work"][0]["highlights"] == ["Dug", "Tools: spade"]
    assert not left
    cv, left = imported(
        tmp_path / "al-folio",
        {
            "_config.yml": "first_name: Mira\nlast_name: Sand\nscholar: {last_name: [Sand]}\n",
            "_data/cv.yml": "- title: Experience\n  type: time_table\n  contents:\n"
            "    - title: Digger\n      institution: Stone\n      year: 2020 - 2021\n"
            "      description: [Dug, Tools: spade]\n",
        },
    )
    assert cv["work"][0]["highlights"] == ["Dug", "Tools: spade"]
    assert not left


PAGE = """\
---
title: "%s"
authors: [me, ola-berg]
date: 2021-05-01
publication_types: [paper-conference]
publication: "*SandConf*"
---
"""
BIB = "@inproceedings{x, title={%s}, author={Sand, Mira and Berg, Ola}, year={%s}, pages={1--9}}\n"


@pytest.mark.parametrize(
    ("title", "cited", "year"),
    [
        ("Dunes", "Dunes", "2021"),
        ("On <b>dunes</b> & more", "On Dunes and More", "2021"),
        ("On dunes", "On dunes: an overview", "2019"),
        ("Über Dünen", "On the Shape of Sand", "2021"),
    ],
)
def test_the_page_and_the_citation_of_one_folder_are_one_work(
    title: str, cited: str, year: str, tmp_path: Path
) -> None:
    folder = "content/publications/dunes"
    people = {"data/authors/ola-berg.yaml": "schema: hugoblox/author/v1\nname: Ola Berg\n"}
    page = {f"{folder}/index.md": PAGE % title, f"{folder}/cite.bib": BIB % (cited, year)}
    cv, _ = imported(tmp_path, {**hugo(""), **people, **page})
    (work,) = cv["publications"]
    assert (work["pages"], work["conference"]) == ("1-9", "SandConf")


def test_author_files_of_hugo_blox_are_people_by_the_names_of_the_files(tmp_path: Path) -> None:
    files = hugo("email: mira@sand.example\nlinks: [{url: 'mailto:mira@sand.example'}]\n")
    for name, shown in (("ola-berg", "Ola Berg"), ("jo", "Jo Fox")):
        files[f"data/authors/{name}.yaml"] = (
            f"schema: hugoblox/author/v1\nname: {{display: {shown}}}\n"
            "affiliations: [{name: Stone}]\n"
        )
    files["content/publications/dunes/index.md"] = PAGE % "Dunes"
    for path, text in files.items():
        (tmp_path / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / path).write_text(text, encoding="utf-8")
    texts = import_files([tmp_path / "in"], tmp_path / "site").texts
    people, _ = read("people.yaml", texts["data/people.yaml"].encode())
    assert people == {"ola-berg": {"name": "Ola Berg", "organization": "Stone"}}
    cv, _ = read("cv.yaml", texts["data/cv/mira-sand.yaml"].encode())
    assert cv is not None
    assert cv["publications"][0]["authors"] == ["Mira Sand", "ola-berg"]
    assert cv["basics"]["email"] == {"value": "mira@sand.example", "visibility": "public"}


AL_FOLIO = {
    "_config.yml": "first_name: Mira\nlast_name: Sand\nscholar: {last_name: [Sand]}\n",
    "_data/socials.yml": "email: mira@sand.example\ngithub_username: mira\n",
    "_data/cv.yml": """\
cv:
  name: Mira Katharina Sand
  email: mira@sand.example
  sections:
    Education:
      - {institution: Sand School, area: Geology, studyType: PhD, start_date: 2020, score: ""}
    Skills:
      - {name: Digging, level: "", icon: fa-solid fa-hashtag, keywords: "sand, stones (some)"}
      - {name: Writing, level: Master, icon: fa-solid fa-tag, keywords: [papers, proposals]}
    Languages:
      - {language: German, fluency: Native speaker, icon: ""}
      - {name: English, summary: Fluent}
      - {name: French, icon: fa-solid fa-tag}
    Interests:
      - {name: Music, icon: fa-solid fa-tag, keywords: [piano, tuba]}
    Awards:
      - {title: Sand Prize, date: 2020, awarder: Sand Society, summary: For sand, authors: [Jury]}
      - {name: Stone Prize, date: 2021, awarder: Sand Society, url: stone.example/prize}
    Certificates:
      - {name: Sieving, date: 2018, issuer: Sand School, icon: fa-solid fa-certificate}
    Publications:
      - {name: Slow sand, publisher: Sand Press, releaseDate: 2021-02-03, summary: On sand.}
    Projects:
      - {name: Sander, summary: Sands., highlights: [a, b], startDate: 2018-03, endDate: 2018-04}
""",
}


def test_the_cv_of_al_folio_has_entries_as_json_resume_has_them(tmp_path: Path) -> None:
    cv, left = imported(tmp_path, AL_FOLIO)
    assert cv["education"] == [
        {
            "institution": "Sand School",
            "area": "Geology",
            "startDate": "2020",
            "studyType": "PhD",
            "endDate": "present",
        }
    ]
    assert cv["skills"] == [
        {"name": "Digging", "keywords": ["sand", "stones (some)"]},
        {"name": "Writing", "keywords": ["papers", "proposals"]},
    ]
    assert cv["languages"] == [
        {"language": "German", "level": "native"},
        {"language": "English", "level": "Fluent"},
        {"language": "French"},
    ]
    assert cv["interests"] == [{"name": "Music", "keywords": ["piano", "tuba"]}]
    assert [each["title"] for each in cv["awards"]] == ["Sand Prize", "Stone Prize"]
    assert [each["awarder"] for each in cv["awards"]] == ["Sand Society"] * 2
    assert cv["certificates"][0]["issuer"] == "Sand School"
    assert cv["publications"][0]["title"] == "Slow sand"
    assert cv["projects"][0]["endDate"] == "2018-04"
    assert "sections" not in cv
    unsaid = ("Skills[1].level", "Publications[0].name", "Awards[0].authors[0]")
    assert {*left} == {f"cv.sections.{each}" for each in unsaid}


def test_the_name_is_that_of_the_cv_and_a_shown_address_is_public(tmp_path: Path) -> None:
    cv, _ = imported(tmp_path, AL_FOLIO)
    assert cv["basics"]["name"] == "Mira Katharina Sand"
    assert cv["basics"]["alternateNames"] == ["Mira Sand"]
    assert cv["basics"]["email"] == {"value": "mira@sand.example", "visibility": "public"}


@pytest.mark.parametrize(
    ("config", "name", "expected"),
    [
        ("first_name: PhD\nmiddle_name: A.\nlast_name: Doe", "Ada Doe", {"name": "Ada Doe"}),
        ("first_name: Dr. Ada\nlast_name: Doe", "Ada B. Doe", {"name": "Ada B. Doe"}),
        (
            "first_name: Cheng\nlast_name: Wang",
            "Wang Cheng",
            {"name": "Wang Cheng", "familyName": "Wang", "givenName": "Cheng"},
        ),
        ("first_name: Cheng\nlast_name: Wang", "Cheng Wang", {"name": "Cheng Wang"}),
    ],
)
def test_titles_and_order_in_a_configuration_keep_the_name_of_the_cv(
    config: str, name: str, expected: dict[str, str], tmp_path: Path
) -> None:
    files = {
        "_config.yml": f"{config}\nscholar: {{last_name: [Sand]}}\n",
        "_data/cv.yml": f"cv:\n  name: {name}\n  sections:\n    Interests: [{{name: Sand}}]\n",
    }
    cv, _ = imported(tmp_path, files)
    cv["basics"].pop("alternateNames", None)
    assert cv["basics"] == expected
    assert cv["interests"] == [{"name": "Sand"}]


# Short entries of samples as the themes have them, beside an entry of the person.
OWN = {"title": "Sand Prize", "date": "2020", "awarder": "Sand Society"}
SPOON = {
    "title": "Digital Compression Pioneer Award",
    "date": "2014-11-01",
    "awarder": "Techcrunch",
    "summary": "There is no spoon.",
}
WEB = {"name": "Web Development", "level": "Master", "keywords": ["HTML", "CSS", "Javascript"]}
DIGGING = {"name": "Digging", "level": "Expert", "keywords": ["HTML", "CSS", "spades"]}
WILDLIFE = {"name": "Wildlife", "keywords": ["Ferrets", "Unicorns"]}
MEDAL = {"title": "Max Planck Medal", "date": "2029-01-01", "awarder": "German Physical Society"}


def test_samples_of_a_schema_are_left_out_and_listed(tmp_path: Path) -> None:
    files = resume(awards=[SPOON, OWN, MEDAL], skills=[WEB, DIGGING], interests=[WILDLIFE])
    cv, left = imported(tmp_path, files)
    assert [each["title"] for each in cv["awards"]] == ["Sand Prize"]
    assert [each["name"] for each in cv["skills"]] == ["Digging"]
    assert "interests" not in cv
    paths = ("awards[0].title", "awards[2].title", "skills[0].name", "interests[0].name")
    assert left == dict.fromkeys(paths, "sample value of the theme")


def test_the_older_sample_of_the_schema_is_left_out(tmp_path: Path) -> None:
    award = {"title": "Award", "awarder": "Company", "summary": "There is no spoon."}
    certificate = {"name": "Certificate", "issuer": "Company", "url": "https://certificate.com"}
    cv, left = imported(
        tmp_path,
        resume(
            basics={**NAME, "summary": "A summary of John Doe…"},
            awards=[{**award, "date": "2014-11-01"}, OWN],
            certificates=[{**certificate, "date": "2021-11-07"}],
        ),
    )
    assert [each["title"] for each in cv["awards"]] == ["Sand Prize"]
    assert ("certificates" in cv, "summary" in cv["basics"]) == (False, False)
    assert {*left} == {"basics.summary", "awards[0].title", "certificates[0].name"}


def test_samples_of_one_format_are_samples_in_another(tmp_path: Path) -> None:
    awards = f"Awards:\n  - {json.dumps(SPOON)}\n  - {json.dumps(OWN)}\n"
    cv, left = imported(tmp_path, rendercv(f"{awards}Skills:\n  - {json.dumps(WEB)}"))
    assert [each["title"] for each in cv["awards"]] == ["Sand Prize"]
    assert "skills" not in cv
    assert {*left.values()} == {"sample value of the theme"}


def test_samples_of_hugo_blox_are_left_out(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        hugo("""\
interests: [Large Language Models, Computer Vision, Reinforcement Learning, AI Ethics]
education:
  - {degree: MS Computer Science, institution: Carnegie Mellon University, start: 2013-09-01,
     end: 2015-05-31}
  - {degree: MS Computer Science, institution: Carnegie Mellon University, start: 2019, end: 2021}
skills:
  - name: Technical Skills
    items: [{label: Python, level: 5}, {label: Machine Learning}, {label: Cloud Computing}]
  - name: Technical Skills
    items: [{label: Python, level: 5}, {label: Sieving}]
links:
  - {icon: brands/x, url: "https://x.com/mira"}
  - {icon: academicons/google-scholar, url: "https://scholar.google.com/citations?user=example"}
"""),
    )
    assert "interests" not in cv
    assert [each["startDate"] for each in cv["education"]] == ["2019"]
    assert cv["skills"] == [{"name": "Technical Skills", "keywords": ["Python", "Sieving"]}]
    assert [each["url"] for each in cv["basics"]["profiles"]] == ["https://x.com/mira"]
    assert [*left.values()].count("sample value of the theme") >= 4


def test_the_same_words_with_others_are_no_sample(tmp_path: Path) -> None:
    medal = {**MEDAL, "date": "2021"}
    wildlife = {"name": "Wildlife", "keywords": ["Ferrets", "Otters"]}
    cv, left = imported(tmp_path, resume(awards=[medal], interests=[wildlife]))
    assert cv["awards"][0]["title"] == "Max Planck Medal"
    assert cv["interests"] == [wildlife]
    assert not left


def test_a_quick_guide_and_samples_of_markdown_are_left_out(tmp_path: Path) -> None:
    guide = "Each section title is arbitrary."
    skills = "# Mira Sand\n\n## Education\n\n- PhD in Geology, Oslo, 2020\n\n## Service\n\n"
    cv, left = imported(
        tmp_path, {"cv.md": f"{skills}* Currently signed in to 43 different slack teams\n"}
    )
    assert [each["title"] for each in cv.get("sections", ())] == ["Education"]
    assert {*left.values()} == {"sample value of the theme"}
    cv, left = imported(tmp_path / "rendercv", rendercv(f"Quick Guide:\n  - {guide}"))
    assert "sections" not in cv
    assert {*left.values()} == {"sample value of the theme"}


def test_placeholders_of_al_folio_beside_own_texts_are_left_out(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        {
            "_config.yml": AL_FOLIO["_config.yml"],
            "_data/cv.yml": """\
- title: Education
  type: time_table
  contents:
    - title: Bachelor
      institution: Sand School
      year: 2023
      description:
        - Magna cum laude
        - Description 2.
        - {title: Description 3., contents: [Sub-description 1., Sub-description 2.]}
- title: Academic Interests
  type: nested_list
  contents:
    - {title: Sand, items: [Description 1., Dunes]}
- title: Other Interests
  type: list
  contents: ["<u>Hobbies:</u> Hobby 1, Hobby 2, etc."]
""",
        },
    )
    assert cv["education"][0]["highlights"] == ["Magna cum laude"]
    assert cv["interests"] == [{"name": "Sand", "keywords": ["Dunes"]}]
    assert "sections" not in cv
    assert {*left.values()} == {"sample value of the theme"}


def test_language_switches_and_notices_are_no_biography(tmp_path: Path) -> None:
    page = "---\nlayout: about\n---\n%s\n\nI study *sand*{:.big}.\n\n%s\n"
    switch = "[English](/en/) | [Deutsch](/de/)"
    files = {**AL_FOLIO, "_pages/about.md": page % (switch, "Last updated: May 2024")}
    cv, left = imported(tmp_path, files)
    assert cv["basics"]["summary"] == "I study *sand*."
    assert left["text"] == "notice of the page"


def test_a_written_present_is_not_repeated_as_text(tmp_path: Path) -> None:
    stay = {"name": "Dunes", "startDate": "2020", "endDate": "Present", "topics": ["sand"]}
    cv, _ = imported(tmp_path, resume(work=[], fieldNotes=[stay]))
    expected = {"name": "Dunes", "startDate": "2020", "endDate": "present", "summary": "sand"}
    assert cv["sections"][0]["entries"] == [expected]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("https://medium.com/@mira", "medium"),
        ("https://www.youtube.com/@mira", "youtube"),
        ("https://substack.com/@mira", "substack"),
        ("https://www.threads.com/@mira", None),
        ("https://mastodon.social/@mira", "mastodon"),
        ("https://sand.social/@mira", "mastodon"),
    ],
)
def test_a_host_with_a_network_of_its_own_is_not_mastodon(
    address: str, network: str | None, tmp_path: Path
) -> None:
    cv, _ = imported(tmp_path, hugo(f"links: [{{icon: link, url: '{address}'}}]\n"))
    assert [each.get("network") for each in cv["basics"]["profiles"]] == [network]


def test_a_bullet_of_skills_is_read_like_a_label_with_details(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        rendercv("""
Skills:
  - bullet: "**Tecnologias:** Docker, .NET, Git"
  - bullet: "**Idiomas:** Português (nativo), Inglês (C1)"
  - "**Languages:** French - fluent, Dutch"
  - bullet: "**Languages:** Python, Go"
        """),
    )
    assert cv["skills"] == [
        {"name": "Tecnologias", "keywords": ["Docker", ".NET", "Git"]},
        {"name": "Languages", "keywords": ["Python", "Go"]},
    ]
    assert cv["languages"] == [
        {"language": "Português", "level": "native"},
        {"language": "English", "level": "C1"},
        {"language": "French", "level": "fluent"},
        {"language": "Dutch"},
    ]
    assert not left


def test_an_entry_with_some_texts_of_a_sample_is_one(tmp_path: Path) -> None:
    relativity = "Die Grundlage der allgemeinen Relativitätstheorie"
    address = f"https://de.wikisource.org/wiki/{relativity.replace(' ', '_')}"
    annals = {"publisher": "Annalen der Physik", "releaseDate": "1916-03-20"}
    middle_out = "Innovative middle-out compression algorithm that changes the way we store data."
    works = [
        {"name": relativity, **annals, "url": address},
        {"name": "On sand", **annals, "url": address},
        {"name": "Video compression for 3d media", "publisher": "Stone", "releaseDate": "2022"},
        {"name": "Slow sand", **annals, "summary": "How sand moves."},
    ]
    misguide = "A mapping engine that misguides you"
    projects = [
        {"name": "Miss Direction", "description": misguide, "startDate": "2022"},
        {"name": "Sander", "description": middle_out, "startDate": "2022-01"},
        {"name": "Dune", "description": "Maps dunes.", "startDate": "2022-01"},
    ]
    cv, left = imported(tmp_path, resume(publications=works, projects=projects))
    assert [each["title"] for each in cv["publications"]] == ["Slow sand"]
    assert [each["name"] for each in cv["projects"]] == ["Sander", "Dune"]
    assert "summary" not in cv["projects"][0]
    samples = [path for path, why in left.items() if why == "sample value of the theme"]
    assert samples == [
        *("publications[0].name", "publications[1].name", "publications[2].name"),
        *("projects[0].name", "projects[1].description"),
    ]


def test_a_sample_biography_with_another_sentence_and_an_empty_image_are_no_facts(
    tmp_path: Path,
) -> None:
    about = (
        "Richard hails from Tulsa. He has earned degrees from the University of Oklahoma and "
        "Stanford. (Go Sooners and Cardinals!) Before starting Pied Piper, he worked for Hooli as "
        "a part time software developer. While his work focuses on applied information theory, "
        "mostly optimizing lossless compression schema of both the length-limited and adaptive "
        "variants, his non-work interests range widely, everything from quantum computing to chaos "
        "theory. He could tell you about it, but THAT would NOT be a “length-limited” conversation!"
    )
    basics = {**NAME, "summary": f"{about} He also sails.", "picture": "https://placehold.it/200"}
    cv, left = imported(tmp_path, {"resume.json": json.dumps({"basics": basics, "work": []})})
    assert cv["basics"] == NAME
    assert {*left} == {"basics.summary", "basics.picture"}


def test_a_quick_guide_of_any_version_is_left_out(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        rendercv("""
quick_guide:
  - bullet: Each section title is arbitrary and each section contains a list of entries.
  - bullet: 'There are 7 unique entry types: *BulletEntry*, *TextEntry*, and *OneLineEntry*.'
  - bullet: Select a section title, pick an entry type, and start writing your section!
  - bullet: '[Here](https://docs.rendercv.com/) is a comprehensive user guide for RenderCV.'
projects:
  - {name: Sander, start_date: 2020, highlights: [Wrote the documentation for RenderCV themes]}
        """),
    )
    assert "sections" not in cv
    assert cv["projects"][0]["highlights"] == ["Wrote the documentation for RenderCV themes"]
    assert [*left.values()] == ["sample value of the theme"] * 4


def secondary_in(cv: Any) -> list[str | None]:
    return [job.get("secondary") for job in cv["work"]]


BESIDE = "  - {company: Stone, position: Digger, start_date: 2020, end_date: present}\n"


def test_jobs_are_secondary_only_beside_others(tmp_path: Path) -> None:
    for number, title in enumerate(("Research Experience", "Collaborations")):
        cv, _ = imported(tmp_path / f"{number}", rendercv(f"{title}:\n{BESIDE}"))
        assert secondary_in(cv) == [None]
        sections = f"Experience:\n{BESIDE}{title}:\n{BESIDE.replace('Stone', 'Sand')}"
        cv, _ = imported(tmp_path / f"both{number}", rendercv(sections))
        assert secondary_in(cv) == [None, "true"]
        named = rendercv(sections)["cv.yaml"].replace(
            "name: Mira", "headline: Digger\n  name: Mira"
        )
        cv, _ = imported(tmp_path / f"named{number}", {"cv.yaml": named})
        assert secondary_in(cv) == [None, None]


def test_visits_are_secondary_also_alone(tmp_path: Path) -> None:
    cv, _ = imported(tmp_path, rendercv(f"visiting_positions:\n{BESIDE}"))
    assert [(job["kind"], job["secondary"]) for job in cv["work"]] == [("visiting", "true")]


def test_a_job_that_becomes_text_keeps_the_heading_of_its_source(tmp_path: Path) -> None:
    cv, _ = imported(
        tmp_path,
        rendercv(f"""
Experience:
{BESIDE}
Research Experience:
  - {{company: See my website., position: Analyst, start_date: 2018, end_date: 2019}}
        """),
    )
    entry = {"name": "Analyst", "startDate": "2018", "endDate": "2019"}
    assert cv["sections"] == [
        {"title": "Research Experience", "entries": [{**entry, "summary": "See my website."}]}
    ]


def test_a_list_of_organizations_is_a_text(tmp_path: Path) -> None:
    several = "Stone Fellowship, Royal Sand, Ice Learning, and Dune College"
    issuers = "British Sand, IDP Stone, and Cambridge Dunes"
    pair = "Foundation Sand && Ministry of Stone"
    ministry = "Ministry of Higher Education, Applied Science, and Fine Arts"
    cv, left = imported(
        tmp_path,
        resume(
            awards=[
                {"title": "Spade", "awarder": several, "date": "2020"},
                {"title": "Sieve", "awarder": pair, "summary": "For sieving.", "date": "2020"},
                {"title": "Stone", "awarder": ministry, "date": "2020"},
                {"title": "Dune", "awarder": "Health, Labour and Welfare Fund", "date": "2020"},
            ],
            certificates=[{"name": "English", "issuer": issuers, "date": "2020"}],
        ),
    )
    assert [each.get("awarder") for each in cv["awards"]] == [
        *(None, None, ministry, "Health, Labour and Welfare Fund")
    ]
    texts = [several, f"{pair}\n\nFor sieving."]
    assert [each["summary"] for each in cv["awards"][:2]] == texts
    assert cv["certificates"] == [{"name": "English", "date": "2020", "summary": issuers}]
    assert not left


@pytest.mark.parametrize(
    "name",
    [
        *("Freelance", "Self-employed", "Selbständig", "Freiberuflich", "Autónomo", "Indépendant"),
        *(
            "Freelancer",
            "Selbstständige",
            "Freiberuflerin",
            "Autônoma",
            "Mira Sand",
            "フリーランス",
        ),
    ],
)
def test_the_self_employed_have_no_employer(name: str, tmp_path: Path) -> None:
    dates = {"startDate": "2019", "endDate": "2020"}
    job = {"name": name, "position": "Programador Freelance", **dates}
    paper = {"name": "Freelance Stone Ltd", "position": "Digger", **dates}
    project = {"name": "Dune", "entity": "Mira Sand", **dates}
    cv, left = imported(tmp_path, resume(work=[job, paper], projects=[project]))
    assert cv["work"] == [
        {"kind": "self-employed", "position": "Programador Freelance", **dates},
        {"organization": "Freelance Stone Ltd", "position": "Digger", **dates},
    ]
    assert cv["projects"] == [{"name": "Dune", **dates}]
    assert left == {"projects[0].entity": "the person's own name"}


def test_files_of_a_site_that_may_belong_to_the_cv_are_named(tmp_path: Path) -> None:
    pages = ("content/home/experience.md", "content/project/dune/index.md", "content/en/_index.md")
    pages = ("publications.markdown", "content/other/funding/index.md", *pages)
    for path in (*hugo(""), *pages, "content/post/day/index.md", "layouts/head.html"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(hugo("").get(path, "---\ntitle: Sand\n---\n"), "utf-8")
    unread = import_files([tmp_path], tmp_path / "site").unread
    assert unread == [
        f"{tmp_path}: Hugo Blox site. Not read: {', '.join([pages[0], *sorted(pages[1:])])}. "
        "Copy what belongs to the CV.",
        f"{tmp_path}: Hugo Blox site. Skipped 2 files that are not part of a CV.",
    ]


def test_the_family_name_that_a_bibliography_states_is_that_of_the_person(tmp_path: Path) -> None:
    resume = {"basics": {"name": "Ana Ríos Lara"}, "skills": [{"name": "Rust"}]}
    (tmp_path / "resume.json").write_text(json.dumps(resume), encoding="utf-8")
    signed = "Ríos Lara, Ana and Sol Vega, Eva"
    work = f"@article{{a, title={{Ice}}, author={{{signed}}}, journal={{Ice}}, year=2020}}"
    (tmp_path / "a.bib").write_text(work, encoding="utf-8")
    paths = [tmp_path / "resume.json", tmp_path / "a.bib"]
    texts = import_files(paths, tmp_path / "site").texts
    row, _ = read("cv.yaml", texts["data/cv/ana-rios-lara.yaml"].encode())
    assert row is not None
    assert row["basics"]["familyName"] == "Ríos Lara"
    eva = {"as": "Eva Sol Vega", "familyName": "Sol Vega"}
    assert row["publications"][0]["authors"] == ["Ana Ríos Lara", eva]


def test_a_list_of_authors_that_is_cut_may_have_the_person(tmp_path: Path) -> None:
    work = "@article{{a, author={{{}}}, title={{Ice}}, journal={{J}}, year=2020}}"
    for number, signed in enumerate(("Ek, P. and others", "Ek, P.")):
        files = {**resume(), "a.bib": work.format(signed)}
        _, left = imported(tmp_path / f"{number}", files)
        assert ("the list of authors ends with" in left["@article{a}.title"]) is (number == 0)


def test_initials_in_capitals_are_no_title_and_initials_at_the_end_are_turned(
    tmp_path: Path,
) -> None:
    authors = "Sand, Mira and Bergman, MR and Morozov K.M. and Belonovskii A. V. and Berg, Dr. Eva"
    work = f"@article{{a, title={{Ice}}, author={{{authors}}}, journal={{J. Ice}}, year=2020}}"
    cv, _ = imported(tmp_path, {**resume(work=[]), "works.bib": work})
    names = ["Mira Sand", "MR Bergman", "K.M. Morozov", "A. V. Belonovskii", "Eva Berg"]
    assert cv["publications"][0]["authors"] == names


def test_an_entry_without_a_position_below_a_title_of_its_own_is_no_job(tmp_path: Path) -> None:
    entry = {"name": "Nordic Sand Network", "date": "2018-01-01", "issuer": "Sand Society"}
    title = "Experiences and Positions"
    job = {"organization": "Stone", "position": "Digger", "startDate": "2019", "endDate": "2020"}
    cv, left = imported(tmp_path, resume(**{title: [entry], "Work Experience": [job]}))
    expected = {"name": entry["name"], "date": entry["date"], "summary": entry["issuer"]}
    assert cv["sections"] == [{"title": title, "entries": [expected]}]
    assert cv["work"] == [job]
    assert not left


def test_an_address_of_a_publisher_is_no_name_and_no_place_of_the_conference(
    tmp_path: Path,
) -> None:
    press = "SANDPRESS ONE RIVER PLAZA, SUITE 7, OSLO, NORWAY"
    work = "@inproceedings{a, title={Ice}, author={Sand, Mira}, booktitle={SAND DAYS}, year=2020"
    cv, left = imported(tmp_path, {**resume(), "a.bib": f"{work}, organization={{{press}}}}}"})
    assert "publisher" not in cv["publications"][0]
    assert left == {"@inproceedings{a}.organization": "no name of a publisher"}
    texts = [path.read_text("utf-8") for path in tmp_path.rglob("venues.yaml")]
    assert [text for text in texts if "OSLO" in text] == []


def test_journals_of_one_name_with_two_issns_get_none(tmp_path: Path) -> None:
    fields = "author={Sand, Mira}, year=2020, journal={River Letters}"
    works = "".join(
        f"@article{{{key}, title={{{title}}}, issn={{{issn}}}, {fields}}}\n"
        for key, title, issn in (("a", "Ice", "1234-5679"), ("b", "Silt", "2049-3630"))
    )
    cv, left = imported(tmp_path, {**resume(), "a.bib": works})
    assert "issn" not in str(cv["publications"])
    assert len(left) == 2


def test_an_entry_of_a_sample_with_its_placeholder_address_is_a_sample(tmp_path: Path) -> None:
    sample = {"name": "Quantum Information", "issuer": "Stanford University", "date": "2021"}
    own = {"name": "Sieving", "date": "2018-01-01", "url": "https://example.com"}
    entries = [{**sample, "url": "https://example.com"}, own]
    cv, left = imported(tmp_path, resume(certificates=entries))
    assert [each["name"] for each in cv["certificates"]] == ["Sieving"]
    assert left == {"certificates[0].name": "sample value of the theme"}


def test_an_account_in_two_files_of_al_folio_is_one_and_unknown_accounts_are_listed(
    tmp_path: Path,
) -> None:
    accounts = "scholar_userid: qABC\nscopus_id: 123456\nwhatsapp_number: 4670123456\n"
    config = f"first_name: Mira\nlast_name: Sand\nscholar: {{last_name: [Sand]}}\n{accounts}"
    address = "https://scholar.google.com/citations?user=qABC&hl=en"
    cv_file = rendercv("Skills: [Sieving]")["cv.yaml"].replace(
        "  sections",
        f"  custom_connections: [{{placeholder: Scholar, url: '{address}'}}]\n  sections",
    )
    cv, left = imported(tmp_path, {"_config.yml": config, "_data/cv.yml": cv_file})
    assert cv["basics"]["profiles"] == [{"network": "google-scholar", "username": "qABC"}]
    assert {"scopus_id", "whatsapp_number"} <= {*left}


def test_a_publisher_with_an_event_and_an_unknown_level_are_listed(tmp_path: Path) -> None:
    work = {"name": "Ice", "publisher": "Springer International (Waina-33)", "releaseDate": "2020"}
    skill = {"name": "Sand", "level": "Master"}
    cv, left = imported(tmp_path, resume(publications=[work], skills=[skill]))
    assert "publisher" not in cv["publications"][0]
    assert cv["skills"] == [{"name": "Sand"}]
    assert {"publications[0].publisher", "skills[0].level"} <= {*left}


@pytest.mark.parametrize("author", ["Sant, Mira", "Sand, Marta", "Stone, Mira"])
def test_a_similar_name_of_an_author_is_told(author: str, tmp_path: Path) -> None:
    fields = "journal={J. Ice}, year=2020"
    works = f"@article{{a, title={{Ice}}, author={{{author}}}, {fields}}}"
    works += f"@article{{b, title={{Silt}}, author={{Sand, Mira}}, {fields}}}"
    _, left = imported(tmp_path, {**resume(), "a.bib": works})
    assert ("similar name" in left["@article{a}.title"]) == ("Stone" not in author)


def test_a_place_is_no_employer_and_no_kind_of_work(tmp_path: Path) -> None:
    cv, left = imported(
        tmp_path,
        rendercv("""
Experience:
  - {company: Diseñadora Independiente, position: Draws, start_date: 2018, end_date: 2019}
  - {company: Freelance / Self-Employed, position: Potter, start_date: 2018, end_date: 2019}
  - {company: Delta Works, position: Digger, location: Hill Museum, start_date: 2017}
  - {company: Delta Works, position: Guard, location: Jülich (Hybrid), start_date: 2015}
  - {company: Hill Museum, position: Guard, location: 온라인, start_date: 2014}
        """),
    )
    assert [job.get("location") for job in cv["work"]] == [None, None, None, "Jülich", None]
    assert [job.get("organization") for job in cv["work"]][:3] == [None, None, "Delta Works"]
    assert sorted(left.values()) == ["an organization, not a place", *["not a place"] * 2]
