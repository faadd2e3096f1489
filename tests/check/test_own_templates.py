"""The footer of all pages is one template."""

from __future__ import annotations

from pathlib import Path

from kg.check.check import good
from kg.publish.site import Documents


def site(folder: Path, **templates: str) -> Path:
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text("base: https://lab.example.org/\ntitle: Lab\n")
    (folder / "data" / "cv" / "ada.yaml").write_text("basics: {name: Ada Berg}\n")
    (folder / "templates").mkdir()
    for name, text in templates.items():
        (folder / "templates" / f"{name}.html").write_text(text)
    return folder


def test_the_footer_of_all_pages_is_changed_in_one_place(tmp_path: Path) -> None:
    pages = Documents(good(site(tmp_path, footer="<footer>Imprint</footer>")))
    for path in ("index.html", "people/index.html", "search.html"):
        document = pages.get(path)
        assert document is not None
        assert b"<footer>Imprint</footer>" in document.body
