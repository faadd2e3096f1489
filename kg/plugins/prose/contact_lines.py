"""Reads the top of a text CV: the name, contact details, position and place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from kg.facts.values.social_networks import NETWORKS, user_in
from kg.plugins.exchange.titles import meaning
from kg.plugins.prose.author_lists import is_name
from kg.plugins.prose.items import is_prose
from kg.plugins.prose.lexicon import has_organization, has_role
from kg.plugins.prose.pieces import is_place, split_parts
from kg.plugins.prose.plain_markdown import links, unmarked
from kg.plugins.prose.text_lines import TextLine

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?![\w@])")
PHONE = re.compile(
    r"(?:(?:tel|phone|mobile|cell|telefon|mobil|téléphone|teléfono)\.?\s*[:.]?\s*)?"
    r"(?<![\w/.-])((?:\(?\+\d{1,3}\)?[\s./-]{0,2}|\(\d{2,4}\)\s?|\d{3}-(?=\d{3}-))"
    r"(?:\(?\d{1,5}\)?[\s./-]{0,2}){1,6}\d{2})(?![\w/-])",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"(?<![\w@./-])(?:https?://)?(?:www\.)?[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}"
    r"\.(?:com|org|net|edu|io|dev|me|ai|app|info|eu|de|fr|ch|at|uk|us|ca|es|it|nl|se|no|dk"
    r"|br|in|cn|jp|au|nz|pl|pt|be|fi|gov|tech|xyz|co|page|site|blog|science|academy|name)"
    r"(?:/[^\s,;|<>()\[\]]*)?(?![\w@.])"
)
ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
HOMEPAGE = re.compile(
    r"home\s?page|web\s?site|web\s?page|website|my site|personal page|web|www|site web|página",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"(?:\b(?:CV|Resume|Résumé|Curriculum Vit(?:ae|æ)|Lebenslauf|Vita)\b(?: of| de| von)?"
    r"|\(.*\)|['’]s\b|\s[-–—|:]\s.*|^[-–—|:\s]+)",
    re.IGNORECASE,
)
HONORIFIC = re.compile(
    r"^(?:(?:Dr|Prof|Professor|Mr|Mrs|Ms)\b\.?\s*)+"
    r"|,?\s+(?:Ph\.?D\.?|M\.?D\.?|MSc|M\.Sc\.|BSc|MBA)\.?$"
)
LABEL = re.compile(
    r"(?:e-?mail(?:-id)?|mail|tel|phone|mobile|cell|telefon|mobil"
    r"|homepage|website|web|github|linkedin|orcid|twitter|contact|address|location)\s*[:.]?",
    re.IGNORECASE,
)
MOST_LETTERS = 90  # of a line with a position or a place


def name_in(lines: list[TextLine], front: str, text: str) -> tuple[str, int]:
    """The name of the person and its line number; empty if it is unclear."""
    candidates = [(line.plain, line.number) for line in lines if line.level == 1][:1]
    candidates += [(line.plain, line.number) for line in lines[:3] if not line.mark]
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
    return HONORIFIC.sub("", TITLE.sub("", HONORIFIC.sub("", candidate)).strip(" ,.|-–—")).strip(
        " ,"
    )


def is_person(name: str) -> bool:
    means_other = meaning(name)[0] or meaning(f"{name}s")[0]
    names_other = has_role(name) or has_organization(name) or means_other
    return is_name(name) and not names_other and not EMAIL.search(name)


def usual_spelling(name: str, text: str) -> str:
    """A name in capitals as spelled in the rest of the text, if it occurs there."""
    if name.isupper():
        spelled = r"\s+".join(map(re.escape, name.split()))
        for found in re.finditer(rf"(?<!\w){spelled}(?!\w)", text, re.IGNORECASE):
            if not found[0].isupper() and not found[0].islower():
                return " ".join(found[0].split())
    return name


def contact_in(text: str) -> dict[str, Any]:
    """The contact details in a line."""
    found: dict[str, Any] = {}
    addresses = [(words, address) for words, address in links(text) if address]
    bare = re.sub(r"\]\([^()]*\)", "]", text)
    bare = re.sub(r"\b\w*\[(?:at|dot)\]\w*\b", " ", bare)
    emails = EMAIL.findall(" ".join([bare, *(address for _, address in addresses)]))
    if emails:
        found["email"] = emails[0]
    without = EMAIL.sub(" ", bare)
    phone = PHONE.search(without)
    if phone and 7 <= len(re.sub(r"\D", "", phone[1])) <= 15 and not ORCID.search(phone[1]):
        found["phone"] = phone[1].strip()
    if orcid := ORCID.search(text):
        found["orcid"] = orcid[0]
    addresses += [("", each.group().rstrip(".")) for each in ADDRESS.finditer(without)]
    for words, address in addresses:
        sort_address(found, words, address)
    return found


def sort_address(found: dict[str, Any], words: str, address: str) -> None:
    if (
        address.startswith(("mailto:", "#", "/", "tel:"))
        or "." not in address
        or "@" in address.split("/", maxsplit=1)[0]
    ):
        return
    full = address if address.startswith("http") else f"https://{address}"
    for key, network in NETWORKS.items():
        if "{host}" not in network.page and (user := user_in(network, full)):
            if key == "orcid":
                found.setdefault("orcid", user)
            else:
                found.setdefault("profiles", []).append({"network": key, "username": user})
            return
    is_own = (
        HOMEPAGE.search(words)
        or re.sub(r"^https?://(www\.)?", "", address).strip("/") == words
        or not words
    )
    if is_own and full.count("/") <= 5 and not re.search(r"\.(?:pdf|docx?|png|jpe?g)$", full):
        found.setdefault("url", full)


def rest_of(text: str) -> str:
    """The rest of a line without what `contact_in` reads."""
    text = re.sub(r"\[([^\[\]]*)\]\([^()]*\)", " ", text)
    for pattern in (EMAIL, PHONE, ORCID, ADDRESS, LABEL):
        text = pattern.sub(" ", unmarked(text))
    return re.sub(r"\s+", " ", text).strip(" |,;·•–—-:()$\\<>&/~*")


def label_and_place(lines: Iterable[TextLine], name_line: int) -> dict[str, TextLine]:
    """The lines with the person's position (`label`) and place (`location`)."""
    found: dict[str, TextLine] = {}
    for line in lines:
        text = line.plain
        if (
            line.number == name_line
            or EMAIL.search(text)
            or is_prose(line)
            or len(text) > MOST_LETTERS
        ):
            continue
        pieces = split_parts(line.text)
        if len(pieces) == 1 and is_place(pieces[0]):
            found.setdefault("location", line)
        elif has_role(text) and not re.search(r"\d{3}|:", text) and line.number <= name_line + 4:
            found.setdefault("label", line)
    return found
