"""A fault in a site's own template is told with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.errors import KgError
from kg.publish.site import Documents

FAULTS = {
    "<p>\n{% if row %}\n": ":2: this template cannot be read: Unexpected end of template",
    "<p>{{ section.title }}</p>\n\n{{ nothing }}\n": ":3: this template cannot be filled: 'nothing' is undefined. Correct it",  # noqa: E501
    '\n{% include "gone.html" %}\n': ":2: this template cannot be filled: there is no template 'gone.html'.",  # noqa: E501
    "{{ section.title + 1 }}\n": ":1: this template cannot be filled: can only concatenate str",
}


@pytest.mark.parametrize(
    ("template", "said"), FAULTS.items(), ids=["syntax", "undefined", "missing", "expression"]
)
def test_a_fault_is_told_with_its_place(example: Path, template: str, said: str) -> None:
    own = example / "templates" / "blocks"
    own.mkdir(parents=True)
    (own / "works.html").write_text(template, encoding="utf-8")
    with pytest.raises(KgError) as raised:
        Documents(good(example)).get("people/ada-lindqvist.html")
    assert str(raised.value).startswith(f"{own / 'works.html'}{said}")


def test_a_template_that_is_not_utf_8_is_no_riddle(example: Path) -> None:
    """It is read before it is filled, so that only its name is known."""
    own = example / "templates" / "blocks"
    own.mkdir(parents=True)
    (own / "works.html").write_bytes(b"<p>\xff</p>")
    with pytest.raises(KgError, match=r"works\.html"):
        Documents(good(example)).get("people/ada-lindqvist.html")
