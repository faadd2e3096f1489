"""What a text names that says where a work appeared: a preprint server, the kind of a thesis with
its school, a conference, a journal, or a publisher. Other texts are only texts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ARXIV = re.compile(
    r"(?<![\w.])(?:abs/)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(v\d+)?(?!\w)", re.ASCII
)
# Preprint servers, which are often written as journals. arXiv publishes nothing: a number says it.
SERVERS = re.compile(
    r"\s*(?:(?:published |available |posted )?(?:on|at) )?"
    r"(?:(?:e-?|pre)prints?\s*(?:at|on|in|[,:(-])?\s*)?"
    r"(?P<server>arxiv(?:\.org)?|corr(?=\W*$|\W+abs\b|\W+\d)"
    r"|biorxiv|medrxiv|chemrxiv|ssrn|psyarxiv|socarxiv|eartharxiv|techrxiv|preprints\.org"
    r"|research square)\b",
    re.IGNORECASE,
)
REPOSITORY = re.compile(r"zenodo|figshare|dryad|datacite|osf(?:\.io)?|hal|researchgate", re.I)
NO_ORGANIZATION = ("arxiv", "arxiv.org", "corr")
THESIS_WORD = (
    r"(?:thesis|dissertation|th[èe]se|tesis|tesina|tesi|tese|masterarbeit|bachelorarbeit"
    r"|diplomarbeit|doktorarbeit|magisterarbeit|habilitation(?:sschrift)?|m[ée]moire de master\w*"
    r"|(?:trabajo|trabalho|treball) (?:de )?(?:fin|final|fim) de \w+|proefschrift|avhandling)"
)
DEGREE = (
    r"(?:(?:an?|my|the|unpublished|doctor(?:al|ate|at)?|ph\.?\s?d\.?|d\.?phil\.?"
    r"|master(?:'?s|’s)?"
    r"|bachelor(?:'?s|’s)?|undergraduate|graduate|postgraduate|senior|hono(?:u)?rs?|diploma"
    r"|licentiate|[bm]\.?\s?(?:sc|a|eng|tech|phil|ed|s)\.?|mba|capstone|inaugural-?|college|final"
    r"|year|of|in|science|arts|engineering)[\s-]+){0,5}"
)
THESIS = re.compile(
    rf"(?P<degree>{DEGREE}{THESIS_WORD}(?:\s+(?:de|di|du|doctorale?|doctorat|doctora[dt]o"
    r"|m[aá]ster|mestrado|laurea|licence|licenciatura|grado|grau|maestr[ií]a|magistrale"
    r"|triennale|dottorato))*)"
    r"(?:\s*[,:;(–—-]\s*|\s+(?:at|from|in|an der|an)\s+(?:the\s+)?|\s*$)(?P<school>.*?)[)\s.]*",
    re.IGNORECASE,
)
NO_DEGREE = re.compile(r"(?:^|[\s-]+)(?:thesis|dissertation)$", re.IGNORECASE)
MEETING = re.compile(
    r"\b(?:conference|conf|proceedings|proc|symposium|congress|workshop|congreso"
    r"|congresso|congr[èe]s"
    r"|colloque|coloquio|jornadas|simp[oó]sio|convegno|confer[eê]ncia|conferenza|konferenz"
    r"|kongress"
    r"|tagung(?:sband)?|actas|actes|atti|anais)\b",
    re.IGNORECASE,
)
ACRONYM_WITH_YEAR = re.compile(
    r"[A-Z]+[a-z]*[A-Z]\w*(?:[ /-][A-Z][\w-]*)* ?['’]?(?:(?:19|20)\d\d(?!-\d)|\d\d)\b"
)
# What was shown somewhere, or a numbered report: no name of a place.
NO_NAME = re.compile(
    r"(?P<poster>poster\W+)?(?:(?:oral|talk|paper|invited|e-?poster)\W+)*"
    r"(?:presented|presentation|präsentiert|présentée?|presentad[oa])\b.*"
    r"|.*\b(?:technical (?:paper|report|memorandum)|working paper|report no\.?)\W+(?=.*\d)\S+"
    r"|.*:.*\bpresentation",
    re.IGNORECASE,
)
# A publisher with an event in brackets: `Springer (ICES 2020)`
PUBLISHER_OF_EVENT = re.compile(
    r"(?P<publisher>[^()]+?)\s*\((?P<event>[^()]*(?:\b(?:19|20)\d\d|['’]\d\d)\b[^()]*)\)"
)
# What is written if nobody published a work.
NO_PUBLISHER = re.compile(
    r"self[\s-]*publish\w*|selbst(?:verlag|verlegt|publi\w+)|(?:im )?eigenverlag|auto-?publicad[oa]"
    r"|auto[ée]dition|auto-?édité|autopubblicato|by (?:the )?authors?|n\.?\s*/?\s*a\.?|none|tb[ad]"
    r"|unknown|[\W_]*",
    re.IGNORECASE,
)
# More than the name of a publisher: an address with a street, or an event in brackets.
MORE_THAN_PUBLISHER = re.compile(
    r"(?=.*\d)(?=.*,).*\b(?:street|str|st|suite|plaza|avenue|ave|road|rd|blvd|p\.? ?o\.? box)\b.*"
    r"|[^()]*\([^()]*\d[^()]*\)",
    re.IGNORECASE,
)
JOURNAL = re.compile(
    r"\b(?:(?<!^)journal|journal(?=\W*$|\s+(?:of|for|on|in)\b)|j\.|transactions|trans\."
    r"|letters|magazine|annals|annales|annalen|bulletin"
    r"|quarterly|gazette|revue|revista|rivista|zeitschrift|archiv|tijdschrift|tidsskrift|tidskrift"
    r"|review|reviews|czasopismo|cuadernos|cahiers)\b"
    r"|^(?:nature|science|cell|pnas|jama|bmj|the lancet|elife|scientific reports|ieee access"
    r"|physics of \w+|proceedings of the national academy.*|plos \w+|nature \w+"
    r"|frontiers in .+"
    r"|communications of the acm)$"
    r"|\b\d+\s*\(\d+\)",
    re.IGNORECASE,
)
SERIAL = re.compile(r"proceedings of the (?:national academy|royal society|vldb|ieee$)", re.I)
PUBLISHER = re.compile(
    r".*\b(?:verlag|publishing|publishers?|[ée]ditions|editores|edizioni|editore|editora"
    r"|uitgeverij|förlag|forlag|wydawnictwo|press(?:es)?(?=$|,|\s+(?:of|ltd|inc)\b))\b.*"
    r"|association for computing machinery.*|institute of electrical.*"
    r"|(?:american|royal) .*society.*"
    r"|editorial\s+[A-Z].*"
    r"|(?:springer|elsevier|wiley|ieee|acm|routledge|taylor (?:&|and) francis|sage|o['’]reilly"
    r"|penguin|harper\s?collins|(?:palgrave )?macmillan|mcgraw[- ]hill|pearson|packt|apress"
    r"|birkhäuser|(?:walter )?de gruyter|brill|nomos|mdpi|world scientific"
    r"|wolters kluwer|usenix|aaai|aps|aip"
    r"|iop|hachette|simon (?:&|and) schuster|random house|gallimard|suhrkamp|blackwell|emerald"
    r"|cambridge university|no starch|manning|addison[- ]wesley|prentice hall|crc|zenodo|figshare)"
    r"(?:\s*[,/&-].*|\s+(?:nature|media|random house|international|sons|inc|ltd|gmbh|ag|b\.?v"
    r"|computer|group|education|society)\b.*)?",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"\S+\.[a-z]{2,}(?:/\S*)?|.*\b(?:blog|website|newsletter)\b.*", re.IGNORECASE)


class Thesis(NamedTuple):
    """The degree of a thesis, empty if it only says that it is one, and the school."""

    degree: str
    school: str


def thesis_in(text: str) -> Thesis | None:
    """`PhD thesis, University of Oslo` -> `PhD` and the school; None if it is anything else."""
    found = THESIS.fullmatch(text.strip())
    if not found:
        return None
    degree = re.sub(r"(?i)^(?:unpublished|an?|my|the)\s+", "", found["degree"])
    return Thesis(NO_DEGREE.sub("", degree), found["school"] or "")


def arxiv_number(text: str) -> str:
    found = ARXIV.search(text)
    return found[1] + (found[2] or "") if found else ""


def server_in(text: str) -> str:
    """The preprint server that a venue is, if it is an organisation; else empty."""
    found = SERVERS.match(text)
    return found["server"] if found and found["server"].lower() not in NO_ORGANIZATION else ""


def field_of_venue(text: str) -> str:
    """The field for a text: `conference`, `venue` (of an acronym and a year), `journal` or
    `publisher`; empty if the text does not say what it names.
    """
    if ADDRESS.fullmatch(text):
        return ""
    if PUBLISHER.fullmatch(text) and not JOURNAL.search(text):
        return "publisher"
    if MEETING.search(text) and not SERIAL.match(text):
        return "conference"
    if JOURNAL.search(text):
        return "journal"
    return "venue" if ACRONYM_WITH_YEAR.match(text) else ""


def is_publisher(text: str) -> bool:
    """Whether a text can be the name of a publisher."""
    return not (NO_PUBLISHER.fullmatch(text) or MORE_THAN_PUBLISHER.fullmatch(text))
