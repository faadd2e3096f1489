"""Rules about text that was pasted: wrong encodings, printed signs, HTML, broken Markdown."""

from __future__ import annotations

import datetime
import html
import re
import unicodedata
from collections.abc import Callable, Iterator

from kg.check.report.explain import Explanation
from kg.check.rules import PluginRule
from kg.errors import Place, Problem, fix
from kg.facts.load import Facts
from kg.facts.loaded import Loaded
from kg.facts.models.publications import Publication
from kg.facts.models.talks import Talk
from kg.facts.values.text import is_web_address
from kg.facts.yaml.reader import texts_in
from kg.facts.yaml.rows import place_of

# UTF-8 that was read as Windows-1252: a first letter, and one to three signs in the place of bytes.
CONTINUED = "\u0080-\u00bf" + bytes(
    each for each in range(0x80, 0xA0) if each not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
).decode("cp1252")
MISREAD = re.compile(f"[ÂÃÄÅÎÏÐÑ][{CONTINUED}]|â[{CONTINUED}]{{2}}|ð[{CONTINUED}]{{3}}")
LIGATURE = re.compile("[\ufb00-\ufb06]")
ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{2,5}|#x[0-9A-Fa-f]{2,5});")
SPACED_LINK = re.compile(r"\]\s+\((?=https?://|www[.]|mailto:)")
OPEN_LINK = re.compile(
    r"\[[^\[\]]+\]\((?:https?://|mailto:)[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s|$)"
)
# A mark before a word, with no other one behind it. One star after a comma or bracket, or at the
# start, and any where authors are explained, is that of a footnote.
OPEN_MARK = re.compile(
    r"(?im)(?<![*\w])(?:(?<=[\w;:.*)] )\*|(?<!\S)\*\*|(?<=[(\"'–—])\*\*)(?=[^\W_])(?![^*]*\*)"
    r"(?!.*(?:author|equal|contribut|correspond|presenter|supervis|student|mentee|denot))"
)
QUOTED = re.compile(r"`[^`']*'(?!\w)")  # a `word' in the old style
CODE = re.compile(r"`[^`]*`")
# A word of four letters or more before the full stop, which is no abbreviation.
FULL_STOP = re.compile(
    r"(?i)\b(?!corp|univ|dept|prof|inst|proc|assoc|conf|intl|jour|chap)[^\W\d_]{4,}[.]$"
)
MIN_WORDS = 3
# One of these is in each text that a rule is about.
PASTED_SIGNS, MARK_SIGNS = re.compile(r"[&\u0080-\U0010ffff]"), re.compile(r"[]*`[]")


def reread(text: str) -> str:
    """The text with misread UTF-8 read again."""

    def decoded(found: re.Match[str]) -> str:
        data = b"".join(
            letter.encode("latin-1") if ord(letter) < 0x100 else letter.encode("cp1252")
            for letter in found[0]
        )
        return data.decode("utf-8", "ignore") or found[0]

    return MISREAD.sub(decoded, text)


def unligatured(text: str) -> str:
    return LIGATURE.sub(lambda sign: unicodedata.normalize("NFKC", sign[0]), text)


def unescaped(text: str) -> str:
    return ENTITY.sub(lambda entity: html.unescape(entity[0]).replace("\u00a0", " "), text)


REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("was read in the wrong encoding", reread),
    ("has a ligature, which searches do not find", unligatured),
    ("has an HTML entity, which is shown as it is", unescaped),
)


def written(facts: Facts, signs: re.Pattern[str]) -> Iterator[tuple[str, str, Place]]:
    """The texts of the entries that have one of these signs, each with the label of its entry and
    its place.
    """
    seen = set[Place]()
    for each in facts.loaded:
        for text, spot in texts_in(each.row, each.row.spot):
            if not isinstance(text, str) or not signs.search(text):
                continue
            if (place := place_of(each.row.file, spot)) not in seen:
                seen.add(place)
                yield each.row.path, text, place


