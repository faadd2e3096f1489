"""Options for a SPARQL server, and that server as a backend: `kg serve FOLDER --endpoint URL`."""

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
    from kg.store.protocol import Answer

STDERR = 2
PASSWORD = "KG_PASSWORD"  # noqa: S105  the name of an environment variable


def options() -> tuple[click.Option, ...]:
    """New options for each command, as click requires."""
    return (
        click.Option(
            ["--endpoint"],
            metavar="URL",
            help="Root address of a SPARQL server. Its paths come from --profile.",
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
            "--endpoint needs the kind of server. Add --profile NAME, or --profile standard for "
            "other servers."
        )
    kind = load(profile)
    if not kind.tested:
        warn(
            f"The profile {kind.name} was written from documentation and is untested. Please "
            "report whether it works.",
            "yellow",
        )
    password = ask_password(user) if user else ""
    client = RetryingClient(
        check_address(endpoint), kind.authentication, user or "", password, warn
    )
    return Server(kind, client, retry or QUICK)


def ask_password(user: str) -> str:
    """Reads the password from the environment or the terminal; other users could read it from
    arguments.
    """
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        raise click.UsageError(f"--user needs a password. Set the environment variable {PASSWORD}.")
    return str(click.prompt(f"Password of {user}", hide_input=True, err=True))


@dataclass(frozen=True)
class PushedServer:
    """A server that was filled by `kg push`."""

    server: Server

    @property
    def address(self) -> str:
        return self.server.client.root

    def open(self, base: str, limits: Limits) -> Proxy:
        from kg.plugins.remote.proxy import Proxy
        from kg.plugins.remote.push import graph_of

        if not self.version(base):
            raise KgError(
                f"{self.address} has no data of {base}: the graph {graph_of(base)} is missing. "
                "Run kg push first."
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
    from kg.web.log import LineWriter

    server = connect(values["endpoint"], values["profile"], values["user"])
    server.client.notify = LineWriter(STDERR).write  # does not block if nobody reads it
    return PushedServer(server)


def ask(endpoint: str, text: str, media_type: str, base: str, seconds: float) -> Answer:
    from kg.plugins.remote import asking

    return asking.ask(endpoint, text, media_type, base, seconds)


BACKEND = Backend(options(), connect_pushed, ask)
