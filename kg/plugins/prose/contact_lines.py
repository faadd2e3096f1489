"""Reads the top of a text CV: the name and contact details."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

from kg.facts.values.social_networks import NETWORKS, user_in
from kg.plugins.exchange.titles import meaning
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.lexicon import has_word, pattern
from kg.plugins.prose.places import is_place
from kg.plugins.prose.plain_markdown import links, unmarked
from kg.plugins.prose.text_lines import TextLine

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?![\w@])")
PHONE = re.compile(
    r"(?<![\w/.+-])((?:\(?(?:\+|00)\d{1,3}\)?[\s./-]{0,2}|\(\d{2,4}\)[\s-]?|\d{3}[-.](?=\d{3}[-.]))"
    r"(?:\(?\d{1,5}\)?[\s./–-]{0,2}){1,6}\d{2})(?![\w/-])"
)
ADDRESS = re.compile(
    r"(?<![\w@./-])(?:https?://)?(?:www\.)?[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}"
    r"\.(?:com|org|net|edu|io|dev|me|ai|app|info|eu|de|fr|ch|at|uk|us|ca|es|it|nl|se|no|dk"
    r"|br|in|cn|jp|au|nz|pl|pt|be|fi|gov|tech|xyz|co|page|site|blog|science|academy|name|ru)"
    r"(?:/[^\s,;|<>()\[\]]*)?(?![\w@.])"
)
ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
HOMEPAGE = re.compile(r"\b(?:home\s?page|web\s?(?:site|page)?|www|página|site)\b", re.IGNORECASE)
TITLE = re.compile(
    r"(?:\b(?:CV|Resume|Résumé|Curriculum Vit(?:ae|æ)|Lebenslauf|Vita)\b(?: of| de| von)?"
    r"|\(.*\)|['’]s\b|\s[-–—|:]\s.*|^[-–—|:\s]+)",
    re.IGNORECASE,
)
HONORIFIC = re.compile(
    r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms)\b\.?\s*)+"
    r"|,?\s+(?:Ph\.?D\.?|M\.?D\.?|MSc|M\.Sc\.|BSc|MBA)\.?$"
)
NAME_LABEL = re.compile(r"^(?:full )?name\s*[:|]\s*", re.IGNORECASE)
LABEL = re.compile(
    r"\b(?:e-?mail(?:-id)?|mail|tel|phone|mobile|cell|telefon|mobil|homepage|website|web|github"
    r"|linkedin|orcid|twitter|contact|download|full cv|pdf)\b\s*[:.]?",
    re.IGNORECASE,
)
WORD = r"(?:[^\W\d_a-zà-ÿ][\w'’-]*|[^\W\d_]\.(?:-?[^\W\d_]\.)*)"
PARTICLES = r"(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten|zu|af)"
NAME = re.compile(
    rf"(?!The ){WORD}\.?(?:[ -](?:{PARTICLES}\s+){{0,2}}{WORD}\.?){{1,4}}"
    r"(?:,? (?:Jr|Sr|II|III)\.?)?"
)
PHONE_DIGITS = range(8, 16)
MOST_LETTERS, MOST_LINES = 90, 6  # of a line with a position, of those to look at


def name_in(lines: list[TextLine], front: str, text: str) -> tuple[str, int]:
    """The name of the person and its line number; empty if it is unclear."""
    candidates = [(line.plain, line.number) for line in lines if line.level == 1][:1]
    first = takewhile(lambda line: not is_job_or_place(line.plain), lines[:3])
    candidates += [(line.plain, line.number) for line in first if not line.mark]
    candidates += [(line.plain, line.number) for line in lines if NAME_LABEL.match(line.plain)][:1]
    for key in ("name", "author", "title"):
        if found := re.search(
            rf"^{key}:[ \t]*[\"']?([^\"'\n]{{3,80}})[\"']?[ \t]*$", front, re.MULTILINE
        ):
            candidates.append((found[1], 2))
    for candidate, number in candidates:
        if is_person(name := name_of(candidate)):
            return usual_spelling(name, text), number
    return "", 0


def name_of(candidate: str) -> str:
    candidate = re.sub(r"^(?:Lebenslauf|CV|Resume|Curriculum Vitae)\s*[-–—|:]\s*", "", candidate)
    bare = TITLE.sub("", HONORIFIC.sub("", NAME_LABEL.sub("", candidate))).strip(" ,.|-–—")
    return " ".join(HONORIFIC.sub("", bare).strip(" ,").split())


def usual_spelling(name: str, text: str) -> str:
    """A name in capitals as spelled in the rest of the text, if it occurs there."""
    spelled = r"\s+".join(map(re.escape, name.split()))
    found = re.finditer(rf"(?<!\w){spelled}(?!\w)", text, re.IGNORECASE)
    others = [" ".join(each[0].split()) for each in found if each[0].istitle()]
    return others[0] if name.isupper() and others else name


def is_person(name: str) -> bool:
    is_title = meaning(name)[0] or meaning(f"{name}s")[0]
    is_name = NAME.fullmatch(name) and len(name) < MOST_LETTERS
    return bool(is_name) and not is_title and not is_job_or_place(name)


def is_job_or_place(name: str) -> bool:
    return any(has_word(words, name) for words in ("roles", "organizations", "schools", "units"))


def phones_in(text: str) -> list[str]:
    """The phone numbers in a line, without dates and ORCIDs."""
    dates = [span.at for span in date_spans(text)]
    return [
        found[1].strip()
        for found in PHONE.finditer(ORCID.sub(lambda each: "x" * len(each[0]), text))
        if len(re.sub(r"\D", "", found[1])) in PHONE_DIGITS
        and not any(start < found.end() and found.start() < end for start, end in dates)
    ]


def is_private(text: str) -> bool:
    """Whether a line has contact details, a street address or a date of birth."""
    return bool(EMAIL.search(text) or phones_in(text) or pattern("private").search(unmarked(text)))


def contact_in(text: str) -> dict[str, Any]:
    """The contact details in a line."""
    found: dict[str, Any] = {}
    addresses = [(words, address) for words, address in links(text) if address]
    bare = re.sub(r"\]\([^()]*\)", "]", text)
    emails = EMAIL.findall(" ".join([bare, *(address for _, address in addresses)]))
    without = EMAIL.sub(" ", bare)
    found["email"] = next(iter(emails), "")
    found["phone"] = next(iter(phones_in(without)), "")
    if orcid := ORCID.search(text):
        found["orcid"] = orcid[0]
    addresses += [("", each.group().rstrip(".")) for each in ADDRESS.finditer(without)]
    for words, address in addresses:
        sort_address(found, words, address)
    return {name: value for name, value in found.items() if value}


def details_in(text: str) -> list[str]:
    """The email addresses, phone numbers and last parts of web addresses in a line."""
    addresses = [address for _, address in links(text) if "." in address and "@" not in address]
    bare = EMAIL.sub(" ", re.sub(r"\[[^\[\]]*\]\([^()]*\)", " ", text))
    addresses += [each.group() for each in ADDRESS.finditer(bare)]
    ends = [re.split(r"[?#]", each)[0].strip("./ ").rpartition("/")[2] for each in addresses]
    return [*EMAIL.findall(text), *phones_in(text), *(end.lstrip("@") for end in ends)]


def sort_address(found: dict[str, Any], words: str, address: str) -> None:
    is_other = address.startswith(("mailto:", "#", "/", "tel:")) or "." not in address
    if is_other or "@" in address.split("/", maxsplit=1)[0]:
        return
    full = address if address.startswith("http") else f"https://{address}"
    for key, network in NETWORKS.items():
        if "{host}" not in network.page and (user := user_in(network, full)):
            if key == "orcid":
                found.setdefault("orcid", user)
            else:
                found.setdefault("profiles", []).append({"network": key, "username": user})
            return
    is_own = HOMEPAGE.search(words) or not words or words in full
    if is_own and full.count("/") <= 5 and not re.search(r"\.(?:pdf|docx?|png|jpe?g)$", full):
        found.setdefault("url", full)


def rest_of(text: str) -> str:
    """The rest of a line without what `contact_in` reads."""
    text = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", lambda at: rest_of_link(at[1]), text)
    for each in phones_in(text):
        text = text.replace(each, " ")
    for taken in (EMAIL, ORCID, ADDRESS, LABEL):
        text = taken.sub(" ", unmarked(text))
    return re.sub(r"\s+", " ", text).strip(" |,;·•–—-:()$\\<>&/~*")


def rest_of_link(words: str) -> str:
    return f" {words} " if " " in words else " "


def label_and_place(lines: list[TextLine], name_line: int) -> dict[str, TextLine]:
    """The lines at the top with the person's position (`label`) and place (`location`)."""
    found: dict[str, TextLine] = {}
    for line in [each for each in lines if each.number != name_line][:MOST_LINES]:
        text = line.plain
        if len(text) > MOST_LETTERS or is_private(line.text):
            continue
        if is_place(text):
            found.setdefault("location", line)
        elif has_word("roles", text) and not re.search(r"\d{3}|:", text):
            found.setdefault("label", line)
    return found
