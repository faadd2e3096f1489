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

from kg.check.report.machine import json_problem
from kg.errors import SEVERITIES, Problem, summary, why
from kg.publish.formats.media import HTML, JSON
from kg.web.answers import Reply, build_reply, choose_form
from kg.web.request import Request
from kg.web.state import Stage

if TYPE_CHECKING:
    from kg.check.watch import Seen
    from kg.web.state import Shown

EVERY = 2  # seconds until the page is loaded anew


def show(request: Request, stage: Stage, documents: Shown) -> Reply:
    # Loaded when it is needed: plain RDF files are served without YAML.
    from kg.check.report import explain  # noqa: PLC0415

    is_json = request.path.endswith(".json") or choose_form(request, [HTML, JSON]) == JSON
    reasons = explain.reasons(documents.pages.site.folder)
    body = text(stage, reasons) if is_json else page(stage, documents, reasons)
    reply = build_reply(request, body, JSON if is_json else HTML, cache="no-store")
    reply.headers["X-Robots-Tag"] = "noindex"
    return reply


def page(stage: Stage, documents: Shown, reasons: dict[str, str]) -> bytes:
    newest, is_served = stage.latest()
    found = problems(newest)
    return documents.pages.rendered(
        "console.html",
        files=[
            (file, list(here)) for file, here in groupby(found, lambda problem: problem.place.file)
        ],
        reasons=reasons,
        summary=summary(found),
        failure=failure(newest),
        is_served=is_served,
        every=EVERY if stage.watched else None,
        root="./",
    )


def text(stage: Stage, reasons: dict[str, str]) -> bytes:
    """The same for programs, in the words of `kg check --format json`."""
    newest, is_served = stage.latest()
    found = problems(newest)
    counts = Counter(problem.severity for problem in found)
    report = {
        "problems": [
            {**json_problem(problem), "why": reasons.get(problem.rule)} for problem in found
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
