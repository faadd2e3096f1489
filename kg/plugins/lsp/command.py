"""`kg lsp`: the language server for editors, over standard input and output.

The protocol needs pygls (the extra `lsp`), which is imported only when the server starts.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from kg.cli.command import command
from kg.cli.messages import inform
from kg.errors import KgError

WAITING = (
    "Waiting for an editor on standard input. Editors start this command; docs/editors.md "
    "explains how. Press Ctrl-C to stop."
)


@command(
    heading="Servers",
    short_help="Serve editors over the Language Server Protocol (LSP).",
    example="kg lsp",
)
def lsp() -> None:
    """Serve editors over the Language Server Protocol (LSP).

    Editors start this command and talk to it over standard input and output. They show problems
    while you type, complete fields, values and names, explain them, and apply fixes. One server is
    enough for all sites.
    """
    if not find_spec("pygls"):
        from kg.plugins.doctor.packages import install_advice

        raise KgError(f"kg lsp needs pygls. {install_advice('lsp')}")
    if sys.stdin.isatty():
        inform(WAITING)
    from kg.plugins.lsp.server import server

    server.start_io()
