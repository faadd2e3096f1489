"""`/reconcile`: the Reconciliation Service API 0.2, as OpenRefine uses it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import jsonschema_rs
import pytest
from werkzeug.test import Client, TestResponse

from kg.plugins.reconcile.candidates import EntityQuery, find
from kg.plugins.reconcile.entities import PROPERTIES, TYPES, Entities
from kg.publish.site import Documents
from tests.conftest import ROOT
from tests.kinds import starts
from tests.web.serving import KG, Server, serving

ALVAR, MICRO = "people/alvar-jarl", "publications/jarl-2021-canal-micro"
DOI = "10.5555/MM.2021.3139027"

# What the schemas of the specification want, in our words.
TEXT = {"type": "string", "minLength": 1}


def having(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {"type": "object", "properties": required | optional, "required": [*required]}


def items(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def mapping(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": of}


NAMED = having({"id": TEXT, "name": TEXT}, description=TEXT)
TEMPLATE = {"type": "string", "pattern": r"^https?://.*\{\{id\}\}"}
SERVICE = having(
    {"service_url": {"pattern": "^https?://.*[^/]$"}, "service_path": {"pattern": "^/"}}
)
MANIFEST = having(
    {
        "versions": items(TEXT) | {"contains": {"const": "0.2"}},
        "name": TEXT,
        "identifierSpace": {"pattern": "^https?://"},
        "schemaSpace": {"pattern": "^https?://"},
    },
    defaultTypes=items(NAMED) | {"uniqueItems": True},
    view=having({"url": TEMPLATE}),
    preview=having({"url": TEMPLATE, "width": {"type": "integer"}, "height": {"type": "integer"}}),
    suggest=having({"entity": SERVICE, "property": SERVICE, "type": SERVICE}),
    extend=having({"propose_properties": SERVICE, "property_settings": {"type": "array"}}),
    batchSize={"type": "integer"},
)
FEATURE = having({"id": TEXT, "value": {"type": ["boolean", "number"]}})
CANDIDATE = having(
    {"id": TEXT, "name": TEXT, "score": {"type": "number", "minimum": 0, "maximum": 100}},
    description=TEXT,
    features=items(FEATURE),
    match={"type": "boolean"},
    type=items(NAMED),
)
RESULTS = mapping(having({"result": items(CANDIDATE)}))
SUGGESTIONS = having({"result": items(NAMED | {"properties": {"notable": items(NAMED)}})})
PROPOSALS = having({"properties": items(NAMED)}, type={"type": "string"}, limit={"type": "number"})
VALUE = {
    "type": "object",
    "oneOf": [
        {"required": ["id", "name"], "maxProperties": 2},
        {"required": ["str"], "maxProperties": 1},
        {"required": ["int"], "properties": {"int": {"type": "integer"}}, "maxProperties": 1},
    ],
}
EXTENSION = having({"meta": items(NAMED), "rows": mapping(mapping(items(VALUE)))})


def read(answer: TestResponse, schema: dict[str, Any]) -> Any:
    assert (answer.status_code, answer.mimetype) == (200, "application/json"), answer.text
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    value = json.loads(answer.data)
    validate(value, schema)
    return value


def validate(value: Any, schema: dict[str, Any]) -> None:
    jsonschema_rs.validate(schema, value)


def candidates(client: Client, **asked: Any) -> list[dict[str, Any]]:
    answer = client.post("/reconcile", data={"queries": json.dumps({"q0": asked})})
    found: list[dict[str, Any]] = read(answer, RESULTS)["q0"]["result"]
    assert found == sorted(found, key=lambda each: -each["score"])
    return found


def best(client: Client, **asked: Any) -> tuple[str, float, bool]:
    first = candidates(client, **asked)[0]
    return first["id"], first["score"], first["match"]


def test_the_manifest_says_what_there_is(client: Client, documents: Documents) -> None:
    found = read(client.get("/reconcile", headers={"Host": "cv.example.org"}), MANIFEST)
    assert found["identifierSpace"] == documents.base
    assert [each["id"] for each in found["defaultTypes"]] == [*TYPES]
    assert found["suggest"]["entity"]["service_url"] == f"{documents.base}reconcile"
    near = read(client.get("/reconcile", headers={"Host": "127.0.0.1:8000"}), MANIFEST)
    assert near["preview"]["url"] == "http://127.0.0.1:8000/reconcile/preview?id={{id}}"
    stranger = client.get("/reconcile", headers={"Host": "evil.example"})
    assert "evil" not in stranger.text


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"query": "Alvar Jarl"}, (ALVAR, 95, True)),
        ({"query": "  alvar   JARL "}, (ALVAR, 90, True)),
        ({"query": "Jarl, Alvar"}, (ALVAR, 90, True)),
        ({"query": ALVAR}, (ALVAR, 100, True)),
        ({"query": f"https://cv.example.org/{ALVAR}"}, (ALVAR, 100, True)),
        ({"query": f"https://cv.example.org/{ALVAR}#it"}, (ALVAR, 100, True)),
        ({"query": "https://github.com/alva-prime"}, (ALVAR, 100, True)),
        ({"query": "OSU"}, ("orgs/osu", 95, True)),
        ({"query": DOI}, (MICRO, 100, True)),
        ({"query": f"https://doi.org/{DOI.lower()}", "type": "Work"}, (MICRO, 100, True)),
        ({"properties": [{"pid": "doi", "v": f"doi:{DOI}"}]}, (MICRO, 100, True)),
        ({"query": "A. Jarl"}, (ALVAR, 95, False)),
        ({"query": "ISC", "type": ["Venue"]}, ("venues/isc", 95, True)),
        (
            {
                "query": "SUPER: Sub-Harbour Parallelism for Transformers",
                "properties": [{"pid": "year", "v": 2021}],
            },
            ("publications/jarl-2021-super", 97.5, True),
        ),
        (
            {
                "query": "Alvar Jarl",
                "type": "Person",
                "type_strict": "should",
                "properties": [{"pid": "affiliation", "v": {"id": "orgs/osu", "name": "OSU"}}],
            },
            (ALVAR, 97.5, True),
        ),
    ],
)
def test_a_name_is_matched(
    client: Client, asked: dict[str, Any], expected: tuple[str, float, bool]
) -> None:
    assert best(client, **asked) == expected


def test_what_is_only_like_a_name_is_no_match(client: Client) -> None:
    for text in ("Alvar K. Jarl", "Alvar Jare", "Jarl", "Orla State Univ.", "orla state"):
        found = candidates(client, query=text)
        assert found, text
        assert found[0]["id"] in (ALVAR, "orgs/osu")
        assert 40 < found[0]["score"] < 80
        assert not any(each["match"] for each in found)
    assert candidates(client, query="Zzzz Qqqq") == []


def test_what_several_are_called_is_no_match(client: Client) -> None:
    title = (
        "Mill Sounding and Sail of Deep Learning Terraces on Gauges with High-Performance "
        "Interconnects"
    )
    both = candidates(client, query=title)
    assert [(each["score"], each["match"]) for each in both[:2]] == [(95, False), (95, False)]
    one, other = candidates(client, query=title, properties=[{"pid": "venue", "v": "IEEE Micro"}])
    assert one["id"] == "publications/arvik-2019-mill-sounding-micro"
    assert (one["match"], other["match"]) == (True, False)
    assert {"id": "property-venue", "value": True} in one["features"]


def test_an_identifier_that_differs_rules_out(client: Client) -> None:
    title = "Wading Distributed DNN Training using CPUs and Canal-2 Boulders"
    assert best(client, query=title, properties=[{"pid": "doi", "v": DOI}]) == (MICRO, 100, True)
    wrong = candidates(client, query=title, properties=[{"pid": "doi", "v": "10.1/other"}])
    assert MICRO not in [each["id"] for each in wrong]


def test_scores_are_explained(client: Client) -> None:
    [first] = candidates(
        client,
        query="alvar jarl",
        limit=1,
        properties=[{"pid": "affiliation", "v": ["Nowhere", "Meridian"]}],
    )
    assert {each["id"]: each["value"] for each in first["features"]} == {
        "exact-name": False,
        "folded-name": True,
        "likeness": 1.0,
        "identifier": False,
        "property-affiliation": True,
    }
    assert first["type"] == [{"id": "Person", "name": "Person"}]
    assert first["description"]


def test_types_and_limits_hold(client: Client) -> None:
    assert all(
        each["id"].startswith("orgs/")
        for each in candidates(client, query="micro", type="Organization")
    )
    everybody = [{"pid": "affiliation", "v": "OSU"}]
    assert len(candidates(client, properties=everybody, limit=3)) == 3
    assert len(candidates(client, properties=everybody, type="Person", limit=10**6)) > 3


def test_each_thing_is_found_by_its_name_and_by_its_id(documents: Documents) -> None:
    memory: Any = documents.graph.memory
    entities = Entities.of(memory)
    assert len(entities.entries) > 350
    for id, entry in entities.entries.items():
        assert id in [each.id for each in find(entities, EntityQuery(query=entry.name))], id
        assert find(entities, EntityQuery(query=id))[0].id == id


def test_a_batch_by_get_keeps_its_keys(client: Client) -> None:
    batch = {"ä b": {"query": "OSU"}, "q1": {"query": "Mirela Zemann", "limit": 1}}
    answer = client.get("/reconcile", query_string={"queries": json.dumps(batch)})
    found = read(answer, RESULTS)
    assert {key: each["result"][0]["id"] for key, each in found.items()} == {
        "ä b": "orgs/osu",
        "q1": "people/mirela-zemann",
    }


def test_suggestions_begin_with_what_was_typed(client: Client) -> None:
    def suggested(kind: str, **fields: Any) -> list[dict[str, Any]]:
        answer = client.get(f"/reconcile/suggest/{kind}", query_string=fields)
        result: list[dict[str, Any]] = read(answer, SUGGESTIONS)["result"]
        return result

    people = suggested("entity", prefix="alva")
    assert people[0]["id"] == ALVAR
    assert people[0]["notable"] == [{"id": "Person", "name": "Person"}]
    assert suggested("entity", prefix=ALVAR)[0]["id"] == ALVAR
    many = suggested("entity", prefix="a")
    assert len(many) == 20
    assert not {each["id"] for each in many} & {
        each["id"] for each in suggested("entity", prefix="a", cursor=20)
    }
    assert [each["id"] for each in suggested("property", prefix="aff")] == [
        "affiliation",
        "currentAffiliation",
    ]
    assert [each["id"] for each in suggested("property", prefix="ORCID")] == ["orcid"]
    assert [each["id"] for each in suggested("type", prefix="per")] == ["Person"]
    assert len(suggested("type")) == len(TYPES)


def test_columns_are_proposed_and_filled(client: Client) -> None:
    answer = client.get("/reconcile/properties", query_string={"type": "Work", "limit": 3})
    proposed = read(answer, PROPOSALS)
    assert (proposed["type"], len(proposed["properties"])) == ("Work", 3)
    wanted = {
        "ids": [MICRO, "publications/jarl-2021-super", "nobody"],
        "properties": [{"id": "author"}, {"id": "doi"}, {"id": "year", "settings": {"x": 1}}],
    }
    found = read(client.post("/reconcile", data={"extend": json.dumps(wanted)}), EXTENSION)
    assert [each["id"] for each in found["meta"]] == ["author", "doi", "year"]
    assert found["meta"][0]["type"]["id"] == "Person"
    rows = found["rows"]
    assert [*rows] == wanted["ids"]
    assert {"id": ALVAR, "name": "Alvar Jarl"} in rows[MICRO]["author"]
    assert rows[MICRO]["doi"] == [{"str": DOI}]
    assert rows["publications/jarl-2021-super"]["year"] == [{"int": 2021}]
    assert rows["nobody"] == {"author": [], "doi": [], "year": []}


def test_a_preview_may_be_framed_and_runs_nothing(client: Client) -> None:
    answer = client.get(f"/reconcile/preview?id={quote(ALVAR, safe='')}")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "Alvar Jarl" in answer.text
    assert "Meridian" in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors *" in policy
    assert "<script" not in answer.text
    assert client.get("/reconcile/preview?id=people/nobody").status_code == 404


MANY = {f"q{number}": {"query": "x"} for number in range(51)}
BAD = [
    ({"queries": "{"}, 400),
    ({"queries": "[]"}, 400),
    ({"queries": '{"q": {}}'}, 400),
    ({"queries": '{"q": {"query": 3}}'}, 400),
    ({"queries": '{"q": {"query": "x", "limit": 0}}'}, 400),
    ({"queries": '{"q": {"query": "x", "limit": "many"}}'}, 400),
    ({"queries": '{"q": {"query": "x", "kind": "Person"}}'}, 400),
    ({"queries": '{"q": {"query": "x", "type": "Persn"}}'}, 400),
    ({"queries": '{"q": {"query": "x", "properties": [{"pid": "name'}, 400),
    ({"queries": '{"q": {"query": "x", "properties": [{"pid": "shoe", "v": "1"}]}}'}, 400),
    ({"queries": '{"q": {"query": "x", "properties": [{"pid": "year"}]}}'}, 400),
    ({"queries": '{"q": {"query": "x", "type_strict": "maybe"}}'}, 400),
    ({"queries": json.dumps({"q": {"query": "x" * 501}})}, 400),
    ({"queries": json.dumps({"q": {"query": "x", "type": ["Person"] * 21}})}, 400),
    ({"queries": "[" * 5000 + "]" * 5000}, 400),
    ({"queries": '{"q": {"query": "\\ud800"}}'}, 400),
    ({"queries": json.dumps(MANY)}, 413),
    ({"queries": json.dumps({"q": {"query": "x", "type": ["Person"] * 30_000}})}, 413),
    ({"extend": "{}"}, 400),
    ({"extend": '{"ids": ["x"], "properties": [{"id": "shoe"}]}'}, 400),
    ({"extend": json.dumps({"ids": ["x"] * 501, "properties": []})}, 413),
    ({"nothing": "x"}, 400),
    ({"queries": "{}", "callback": "alert"}, 400),
]


@pytest.mark.parametrize(("fields", "status"), BAD)
def test_bad_input_is_refused_in_a_sentence(
    client: Client, fields: dict[str, str], status: int
) -> None:
    answer = client.post("/reconcile", data=fields)
    assert answer.status_code == status, answer.text
    assert len(answer.text) < 400
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    if status == 400:
        assert client.get("/reconcile", query_string=fields).status_code == 400


@pytest.mark.parametrize(
    "host",
    [
        *("localhost:abc", "127.0.0.1:99999", "[::1]:8000x", "localhost:-1"),
        *(
            "[::1].evil.example",
            "[::1]evil.example:80",
            "x@[::1].evil.example",
            "[::1]@evil.example",
        ),
    ],
)
def test_the_port_of_a_local_host_is_a_number(client: Client, host: str) -> None:
    found = read(client.get("/reconcile", headers={"Host": host}), MANIFEST)
    assert found["preview"]["url"].startswith("https://cv.example.org/reconcile/")
    local = read(client.get("/reconcile", headers={"Host": "localhost:8000"}), MANIFEST)
    assert local["preview"]["url"].startswith("http://localhost:8000/reconcile/")


def test_combinations_of_types_take_no_memory_of_their_own(documents: Documents) -> None:
    """And give what the types give one by one."""
    entities = Entities.of(documents.graph.memory)
    for name in ("Alvar Jarl", "jarl", "kanal micro", "a"):
        alone = {
            type: [each.id for each in find(entities, EntityQuery(query=name, type=type, limit=50))]
            for type in TYPES
        }
        for types in combinations(TYPES, 2):
            found = find(entities, EntityQuery(query=name, type=[*types], limit=50))
            assert {each.id for each in found} <= {id for type in types for id in alone[type]}
    assert len(entities.indexes) <= len(TYPES) + 1


def test_hostile_texts_are_only_texts(client: Client) -> None:
    for text in ('" } DROP', "<script>", "{{7*7}}", "\n\0\x07", "?x ?y", "%s", "../../etc", "'"):
        for asked in ({"query": text}, {"properties": [{"pid": "affiliation", "v": text}]}):
            assert not any(each["match"] for each in candidates(client, **asked))
        client.get("/reconcile/suggest/entity", query_string={"prefix": text})
    answer = client.post("/reconcile", data={"queries": json.dumps({"<b>": {"query": "<zzqq>"}})})
    assert read(answer, RESULTS) == {"<b>": {"result": []}}


def test_other_ways_of_asking_are_refused(client: Client) -> None:
    assert client.post("/reconcile", json={"queries": {}}).status_code == 415
    assert client.put("/reconcile").status_code == 405
    assert client.post("/reconcile/preview").status_code == 405
    assert client.post("/reconcile", data="queries=%ff").status_code in (400, 415)
    assert client.get("/reconcile?queries={}&queries={}").status_code == 400
    assert client.get("/reconcile/suggest/entity?cursor=-1").status_code == 400
    assert client.get("/reconcile/suggest/other").status_code == 404
    assert client.get("/reconcile/properties?type=Persn").status_code == 400
    allowed = client.options("/reconcile").headers
    assert "POST" in allowed["Allow"]
    assert "POST" in allowed["Access-Control-Allow-Methods"]


@pytest.fixture
@starts("server")
def server() -> Iterator[Server]:
    with serving(ROOT / "kg" / "example") as server:
        yield server


def test_a_running_server_answers_as_its_manifest_says(server: Server) -> None:
    root = server.address
    found = httpx.get(f"{root}reconcile", timeout=60).json()
    validate(found, MANIFEST)
    view = found["view"]["url"].replace("{{id}}", quote("people/ada-lindqvist", safe=""))
    assert view.startswith(root)
    assert "Ada Lindqvist" in httpx.get(view, headers={"Accept": "text/html"}, timeout=60).text
    place = found["suggest"]["type"]
    suggested = httpx.get(
        place["service_url"] + place["service_path"], params={"prefix": "w"}, timeout=60
    )
    assert suggested.json()["result"][0]["id"] == "Work"
    batch = json.dumps({"q": {"query": "Ada Lindqvist"}})
    for answer in (
        httpx.post(f"{root}reconcile", data={"queries": batch}, timeout=60),
        httpx.get(f"{root}reconcile", params={"queries": batch}, timeout=60),
    ):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.json()["q"]["result"][0]["match"] is True


def test_properties_have_types_that_exist() -> None:
    for each in PROPERTIES.values():
        assert {*each.types, *([each.target] if each.target else [])} <= {*TYPES}


def heavy_batch() -> dict[str, str]:
    """Queries that every work of a site answers, each with twenty properties of twenty values."""
    years = [str(year) for year in range(2000, 2020)]
    asked = {"type": "Work", "properties": [{"pid": "year", "v": years}] * 20}
    return {"queries": json.dumps({f"q{number}": asked for number in range(50)})}


@pytest.fixture
def many_works(tmp_path: Path) -> Path:
    """The site of a person with 1,500 works."""
    works = [
        f"  - {{kind: journal, key: work-{n}, title: Work {n}, authors: [Ada Berg], "
        f"journal: Ice, date: {2000 + n % 20}}}"
        for n in range(1500)
    ]
    (tmp_path / "data/cv").mkdir(parents=True)
    (tmp_path / "data/site.yaml").write_text("base: https://cv.example.org/\ntitle: Works\n")
    cv = "\n".join(["basics: {name: Ada Berg}", "publications:", *works])
    (tmp_path / "data/cv/ada-berg.yaml").write_text(f"{cv}\n", encoding="utf-8")
    return tmp_path


@pytest.mark.proof
@pytest.mark.server
def test_a_batch_ends_with_its_client(many_works: Path) -> None:
    """A client has one thread, which is free as soon as the client has gone."""
    with (
        serving(many_works, KG_SERVE_DEADLINE="60") as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
    ):
        assert client.get("/reconcile/suggest/entity?prefix=work").status_code == 200
        with pytest.raises(httpx.ReadTimeout):
            client.post("/reconcile", data=heavy_batch(), timeout=2)
        began = time.monotonic()
        assert client.get("/reconcile/suggest/entity?prefix=work").status_code == 200
    assert time.monotonic() - began < 2


@pytest.mark.proof
@pytest.mark.server
def test_heavy_batches_of_one_client_do_not_keep_others_waiting(many_works: Path) -> None:
    command = [KG, "serve", many_works, "--port", "0", "--proxies", "1"]
    question = "/queries/coauthors-of.csv?person=ada-berg"
    with (
        serving(many_works, command=command, KG_SERVE_DEADLINE="2") as server,
        httpx.Client(base_url=server.address, timeout=60) as client,
        ThreadPoolExecutor(8) as executor,
    ):
        addresses = (question, "/queries/coauthors-of.html", "/people/ada-berg")
        for address in addresses:  # the first page of a large CV takes long by itself
            assert client.get(address).status_code == 200
        greedy = {"X-Forwarded-For": "192.0.2.1"}
        batches = [
            executor.submit(client.post, "/reconcile", data=heavy_batch(), headers=greedy)
            for _ in range(8)
        ]
        time.sleep(0.5)  # until they are under way
        began = time.monotonic()
        for address in addresses:
            got = client.get(address, headers={"X-Forwarded-For": "192.0.2.2"})
            assert got.status_code == 200
        waited = time.monotonic() - began
        statuses = {batch.result().status_code for batch in batches}
    assert waited < 4
    assert statuses <= {200, 503, 504}
    assert 504 in statuses  # after the deadline
