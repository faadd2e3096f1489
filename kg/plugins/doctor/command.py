"""`kg doctor`: what is installed, what is missing and how to install it.

Imports no package besides click before it is known that all are installed.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

from kg.cli.command import command
from kg.cli.messages import inform, print_json, show
from kg.cli.options import SITE, TODAY, format_option
from kg.plugins.doctor.packages import requirements


@command(
    heading="Getting started",
    short_help="Report what is installed, what is missing and how to install it.",
    example="kg doctor mysite",
)
@SITE
@format_option("text", "json", what="Format of the report.")
@TODAY
def doctor(site: Path, format: str, today: str) -> None:
    """Report what is installed, what is missing and how to install it.

    Covers Python, the packages of kg, the SPARQL editor, programs that some commands use, and the
    site.

    Exit codes: 0 kg works, 1 something that kg needs is missing or the site has errors, 2 invalid
    command.
    """
    found = list(requirements())
    if all(each.state == "ok" for each in found):
        from kg.plugins.doctor.diagnosis import diagnose

        found += diagnose(site, today)
    wrong = [each for each in found if each.state == "error"]
    if format == "json":
        findings = [{**asdict(each), "severity": each.state} for each in found]
        ready = {"ready": not wrong, "findings": findings}
        print_json(ready)
    else:
        for each in found:
            show(f"{each.state:<5}  {each.name}: {each.there}")
            if each.advice:
                show(f"       {each.advice}")
        verdict = (
            "Not ready: fix the errors above."
            if wrong
            else "Everything that kg needs is installed."
        )
        inform(verdict)
    sys.exit(1 if wrong else 0)
