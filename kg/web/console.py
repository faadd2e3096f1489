"""The problems console: what is wrong with the newest state of the site, for the author at the same
machine.

Problems quote the author's files, private values too. So a client that is not on this machine finds
nothing here; nor does a page of another site that the author's browser shows, nor anybody behind a
proxy that runs beside us.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, current_app, request
from werkzeug.exceptions import NotAcceptable

from kg.check.report.machine import json_problem
from kg.errors import SEVERITIES, Problem, summary, why
from kg.publish.formats.media import HTML, negotiate
from kg.web import answers
from kg.web.request import is_local
from kg.web.state import Stage, stage, state

if TYPE_CHECKING:
    from pathlib import Path

    from kg.check.watch import Seen

blueprint = Blueprint("console", __name__)

JSON = "application/json"
EVERY = 2  # seconds until the page is loaded anew


@blueprint.get("/console", defaults={"wanted": None})
@blueprint.get("/console.json", defaults={"wanted": JSON})
def console(wanted: str | None) -> Response:
    if not current_app.config["KG_OPEN_CONSOLE"] and not is_local(request):
        abort(404)
    wanted = wanted or negotiate(request.headers.get("Accept"), [HTML, JSON])
    if wanted is None:
        raise NotAcceptable(f"This is here as {HTML}, {JSON}.")
    response = answers.reply(request, text(stage()) if wanted == JSON else page(stage()), wanted)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def page(stage: Stage) -> bytes:
    pages = state().documents.pages
    newest, is_served = stage.latest()
    found = problems(newest)
    return pages.rendered(
        "console.html",
        files=[
            (file, list(here)) for file, here in groupby(found, lambda problem: problem.place.file)
        ],
        reasons=reasons(pages.site.folder),
        summary=summary(found),
        failure=failure(newest),
        is_served=is_served,
        every=EVERY if stage.watched else None,
        root="./",
    )


def text(stage: Stage) -> bytes:
    """The same for programs, in the words of `kg check --format json`."""
    newest, is_served = stage.latest()
    found = problems(newest)
    known = reasons(state().documents.pages.site.folder)
    counts = Counter(problem.severity for problem in found)
    report = {
        "problems": [
            {**json_problem(problem), "why": known.get(problem.rule)} for problem in found
        ],
        "summary": {severity: counts[severity] for severity in SEVERITIES},
        "publishable": newest is None or (not isinstance(newest, Exception) and newest.publishable),
        "failure": failure(newest),
        "served": is_served,
        "watched": stage.watched,
    }
    return (json.dumps(report, ensure_ascii=False, indent=2) + "\n").encode()


def problems(newest: Seen | None) -> Sequence[Problem]:
    return [] if newest is None or isinstance(newest, Exception) else newest.problems


def failure(newest: Seen | None) -> str | None:
    """Why the newest state could not be checked at all."""
    return why(newest) if isinstance(newest, Exception) else None


def reasons(folder: Path) -> dict[str, str]:
    """Why each rule exists. Loaded when it is needed: plain RDF files are served without YAML."""
    from kg.check.report import explain  # noqa: PLC0415

    return explain.reasons(folder)
