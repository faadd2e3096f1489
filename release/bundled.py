"""Node packages whose files we ship: the packages in the editor's wheel with their dependencies,
the page font and the marks of networks.
"""

from __future__ import annotations

import json
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FONT = "@fontsource-variable/source-serif-4"  # kg/publish/style/font.mjs builds our font from it
MARKS = "simple-icons"  # kg/publish/style/marks.mjs takes the marks of networks from it
UNNAMED_LICENCES = {"jsuri": "MIT"}  # the package has the licence text, but not its name
NODE_MODULES = "node_modules/"


@dataclass(frozen=True, slots=True)
class NodePackage:
    """A package in package-lock.json."""

    place: str  # relative to the checkout
    name: str
    version: str
    licence: str
    sha512: str


def carried(root: Path) -> list[str]:
    """The packages whose files are in the editor's wheel."""
    text = (root / "editor" / "pyproject.toml").read_text(encoding="utf-8")
    taken = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    places = [path.partition(NODE_MODULES)[2].split("/") for path in taken]
    return sorted({"/".join(parts[: 1 + parts[0].startswith("@")]) for parts in places})


def bundled(root: Path, *names: str) -> list[NodePackage]:
    """These packages and all their dependencies, which are part of the bundles, sorted by name."""
    lock = json.loads((root / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    places = {place for name in names for place in below(lock, f"{NODE_MODULES}{name}", set())}
    return sorted((package(lock, place) for place in places), key=lambda each: each.name)


def below(lock: dict[str, Any], place: str, seen: set[str]) -> Iterator[str]:
    if place not in seen:
        seen.add(place)
        yield place
        for name in lock[place].get("dependencies", ()):
            yield from below(lock, nearest(lock, place, name), seen)


def nearest(lock: dict[str, Any], place: str, name: str) -> str:
    """Resolves a dependency of the package at a place as Node does: its own copy, or the next one
    above.
    """
    while place:
        if (own := f"{place}/{NODE_MODULES}{name}") in lock:
            return own
        place = place.rpartition(NODE_MODULES)[0].rstrip("/")
    return f"{NODE_MODULES}{name}"


def package(lock: dict[str, Any], place: str) -> NodePackage:
    entry, name = lock[place], place.rpartition(NODE_MODULES)[2]
    licence = entry.get("license") or UNNAMED_LICENCES[name]
    digest = b64decode(entry["integrity"].removeprefix("sha512-")).hex()
    return NodePackage(place, name, entry["version"], licence.strip("()"), digest)
