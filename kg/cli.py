"""The commands. Each reads its options, calls one function and prints; results on stdout, everything else on stderr.

Exit 0: good. 1: problems found. 2: wrong use.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.publish.formats import DUMP_SUFFIXES, TABLE_SUFFIXES

if TYPE_CHECKING:
    from kg.errors import Problem
    from kg.graph.build import Graph

SITE = click.argument("site", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".")
IN_SITE = click.option("--site", type=click.Path(exists=True, file_okay=False, path_type=Path), default=".", help="The site's folder.")
FORMATS = {suffix[1:]: media_type for suffix, media_type in DUMP_SUFFIXES.items()}
TABLES = {suffix[1:]: media_type for suffix, media_type in TABLE_SUFFIXES.items()}
COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


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


@main.command()
@SITE
def check(site: Path) -> None:
    """Check the facts; every problem with its line."""
    from kg.errors import summary
    from kg.graph.check import check

    checked = check(site)
    report(checked.problems, site, err=False)
    if checked.graph is not None:
        tell(checked.graph.counts)
    tell(f"{summary(checked.problems)}.{'' if checked.publishable else ' Mend the errors to publish.'}")
    sys.exit(0 if checked.publishable else 1)


@main.command()
@SITE
@click.option("-o", "--output", type=click.Path(path_type=Path), default="site", show_default=True, help="The folder to write.")
def build(site: Path, output: Path) -> None:
    """Write the whole site into a folder, for any web host."""
    from kg.graph.check import good
    from kg.publish.export import export
    from kg.publish.site import Documents

    graph = good(site)
    number = export(Documents(graph), output, progress)
    tell(f"{graph.counts}; {number} files in {output}/. Put them on any web host.")


@main.command()
@SITE
@click.option("-f", "--format", type=click.Choice(list(FORMATS)), default="ttl", show_default=True, help="The form to write.")
def dump(site: Path, format: str) -> None:
    """Print the whole graph."""
    from kg.graph.check import good
    from kg.publish.dump import dump

    sys.stdout.buffer.write(dump(good(site), FORMATS[format]))


@main.command()
@click.argument("query")
@IN_SITE
@click.option(
    "-f", "--format", type=click.Choice([*TABLES, *FORMATS]), help="The form of the answer; by itself csv for a table, ttl for a graph."
)
def query(query: str, site: Path, format: str | None) -> None:
    """Ask a SPARQL question: a file, the name of one in queries/, or - for standard input."""
    from kg.engine import guard
    from kg.engine.store import Wanted
    from kg.graph.check import good

    graph = good(site)
    text = question(query, graph)
    guard.check(text)
    wanted = Wanted(TABLES.get(format), FORMATS.get(format)) if format else Wanted(TABLES["csv"], FORMATS["ttl"])
    body = graph.memory.answer(text, wanted).body
    sys.stdout.buffer.write(body if body.endswith(b"\n") else body + b"\n")


@main.command()
@click.argument("slug")
@IN_SITE
def embed(slug: str, site: Path) -> None:
    """Print the JSON-LD of a page as a script element, for pasting into another page."""
    from kg.facts.references import closest
    from kg.graph.check import good
    from kg.publish.site import Documents

    documents = Documents(good(site))
    script = documents.embed(slug)
    if script is None:
        near = closest(slug, [address.removeprefix("people/") for address in documents.addresses])
        raise click.UsageError(f"There is no page '{slug}'." + (f" Closest: {', '.join(near)}." if near else ""))
    click.echo(script)


@main.command()
@click.argument("name")
@IN_SITE
def who(name: str, site: Path) -> None:
    """Show whom a printed name stands for, by which entry, and who is near."""
    from kg.facts.load import load

    names = load(site).names
    claims = names.claimants(name)
    for slug, place in claims:
        click.echo(f"{name} is {slug} ({names.people[slug].get('name')}), {site / str(place)}")
    near = [slug for slug in names.near(name) if slug not in dict(claims)]
    if near:
        click.echo("Near: " + ", ".join(f"{slug} ({names.people[slug].get('name')})" for slug in near))
    if len(claims) != 1:
        several = "Several people claim this name; say who in each work: {person: KEY, as: NAME}."
        tell(several if claims else "Nobody in the registry has this name. In a list of authors it would be a person of its own.")
    sys.exit(0 if len(claims) == 1 else 1)


@main.command()
@SITE
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one.")
def serve(site: Path, host: str, port: int) -> None:
    """Check, build and serve the site."""
    from kg.graph.check import good_or_warn
    from kg.web.serve import serve

    graph, problems = good_or_warn(site)
    report(problems, site)
    serve(graph, host, port, lambda address: tell(f"{graph.counts}. Serving {address} (Ctrl-C ends it)", "green"))
    tell("Stopped.")


@main.command()
@click.argument("kind", required=False)
@IN_SITE
@click.option("--write", is_flag=True, help="Write all schemas into data/.schema/ of the site, where the data files look for them.")
def schema(kind: str | None, site: Path, write: bool) -> None:
    """Print the JSON Schema of a kind of file (cv, people, publications …), or of all."""
    from kg.facts import schema as made

    if write:
        made.write(site)
        tell(f"Schemas are in {site / made.FOLDER}/.")
        return
    found = made.schemas()
    if kind and kind not in found:
        raise click.UsageError(f"There is no kind of file '{kind}'. Known: {', '.join(sorted(found))}.")
    click.echo(made.text(found[kind] if kind else found), nl=False)


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def new(folder: Path) -> None:
    """Write a small example site into a new folder, to start from."""
    import shutil

    from kg.facts.schema import write

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty.")
    shutil.copytree(Path(__file__).parent / "example", folder, dirs_exist_ok=True)
    write(folder)
    tell(f"A site with two invented people is in {folder}/. Next: kg check {folder}, then kg serve {folder}.")


def question(query: str, graph: Graph) -> str:
    """The text of a query given as file, name or '-'."""
    from kg.settings import resources

    if query == "-":
        return sys.stdin.read()
    named = {path.stem: path for path in resources(graph.site, "queries", "*.rq")}
    path = Path(query) if Path(query).is_file() else named.get(query)
    if path is None:
        raise click.UsageError(f"There is no query '{query}'. Give a file, '-' for standard input, or one of: {', '.join(sorted(named))}.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{path} is not UTF-8: {error.reason} at byte {error.start}.") from error


def report(problems: list[Problem], site: Path, err: bool = True) -> None:
    """One line for each, with the file as it is named from here."""
    places = [str(site / str(problem.place)) for problem in problems]
    width = max(map(len, places), default=0)
    for place, problem in zip(places, problems, strict=True):
        severity = click.style(f"{problem.severity:<7}", fg=COLOURS[problem.severity])
        click.echo(f"{place:<{width}}  {severity}  {problem.message}  [{problem.rule}]", err=err)


def progress(done: int, total: int) -> None:
    if sys.stderr.isatty() and (done % 50 == 0 or done == total):
        click.echo(f"\r{done} of {total} files", nl=done == total, err=True)


def tell(message: str, colour: str | None = None) -> None:
    click.echo(click.style(message, fg=colour), err=True)
