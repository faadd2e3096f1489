"""After a build its author learns what comes next, for the host that the base names."""

from __future__ import annotations

import pytest

from kg.publish.hosting.next_steps import next_steps


@pytest.mark.parametrize(
    ("base", "says"),
    [
        ("https://ada.github.io/cv/", "Put it on GitHub Pages: push the site"),
        ("https://ada.gitlab.io/", "kg new --gitlab"),
        ("https://ada.netlify.app/", "npx netlify-cli deploy --prod --dir 'my site'"),
        ("https://ada.pages.dev/", "npx wrangler pages deploy 'my site'"),
        (
            "https://www.uni.se/~ada/cv/",
            "rsync -r 'my site'/ ada@www.uni.se:public_html/cv/",
        ),
        ("https://ada.se/", "Put it at https://ada.se/: any web host will do."),
        ("https://cv.example.org/", "https://cv.example.org/ is an example. Write the address"),
    ],
)
def test_the_next_step_is_that_of_the_host(base: str, says: str) -> None:
    look, publish = next_steps("my site", base)
    assert look == "Look at it: kg serve 'my site'"
    assert says in publish
