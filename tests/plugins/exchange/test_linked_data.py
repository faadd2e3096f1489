"""RDF as an import: what this program publishes is read back, nothing is fetched, and what grows or
is nested without end is refused.
"""

from __future__ import annotations

from typing import Any

import pytest

from kg.check.check import good
from kg.facts.yaml.reader import read
from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.readers.linked_data import FORMAT
from kg.plugins.exchange.source_files import NotImported, SourceFile
from tests.conftest import copy_of_example

PREFIXES = "@prefix s: <https://schema.org/> . @prefix f: <http://xmlns.com/foaf/0.1/> .\n"


def source(text: str, name: str = "me.ttl") -> SourceFile:
    return SourceFile(name, name, text.encode())


def drafts(text: str, name: str = "me.ttl") -> list[Draft]:
    return list(FORMAT.read(source(text, name)))


@pytest.fixture(scope="module")
def ada(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Draft]:
    """The CV of the example, and what is read from the graph of the site."""
    example = copy_of_example(tmp_path_factory.mktemp("example"))
    found = drafts(good(example).nquads.decode(), "dump.nq")
    row, _ = read("ada", (example / "data/cv/ada-lindqvist.yaml").read_bytes())
    assert row is not None
    return row, next(draft for draft in found if draft.name == "Ada Lindqvist")


def test_what_both_sides_say_of_a_person_comes_back(ada: tuple[dict[str, Any], Draft]) -> None:
    written, draft = ada
    basics = draft.cv["basics"]
    for name in ("name", "givenName", "familyName", "pronouns", "summary", "url", "alternateNames"):
        assert basics[name] == written["basics"][name]
    assert basics["label"] == written["basics"]["label"]["en"]
    assert basics["profiles"][0]["network"] == "github"


def test_roles_of_our_own_classes_are_listed(ada: tuple[dict[str, Any], Draft]) -> None:
    _, draft = ada
    assert "work" not in draft.cv
    assert draft.cv["education"] == [{"institution": "Northfjord University"}]
    assert {"Lecturer", "Parental leave", "SFS-42"} <= {str(left.value) for left in draft.left}


@pytest.mark.parametrize(("section", "number"), [("publications", 8), ("awards", 2)])
def test_every_entry_of_a_list_comes_back(
    section: str, number: int, ada: tuple[dict[str, Any], Draft]
) -> None:
    _, draft = ada
    assert len({str(each["title"]) for each in draft.cv[section]}) == number


def test_a_page_about_a_person_tells_whose_cv_it_is() -> None:
    text = (
        PREFIXES
        + '<> a s:ProfilePage; s:mainEntity <#b> . <#a> a s:Person; s:name "A"; s:jobTitle "X".'
    )
    (draft,) = drafts(text + ' <#b> a s:Person; s:name "B B".')
    assert draft.name == "B B"


def test_a_profile_keeps_its_friends_projects_and_pages() -> None:
    text = """<#a> a f:Person; f:name "Ada Berg";
      f:mbox <mailto:a@example.org>, <mailto:b@example.org>;
      f:knows <https://kim.example.org/#me>, [a f:Person; f:givenName "Lu"; f:familyName "Wen"];
      f:currentProject [f:name "Ice choir"; f:homepage <https://choir.example.org/>];
      f:workplaceHomepage <https://frost.example.org/>; f:weblog <https://blog.example.org/>;
      f:interest <http://dbpedia.org/resource/Sea_ice>; s:memberOf "Ice Society";
      s:affiliation "Frost University", "Snow College"; s:colleague [s:name "Kim Osei"] .
    """
    (draft,) = drafts(PREFIXES + text)
    cv, basics = draft.cv, draft.cv["basics"]
    assert basics["email"] == ["a@example.org", "b@example.org"]
    assert [each["label"] for each in basics["profiles"]] == ["Blog", "Workplace"]
    assert cv["projects"] == [{"name": "Ice choir", "url": "https://choir.example.org/"}]
    assert cv["interests"] == ["Sea ice"]
    assert cv["memberships"] == [{"organization": "Ice Society"}]
    sections = {each["title"]: each["entries"] for each in cv["sections"]}
    assert sections["Affiliations"] == ["Snow College"]
    friends = ["https://kim.example.org/#me", {"name": "Lu Wen"}, {"name": "Kim Osei"}]
    assert sections["People I know"] == friends
    assert not draft.left


def test_values_of_inner_nodes_are_listed() -> None:
    text = '<#a> a f:Person; f:name "Ada Berg"; s:owns [s:name "Boat"; s:color "red"] .'
    (draft,) = drafts(PREFIXES + text)
    assert {str(left.value) for left in draft.left} == {"Boat", "red"}


def test_friends_are_no_owners() -> None:
    text = '<#a> a f:Person; f:name "Ada Berg"; f:knows [a f:Person; f:name "Kim"; f:nick "k"] .'
    assert [draft.name for draft in drafts(PREFIXES + text)] == ["Ada Berg"]


def test_a_file_without_people_is_refused_in_words() -> None:
    with pytest.raises(NotImported, match="no person is described"):
        drafts(PREFIXES + '<#a> a s:Organization; s:name "Ice Ltd" .')


def test_entities_that_grow_are_refused() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    text = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "ice">{entities}]><r>&e9;</r>'
    with pytest.raises(NotImported, match="entity 'e1'"):
        drafts(text, "foaf.rdf")


def test_entities_from_elsewhere_are_refused() -> None:
    text = '<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>'
    with pytest.raises(NotImported, match="entity 'e'"):
        drafts(text, "foaf.rdf")


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rdf", "<a>" * 100_000),
        ("a.jsonld", '{"@context": {}, "a":' * 50_000 + "1" + "}" * 50_000),
        ("a.ttl", "<a> <b> " + "[ <c> " * 50_000 + "1" + " ]" * 50_000 + " ."),
        ("a.ttl", "<a> <b>"),
    ],
)
def test_what_is_nested_or_broken_is_refused_in_words(name: str, text: str) -> None:
    with pytest.raises(NotImported):
        drafts(text, name)


def test_a_page_without_data_says_what_is_read() -> None:
    page = source("<!doctype html><html><body>Ada</body></html>", "index.html")
    found = detect_format(page)
    assert found is not None and found.name == "html"
    with pytest.raises(NotImported, match="no JSON-LD"):
        list(found.read(page))


def test_a_template_of_a_page_is_no_json() -> None:
    assert detect_format(source("{% include head.html %}<p>", "index.html")) is not None
