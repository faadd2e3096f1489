"""Problems as one JSON object, for editors and scripts:

    {"site": "…/mysite",                    the site's folder, from the root on
     "problems": [                          those asked for, sorted by place
       {"file": "data/cv/ada.yaml",         below the site's folder
        "line": 41, "column": 7,            counted from 1, in characters
        "severity": "error",                error, warning or info
        "rule": "role-dates",
        "message": "work[2]: ends …",
        "others": [{"file": …, "line": …, "column": …}]}],    places it is also about
     "summary": {"error": 1, "warning": 0, "info": 0},    of the whole site, whatever was asked for
     "publishable": false}                                    whether it has no errors

Names may be added, but none is taken away or changes its meaning.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from kg.check.report.shown import Shown
from kg.errors import Problem


def text(shown: Shown) -> str:
    problems = [told(problem) for problem in shown.problems]
    said = {
        "site": str(shown.folder.absolute()),
        "problems": problems,
        "summary": shown.counts,
        "publishable": shown.publishable,
    }
    return json.dumps(said, ensure_ascii=False, indent=2) + "\n"


def told(problem: Problem) -> dict[str, Any]:
    return {
        **asdict(problem.place),
        "severity": problem.severity,
        "rule": problem.rule,
        "message": problem.message,
        "others": [asdict(place) for place in problem.others],
    }
