"""What is wrong with the data of a page is reported by rule and place; what is right is not."""

from __future__ import annotations

import json

import pytest

from kg.errors import Problem
from kg.plugins.audit.audit import audit

PERSON = {
    "@context": "https://schema.org",
    "@type": "Person",
    "name": "Ada Berg",
    "url": "https://ada.example.org/",
    "sameAs": "https://orcid.org/0000-0002-1825-0097",
    "image": "https://ada.example.org/ada.jpg",
    "description": "Studies rivers.",
}
BODY = "<body><h1>Ada Berg</h1> Professor, Northfjord University <a href='mailto:ada@example.org'>"


def script(text: str, body: str = BODY) -> list[Problem]:
    page = f'<!doctype html>\n<script type="application/ld+json">\n{text}\n</script>{body}'
    return audit(page.encode(), "page.html")


def of_person(**changes: object) -> list[Problem]:
    return script(json.dumps(PERSON | changes))


def shown(problems: list[Problem]) -> list[str]:
    return [f"{each.place.line}:{each.place.column} {each.rule}" for each in problems]


def rules(problems: list[Problem]) -> list[str]:
    return [each.rule for each in problems]


def test_a_good_page_has_no_problem() -> None:
    assert of_person() == []


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('{"a": 1,}', "3:9", "comma"),
        ('{"a": "b" "c": 1}', "3:11", "a comma is missing"),
        ("{'a': 1}", "3:2", "double quotes"),
        ("{a: 1}", "3:2", "double quotes"),
        ('{"a": }', "3:7", "missing value"),
        ('{"a": "x\ny"}', "3:9", "line break"),
        ('{"a": "x\\qy"}', "3:9", "backslash"),
        ('{"a": {{ site.name }}}', "3:7", "template"),
        ('<!-- {"a": 1} -->', "3:1", "comments"),
        ('{"a": 1} {"b": 2}', "3:10", "after the end"),
        ('{"a": 1', "4:1", "ends"),
        ('{"a": 01}', "3:7", "not a value"),
        ("[" * 200, "3:102", "nested"),
    ],
)
def test_what_is_no_json_is_said_at_its_place(text: str, place: str, says: str) -> None:
    [problem] = script(text)
    assert (problem.rule, problem.severity) == ("json", "error")
    assert f"{problem.place.line}:{problem.place.column}" == place
    assert says in problem.message


@pytest.mark.parametrize(
    ("changes", "rule", "says"),
    [
        ({"@type": "Persn"}, "unknown-type", "'Person'"),
        ({"@type": "person"}, "unknown-type", "'Person'"),
        ({"alumniof": "MIT"}, "unknown-property", "'alumniOf'"),
        ({"Name": "Ada Berg"}, "unknown-property", "'name'"),
        ({"headline": "Ada Berg"}, "wrong-class", "CreativeWork"),
        ({"birthDate": "5 March 1980"}, "no-date", "1980-03-05"),
        ({"birthDate": "1980-02-30"}, "no-date", "2026-03-05"),
        ({"url": "/about"}, "relative-address", "https://"),
        ({"url": "http://localhost:4000/"}, "local-address", "local address"),
        ({"@id": "people/ada"}, "relative-address", "@id"),
        ({"jobTitle": ""}, "empty-value", "'jobTitle'"),
        ({"jobTitle": "{{ page.job }}"}, "template-text", "template"),
        ({"description": "Rivers &amp; lakes"}, "escaped-text", "&amp;"),
        ({"email": "berg@home.example.org"}, "private", "e-mail address"),
        ({"jobTitle": "Dean"}, "unseen", "'Dean'"),
        ({"colleagues": "Bo"}, "replaced-term", "'colleague'"),
        ({"@context": "https://schema.org/Person"}, "context", "https://schema.org."),
        ({"image": "http://ada.example.org/ada.jpg"}, "mixed-schemes", "http:"),
    ],
)
def test_a_fault_is_named(changes: dict[str, object], rule: str, says: str) -> None:
    problems = of_person(**changes)
    [problem] = [each for each in problems if each.rule == rule]
    assert says in problem.message


