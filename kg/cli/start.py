"""The commands to get started: `kg new`, `kg plugins`, `kg completion` and `kg schema`.

The completion script is click's. bash and zsh load it with a line in their start file; fish finds
it in its own folder. Installing it again only updates the script.
"""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import get_completion_class

from kg.cli.command import command, on_interrupt
from kg.cli.messages import inform, print_json, show
from kg.cli.options import FOLDER, SITE, format_option, was_given
from kg.errors import KgError, why

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SHELLS = ("bash", "zsh", "fish")
PROGRAM, VARIABLE = "kg", "_KG_COMPLETE"


@command(example='kg new mysite --name "Ada Lindqvist" --github')
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--name", metavar="NAME", help='Name of the person, and of the CV file (default: "Your Name").'
)
@click.option(
    "--example", is_flag=True, help="Write the example: two fictional people with every section."
)
@click.option(
    "--github",
    "hosts",
    flag_value="github",
    multiple=True,
    help="Add a workflow that checks every change and publishes it on GitHub Pages.",
)
@click.option(
    "--gitlab",
    "hosts",
    flag_value="gitlab",
    multiple=True,
    help="Add a pipeline that checks every change and publishes it on GitLab Pages.",
)
@click.option(
    "--sync",
    is_flag=True,
    help="With --github or --gitlab: also ask ORCID and other sources every month (kg sync).",
)
def new(folder: Path, name: str | None, example: bool, hosts: tuple[str, ...], sync: bool) -> None:
    """Create a site in a new or empty folder, with one CV for you to fill in.

    In the folder of an existing site, --github and --gitlab add their files.
    """
    if sync and not hosts:
        raise click.UsageError("--sync adds a workflow. Use it with --github or --gitlab.")
    from kg.cli.new_site import NAME, add_workflows, example_site, new_site, write_new
    from kg.settings import SITE_FILE

    if name and example:
        raise click.UsageError("--name and --example exclude each other. Give one.")
    hosts = (*hosts, *(f"{host}-sync" for host in hosts if sync))
    if name is not None and not (name.strip() and name.isprintable()):
        raise click.BadParameter("Write the name on one line.", param_hint="--name")
    if hosts and not (name or example) and (folder / SITE_FILE).exists():
        inform(add_workflows(folder, hosts))
        return
    files = example_site(hosts) if example else new_site((name or NAME).strip(), hosts)
    write_new(folder, files)
    where = "" if folder == Path() else f" {shlex.quote(str(folder))}"
    if example:
        inform(f"Created a site with two fictional people in {folder}/.")
    else:
        [cv] = (path for path in files if path.startswith("data/cv/"))
        inform(
            f"Created a site in {folder}/. Edit {folder / cv}, or import a CV: "
            f"kg import FILE --into {shlex.quote(str(folder))}"
        )
    inform(f"Next: kg check{where}, kg serve --watch{where}, and kg build{where} -o public")


@command(example="kg plugins")
@format_option("text", "json", what="Format of the list.")
def plugins(format: str) -> None:
    """List installed plugins: group, name, package, and whether each loads.

    Exit codes: 0 all load, 1 a plugin is not used or does not load, 2 invalid command.
    """
    from kg import doors

    found = [
        {
            "group": entry.group,
            "name": entry.name,
            "package": doors.distribution(entry),
            "version": entry.dist.version if entry.dist else "",
            "fault": fault_of(entry),
        }
        for entry in doors.declared()
    ]
    if format == "json":
        print_json(found)
    else:
        rows = [
            [each["group"], each["name"], f"{each['package']} {each['version']}"] for each in found
        ]
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
        for row, each in zip(rows, found, strict=True):
            padded = (f"{text:<{width}}" for text, width in zip(row, widths, strict=True))
            show("  ".join((*padded, each["fault"] or "ok")))
    sys.exit(1 if any(each["fault"] for each in found) else 0)


def fault_of(entry: EntryPoint) -> str:
    """Why a plugin is not used; empty if it is used."""
    from kg import doors
    from kg.cli import COMMANDS

    if entry.group not in doors.GROUPS:
        return f"unknown group. Known: {', '.join(doors.GROUPS)}"
    if entry.group == "kg.commands" and entry.name in COMMANDS:
        return "not used: kg has its own command of this name"
    used = doors.installed(entry.group)[entry.name]
    if used != entry or doors.distribution(used) != doors.distribution(entry):
        return f"not used: {doors.distribution(used)} has the same name"
    try:
        doors.load(entry, object)
    except doors.NotLoaded as error:
        return f"failed to load: {error}"
    return ""


@command(example="kg completion bash --install")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Install the script instead of printing it.")
def completion(shell: str | None, install: bool) -> None:
    """Print or install a script that completes commands, options and names in your shell.

    Without an argument, the shell is the one in $SHELL.
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    found = get_completion_class(name) if name in SHELLS else None
    if found is None:
        raise click.UsageError(
            "The shell is missing. Use bash, zsh or fish: kg completion bash --install"
        )
    script = found(click.get_current_context().find_root().command, {}, PROGRAM, VARIABLE).source()
    if not install:
        click.echo(script)
        return
    on_interrupt("Nothing was installed.")
    written = install_script(name, script, Path.home())
    inform(f"Installed in {', '.join(map(str, written))}. Open a new shell to use it.")


def install_script(shell: str, script: str, home: Path) -> list[Path]:
    """Writes the script, and the line that loads it into the start file of the shell. Returns the
    files.
    """
    from kg.files.atomic import replace_files

    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    if shell == "fish":
        file, start = config / "fish" / "completions" / "kg.fish", None
    else:
        folder = Path(os.environ.get("ZDOTDIR") or home) if shell == "zsh" else home
        file, start = data / "kg" / f"completion.{shell}", folder / f".{shell}rc"
    try:
        replace_files(file.parent, {file.name: script})
        if start is None:
            return [file]
        line = f"[ -r {shlex.quote(str(file))} ] && . {shlex.quote(str(file))}\n"
        before = start.read_bytes().decode("utf-8", "surrogateescape") if start.exists() else ""
        if line not in before:
            with start.open("a", encoding="utf-8") as opened:
                opened.write(("\n" if before and not before.endswith("\n") else "") + line)
    except (KgError, OSError) as error:
        raise KgError(
            f"{why(error)} Or print the script and install it manually: kg completion {shell}"
        ) from error
    return [file, start]


def complete_kinds(context: click.Context, argument: click.Parameter, prefix: str) -> list[str]:
    from kg.facts.schema import schemas

    return [kind for kind in sorted(schemas()) if kind.startswith(prefix)]


@command(example="kg schema cv")
@click.argument("kind", required=False, shell_complete=complete_kinds)
@SITE
@click.option(
    "--write",
    is_flag=True,
    help="Write all schemas to data/.schema/ of SITE, where editors find them.",
)
def schema(kind: str | None, site: Path, write: bool) -> None:
    """Print the JSON Schema of a data file.

    KIND is cv, people, organizations, publications … (default: all).
    """
    from kg.facts import schema as schemas
    from kg.files.atomic import replace_files

    if write:
        if kind and not was_given("site"):  # --write takes no KIND: the only argument is the site
            site = Path(FOLDER.convert(kind, None, click.get_current_context()))
        replace_files(site, schemas.files())
        inform(f"Wrote the schemas to {site / schemas.FOLDER}/.")
        return
    found = schemas.schemas()
    if kind and kind not in found:
        raise click.UsageError(f"Unknown kind of file '{kind}'. Known: {', '.join(sorted(found))}.")
    click.echo(schemas.text(found[kind] if kind else found), nl=False)
