"""Writes works as BibTeX, CSL-JSON, RIS and plain text, for Zotero, pandoc, citeproc and others.

BibTeX is in UTF-8, with LaTeX commands escaped and significant capitals in braces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from csv import writer
from io import StringIO
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models.publications import KINDS
from kg.facts.values.identifiers import doi_address
from kg.publish.citations.citation import OTHERS, CitedWork, parts_of
from kg.text.months import short_names
from kg.text.person_names import PersonName, is_latin

# BibTeX types, for types that only BibLaTeX has.
BIBTEX = {"report": "techreport", "preprint": "misc"}
BY_PLACE = {"paper": "conference", "article": "journal"}  # kinds that imply the venue
GENRES = {name: kind for kind, (name, _) in KINDS.items() if name}
CONTAINERS = {"proceedings": "booktitle", "book": "booktitle", "journal": "journal"}
HOUSES = {"thesis": "school", "report": "institution", "working-paper": "institution"}
WITHOUT_BRACES = ("year", "month")
SPECIAL = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_"},
        "\\": "{\\textbackslash}",
        "{": "{\\textbraceleft}",
        "}": "{\\textbraceright}",
        "^": "{\\textasciicircum}",
        "~": "{\\textasciitilde}",
    }
)
RIS_TYPES = {
    **{"paper": "CONF", "article": "JOUR", "preprint": "UNPB", "thesis": "THES", "report": "RPRT"},
    **{"working-paper": "RPRT", "patent": "PAT", "book": "BOOK", "edited-book": "EDBOOK"},
    **{"book-chapter": "CHAP", "dataset": "DATA", "software": "COMP", "website": "ELEC"},
}
WORD = re.compile(r"[^\W_]+")
CALLED = re.compile(r"[^\s{}]+(?=:\s)")
DOCTOR = re.compile(r"ph\.?\s?d|doctor|dr\.|d\.?phil|sc\.?d", re.IGNORECASE)
MASTER = re.compile(r"master|magister|diplom|m\.?\s?(sc|s|a|tech|phil|eng)\b", re.IGNORECASE)


def entry_type(work: CitedWork, table: str) -> str:
    kind = BY_PLACE.get(work.kind, work.kind)
    return kind if kind == "patent" else correspondence(table).type_of(kind)


def genre_beside(work: CitedWork, table: str, type_: str) -> str:
    """The genre of a work, if the type of its entry does not imply it."""
    is_clear = correspondence(table).types.get(type_) == GENRES.get(work.genre)
    return "" if is_clear else work.genre


def bibtex(works: Iterable[CitedWork]) -> bytes:
    return "\n".join(map(bibtex_entry, works)).encode()


def bibtex_entry(work: CitedWork) -> str:
    year, month = (*parts_of(work.date), 0, 0)[:2]
    is_thesis, is_doctoral = work.kind == "thesis", DOCTOR.search(work.degree)
    # Details that the type of the entry does not imply.
    is_other = is_thesis and not (is_doctoral or MASTER.search(work.degree))
    thesis = "phdthesis" if is_doctoral else "mastersthesis" if work.degree else "thesis"
    type_ = thesis if is_thesis else BIBTEX.get(work.kind) or entry_type(work, "biblatex")
    genre = genre_beside(work, "biblatex", type_)
    sort = genre if genre not in GENRES else ""
    fields = {
        "author": " and ".join(map(bibtex_name, work.authors)),
        "title": protected(escaped(work.title)),
        "subtitle": escaped(work.subtitle),
        CONTAINERS.get(work.contained_in, "howpublished"): escaped(work.container),
        "editor": " and ".join(map(bibtex_name, work.editors)),
        HOUSES.get(work.kind, "publisher"): escaped(work.school or work.publisher),
        "translator": " and ".join(map(bibtex_name, work.translators)),
        "series": escaped(work.series),
        "edition": escaped(work.edition),
        "version": escaped(work.version),
        "type": escaped(f"{work.degree} thesis" if work.degree else "Thesis")
        if is_other
        else escaped(sort),
        "volume": escaped(work.volume),
        "number": escaped(work.issue or work.number),
        "pages": "--".join(map(escaped, work.pages)),
        "pagetotal": work.total,
        "eid": escaped(work.article),
        "year": str(year or ""),
        "month": short_names()[month - 1].lower() if month else "",
        "isbn": work.isbn,
        "issn": work.issn,
        "doi": work.doi,
        "eprint": work.arxiv,
        "archiveprefix": "arXiv" if work.arxiv else "",
        "pmid": work.pmid,
        "pmcid": work.pmcid,
        "url": work.url,
        "pdf": work.pdf,
        "language": work.language,
        "keywords": escaped(", ".join(work.keywords)),
        "abstract": escaped(work.abstract),
        "note": escaped(", ".join(filter(None, ("" if sort else genre, work.status)))),
    }
    lines = "".join(
        f"  {name} = {value if name in WITHOUT_BRACES else f'{{{value}}}'},\n"
        for name, value in fields.items()
        if value
    )
    return f"@{type_}{{{work.key},\n{lines}}}\n"


def bibtex_name(name: PersonName) -> str:
    """`Family, Given`; an organisation and a name without parts in braces, so that no word in it is
    read as a part or as the next author. `others` is the word of BibTeX for unnamed authors.
    """
    if is_one_word(name):
        return escaped(name.family)
    if not name.given:
        return f"{{{escaped(name.family)}}}"
    parts = [escaped(part) for part in (name.family, name.suffix, name.given) if part]
    return ", ".join(
        f"{{{part}}}" if "," in part or " and " in f" {part} " else part for part in parts
    )


def is_one_word(name: PersonName) -> bool:
    """Whether a person has a single name; that of an organisation is a literal."""
    is_whole = name.is_organization or name.given or not is_latin(name.family)
    return not is_whole and name.family.isalpha()


def escaped(value: str) -> str:
    return " ".join(value.translate(SPECIAL).split())


def protected(title: str) -> str:
    """Styles lower the case of titles, so words with inner capitals (`DNN`, `DeepSpeed`, `V100`)
    and a name before a colon (`Hy-Fi: …`) are protected.
    """
    called = CALLED.match(title)
    if called and keeps_case(called[0]):
        return f"{{{called[0]}}}{protected(title[called.end() :])}"
    return WORD.sub(lambda word: f"{{{word[0]}}}" if keeps_case(word[0]) else word[0], title)


def keeps_case(word: str) -> bool:
    return any(map(str.isupper, word)) and (
        word != word[:1] + word[1:].lower()
        or any(map(str.isdecimal, word))
        or (len(word) == 1 and word != "A")
    )


def csv(works: Iterable[CitedWork], base: str) -> bytes:
    """A table of works; the first column is the address."""
    out = StringIO()
    rows = writer(out, lineterminator="\r\n")
    rows.writerow(("address", "title", "authors", "year", "kind", "venue", "doi", "arxiv"))
    for work in works:
        names = "; ".join(
            "et al." if name == OTHERS else f"{name.given} {name.family}".strip()
            for name in work.authors
        )
        year = work.date[:4]
        venue = work.event or work.container or work.school or work.publisher
        title = f"{work.title}: {work.subtitle}" if work.subtitle else work.title
        rows.writerow(
            (base + work.address, title, names, year, work.kind, venue, work.doi, work.arxiv)
        )
    return out.getvalue().encode()


def csl(works: Iterable[CitedWork]) -> bytes:
    items = [csl_item(work) for work in works]
    return (json.dumps(items, ensure_ascii=False, indent=1) + "\n").encode()


def csl_item(work: CitedWork) -> dict[str, Any]:
    date, is_preprint = parts_of(work.date), work.kind == "preprint"
    type_ = entry_type(work, "csl")
    found = {
        "id": work.key,
        "type": type_,
        "title": work.title,
        "author": [csl_name(name) for name in work.authors if name != OTHERS],
        "issued": {"date-parts": [date]} if date else None,
        "container-title": work.container,
        "event-title": work.event,
        "editor": list(map(csl_name, work.editors)),
        "translator": list(map(csl_name, work.translators)),
        "collection-title": work.series,
        "edition": work.edition,
        "version": work.version,
        "publisher": work.school or work.publisher,
        "genre": work.degree
        or genre_beside(work, "csl", type_)
        or ("Preprint" if is_preprint else ""),
        "volume": work.volume,
        "issue": work.issue,
        "number": work.number or (f"arXiv:{work.arxiv}" if is_preprint and work.arxiv else ""),
        "page": "-".join(work.pages),
        "number-of-pages": work.total,
        "ISBN": work.isbn,
        "ISSN": work.issn,
        "DOI": work.doi,
        "PMID": work.pmid,
        "PMCID": work.pmcid,
        "URL": work.url or (f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else ""),
        "status": work.status,
        "language": work.language,
        "keyword": ", ".join(work.keywords),
        "abstract": work.abstract,
    }
    return {name: value for name, value in found.items() if value}


def csl_name(name: PersonName) -> dict[str, str]:
    if is_one_word(name):
        return {"family": name.family}
    if not name.given:
        return {"literal": name.family}
    suffix = {"suffix": name.suffix} if name.suffix else {}
    return {"family": name.family, "given": name.given, **suffix}


def ris(work: CitedWork) -> str:
    year, month, day = (*parts_of(work.date), 0, 0, 0)[:3]
    date = f"{year}/{month:02}/{day:02}" if day else f"{year}/{month:02}" if month else ""
    fields: list[tuple[str, str]] = [
        ("TY", RIS_TYPES.get(work.kind, "GEN")),
        *(("AU", family_first(name)) for name in work.authors if name != OTHERS),
        ("TI", work.title),
        ("JO" if work.contained_in == "journal" else "T2", work.container),
        *(("ED", family_first(name)) for name in work.editors),
        ("PB", work.school or work.publisher),
        ("VL", work.volume),
        ("IS", work.issue or work.number),
        ("SP", work.pages[0] if work.pages else work.article),
        ("EP", work.pages[1] if len(work.pages) > 1 else ""),
        ("PY", str(year or "")),
        ("DA", date),
        ("SN", work.isbn or work.issn),
        ("DO", work.doi),
        ("UR", work.url or (f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else "")),
        ("AB", work.abstract),
    ]
    lines = "".join(f"{tag}  - {' '.join(value.split())}\n" for tag, value in fields if value)
    return f"{lines}ER  - \n"


def family_first(name: PersonName) -> str:
    return ", ".join(filter(None, (name.family, name.given, name.suffix)))


def plain_text(work: CitedWork) -> str:
    """`Lind, H., & Berg, A. (2023). Thin Ice. Journal of Ice, 70(2), 101–119. https://doi.org/…`"""
    year = next(iter(parts_of(work.date)), None)
    writers, by = work.authors or work.editors, "" if work.authors else " (ed.)"
    *others, last = map(initialed, writers or (PersonName(""),))
    last = "et al." if OTHERS in writers else f"& {last}" if others else last
    names = ", ".join([*others, last])
    volume = work.volume + (f"({work.issue})" if work.issue else "")
    place = [work.container or work.school or work.publisher, volume, "–".join(work.pages)]
    address = doi_address(work.doi) if work.doi else work.url
    address = address or (f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else "")
    title = work.title + (f": {work.subtitle}" if work.subtitle else "")
    parts = [
        f"{names}{by} ({year or work.status.lower() or 'n.d.'})",
        title,
        ", ".join(filter(None, place)),
    ]
    return " ".join(
        [*(part if part[-1] in ".?!" else f"{part}." for part in parts if part), address]
    ).strip()


def initialed(name: PersonName) -> str:
    given = re.sub(r"\([^()]*\)", "", name.given).replace(".", ". ").split()
    initials = " ".join(f"{word[0]}." for word in given if word[0].isalpha())
    return ", ".join(filter(None, (name.family, initials, name.suffix)))
