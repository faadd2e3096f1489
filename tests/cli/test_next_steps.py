"""After a build its author learns what comes next."""

from __future__ import annotations

import pytest

from kg.cli.publish import next_steps


@pytest.mark.parametrize(
    ("base", "says"),
    [
        ("https://ada.se/", "to https://ada.se/."),
        ("https://cv.example.org/", "https://cv.example.org/ is an example address."),
    ],
)
def test_the_next_step_names_the_base(base: str, says: str) -> None:
    look, publish = next_steps("my site", base)
    assert look == "Preview: kg serve 'my site'"
    assert says in publish
