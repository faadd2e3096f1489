"""`kg push`: what changed is put, what is gone is deleted, and a push may be repeated."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.plugins.remote import bulk
from kg.plugins.remote.profiles import load
from kg.plugins.remote.push import Record, counts, graph_of, push
from kg.plugins.remote.server import Server
from tests.cli.test_cli import run
from tests.plugins.remote.conftest import Elsewhere, Published
from tests.plugins.remote.faulty import faulty

LINE = '<{0}#it> <http://schema.org/name> "{1}" .\n'


def in_server(server: Server, base: str) -> dict[str, int]:
    query = (
        f"SELECT DISTINCT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(STRSTARTS(STR(?g), "
        f"'{base}')) }} ORDER BY ?g LIMIT 1000"
    )
    return counts(server, [row["g"].value for row in server.select(query)])


def test_a_push_is_repeated_and_puts_only_what_changed(
    elsewhere: Elsewhere, published: Published
) -> None:
    documents, base = published.documents, published.base
    server = elsewhere.server()
    record = Record(server, base)
    first = push(documents, record)
    assert (first.put, first.deleted, first.unchanged) == (len(documents), 0, 0)
    assert len(documents) > 30
    calls = server.client.requests
    second = push(documents, record)
    assert str(second) == f"0 uploaded, 0 deleted, {len(documents)} unchanged"
    assert server.client.requests - calls < 8
    found = in_server(server, base)
    assert found.pop(graph_of(base)) == 2 * len(documents) + 1
    assert found == {document: lines.count(b"\n") for document, lines in documents.items()}


def test_a_changed_document_is_put_and_a_removed_one_deleted(
    elsewhere: Elsewhere, published: Published
) -> None:
    documents, base = published.documents, published.base
    server = elsewhere.server()
    some = dict(list(documents.items())[:6])
    push(some, Record(server, base))
    changed, removed, *unchanged = some
    new = f"{base}people/new"
    later = {
        changed: LINE.format(changed, "Öther “name”").encode(),
        new: LINE.format(new, "N").encode(),
        **{each: some[each] for each in unchanged},
    }
    assert str(push(later, Record(server, base))) == "2 uploaded, 1 deleted, 4 unchanged"
    found = in_server(server, base)
    assert removed not in found
    assert found[changed] == found[new] == 1
    row = server.select(f"SELECT ?name WHERE {{ GRAPH <{changed}> {{ ?s ?p ?name }} }}")
    assert [each["name"].value for each in row] == ["Öther “name”"]


def test_what_somebody_else_changed_is_found_and_replaced(
    elsewhere: Elsewhere, published: Published
) -> None:
    documents, base = published.documents, published.base
    server = elsewhere.server()
    some = dict(list(documents.items())[:4])
    push(some, Record(server, base))
    touched = next(iter(some))
    server.insert(touched, [LINE.format(touched, "not ours")])
    with pytest.raises(KgError, match="has not stored all triples of 1 document:"):
        push(some, Record(server, base))
    assert str(push(some, Record(server, base))) == "1 uploaded, 0 deleted, 3 unchanged"
    assert in_server(server, base)[touched] == some[touched].count(b"\n")


def test_two_sites_in_one_server_leave_each_other_alone(
    oxigraph: Elsewhere, published: Published
) -> None:
    documents, base = published.documents, published.base
    server = oxigraph.server()
    other = f"{base}other-site/"
    theirs = {f"{other}people/x": LINE.format(f"{other}people/x", "X").encode()}
    push(theirs, Record(server, other))
    push(dict(list(documents.items())[:3]), Record(server, base))
    assert str(push(theirs, Record(server, other))) == "0 uploaded, 0 deleted, 1 unchanged"


def test_the_command_tells_what_changed(
    elsewhere: Elsewhere, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_PASSWORD", elsewhere.user)
    first = run("push", str(site), *elsewhere.arguments)
    assert first.exit_code == 0, first.output
    found = re.search(r"Documents: (\d+) uploaded, 0 deleted, 0 unchanged", first.output)
    assert found
    cv = site / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("position: Lecturer", "position: Reader"),
        encoding="utf-8",
    )
    edited = run("push", str(site), *elsewhere.arguments)
    # the CV, and the description of the whole, which has the identity of its facts
    assert f"Documents: 3 uploaded, 0 deleted, {int(found[1]) - 3} unchanged" in edited.output


REFUSED = "returned HTTP 401. Check --user and the password."


def test_who_is_not_let_in_is_told_what_to_look_at(oxigraph: Elsewhere, site: Path) -> None:
    with faulty(oxigraph.root) as door:
        door.fault = lambda *_: "401"
        result = run("push", str(site), "--endpoint", door.root, "--profile", "oxigraph")
    assert (result.exit_code, REFUSED in result.output) == (2, True)


@pytest.mark.proof
def test_virtuoso_refuses_a_wrong_password(
    virtuoso: Elsewhere, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_PASSWORD", "wrong")
    result = run("push", str(site), *virtuoso.arguments)
    assert (result.exit_code, REFUSED in result.output) == (2, True)


def test_a_password_is_never_an_argument(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KG_PASSWORD", raising=False)
    result = run(
        "push",
        str(site),
        "--endpoint",
        "http://127.0.0.1:9/",
        "--profile",
        "virtuoso",
        "--user",
        "dba",
    )
    assert result.exit_code == 2
    assert "KG_PASSWORD" in result.output


def test_nothing_is_pushed_while_there_are_errors(oxigraph: Elsewhere, site: Path) -> None:
    cv = site / "data" / "cv" / "ada-lindqvist.yaml"
    cv.write_text(
        cv.read_text(encoding="utf-8").replace("position: Lecturer", "postion: Lecturer"),
        encoding="utf-8",
    )
    result = run("push", str(site), *oxigraph.arguments)
    assert result.exit_code == 1
    assert "The data has errors" in result.output


def test_shards_do_not_replace_what_is_not_theirs(site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    result = run("push", str(site), "--shards", str(folder))
    assert result.exit_code == 2
    assert "contains other files" in result.output
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    shutil.rmtree(folder)


def test_shards_are_split(
    published: Published, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "SIZE", 20_000)
    documents, base = published.documents, published.base
    files = bulk.write(documents, base, load("virtuoso"), tmp_path / "shards")
    lines = sorted(line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    assert len(files) > 5
    given = [
        f"{line[:-2]} <{document}> ."
        for document, text in documents.items()
        for line in text.decode().splitlines()
    ]
    assert [line for line in lines if not line.endswith(f"<{graph_of(base)}> .")] == sorted(given)
