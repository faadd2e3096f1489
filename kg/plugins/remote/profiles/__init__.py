"""Profiles of SPARQL servers: where each accepts queries, updates and graphs, and how it differs
from others. Each profile is a YAML file:

    name: Oxigraph server
    tested: "0.5.13"
    query: {path: query, send: form, parameters: {union-default-graph: ""}}
    update: {path: update, send: direct}
    store: {path: store}
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from kg.errors import KgError

FOLDER = Path(__file__).parent
PLAIN = ConfigDict(extra="forbid", frozen=True)
TYPES = {"missing": "is missing", "extra_forbidden": "is unknown"}


class SparqlAddress(BaseModel):
    """A path below the root given as `--endpoint` (empty for the root itself), and how text is sent
    there.
    """

    model_config = PLAIN
    path: str = ""
    # as a form, as the body, or in the query string
    send: Literal["form", "direct", "get"] = "form"
    # sent with each request; for queries, parameters that make the default graph the union of all
    parameters: dict[str, str] = {}


class GraphStoreAddress(BaseModel):
    """The address of the Graph Store Protocol."""

    model_config = PLAIN
    path: str = ""
    parameter: str = "graph"
    takes: str = "application/n-triples"


class Profile(BaseModel):
    model_config = PLAIN
    name: str
    tested: str | None = None  # tested version; None if written from documentation
    notes: str = ""
    query: SparqlAddress
    update: SparqlAddress
    store: GraphStoreAddress
    authentication: Literal["none", "basic", "digest"] = "none"
    signs_queries: bool = False  # queries need the password too
    system_graphs: tuple[str, ...] = ()  # graphs of the server itself
    forbidden: tuple[str, ...] = ()  # schemes of function IRIs that only this server has
    # query prefix that excludes a {graph}; not used if the query names a graph
    excluding: str = ""
    rows: int = Field(default=100_000, ge=100)  # maximum rows in one answer
    batch: int = Field(
        default=1_000, ge=1
    )  # maximum triples in one INSERT DATA, or values in one VALUES
    # bulk loader command; {folder} is the folder of shards, {base} the base of the site
    loader: str = ""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Profile:
    """A built-in profile by name, or a file. Raises KgError."""
    path = FOLDER / f"{name}.yaml"
    if not path.is_file() or "/" in name:
        path = Path(name)
    if not path.is_file():
        raise KgError(
            f"Unknown profile '{name}'. Known: {', '.join(names())}, or the path of a profile file."
        )
    try:
        read = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return Profile.model_validate(read)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise KgError(f"cannot read {path}: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        raise KgError(
            "\n".join(f"{path}: {message(problem)}." for problem in error.errors())
        ) from error


def message(problem: ErrorDetails) -> str:
    where = ".".join(map(str, problem["loc"])) or "the file"
    known = TYPES.get(problem["type"])
    return f"{where} {known}" if known else f"{where}: {problem['msg'].rstrip('.')}"
