"""The whole graph in each form: other people's parsers read the same triples from all of them, and
the bytes stay.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
import rdflib
from pyld import jsonld
from pyoxigraph import RdfFormat, Triple, parse

from kg.check.check import good
from kg.graph.build import Graph
from kg.publish.dumps.dump import dump
from kg.publish.formats.media import DUMP_SUFFIXES, NQUADS, TRIG
from tests.conftest import ROOT

FORMS = sorted(DUMP_SUFFIXES.items())
RDFLIB = {
    ".ttl": "turtle",
    ".nt": "nt",
    ".nq": "nquads",
    ".jsonld": "json-ld",
    ".rdf": "xml",
    ".trig": "trig",
}


@pytest.fixture(scope="module", params=["example", pytest.param("real", marks=pytest.mark.proof)])
def dumped(request: pytest.FixtureRequest) -> Graph:
    if request.param == "example":
        return good(ROOT / "kg" / "example")
    graph = request.getfixturevalue("graph")
    assert isinstance(graph, Graph)
    return graph


@pytest.fixture(scope="module")
def union(dumped: Graph) -> set[Triple]:
    return triples(dumped.nquads, RdfFormat.N_QUADS)


@pytest.fixture(scope="module")
def dumps(dumped: Graph) -> dict[str, bytes]:
    return {suffix: dump(dumped, media_type) for suffix, media_type in FORMS}


def triples(text: bytes | str, form: RdfFormat) -> set[Triple]:
    return {quad.triple for quad in parse(text, format=form)}


def refuse(address: str, _: Any) -> Any:
    raise AssertionError(f"{address} was asked for; a dump must be readable without the network")


@pytest.mark.parametrize(("suffix", "media_type"), FORMS)
def test_oxigraph_reads_the_same_triples(
    suffix: str, media_type: str, dumps: dict[str, bytes], union: set[Triple]
) -> None:
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    assert triples(dumps[suffix], form) == union


@pytest.mark.sample(test=0.3)
# rdflib 7.6 warns of its own use of what it deprecates, when it reads N-Quads and JSON-LD.
@pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize(("suffix", "media_type"), FORMS)
def test_rdflib_reads_the_same_triples(
    suffix: str, media_type: str, dumps: dict[str, bytes], union: set[Triple]
) -> None:
    read = rdflib.Dataset(default_union=True) if media_type in (NQUADS, TRIG) else rdflib.Graph()
    read.parse(data=dumps[suffix].decode(), format=RDFLIB[suffix])
    flat = rdflib.Graph()
    for triple in read.triples((None, None, None)):
        flat.add(triple)
    assert triples(flat.serialize(format="nt", encoding="utf-8"), RdfFormat.N_TRIPLES) == union


def test_pyld_reads_the_same_triples(dumps: dict[str, bytes], union: set[Triple]) -> None:
    lines = jsonld.to_rdf(
        json.loads(dumps[".jsonld"]), {"format": "application/n-quads", "documentLoader": refuse}
    )
    assert triples(lines, RdfFormat.N_QUADS) == union


@pytest.mark.parametrize(
    ("media_type", "form"), [(NQUADS, RdfFormat.N_QUADS), (TRIG, RdfFormat.TRIG)]
)
def test_nquads_and_trig_keep_the_documents_apart(
    dumped: Graph, media_type: str, form: RdfFormat
) -> None:
    facts = set(parse(dumped.nquads, format=RdfFormat.N_QUADS))
    assert set(parse(dump(dumped, media_type), format=form)) == facts
    whole = dump(dumped, media_type, dumped.rest)
    assert set(parse(whole, format=form)) == set(dumped.memory.store)


@pytest.mark.parametrize(("suffix", "media_type"), FORMS)
def test_everything_is_there_if_it_is_wanted(
    suffix: str, media_type: str, dumped: Graph, union: set[Triple]
) -> None:
    form = RdfFormat.from_media_type(media_type)
    assert form is not None
    found = triples(dump(dumped, media_type, dumped.rest), form)
    assert found - union == triples(dumped.rest, RdfFormat.N_QUADS)
    assert found > union


def test_lines_are_sorted(dumps: dict[str, bytes]) -> None:
    for suffix in (".nt", ".nq"):
        lines = dumps[suffix].decode().splitlines()
        assert lines == sorted(set(lines))


def test_turtle_is_what_a_person_would_write(dumps: dict[str, bytes]) -> None:
    text = dumps[".ttl"].decode()
    assert any(f"\n<people/{name}#it> a " in text for name in ("alvar-jarl", "ada-lindqvist"))
    assert "<http://schema.org/" not in text.replace("@prefix schema: <http://schema.org/>", "")


@pytest.mark.process
@pytest.mark.proof
def test_a_second_run_gives_the_same_bytes(dumped: Graph, dumps: dict[str, bytes]) -> None:
    program = (
        "import sys; from pathlib import Path; from kg.check.check import good; from "
        "kg.publish.dumps.dump import dump;"
        "from kg.publish.formats.media import DUMP_SUFFIXES as forms; graph = "
        "good(Path(sys.argv[1]));"
        "[sys.stdout.buffer.write(dump(graph, media_type)) for _, media_type in "
        "sorted(forms.items())]"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "LC_ALL": "C"}
    again = subprocess.run(
        [sys.executable, "-c", program, str(dumped.site.folder)],
        capture_output=True,
        check=True,
        env=environment,
    ).stdout
    assert again == b"".join(dumps[suffix] for suffix, _ in FORMS)


def test_there_is_no_dump_in_forms_we_do_not_write(dumped: Graph) -> None:
    with pytest.raises(ValueError, match="image/png"):
        dump(dumped, "image/png")
