"""The commands. Each reads its options, calls one function and prints; results on stdout, everything else on stderr.

Exit 0: good. 1: problems found. 2: wrong use.
"""

from __future__ import annotations

import sys

import click

from kg.cli.ask import query, who
from kg.cli.check import check, shapes
from kg.cli.publish import build, dump, embed, serve
from kg.cli.say import report, tell
from kg.cli.write import new, schema

__all__ = ["main"]


class Commands(click.Group):
    """Turns our own exceptions into a message and an exit code; anything else is a bug and keeps its traceback."""

    def invoke(self, ctx: click.Context) -> object:
        from kg.errors import KgError, ProblemsFound

        try:
            return super().invoke(ctx)
        except ProblemsFound as error:
            report(error.problems, error.folder)
            tell("Nothing was published. Mend the errors above and run the command again.")
            sys.exit(1)
        except KgError as error:
            tell(str(error), "red")
            sys.exit(2)
        except OSError as error:
            if not error.filename:
                raise
            tell(f"{error.filename}: {error.strerror}.", "red")
            sys.exit(2)


@click.group(cls=Commands, context_settings={"auto_envvar_prefix": "KG", "help_option_names": ["-h", "--help"]})
@click.version_option(package_name="cv-kg", prog_name="kg")
def main() -> None:
    """CV facts in YAML, published as a checked knowledge graph.

    A SITE is a folder with data/site.yaml; the current one by default.
    """


for command in (build, check, dump, embed, new, query, schema, serve, shapes, who):
    main.add_command(command)
