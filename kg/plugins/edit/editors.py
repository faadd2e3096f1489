"""Addresses that open a file at a line in an editor: Visual Studio Code, or the one named by
`KG_EDITOR`, `VISUAL` or `EDITOR`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

DEFAULT = "code"
ADDRESSES = {
    "code": "vscode://file{path}:{line}:{column}",
    "codium": "vscodium://file{path}:{line}:{column}",
    "cursor": "cursor://file{path}:{line}:{column}",
    "emacs": "emacs://open?url=file://{path}&line={line}&column={column}",
    "idea": "idea://open?file={path}&line={line}",
    "mate": "txmt://open?url=file://{path}&line={line}",
    "mvim": "mvim://open?url=file://{path}&line={line}",
    "pycharm": "pycharm://open?file={path}&line={line}",
    "subl": "subl://open?url=file://{path}&line={line}",
    "windsurf": "windsurf://file{path}:{line}:{column}",
    "zed": "zed://file{path}:{line}:{column}",
}


def editor(environment: Mapping[str, str]) -> str:
    """The address, with places for path, line and column. `KG_EDITOR` can also be such an
    address; editors without one, which run in a terminal, are replaced by the default.
    """
    for name in ("KG_EDITOR", "VISUAL", "EDITOR"):
        named = environment.get(name, "")
        if "{path}" in named:
            return named
        words = shlex.split(named) if named else []
        program = Path(words[0]).stem if words else ""
        if program in ADDRESSES:
            return ADDRESSES[program]
    return ADDRESSES[DEFAULT]


def address(template: str, path: Path, line: int, column: int) -> str:
    written = quote(path.as_posix(), safe="/:")
    return template.format(path=written, line=line, column=column)
