"""A fault in a site's own template that shows when it is filled is told with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.errors import KgError
from kg.plugins.verify.published_site import verify_site
from kg.publish.export.export import export
from kg.publish.site import Documents
from kg.publish.verify.source import Directory

FAULTS = {
    "\n{{ section.titel }}\n": ":2: cannot render this template: ",
    "{{ section.title + 1 }}\n": ":1: cannot render this template: can only concatenate str",
}
CV = """
basics: {name: Ada Berg}
work: [{organization: Delta Works, position: Engineer, startDate: 2022, endDate: present}]
"""


@pytest.mark.parametrize(("template", "said"), FAULTS.items(), ids=["attribute", "expression"])
def test_a_fault_is_told_with_its_place(example: Path, template: str, said: str) -> None:
    own = example / "templates" / "blocks"
    own.mkdir(parents=True)
    (own / "works.html").write_text(template, encoding="utf-8")
    with pytest.raises(KgError) as raised:
        Documents(good(example)).get("people/ada-lindqvist.html")
    assert str(raised.value).startswith(f"{own / 'works.html'}{said}")


def test_a_template_of_the_site_may_show_less_than_the_data_say(site: Path) -> None:
    (site / "data" / "cv" / "ada-berg.yaml").write_text(CV, encoding="utf-8")
    (site / "templates").mkdir()
    (site / "templates" / "who.html").write_text(
        '<header class="who" id="top"><h1>{{ page.title }}</h1></header>', encoding="utf-8"
    )
    written = export(Documents(good(site)), site / "out")
    page = (site / "out" / "people" / "ada-berg.html").read_text(encoding="utf-8")
    assert written.proof.good and '"jobTitle":' in page
    assert [*verify_site(Directory(site / "out")).problems] == []
