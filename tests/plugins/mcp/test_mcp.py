"""`kg mcp` does what it promises, by both transports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from kg.publish.questions.questions import questions
from kg.publish.site import Documents
from tests.plugins.mcp.conftest import (
    Agent,
    connected,
    in_this_process,
    message,
    on_standard_input,
    text_of,
)
from tests.stand_ins import with_stand_ins

if TYPE_CHECKING:
    from mcp.types import CallToolResult

BASE = "https://cv.example.org/"
FEW = {"search", "describe", "questions", "ask", "sparql"}


def test_each_question_is_a_tool_and_all_tools_only_read(
    agent: Agent, documents: Documents
) -> None:
    tools = agent.portal.call(agent.client.list_tools).tools
    names = {each.name.replace("-", "_") for each in questions(documents.graph.site)}
    assert len(names) >= 32
    assert {tool.name for tool in tools} == names | FEW
    for tool in tools:
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert tool.description
        assert tool.output_schema


def test_the_schema_of_a_tool_is_made_from_the_header_of_its_question(agent: Agent) -> None:
    tools = agent.portal.call(agent.client.list_tools).tools
    tool = next(tool for tool in tools if tool.name == "coauthors_of")
    assert tool.input_schema["required"] == ["person"]
    person = tool.input_schema["properties"]["person"]
    assert person["type"] == "string"
    assert [with_stand_ins(each) for each in person["examples"]] == ["alvar-jarl"]
    assert "slug, address or exact name of the person" in person["description"]


def test_the_server_says_in_two_sentences_what_it_is(agent: Agent) -> None:
    assert agent.client.instructions is not None
    assert agent.client.instructions.count(". ") == 1
    assert agent.client.server_info is not None
    assert agent.client.server_info.name == "cv-kg"


def test_a_person_is_found_by_words_and_read_with_sources(agent: Agent) -> None:
    found = agent.data("search", words="jarl alv", type="person")
    assert [each["address"] for each in found["found"]] == [f"{BASE}people/alvar-jarl"]
    assert found["total"] == 1
    assert f"{BASE}sources/alvar-jarl-cv-2025-06" in {each["address"] for each in found["sources"]}


@pytest.mark.parametrize(
    "name",
    [
        "alvar-jarl",
        "people/alvar-jarl",
        f"{BASE}people/alvar-jarl",
        f"{BASE}people/alvar-jarl#it",
        f"{BASE}people/alvar-jarl.ttl",
        "Alvar Jarl",
    ],
)
def test_a_thing_is_described_whatever_it_is_called(agent: Agent, name: str) -> None:
    found = agent.data("describe", thing=name, section="positions")
    assert found["address"] == f"{BASE}people/alvar-jarl"
    assert "schema:Person" in found["types"]
    assert "Applied Scientist 2" in found["text"]
    assert f"[Meridian]({BASE}orgs/meridian)" in found["text"]
    assert f"{BASE}orgs/meridian" in {each["address"] for each in found["documents"]}
    assert f"{BASE}sources/alvar-jarl-homepage" in {each["address"] for each in found["sources"]}


def test_a_long_page_is_cut_and_names_its_sections(agent: Agent) -> None:
    result = agent.call("describe", thing="mirela-zemann")
    assert tokens(result) < 2_000
    assert "Other sections, to read with section: " in text_of(result)
    assert "Publications" in text_of(result)
    section = agent.data("describe", thing="mirela-zemann", section="publications")
    assert section["text"].startswith("## Publications")
    assert len(section["text"]) > 10_000
    assert "Sections: " in agent.refused("describe", thing="mirela-zemann", section="no such")
    whole = agent.read(f"{BASE}people/mirela-zemann")
    assert (whole[0], len(whole[1]) > 32_000) == ("text/markdown", True)


def tokens(result: CallToolResult) -> float:
    """What an agent reads of an answer: the text, or the data."""
    return max(len(text_of(result)), len(json.dumps(result.structured_content))) / 4


@pytest.mark.parametrize("value", ["alvar-jarl", f"{BASE}people/alvar-jarl", "Alvar Jarl"])
def test_a_question_is_answered_with_the_documents_it_speaks_of(agent: Agent, value: str) -> None:
    result = agent.call("ask", question="coauthors-of", values={"person": value}, limit=100)
    found = result.structured_content
    assert found["total"] == len(found["rows"]) > 20
    cited = {each["address"] for each in found["documents"]}
    assert {f"{BASE}people/alvar-jarl", f"{BASE}people/dk-palme"} <= cited
    assert f"{BASE}sources/alvar-jarl-homepage" in {each["address"] for each in found["sources"]}
    for address in (*cited, *(each["address"] for each in found["sources"])):
        assert f"<{address}>" in text_of(result)


def test_a_count_cites_the_page_of_its_question(agent: Agent) -> None:
    found = agent.data("papers_per_year")
    assert {"year": 2019, "works": 10} in found["rows"]
    assert found["page"] == f"{BASE}queries/papers-per-year"


def test_every_question_is_answered_by_its_examples_and_cites_documents(agent: Agent) -> None:
    tools = agent.portal.call(agent.client.list_tools).tools
    without = set()
    for tool in tools:
        fields = tool.input_schema["properties"]
        given = json.loads(
            with_stand_ins(
                json.dumps(
                    {
                        name: each["examples"][0]
                        for name, each in fields.items()
                        if "examples" in each
                    }
                )
            )
        )
        if tool.name not in FEW:
            found = agent.data(tool.name, **given)
            assert found["page"].startswith(f"{BASE}queries/")
            without |= set() if found["documents"] else {tool.name}
    assert without == set()


def test_a_whole_number_is_one_however_it_is_written(agent: Agent) -> None:
    found = [agent.data("yearly_report", year=year)["rows"] for year in (2022, 2022.0)]
    assert found[0]
    assert found[0] == found[1]


def test_sparql_gives_tables_verdicts_and_graphs(agent: Agent) -> None:
    query = (
        "PREFIX schema: <http://schema.org/> {} {{ <people/alvar-jarl#it> schema:worksFor ?org }}"
    )
    table = agent.data("sparql", query=query.replace("{}", "SELECT *", 1))
    assert table["rows"] == [{"org": {"name": "Meridian", "iri": f"{BASE}orgs/meridian#it"}}]
    assert [each["name"] for each in table["documents"]] == ["Alvar Jarl", "Meridian"]
    assert agent.data("sparql", query=query.replace("{}", "ASK", 1))["verdict"] is True
    no = agent.call("sparql", query="ASK { <no> ?b ?c }")
    assert text_of(no) == "No.\nHint: No triple uses <no>."
    assert no.structured_content["verdict"] is False
    graph = agent.data("sparql", query="DESCRIBE <sources/alvar-jarl-homepage#it>")
    assert graph["columns"] == ["subject", "predicate", "object"]
    assert graph["total"] == len(graph["rows"]) > 5


def test_values_keep_their_kind(agent: Agent) -> None:
    query = """SELECT * { VALUES (?a ?b ?c ?d ?e ?f) { (
      1 2.5 true "x"@de "INF"^^<http://www.w3.org/2001/XMLSchema#double> UNDEF ) } }"""
    [row] = agent.data("sparql", query=query)["rows"]
    assert row == {"a": 1, "b": 2.5, "c": True, "d": "x", "e": "INF", "f": None}


def test_of_many_rows_the_first_are_shown_and_all_are_counted(agent: Agent) -> None:
    result = agent.call("sparql", query="SELECT ?s { ?s ?p ?o } LIMIT 3000")
    found = result.structured_content
    assert found["total"] == 3000
    assert 0 < len(found["rows"]) <= 200
    assert "of 3,000 rows" in text_of(result)


def test_schema_prefixes_and_questions_are_resources(agent: Agent) -> None:
    listed = agent.portal.call(agent.client.list_resources).resources
    assert [str(each.uri) for each in listed] == ["kg://schema", "kg://prefixes", "kg://questions"]
    _, schema = agent.read("kg://schema")
    assert "## schema:Person: " in schema
    assert "- schema:author " in schema
    assert len(schema) < 20_000
    _, prefixes = agent.read("kg://prefixes")
    example = schema.split("```sparql\n")[1].split("```")[0]
    assert agent.data("sparql", query=example)["rows"]
    assert agent.data("sparql", query=f"{prefixes} SELECT * {{ ?s a schema:Person }}")["total"] > 9
    _, asked = agent.read("kg://questions")
    assert "- `coauthors-of`: " in asked


def test_every_address_that_is_cited_can_be_read(agent: Agent) -> None:
    found = agent.data("coauthors_of", person="sigvard-sunde")
    for each in (found["documents"] + found["sources"])[:10]:
        assert each["name"] in agent.read(each["address"])[1]
    media_type, text = agent.read(f"{BASE}people/alvar-jarl.jsonld")
    assert media_type == "application/ld+json"
    assert json.loads(text)
    [template] = agent.portal.call(agent.client.list_resource_templates).resource_templates
    assert template.uri_template == f"{BASE}{{+path}}"


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("describe", {"thing": "alvar-jalr"}, "people/alvar-jarl"),
        ("describe", {"thing": "Alvar Jalr"}, "people/alvar-jarl"),
        ("coauthors_of", {"person": "mirela-zeman"}, "mirela-zemann"),
        ("coauthors_of", {"persn": "x"}, "Did you mean 'person'?"),
        ("coauthors_of", {}, "'person' is missing"),
        ("coauthors_of", {"person": 7}, "person is not a string"),
        ("coauthors_of", {"person": ["alvar-jarl"]}, "person is not a string"),
        ("coauthors_of", {"person": None}, "person is not a string"),
        ("coauthors_of", {"person": "x" * 100_000}, "longer than 2000 characters"),
        ("search", {"words": "a", "type": "persona"}, "Did you mean 'person'?"),
        ("search", {"words": True}, "words is not a string"),
        ("sparql", {}, "'query' is missing"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_near(
    agent: Agent, tool: str, arguments: dict[str, object], why: str
) -> None:
    assert why in agent.refused(tool, **arguments)


@pytest.mark.parametrize(
    "value",
    [
        'x" } INSERT DATA { <a> <b> <c> } #',
        "alvar-jarl#it> } ; DROP ALL #",
        "a\nb\r\n\t",
        "'\"\\",
        "\x00",
        "../../etc/passwd",
        "<script>",
        "\ud7ff￿😀",
    ],
)
def test_no_value_is_more_than_a_value(agent: Agent, value: str) -> None:
    assert "person cannot be" in agent.refused("coauthors_of", person=value)
    assert "does not exist" in agent.refused("describe", thing=value)
    assert len(agent.data("search", words=value)["found"]) <= 20


@pytest.mark.parametrize(
    "query",
    [
        "INSERT DATA { <a> <b> <c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "DROP ALL",
        "LOAD <file:///etc/passwd>",
        "CLEAR DEFAULT",
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT <file:///etc/passwd> { ?s ?p ?o } }",
        "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o } ; DROP ALL",
        "SELECT * { " + "{" * 5_000,
        "nonsense",
        "",
        "SELECT (1 AS ?x) {}" + " " * 1_000_000,
    ],
)
def test_sparql_is_refused_as_by_the_public_endpoint(agent: Agent, query: str) -> None:
    before = agent.data("sparql", query="SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")["rows"]
    assert agent.refused("sparql", query=query)
    assert agent.data("sparql", query="SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")["rows"] == before


def test_an_address_made_from_text_breaks_nothing(agent: Agent) -> None:
    query = 'SELECT (IRI("people/alvar-jarl#%22%7D%20x") AS ?x) (IRI("people/a\\"}") AS ?y) {}'
    assert agent.data("sparql", query=query)["total"] == 1
    assert agent.data("sparql", query="SELECT (<people/alvar-jarl#\\u00e9> AS ?x) {}")["total"] == 1


@pytest.mark.parametrize("name", ["../search", "coauthors-of", "", "search\n", "x" * 10_000])
def test_there_is_no_tool_of_another_name(agent: Agent, name: str) -> None:
    from mcp.shared.exceptions import MCPError

    with pytest.raises(MCPError, match="Unknown tool"):
        agent.call(name)


@pytest.mark.parametrize(
    "uri",
    [
        "kg://../schema",
        "kg://schema/../prefixes",
        "file:///etc/passwd",
        f"{BASE}../../etc/passwd",
        f"{BASE}people/../../data/site.yaml",
        f"{BASE}people/%2e%2e/alvar-jarl",
        f"{BASE}dump.nq",
        f"{BASE}static/",
        "http://127.0.0.1:9/",
        "x" * 10_000,
    ],
)
def test_nothing_but_documents_is_read(agent: Agent, uri: str) -> None:
    from mcp.shared.exceptions import MCPError

    with pytest.raises(MCPError, match="Unknown resource"):
        agent.read(uri)


@pytest.mark.proof
def test_a_query_that_runs_away_is_stopped_and_others_are_answered(agent: Agent) -> None:
    endless = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
    assert "took longer than 10 s" in agent.refused("sparql", query=endless)
    assert agent.data("papers_per_year")["rows"]


@pytest.mark.proof
def test_over_http_strange_hosts_origins_and_bodies_are_refused(address: str) -> None:
    ask = message("tools/call", 1, name="search", arguments={"words": "alvar"})
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}

    def post(body: bytes = json.dumps(ask).encode(), **others: str) -> httpx.Response:
        return httpx.post(address, headers=headers | others, content=body, timeout=60)

    assert post().json()["result"]["structuredContent"]["total"] > 0
    assert post(Origin=address.removesuffix("/mcp")).status_code == 200
    assert post(Host="evil.example").status_code == 421
    assert post(Origin="https://evil.example").status_code == 403
    assert post(b"{" * 100).status_code == 400
    assert post(b"x" * 5_000_000).status_code == 413
    assert httpx.get(address.replace("/mcp", "/"), timeout=60).status_code == 404


@pytest.mark.proof
def test_clients_of_the_years_before_are_answered(address: str) -> None:
    """They begin with a handshake, which newer ones leave out."""
    with connected(address, mode="legacy") as agent:
        assert agent.client.protocol_version < "2026"
        found = agent.data("describe", thing="topics/hpc")
        assert found["name"] == "High performance computing"


@pytest.mark.process
def test_the_command_answers_on_standard_input_and_output(one_person: Path) -> None:
    with on_standard_input(str(one_person)) as agent:
        assert {each.name for each in agent.portal.call(agent.client.list_tools).tools} == FEW
        found = agent.data("describe", thing="Ada Berg")
        assert found["address"].endswith("people/ada-berg")
        assert agent.data("sparql", query="SELECT ?p { ?p a cv:Owner }")["total"] == 1


@pytest.mark.process
def test_few_tools_cost_few_tokens_and_answer_all_questions(documents: Documents) -> None:
    with in_this_process(documents, has_all_tools=False) as agent:
        tools = agent.portal.call(agent.client.list_tools).tools
        listed = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools]
        assert {each.name for each in tools} == FEW
        assert len(json.dumps(listed)) / 4 < 3_000
        found = agent.call("questions")
        assert tokens(found) < 2_000
        assert "coauthors-of(person): Who has this person written with?" in text_of(found)
        assert text_of(agent.call("questions", words="grants")).startswith("grants(")
        found = agent.call("ask", question="coauthors_of", values={"person": "alvar-jarl"})
        assert tokens(found) < 2_000
        assert found.structured_content["total"] == 32
        assert len(found.structured_content["rows"]) < 32
        cell = found.structured_content["rows"][0]["coauthor"]
        assert cell["iri"] == f"{BASE}people/dk-palme#it"
        assert "set limit" in text_of(found)
        few = agent.data("ask", question="coauthors-of", values={"person": "alvar-jarl"}, limit=2)
        assert len(few["rows"]) == 2
        assert "coauthors-of" in agent.refused("ask", question="coauthor-of")
        assert "Did you mean 'person'?" in agent.refused(
            "ask", question="coauthors-of", values={"persn": "x"}
        )
        assert "values is not a object" in agent.refused("ask", question="grants", values="x")


def test_answers_are_brief_unless_more_is_asked_for(agent: Agent) -> None:
    for tool, arguments in (
        ("describe", {"thing": "schema"}),
        ("describe", {"thing": "mirela-zemann"}),
        ("search", {"words": "a"}),
        ("sparql", {"query": "SELECT * { ?s ?p ?o }"}),
        ("sparql", {"query": "DESCRIBE <people/mirela-zemann#it>"}),
        ("ask", {"question": "coauthors"}),
    ):
        assert tokens(agent.call(tool, **arguments)) < 2_000, (tool, arguments)


def test_only_what_the_rows_show_is_cited(agent: Agent) -> None:
    """A chain of two steps has no second and third person."""
    values = {"person": "alvar-jarl", "other": "sigvard-sunde"}
    found = agent.data("ask", question="coauthor-chain", values=values)
    shown = {cell["iri"] for row in found["rows"] for cell in row.values() if type(cell) is dict}
    cited = {f"{each['address']}#it" for each in found["documents"]}
    assert shown
    assert cited == shown | {f"{BASE}people/{slug}#it" for slug in values.values()}


def test_our_own_classes_come_first_in_the_schema(agent: Agent) -> None:
    schema = text_of(agent.call("describe", thing="schema"))
    assert schema.index("- cv:Employment ") < schema.index("## schema:Person: ")
    query = "SELECT ?name { ?p a cv:Owner ; schema:name ?name }"
    assert agent.data("sparql", query=query)["total"] == 3


def test_all_words_are_found_in_all_texts(agent: Agent) -> None:
    """The venue, the year and a co-author of a work are in no name."""
    found = agent.data("search", words="isc 2022 palme", type="publication")
    assert f"{BASE}publications/jarl-2022-keel" in {each["address"] for each in found["found"]}


def test_prompts_fill_their_blanks(agent: Agent) -> None:
    from mcp.shared.exceptions import MCPError

    listed = agent.portal.call(agent.client.list_prompts).prompts
    assert [each.name for each in listed][:2] == ["introduce", "find-expert"]
    asked = agent.portal.call(agent.client.get_prompt, "introduce", {"person": "Alvar\nJarl {x}"})
    [message] = asked.messages
    assert message.content.text.startswith("Introduce Alvar Jarl {x} in five sentences")
    with pytest.raises(MCPError, match="'person' is missing"):
        agent.portal.call(agent.client.get_prompt, "introduce", {})
    with pytest.raises(MCPError, match="Closest: introduce"):
        agent.portal.call(agent.client.get_prompt, "introduc", {"person": "x"})


def test_an_answer_cites_the_sources_of_its_rows_only(agent: Agent) -> None:
    """Patents are in one CV; organisations and inventors are in others, too."""
    found = agent.data("ask", question="patents")
    assert len(found["sources"]) == 1
    assert len(agent.data("ask", question="sources")["rows"]) > 1
    assert not any("/terms/" in each["address"] for each in found["documents"] + found["sources"])


def test_the_text_has_heads_shares_and_seasons_in_words(agent: Agent) -> None:
    rates = text_of(agent.call("ask", question="acceptance-rates"))
    assert "Conference | Accepted | Submitted | Rate" in rates
    assert " % |" in rates
    courses = text_of(agent.call("ask", question="course-runs"))
    assert re.search(r"\| Autumn 20\d\d \|", courses)
    assert not re.search(r"\b20\d\d-2[1-4]\b", courses)
