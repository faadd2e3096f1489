"""The options that name another SPARQL server, and the connection to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from kg.cli.messages import tell

if TYPE_CHECKING:
    from kg.elsewhere.http import Retry
    from kg.elsewhere.server import Server

PASSWORD = "KG_PASSWORD"  # noqa: S105  the name of the variable it is in


def endpoint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--endpoint`, `--profile` and `--user`."""
    for option in (
        click.option(
            "--user",
            metavar="NAME",
            help=f"Who writes there; the password is in {PASSWORD}, or asked for at the terminal.",
        ),
        click.option(
            "--profile",
            metavar="NAME|FILE",
            help="What kind of server it is: oxigraph, virtuoso, fuseki …, or a file of yours.",
        ),
        click.option(
            "--endpoint",
            metavar="URL",
            help="The root of a SPARQL server; its profile says what is where below it.",
        ),
    ):
        command = option(command)
    return command


def connect(
    endpoint: str, profile: str | None, user: str | None, retry: Retry | None = None
) -> Server:
    from kg.elsewhere.http import Client, check_address
    from kg.elsewhere.profiles import load
    from kg.elsewhere.server import QUICK, Server

    if profile is None:
        raise click.UsageError(
            "--endpoint needs a --profile, which says what kind of server that is; "
            "`--profile standard` for any other."
        )
    kind = load(profile)
    if not kind.tested:
        tell(
            (
                f"The profile of {kind.name} is from its documentation and was never tried. Tell "
                "us how it went."
            ),
            "yellow",
        )
    password = secret(user) if user else ""
    client = Client(
        check_address(endpoint), kind.authentication if user else "none", user or "", password, tell
    )
    return Server(kind, client, retry or QUICK)


def secret(user: str) -> str:
    """A password; never from the arguments, which others on the machine can read."""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"--user needs a password: put it into the environment as {PASSWORD}."
        )
    return str(click.prompt(f"Password of {user}", hide_input=True, err=True))
