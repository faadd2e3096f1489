"""The commands. Each reads its options, calls one function and prints; results on stdout,
everything else on stderr.

Exit 0: good. 1: problems found. 2: wrong use.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

__all__ = ["main"]

COMMANDS = {  # name -> the module it lives in, and what it does, for the list of all
    "build": ("publish", "Write the whole site into a folder, for any web host."),
    "check": ("check", "Check the facts; every problem with its line."),
    "dump": ("publish", "Print the whole graph."),
    "embed": ("publish", "Print the JSON-LD of a page for another, or put it there."),
    "names": ("write", "List what is named in place, without an entry in a registry."),
    "new": ("write", "Write a small example site, to start from."),
    "pdf": ("pdf", "Print the page of a person as PDF."),
    "push": ("publish", "Bring a SPARQL server to the state of the site."),
    "query": ("query", "Ask the graph a SPARQL question."),
    "register": ("write", "Move what is named in place into its registry."),
    "schema": ("write", "Print the JSON Schema of a kind of file."),
    "serve": ("serve", "Check, build and serve the site; or serve a built folder, or RDF files."),
    "shapes": ("check", "Print the shapes the graph is judged by."),
    "verify": (
        "verify",
        "Prove a folder or a running server: one graph in every form, no broken link.",
    ),
    "who": ("write", "Show whom a printed name stands for."),
}


class Commands(click.Group):
    """The commands, each loaded when it is wanted. Our own exceptions become a message and an exit
    code; anything else is a bug and keeps its traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        found = getattr(import_module(f"kg.cli.{COMMANDS[cmd_name][0]}"), cmd_name)
        return found if isinstance(found, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = list(args)  # as they were typed
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        from kg.cli.messages import report, tell
        from kg.errors import KgError, ProblemsFound, SiteNotFound, why

        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            ctx.color = False  # all that is printed, is without escape sequences
        try:
            return super().invoke(ctx)
        except ProblemsFound as error:
            report(error.problems, error.folder)
            tell("Nothing was published. Mend the errors above and run the command again.")
            sys.exit(1)
        except (KgError, OSError) as error:
            if isinstance(error, OSError) and not error.filename:
                raise
            tell(why(error), "red")
            if isinstance(error, SiteNotFound) and error.meant:
                tell(f"Type: kg {shlex.join(corrected(ctx.obj, error.folder, error.meant))}")
            sys.exit(2)


def corrected(words: list[str], wrong: Path, right: Path) -> list[str]:
    """A command with the right folder of a site in the place of a wrong one, or behind it where
    none was named.
    """
    found = [str(right) if Path(word) == wrong else word for word in words]
    return found if found != words else [*words, str(right)]


@click.group(
    cls=Commands,
    context_settings={"auto_envvar_prefix": "KG", "help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cv-kg", prog_name="kg")
def main() -> None:
    """CV facts in YAML, published as a checked knowledge graph.

    A SITE is a folder with data/site.yaml; the current one by default.
    """
