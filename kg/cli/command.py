"""Base classes of all commands: the site as an argument or `--site`, `--json` beside `--format`,
`-q`, `-v` and `--no-color` before or after the command name, and the layout of `--help`.

Define a command with `@command(example=…)` and take its site with `SITE`, or with an argument of
the class `SiteArgument`.
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

SITE_FLAG = "--site"
QUIET, VERBOSE, AFTER_INTERRUPT = "kg.quiet", "kg.verbose", "kg.after_interrupt"  # context.meta
NOTHING_CHANGED = "Nothing was changed."
PLUGINS = "Plugins"  # default heading of a plugin's command in `kg --help`
SITE_HELP = "Folder of the site, with data/site.yaml{}. You can also write --site SITE."


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pauses the garbage collector: imports create many objects and no garbage."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


class SiteArgument(click.Argument):
    """The folder of a site: an argument, `--site FOLDER`, or an environment variable
    (KG_CHECK_SITE). Among several paths it is the first.
    """

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        super().add_to_parser(parser, ctx)
        parser.add_option(click.Option([SITE_FLAG]), [SITE_FLAG], dest=SITE_FLAG)

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if SITE_FLAG not in opts:
            return value, source
        by_place = value if source is ParameterSource.COMMANDLINE else ()
        if self.nargs == -1:
            return (opts[SITE_FLAG], *by_place), ParameterSource.COMMANDLINE
        if by_place:
            raise click.UsageError(
                f"Two sites are given: {by_place} and {opts[SITE_FLAG]}. Give one.", ctx
            )
        return opts[SITE_FLAG], ParameterSource.COMMANDLINE

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        return os.environ.get(f"{ctx.auto_envvar_prefix}_SITE") or None


class Command(click.Command):
    """A command with the options that all share. `heading` is its group in `kg --help`, `example`
    the command line at the end of its own help.
    """

    def __init__(
        self, *arguments: Any, heading: str = PLUGINS, example: str = "", **settings: Any
    ) -> None:
        super().__init__(*arguments, **settings)
        self.heading, self.example = heading, example
        format = next((each for each in self.params if each.name == "format"), None)
        if format and isinstance(format.type, click.Choice):
            known = [name for name in ("json", "jsonld") if name in format.type.choices]
            self.params += [json_option(format, name) for name in known[:1]]
        self.params += output_options()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = self.get_params(ctx)
        site = next((each for each in params if isinstance(each, SiteArgument)), None)
        if site and site.nargs == 1:
            default = " (default: the current folder)" if site.default == "." else ""
            with formatter.section("Arguments"):
                formatter.write_dl([("SITE", SITE_HELP.format(default))])
        options = [each for each in params if isinstance(each, click.Option) and not each.hidden]
        with formatter.section("Options"):
            formatter.write_dl([help_record(each, ctx) for each in options])

    def example_in(self, ctx: click.Context) -> str:
        return self.example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        if example := self.example_in(ctx):
            with formatter.section("Example"):
                formatter.write(f"{'':>{formatter.current_indent}}{example}\n")


command = partial(click.command, cls=Command)


def help_record(option: click.Option, ctx: click.Context) -> tuple[str, str]:
    """The names and the help of an option, with its notes in parentheses: `(default: 8000)`."""
    names, _ = option.get_help_record(ctx) or ("", "")
    extra, text = option.get_help_extra(ctx), option.help or ""
    notes = [f"default: {extra['default']}"] if "default" in extra else []
    notes += ["required"] if "required" in extra else []
    notes += [f"environment: {name}" for name in extra.get("envvars", ())]
    return names, f"{text.removesuffix('.')} ({'; '.join(notes)})." if notes else text


def json_option(format: click.Parameter, name: str) -> click.Option:
    what = f"Same as {format.opts[-1]} {name}."
    return click.Option(["--json", "format"], flag_value=name, help=what)


def output_options() -> list[click.Parameter]:
    """`-q`, `-v` and `--no-color`, for the group and for each command."""

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
        flag(["-q", "--quiet"], partial(note, QUIET), "Print problems only."),
        flag(["-v", "--verbose"], partial(note, VERBOSE), "Also print hints and timings."),
        flag(["--no-color"], without_colour, "Print without colours (also: NO_COLOR=1)."),
    ]


def is_quiet() -> bool:
    return is_noted(QUIET)


def is_verbose() -> bool:
    return is_noted(VERBOSE)


def is_noted(key: str) -> bool:
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(key))


def on_interrupt(state: str) -> None:
    """Sets what is printed on Ctrl-C from now on: the state in which files are left."""
    click.get_current_context().meta[AFTER_INTERRUPT] = state
