"""Options of a question, from the parameters in its header: `kg query talks-of --person ada`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from kg.cli.command import SITE_FLAG, Command
from kg.settings import SITE_FILE, Site, resources

if TYPE_CHECKING:
    from kg.sparql.reading.parameters import Parameter
    from kg.sparql.reading.questions import Question

QUESTION, VALUES = "kg.question", "kg.values"  # keys in context.meta


class QuestionCommand(Command):
    """A command that has the options, help and example of the question in its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[QUESTION] = question_in(args, folder_in(ctx, args))
        ctx.meta[VALUES] = {}
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        question: Question | None = ctx.meta.get(QUESTION)
        others = super().get_params(ctx)
        taken = {name for each in others for name in each.opts} | {SITE_FLAG}
        stated = question.parameters if question else ()
        return [*(option_of(each) for each in stated if f"--{each.name}" not in taken), *others]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        question: Question | None = ctx.meta.get(QUESTION)
        pieces = super().collect_usage_pieces(ctx)
        return [question.name if question and piece == "[QUERY]" else piece for piece in pieces]

    def example_in(self, ctx: click.Context) -> str:
        question: Question | None = ctx.meta.get(QUESTION)
        if not question:
            return self.example
        shown = question.needed or question.parameters[:1]
        options = (f"--{each.name} {shlex.quote(each.example)}" for each in shown if each.example)
        return " ".join(["kg query", question.name, *options])

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        question: Question | None = ctx.meta.get(QUESTION)
        if not question:
            super().format_help_text(ctx, formatter)
            return
        for text in filter(None, (question.summary, question.description)):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(text)


def folder_in(ctx: click.Context, words: Sequence[str]) -> Path:
    """The folder of the site, found in the arguments before they are parsed."""
    named = (word.removeprefix(f"{SITE_FLAG}=") for word in words)
    found = filter(is_site, named)
    return Path(next(found, os.environ.get(f"{ctx.auto_envvar_prefix}_SITE") or "."))


def is_site(word: str) -> bool:
    return is_file(Path(word) / SITE_FILE)


def is_file(path: Path) -> bool:
    """Whether there is a file; False also for text that cannot be a path, such as a long query."""
    try:
        return path.is_file()
    except OSError:
        return False


def queries_in(folder: Path) -> dict[str, Path]:
    """Name -> file of all questions, including those of the site."""
    return {path.stem: path for path in resources(Site(folder, "", ""), "queries", "*.rq")}


def question_in(words: Sequence[str], folder: Path) -> Question | None:
    """The question in the arguments, by name or file."""
    named = queries_in(folder)
    files = (named.get(word) or Path(word) for word in words if word in named or ".rq" in word)
    path = next((each for each in files if each.suffix == ".rq" and is_file(each)), None)
    if path is None:
        return None
    from kg.sparql.reading.questions import read_question

    return read_question(path.stem, path.read_text(encoding="utf-8-sig", errors="replace"))


def option_of(parameter: Parameter) -> click.Option:
    def note(context: click.Context, option: click.Parameter, value: str | None) -> None:
        if value is not None:
            context.meta[VALUES][parameter.name] = value

    return click.Option(
        [f"--{parameter.name}", f"value_{parameter.name}"],
        metavar=parameter.type.upper(),
        expose_value=False,
        callback=note,
        help=parameter_help(parameter),
    )


def parameter_help(parameter: Parameter) -> str:
    """The meaning of a parameter, and its default or an example."""
    meaning = parameter.meaning[:1].upper() + parameter.meaning[1:].rstrip(".")
    if parameter.default:
        return f"{meaning} (default: {parameter.default})."
    default = "required" if parameter.is_required else "default: any"
    example = f"; example: {parameter.example}" if parameter.example else ""
    return f"{meaning} ({default}{example})."


def complete_queries(
    context: click.Context, argument: click.Parameter, prefix: str
) -> list[CompletionItem]:
    names = sorted(queries_in(Path(context.params.get("site") or ".")))
    return [CompletionItem(name) for name in names if name.startswith(prefix)]
