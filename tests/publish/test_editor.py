"""The editor is on the page for questions where its files are, and only there."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import lxml.html
import pytest

from kg.publish import editor
from kg.publish.plain import Plain
from kg.publish.site import Documents

BASE = "https://e.example/"
REAL = editor.files


def page(folder: Path, monkeypatch: pytest.MonkeyPatch, **how: bool) -> tuple[Plain, lxml.html.HtmlElement]:
    monkeypatch.setattr(editor, "files", partial(REAL, folder))
    plain = Plain(BASE, "a.ttl")
    return plain, lxml.html.fromstring(plain.pages.sparql(**how))


def test_with_its_files_the_page_loads_them_from_the_site_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in editor.FILES:
        (tmp_path / name).write_text(f"/* {name} */")
    plain, found = page(tmp_path, monkeypatch)
    loaded = found.xpath("//script/@src | //link[@rel='stylesheet']/@href")
    assert [name.removeprefix("./static/") for name in loaded] == [
        "style.css",
        "yasgui.min.css",
        "editor.css",
        "yasgui.min.js",
        "editor.js",
    ]
    served = [path for path in loaded if path.removeprefix("./") in plain.files or editor.document(path.removeprefix("./"))]
    assert served == loaded
    script = editor.document("static/yasgui.min.js")
    assert script is not None
    assert (script.media_type, script.body) == ("text/javascript", b"/* yasgui.min.js */")
    assert "static/yasgui.min.js" not in plain.files, "a site is the same wherever it is built"
    assert [editor.document(path) for path in ("yasgui.min.js", "static/", "static/../static/yasgui.min.js")] == [None] * 3
    assert found.xpath("//form[@class='ask']/@data-base") == [BASE]
    assert found.xpath("//textarea[@id='query' and @required]"), "without JavaScript the form is as it was"
    assert not page(tmp_path, monkeypatch, is_served=False)[1].xpath("//script"), "a folder answers no questions"


@pytest.mark.parametrize("there", [[], ["yasgui.min.js"]])
def test_without_all_its_files_the_page_is_the_plain_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[str]) -> None:
    for name in there:
        (tmp_path / name).touch()
    plain, found = page(tmp_path, monkeypatch)
    assert found.xpath("//script | //@data-base") == []
    assert found.xpath("//link[@rel='stylesheet']/@href") == ["./static/style.css"]
    assert not plain.pages.has_editor
    assert editor.document("static/yasgui.min.js") is None


def test_our_scripts_are_small_and_name_no_other_host(documents: Documents) -> None:
    ours = [path for path in documents.files if path.startswith("static/") and path.endswith((".js", ".css"))]
    assert len(ours) >= 7
    for path in ours:
        document = documents.get(path)
        assert document is not None
        text = document.body.decode()
        assert len(text.splitlines()) <= 250, path
        assert "://" not in text.replace("http://www.w3.org/2000/svg", "").replace("https?:\\/\\/", ""), path
