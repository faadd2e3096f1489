"""BibTeX of works: in UTF-8, with LaTeX commands escaped, and capitals that must stay in braces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kg.publish.citations.citation import CitedWork, parts_of
from kg.publish.citations.person_names import PersonName

KINDS = {
    "paper": "inproceedings",
    "article": "article",
    "thesis": "phdthesis",
    "report": "techreport",
    "patent": "patent",
    "preprint": "misc",
    "other": "misc",
}
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_"},
    **{
        "\\": "{\\textbackslash}",
        "{": "{\\textbraceleft}",
        "}": "{\\textbraceright}",
        "^": "{\\textasciicircum}",
        "~": "{\\textasciitilde}",
    },
}
TABLE = str.maketrans(SPECIAL)
WORD = re.compile(r"[^\W_]+")
CALLED = re.compile(r"[^\s{}]+(?=:\s)")
DOCTOR = re.compile(r"ph\.?\s?d|doctor|dr\.|d\.?phil|sc\.?d", re.IGNORECASE)
MASTER = re.compile(r"master|magister|diplom|m\.?\s?(sc|s|a|tech|phil|eng)\b", re.IGNORECASE)


def text(works: Iterable[CitedWork]) -> bytes:
    return "\n".join(entry(work) for work in works).encode()


def entry(work: CitedWork) -> str:
    lines = "".join(f"  {name} = {value},\n" for name, value in fields(work) if value)
    return f"@{kind_of(work)}{{{work.key},\n{lines}}}\n"


def kind_of(work: CitedWork) -> str:
    is_masters = work.kind == "thesis" and work.degree and not DOCTOR.search(work.degree)
    return "mastersthesis" if is_masters else KINDS[work.kind]


def fields(work: CitedWork) -> Iterator[tuple[str, str]]:
    year, month = (*parts_of(work.date), 0, 0)[:2]
    yield "author", braced(" and ".join(map(person, work.authors)))
    yield "title", braced(protected(escaped(work.title)))
    yield (
        {"paper": "booktitle", "article": "journal"}.get(work.kind, "howpublished"),
        braced(escaped(work.container)),
    )
    yield "editor", braced(" and ".join(map(person, work.editors)))
    yield (
        {"thesis": "school", "report": "institution"}.get(work.kind, "publisher"),
        braced(escaped(work.school or work.publisher)),
    )
    yield "type", braced(escaped(kind_of_thesis(work)))
    yield "volume", braced(escaped(work.volume))
    yield "number", braced(escaped(work.issue or work.number))
    yield "pages", braced("--".join(map(escaped, work.pages)))
    yield "year", str(year or "")
    yield "month", MONTHS[month - 1] if month else ""
    yield "isbn", braced(work.isbn)
    yield "issn", braced(work.issn)
    yield "doi", braced(work.doi)
    yield "eprint", braced(work.arxiv)
    yield "archiveprefix", braced("arXiv" if work.arxiv else "")
    yield "url", braced(work.url)
    yield "note", braced(escaped(", ".join(filter(None, (work.genre, work.status)))))


def kind_of_thesis(work: CitedWork) -> str:
    """What the entry's type does not say by itself."""
    if work.kind != "thesis" or (
        work.degree and (DOCTOR.search(work.degree) or MASTER.search(work.degree))
    ):
        return ""
    return (
        f"{work.degree} thesis".lstrip().capitalize()
        if not work.degree
        else f"{work.degree} thesis"
    )


def person(name: PersonName) -> str:
    """`Family, Given`; a name without parts in braces, so that nothing in it is taken for a part,
    or for the next author.
    """
    if not name.given:
        return f"{{{escaped(name.family)}}}"
    parts = [escaped(part) for part in (name.family, name.suffix, name.given) if part]
    return ", ".join(
        f"{{{part}}}" if "," in part or " and " in f" {part} " else part for part in parts
    )


def escaped(value: str) -> str:
    return " ".join(value.translate(TABLE).split())


def protected(title: str) -> str:
    """Styles make titles small but for their first letter: words with capitals inside (`DNN`,
    `DeepSpeed`, `V100`) stay as they are, and so does a name before a colon (`Hy-Fi: …`).
    """
    called = CALLED.match(title)
    if called and keeps_case(called[0]):
        return f"{{{called[0]}}}{protected(title[called.end() :])}"
    return WORD.sub(lambda word: f"{{{word[0]}}}" if keeps_case(word[0]) else word[0], title)


def keeps_case(word: str) -> bool:
    capitals = [letter for letter in word if letter.isupper()]
    return bool(capitals) and (
        word != word[:1] + word[1:].lower()
        or any(map(str.isdecimal, word))
        or (len(word) == 1 and word != "A")
    )


def braced(value: str) -> str:
    return f"{{{value}}}" if value else ""
