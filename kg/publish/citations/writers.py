"""Works as BibTeX, and as CSL-JSON, which citation programs (Zotero, pandoc, citeproc) read.

BibTeX is in UTF-8, with LaTeX commands escaped, and capitals that must stay in braces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from kg.publish.citations.citation import CitedWork, parts_of
from kg.publish.citations.person_names import PersonName

# kind of work -> the type of its entry in BibTeX, and in CSL
TYPES = {
    "paper": ("inproceedings", "paper-conference"),
    "article": ("article", "article-journal"),
    "thesis": ("phdthesis", "thesis"),
    "report": ("techreport", "report"),
    "patent": ("patent", "patent"),
    "preprint": ("misc", "article"),
    "abstract": ("inproceedings", "paper-conference"),
    "book-chapter": ("incollection", "chapter"),
    "encyclopedia-entry": ("inreference", "entry-encyclopedia"),
    "editorial": ("article", "article-journal"),
    "review": ("review", "review-book"),
    "magazine": ("article", "article-magazine"),
    "newspaper": ("article", "article-newspaper"),
    "blog": ("online", "post-weblog"),
    "book": ("book", "book"),
    "edited-book": ("collection", "book"),
    "proceedings": ("proceedings", "book"),
    "special-issue": ("periodical", "periodical"),
    "translation": ("book", "book"),
    "working-paper": ("report", "report"),
    "dataset": ("dataset", "dataset"),
    "software": ("software", "software"),
    "standard": ("standard", "standard"),
    "manual": ("manual", "book"),
    "teaching-material": ("misc", "document"),
    "video": ("video", "motion_picture"),
    "audio": ("audio", "song"),
    "artwork": ("artwork", "graphic"),
    "music": ("music", "musical_score"),
    "map": ("image", "map"),
    "performance": ("performance", "performance"),
    "website": ("online", "webpage"),
    "other": ("misc", "document"),
}
CONTAINERS = {"proceedings": "booktitle", "book": "booktitle", "journal": "journal"}
HOUSES = {"thesis": "school", "report": "institution", "working-paper": "institution"}
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
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
WORD = re.compile(r"[^\W_]+")
CALLED = re.compile(r"[^\s{}]+(?=:\s)")
DOCTOR = re.compile(r"ph\.?\s?d|doctor|dr\.|d\.?phil|sc\.?d", re.IGNORECASE)
MASTER = re.compile(r"master|magister|diplom|m\.?\s?(sc|s|a|tech|phil|eng)\b", re.IGNORECASE)


def bibtex(works: Iterable[CitedWork]) -> bytes:
    return "\n".join(map(bibtex_entry, works)).encode()


def bibtex_entry(work: CitedWork) -> str:
    year, month = (*parts_of(work.date), 0, 0)[:2]
    is_thesis, is_doctoral = work.kind == "thesis", DOCTOR.search(work.degree)
    # What the entry's type does not say by itself.
    is_other = is_thesis and not (is_doctoral or MASTER.search(work.degree))
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
        "type": escaped(f"{work.degree} thesis" if work.degree else "Thesis") if is_other else "",
        "volume": escaped(work.volume),
        "number": escaped(work.issue or work.number),
        "pages": "--".join(map(escaped, work.pages)),
        "pagetotal": work.total,
        "eid": escaped(work.article),
        "year": str(year or ""),
        "month": MONTHS[month - 1] if month else "",
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
        "note": escaped(", ".join(filter(None, (work.genre, work.status)))),
    }
    is_masters = is_thesis and work.degree and not is_doctoral
    lines = "".join(
        f"  {name} = {value if name in WITHOUT_BRACES else f'{{{value}}}'},\n"
        for name, value in fields.items()
        if value
    )
    kind = "mastersthesis" if is_masters else TYPES[work.kind][0]
    return f"@{kind}{{{work.key},\n{lines}}}\n"


def bibtex_name(name: PersonName) -> str:
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
    return " ".join(value.translate(SPECIAL).split())


def protected(title: str) -> str:
    """Styles make titles small but for their first letter: words with capitals inside (`DNN`,
    `DeepSpeed`, `V100`) stay as they are, and so does a name before a colon (`Hy-Fi: …`).
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


def csl(works: Iterable[CitedWork]) -> bytes:
    items = [csl_item(work) for work in works]
    return (json.dumps(items, ensure_ascii=False, indent=1) + "\n").encode()


def csl_item(work: CitedWork) -> dict[str, Any]:
    date, is_preprint = parts_of(work.date), work.kind == "preprint"
    found = {
        "id": work.key,
        "type": TYPES[work.kind][1],
        "title": work.title,
        "author": list(map(csl_name, work.authors)),
        "issued": {"date-parts": [date]} if date else None,
        "container-title": work.container,
        "event-title": work.event,
        "editor": list(map(csl_name, work.editors)),
        "translator": list(map(csl_name, work.translators)),
        "collection-title": work.series,
        "edition": work.edition,
        "version": work.version,
        "publisher": work.school or work.publisher,
        "genre": work.degree or work.genre or ("Preprint" if is_preprint else ""),
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
    if not name.given:
        return {"literal": name.family}
    suffix = {"suffix": name.suffix} if name.suffix else {}
    return {"family": name.family, "given": name.given, **suffix}
