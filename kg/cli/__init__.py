"""The commands. Each reads its options, calls one function and prints; results on stdout,
everything else on stderr.

Exit 0: good. 1: problems found. 2: wrong use. 130: interrupted by Ctrl-C.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from kg.cli.command import KEPT, NOTHING, PLUGINS, importing, loudness

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["main"]

NO_THREAD = "can't start new thread"  # as Python says where there is no memory for its stack
INTERRUPTED = 128 + 2  # as shells have it of a command that SIGINT ended
GROUPS = {  # of the core, in the order of work: heading -> name -> its module, and what it does
    "Start": {
        "new": ("start", "Write a new site of one person, or an example."),
        "doctor": ("start", "Tell what is here, what is missing, and how to get it."),
        "plugins": ("start", "List installed plugins, and whether each loads."),
        "completion": ("start", "Have the shell complete commands, options and names."),
    },
    "Write": {
        "names": ("write", "List what is named in place, without an entry in a registry."),
        "register": ("write", "Move what is named in place into its registry."),
        "who": ("write", "Show whom a printed name stands for."),
        "schema": ("write", "Print the JSON Schema of a kind of file."),
    },
    "Check": {
        "check": ("check", "Check the facts; every problem with its line."),
        "shapes": ("check", "Print the shapes the graph is judged by."),
    },
    "Look": {
        "serve": ("serve", "Check, build and serve the site; or a built folder, or RDF files."),
        "pdf": ("publish", "Print the page of a person as PDF."),
    },
    "Publish": {
        "build": ("publish", "Write the whole site into a folder, for any web host."),
        "verify": ("verify", "Prove a folder or a running server: one graph, no broken link."),
        "embed": ("publish", "Print the JSON-LD of a page for another, or put it there."),
    },
    "Ask": {
        "query": ("query", "Ask the graph a question, by its name or in SPARQL."),
        "dump": ("publish", "Print the whole graph."),
    },
}
COMMANDS = {name: found for group in GROUPS.values() for name, found in group.items()}


def plugin_commands() -> dict[str, EntryPoint]:
    """The commands that plugins add, not loaded. None takes the place of one of the core."""
    from kg import doors

    found = doors.installed("kg.commands")
    return {name: entry for name, entry in found.items() if name not in COMMANDS}


def load_plugin(entry: EntryPoint) -> click.Command | None:
    from kg import doors

    return doors.loaded(entry, click.Command)


class Commands(click.Group):
    """The commands, each loaded when it is needed; plugins add theirs by the door `kg.commands`.
    Our own exceptions become a message and an exit code; anything else is a bug and keeps its
    traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *plugin_commands()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            entry = plugin_commands().get(cmd_name)
            return load_plugin(entry) if entry else None
        from importlib import import_module

        with importing():
            found = getattr(import_module(f"kg.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return found if isinstance(found, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and args[0] not in COMMANDS:
            from kg.text.nearest import closest

            names = self.list_commands(ctx)
            near = closest(args[0], names, most=1)
            meant = f"Did you mean {near[0]}?" if near else "kg --help lists them."
            if args[0] not in names:
                ctx.fail(f"No such command '{args[0]}'. {meant}")
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
        """The names of commands. Those of the core are not loaded for it."""
        found = [CompletionItem(name, help=what) for name, (_, what) in COMMANDS.items()]
        found += [CompletionItem(name) for name in plugin_commands()]
        names = [item for item in found if item.value.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = list(args)  # as they were typed
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        from kg.check.report.text import harmless
        from kg.cli.messages import report, tell, warn
        from kg.errors import MORE_MEMORY, KgError, ProblemsFound, SiteNotFound, remedy, why

        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            ctx.color = False  # all that is printed, is without escape sequences
        try:
            return super().invoke(ctx)
        except ProblemsFound as error:
            report(error.problems, error.folder)
            tell("Nothing was published. Mend the errors above and run the command again.")
            sys.exit(1)
        except click.ClickException as error:
            vars(error)["message"] = harmless(error.message)
            raise
        except (KgError, OSError) as error:
            if isinstance(error, OSError) and not error.filename and not remedy(error):
                raise
            warn(why(error))
            if isinstance(error, SiteNotFound) and error.meant:
                tell(f"Type: kg {shlex.join(corrected(ctx.obj, error.folder, error.meant))}")
            sys.exit(2)
        except (KeyboardInterrupt, Exception) as error:
            if is_interrupt(error):
                tell("\n" * sys.stderr.isatty() + f"Stopped. {ctx.meta.get(KEPT, NOTHING)}".strip())
                code = INTERRUPTED
            elif isinstance(error, MemoryError) or NO_THREAD in str(error):
                warn(f"There is not enough memory. {ctx.meta.get(KEPT, NOTHING)} {MORE_MEMORY}")
                code = 2
            else:
                raise
        # Not before the exception is gone, and with it what was under way in the frames it held.
        sys.exit(code)


def is_interrupt(error: BaseException) -> bool:
    """Whether an exception is Ctrl-C, also what others make of it: pydantic and Python raise faults
    of their own where it comes in the middle of making a class.
    """
    if isinstance(error, click.Abort):
        return not isinstance(error.__context__, EOFError)
    name = KeyboardInterrupt.__name__
    return isinstance(error, KeyboardInterrupt) or name in f"{error} {error.__cause__!r}"


def corrected(words: list[str], wrong: Path, right: Path) -> list[str]:
    """A command with the right folder of a site in the place of a wrong one, or behind it where
    none was named.
    """
    found = [str(right) if Path(word) == wrong else word for word in words]
    return found if found != words else [*words, str(right)]


@click.group(
    cls=Commands,
    params=loudness(),
    context_settings={"auto_envvar_prefix": "KG", "help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cv-kg", prog_name="kg")
def main() -> None:
    """CV facts in YAML, published as a checked knowledge graph.

    A SITE is a folder with data/site.yaml; the current one by default.
    """
