"""The verdict on a site, kept between runs. The folder may be deleted at any time; a damaged or
foreign one is as good as none.

.kg-cache/graph.nq        the graph that was judged .kg-cache/verdict.json    what was found in it,
by which shapes, on which day
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kg.check.findings import Finding
from kg.check.verdict import Verdict
from kg.settings import CACHE

KINDS = ("asked", "local", "whole")


def load(folder: Path) -> Verdict | None:
    try:
        nquads = (folder / CACHE / "graph.nq").read_bytes()
        said = json.loads((folder / CACHE / "verdict.json").read_bytes())
        if said["made_by"] != made_by() or said["graph"] != digest(nquads):
            return None
        kinds = {kind: frozenset(Finding(**each) for each in said[kind]) for kind in KINDS}
        return Verdict(said["shapes"], nquads, said["today"], **kinds)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(folder: Path, verdict: Verdict) -> None:
    """Keeps a verdict. Where nothing can be written the next run is only slower."""
    said: dict[str, Any] = {
        "made_by": made_by(),
        "shapes": verdict.shapes,
        "today": verdict.today,
        "graph": digest(verdict.nquads),
        **{
            kind: [asdict(each) for each in sorted(getattr(verdict, kind), key=str)]
            for kind in KINDS
        },
    }
    try:
        (folder / CACHE).mkdir(exist_ok=True)
        write(b"*\n", folder / CACHE / ".gitignore")
        write(verdict.nquads, folder / CACHE / "graph.nq")
        write(json.dumps(said).encode(), folder / CACHE / "verdict.json")
    except OSError:
        return


def write(text: bytes, path: Path) -> None:
    """In one step, for another process may be reading or writing."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_bytes(text)
    draft.replace(path)


def made_by() -> str:
    """What a verdict hangs on besides graph, shapes and day: the code that judges, ours and that of
    the engines.
    """
    code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parents[1].rglob("*.py")))
    return " ".join(
        [digest(code), *(version(name) for name in ("pyshacl", "pyoxigraph", "rdflib"))]
    )


def digest(nquads: bytes) -> str:
    return hashlib.blake2b(nquads, digest_size=16).hexdigest()