def pasted(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for path, text, place in written(facts, PASTED_SIGNS):
        if is_web_address(text):
            continue
        for what, repair in REPAIRS:
            if (good := repair(text)) != text:
                wrong, right = differing(text, good)
                message = f"{path}: '{wrong}' {what}. Write '{right}'."
                remedy = fix(wrong, right, certain=False)
                yield Problem(place, "warning", message, "", fix=remedy, part=wrong)


def differing(text: str, good: str) -> tuple[str, str]:
    """The first words of two texts that differ; of texts with other spaces, all of them."""
    pairs = [*zip(text.split(), good.split(), strict=False)]
    is_apart = len(text.split()) != len(good.split())
    return next((pair for pair in pairs if pair[0] != pair[1] and not is_apart), (text, good))


def markdown(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    for path, text, place in written(facts, MARK_SIGNS):
        plain, part = CODE.sub("", text), ""
        if found := SPACED_LINK.search(plain):
            start = plain.rfind("[", 0, found.start())
            shown = f"{plain[start : found.start() + 1]}({plain[found.end() :].split(')')[0]})"
            message = f"a space separates the text of a link from its address. Write '{shown}'."
            part = plain[start : found.end()]
        elif found := OPEN_LINK.search(plain):
            part = found[0].strip()
            message = "the address of this link is never closed. Add ')' after it."
        elif (found := OPEN_MARK.search(plain)) and " * " not in plain:
            what = "bold text" if found[0] == "**" else "emphasis"
            message = f"'{found[0]}' opens {what} that is never closed. Add it where that ends."
            part = plain[found.start() :].split(maxsplit=1)[0]
        elif text.count("`") % 2 and not QUOTED.search(text):
            message = "'`' opens code that is never closed. Add '`' where it ends."
            part = text[text.rindex("`") :].split(maxsplit=1)[0]
        else:
            continue
        yield Problem(place, "warning", f"{path}: {message}", "", part=part)


def titles(facts: Facts, today: datetime.date | None) -> Iterator[Problem]:
    titled: list[tuple[Loaded, Publication | Talk]] = [*facts.of(Publication), *facts.of(Talk)]
    for each, work in titled:
        title = str(work.title or "")
        words = title.split()
        if len(words) < MIN_WORDS:
            continue
        if title.isupper() and sum(len(word) > MIN_WORDS for word in words) >= MIN_WORDS - 1:
            message = f"the title is in capitals. Write '{title.capitalize()}', with its names."
        elif FULL_STOP.search(title) and ". " not in title:
            message = f"the title ends with a full stop. Write '{title[:-1]}'."
        else:
            continue
        yield Problem(each.row.at("title"), "warning", f"{each.row.path}: {message}", "")


def summary_of(text: str) -> dict[str, str | bytes]:
    return {"data/cv/ada.yaml": f"basics: {{name: Ada Berg, summary: '{text}'}}\n"}


def title_of(text: str) -> dict[str, str | bytes]:
    return {
        "data/publications.yaml": f"ice: {{title: {text}, kind: preprint, authors: [Ada Berg], "
        'url: "https://example.org/ice", year: 2020}\n'
    }


PASTED = PluginRule(
    Explanation(
        "Text copied from PDFs, web pages and old files brings signs that are shown wrongly and "
        "that searches do not find: 'TromsÃ¸', 'ﬁeld', '&amp;'.",
        summary_of("Research &amp; teaching in TromsÃ¸"),
        summary_of("Research & teaching in Tromsø"),
    ),
    pasted,
)
MARKDOWN = PluginRule(
    Explanation(
        "Markdown that never closes is shown as it is written: bold text, code and links need both "
        "their ends, and no space before the address.",
        summary_of("Works on **ice and [snow] (https://example.org/)"),
        summary_of("Works on **ice** and [snow](https://example.org/)"),
    ),
    markdown,
)
TITLES = PluginRule(
    Explanation(
        "Citation styles add the full stop, and change the case of titles where they need to. "
        "Capitals cannot be turned back.",
        title_of("THE MEMORY OF RIVERS"),
        title_of("The Memory of Rivers"),
    ),
    titles,
)
