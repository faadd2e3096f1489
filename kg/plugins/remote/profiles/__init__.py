"""What a SPARQL server is like: where it takes queries, updates and graphs, and where it differs
from others. A YAML file each:

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
TYPES = {"missing": "is missing", "extra_forbidden": "is not known here"}


class SparqlAddress(BaseModel):
    """A path below the root that is given as `--endpoint` (empty: the root itself), and how text is
    sent there.
    """

    model_config = PLAIN
    path: str = ""
    send: Literal["form", "direct", "get"] = "form"  # in a form, as the body, or in the address
    # sent with each; with a query, those that make its default graph the union of all
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
    tested: str | None = None  # the version it was tested with; none: from its documentation alone
    notes: str = ""
    query: SparqlAddress
    update: SparqlAddress
    store: GraphStoreAddress
    authentication: Literal["none", "basic", "digest"] = "none"
    signs_queries: bool = False  # whether reading needs the password too
    system_graphs: tuple[str, ...] = ()  # which are nobody's documents
    forbidden: tuple[str, ...] = ()  # schemes of IRIs that are functions of the server itself
    # what to write before a query so that it does not see a {graph}; not if it names a graph itself
    excluding: str = ""
    rows: int = Field(default=100_000, ge=100)  # the most in one answer, which may be cut there
    batch: int = Field(default=1_000, ge=1)  # triples in one INSERT DATA, or values in one VALUES
    # how its bulk loader is called; {folder} is where the shards are, {base} the base of the site
    loader: str = ""


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str) -> Profile:
    """One of ours by its name, or any file. Raises KgError."""
    path = FOLDER / f"{name}.yaml"
    if not path.is_file() or "/" in name:
        path = Path(name)
    if not path.is_file():
        raise KgError(
            f"There is no profile '{name}'. There are {', '.join(names())}; or give a file "
            "like those."
        )
    try:
        read = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return Profile.model_validate(read)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise KgError(
            f"{path}: this profile cannot be read: {' '.join(str(error).split())}"
        ) from error
    except ValidationError as error:
        raise KgError(
            "\n".join(f"{path}: {message(problem)}." for problem in error.errors())
        ) from error


def message(problem: ErrorDetails) -> str:
    where = ".".join(map(str, problem["loc"])) or "the file"
    known = TYPES.get(problem["type"])
    return f"{where} {known}" if known else f"{where}: {problem['msg'].rstrip('.')}"
