"""Links from one page of a site to another, and to its files."""

import pytest

from kg.publish.formats.urls import href, written_link

BASE = "https://lab.example.org/"


@pytest.mark.parametrize(
    ("iri", "link"),
    [
        (f"{BASE}orgs/uni#it", "../orgs/uni.html"),
        (f"{BASE}people/bo#it", "bo.html"),
        (f"{BASE}people/ada#medal", "#medal"),
        (f"{BASE}people/", "../people/"),
        (f"{BASE}static/slides.pdf", "../static/slides.pdf"),
        ("https://elsewhere.example.org/a", "https://elsewhere.example.org/a"),
    ],
)
def test_a_link_leads_to_the_page_of_a_thing_or_to_a_file(iri: str, link: str) -> None:
    assert href(BASE, iri, "people/ada") == link


def test_a_link_in_prose_is_written_from_the_top_of_the_site() -> None:
    assert written_link(BASE, "static/slides.pdf", "people/ada") == "../static/slides.pdf"
    assert written_link(BASE, "orgs/uni#it", "people/ada") == "../orgs/uni.html#it"
