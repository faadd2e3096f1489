"""The console: problems of the newest files, for the author.

Problems quote the author's files, including private values. Clients that do not send the key of the
server get 404, and so do requests from pages of other sites in the author's browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from kg.check.report.machine import json_problem
from kg.check.report.text import json_of
from kg.errors import Problem, count_severities, summary, why
from kg.publish.formats.media import HTML, JSON, negotiate
from kg.web.answers import Reply, build_reply
from kg.web.request import Request
from kg.web.state import CurrentSite

if TYPE_CHECKING:
    from kg.web.state import Shown

RELOAD_INTERVAL = 2  # seconds after which the page reloads


def show(request: Request, current: CurrentSite, documents: Shown) -> Reply:
    # Imported here because RDF files are served without YAML.
    from kg.check.report import explain  # noqa: PLC0415

    wanted = negotiate(request.headers.get("accept"), [HTML, JSON])
    is_json = request.path.endswith(".json") or wanted == JSON
    reasons = explain.reasons(documents.pages.site.folder)
    newest, is_served = current.latest()
    found: Sequence[Problem] = []
    failure, is_publishable = None, True
    if isinstance(newest, Exception):  # the check itself failed
        failure, is_publishable = why(newest), False
    elif newest:
        found, is_publishable = newest.problems, newest.publishable
    if is_json:  # as in `kg check --format json`
        report = {
            "problems": [
                {**json_problem(problem), "why": reasons.get(problem.rule)} for problem in found
            ],
            "summary": count_severities(found),
            "publishable": is_publishable,
            "failure": failure,
            "served": is_served,
            "watched": current.watched,
        }
        body = f"{json_of(report)}\n".encode()
    else:
        files = groupby(found, lambda problem: problem.place.file)
        body = documents.pages.rendered(
            "console.html",
            files=[(file, list(here)) for file, here in files],
            reasons=reasons,
            summary=summary(found),
            failure=failure,
            is_served=is_served,
            every=RELOAD_INTERVAL if current.watched else None,
            root="./",
        )
    return build_reply(request, body, JSON if is_json else HTML, cache="no-store")
