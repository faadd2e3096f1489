"""Blocks of a page: queries of `queries/pages/`, whose first lines name the pages, the row variable
and the template.

    # Which positions did this person hold, latest first?
    # title: Positions
    # pages: people 20
    # row: role
    # template: positions

A page of a kind shows the blocks that name it, in the order of their numbers: `people` is the page
of a person with a CV, `others` of one without, `people/` the list of all, `home` the start, `*` any
other page of a thing and `*/` any other list; with 0 it is left out there. Solutions with the same
`row` are one row. `figure: timeline` draws them, by one of `figures`; where there is nothing to
draw, the block is left out; with `within: positions` it is no section, but stands at the head of
that one. `only: new` leaves out what the page shows elsewhere; `order: names`
sorts by names; `most: 500` shows so many rows, says how many more there are, and links to the
query that lists them; `each: group` makes every group a section, with its heading for a title;
`sections: talks tutorials` are those of a CV that it shows, by which `layout` there names it (else
by the block's own name), and a column `?section` says of which a row is. `details: works` reads
the other columns of its rows by `queries/site/works.rq`, which is given the rows, so that a query
need only say which works there are. A site's own `queries/pages/` and `templates/blocks/` add
blocks, or take the place of ours, so that a new kind of fact needs no code.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kg.errors import BadQuery, KgError
from kg.publish.figures import FIGURES
from kg.publish.queries.examples import opening
from kg.settings import Site, resources
from kg.sparql.reading.parse_errors import check_syntax
from kg.store.memory import bound

SETTING = re.compile(
    r"(title|pages|row|template|figure|only|order|most|each|within|sections|details)"
    r"(?: (\S+))?: *(.*)"
)
DETAILS = ("works",)
PLACE = re.compile(r"(\*/?|[a-z]+/?) (\d+)")


@dataclass(frozen=True)
class Block:
    """`titles` are by kind of page, and the one without a kind is for the rest; so `places`, the
    order on a page.
    """

    name: str
    query: str
    row: str
    template: str
    titles: Mapping[str, str]
    places: Mapping[str, int]
    is_new: bool
    is_sorted: bool  # by `sorting`, instead of the order of the query
    figure: str = ""
    within: str = ""  # the block that shows the figure
    most: int = 0  # rows; 0 is all
    is_divided: bool = False  # into a section for each group
    sections: tuple[str, ...] = ()  # of a CV, whose entries it shows
    details: str = ""  # the query that reads the other columns of its rows

    @property
    def is_about_one(self) -> bool:
        return "?thing" in self.query

    def question(self, thing: str) -> str:
        """The query about one thing, as it may be sent to the endpoint."""
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
    found = []
    for path in resources(site, "queries", "pages/*.rq"):
        try:
            found.append(block(path.stem, path.read_text(encoding="utf-8"), site.base))
        except (BadQuery, UnicodeDecodeError) as error:
            raise KgError(
                f"{path}: this query cannot fill a page: {str(error).rstrip('.')}. Correct "
                "it, or move it away."
            ) from error
    return found


@lru_cache(maxsize=256)
def block(name: str, query: str, base: str) -> Block:
    check_syntax(query, base)
    settings = {
        (found[1], found[2] or ""): found[3]
        for line in opening(query)
        if (found := SETTING.fullmatch(line))
    }
    missing = [name for name in ("pages", "row", "template") if not settings.get((name, ""))]
    if missing:
        raise BadQuery(f"its first lines do not say '# {missing[0]}: …'")
    pages = settings["pages", ""].split(", ")
    places = {found[1]: int(found[2]) for page in pages if (found := PLACE.fullmatch(page))}
    if len(places) != len(pages):
        raise BadQuery(
            f"'pages: {', '.join(pages)}' is not a list of kinds, each with its place on the "
            "page, as in 'people 20, orgs 30'"
        )
    if f"?{settings['row', '']}" not in query:
        raise BadQuery(f"it has no variable ?{settings['row', '']} to make rows by")
    figure = settings.get(("figure", ""), "")
    if figure and figure not in FIGURES:
        raise BadQuery(f"there is no figure '{figure}', only {', '.join(FIGURES)}")
    details = settings.get(("details", ""), "")
    if details and details not in DETAILS:
        raise BadQuery(f"there are no details '{details}', only {', '.join(DETAILS)}")
    most = settings.get(("most", ""), "0")
    if not most.isdecimal():
        raise BadQuery(f"'most: {most}' is no number of rows")
    return Block(
        name=name,
        query=query,
        row=settings["row", ""],
        template=settings["template", ""],
        titles={kind: text for (name, kind), text in settings.items() if name == "title"},
        places=places,
        is_new=settings.get(("only", "")) == "new",
        figure=figure,
        within=settings.get(("within", ""), ""),
        is_sorted=settings.get(("order", "")) == "names",
        most=int(most),
        sections=tuple(settings.get(("sections", ""), name).split()),
        is_divided=settings.get(("each", "")) == "group",
        details=details,
    )
