"""An academic CV in one file, without any registry: it checks without errors, it is built without
the files it names, and its pages show each fact where it belongs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from kg.check.check import Checked, check
from kg.facts.yaml.reader import read
from kg.publish.export.export import Written, export
from kg.publish.site import Documents
from kg.publish.verify.markup import Markup
from kg.text import dates
from kg.text.markdown import plain_prose

BASE = "https://hana.example.org/"
FILE = Path(__file__).with_name("hana-lind.yaml")
CV, _ = read(FILE.name, FILE.read_bytes())
PAGE = "people/hana-lind.html"
# Sections of the CV: of the page, and the fields that a row of it begins with.
ROWS = {
    "work": ("positions", "position"),
    "breaks": ("breaks", "reason"),
    "education": ("studies", "studyType"),
    "certificates": ("certificates", "name"),
    "grants": ("grants", "title"),
    "publications": ("works", "title"),
    "talks": ("talks", "title"),
    "teaching": ("teaching", "course"),
    "mentoring": ("mentoring", "person"),
    "service": ("service", "organization", "journal"),
    "press": ("press", "title"),
}
HAVE_PAGES = ("publications", "grants", "teaching", "press")  # of what an entry tells
# What pages put in other words.
AS_SHOWN = {
    "@hlind@ice.example": "https://ice.example/@hlind",
    "self-employed": "self-employment",
    "12000000 NOK": "12,000,000 NOK",
    "101-119": "101–119",
    "33-58": "33–58",
    "book-chapter": "book chapter",
    "978-3-16-148410-0": "9783161484100",
    "CC-BY-4.0": "CC BY 4.0",
}
FLAGS = {"secondary": "secondary", "corresponding": "corresponding author"}
UNSAID = {
    "level": {"doctoral", "bachelor"},  # as the degree says
    "selected": {"true"},  # by a section of its own
    "visibility": {"public"},  # it is there
    "lang": {"ja"},  # the text is marked, for programs
    "image": {"photo.jpg"},  # which is missing
}


def entries() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each entry of a section with rows; a work of several positions is one for each."""
    for section in ROWS:
        for entry in CV[section]:
            whole = {name: value for name, value in entry.items() if name != "positions"}
            for position in entry.get("positions", [{}]):
                yield section, {**whole, **position}


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Each text in a value, with the field it is in."""
    if isinstance(value, dict):
        for field, each in value.items():
            yield from leaves(each, field)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each, name)
    elif value not in UNSAID.get(name, ()):
        yield name, value


def words(name: str, value: str) -> str:
    is_date = re.fullmatch(r"\d{4}(-\d\d)*", value)
    plain = dates.date(value) if is_date else " ".join(plain_prose(value).split())
    return (FLAGS.get(name) or AS_SHOWN.get(value, plain)).removeprefix(BASE).casefold()


def shown(markup: str) -> str:
    """The text of a piece of a page, and where it links to."""
    links = " ".join(re.findall('(?:href|src)="([^"]*)"', markup))
    text = unescape(re.sub("<[^>]*>", "", re.sub("</(p|h1|h3|dt|dd|li)>", " ", markup)))
    return " ".join(f"{text} {links}".split()).casefold()


@dataclass(frozen=True)
class Piece:
    """Some markup of a page."""

    path: str
    markup: str


def rows_of(markup: str) -> list[str]:
    """Each row of a section; a post with the row above it that names the employer."""
    start = '<(?:li|div) class="row' if 'class="row' in markup else "<li\\b"
    _, *rows = re.split(f"(?={start})", markup)
    above = "".join(row for row in rows if '<h3 class="what">' in row)
    return [above + row for row in rows if row != above]


def missing(value: Any, *places: Piece) -> list[tuple[str, str]]:
    text = " ".join(shown(place.markup) for place in places)
    return [(name, each) for name, each in leaves(value) if words(name, each) not in text]


@dataclass
class BuiltSite:
    folder: Path
    checked: Checked
    written: Written

    def page(self, path: str) -> Piece:
        text = (self.folder / path).read_text(encoding="utf-8")
        return Piece(path, text.partition("<main")[2])

    @cached_property
    def parts(self) -> dict[str, Piece]:
        """The sections of the person's page by their names; what comes before is the head."""
        head, *sections = self.page(PAGE).markup.split("<section ")
        named = ((re.findall('id="section-([^"]*)"', each), each) for each in sections)
        return {"head": Piece(PAGE, head), **{ids[0]: Piece(PAGE, each) for ids, each in named}}

    def rows(self, section: str, text: str) -> list[Piece]:
        """Those that say a text; a post with its employer, who is named above."""
        start, *orgs = self.parts[section].markup.split('<div class="org">')
        rows = [row for part in (start, *orgs) for row in rows_of(part)]
        return [Piece(PAGE, row) for row in rows if words("", text) in shown(row)]

    def linked(self, pieces: Iterable[Piece], title: str) -> list[Piece]:
        """The pages of the site that are linked to by a title."""
        paths = [
            normpath(join(dirname(piece.path), href))
            for piece in pieces
            for href, text in re.findall('<a href="([^":#]*)[^"]*">([^<]*)</a>', piece.markup)
            if title and text.startswith(title)
        ]
        return [self.page(path) for path in dict.fromkeys(paths)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    folder = tmp_path_factory.mktemp("one")
    (folder / "data" / "cv").mkdir(parents=True)
    (folder / "data" / "cv" / FILE.name).write_bytes(FILE.read_bytes())
    settings = f"base: {BASE}\ntitle: Hana Lind\n"
    (folder / "data" / "site.yaml").write_text(settings, encoding="utf-8")
    found = check(folder)
    assert [str(each) for each in found.problems if each.severity == "error"] == []
    assert found.graph is not None
    return BuiltSite(folder / "out", found, export(Documents(found.graph), folder / "out"))


@pytest.mark.proof
def test_files_that_are_missing_are_warned_of_and_stop_no_build(site: BuiltSite) -> None:
    warned = [each.message for each in site.checked.problems if each.rule == "missing-file"]
    files = {re.findall("static/[^ ]*[a-z]", message)[0] for message in warned}
    assert files == {"static/photo.jpg", "static/thin-ice.pdf", "static/frontiers.pdf"}
    assert site.written.proof.good
    left = {re.findall("static/[^ ]*", each.message)[0] for each in site.written.proof.problems}
    assert left == files - {"static/photo.jpg"}  # a picture is shown where it is there


@pytest.mark.proof
def test_a_picture_that_is_there_is_shown(site: BuiltSite) -> None:
    graph = site.checked.graph
    assert graph is not None
    assert "<img" not in site.page(PAGE).markup
    (graph.site.folder / "static").mkdir()
    (graph.site.folder / "static" / "photo.jpg").write_bytes(b"")
    page = Documents(graph).get(PAGE)
    assert page is not None
    assert b'<img class="photo" src="../static/photo.jpg"' in page.body


@pytest.mark.slow
@pytest.mark.parametrize(
    ("section", "entry"),
    [pytest.param(*each, id=f"{each[0]}-{number}") for number, each in enumerate(entries())],
)
def test_an_entry_is_shown_whole(site: BuiltSite, section: str, entry: dict[str, Any]) -> None:
    block, *names = ROWS[section]
    title = next(entry[name] for name in names if name in entry)
    places = site.rows(block, title)
    assert places
    if section in HAVE_PAGES:
        places += site.linked(places, title)
    for name, value in entry.items():
        named = value.get("name", value.get("title", "")) if isinstance(value, dict) else ""
        assert missing({name: value}, *places, *site.linked(places, named)) == []


def test_what_is_said_of_the_person_is_at_the_head(site: BuiltSite) -> None:
    assert missing(CV["basics"], site.parts["head"]) == []
    assert missing(CV["languages"], site.parts["head"]) == []
    assert missing(CV["interests"], site.parts["head"]) == []


def test_other_sections_are_shown_whole(site: BuiltSite) -> None:
    (exhibitions,) = CV["sections"]
    assert missing(exhibitions, site.parts["exhibitions"]) == []
    (selected,) = (each["title"] for each in CV["publications"] if each.get("selected"))
    assert missing(selected, site.parts["selected"]) == []


def test_the_order_is_the_one_asked_for_and_what_is_hidden_has_its_pages(site: BuiltSite) -> None:
    names = {"work": "positions", "education": "studies", "publications": "works", "summary": ""}
    order = [names.get(name, name) for name in CV["layout"]["order"]]
    assert list(site.parts)[1:6] == [name for name in order if name]
    assert "skills" not in site.parts
    for skill in ("Python", "Fortran", "Field work"):
        page = site.page(f"topics/{skill.lower().replace(' ', '-')}.html")
        assert missing([skill, "Hana Lind"], page) == []
    assert missing("expert", site.page("topics/field-work.html")) == []


def test_what_is_not_hidden_is_shown_whole(tmp_path: Path) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    text = FILE.read_text(encoding="utf-8").replace(", hide: [skills]", "")
    (tmp_path / "data" / "cv" / FILE.name).write_text(text, encoding="utf-8")
    (tmp_path / "data" / "site.yaml").write_text(f"base: {BASE}\ntitle: Hana Lind\n")
    page = Documents(check(tmp_path).good_graph(tmp_path)).get(PAGE)
    assert page is not None
    _, _, skills = page.body.decode().partition('id="section-skills"')
    assert missing(CV["skills"], Piece(PAGE, skills.partition("</section>")[0])) == []


def test_the_start_of_the_site_is_the_page_of_its_only_cv(site: BuiltSite) -> None:
    start, own = (site.folder / path for path in ("index.html", PAGE))
    texts = [each.read_text(encoding="utf-8") for each in (start, own)]
    heads, mains = zip(*(text.split('<header class="who') for text in texts), strict=True)
    tags = [re.findall("<[^>]*>", main.partition("</main>")[0]) for main in mains]
    from_top = [[re.sub(r'="[./]*(people/)?', '="', tag) for tag in each] for each in tags]
    assert from_top[0] == from_top[1]
    for head in heads:
        assert f'<link rel="canonical" href="{BASE}">' in head
        assert f'<meta property="og:url" content="{BASE}">' in head
    embeds = [json.loads(Markup(text.encode()).scripts[0][1]) for text in texts]
    assert embeds[1].pop("breadcrumb")
    assert embeds[0]["@type"] == "ProfilePage"
    assert embeds[0]["url"] == embeds[0]["mainEntity"]["url"] == BASE
    for name in ("@id", "url", "mainEntity", "hasPart"):
        assert embeds[0][name] == embeds[1][name]


def test_every_section_of_the_file_is_looked_for() -> None:
    others = {"basics", "languages", "skills", "interests", "sections", "layout"}
    assert set(CV) == {*ROWS, *others}
    assert sum(1 for _ in entries()) == 18
