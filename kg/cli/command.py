"""What all commands have in common: SITE by its place or as --site, --json beside --format, and
-q, -v and --no-color, behind the command as before it.

A command is made with `@command()` instead of click's, and takes its site by `SITE` (or by an
argument of the class `SiteArgument`); all else it has by itself.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from click.parser import _OptionParser

ALIAS = "--site"
QUIET, VERBOSE, KEPT = "kg.quiet", "kg.verbose", "kg.kept"  # in the notes of a command's context
NOTHING = "Nothing was changed."
PLUGINS = "Plugins"  # the heading in `kg --help` of commands that name none


@contextmanager
def importing() -> Iterator[None]:
    """A pause for the garbage collector: imports make many objects and no garbage."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


class SiteArgument(click.Argument):
    """The folder of a site, which may be written as `--site FOLDER` too, or stand in the
    environment (KG_CHECK_SITE). Among several paths it is the first.
    """

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(click.Option([ALIAS]), [ALIAS], dest=ALIAS)

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if ALIAS not in opts:
            return value, source
        by_place = value if source is ParameterSource.COMMANDLINE else ()
        if self.nargs == -1:
            return (opts[ALIAS], *by_place), ParameterSource.COMMANDLINE
        if by_place:
            raise click.UsageError(
                f"There are two sites, {by_place} and {opts[ALIAS]}. Name one.", ctx
            )
        return opts[ALIAS], ParameterSource.COMMANDLINE

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        return os.environ.get(f"{ctx.auto_envvar_prefix}_SITE") or None


class SiteOption(click.Option):
    """The same where the site has an option of its own (--into), for files come by place."""

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(self, [ALIAS], dest=self.name)


class Command(click.Command):
    """A command with the options that all share; `heading` is its group in `kg --help`."""

    def __init__(self, *arguments: Any, heading: str = PLUGINS, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.heading = heading
        form = next((each for each in self.params if each.name == "format"), None)
        if form and isinstance(form.type, click.Choice):
            known = [name for name in ("json", "jsonld") if name in form.type.choices]
            self.params += [json_option(name) for name in known[:1]]
        self.params += loudness()


command = partial(click.command, cls=Command)


def json_option(name: str) -> click.Option:
    return click.Option(["--json", "format"], flag_value=name, help=f"Short for --format {name}.")


def loudness() -> list[click.Parameter]:
    """The options that say how much is told, and how: of the group and of each command."""

    def note(key: str, context: click.Context, option: click.Parameter, is_given: bool) -> None:
        if is_given:
            context.meta[key] = True
        if context.meta.get(QUIET) and context.meta.get(VERBOSE):
            raise click.UsageError("--quiet and --verbose exclude each other. Give one.", context)

    def without_colour(context: click.Context, option: click.Parameter, is_given: bool) -> None:
        if is_given:
            context.color = context.find_root().color = False  # messages of the group, too

    def flag(names: list[str], callback: Any, what: str) -> click.Option:
        return click.Option(names, is_flag=True, expose_value=False, callback=callback, help=what)

    return [
        flag(["-q", "--quiet"], partial(note, QUIET), "Tell of problems, and of nothing else."),
        flag(
            ["-v", "--verbose"], partial(note, VERBOSE), "Tell more: hints, and how long it took."
        ),
        flag(["--no-color"], without_colour, "Print no colours; NO_COLOR=1 does the same."),
    ]


def is_quiet() -> bool:
    return noted(QUIET)


def is_verbose() -> bool:
    return noted(VERBOSE)


def noted(key: str) -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(key))


def keep(what: str) -> None:
    """Says what an interruption from now on leaves as it is, for who interrupts."""
    click.get_current_context().meta[KEPT] = what
