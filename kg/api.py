"""The functions of the package: `kg.open`, `kg.load`, `kg.check`, `kg.build`, `kg.export`,
`kg.blueprint`.

Imports wait until they are needed, so that `import kg` and `kg --help` stay quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import flask

    from kg.errors import Problem
    from kg.facts.load import Facts
    from kg.graph.build import Graph
    from kg.opened_site import OpenSite
    from kg.sparql.limits import Limits


def open(folder: str | Path = ".") -> OpenSite:
    """A site to ask. Raises ProblemsFound where it has errors, and SiteNotFound."""
    from kg.check.check import check_cached
    from kg.files.cache import Cache
    from kg.graph.parallel.run import Run
    from kg.opened_site import OpenSite

    site = Path(folder)
    return OpenSite(check_cached(site, Run(cache=Cache(site))).good_graph(site))


def load(folder: str | Path = ".") -> Facts:
    """The checked facts of a site; what is wrong is among their problems."""
    from kg.facts.load import load

    return load(Path(folder))


def check(folder: str | Path = ".", today: str = "") -> list[Problem]:
    """The problems of a site. Without a day (2026-11-15) the rules about the present are left
    out.
    """
    from kg.check.check import check
    from kg.graph.parallel.run import Run

    return check(Path(folder), Run(today)).problems


def build(facts: Facts) -> Graph:
    """The graph of facts."""
    from kg.errors import ProblemsFound
    from kg.graph.build import build

    if facts.site is None:
        raise ProblemsFound(facts.problems, facts.folder)
    return build(facts, facts.site)


def export(folder: str | Path = ".", target: str | Path = "site") -> int:
    """Writes the whole site into a folder; gives the number of files. Raises ProblemsFound, and
    writes nothing, on errors.
    """
    from kg.check.check import good
    from kg.check.redirects import FILE
    from kg.graph.parallel.run import Run
    from kg.publish.export.export import export
    from kg.publish.site import Documents

    run = Run(previous=Path(target) / FILE)
    return export(Documents(good(Path(folder), run)), Path(target)).files


def blueprint(
    folder: str | Path = ".", *, endpoint: bool = False, limits: Limits | None = None
) -> flask.Blueprint:
    """The pages and data of a site, to mount in a Flask application: `app.register_blueprint(
    kg.blueprint("mysite"), url_prefix="/people")`. With `endpoint`, also its SPARQL endpoint at
    `/sparql`, whose queries run in worker processes within `limits`. Raises ProblemsFound where the
    site has errors.
    """
    from kg.web.mounted import site_blueprint

    return site_blueprint(Path(folder), endpoint, limits)
