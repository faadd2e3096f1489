"""The options that name a SPARQL server, and that server as the one that answers queries:
`kg serve FOLDER --endpoint URL`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from kg.cli.messages import warn
from kg.errors import KgError
from kg.web.extensions import Backend

if TYPE_CHECKING:
    from kg.plugins.remote.proxy import Proxy
    from kg.plugins.remote.retrying import Retry
    from kg.plugins.remote.server import Server
    from kg.sparql.limits import Limits

PASSWORD = "KG_PASSWORD"  # noqa: S105  the name of the variable it is in


def options() -> tuple[click.Option, ...]:
    """Anew for each command, as click wants them."""
    return (
        click.Option(
            ["--endpoint"],
            metavar="URL",
            help="Root address of a SPARQL server; its paths come from the profile.",
        ),
        click.Option(
            ["--profile"],
            metavar="NAME|FILE",
            help="Kind of server: oxigraph, virtuoso, fuseki …, or a profile of your own. Required "
            "with --endpoint.",
        ),
        click.Option(
            ["--user"],
            metavar="NAME",
            help=f"User name. The password is read from {PASSWORD}, or you are asked.",
        ),
    )


def connect(
    endpoint: str, profile: str | None, user: str | None, retry: Retry | None = None
) -> Server:
    from kg.plugins.remote.profiles import load
    from kg.plugins.remote.retrying import RetryingClient
    from kg.plugins.remote.server import QUICK, Server
    from kg.web.http_client import check_address

    if profile is None:
        raise click.UsageError(
            "--endpoint needs a --profile, which says what kind of server that is; "
            "`--profile standard` for any other."
        )
    kind = load(profile)
    if not kind.tested:
        warn(
            f"The profile of {kind.name} is from its documentation and was never tried. Tell "
            "us how it went.",
            "yellow",
        )
    password = ask_password(user) if user else ""
    client = RetryingClient(
        check_address(endpoint), kind.authentication, user or "", password, warn
    )
    return Server(kind, client, retry or QUICK)


def ask_password(user: str) -> str:
    """Never from the arguments, which others on the machine can read."""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        raise click.UsageError(
            f"--user needs a password: put it into the environment as {PASSWORD}."
        )
    return str(click.prompt(f"Password of {user}", hide_input=True, err=True))


@dataclass(frozen=True)
class PushedServer:
    """A server that `kg push` has filled."""

    server: Server

    @property
    def address(self) -> str:
        return self.server.client.root

    def open(self, base: str, limits: Limits) -> Proxy:
        from kg.plugins.remote.proxy import Proxy
        from kg.plugins.remote.push import graph_of

        if not self.version(base):
            raise KgError(
                f"{self.address} holds nothing of {base}: there is no graph {graph_of(base)}. "
                "Bring it there with kg push."
            )
        return Proxy(self.server, base, limits)

    def version(self, base: str) -> str:
        from kg.plugins.remote.push import Record

        return Record(self.server, base).state()

    def close(self) -> None:
        self.server.close()


def connect_pushed(values: Mapping[str, Any]) -> PushedServer | None:
    if not values["endpoint"]:
        return None
    return PushedServer(connect(values["endpoint"], values["profile"], values["user"]))


BACKEND = Backend(options(), connect_pushed)
