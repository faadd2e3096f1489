"""The real things: the site of this repository, its graph, the application over it with real worker
processes.
"""

from __future__ import annotations

import fcntl
import gc
import os
import re
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from werkzeug.test import Client

from kg.check.check import good
from kg.cli.new_site import new_site, write_new
from kg.graph.build import Graph
from kg.graph.parallel.run import Run
from kg.publish.export.export import export
from kg.publish.site import Documents
from kg.sparql.endpoint import Embedded
from kg.sparql.limits import Limits
from kg.store.memory import Memory
from kg.web.state import State
from tests import kinds
from tests.client import client_of
from tests.kinds import starts

ROOT = Path(__file__).parent.parent
# No test, and no process that one starts, writes into the cache of whoever runs them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    CACHE = tempfile.TemporaryDirectory(prefix="kg-cache-")
    os.environ["KG_CACHE"] = CACHE.name
# Invented people with CVs as long as real ones, for tests that need more than the example has.
LARGE_SITE = ROOT / "tests" / "large_site"

# A busy machine is no fault, and what fails fails each time.
settings.register_profile(
    "ours", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ours")


# Files that take longest, the longest first: they begin early, so that no worker is left with one
# at the end. All others follow in their usual order.
LONGEST = (
    "check/test_rules_as_pyshacl.py",
    "plugins/join/test_hostile.py",
    "plugins/join/test_join.py",
    "plugins/sync/test_sync.py",
    "plugins/exchange/test_works_to_pages.py",
    "plugins/mcp/test_mcp.py",
    "test_forty.py",
    "plugins/verify/test_published_site.py",
    "web/test_console.py",
    "plugins/preview/test_preview.py",
    "test_doors.py",
    "web/test_kinds.py",
    "publish/export/test_random_sites.py",
    "test_readme.py",
    "publish/export/test_reuse.py",
    "publish/export/test_lacking.py",
    "web/test_hostile.py",
    "plugins/join/test_kept_up_to_date.py",
    "test_mistakes.py",
    "publish/pages/test_fields_on_pages.py",
    "plugins/sources/test_schemes.py",
    "cli/test_cli_query.py",
    "plugins/exchange/test_any_format.py",
    "plugins/remote/test_large_answers.py",
    "web/test_reload.py",
    "web/test_built_folder.py",
    "plugins/remote/test_query_endpoint.py",
    "plugins/lsp/test_editors.py",
    "web/test_question_addresses.py",
    "web/test_files.py",
    "test_project_files.py",
    "web/test_editing.py",
    "web/test_server.py",
    "cli/test_cli_interrupts.py",
    "web/test_browser.py",
    "publish/verify/test_trial.py",
    "cli/test_cli_terminal.py",
    "plugins/remote/test_serve.py",
    "web/test_search_browser.py",
    "web/test_editor.py",
    "plugins/verify/test_cli_verify.py",
    "publish/export/test_export.py",
    "web/test_local.py",
    "web/test_sparql_page.py",
    "web/test_current_site.py",
    "web/test_reading.py",
    "web/test_folder.py",
    "publish/export/test_folder.py",
    "test_wheel.py",
)


def facts_of(graph: Graph) -> Memory:
    """The graph as strangers see it: the facts, unless they name another graph."""
    return graph.memory.once(
        "facts", lambda: Memory(graph.site.base, graph.nquads, rest=graph.rest)
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: the garbage collector need not look at it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Leaves out the cases that are not to run."""
    yield
    kinds.choose_cases(metafunc)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, None, None]:
    """Gives tests their kinds before `-m` selects some; the longest files come first."""
    kinds.mark(items)
    yield
    places = {ROOT / "tests" / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(LONGEST)))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A quick test starts no process: see `kinds.refuse_processes`."""
    with kinds.refuse_processes(item):
        return (yield)


def skip(reason: str) -> None:
    """Skips a test, except where nothing may be skipped."""
    if os.environ.get("KG_SKIP_NOTHING"):
        pytest.fail(f"{reason} (and nothing may be skipped here)")
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where nothing may be skipped, a mark that skips fails, too."""
    report = yield
    if report.skipped and os.environ.get("KG_SKIP_NOTHING"):
        report.outcome = "failed"
    return report


@pytest.fixture(scope="module", autouse=True)
def _tidy() -> None:
    """What earlier tests left goes here, in the main thread: the engine's results may not be
    dropped by another, as a test's server is.
    """
    gc.collect()


@pytest.fixture(scope="session")
def graph() -> Graph:
    return good(LARGE_SITE)


@pytest.fixture(scope="session")
def documents(graph: Graph) -> Documents:
    return Documents(graph)


def built_once(factory: pytest.TempPathFactory, name: str, documents: Documents) -> Path:
    """A site as a folder, built by the first worker that needs it, for all of them."""
    own = factory.getbasetemp()
    place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    target = place / name
    with (place / f"{name.replace('/', '-')}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            written = export(documents, target)
            files = sum(path.is_file() for path in target.rglob("*"))
            assert written.files == written.changed == files - 1
    return target


@pytest.fixture(scope="session")
def real_folder(documents: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real site as a folder. It stays as it is."""
    return built_once(tmp_path_factory, "host/~me/cv", documents)


@pytest.fixture(scope="session")
def small() -> Documents:
    """The example site."""
    return Documents(good(ROOT / "kg" / "example"))


@pytest.fixture(scope="session")
def built(small: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a folder. Who wants to break it takes a copy."""
    return built_once(tmp_path_factory, "example/deep/lab", small)


@pytest.fixture(scope="session")
@starts("process")
def endpoint(documents: Documents) -> Iterator[Embedded]:
    lines = documents.graph.nquads, documents.rest()
    endpoint = Embedded(documents.base, lambda: lines, Limits(deadline=2))
    yield endpoint
    endpoint.close()


@pytest.fixture(scope="session")
def client(documents: Documents, endpoint: Embedded) -> Client:
    return client_of(State(documents, endpoint))


@pytest.fixture
@starts("process")
def small_client(small: Documents) -> Iterator[Client]:
    """The example site as its server sends it."""
    lines = small.graph.nquads, small.rest()
    endpoint = Embedded(small.base, lambda: lines, Limits(deadline=2))
    yield client_of(State(small, endpoint))
    endpoint.close()


@pytest.fixture(scope="session")
def one_person(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of one person, as `kg new` writes it: where any site will do, the quickest."""
    folder = tmp_path_factory.mktemp("one-person") / "site"
    write_new(folder, new_site("Ada Berg"))
    return folder


@pytest.fixture
def site(one_person: Path, tmp_path: Path) -> Path:
    """A copy of it, to break."""
    return Path(shutil.copytree(one_person, tmp_path / "site"))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example site that travels with the package, to break."""
    return copy_of_example(tmp_path)


def copy_of_example(folder: Path) -> Path:
    return Path(shutil.copytree(ROOT / "kg" / "example", folder / "site"))


@pytest.fixture(scope="session")
def renamed(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """The example site below a path of its host, with a licence and a contact, a person who was
    called otherwise before, two addresses that are withdrawn, and a topic that an earlier build
    redirected to its list.
    """
    folder = copy_of_example(tmp_path_factory.mktemp("renamed"))
    site, people = folder / "data" / "site.yaml", folder / "data" / "people.yaml"
    withdrawn = (
        "withdrawn: [people/eli, {address: press/rumour, reason: <b>It</b> was untrue., date: "
        "2026-02}]\n"
        "contact: some_body@lab.example.org\n"
    )
    site.write_text(
        re.sub(r"(?m)^license:.*\n", "", site.read_text(encoding="utf-8")).replace(
            "example.org/", "example.org/cv/"
        )
        + withdrawn,
        encoding="utf-8",
    )
    people.write_text(
        people.read_text(encoding="utf-8").replace(
            "noor-haddad: {", "noor-haddad: {was: n-haddad, "
        ),
        encoding="utf-8",
    )
    base, previous = "https://lab.example.org/cv/", folder / "addresses.txt"
    previous.write_text(f"{base}\n{base}topics/docker\n", encoding="utf-8")
    redirects = "/cv/topics/docker /cv/topics/ 302\n"
    (folder / "_redirects").write_text(redirects, encoding="utf-8")
    return Documents(good(folder, Run(previous=previous)))


@pytest.fixture(scope="session")
def renamed_folder(renamed: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_once(tmp_path_factory, "renamed/cv", renamed)
