"""The JSON Schemas at their public addresses, one set for each minor version, and the entries to
hand in to SchemaStore (`release/schemastore.json`).

The documentation site has the schemas in `schema/VERSION/`, and `release/w3id/` redirects to them.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from kg.facts import schema

ROOT = Path(__file__).parents[1]
STORE = ROOT / "release" / "schemastore.json"
ADDRESS = "https://w3id.org/cv-kg/schema/{version}/{name}"
IN_STORE = {
    "cv": "CVs (data/cv/*.yaml)",
    "people": "People (data/people.yaml)",
    "publications": "Publications (data/publications.yaml)",
    "site": "Settings (data/site.yaml)",
}


def minor_version() -> str:
    """`0.1` of `0.1.0`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"]).rpartition(".")[0]


def schemas() -> dict[str, str]:
    """File name -> text, with its own address as `$id`."""
    found = {}
    for path, text in schema.files().items():
        name, version = Path(path).name, minor_version()
        identified = {"$id": ADDRESS.format(version=version, name=name), **json.loads(text)}
        found[name] = json.dumps(identified, ensure_ascii=False) + "\n"
    return found


def store_entries() -> str:
    """The entries of SchemaStore's catalogue, as JSON. They match no file names, because folders
    such as `data/` are common: `kg schema --write` refers to the schemas in the files themselves.
    """
    entries = [
        {
            "name": f"cv-kg {name}",
            "description": f"{place} in a site of cv-kg",
            "url": ADDRESS.format(version=minor_version(), name=f"{name}.json"),
        }
        for name, place in IN_STORE.items()
    ]
    return json.dumps(entries, indent=2) + "\n"
