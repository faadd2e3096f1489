"""Pages as others read them: what extruct finds in one, and the triples that three libraries of
JSON-LD make of it, without network.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import rdflib
from pyld import jsonld
from pyoxigraph import RdfFormat, Triple, parse
from rdflib.plugins.shared.jsonld import context

from kg.publish.formats.urls import file_of
from kg.publish.site import Documents
from tests.conftest import ROOT, skip

Found = Mapping[str, Any]
Read = dict[str, set[Triple]]
PROGRAM = Path(__file__).with_name("read.mjs")


def refuse(address: object, *_: Any, **__: Any) -> Any:
    raise AssertionError(f"{address} was asked for; a page must be readable without the network")


def embedded(documents: Documents, address: str) -> Any:
    """The JSON-LD of a page, as extruct finds it."""
    import extruct  # takes a second, which not every worker should spend

    page = documents.get(file_of(address, ".html"))
    assert page is not None
    (found,) = extruct.extract(page.body.decode(), syntaxes=["json-ld"])["json-ld"]
    return found


def triples(lines: str | bytes) -> set[Triple]:
    return {quad.triple for quad in parse(lines, format=RdfFormat.N_QUADS)}


def own(documents: Documents, address: str) -> set[Triple]:
    return {quad.triple for quad in documents.graph.memory.quads(documents.base + address)}


def by_pyld(found: Found) -> Read:
    options = {"format": "application/n-quads", "documentLoader": refuse}
    return {name: triples(jsonld.to_rdf(value, options)) for name, value in found.items()}


def by_rdflib(found: Found) -> Read:
    read = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context, "source_to_json", refuse)  # it has no other way to say so
        for name, value in found.items():
            graph = rdflib.Graph(bind_namespaces="none").parse(
                data=json.dumps(value), format="json-ld"
            )
            read[name] = triples(graph.serialize(format="nt", encoding="utf-8"))
    return read


def by_node(found: Found) -> Read:
    node = shutil.which("node")
    if not node or not (ROOT / "node_modules" / "jsonld").is_dir():
        skip(
            "there is no Node with the package jsonld; `make editor` installs it where there is npm"
        )
    asked = [str(node), str(PROGRAM)]
    run = subprocess.run(
        asked,
        input=json.dumps(found),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return {name: triples(lines) for name, lines in json.loads(run.stdout).items()}


READERS: dict[str, Callable[[Found], Read]] = {
    "pyld": by_pyld,
    "rdflib": by_rdflib,
    "node": by_node,
}
