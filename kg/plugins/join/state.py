"""What a site remembers of the sites it joins, in its folder `joined/`: their facts, what they
said of themselves, and the paths that their entries have.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, RdfFormat, parse

from kg.errors import KgError
from kg.files.atomic import replace_files
from kg.mapping.iris import document_of
from kg.plugins.join.fetching import Described
from kg.vocab import schema

FOLDER = "joined"
FILE, SAME_FILE = f"{FOLDER}/sites.json", f"{FOLDER}/same.ttl"
RULES = 2  # raised when facts that were read before have to be read again


@dataclass
class SiteState:
    """A site at its last successful visit."""

    described: Described = field(default_factory=Described)
    date: str = ""  # of the facts
    digest: str = ""  # of the dump
    left_out: list[str] = field(default_factory=list)
    checked: str = ""  # the shapes it was checked with


@dataclass
class State:
    """All sites by address or file, and the paths of all documents that were ever joined."""

    sites: dict[str, SiteState] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        content = {
            "rules": RULES,
            "sites": {name: asdict(each) for name, each in self.sites.items()},
            "paths": dict(sorted(self.paths.items())),
        }
        for each in content["sites"].values():  # type: ignore[attr-defined]
            del each["described"]["dumps"]
        (folder / FOLDER).mkdir(exist_ok=True)
        text = json.dumps(content, indent=1, ensure_ascii=False)
        replace_files(folder, {FILE: f"{text}\n"})


def load(folder: Path) -> State:
    """The state after the last run. Raises KgError if the file is damaged."""
    path = folder / FILE
    if not path.exists():
        return State()
    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        sites = {
            name: SiteState(**{**each, "described": Described(**each["described"])})
            for name, each in content["sites"].items()
            if content["rules"] == RULES
        }
        return State(sites, content["paths"])
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise KgError(f"Cannot read {path}: {error}. Remove it to read all sites again.") from error


def decided(folder: Path, base: str) -> list[tuple[str, str]]:
    """The documents that the author of this site says are about the same. Raises KgError."""
    path = folder / SAME_FILE
    try:
        quads = parse(path.read_bytes(), RdfFormat.TURTLE, base_iri=base) if path.exists() else ()
        return [
            (document_of(each.subject.value), document_of(each.object.value))
            for each in quads
            if each.predicate.value == schema.sameAs
            and isinstance(each.subject, NamedNode)
            and isinstance(each.object, NamedNode)
        ]
    except (SyntaxError, ValueError, OSError) as error:
        raise KgError(f"Cannot read {path}: {error}") from error


def facts_file(name: str) -> str:
    """The facts of a site as it stated them, in a graph named after its base."""
    return f"{FOLDER}/{name}.nq"


def has_facts(folder: Path, name: str, base: str) -> bool:
    """Whether the facts of the site with this base are kept under a name."""
    try:
        with (folder / facts_file(name)).open(encoding="utf-8") as file:
            return file.readline().endswith(f" <{base}> .\n")
    except OSError:
        return False


def read_facts(folder: Path, name: str, base: str) -> list[str]:
    text = (folder / facts_file(name)).read_text(encoding="utf-8")
    end = f" <{base}> ."
    return [f"{line.removesuffix(end)} .\n" for line in text.split("\n")[:-1]]


def write_facts(folder: Path, name: str, base: str, lines: list[str]) -> None:
    (folder / FOLDER).mkdir(exist_ok=True)
    end = f" <{base}> .\n"
    text = "".join(line[:-3] + end for line in lines)
    replace_files(folder, {facts_file(name): text})
