"""The software bill of materials `sbom.cdx.json`, in CycloneDX 1.6: dependencies of the wheel and
files bundled with it. `make sbom` writes it; the wheel contains it.

The output is reproducible: it has no date and no serial number.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

from release.bundled import FONT, MARKS, NodePackage, bundled, carried
from release.locks import EXTRAS, RUN, Pin, pins

ROOT = Path(__file__).parents[1]
BILL = "sbom.cdx.json"
# SPDX names of licences that are compatible with MIT. Review any other licence before adding it.
ACCEPTED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC-BY-4.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",  # permissive; only forbids using the authors' names in advertising
    "MPL-2.0",
    "OFL-1.1",
    "PSF-2.0",
    "W3C-20150513",
    "Zlib",
}
OTHER_SYSTEMS = re.compile("sys_platform == '(?:win32|emscripten)'")  # where kg does not run
# For packages that state their licence only as a classifier or as full text.
CLASSIFIED = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",  # partd
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
}


def bill(root: Path) -> dict[str, Any]:
    ours, editor = (own(folder) for folder in (root, root / "editor"))
    python = [python_component(pin) for pin in pins(root / RUN)]
    needed = {each["bom-ref"] for each in python}
    extras = (pin for pin in pins(root / EXTRAS) if not OTHER_SYSTEMS.search(pin.marker))
    found = [python_component(pin) for pin in extras]
    optional = [{**each, "scope": "optional"} for each in found if each["bom-ref"] not in needed]
    font = [node_component(each) for each in bundled(root, FONT, MARKS)]
    node = [node_component(each) for each in bundled(root, *carried(root))]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours},
        "components": [editor, *python, *optional, *font, *node],
        "dependencies": [depending(ours, [*python, *font]), depending(editor, node)],
    }


def own(folder: Path) -> dict[str, Any]:
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    found = component("pypi", project["name"], project["version"], project["license"])
    return {**found, "description": project["description"]}


def python_component(pin: Pin) -> dict[str, Any]:
    found = component("pypi", pin.name, pin.version, python_licence(pin.name))
    if pin.marker:
        found["properties"] = [{"name": "python:marker", "value": pin.marker}]
    return found


def node_component(package: NodePackage) -> dict[str, Any]:
    found = component("npm", package.name, package.version, package.licence)
    return {**found, "hashes": [{"alg": "SHA-512", "content": package.sha512}]}


def component(registry: str, name: str, version: str, licence: str) -> dict[str, Any]:
    address = f"pkg:{registry}/{quote(name)}@{quote(version)}"
    known = {"license": {"id": licence}} if " " not in licence else {"expression": licence}
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "licenses": [known],
        "purl": address,
    }


def depending(whole: dict[str, Any], parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"ref": whole["bom-ref"], "dependsOn": sorted(part["bom-ref"] for part in parts)}


def python_licence(name: str) -> str:
    """The first accepted licence in the metadata of a package."""
    said = list(licences_said(name))
    for licence in said:
        if is_accepted(licence):
            return licence
    raise ValueError(f"unknown licence of {name}: {said}. Review it, then add it to ACCEPTED.")


def is_accepted(licence: str) -> bool:
    return set(re.split(" OR | AND ", licence)) <= ACCEPTED


def licences_said(name: str) -> Iterator[str]:
    package_metadata = metadata(name)
    for field in ("License-Expression", "License"):
        said = package_metadata.get(field, "")
        yield CLASSIFIED.get(said, said)
    for classifier in package_metadata.get_all("Classifier", []):
        yield CLASSIFIED.get(classifier.rpartition(" :: ")[2], "")


def as_text(root: Path) -> str:
    return json.dumps(bill(root), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (ROOT / BILL).write_text(as_text(ROOT), encoding="utf-8")
