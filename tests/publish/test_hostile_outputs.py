"""Whatever is written into the fields of a site, each file that is published or exported is built
of the same parts: a text cannot add a line, a column, a property, an element, a header or a link.

Which fields there are, the models tell; which files, the site and the writers do: one of a kind
that nobody reads here fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import html5lib
import pytest

from kg import doors
from kg.check.check import good
from kg.facts.load import Facts, load
from kg.plugins.exchange.writers.public_cv import export_cv
from kg.publish.formats.media import HTML
from kg.publish.site import Documents
from tests.publish.hostile import HOSTILE, LINES, MILD, Author
from tests.publish.skeletons import BY_EXPORT, BY_MEDIA_TYPE, BY_PATH, outline

pytestmark = pytest.mark.fuzz

PEOPLE = ("ada-lindqvist", "tomas-ferreira")


class Written(NamedTuple):
    """A site by one author."""

    facts: Facts
    documents: Documents


def written(folder: Path, words: str) -> Written:
    site = Author(words).write(folder / "site")
    return Written(load(site), Documents(good(site)))


@pytest.fixture(scope="module")
def mild(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("mild"), MILD)


@pytest.fixture(scope="module", params=[HOSTILE, LINES], ids=["markup", "lines"])
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("hostile"), request.param)


def parts(documents: Documents, path: str, media_type: str) -> Any:
    read = BY_PATH.get(path, BY_MEDIA_TYPE[media_type])
    found = documents.get(path)
    assert found is not None
    return read(found.body) if read else None


@pytest.mark.proof
def test_each_published_file_has_the_parts_that_we_wrote(mild: Written, hostile: Written) -> None:
    files = hostile.documents.files
    assert files.keys() == mild.documents.files.keys()
    differing = [
        path
        for path, (_, media_type) in files.items()
        if parts(hostile.documents, path, media_type) != parts(mild.documents, path, media_type)
    ]
    assert differing == []


@pytest.mark.proof
@pytest.mark.parametrize("name", doors.installed("kg.exporters"))
def test_each_exported_file_has_the_parts_that_we_wrote(
    name: str, mild: Written, hostile: Written
) -> None:
    for slug in PEOPLE:
        ours, theirs = (
            export_cv(each.facts, each.documents.graph, slug, name).files
            for each in (mild, hostile)
        )
        assert ours.keys() == theirs.keys()
        for file, content in ours.items():
            assert BY_EXPORT[name](theirs[file]) == BY_EXPORT[name](content), (slug, file)


@pytest.mark.proof
def test_no_page_has_an_address_that_runs(hostile: Written) -> None:
    pages = [path for path, (_, form) in hostile.documents.files.items() if form == HTML]
    seen = set()
    for path in pages:
        document = hostile.documents.get(path)
        assert document is not None
        seen |= outline(html5lib.parse(document.body, namespaceHTMLElements=False))
    assert {scheme for scheme, _ in seen} <= {"", "http", "https", "mailto", "data", "tel"}
    assert {name for scheme, name in seen if scheme == "data"} <= {"img", "link"}
    assert len(seen) > 5
