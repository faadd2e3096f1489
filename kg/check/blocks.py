"""Page blocks: queries in `queries/pages/` with settings in their first lines.

    # Which positions did this person hold, latest first?
    # title: Positions
    # pages: people 20
    # row: role
    # template: positions

A page shows the blocks of its kind, ordered by their numbers; 0 leaves a block out. The kinds are
`people` (people with a CV), `others` (people without), `people/` (the list), `home`, `*` (any other
page) and `*/` (any other list). Solutions with the same `row` variable make one row.

Optional settings:

- `figure: timeline` draws the rows as one of `CHOICES`; without data, the block is left out.
- `within: positions` puts it at the top of that block instead of a section of its own.
- `only: new` leaves out rows that the page shows in another block.
- `order: names` sorts by name.
- `most: 500` limits the rows; the page says how many more there are and links to the query.
- `each: group` makes a section of every group, with its heading as title.
- `sections: talks tutorials` names the sections of a CV that the block shows, for `layout`
  (default: the name of the block); a column `?section` says to which of them a row belongs.
- `details: works` reads the other columns of the rows with `queries/site/works.rq`, so that the
  query only has to select the works.

A site's own `queries/pages/` and `templates/blocks/` add blocks or replace ours, so that a new kind
of fact needs no code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kg.errors import Place, Problem
from kg.facts.models import REGISTRIES
from kg.settings import Site, own_resources, resources
from kg.sparql.reading.own_queries import BLOCKS, Fault, read_query
from kg.sparql.reading.questions import opening
from kg.store.memory import bound
from kg.text.nearest import closest

NAMES = (
    "title",
    "pages",
    "row",
    "template",
    "figure",
    "only",
    "order",
    "most",
    "each",
    "within",
    "sections",
    "details",
)
SETTING = re.compile(rf"({'|'.join(NAMES)})(?: (\S+))?: *(.*)")
MISSPELT = re.compile(r"([a-z]{3,9})(?: \S+)?: *\S.*")
REQUIRED = {"pages": "people 20", "row": "role", "template": "entries"}  # required, with an example
CHOICES = {
    "figure": ("explore", "presence", "timeline"),
    "details": ("works",),
    "only": ("new",),
    "order": ("names",),
    "each": ("group",),
}
THINGS = (*REGISTRIES, "others", "terms", "*")
PAGES = ("home", *THINGS, *(f"{kind}/" for kind in THINGS))
PLACE = re.compile(r"(\*/?|[a-z]+/?) (\d+)")


class Setting(NamedTuple):
    """A setting of a block, with its line and column."""

    value: str
    line: int = 1
    column: int = 1


Settings = Mapping[tuple[str, str], Setting]  # by name and kind of page


@dataclass(frozen=True)
class Block:
    """A page block. `titles` and `places` (the order on a page) are by kind of page; the title
    without a kind is the default.
    """

    name: str
    query: str
    row: str
    template: str
    titles: Mapping[str, str]
    places: Mapping[str, int]
    is_new: bool
    is_sorted: bool  # by `sorting` instead of the order of the query
    figure: str = ""
    within: str = ""  # the block at whose top the figure is shown
    most: int = 0  # maximum number of rows; 0: all
    is_divided: bool = False  # into one section per group
    sections: tuple[str, ...] = ()  # of a CV, whose entries it shows
    details: str = ""  # query for the other columns of its rows

    @property
    def is_about_one(self) -> bool:
        return "?thing" in self.query

    def question(self, thing: str) -> str:
        """The query for one entity, without settings, as it can be sent to the endpoint."""
        lines = (
            line
            for line in self.query.splitlines(keepends=True)
            if not SETTING.fullmatch(line.removeprefix("#").strip())
        )
        return bound("".join(lines), {"thing": thing} if self.is_about_one else {})

    def title(self, kind: str) -> str:
        return self.titles.get(kind) or self.titles.get("", "")

    def place(self, kind: str) -> int | None:
        if kind == "home":
            return self.places.get(kind)
        return self.places.get(kind, self.places.get("*/" if kind.endswith("/") else "*")) or None


def blocks(site: Site) -> list[Block]:
    """All blocks of a site, without those that the check refuses."""
    found = []
    own = frozenset(own_resources(site, "queries", "pages/*.rq"))
    for path in resources(site, "queries", "pages/*.rq"):
        if path not in own:
            found.append(block(path.stem, path.read_text(encoding="utf-8")))
            continue
        query, problems = read_query(path, "", site.base, BLOCKS)
        if not problems and not any(wrong_settings(query)):
            found.append(block(path.stem, query))
    return found


def problems_of(
    file: str, query: str, templates: Collection[str], names: Collection[str]
) -> Iterator[Problem]:
    """The problems of the settings of a block. `templates` and `names` are those of the site and
    ours.
    """
    for message, line, column in wrong_settings(query):
        yield Problem(Place(file, line, column), "error", message, "page-block")
    for name, known in (("template", templates), ("within", names)):
        value, row, column = setting(settings_of(query), name)
        if value and value not in known:
            near = ", ".join(closest(value, known)) or ", ".join(sorted(known)[:3])
            what = f"template 'blocks/{value}.html'" if name == "template" else f"block '{value}'"
            message = f"The {what} does not exist. Closest: {near}."
            yield Problem(Place(file, row, column), "error", message, "page-block")
    for number, text in enumerate(opening(query), 1):
        found = MISSPELT.fullmatch(text)
        near_names = closest(found[1], NAMES, most=1, cutoff=0.75) if found else []
        if found and near_names and not SETTING.fullmatch(text):
            message = f"unknown setting '{found[1]}'. Did you mean '{near_names[0]}'?"
            column = query.splitlines()[number - 1].index(found[1]) + 1
            yield Problem(Place(file, number, column), "warning", message, "page-block")


def settings_of(query: str) -> Settings:
    """The settings in the first lines of a block."""
    lines = query.splitlines()
    return {
        (found[1], found[2] or ""): Setting(
            found[3], number, lines[number - 1].rindex(found[3]) + 1 if found[3] else 1
        )
        for number, line in enumerate(opening(query), 1)
        if (found := SETTING.fullmatch(line))
    }


def setting(settings: Settings, name: str) -> Setting:
    """The setting for pages of any kind; empty if there is none."""
    return settings.get((name, ""), Setting(""))


def wrong_settings(query: str) -> Iterator[Fault]:
    """Missing settings, and values that are unknown."""
    settings = settings_of(query)
    missing = [name for name in REQUIRED if not setting(settings, name).value]
    if missing:
        lines = ", ".join(f"'# {name}: {REQUIRED[name]}'" for name in missing)
        lacks = " and ".join(f"'{name}'" for name in missing)
        line = setting(settings, missing[0]).line
        yield f"The settings of this block lack {lacks}. Add e.g. {lines}.", line, 1
    for name, choices in CHOICES.items():
        value, line, column = setting(settings, name)
        if value and value not in choices:
            one_of = f"Write {' or '.join(choices)}"
            yield f"'{name}' cannot be '{value}'. {one_of}, or remove it.", line, column
    value, line, column = setting(settings, "pages")
    for page in value.split(",") if value else ():
        found = PLACE.fullmatch(page.strip())
        if not found or found[1] not in PAGES:
            message = f"'{page.strip()}' is not a kind of page and a number"
            yield f"{message}. Kinds: {', '.join(PAGES)}. Write e.g. 'people 20'.", line, column


def block(name: str, query: str) -> Block:
    settings = {key: each.value for key, each in settings_of(query).items()}
    found = (PLACE.fullmatch(page.strip()) for page in settings["pages", ""].split(","))
    most = settings.get(("most", ""), "")
    return Block(
        name=name,
        query=query,
        row=settings["row", ""],
        template=settings["template", ""],
        titles={kind: text for (name, kind), text in settings.items() if name == "title"},
        places={each[1]: int(each[2]) for each in found if each},
        is_new=settings.get(("only", "")) == "new",
        figure=settings.get(("figure", ""), ""),
        within=settings.get(("within", ""), ""),
        is_sorted=settings.get(("order", "")) == "names",
        most=int(most) if most.isdecimal() else 0,
        sections=tuple(settings.get(("sections", ""), name).split()),
        is_divided=settings.get(("each", "")) == "group",
        details=settings.get(("details", ""), ""),
    )
