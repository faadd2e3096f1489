"""The image that other sites show with a link to a person or a work (`og:image`): name and
positions, or title, authors and venue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from kg.publish.page_files import PageFile, SiteFiles
from kg.settings import query

if TYPE_CHECKING:
    from PIL.Image import Image

    from kg.publish.pages.page import Page
    from kg.store.protocol import Store

WIDTH, HEIGHT, MARGIN, STRIPE = 1200, 630, 84, 18
PORTRAIT = (288, 360)
PAPER, INK, ACCENT = (253, 252, 249), (28, 30, 32), (11, 90, 120)
SHADES = 15  # of letters, from ink to paper; with the accent they fit into four bits
BLANK, SOFT = 255, 96
COLOURS = 128  # with a portrait


def pages(store: Store, base: str) -> Iterable[str]:
    """People with a CV, and works; without those whose title the font cannot write."""
    from kg.plugins.preview.lettering import can_write

    for row in store.select(query("site/previewed")):
        if can_write(row["name"].value):
            yield row["thing"].value.removeprefix(base).removesuffix("#it")


def make(documents: SiteFiles, address: str) -> bytes:
    from PIL import Image

    page, site = documents.page(address), documents.graph.site
    portrait = photo(documents, page.picture) if page.who and page.picture else None
    width = WIDTH - 2 * MARGIN - (PORTRAIT[0] + MARGIN // 2 if portrait else 0)
    image = Image.new("L", (WIDTH, HEIGHT), BLANK)
    write(image, page, width, site.title)
    image = image.point([round(shade / BLANK * (SHADES - 1)) for shade in range(BLANK + 1)])
    image.putpalette([*palette()])
    image.paste(SHADES, (0, 0, STRIPE, HEIGHT))
    bits = 4
    if portrait:
        image = image.convert("RGB")
        image.paste(portrait, (WIDTH - MARGIN - PORTRAIT[0], MARGIN))
        image, bits = image.quantize(COLOURS), 8
    output = BytesIO()
    image.save(output, "PNG", bits=bits)
    return output.getvalue()


def palette() -> Iterator[int]:
    for shade in range(SHADES):
        for ink, paper in zip(INK, PAPER, strict=True):
            yield round(ink + (paper - ink) * shade / (SHADES - 1))
    yield from ACCENT


def write(image: Image, page: Page, width: int, site: str) -> None:
    from PIL import ImageDraw

    from kg.plugins.preview.lettering import BOLD, Lettering, can_write

    on, title = ImageDraw.Draw(image), plain(page.title)
    size = 84 if page.who else 58
    head, note, foot = Lettering(size, BOLD), Lettering(36), Lettering(28, shade=SOFT)
    y = MARGIN + round(size * 0.72)
    for line in head.lines(title, width, 2 if page.who else 4):
        head.draw(on, MARGIN, y, line)
        y += round(size * 1.18)
    y += 4
    for text in filter(can_write, lines_below(page)):
        for line in note.lines(text, width, 2):
            note.draw(on, MARGIN, y, line)
            y += 50
        y += 14
    if site != title and can_write(site):
        foot.draw(on, MARGIN, HEIGHT - MARGIN + 12, foot.lines(site, width, 1)[0])


def lines_below(page: Page) -> Iterator[str]:
    """The first position of a person; the authors, venue and year of a work."""
    from kg.publish.formats.urls import cell_text

    if page.who:
        yield from (", ".join(map(cell_text, post)) for post in page.who.posts[:1])
    elif page.work:
        yield ", ".join(plain(cell_text(cell)) for cell in page.work["author"])
        venue = [plain(cell_text(cell)) for cell in page.work["venue"][:1]]
        year = [cell_text(cell) for cell in page.work["year"][:1]]
        yield ", ".join([*venue, *(each for each in year if each not in "".join(venue))])


def plain(text: str) -> str:
    from markupsafe import Markup

    return text.striptags() if isinstance(text, Markup) else text


def photo(documents: SiteFiles, link: str) -> Image | None:
    """The picture of a person, cropped."""
    from PIL import Image, ImageOps

    found = documents.make(link.lstrip("./"))
    if not found:
        return None
    with Image.open(BytesIO(found.body)) as image:
        return ImageOps.fit(image.convert("RGB"), PORTRAIT)


FILE = PageFile(".png", "image/png", pages, make)