@pytest.mark.parametrize(
    "changes",
    [
        {"@context": "http://schema.org/"},
        {"@context": ["https://schema.org", {"foaf": "http://xmlns.com/foaf/0.1/"}], "foaf:age": 3},
        {"@context": {"@vocab": "https://schema.org/", "cv": "https://x.org/#"}, "cv:job": "a"},
        {
            "@context": {"s": "https://schema.org/"},
            "@type": "s:Person",
            "s:name": "Ada Berg",
            "odd": 1,
        },
        {"@context": "https://www.w3.org/ns/activitystreams", "inbox": "x", "@type": "Persona"},
        {"deathDate": "1980"},
        {"deathDate": "1980-05"},
        {"email": "ada@example.org"},
        {"email": "mailto:ada@example.org"},
        {"jobTitle": "PROFESSOR"},
        {"@id": "#me"},
        {"worksFor": {"@type": "Organization", "name": "Northfjord University"}},
        {"alumniOf": {"@type": "OrganizationRole", "alumniOf": {"@id": "#u"}, "roleName": "x"}},
        {"potentialAction": {"@type": "SearchAction", "query-input": "required name=q"}},
        {"mainEntityOfPage": {"@type": "WebPage", "@id": "https://ada.example.org/"}},
        {"additionalType": ["Person", "Professor"]},
    ],
)
def test_what_is_right_is_not_reported(changes: dict[str, object]) -> None:
    assert [each for each in of_person(**changes) if each.severity != "info"] == []


def test_a_script_without_a_context_says_nothing() -> None:
    assert rules(script('{"@type": "Person", "name": "Ada Berg"}')) == ["context"]


def test_a_key_that_stands_twice_is_reported() -> None:
    assert "twice" in rules(script('{"@context": "https://schema.org", "name": 1, "name": 2}'))


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"@type": "Event", "name": "Ada Berg"}, "'startDate' and 'location'"),
        ({"@type": "Dataset", "name": "Ada Berg", "description": "short"}, "50 to 5000"),
        ({"@type": "BreadcrumbList", "itemListElement": []}, "two steps"),
        ({"@type": "ProfilePage", "name": "Ada Berg"}, "'mainEntity'"),
    ],
)
def test_what_search_engines_ask_for_is_missed(item: dict[str, object], says: str) -> None:
    problems = script(json.dumps({"@context": "https://schema.org", **item}))
    assert any(each.rule == "incomplete" and says in each.message for each in problems)


def test_of_several_people_one_is_the_main_entity() -> None:
    two = [PERSON, PERSON | {"name": "Professor"}]
    assert rules(script(json.dumps(two))) == ["several-people"]
    page = {"@context": "https://schema.org", "@type": "ProfilePage", "mainEntity": PERSON}
    page["dateModified"] = "2026"
    assert rules(script(json.dumps([page, two[1]]))) == []


def test_microdata_are_judged() -> None:
    page = b"""<div itemscope itemtype="http://schema.org/Persn">
<p itemprop="nme">Ada<p itemprop="worksFor" itemscope itemtype="https://schema.org/Organization">
<b itemprop="jobTitle">Dean</b></div><i itemscope itemtype="http://data-vocabulary.org/x">
<b itemprop="y">"""
    assert shown(audit(page, "page.html")) == [
        "1:1 unknown-type",
        "2:1 unknown-property",
        "3:1 wrong-class",
    ]


def test_rdfa_is_judged_and_open_graph_left_alone() -> None:
    page = b"""<meta property="og:title"><div vocab="https://schema.org/" typeof="Person">
<b property="nam">Ada</b><div property="worksFor" typeof="Organization">
<i property="jobTitle">Dean</i></div></div><div typeof="foaf:Person"><b property="foaf:nme">"""
    assert shown(audit(page, "page.html")) == [
        "1:27 recommended",
        "1:27 incomplete",
        "2:1 unknown-property",
        "3:1 wrong-class",
    ]


def test_a_page_without_data_is_told_once_unless_it_leads_elsewhere() -> None:
    assert rules(audit(b"<p>Ada", "page.html")) == ["no-data"]
    assert audit(b"<meta http-equiv=refresh content='0; url=x'>", "page.html") == []


def test_an_address_that_is_none_ends_nothing() -> None:
    page = b"<link rel=canonical href='https://[x'><div itemscope itemid='https://[y'>"
    assert audit(page, "page.html") == []


def test_what_is_too_large_is_not_read() -> None:
    assert rules(audit(b"<" * 10_000_001, "page.html")) == ["too-large"]
