"""The editor is on the page for questions where its files are, and only there; and so is the
engine, in a folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import lxml.html
import pytest

from kg.graph.build import Graph
from kg.publish.formats import media
from kg.publish.hosting.query_only import QueryOnly
from kg.publish.questions import editor
from kg.publish.site import Documents

BASE = "https://e.example/"
REAL = editor.files


def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[QueryOnly, lxml.html.HtmlElement]:
    monkeypatch.setattr(editor, "files", partial(REAL, folder))
    plain = QueryOnly(BASE, "a.ttl")
    return plain, lxml.html.fromstring(plain.pages.sparql())


def install(folder: Path, *packages: Mapping[str, str]) -> None:
    for name, path in (pair for package in packages for pair in package.items()):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"/* {name} */")


def in_folder(graph: Graph) -> tuple[Documents, lxml.html.HtmlElement]:
    documents = Documents(graph)
    document = documents.get("sparql.html")
    assert document is not None
    return documents, lxml.html.fromstring(document.body)


def test_with_its_files_the_page_loads_them_from_the_site_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, editor.EDITOR)
    plain, found = page(tmp_path, monkeypatch)
    loaded = found.xpath("//script/@src | //link[@rel='stylesheet']/@href")
    assert [name.removeprefix("./static/") for name in loaded] == [
        "style.css",
        "theme.js",
        "questions.css",
        "yasgui.min.css",
        "editor.css",
        "yasgui.min.js",
        "editor.js",
    ]
    served = [
        path
        for path in loaded
        if path.removeprefix("./") in plain.files or editor.document(path.removeprefix("./"))
    ]
    assert served == loaded
    script = editor.document("static/yasgui.min.js")
    assert script is not None
    assert (script.media_type, script.body) == ("text/javascript", b"/* yasgui.min.js */")
    assert [
        editor.document(path)
        for path in ("yasgui.min.js", "static/", "static/../static/yasgui.min.js")
    ] == [None] * 3
    assert found.xpath("//form[@class='ask']/@data-base") == [BASE]
    assert found.xpath("//textarea[@id='query' and @required]"), (
        "without JavaScript the form is as it was"
    )


@pytest.mark.parametrize("there", [[], ["yasgui.min.js"]])
def test_without_all_its_files_the_page_is_the_plain_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[str]
) -> None:
    install(tmp_path, {name: editor.EDITOR[name] for name in there}, editor.ENGINE)
    plain, found = page(tmp_path, monkeypatch)
    assert found.xpath("//script/@src | //@data-base") == ["./static/theme.js"]
    assert found.xpath("//link[@rel='stylesheet']/@href") == [
        "./static/style.css",
        "./static/questions.css",
    ]
    assert not plain.pages.has_editor
    assert [editor.document(f"static/{name}") for name in ("yasgui.min.js", "oxigraph.js")] == [
        None,
        None,
    ]


def test_with_the_engine_a_copy_in_a_folder_answers_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph: Graph
) -> None:
    install(tmp_path, editor.EDITOR, editor.ENGINE)
    monkeypatch.setattr(editor, "files", partial(REAL, tmp_path))
    assert editor.lacking() == ""
    documents, found = in_folder(graph)
    wasm = documents.get("static/oxigraph.wasm")
    assert wasm is not None
    assert (wasm.media_type, wasm.body) == ("application/wasm", b"/* oxigraph.wasm */")
    [form] = found.xpath("//form[@data-engine]")
    loaded = [
        form.get(f"data-{name}").removeprefix("./")
        for name in ("engine", "dump", "all", "completions")
    ]
    assert [path for path in loaded if path not in documents.files] == []
    assert (form.get("action"), form.get("data-base")) == ("./sparql.html", documents.base)
    [said] = found.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert f"{said}; frame-ancestors 'none'" == media.FOLDER_POLICY
    assert {
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "connect-src 'self'",
    } <= set(said.split("; "))
    assert "JavaScript" in found.get_element_by_id("needs").text_content()


def test_a_packed_dump_is_loaded_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph: Graph
) -> None:
    install(tmp_path, editor.EDITOR, editor.ENGINE)
    monkeypatch.setattr(editor, "files", partial(REAL, tmp_path))
    documents = Documents(graph)
    for path, chosen in ((None, "dump.nq"), ("dump.nq.gz", "dump.nq.gz")):
        documents.files.pop("dump.nq.gz", None)
        documents.files |= {path: ("packed", "application/gzip")} if path else {}
        assert documents.loads()["dump"] == chosen


@pytest.mark.parametrize("packages", [[], [editor.EDITOR]], ids=["nothing", "editor"])
def test_without_the_engine_a_copy_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph: Graph, packages: list[Mapping[str, str]]
) -> None:
    install(tmp_path, *packages)
    monkeypatch.setattr(editor, "files", partial(REAL, tmp_path))
    documents, found = in_folder(graph)
    assert found.xpath("//main//script | //meta[@http-equiv] | //@data-engine") == []
    assert found.xpath("//main//a[contains(@href, 'sparql')]") == []
    assert editor.PACKAGE in found.get_element_by_id("needs").text_content()
    assert "kg doctor" in editor.lacking()
    assert "oxigraph" not in " ".join(documents.files)
    assert len(found.xpath("//li/details[summary]//textarea")) == len(documents.pages.questions), (
        "the questions can be copied"
    )


def test_our_scripts_are_small_and_name_no_other_host(documents: Documents) -> None:
    ours = [
        path
        for path, (origin, _) in documents.files.items()
        if origin == "static" and path.endswith((".js", ".css"))
    ]
    assert len(ours) >= 7
    for path in ours:
        document = documents.get(path)
        assert document is not None
        text = document.body.decode()
        assert len(text.splitlines()) <= 250, path
        assert "://" not in text.replace("http://www.w3.org/2000/svg", "").replace(
            "https?:\\/\\/", ""
        ), path
