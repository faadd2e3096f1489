"""`kg why`: the files, sources and rules that a statement comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kg.cli.command import SiteArgument, command
from kg.cli.messages import inform, print_json, show
from kg.cli.options import facts_of, format_option
from kg.cli.question_options import is_site
from kg.errors import counted, errors_in


@command(
    heading="Questions and exports",
    short_help="Show where a statement comes from: file, line, source, rule.",
    example="kg why ada-lindqvist award mysite",
)
@click.argument("thing", metavar="ENTRY")
@click.argument("words", cls=SiteArgument, nargs=-1, metavar="[PROPERTY [VALUE]] [SITE]")
@format_option("text", "json", what="Format of the answer.")
def why(thing: str, words: Sequence[str], format: str) -> None:
    """Show where the statements about an entry come from.

    ENTRY is an address, a slug or an exact name. Each statement is shown with its file and line,
    or with the rule it was derived by and from which facts. Source documents and decisions about
    names are listed too.

    PROPERTY (schema:award, award, or a field of the entry) and VALUE select statements.
    """
    from kg.plugins.why import explanation, explanation_output
    from kg.plugins.why.provenance import Provenance

    sites = [word for word in (*words[-1:], *words[:1]) if is_site(word)]
    site = Path(sites[0]) if sites else Path()
    rest = list(words)
    if sites:
        rest.remove(sites[0])
    if len(rest) > 2:
        raise click.UsageError(
            f"Too many arguments: '{rest[2]}'. Give at most ENTRY PROPERTY VALUE SITE."
        )
    facts = facts_of(site)
    origins = Provenance(facts)
    node = explanation.find_node(origins, thing)
    found = explanation.explain(origins, node, *rest)
    if format == "json":
        print_json(explanation_output.as_data(origins, found))
        return
    for line in explanation_output.as_text(origins, found, site):
        show(line)
    if errors := errors_in(facts.problems):
        inform(f"Entries with errors were skipped. kg check shows {counted(len(errors), 'error')}.")
