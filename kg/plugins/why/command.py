"""`kg why`: the sources of a statement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from kg.cli.command import SiteArgument, command
from kg.cli.messages import show, show_json, tell
from kg.cli.options import formats
from kg.cli.question_options import is_site
from kg.cli.write import facts_of
from kg.errors import counted, errors_in


@command(heading="Ask", short_help="Show where a fact comes from: lines, sources, rules.")
@click.argument("thing")
@click.argument("words", cls=SiteArgument, nargs=-1, metavar="[PROPERTY [VALUE]] [SITE]")
@formats("text", "json", what="The form of the answer.")
def why(thing: str, words: Sequence[str], format: str) -> None:
    """Show where a thing, or what is said of it, comes from.

    THING is an address, a slug or an exact name. Each statement has the file and the line that
    says it, or the rule that it follows by and what that leaned on; PROPERTY (schema:award, award,
    or the field it is written in) and VALUE choose some of them. The documents a thing was taken
    from and the decisions about its names are listed, too.
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
            f"Unexpected argument '{rest[2]}'. Write THING [PROPERTY [VALUE]] [SITE]."
        )
    facts = facts_of(site)
    origins = Provenance(facts)
    node = explanation.find_node(origins, thing)
    found = explanation.explain(origins, node, *rest)
    if format == "json":
        show_json(explanation_output.as_data(origins, found))
        return
    for line in explanation_output.as_text(origins, found, site):
        show(line)
    if errors := errors_in(facts.problems):
        tell(f"{counted(len(errors), 'error')}. Entries with errors are left out. Run kg check.")
