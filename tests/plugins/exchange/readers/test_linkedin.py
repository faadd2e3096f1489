"""The CSV files of LinkedIn's data export; what is private there stays so."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import SourceFile
from tests.plugins.exchange.readers.reading import cv_of, drafted, left_of

PROFILE = (
    "First Name,Last Name,Maiden Name,Address,Birth Date,Headline,Summary,Industry,Zip Code,"
    "Geo Location,Twitter Handles,Websites,Instant Messengers\n"
    'Mira,Sand,Berg,Stone Street 1,"Mar 14, 1979",Geologist,I like stones.,Mining,0150,'
    '"Oslo, Norway",[mirasand],"[PERSONAL:https://mira.example.org,BLOG:https://b.example.org]",\n'
)


def of(path: str, text: str | bytes) -> Any:
    return cv_of(drafted("linkedin", path, text))


def test_the_profile_keeps_what_is_private() -> None:
    draft = drafted("linkedin", "Profile.csv", PROFILE)
    assert cv_of(draft)["basics"] == {
        "name": "Mira Sand",
        "givenName": "Mira",
        "familyName": "Sand",
        "label": "Geologist",
        "location": "Oslo, Norway",
        "formerNames": [{"name": "Berg", "visibility": "private"}],
        "summary": "I like stones.",
        "birthDate": {"value": "1979-03-14", "visibility": "private"},
        "address": {
            "street": "Stone Street 1",
            "postalCode": "0150",
            "visibility": "private",
        },
        "url": ["https://mira.example.org"],
        "profiles": [
            {"network": "twitter", "username": "mirasand"},
            {"label": "Blog", "url": "https://b.example.org"},
        ],
    }
    assert left_of(draft) == {"Profile[0].Industry": "Mining"}


def test_a_birthday_without_a_year_is_listed() -> None:
    draft = drafted("linkedin", "Profile.csv", PROFILE.replace("Mar 14, 1979", "Mar 14"))
    assert "birthDate" not in cv_of(draft)["basics"]
    assert left_of(draft)["Profile[0].Birth Date"] == "Mar 14"


def test_mail_and_numbers_are_private() -> None:
    mail = of(
        "Email Addresses.csv",
        "Email Address,Confirmed,Primary,Updated On\na@example.org,Yes,Yes,1/1/20\n"
        "b@example.org,Yes,No,1/1/20\n",
    )
    assert mail["basics"]["email"] == [
        {"value": "a@example.org", "visibility": "private"},
        {"value": "b@example.org", "visibility": "private"},
    ]
    phone = of("PhoneNumbers.csv", "Extension,Number,Type\n,+47 22 00 00 00,Mobile\n")
    assert phone["basics"]["phone"] == {
        "value": "+47 22 00 00 00",
        "visibility": "private",
        "label": "Mobile",
    }


def test_a_job_without_an_end_goes_on_and_bullets_are_highlights() -> None:
    text = (
        "Company Name,Title,Description,Location,Started On,Finished On\n"
        'Stone Institute,Researcher,"• Found stones, many\n• Lost some",Oslo,Jun 2019,\n'
        "Gravel Ltd,Assistant,Carried stones.,,2015,Dec 2018\n"
    )
    assert of("Positions.csv", text)["work"] == [
        {
            "organization": "Stone Institute",
            "position": "Researcher",
            "location": "Oslo",
            "startDate": "2019-06",
            "highlights": ["Found stones, many", "Lost some"],
            "endDate": "present",
        },
        {
            "organization": "Gravel Ltd",
            "position": "Assistant",
            "startDate": "2015",
            "endDate": "2018-12",
            "summary": "Carried stones.",
        },
    ]


def test_a_byte_order_mark_and_notes_before_the_columns() -> None:
    text = 'Notes:\n"Some of it may be missing."\n\nName,Proficiency\nNorwegian,Native\n'
    assert of("Languages.csv", b"\xef\xbb\xbf" + text.encode())["languages"] == [
        {"language": "Norwegian", "level": "Native"}
    ]


def test_places_are_those_of_the_lines() -> None:
    text = 'Name,Number\n"Stones,\nold ones",\nSand,G2\n'
    draft = drafted("linkedin", "Courses.csv", text)
    entries = draft.cv["sections"][0]["entries"]
    assert [entries[0].place.line, entries[1]["label"].place.line] == [2, 4]


@pytest.mark.parametrize(
    ("name", "text", "section", "entry"),
    [
        (
            "Education",
            "School Name,Start Date,End Date,Notes,Degree Name,Activities\n"
            "Oslo,2010,2012,,MSc Geology,Choir\n",
            "education",
            {
                "institution": "Oslo",
                "studyType": "MSc Geology",
                "startDate": "2010",
                "endDate": "2012",
                "highlights": ["Choir"],
            },
        ),
        (
            "Certifications",
            "Name,Url,Authority,Started On,Finished On,License Number\n"
            "First aid,https://c.example.org,Red Cross,Feb 2022,Feb 2025,N1\n",
            "certificates",
            {
                "name": "First aid",
                "issuer": "Red Cross",
                "date": "2022-02",
                "endDate": "2025-02",
                "number": "N1",
                "url": "https://c.example.org",
            },
        ),
        (
            "Honors",
            "Title,Description,Issued On\nGolden Hammer,For stones,May 2018\n",
            "awards",
            {"title": "Golden Hammer", "date": "2018-05", "summary": "For stones"},
        ),
        (
            "Projects",
            "Title,Description,Url,Started On,Finished On\nStones,Many,https://s.example.org,2018,\n",
            "projects",
            {
                "name": "Stones",
                "url": "https://s.example.org",
                "startDate": "2018",
                "summary": "Many",
            },
        ),
        (
            "Volunteering",
            "Company Name,Role,Cause,Started On,Finished On,Description\n"
            "Red Cross,Driver,,Jan 2018,Feb 2018,\n",
            "volunteer",
            {
                "organization": "Red Cross",
                "position": "Driver",
                "startDate": "2018-01",
                "endDate": "2018-02",
            },
        ),
        (
            "Organizations",
            "Name,Description,Position,Started On,Finished On\nStone Society,,Fellow,2011,\n",
            "memberships",
            {"organization": "Stone Society", "level": "Fellow", "startDate": "2011"},
        ),
        ("Skills", "Name\nQGIS\n", "skills", {"name": "QGIS"}),
    ],
)
def test_files_and_their_sections(name: str, text: str, section: str, entry: Any) -> None:
    assert of(f"{name}.csv", text)[section] == [entry]


def test_publications_without_authors_stay_under_their_own_title() -> None:
    text = "Name,Published On,Description,Publisher,Url\nStones,Mar 2021,,Stone Press,\n"
    assert of("Publications.csv", text)["sections"] == [
        {
            "title": "Publications",
            "entries": [{"name": "Stones", "organization": "Stone Press", "date": "2021-03"}],
        }
    ]


def test_a_table_of_somebody_else_is_none() -> None:
    source = SourceFile("Positions.csv", "Positions.csv", b"Symbol,Price\nABC,1\n")
    assert detect_format(source) is None


def test_a_zip_file_is_read_without_unpacking(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("Profile.csv", PROFILE)
        packed.writestr("Skills.csv", "Name\nQGIS\n")
        packed.writestr("messages.csv", "FROM,TO,CONTENT\na,b,secret\n")
    found = import_files([path], tmp_path / "site")
    text = found.texts["data/cv/mira-sand.yaml"]
    assert "QGIS" in text and "secret" not in text
    assert [each.partition(": ")[0] for each in found.unread] == [f"{path}/messages.csv"]
    assert not (tmp_path / "site").exists()
