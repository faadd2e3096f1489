"""Reactive Resume and YAMLResume, read with the names of JSON Resume."""

from __future__ import annotations

import json
from typing import Any

from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.readers.json_resume import REACTIVE_RESUME, YAML_RESUME
from kg.plugins.exchange.source_files import SourceFile
from tests.plugins.exchange.readers.reading import cv_of

POINTS = "<ul><li><p>Heard ice</p></li><li><p>Saw <strong>ice</strong></p></li></ul>"
YAML = """\
content:
  basics: {name: Hana Lind, headline: Glaciologist}
  location: {city: Oslo, country: Norway}
  profiles: [{network: GitHub, username: hlind, url: https://github.com/hlind}]
  work:
    - name: Ice Institute
      position: Researcher
      startDate: Sep 1, 2019
      summary: |
        - Heard ice
        - Saw ice
  languages: [{language: German, fluency: Elementary Proficiency, keywords: [TestDaF]}]
locale: {language: en}
"""


def version_4() -> dict[str, Any]:
    job = {
        **{"id": "a", "visible": True, "company": "Ice Institute", "position": "Researcher"},
        **{"date": "June 2019 to Present", "summary": POINTS, "location": "Oslo"},
        "url": {"label": "", "href": "https://ice.example.org/"},
    }
    skill = {"id": "b", "visible": True, "name": "Tools", "description": "Advanced", "level": 0}
    return {
        "basics": {
            **{"name": "Hana Lind", "headline": "Glaciologist", "phone": "123"},
            "url": {"label": "", "href": "https://hana.example.org/"},
            "customFields": [{"name": "Blog", "value": "https://blog.example.org/"}],
            "picture": {"url": "https://hana.example.org/me.jpg", "effects": {"hidden": False}},
        },
        "sections": {
            "summary": {"name": "Summary", "visible": True, "content": "<p>Listens to ice.</p>"},
            "experience": {"visible": True, "items": [job, {**job, "visible": False}]},
            "skills": {"visible": True, "items": [{**skill, "keywords": ["Python", "R"]}]},
            "languages": {"items": [{"name": "German", "description": "B2", "level": 4}]},
            "projects": {"items": [{"name": "Choir", "description": "Lead", "summary": "<p></p>"}]},
            "custom": {
                "x": {"name": "Field work", "items": [{"name": "Svalbard", "date": "2020"}]}
            },
        },
        "metadata": {"template": "onyx"},
    }


def read(text: str, name: str = "resume.json") -> Draft:
    source = SourceFile(name, name, text.encode())
    found = REACTIVE_RESUME if name.endswith("json") else YAML_RESUME
    assert found.matches(source)
    (draft,) = found.read(source)
    return draft


def test_reactive_resume() -> None:
    draft = read(json.dumps(version_4()))
    cv = cv_of(draft)
    assert cv["basics"]["summary"] == "Listens to ice."
    assert cv["basics"]["image"] == "https://hana.example.org/me.jpg"
    assert cv["basics"]["url"] == "https://hana.example.org/"
    assert cv["basics"]["phone"]["visibility"] == "private"
    assert cv["work"] == [
        {
            "organization": "Ice Institute",
            "position": "Researcher",
            "location": "Oslo",
            "url": "https://ice.example.org/",
            "highlights": ["Heard ice", "Saw **ice**"],
            "startDate": "2019-06",
            "endDate": "present",
        }
    ]
    assert cv["skills"] == [{"name": "Tools", "level": "advanced", "keywords": ["Python", "R"]}]
    assert cv["languages"][0]["level"] == "B2"
    assert cv["projects"] == [{"name": "Choir", "summary": "Lead"}]
    assert cv["sections"][0]["title"] == "Field work"
    assert {str(left.value) for left in draft.left if "hidden" in left.why} >= {"Researcher"}


def test_reactive_resume_5() -> None:
    tree = version_4()
    tree["summary"] = {"hidden": False, "content": "<p>Hears ice.</p>"}
    tree["sections"] = {
        "education": {
            "items": [{"school": "Oslo", "degree": "MSc", "period": "2012 - 2014", "grade": "1,3"}]
        }
    }
    tree["customSections"] = [{"title": "Talks given", "items": [{"title": "Ice"}]}]
    cv = cv_of(read(json.dumps(tree)))
    study = {"studyType": "MSc", "institution": "Oslo", "startDate": "2012", "endDate": "2014"}
    assert cv["education"][0].items() >= study.items()
    assert cv["basics"]["summary"] == "Hears ice."
    assert "Ice" in json.dumps(cv)


def test_yaml_resume() -> None:
    draft = read(YAML, "resume.yml")
    cv = cv_of(draft)
    assert cv["basics"]["location"] == "Oslo, Norway"
    assert cv["basics"]["profiles"][0]["network"] == "GitHub"
    assert cv["work"][0]["highlights"] == ["Heard ice", "Saw ice"]
    assert cv["work"][0]["endDate"] == "present"
    assert {str(left.value) for left in draft.left} == {"TestDaF"}
