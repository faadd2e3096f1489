"""Text in images, with the page font of the package; without it, with the font of Pillow.

Both are the same on every machine, unlike installed fonts, so that the same text gives the same
image. Neither has the letters of all scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby

from PIL import ImageDraw, ImageFont

from kg.publish.document import STATIC

PAGE_FONT = ("source-serif-latin.woff2", "source-serif-latin-ext.woff2")
BOLD, REGULAR = 600, 400
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


@cache
def fonts(size: int, weight: int) -> tuple[Font, ...]:
    """The parts of the font: a letter is drawn with the first one that has it."""
    try:
        found = [
            ImageFont.truetype(STATIC / name, size, layout_engine=ImageFont.Layout.BASIC)
            for name in PAGE_FONT
        ]
        for font in found:
            font.set_variation_by_axes([weight])
        return tuple(found)
    except OSError:  # not built, or Pillow cannot read WOFF2
        return (ImageFont.load_default(size),)


@cache
def part_with(letter: str) -> int | None:
    """The part of the font that has a letter."""
    missing = "\uffff"
    for number, font in enumerate(fonts(24, REGULAR)):
        glyphs = [font.getmask(each) for each in (letter, missing)]
        sizes = [(each.size, bytes(each)) for each in glyphs]
        if letter.isspace() or sizes[0] != sizes[1]:
            return number
    return None


def can_write(text: str) -> bool:
    return all(part_with(letter) is not None for letter in text)


class Lettering:
    """Text of one size, weight and colour."""

    def __init__(self, size: int, weight: int = REGULAR, shade: int = 0) -> None:
        self.size, self.fonts, self.shade = size, fonts(size, weight), shade

    def runs(self, text: str) -> Iterator[tuple[Font, str]]:
        for part, letters in groupby(text, part_with):
            yield self.fonts[part or 0], "".join(letters)

    def width(self, text: str) -> float:
        return sum(font.getlength(run) for font, run in self.runs(text))

    def draw(self, on: ImageDraw.ImageDraw, x: float, y: float, text: str) -> None:
        for font, run in self.runs(text):
            on.text((x, y), run, self.shade, font, anchor="ls")
            x += font.getlength(run)

    def lines(self, text: str, width: int, most: int) -> list[str]:
        """The text in lines of a width; more than `most` end in an ellipsis."""
        found: list[str] = []
        reached, space = 0.0, self.width(" ")
        for word in text.split():
            length = self.width(word)
            if found and reached + space + length <= width:
                found[-1] += f" {word}"
                reached += space + length
            else:
                found.append(word)
                reached = length
        if len(found) <= most:
            return found
        last = found[most - 1]
        while last and self.width(f"{last}…") > width:
            last = last.rpartition(" ")[0]
        return [*found[: most - 1], f"{last.rstrip(',;:')}…"]
