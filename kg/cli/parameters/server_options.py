"""The options of a server: where it listens, who may see what, what is logged, and what a query may
cost.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from functools import reduce
from typing import TYPE_CHECKING, Any

import click

from kg.cli.manners import is_quiet
from kg.cli.messages import hint
from kg.cli.options import given
from kg.sparql.limits import Limits

if TYPE_CHECKING:
    from kg.web.operations.event_log import EventLog

KEY = re.compile(r"[A-Za-z0-9_-]{16,200}")
MEGABYTE = 1024 * 1024
STDOUT, STDERR = 1, 2  # past their buffers, which nobody could write when the reader has gone
Function = Callable[..., None]


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Several options as one."""
    return lambda function: reduce(lambda made, option: option(made), reversed(options), function)


def checked_key(context: click.Context, option: click.Parameter, key: str | None) -> str:
    """The key that is given, or a new one."""
    if key is None:
        return secrets.token_urlsafe(24)
    if KEY.fullmatch(key):
        return key
    raise click.BadParameter(
        "a key has 16 letters and digits or more (- and _ too), so that nobody guesses it. "
        "This makes one: openssl rand -hex 16"
    )


ACCESS = together(
    click.option(
        "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
    ),
    click.option(
        "--port",
        default=8000,
        show_default=True,
        type=click.IntRange(0, 65535),
        help="The port; 0 takes a free one.",
    ),
    click.option(
        "--key",
        callback=checked_key,
        show_envvar=True,
        help="Opens /console and /metrics (?key=… or Authorization: Bearer …). By itself a new one "
        "at each start, shown at the terminal.",
    ),
    click.option(
        "--open-console",
        is_flag=True,
        help="Show the problems at /console to everyone, not only to who has the key.",
    ),
    click.option(
        "--open-metrics",
        is_flag=True,
        help="Show the figures at /metrics to everyone, not only to who has the key.",
    ),
    click.option(
        "--proxies",
        default=0,
        show_default=True,
        type=click.IntRange(0, 9),
        help="How many proxies in front tell who asks.",
    ),
    click.option(
        "--log",
        type=click.Choice(["text", "json", "none"]),
        default="text",
        show_default=True,
        help="A line for each request on stderr; or, for programs, each event as JSON on stdout.",
    ),
    click.option("--no-log", is_flag=True, hidden=True, help="Short for --log none."),
    click.option(
        "--log-clients",
        is_flag=True,
        help="Write the addresses of clients into the log, which are personal.",
    ),
)
LIMITS = together(
    click.option(
        "--deadline",
        type=click.FloatRange(0.1, 3600),
        metavar="SECONDS",
        help="The time a query may take: 10.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Queries at once: the number of cores and one more.",
    ),
    click.option(
        "--memory", type=click.IntRange(16), metavar="MB", help="The memory a query may take: 512."
    ),
    click.option(
        "--answer-size", type=click.IntRange(1, 1024), metavar="MB", help="The largest answer: 32."
    ),
    click.option(
        "--kept",
        type=click.IntRange(0),
        metavar="MB",
        help="Answers kept for who asks the same again: 64; 0 keeps none.",
    ),
)


def show_key(address: str, kind: str, key: str) -> None:
    """Says at a terminal what the key opens; a file of messages is no place for it."""
    if given("key"):
        return
    if kind != "SITE":
        hint(f"Figures: {address}metrics?key={key}")
    else:
        hint(f"Problems, and pages that follow each save with --watch: {address}console?key={key}")


def open_log(stack: ExitStack, log: str, no_log: bool, log_clients: bool) -> EventLog:
    """The log of a server, which ends with the stack."""
    from kg.web.operations.event_log import EventLog, LineWriter

    is_json, is_wanted = log == "json", log != "none" and not no_log
    lines = LineWriter(STDOUT if is_json else STDERR)
    stack.callback(lines.close)
    is_told = is_wanted and (is_json or not is_quiet())
    is_json = is_json and is_wanted
    return EventLog(lines.write, is_json, is_told, log_clients, lambda: lines.dropped)


def limits(**chosen: Any) -> Limits:
    sizes = {"memory": chosen["memory"], "answer": chosen["answer_size"], "cache": chosen["kept"]}
    found = {"deadline": chosen["deadline"], "workers": chosen["workers"]}
    found |= {name: size and size * MEGABYTE for name, size in sizes.items()}
    return Limits(**{name: number for name, number in found.items() if number is not None})
