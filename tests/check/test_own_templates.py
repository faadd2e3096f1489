"""Templates of a site that no page uses are reported; the footer of all pages is one file."""

from __future__ import annotations

from pathlib import Path

from kg.check.check import check, good
from kg.publish.site import Documents


def site(folder: Path, **templates: str) -> Path:
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "site.yaml").write_text("base: https://lab.example.org/\ntitle: Lab\n")
    (folder / "data" / "cv" / "ada.yaml").write_text("basics: {name: Ada Berg}\n")
    (folder / "templates").mkdir()
    for name, text in templates.items():
        (folder / "templates" / f"{name}.html").write_text(text)
    return folder


def test_a_template_that_no_page_uses_is_reported(tmp_path: Path) -> None:
    folder = site(
        tmp_path, pages="<p>x</p>", logo="<b>x</b>", footer='<footer>{% include "logo.html" %}'
    )
    found = [each for each in check(folder).problems if each.rule == "unused-template"]
    assert [each.place.file for each in found] == ["templates/pages.html"]
    assert "Did you mean page.html?" in found[0].message


def test_the_footer_of_all_pages_is_changed_in_one_place(tmp_path: Path) -> None:
    pages = Documents(good(site(tmp_path, footer="<footer>Imprint</footer>")))
    for path in ("index.html", "people/index.html", "search.html"):
        document = pages.get(path)
        assert document is not None
        assert b"<footer>Imprint</footer>" in document.body
