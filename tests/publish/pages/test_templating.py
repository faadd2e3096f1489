"""A fault in a site's own template that shows when it is filled is told with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.errors import KgError
from kg.publish.site import Documents

FAULTS = {
    "\n{{ section.titel }}\n": ":2: this template cannot be filled: ",
    "{{ section.title + 1 }}\n": ":1: this template cannot be filled: can only concatenate str",
}


@pytest.mark.parametrize(("template", "said"), FAULTS.items(), ids=["attribute", "expression"])
def test_a_fault_is_told_with_its_place(example: Path, template: str, said: str) -> None:
    own = example / "templates" / "blocks"
    own.mkdir(parents=True)
    (own / "works.html").write_text(template, encoding="utf-8")
    with pytest.raises(KgError) as raised:
        Documents(good(example)).get("people/ada-lindqvist.html")
    assert str(raised.value).startswith(f"{own / 'works.html'}{said}")
