"""What we read of each source, and what a change of theirs does: one sentence, never a wrong fact.

The records are hand-written readings of the recorded answers, field by field.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from kg.plugins.sources.arxiv import Arxiv
from kg.plugins.sources.client import Client
from kg.plugins.sources.crossref import Crossref
from kg.plugins.sources.datacite import DataCite
from kg.plugins.sources.dblp import Dblp
from kg.plugins.sources.doi import Doi
from kg.plugins.sources.found import FreeCopy, NotFetched, Record, Update
from kg.plugins.sources.openalex import OpenAlex
from kg.plugins.sources.orcid import Orcid
from kg.plugins.sources.ror import Ror
from kg.plugins.sources.zotero import Zotero
from tests.plugins.sources.recorded_server import RecordedServer

HANA = {"as": "Hana Lind", "orcid": "0000-0002-1825-0097"}
KIM = {"as": "Kim Osei", "orcid": "0000-0001-5109-3700"}
ORCID = {"orcid": "0000-0002-1825-0097"}
Read = Callable[[Client], list[Any]]


def orcid(client: Client) -> list[Any]:
    source = Orcid(client)
    return [source.record(ORCID["orcid"])[0], *source.works_of(ORCID)]


def openalex(client: Client) -> list[Any]:
    source = OpenAlex(client)
    client.variables = {**client.variables, "OPENALEX_KEY": "k"}
    return [source.person({"openalex": "A5000000001"}), *source.works(ICE_RIVER)]


def dblp(client: Client) -> list[Any]:
    source, known = Dblp(client), {"dblp": "pid/55/1-1"}
    return [source.person(known), *source.works_of(known)]


ICE_RIVER = ["10.5555/ice.1", "10.5555/river.2"]
SOURCES: dict[str, tuple[str, Read]] = {
    "orcid": ("pub.orcid.org", orcid),
    "crossref": ("api.crossref.org", lambda client: [*Crossref(client).works_of(ORCID)]),
    "datacite": ("api.datacite.org", lambda client: [*DataCite(client).works(["10.5555/data.3"])]),
    "doi": ("doi.org", lambda client: [*Doi(client).works(["10.5555/snow.6"])]),
    "openalex": ("api.openalex.org", openalex),
    "ror": ("api.ror.org", lambda client: [Ror(client).organization("01aa11b23")]),
    "arxiv": ("export.arxiv.org", lambda client: [*Arxiv(client).numbered(["2301.00001"])]),
    "dblp": ("dblp.org", dblp),
    "zotero": ("api.zotero.org", lambda client: [*Zotero(client).library("groups/55")]),
}
# A field that is read -> the name in the message if it is missing or of another type.
NEEDED = {
    "orcid": ["orcid-identifier.path", "person", "activities-summary", "bulk"],
    "crossref": ["message.items", "message.items.0.DOI", "message.items.0.type"],
    "datacite": [
        "data",
        "data.0.attributes",
        "data.0.attributes.doi",
        "data.0.attributes.creators",
    ],
    "doi": ["type"],
    "openalex": ["results", "results.0.id", "results.0.authorships", "results.0.is_retracted"],
    "ror": ["id", "names"],
}
OPTIONAL = {
    "orcid": [
        f"bulk.0.work.{name}" for name in ("title", "type", "publication-date", "contributors")
    ],
    "crossref": [
        f"message.items.0.{name}"
        for name in ("title", "author", "issued", "container-title", "volume", "page", "license")
    ],
    "datacite": [
        f"data.0.attributes.{name}" for name in ("titles", "dates", "types", "rightsList")
    ],
    "doi": ["author", "issued"],
    "openalex": [
        f"results.0.{name}"
        for name in ("title", "publication_date", "primary_location", "biblio", "best_oa_location")
    ],
    "ror": ["locations", "links", "types"],
}
MUTANTS = 12  # of each answer
WRONG: tuple[Any, ...] = (None, 7, True, "x", [], {}, [7], {"a": 7}, ["x"], [[]], [{}])


def at(tree: Any, path: str) -> tuple[Any, Any]:
    """The container of a field, and its name there; (None, None) in answers without it."""
    *above, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in above:
        try:
            tree = tree[part]
        except (KeyError, IndexError, TypeError):
            return None, None
    return (tree, last) if last in (tree if isinstance(tree, dict) else ()) else (None, None)


def changed(server: RecordedServer, host: str, path: str, value: Any) -> int:
    """Changes a field in the recorded answers of a host; how many have it."""
    count = 0

    def change(text: str) -> str:
        nonlocal count
        if not text.startswith("{"):
            return text
        tree = json.loads(text)
        where, name = at(tree, path)
        if where is None:
            return text
        count += 1
        where[name] = value
        return json.dumps(tree)

    server.change(host, change)
    return count


def test_crossref(client: Client) -> None:
    ice, river = Crossref(client).works_of(ORCID)
    assert ice.entry == {
        "kind": "journal",
        "title": "Loud ice",
        "authors": [HANA, "Kim Osei"],
        "date": "2021-05-04",
        "journal": {"name": "Journal of Ice", "issn": "1234-5679"},
        "doi": "10.5555/ice.1",
        "volume": "12",
        "issue": "3",
        "pages": "10-19",
        "publisher": "Ice Press",
    }
    assert ice.also_as == (("doi", "10.5555/ice.1"),)
    assert ice.updates == (Update("correction", "10.5555/ice.1.r", "2023-02-01", "publisher"),)
    assert ice.free_copy is not None
    assert (ice.free_copy.licence, ice.free_copy.version, ice.free_copy.is_pdf) == (
        *("https://creativecommons.org/licenses/by/4.0/", "publishedVersion"),
        True,
    )
    assert [each.kind for each in river.updates] == ["retraction"]
    assert {"organization": "River Group"} in river.entry["authors"]
    assert (ice.origin.source, ice.origin.asked) == ("crossref", "2026-11-19")


def test_datacite(client: Client) -> None:
    data, preprint = DataCite(client).works(
        ["10.5555/data.3", "10.48550/arxiv.2301.00001", "10.5555/snow.6"]
    )
    assert data.entry == {
        "kind": "dataset",
        "title": "Ice sounds of Northfjord",
        "authors": [HANA, "Kim Osei"],
        "date": "2020-06-02",
        "doi": "10.5555/data.3",
        "publisher": "Northfjord Data",
        "language": "en",
        "license": "cc-by-4.0",
    }
    assert data.free_copy is not None
    assert not data.free_copy.is_pdf
    assert dict(preprint.also_as)["arxiv"] == "2301.00001"
    assert preprint.entry["kind"] == "preprint"


@pytest.mark.parametrize(
    ("general", "named", "kind"),
    [
        ("Text", "Thesis", "thesis"),
        ("Text", "BlogPosting", "blog"),
        ("Text", "ConferencePaper", "conference"),
        ("Text", "Journal Article", "journal"),
        ("Text", "Monographie", "book"),
        ("Text", "Paper", "other"),
        ("Text", None, "other"),
        ("Collection", "Project", "other"),
        ("InteractiveResource", "Notebook", "other"),
        ("Preprint", "Text", "preprint"),
    ],
)
def test_a_text_at_datacite_is_an_article_only_if_it_says_so(
    server: RecordedServer, client: Client, general: str, named: str | None, kind: str
) -> None:
    """DataCite calls texts that it does not know `article-journal`, and other things `article`."""
    citeproc = "article-journal" if general == "Text" else "article"
    types = {"resourceTypeGeneral": general, "resourceType": named, "citeproc": citeproc}
    assert changed(server, "api.datacite.org", "data.0.attributes.types", types)
    container = {"type": "Series", "title": "Notes; 34(2)", "volume": "May 2020"}
    changed(server, "api.datacite.org", "data.0.attributes.container", container)
    (found,) = DataCite(client).works(["10.5555/data.3"])
    assert found.entry["kind"] == kind
    assert not {"journal", "conference", "volume"} & found.entry.keys()


def test_a_repository_is_not_the_university_of_a_thesis(
    server: RecordedServer, client: Client
) -> None:
    types = {"resourceTypeGeneral": "Dissertation"}
    changed(server, "api.datacite.org", "data.0.attributes.types", types)
    (found,) = DataCite(client).works(["10.5555/data.3"])
    assert found.entry["institution"] == "Northfjord Data"
    changed(server, "api.datacite.org", "data.0.attributes.publisher", "figshare")
    (found,) = DataCite(client).works(["10.5555/data.3"])
    assert "institution" not in found.entry


def test_a_work_has_the_years_in_print_and_online(server: RecordedServer, client: Client) -> None:
    online, printed = {"date-parts": [[2020, 12, 30]]}, {"date-parts": [[2021]]}
    for name, value in (("published-online", online), ("published-print", printed)):
        server.change(
            "api.crossref.org",
            lambda text, name=name, value=value: text.replace(  # type: ignore[misc]
                '"DOI": "10.5555/ice.1",', f'"{name}": {json.dumps(value)}, "DOI": "10.5555/ice.1",'
            ),
        )
    assert next(Crossref(client).works_of(ORCID)).years == ("2021", "2020")


def test_a_blog_post_is_no_preprint(server: RecordedServer, client: Client) -> None:
    changed(server, "api.crossref.org", "message.items.0.type", "posted-content")
    assert next(Crossref(client).works_of(ORCID)).entry["kind"] == "preprint"
    changed(server, "api.crossref.org", "message.items.0.publisher", "Front Matter")
    assert next(Crossref(client).works_of(ORCID)).entry["kind"] == "blog"


def test_notices_name_the_works_that_they_amend(server: RecordedServer, client: Client) -> None:
    dated = {"updated": {"date-parts": [[2023]]}, "source": "publisher"}
    notice = {"DOI": "10.5555/RIVER.2", "type": "correction", **dated}
    version = {"DOI": "10.5555/ice.1", "type": "new_version", **dated}
    changed(server, "api.crossref.org", "message.items.0.degree", None)
    server.change(
        "api.crossref.org",
        lambda text: text.replace('"updated-by": [', f'"updated-by": [{json.dumps(version)},', 1)
        .replace('"DOI": "10.5555/ice.1",', f'"update-to": {json.dumps([notice, version])}, '
                 '"DOI": "10.5555/ice.1",', 1),
    )  # fmt: skip
    ice, river = Crossref(client).works_of(ORCID)
    assert ice.amends == (Update("correction", "10.5555/river.2", "2023", "publisher"),)
    assert [each.kind for each in ice.updates] == ["correction"], "no version of itself"
    assert ice.preprint == "10.5555/pre.1"
    assert river.amends == ()


@pytest.mark.parametrize(
    ("type_", "kind", "notices"),
    [
        ("conference-paper", "conference", []),
        ("dissertation", "thesis", []),
        ("paratext", "other", []),
        ("erratum", "journal", ["erratum"]),
    ],
)
def test_types_of_openalex(
    server: RecordedServer, client: Client, type_: str, kind: str, notices: list[str]
) -> None:
    changed(server, "api.openalex.org", "results.0.type", type_)
    _, ice, _ = openalex(client)
    assert ice.entry["kind"] == kind
    assert [each.kind for each in ice.amends] == notices


@pytest.mark.parametrize(
    ("written", "date"),
    [("2021-05-04", "2021-05-04"), ("2021-05-01", "2021-05"), ("2021-01-01", "2021")],
)
def test_openalex_has_no_unknown_days(
    server: RecordedServer, client: Client, written: str, date: str
) -> None:
    """It writes the first day for a day or a month that it does not know."""
    changed(server, "api.openalex.org", "results.0.publication_date", written)
    _, ice, _ = openalex(client)
    assert ice.entry["date"] == date


@pytest.mark.parametrize("name", ["Ice Lab", "Department of Ice", "Centre for Ice", "Ice Agency"])
def test_names_of_organisations_are_no_people(
    server: RecordedServer, client: Client, name: str
) -> None:
    creators = [{"name": name, "nameIdentifiers": []}, {"name": "Lind, Hana"}]
    changed(server, "api.datacite.org", "data.0.attributes.creators", creators)
    (found,) = DataCite(client).works(["10.5555/data.3"])
    assert found.entry["authors"] == [{"organization": name}, "Hana Lind"]


def test_openalex(client: Client) -> None:
    person, ice, river = openalex(client)
    basics = person.cv["basics"]
    assert (basics["name"], basics["orcid"]) == ("Hana Lind", ORCID["orcid"])
    assert basics["identifiers"] == {"openalex": "A5000000001"}
    assert dict(ice.also_as)["openalex"].startswith("W")
    assert dict(ice.also_as)["doi"] == "10.5555/ice.1"
    assert ice.entry["authors"][0]["as"] == "Hana Lind"
    assert ice.entry["date"] == "2021-05-04"
    assert isinstance(ice.free_copy, FreeCopy)
    assert river.updates == (Update("retraction", "", "", "openalex"),)


def test_orcid(client: Client) -> None:
    person, *works = orcid(client)
    assert person.cv["basics"]["identifiers"] == {"scopus": "57190000000"}
    assert [each.entry["title"] for each in works] == [
        *("Loud ice", "Rivers that listen", "Ice sounds of Northfjord", "Cold water"),
        *("Quiet ice", "Snow maps of the north", "Field notes"),
    ]
    assert works[0].entry["authors"] == [HANA, KIM]
    assert works[0].origin.address.endswith("/works/11,12,13,14,15,17,18,19")


def test_orcid_numbers_with_a_prefix_and_titles_of_pubmed(
    server: RecordedServer, client: Client
) -> None:
    server.change("/works/11,", lambda text: text.replace('"2301.00001"', '"arXiv:2301.00001v2"'))
    server.change("/works/11,", lambda text: text.replace('"Quiet ice"', '"Quiet winters."'))
    _, *works = orcid(client)
    assert works[4].entry["title"] == "Quiet winters"
    assert works[4].entry["arxiv"] == "2301.00001v2"


def test_dblp(client: Client) -> None:
    person, *works = dblp(client)
    assert person.cv["basics"]["name"] == "Hana Lind"
    assert {each.entry["title"] for each in works} >= {"Loud ice", "Two who share a name"}


def test_arxiv(client: Client) -> None:
    (found,) = Arxiv(client).numbered(["2301.00001"])
    assert found.entry["authors"] == ["Hana Lind", "Mira Sand"]
    assert found.entry["date"] == "2023-01-02"
    assert found.also_as == (("arxiv", "2301.00001"), ("doi", "10.48550/arxiv.2301.00001"))


def test_ror(client: Client) -> None:
    entry = Ror(client).organization("01aa11b23")
    assert (entry["name"], entry["ror"]) == ("Northfjord University", "01aa11b23")
    assert entry["url"].startswith("https://")
    assert Ror(client).number_of("grid", "grid.5555.7") == "02cc22d45"
    assert Ror(client).number_of("fundref", "501100000555") == ""


def read(name: str, client: Client) -> tuple[list[Any], str]:
    """What a source returns, and its message: as an error or a note."""
    try:
        return SOURCES[name][1](client), " ".join(client.notes)
    except NotFetched as error:
        return [], str(error)


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, paths in NEEDED.items() for path in paths]
)
def test_a_field_that_is_missing_is_named(
    server: RecordedServer, client: Client, name: str, path: str
) -> None:
    host, _ = SOURCES[name]
    assert changed(server, host, path, None)
    _, message = read(name, client)
    last = path.rpartition(".")[2]
    assert f"({host}) no longer sends the field " in message
    assert f"{last}' as expected. Update cv-kg, or report this." in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "path"), [(name, path) for name, paths in OPTIONAL.items() for path in paths]
)
def test_a_field_of_another_type_is_named(
    server: RecordedServer, client: Client, name: str, path: str
) -> None:
    """Without a value it is left out; as something else, nothing of the answer is trusted."""
    host, _ = SOURCES[name]
    original = dict(server.answers)
    assert changed(server, host, path, None)
    found, message = read(name, client)
    assert (bool(found), message) == (True, "")
    server.answers = original
    changed(server, host, path, 7)
    _, message = read(name, client)
    last = path.rpartition(".")[2]
    assert f"no longer sends the field '{last}' as expected." in message


def paths(tree: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if not isinstance(tree, dict | list):
        return
    for name, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield (*above, name)
        yield from paths(value, (*above, name))


def mutants(text: str) -> Iterator[str]:
    """The answer with each field in turn replaced by each wrong value, or left out."""
    whole = json.loads(text)
    for number, path in enumerate(paths(whole)):
        tree = deepcopy(whole)
        where = tree
        for part in path[:-1]:
            where = where[part]
        where[path[-1]] = WRONG[number % len(WRONG)]
        yield json.dumps(tree)


@pytest.mark.fuzz
@pytest.mark.sample(test=0.4)
@pytest.mark.parametrize("name", NEEDED)
def test_any_wrong_field_is_a_sentence_or_left_out(
    server: RecordedServer, client: Client, name: str
) -> None:
    """No answer of a source, however odd, ends the program or becomes an entry without a title."""
    host, _ = SOURCES[name]
    count = 0
    for address, answer in list(server.answers.items()):
        if host not in address or not answer.text.startswith("{"):
            continue
        texts = [*mutants(answer.text)]
        for text in texts[:: len(texts) // MUTANTS + 1]:
            server.change(address, lambda _, text=text: text)  # type: ignore[misc]
            found, message = read(name, client)
            client.notes.clear()
            assert found or message
            assert "\n" not in message
            for each in found:
                if isinstance(each, Record) and each.entry:
                    assert each.entry["title"].strip()
            count += 1
        server.answers[address] = answer
    assert count >= MUTANTS / 2


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b"null", b"<a/>", b"<feed", b'{"a": 1', b"\xff"]
)
def test_half_an_answer_is_a_sentence(
    server: RecordedServer, client: Client, name: str, body: bytes
) -> None:
    host, _ = SOURCES[name]
    server.change(host, lambda _: body.decode("utf-8", "replace"))
    found, message = read(name, client)
    assert message or (name == "zotero" and not body.strip()), "an empty library is no fault"
    assert "\n" not in message
    assert found == [] or name == "zotero"
