"""Software without a repository or a programming language is no source code."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.publish.site import Documents
from kg.vocab import rdf, schema

CV = """
basics: {name: Ada Berg}
systems:
  - {name: Closed, role: Developer}
  - {name: Open, role: Developer, repository: https://code.example.org/open}
  - {name: Written, role: Developer, languages: [Python]}
publications:
  - {key: tool, title: Tool, kind: software, authors: [Ada Berg], year: 2024}
  - {key: kit, title: Kit, kind: software, authors: [Ada Berg], year: 2024,
     repository: https://code.example.org/kit}
"""


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    site = tmp_path_factory.mktemp("software")
    (site / "data" / "cv").mkdir(parents=True)
    (site / "data" / "site.yaml").write_text("base: https://cv.example.org/\ntitle: CV\n")
    (site / "data" / "cv" / "ada.yaml").write_text(CV)
    return Documents(good(site))


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("software/closed", "CreativeWork"),
        ("software/open", "SoftwareSourceCode"),
        ("software/written", "SoftwareSourceCode"),
        ("publications/tool", "CreativeWork"),
        ("publications/kit", "SoftwareSourceCode"),
    ],
)
def test_only_software_with_code_is_source_code(
    documents: Documents, address: str, kind: str
) -> None:
    classes = documents.describe(address).values(rdf.type)
    assert (schema.SoftwareSourceCode in classes) == (kind == "SoftwareSourceCode")
    assert schema.SoftwareApplication in classes
    assert documents.page(address).head.data["mainEntity"]["@type"] == kind


def test_a_sentence_about_a_work_is_shown_in_its_row(tmp_path: Path) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text("base: https://cv.example.org/\ntitle: CV\n")
    work = "{title: Ice, kind: report, authors: [Ada Berg], year: 2024, summary: Why ice is thin.}"
    (tmp_path / "data" / "cv" / "ada.yaml").write_text(
        f"basics: {{name: Ada Berg}}\npublications: [{work}]\n"
    )
    documents = Documents(good(tmp_path))
    for path in ("people/ada", "publications/index"):
        page = documents.get(f"{path}.html")
        text = documents.get(f"{path}.md")
        assert page is not None
        assert text is not None
        row = page.body.decode().partition('<li class="work')[2].partition("</li>")[0]
        assert '<div class="said" dir="auto"><p>Why ice is thin.</p>' in row
        assert "Why ice is thin." in text.body.decode()
