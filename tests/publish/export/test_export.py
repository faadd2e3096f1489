"""The site as a folder: exactly what the server sends, replaced in one step or not at all, and
every link in it leads somewhere.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
from werkzeug.test import Client

from kg.check.check import good
from kg.errors import KgError, ProblemsFound
from kg.graph.parallel.executor import WorkerConfig
from kg.publish.export.export import export
from kg.publish.export.folder import MARKER, exchange
from kg.publish.site import Documents
from tests.conftest import skip


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def is_copy(path: str, documents: Documents) -> bool:
    """Whether a file is a packed copy, which no server sends under that name."""
    return (
        path.endswith(".gz")
        and path.removesuffix(".gz") in documents.files
        and path not in documents.files
    )


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """A site of one short CV: what is tested of its folder is the same for all."""
    site = tmp_path_factory.mktemp("tiny")
    (site / "data" / "cv").mkdir(parents=True)
    (site / "data" / "site.yaml").write_text("{base: https://lab.example.org/, title: A small lab}")
    (site / "data" / "cv" / "ada.yaml").write_text("basics: {name: Ada Lindqvist}")
    return Documents(good(site))


@pytest.fixture(scope="module")
def tiny_folder(tiny: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("built") / "site"
    export(tiny, target)
    return target


@pytest.fixture
def target(tiny_folder: Path, tmp_path: Path) -> Path:
    """A copy of its folder, to write into."""
    return Path(shutil.copytree(tiny_folder, tmp_path / "site", symlinks=True))


def is_form(path: str, documents: Documents) -> bool:
    """Whether it is the page of a question with parameters, which a server answers itself."""
    name = path.removeprefix("queries/").removesuffix(".html")
    return path.endswith(".html") and bool(
        (question := documents.questions.get(name)) and question.parameters
    )


@pytest.mark.proof
def test_the_folder_is_what_the_server_sends_byte_for_byte(
    real_folder: Path, documents: Documents, client: Client
) -> None:
    written = {
        str(path.relative_to(real_folder)) for path in real_folder.rglob("*") if path.is_file()
    }
    assert {path for path in written if not is_copy(path, documents)} == {*documents.files, MARKER}
    assert len(written) > 500
    names = sorted(documents.files)
    for path in random.Random(17).sample(names, len(names) // 10):  # all of the example's, below
        if is_form(path, documents):
            continue
        sent = client.get(f"/{path}")
        assert (sent.status_code, sent.data) == (200, (real_folder / path).read_bytes()), path


@pytest.mark.proof
def test_every_file_of_the_example_is_what_its_server_sends(
    built: Path, small: Documents, small_client: Client
) -> None:
    for path in small.files:
        if is_form(path, small):
            continue
        sent = small_client.get(f"/{path}")
        assert (sent.status_code, sent.data) == (200, (built / path).read_bytes()), path


@pytest.mark.process
@pytest.mark.proof
def test_another_process_writes_the_same_bytes(
    small: Documents, built: Path, tmp_path: Path
) -> None:
    command = [
        Path(sys.executable).with_name("kg"),
        "build",
        small.graph.site.folder,
        "--editor",
        "-o",
        tmp_path / "again",
    ]
    subprocess.run(
        command,
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "99", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
    )
    assert files(tmp_path / "again") == files(built)


@pytest.mark.proof
def test_every_relative_link_and_asset_is_there(real_folder: Path) -> None:
    broken, seen = [], 0
    for page in real_folder.rglob("*.html"):
        for element, attribute, address, _ in lxml.html.fromstring(page.read_bytes()).iterlinks():
            parts = urlsplit(address)
            if (
                parts.scheme or element.tag == "form"
            ):  # a folder answers no questions, and its page says so
                continue
            if (
                page.name == "404.html"
            ):  # is shown anywhere, so its links begin at the top, which here is that of the host
                target = real_folder / unquote(parts.path).lstrip("/")
            else:
                assert not address.startswith("/"), "a site must work at any address"
                target = page.parent / unquote(parts.path)
            seen += 1
            if not (
                target / "index.html"
                if parts.path.endswith("/")
                else target
                if parts.path
                else page
            ).is_file():
                broken.append((str(page.relative_to(real_folder)), attribute, address))
    assert broken == []
    assert seen > 1000


@pytest.mark.proof
def test_others_may_read_the_folder(real_folder: Path) -> None:
    assert real_folder.stat().st_mode & 0o055 == 0o055


@pytest.mark.proof
def test_a_second_export_replaces_the_first(tiny: Documents, target: Path) -> None:
    (target / "people" / "someone-who-left.html").write_text("old")
    with (target / MARKER).open("a") as written:
        written.write("people/someone-who-left.html\n")
    (target / "index.html").write_text("old")
    export(tiny, target)
    assert not (target / "people" / "someone-who-left.html").exists()
    assert b"Ada Lindqvist" in (target / "index.html").read_bytes()
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.proof
def test_what_others_put_into_the_folder_stays(tiny: Documents, target: Path) -> None:
    (target / "CNAME").write_text("cv.example.org")
    (target / ".git" / "refs" / "tags").mkdir(parents=True)
    (target / ".git" / "refs" / "main").write_text("1234")
    (target / "people" / "notes.txt").write_text("mine")
    (target / "latest").symlink_to("people")
    before = files(target).keys()
    for _ in range(2):
        (target / "index.html").write_text("old")
        assert export(tiny, target).changed == 1
        assert files(target).keys() == before
        assert (target / ".git" / "refs" / "tags").is_dir()
        assert (target / "latest").readlink() == Path("people")


@pytest.mark.proof
def test_the_old_folder_is_whole_until_the_new_one_is(tiny: Documents, target: Path) -> None:
    (target / "index.html").write_text("old")
    seen: set[str] = set()

    def look(done: int, total: int) -> None:
        seen.add((target / "index.html").read_text(encoding="utf-8"))

    export(tiny, target, WorkerConfig(1, counting=lambda _: look))
    assert seen == {"old"}
    assert (target / "index.html").read_text(encoding="utf-8") != "old"


@pytest.mark.proof
def test_readers_never_find_the_folder_missing(
    tiny: Documents, target: Path, tmp_path: Path
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    if not exchange(one, other):
        skip("this system cannot swap two folders in one step")
    missing: list[OSError] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            try:
                (target / "index.html").read_bytes()
            except OSError as error:
                missing.append(error)
            time.sleep(0.0001)  # so that the export, too, has its share of the interpreter

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(3):
        export(tiny, target)
    done.set()
    reader.join()
    assert missing == []


@pytest.mark.slow
@pytest.mark.sample(test=0.5)
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=type)
def test_an_export_that_fails_midway_leaves_the_old_folder_whole(
    tiny: Documents, target: Path, error: BaseException
) -> None:
    (target / "index.html").write_text("old")
    before = files(target)

    def fail(done: int, total: int) -> None:
        if done >= total // 2:
            raise error

    with pytest.raises(KgError if isinstance(error, OSError) else type(error)):
        export(tiny, target, WorkerConfig(1, counting=lambda _: fail))
    assert files(target) == before
    assert list(target.parent.iterdir()) == [target]


def test_a_first_export_that_fails_leaves_nothing(tiny: Documents, tmp_path: Path) -> None:
    def fail(done: int, total: int) -> None:
        raise OSError("disk full")

    with pytest.raises(
        KgError, match=r"cannot write .*: disk full\. The previous build is unchanged"
    ):
        export(tiny, tmp_path / "site", WorkerConfig(1, counting=lambda _: fail))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_not_written_by_us_is_refused_untouched(tiny: Documents, tmp_path: Path) -> None:
    target = tmp_path / "thesis"
    target.mkdir()
    (target / "chapter-1.txt").write_text("years of work")
    with pytest.raises(KgError, match="was not written by kg build"):
        export(tiny, target)
    assert files(target) == {"chapter-1.txt": b"years of work"}


def test_a_file_in_the_place_of_the_folder_is_refused_untouched(
    tiny: Documents, tmp_path: Path
) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("notes")
    with pytest.raises(KgError, match="was not written by kg build"):
        export(tiny, target)
    assert target.read_text() == "notes"


def test_an_empty_folder_is_taken(tiny: Documents, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    export(tiny, tmp_path / "site")
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.proof
def test_a_sites_own_shapes_publish_nothing_private(example: Path, tmp_path: Path) -> None:
    (example / "shapes").mkdir()
    shape = (
        "@prefix sh: <http://www.w3.org/ns/shacl#> . <shapes#mail> sh:targetNode "
        "<people/ada-lindqvist#it> ; sh:message "
    )
    (example / "shapes" / "own.ttl").write_text(f"{shape} 'ask ada@example.org.' .")
    with pytest.raises(ProblemsFound, match=r"shapes/own\.ttl:1.*would be published"):
        export(Documents(good(example)), tmp_path / "out")
    (example / "shapes" / "own.ttl").write_text(f"{shape} 'ask Ada.' .")
    export(Documents(good(example)), tmp_path / "out")
    assert b"ask Ada." in (tmp_path / "out" / "shapes.ttl").read_bytes()
