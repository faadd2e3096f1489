"""The script in pages as static site generators and people write them: read back by others, alone
in its change, found again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.check.check import good
from kg.errors import KgError
from kg.plugins.embed.inject import MARK, inject, script
from kg.publish.formats import jsonld
from kg.publish.site import Documents
from tests.conftest import ROOT

PAGES = sorted((ROOT / "tests" / "pages").glob("*.html"))
ENCODINGS = {"html4": "latin-1", "utf-16": "utf-16", "crlf-and-mark": "utf-8-sig"}
HEADLESS = {"no-head"}
ADDRESSES = ("people/noor-haddad", "people/tomas-ferreira")
Json = dict[str, Any]


@pytest.fixture(scope="module")
def small() -> Documents:
    return Documents(good(ROOT / "kg" / "example"))


@pytest.fixture(scope="module")
def values(small: Documents) -> dict[str, Json]:
    """IRI -> the JSON-LD of its page."""
    return {
        small.base + address: jsonld.document(small.base, small.describe(address))
        for address in ADDRESSES
    }


def elements(page: bytes) -> list[tuple[str, dict[str, str], str]]:
    """What a browser makes of a page: its elements in order, with their attributes and the text
    right inside them.
    """
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    return [
        (
            str(each.tag),
            dict(each.attrib),
            "".join([each.text or "", *(child.tail or "" for child in each)]).strip(),
        )
        for each in tree.iter()
    ]


def embeds(page: bytes) -> dict[str, Json]:
    """The scripts of ours in a page, by their marks; none comes twice."""
    found = [
        (attributes[MARK], json.loads(text))
        for name, attributes, text in elements(page)
        if name == "script" and MARK in attributes
    ]
    assert len(dict(found)) == len(found)
    return dict(found)


def without_embeds(page: bytes) -> list[tuple[str, dict[str, str], str]]:
    return [
        (name, attributes, text)
        for name, attributes, text in elements(page)
        if MARK not in attributes
    ]


def inserted(before: bytes, after: bytes) -> bytes:
    """The bytes that are new, where everything else is as it was."""
    more = len(after) - len(before)
    place = next(
        (
            place
            for place, (one, other) in enumerate(zip(before, after, strict=False))
            if one != other
        ),
        len(before),
    )
    # What is new may begin as that which follows it does, so the place is sought a little further
    # back too.
    for start in range(place, max(place - 200, 0) - 1, -1):
        new = after[start : start + more]
        if after[:start] + after[start + more :] == before and new.startswith((b"<script", b"<\0")):
            return new
    raise AssertionError("something else was changed")


def test_no_page_went_missing() -> None:
    assert len(PAGES) == 15


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_gets_the_script_and_keeps_every_other_byte(
    path: Path, values: dict[str, Json]
) -> None:
    import extruct  # takes a second, which not every worker should spend

    page, encoding = path.read_bytes(), ENCODINGS.get(path.stem, "utf-8")
    known = extruct.extract(page.decode(encoding).encode(), syntaxes=["json-ld"])["json-ld"]
    (iri, value), (other_iri, other) = values.items()
    once = inject(page, script(iri, value))
    new = inserted(page, once).decode("utf-16-le" if encoding == "utf-16" else "ascii")
    assert "".join(new.split()) == "".join(script(iri, value).split())
    assert ("\r\n" in new) == (b"\r" in page) and "\n" in new
    assert embeds(once) == {iri: value}
    assert without_embeds(once) == elements(page), "and to a browser all else is the same"
    assert extruct.extract(once.decode(encoding).encode(), syntaxes=["json-ld"])["json-ld"] == [
        *known,
        value,
    ]
    tree = html5lib.parse(once, namespaceHTMLElements=False)
    assert (tree.find(f"head/script[@{MARK}]") is None) == (path.stem in HEADLESS)

    assert inject(once, script(iri, value)) == once, "once is enough"
    both = inject(once, script(other_iri, other))
    assert embeds(both) == {iri: value, other_iri: other}
    changed = inject(both, script(iri, {"@context": {}, "name": "new"}))
    assert embeds(changed) == {iri: {"@context": {}, "name": "new"}, other_iri: other}
    assert inject(changed, script(iri, value)) == both, "what was there before leaves no trace"


def test_the_script_stands_on_lines_of_its_own_where_the_page_has_lines() -> None:
    ours = script("https://e.example/a", {})
    assert inject(b"<head>\n\t</head>\n", ours) == b"<head>\n" + ours.encode() + b"\n\t</head>\n"
    assert inject(b"<head></head>", ours) == b"<head>" + ours.encode() + b"</head>"
    assert inject(b"", ours) == ours.encode() + b"\n"


def test_what_a_minifier_made_of_the_script_is_found_again() -> None:
    ours = script("https://e.example/a?b&c", {"@id": "x"})
    assert f'{MARK}="https://e.example/a?b&amp;c"' in ours
    for tag in (
        "<SCRIPT data-cv-kg=https://e.example/a?b&amp;c TYPE=application/ld+json>",
        "<script\n data-cv-kg='https://e.example/a?b&c'/type='x' >",
    ):
        page = f'<head>{tag}{{"@id":"old"}}</SCRIPT\n></head>'.encode()
        assert inject(page, ours) == b"<head>" + ours.encode() + b"</head>"


def test_the_script_of_a_longer_address_is_another_one() -> None:
    page = inject(b"<head></head>", script("https://e.example/ada-berg", {"@id": "berg"}))
    assert set(embeds(inject(page, script("https://e.example/ada", {"@id": "ada"})))) == {
        "https://e.example/ada-berg",
        "https://e.example/ada",
    }


def test_no_template_finds_anything_to_run_in_the_script() -> None:
    value = {
        "a": "{{7*7}} {% raw %} {# #} ${x} #{x} {{{{}} <%= %> <?php ?> {",
        "b": {},
        "c": [{}],
        "d": "\\{{x}} é 🦉 \u2028",
    }
    made = script("https://müller.example/", value)
    assert made.isascii()
    assert not any(sign in made for sign in ("{{", "{%", "{#", "${x", "#{", "<%", "<?"))
    assert json.loads(made.partition(">")[2].rpartition("<")[0]) == value
    assert embeds(inject(b"", made)) == {"https://müller.example/": value}


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "it is not an HTML page"),
        ("<p>".encode("utf-16-le"), "it is not an HTML page"),
        (b"\xff\xfe<\0p", "it starts like UTF-16-LE but is not"),
        (b"<head><!-- never closed </head>", "never closed"),
        (b"<p>text<textarea>", "never closed"),
        (b"<head><script>", "never closed"),
        (
            b'<script data-cv-kg="https://e.example/a">{}</scr',
            "the script from the last run is never closed",
        ),
    ],
)
def test_a_page_that_cannot_have_it_is_refused(page: bytes, words: str) -> None:
    with pytest.raises(KgError, match=words):
        inject(page, script("https://e.example/a", {}))


PIECES = [
    *["<!doctype html>", "<html>", "<head>", "</head>", "</HEAD >", "<body>", "<body class='</head>'>", "</body>", "</html>"],  # noqa: E501
    *["\n", "\r\n  ", "x", "é", "<", ">", '"', "'", "=", "/", " ", "-", "<!--", "-->", "--!>", "<!-->", "<!--->", "<!x>", "</>", "</ x>"],  # noqa: E501
    *["<title>", "</title>", "<style>", "</style>", "<script>", "</script>", "<script src=a />", "</script >", "<textarea>", "</textarea>"],  # noqa: E501
    *["<?x?>", "<p title=it's>", '<p title="</head>">', "<a b = '>' c>", "<meta charset=utf-8>", "<noscript>", "</noscript>", "<p"],  # noqa: E501
]  # fmt: skip


@pytest.mark.fuzz
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_page_reads_the_same_but_for_the_script_or_is_refused(page: str) -> None:
    ours = script("https://e.example/a", {"@id": "a"})
    before = page.encode()
    try:
        after = inject(before, ours)
    except KgError:
        return
    inserted(before, after)
    assert inject(after, ours) == after
    assert embeds(after) == {"https://e.example/a": {"@id": "a"}}
