"""What a rule is for: its reason, a bad and a good example, and what the check says of the bad one.

They stand in a folder for each rule, `kg/explained/<rule>/`, and for the rules of a site's own in
its `shapes/explained/<rule>/`: `why.txt`, `bad/`, `good/` and `problems.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kg.settings import shipped


def folders(site: Path) -> dict[str, Path]:
    """Rule -> its folder. A site's own takes the place of ours."""
    above = (shipped("explained"), site / "shapes" / "explained")
    return {
        path.parent.name: path.parent
        for folder in above
        for path in sorted(folder.glob("*/why.txt"))
    }


def why(folder: Path) -> str:
    return " ".join((folder / "why.txt").read_text(encoding="utf-8").split())


def reasons(site: Path) -> dict[str, str]:
    return {rule: why(folder) for rule, folder in folders(site).items()}


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.?!])\s", text, maxsplit=1)[0]


def text(rule: str, folder: Path) -> str:
    """The whole explanation. The bad example's report is told as far as this rule is concerned."""
    return "\n\n".join([f"{rule}: {why(folder)}", *examples(rule, folder)]) + "\n"


def examples(rule: str, folder: Path) -> Iterator[str]:
    """As much of them as there is: a rule of a site's own may have its reason alone."""
    for name, title in (("bad", "Bad:"), ("good", "Good:")):
        shown = [
            indented(path, folder / name)
            for path in sorted((folder / name).rglob("*"))
            if path.is_file()
        ]
        if shown:
            yield "\n\n".join([title, *shown])
        told = folder / "problems.txt"
        said = (
            [line for line in lines(told) if line.endswith(f"[{rule}]")]
            if name == "bad" and told.is_file()
            else []
        )
        if said:
            yield "\n".join(
                [
                    "What the check says:",
                    "",
                    *(re.sub(r"\s{2,}", "  ", f"  {line}") for line in said),
                ]
            )


def indented(path: Path, above: Path) -> str:
    return "\n".join(
        [f"  # {called(path.relative_to(above))}", *(f"  {line}".rstrip() for line in lines(path))]
    )


def called(path: Path) -> str:
    """Where a file of an example lies in its site: `cv.yaml` is Ada's, any other YAML adds to a
    registry; below `data/` as it is. What an earlier build wrote is in `site/`, where the next one
    looks.
    """
    if path.parts[0] == "data":
        return path.as_posix()
    if path.name == "addresses.txt":
        return f"site/{path}"
    if path.suffix != ".yaml" or path.name == "site.yaml":
        return f"data/{path.as_posix()}"
    return "data/cv/ada.yaml" if path.name == "cv.yaml" else f"data/{path.stem}/case.yaml"


def lines(path: Path) -> list[str]:
    return path.read_text(
        encoding="utf-8", errors="replace"
    ).splitlines()  # one of the mistakes is another encoding
