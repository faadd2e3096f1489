"""The licences of what the editor's wheel carries, `licences.txt` in it and in every site that has
the editor: most of them ask that their text travels with every copy. `make sbom` writes it.
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
# Whose packages come without a text, and do not name an author either.
HOLDERS = {"oxigraph": "2018 Oxigraph developers"}


def as_text(root: Path) -> str:
    packages = bundled(root, *carried(root))
    sharing: dict[str, list[str]] = defaultdict(list)  # a text -> the packages that have it
    for package in packages:
        sharing[own_text(root, package) or mit(root, package)].append(package.name)
    listed = "".join(f"  {each.name} {each.version}: {each.licence}\n" for each in packages)
    texts = [f"{', '.join(names)}\n\n{text}" for text, names in sharing.items()]
    return RULE.join([f"{HEAD}\n{listed}", *texts])


def own_text(root: Path, package: NodePackage) -> str:
    """The text that a package brings along; if there are two to choose from, the shorter one."""
    files = [
        path
        for path in sorted((root / package.place).iterdir())
        if re.fullmatch(r"(licen[cs]e|copying)(\.md|\.txt)?", path.name.lower())
    ]
    texts = [path.read_text(encoding="utf-8").replace("\r\n", "\n") for path in files]
    clean = ["\n".join(line.rstrip() for line in text.strip().split("\n")) for text in texts]
    return min(clean, key=len, default="") + "\n" if clean else ""


def mit(root: Path, package: NodePackage) -> str:
    """The text of the MIT licence, which is ours, too, in the name of a package's authors."""
    if package.licence == "CC0-1.0":
        return "Dedicated to the public domain (CC0 1.0 Universal).\n"
    if "MIT" not in package.licence.split(" OR "):
        raise ValueError(f"{package.name} is under {package.licence}, and has no text of it")
    told = json.loads((root / package.place / "package.json").read_text(encoding="utf-8"))
    people = [*filter(None, [told.get("author")]), *told.get("contributors", ())]
    names = [each["name"] if isinstance(each, dict) else each for each in people]
    holders = ", ".join(name.partition(" <")[0] for name in names) or HOLDERS[package.name]
    text = (root / "LICENSE").read_text(encoding="utf-8")
    return re.sub(r"Copyright \(c\) .*", f"Copyright (c) {holders}", text)


if __name__ == "__main__":
    checkout = Path(__file__).parents[1]
    (checkout / LICENCES).write_text(as_text(checkout), encoding="utf-8")
