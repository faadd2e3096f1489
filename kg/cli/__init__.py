"""The command-line interface: `kg COMMAND`. Each command reads its options, calls one function and
prints: results to stdout, everything else to stderr.

Exit codes: 0 success, 1 problems found, 2 invalid command, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from kg.cli.command import AFTER_INTERRUPT, NOTHING_CHANGED, PLUGINS, gc_paused, output_options

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["main"]

NO_THREAD = "can't start new thread"  # Python's message when there is no memory for its stack
INTERRUPTED = 128 + 2  # the exit code of shells for SIGINT
# Commands of the core, in the order of `kg --help`: heading -> name -> module, first line of help.
GROUPS = {
    "Getting started": {
        "new": ("start", "Create a site with an empty CV, or the example site."),
        "plugins": ("start", "List installed plugins and whether each loads."),
        "completion": ("start", "Set up shell completion for commands, options and names."),
    },
    "Editing": {
        "schema": ("start", "Print the JSON Schema of the data files."),
    },
    "Checks": {
        "check": ("check", "Check the data and report every problem with its line."),
        "shapes": ("check", "Print the SHACL shapes of the site."),
    },
    "Servers": {
        "serve": ("serve", "Serve a site, a built folder or RDF files over HTTP."),
    },
    "Publishing": {
        "build": ("publish", "Build and verify the site as a folder for any web host."),
    },
    "Questions and exports": {
        "query": ("query", "Ask a ready-made question, or run SPARQL."),
        "dump": ("publish", "Print the whole graph."),
    },
}
COMMANDS = {name: found for group in GROUPS.values() for name, found in group.items()}


def plugin_commands() -> dict[str, EntryPoint]:
    """The commands of plugins, not loaded yet. A plugin cannot replace a command of the core."""
    from kg import doors

    found = doors.installed("kg.commands")
    return {name: entry for name, entry in found.items() if name not in COMMANDS}


def load_plugin(entry: EntryPoint) -> click.Command | None:
    from kg import doors

    return doors.loaded(entry, click.Command)


class Commands(click.Group):
    """The group `kg`. It loads a command when it is called, and finds those of plugins by the entry
    point `kg.commands`. Our own exceptions become a message and an exit code; anything else is a
    bug and keeps its traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *plugin_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            entry = plugin_commands().get(cmd_name)
            return load_plugin(entry) if entry else None
        from importlib import import_module

        with gc_paused():
            found = getattr(import_module(f"kg.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and args[0] not in COMMANDS:
            from kg.text.nearest import closest

            names = self.list_commands(ctx)
            near = closest(args[0], names, most=1)
            meant = f"Did you mean '{near[0]}'?" if near else "kg --help lists all commands."
            if args[0] not in names:
                ctx.fail(f"Unknown command '{args[0]}'. {meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups = {
            heading: {name: what for name, (_, what) in group.items()}
            for heading, group in GROUPS.items()
        }
        for name, entry in plugin_commands().items():
            if found := load_plugin(entry):
                heading = getattr(found, "heading", PLUGINS)
                groups.setdefault(heading, {})[name] = found.get_short_help_str(60)
        width = max(len(name) for group in groups.values() for name in group)
        for heading, group in groups.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", what) for name, what in group.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes the names of commands without loading those of the core."""
        found = [CompletionItem(name, help=what) for name, (_, what) in COMMANDS.items()]
        found += [CompletionItem(name) for name in plugin_commands()]
        names = [item for item in found if item.value.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = list(args)  # as they were typed
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        from kg.check.report.text import harmless
        from kg.cli.messages import inform, report, warn
        from kg.errors import (
            MORE_MEMORY,
            KgError,
            ProblemsFound,
            SiteNotFound,
            is_interrupt,
            remedy,
            why,
        )

        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            ctx.color = False  # no escape sequences in any output
        try:
            return super().invoke(ctx)
        except ProblemsFound as error:
            report(error.problems, error.folder)
            inform("The data has errors. Fix them and run the command again.")
            sys.exit(1)
        except click.ClickException as error:
            vars(error)["message"] = harmless(error.message)
            raise
        except (KgError, OSError) as error:
            if isinstance(error, OSError) and not error.filename and not remedy(error):
                raise
            warn(why(error))
            if isinstance(error, SiteNotFound) and error.meant:
                inform(f"Run: kg {shlex.join(corrected(ctx.obj, error.folder, error.meant))}")
            sys.exit(2)
        except (KeyboardInterrupt, Exception) as error:
            if is_interrupt(error) or is_abort(error):
                state = ctx.meta.get(AFTER_INTERRUPT, NOTHING_CHANGED)
                inform("\n" * sys.stderr.isatty() + f"Stopped. {state}".strip())
                code = INTERRUPTED
            elif isinstance(error, MemoryError) or NO_THREAD in str(error):
                state = ctx.meta.get(AFTER_INTERRUPT, NOTHING_CHANGED)
                warn(f"Out of memory. {state} {MORE_MEMORY}")
                code = 2
            else:
                raise
        # Exit only here: leaving the handler releases the exception and what its frames hold.
        sys.exit(code)


def is_abort(error: BaseException) -> bool:
    """Whether click stopped at a prompt because of Ctrl-C."""
    return isinstance(error, click.Abort) and not isinstance(error.__context__, EOFError)


def corrected(words: list[str], wrong: Path, right: Path) -> list[str]:
    """The words of a command with the folder of the site corrected, or added if none was given."""
    found = [str(right) if Path(word) == wrong else word for word in words]
    return found if found != words else [*words, str(right)]


@click.group(
    cls=Commands,
    params=output_options(),
    context_settings={"auto_envvar_prefix": "KG", "help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cv-kg", prog_name="kg")
def main() -> None:
    """Turn the CVs of researchers, kept in YAML, into web pages and a knowledge graph.

    To start, run kg new mysite --example, then kg serve mysite.

    Most commands take SITE, a folder with data/site.yaml (default: the current folder). For the
    options of a command and an example, run kg COMMAND --help. Options can also be environment
    variables: KG_BUILD_OUTPUT=public sets --output of kg build.
    """
