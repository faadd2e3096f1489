"""The console: what is wrong with the newest state of the site, and where a thing comes from, for
the author.

Problems quote the author's files, private values too. So who does not show the key of the server
finds nothing here; nor does a page of another site that the author's browser shows.
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

EVERY = 2  # seconds until the page is loaded anew


def show(request: Request, current: CurrentSite, documents: Shown) -> Reply:
    # Loaded when it is needed: plain RDF files are served without YAML.
    from kg.check.report import explain  # noqa: PLC0415

    wanted = negotiate(request.headers.get("accept"), [HTML, JSON])
    is_json = request.path.endswith(".json") or wanted == JSON
    reasons = explain.reasons(documents.pages.site.folder)
    newest, is_served = current.latest()
    found: Sequence[Problem] = []
    failure, is_publishable = None, True
    if isinstance(newest, Exception):  # it could not be checked at all
        failure, is_publishable = why(newest), False
    elif newest:
        found, is_publishable = newest.problems, newest.publishable
    if is_json:  # in the words of `kg check --format json`
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
            every=EVERY if current.watched else None,
            root="./",
        )
    return build_reply(request, body, JSON if is_json else HTML, cache="no-store")
