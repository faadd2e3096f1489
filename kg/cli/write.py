"""Commands that help to write: a site to start from, and what may be written."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.options import IN_SITE
from kg.cli.say import tell


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def new(folder: Path) -> None:
    """Write a small example site into a new folder, to start from."""
    import shutil

    from kg.facts.schema import write
    from kg.settings import shipped

    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty.")
    shutil.copytree(
        shipped("example"), folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*")
    )
    write(folder)
    tell(
        f"A site with two invented people is in {folder}/. Next: kg check {folder}, then kg "
        f"serve {folder}."
    )


@click.command()
@click.argument("kind", required=False)
@IN_SITE
@click.option(
    "--write",
    is_flag=True,
    help="Write all schemas into data/.schema/ of the site, where the data files look for them.",
)
def schema(kind: str | None, site: Path, write: bool) -> None:
    """Print the JSON Schema of a kind of file (cv, people, publications …), or of all."""
    from kg.facts import schema as made

    if write:
        made.write(site)
        tell(f"Schemas are in {site / made.FOLDER}/.")
        return
    found = made.schemas()
    if kind and kind not in found:
        raise click.UsageError(
            f"There is no kind of file '{kind}'. Known: {', '.join(sorted(found))}."
        )
    click.echo(made.text(found[kind] if kind else found), nl=False)
