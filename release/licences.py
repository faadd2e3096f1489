"""Licence texts of the packages bundled in the editor wheel, as `licences.txt` of the wheel and of
every site with the editor. Most licences require their text in every copy. `make sbom` writes it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

from release.bundled import NodePackage, bundled, carried

LICENCES = Path("editor", "cv_kg_editor", "licences.txt")
HEAD = """The SPARQL editor (yasgui.min.js, yasgui.min.css) and the SPARQL engine (oxigraph.js,
oxigraph.wasm) are bundles made of the packages below. Each is named with its version and
licence; then follow the texts.
"""
RULE = "\n" + "-" * 80 + "\n\n"
# Copyright holders of packages that contain neither a licence text nor an author.
HOLDERS = {"oxigraph": "2018 Oxigraph developers"}


def as_text(root: Path) -> str:
    packages = bundled(root, *carried(root))
    sharing: dict[str, list[str]] = defaultdict(list)  # licence text -> packages
    for package in packages:
        sharing[own_text(root, package) or mit(root, package)].append(package.name)
    listed = "".join(f"  {each.name} {each.version}: {each.licence}\n" for each in packages)
    texts = [f"{', '.join(names)}\n\n{text}" for text, names in sharing.items()]
    return RULE.join([f"{HEAD}\n{listed}", *texts])


def own_text(root: Path, package: NodePackage) -> str:
    """The licence text in a package, or the shorter one if it has two."""
    files = [
        path
        for path in sorted((root / package.place).iterdir())
        if re.fullmatch(r"(licen[cs]e|copying)(\.md|\.txt)?", path.name.lower())
    ]
    texts = [path.read_text(encoding="utf-8").replace("\r\n", "\n") for path in files]
    clean = ["\n".join(line.rstrip() for line in text.strip().split("\n")) for text in texts]
    return min(clean, key=len, default="") + "\n" if clean else ""


def mit(root: Path, package: NodePackage) -> str:
    """Our MIT licence text with the authors of a package as copyright holders."""
    if package.licence == "CC0-1.0":
        return "Dedicated to the public domain (CC0 1.0 Universal).\n"
    if "MIT" not in package.licence.split(" OR "):
        raise ValueError(f"{package.name} has the licence {package.licence} but no licence text")
    manifest = json.loads((root / package.place / "package.json").read_text(encoding="utf-8"))
    people = [*filter(None, [manifest.get("author")]), *manifest.get("contributors", ())]
    names = [each["name"] if isinstance(each, dict) else each for each in people]
    holders = ", ".join(name.partition(" <")[0] for name in names) or HOLDERS[package.name]
    text = (root / "LICENSE").read_text(encoding="utf-8")
    return re.sub(r"Copyright \(c\) .*", f"Copyright (c) {holders}", text)


if __name__ == "__main__":
    checkout = Path(__file__).parents[1]
    (checkout / LICENCES).write_text(as_text(checkout), encoding="utf-8")
