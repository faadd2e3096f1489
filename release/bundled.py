"""Node packages whose files travel with ours: those that the wheel of the editor takes, what they
were bundled from, and the font of the pages.
"""

from __future__ import annotations

import json
import tomllib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FONT = "@fontsource-variable/source-serif-4"  # kg/publish/style/font.mjs makes ours from it
UNTOLD = {"jsuri": "MIT"}  # the text is in the package, its name is not
NODE_MODULES = "node_modules/"


@dataclass(frozen=True, slots=True)
class NodePackage:
    """A package as package-lock.json has it."""

    place: str  # below the checkout
    name: str
    version: str
    licence: str
    sha512: str


def carried(root: Path) -> list[str]:
    """The packages from which the wheel of the editor takes files."""
    text = (root / "editor" / "pyproject.toml").read_text(encoding="utf-8")
    taken = tomllib.loads(text)["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    places = [path.partition(NODE_MODULES)[2].split("/") for path in taken]
    return sorted({"/".join(parts[: 1 + parts[0].startswith("@")]) for parts in places})


def bundled(root: Path, *names: str) -> list[NodePackage]:
    """These packages and, as bundles are made of them, all that they depend on, by name."""
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
    """Where Node finds a package that the one at a place asks for: its own, or the next above."""
    while place:
        if (own := f"{place}/{NODE_MODULES}{name}") in lock:
            return own
        place = place.rpartition(NODE_MODULES)[0].rstrip("/")
    return f"{NODE_MODULES}{name}"


def package(lock: dict[str, Any], place: str) -> NodePackage:
    entry, name = lock[place], place.rpartition(NODE_MODULES)[2]
    licence = entry.get("license") or UNTOLD[name]
    digest = b64decode(entry["integrity"].removeprefix("sha512-")).hex()
    return NodePackage(place, name, entry["version"], licence.strip("()"), digest)
