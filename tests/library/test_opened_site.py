"""`kg.open`: people and things as objects, answers as rows, graphs for rdflib."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
import rdflib
from rdflib import Dataset, Literal, URIRef

import kg
from kg.answer_table import MAX_ROWS, AnswerTable
from kg.errors import BadQuery, BadValue, ProblemsFound, SiteNotFound, UnknownName
from kg.graph.build import Graph
from kg.graph.linked_things import PersonThing, RoleThing, Thing, WorkThing
from kg.opened_site import OpenSite
from kg.publish.site import Documents
from kg.vocab import schema
from tests import cases
from tests.conftest import ROOT

PREFIX = "PREFIX schema: <http://schema.org/> PREFIX cv: <https://w3id.org/cv-kg/terms#> "


@pytest.fixture(scope="module")
def site(graph: Graph) -> OpenSite:
    return OpenSite(graph)


@pytest.fixture(scope="module")
def example(small: Documents) -> OpenSite:
    assert isinstance(small.graph, Graph)
    return OpenSite(small.graph)


def rows(answer: AnswerTable | bool | rdflib.Graph) -> AnswerTable:
    assert isinstance(answer, AnswerTable)
    return answer


# Things


def test_a_folder_is_opened() -> None:
    site = kg.open(ROOT / "kg" / "example")
    assert repr(site).startswith("<https://lab.example.org/: ")
    assert site.person("ada-lindqvist").name == "Ada Lindqvist"


def test_what_is_no_site_and_what_has_errors_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(SiteNotFound):
        kg.open(tmp_path)
    broken = cases.site(cases.FOLDER / "ten-mistakes", tmp_path / "mistakes")
    with pytest.raises(ProblemsFound, match="10 errors"):
        kg.open(broken)


@pytest.mark.parametrize(
    "given",
    [
        "alvar-jarl",
        "people/alvar-jarl",
        "people/alvar-jarl#it",
        "https://cv.example.org/people/alvar-jarl",
        "https://cv.example.org/people/alvar-jarl#it",
        "Alvar Jarl",
    ],
)
def test_a_person_is_found_by_slug_address_and_name(given: str, site: OpenSite) -> None:
    person = site.person(given)
    assert (person.address, person.url) == (
        "people/alvar-jarl",
        "https://cv.example.org/people/alvar-jarl",
    )
    assert (str(person), person.has_cv) == ("Alvar Jarl", True)


def test_who_is_unknown_gets_the_nearest(site: OpenSite) -> None:
    with pytest.raises(UnknownName, match="alvar-jarl") as found:
        site.person("alvar-jalr")
    assert "alvar-jarl" in found.value.nearest
    assert isinstance(found.value, LookupError)
    with pytest.raises(UnknownName, match="Closest: orgs/osu"):
        site.thing("orgs/ous")
    with pytest.raises(UnknownName, match="Closest: coauthors"):
        site.ask("coauthor")


def test_publications_are_the_newest_first_with_their_authors_in_order(site: OpenSite) -> None:
    person = site.person("alvar-jarl")
    found = person.publications
    assert len(found) == 23
    assert [each.date or "" for each in found] == sorted(
        (each.date or "" for each in found), reverse=True
    )
    hyfi = next(each for each in found if each.address == "publications/jarl-2022-keel")
    assert hyfi.title.startswith("Hy-Fi: Hybrid Five-Spring Parallel DNN Training")
    assert (hyfi.year, hyfi.date, str(hyfi.venue)) == (2022, "2022-05", "ISC High Performance")
    assert [each.address.removeprefix("people/") for each in hyfi.authors] == [
        "alvar-jarl",
        "a-serura",
        "q-alrinsen",
        "p-kigarve",
        "halvor-sundquist",
        "dk-palme",
    ]
    assert person in hyfi.authors
    assert set(found) <= set(person.works)


def test_a_doi_is_that_of_the_work(site: OpenSite) -> None:
    assert {each.doi for each in site.publications} == {None, "10.5555/MM.2021.3139027"}


def test_jobs_and_studies_are_roles_with_dates_as_they_are_known(site: OpenSite) -> None:
    job, *_ = site.person("alvar-jarl").jobs
    assert (str(job), str(job.organization)) == ("Senior Researcher", "Meridian")
    assert (job.start, job.end, job.is_current) == ("2024-08", None, True)
    study, *_ = site.person("alvar-jarl").studies
    assert (study.start, study.end, study.is_current) == ("2018", "2022", False)
    assert str(study.organization) == "The Orla State University"


def test_a_person_has_the_lists_of_their_page(site: OpenSite) -> None:
    person = site.person("alvar-jarl")
    assert str(person.talks[0]) == "Talk at GTC 2024"
    assert str(person.awards[0]) == "Graduate Research Award"


def test_all_that_is_said_of_a_thing_is_there_by_property(site: OpenSite) -> None:
    osu = site.thing("orgs/osu")
    assert osu.properties["schema:name"] == ["The Orla State University"]
    assert "schema:CollegeOrUniversity" in osu.classes
    assert site.person("alvar-jarl") in osu.inverse["schema:alumniOf"]
    work = site.thing("publications/jarl-2022-keel")
    assert work.properties["cv:year"] == [2022]
    assert work.properties["cv:earliest"] == [datetime.date(2022, 5, 1)]
    assert work.properties["schema:datePublished"] == ["2022-05"]
    assert site.person("alvar-jarl") in work.properties["schema:author"]


def test_an_address_makes_an_object_of_the_class_that_fits(site: OpenSite) -> None:
    kinds = {
        "people/alvar-jarl": PersonThing,
        "publications/jarl-2022-keel": WorkThing,
        "people/alvar-jarl#study-osu-phd": RoleThing,
        "orgs/osu": Thing,
    }
    for address, kind in kinds.items():
        assert type(site.thing(address)) is kind
        assert site.thing(address).address == address
    assert len({site.thing("orgs/osu"), site.thing("https://cv.example.org/orgs/osu#it")}) == 1


def test_the_lists_of_a_site_are_complete_and_by_name(site: OpenSite, graph: Graph) -> None:
    assert f"{len(site.people)} people, {len(site.publications)} works" in graph.counts
    assert [str(each) for each in site.people if each.has_cv] == [
        "Alvar Jarl",
        "Mirela Zemann",
        "Sigvard Sunde",
    ]
    for things in (site.organizations, site.venues, site.topics, site.software, site.courses):
        assert len(things) > 3
        assert things == sorted(things)


# Answers


def test_a_question_is_answered_with_rows_of_python_values(example: OpenSite) -> None:
    answer = rows(example.ask("coauthors-of", person="noor-haddad"))
    assert "works" in answer.columns
    assert [row["works"] for row in answer] == [2, 1]  # the patent is apart
    assert len(answer) == 2


def test_a_value_may_be_an_object_of_the_site(example: OpenSite) -> None:
    noor = example.person("Noor Haddad")
    by_slug = rows(example.ask("coauthors-of", person="noor-haddad"))
    assert list(rows(example.ask("coauthors-of", person=noor))) == list(by_slug)


@pytest.mark.parametrize("given", ["nor-haddad", 'x" } #', "\n", "a" * 100_000])
def test_a_value_that_does_not_fit_is_refused(given: str, example: OpenSite) -> None:
    with pytest.raises(BadValue, match="person"):
        example.ask("coauthors-of", person=given)


def test_pandas_takes_an_answer_in_one_call(site: OpenSite) -> None:
    import pandas  # takes a second, which not every worker should spend

    answer = rows(site.ask("coauthors-of", person="alvar-jarl"))
    frame = pandas.DataFrame(answer)
    assert list(frame.columns) == answer.columns
    assert str(frame["works"].dtype) == "int64"
    assert frame["works"].sum() == sum(int(str(row["works"])) for row in answer)
    nothing = rows(site.sparql("SELECT ?x { ?x <x:y> ?z }"))
    assert list(pandas.DataFrame(nothing, columns=nothing.columns)) == ["x"]


def test_things_in_a_frame_are_shown_by_name_and_can_be_sorted_and_grouped(site: OpenSite) -> None:
    import pandas

    query = f"{PREFIX} SELECT ?venue ?work {{ ?work cv:venue ?venue ; a schema:ScholarlyArticle }}"
    frame = pandas.DataFrame(rows(site.sparql(query)))
    assert "ISC High Performance" in str(frame.sort_values("venue").to_csv())
    assert frame.groupby("venue").count().loc[site.thing("venues/isc"), "work"] >= 2


def test_values_have_the_types_of_python(site: OpenSite) -> None:
    query = """SELECT * { VALUES (?int ?real ?yes ?day ?month ?text ?page ?wrong) {
      (7 0.5 true "2024-05-17"^^<http://www.w3.org/2001/XMLSchema#date>
       "2024-05"^^<http://www.w3.org/2001/XMLSchema#gYearMonth> "è"@fr <https://example.org/>
       "2024-99-99"^^<http://www.w3.org/2001/XMLSchema#date>) (UNDEF 1e3 UNDEF UNDEF UNDEF
       UNDEF <orgs/osu#it> UNDEF) } }"""
    first, second = rows(site.sparql(query))
    assert list(first.values()) == [
        7,
        0.5,
        True,
        datetime.date(2024, 5, 17),
        "2024-05",
        "è",
        "https://example.org/",
        "2024-99-99",
    ]
    assert (second["int"], second["real"], second["page"]) == (None, 1000.0, site.thing("orgs/osu"))


def test_an_answer_is_shown_as_a_table(example: OpenSite) -> None:
    query = f"{PREFIX} SELECT ?person ?n {{ ?person a cv:Owner BIND(2 AS ?n) }} ORDER BY ?person"
    answer = rows(example.sparql(query))
    assert repr(answer).splitlines() == [
        "person          n",
        "--------------  -",
        "Ada Lindqvist   2",
        "Tomás Ferreira  2",
    ]
    link = '<a href="https://lab.example.org/people/ada-lindqvist">Ada Lindqvist</a>'
    assert link in answer._repr_html_()
    assert repr(answer[:1]).count("\n") == 2


def test_nothing_in_an_answer_is_markup_or_commands_a_terminal(site: OpenSite) -> None:
    answer = rows(site.sparql("SELECT ('<script>\x1b[2J' AS ?x) {}"))
    assert "&lt;script&gt;" in answer._repr_html_()
    assert "\x1b" not in repr(answer)


def test_a_long_answer_says_how_long_it_is(site: OpenSite) -> None:
    answer = rows(site.sparql("SELECT ?s { ?s ?p ?o } LIMIT 1000"))
    assert repr(answer).endswith(f"1,000 rows; the first {MAX_ROWS} are shown.")
    assert len(repr(answer).splitlines()) == MAX_ROWS + 3
    assert answer._repr_html_().count("<tr>") == MAX_ROWS + 1


def test_what_nothing_uses_is_hinted_at(site: OpenSite) -> None:
    answer = rows(site.sparql(f"{PREFIX} SELECT ?x {{ ?x schema:nmae ?y }}"))
    assert repr(answer).splitlines()[2:] == [
        "No rows.",
        "Hint: No triple uses schema:nmae. Did you mean schema:name?",
    ]


def test_a_truth_and_a_graph_are_those_of_python_and_rdflib(site: OpenSite) -> None:
    assert site.sparql(f"{PREFIX} ASK {{ <people/alvar-jarl#it> a cv:Owner }}") is True
    assert site.sparql("ASK { <x:a> <x:b> <x:c> }") is False
    graph = site.sparql("DESCRIBE <orgs/osu#it>")
    assert isinstance(graph, rdflib.Graph)
    osu = URIRef("https://cv.example.org/orgs/osu#it")
    assert graph.value(osu, URIRef(schema.name)) == Literal("The Orla State University")


@pytest.mark.parametrize(
    "query", ["SELECT", "SELECT * { SERVICE <http://127.0.0.1/> {} }", "CLEAR ALL", ""]
)
def test_what_is_no_query_is_refused(query: str, site: OpenSite) -> None:
    with pytest.raises(BadQuery):
        site.sparql(query)


def test_the_questions_are_listed_in_words(site: OpenSite) -> None:
    assert len(site.questions) >= 32
    assert site.questions["coauthors-of"].startswith("Who has this person written")


# rdflib 7.6 warns of its own use of what it deprecates, whenever a Dataset is parsed or asked.
@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
def test_the_graph_is_a_dataset_whose_default_graph_is_everything(
    example: OpenSite, small: Documents
) -> None:
    dataset = example.graph
    assert isinstance(dataset, Dataset)
    assert len(set(dataset.triples((None, None, None)))) == small.graph.nquads.count(b"\n")
    ada = URIRef(f"{small.base}people/ada-lindqvist#it")
    assert dataset.value(ada, URIRef(schema.name)) == Literal("Ada Lindqvist")
    found = dataset.query("SELECT ?name { ?person foaf:made ?work ; schema:name ?name }")
    assert "Ada Lindqvist" in {str(row[0]) for row in found}  # type: ignore[index]
