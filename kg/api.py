"""The public Python API: `kg.open`, `kg.load`, `kg.check`, `kg.build`, `kg.export`, `kg.blueprint`.

Modules are imported on first use, so that `import kg` and `kg --help` are fast.
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


def open(source: str | Path = ".") -> OpenSite:
    """Opens a site to query its people, works and graph.

    The folder of a site is checked first. The result is cached, so opening an unchanged site again
    is fast. A published site is read as it is: its address, a folder written by `kg build`, or one
    of its dumps. Later changes have no effect on the returned object.

        site = kg.open("mysite")
        site.people["ada-lindqvist"].publications
        site.questions.coauthors_of(person="ada-lindqvist")

    Args:
        source: The folder of the site, which contains `data/site.yaml`; or the address of a
            published site, a built folder, or a dump such as `dump.nq` or `dump.ttl.gz`.

    Returns:
        The site as it is now.

    Raises:
        SiteNotFound: This is not a site.
        ProblemsFound: The site has errors.
    """
    from kg import doors
    from kg.check.check import check
    from kg.files.cache import Cache
    from kg.graph.parallel.run import Run
    from kg.opened_site import Opener, OpenSite
    from kg.settings import SITE_FILE

    site = Path(source)
    if not (site / SITE_FILE).exists():
        for opener in doors.each("kg.openers", Opener).values():
            if opener.matches(str(source)):
                return opener.open(str(source))
    return OpenSite(check(site, Run(cache=Cache(site))).good_graph(site))


def load(folder: str | Path = ".") -> Facts:
    """Loads the facts of a site, without building its graph.

    Errors do not raise an exception: they are in the `problems` of the result, and entries with
    errors are left out.

    Args:
        folder: The folder of the site.

    Returns:
        The valid facts, and all problems of fields and references.

    Raises:
        SiteNotFound: The folder is not a site.
    """
    from kg.facts.load import load

    return load(Path(folder))


def check(folder: str | Path = ".", today: str = "") -> list[Problem]:
    """Checks a site, as the command `kg check` does.

    Args:
        folder: The folder of the site.
        today: The date to check against, e.g. `2026-11-15`. Without it, rules about the present
            are skipped, such as that for passed dates.

    Returns:
        All problems, sorted by place: errors, warnings and hints (`info`). A site without errors
        can be published.

    Raises:
        SiteNotFound: The folder is not a site.
    """
    from kg.check.check import check
    from kg.graph.parallel.run import Run
    from kg.publish.verify.trial import with_trial

    return with_trial(check(Path(folder), Run(today))).problems


def build(facts: Facts) -> Graph:
    """Builds the graph of loaded facts, including derived triples.

    Args:
        facts: The result of `kg.load`.

    Returns:
        The graph, with its N-Quads and a store to query.

    Raises:
        ProblemsFound: The base of the site is unknown, because `data/site.yaml` has errors.
    """
    from kg.errors import ProblemsFound
    from kg.graph.build import build

    if facts.site is None:
        raise ProblemsFound(facts.problems, facts.folder)
    return build(facts, facts.site)


def export(folder: str | Path = ".", target: str | Path = "site") -> int:
    """Writes the whole site into a folder for a web host, as the command `kg build` does.

    Nothing is written if the site has errors.

    Args:
        folder: The folder of the site.
        target: The folder to write. Addresses that an earlier build published there must still
            exist or be redirected.

    Returns:
        The number of files.

    Raises:
        SiteNotFound: The folder is not a site.
        ProblemsFound: The site has errors.
    """
    from kg.check.check import good
    from kg.check.redirects import FILE
    from kg.graph.parallel.run import Run
    from kg.publish.export.export import export
    from kg.publish.page_files import page_files
    from kg.publish.site import Documents

    run = Run(previous=Path(target) / FILE)
    graph = good(Path(folder), run)
    documents = Documents(graph, files=page_files(graph.site, is_built=True))
    return export(documents, Path(target)).files


def blueprint(
    folder: str | Path = ".", *, endpoint: bool = False, limits: Limits | None = None
) -> flask.Blueprint:
    """Creates a Flask blueprint with the pages and data of a site.

        app.register_blueprint(kg.blueprint("mysite"), url_prefix="/people")

    Args:
        folder: The folder of the site.
        endpoint: Whether to add the SPARQL endpoint at `/sparql`, which runs queries in worker
            processes.
        limits: The limits of the endpoint (default: those of `kg serve`).

    Returns:
        The blueprint, to be registered in a Flask application.

    Raises:
        SiteNotFound: The folder is not a site.
        ProblemsFound: The site has errors.
    """
    from kg.web.mounted import site_blueprint

    return site_blueprint(Path(folder), endpoint, limits)
