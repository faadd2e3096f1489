"""`kg lsp`: the language server for editors."""

from __future__ import annotations

from importlib.util import find_spec

from kg.cli.command import command
from kg.errors import KgError


@command(heading="Servers", short_help="Serve editors over the Language Server Protocol (LSP).")
def lsp() -> None:
    """Serve editors over the Language Server Protocol (LSP).

    Editors start this command and talk to it over standard input and output. They show problems
    while you type, complete fields, values and names, explain them, and apply fixes.
    """
    if not find_spec("pygls"):
        from kg.plugins.doctor.packages import install_advice

        raise KgError(f"kg lsp needs pygls. {install_advice('lsp')}")
    from kg.plugins.lsp.server import server

    server.start_io()
