"""Turns single lines of text into entries: summary paragraphs, skills, languages, free entries.

Also normalises values written in other languages: names and levels of languages, decimal commas.
Phone numbers without digits (`On request`) are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.facts.values.languages import language_tag
from kg.facts.values.regions import languages, tags
from kg.facts.values.social_networks import NETWORKS, user_in
from kg.plugins.exchange.draft import Draft, Value, without_empty
from kg.plugins.exchange.markup import plain, prose, with_scheme
from kg.plugins.prose.lexicon import pattern, words
from kg.text.normalize import letters
from kg.text.transliterate import plain as plain_letters

NAMES_ALONE = ("skills", "languages", "interests")  # sections whose entries can be plain names
LONGEST_NAME = 80
GROUP = re.compile(r"\s*[,;|]\s*(?![^(\[]*[)\]])")  # separators outside brackets
ITEM = re.compile(r"\s*[,;•|·、]\s*(?![^()]*\))|\s{3,}|\t")
NO_ITEM = re.compile(r"(?:and|or|und|oder|et|ou|y|e|og|och|an?|the|etc)\b|.*(?:://|:\s|\s[-–]\s)")
LONGEST_LABEL, MOST_ITEM_WORDS = 60, 5
BEFORE_LEVEL = re.compile(r"\s*[(:]\s*|\s+[-–—]\s+")
CEFR = re.compile(r"[abc][12]\+?(?:\s*[/–-]\s*[abc][12]\+?)?", re.IGNORECASE)
SCORE = re.compile(r"\d+(?:[.,]\d+)?(?:\s*/\s*\d+(?:[.,]\d+)?)?")
PAGES = ("profiles", "links")  # lists of addresses of a person
NO_NUMBER = "not a telephone number"
PARTS_OF_PLACE = re.compile(r"\s*[,;/|·()]\s*|\s+[-–—]\s+")
PERCENT = re.compile(r"(\d+(?:[.,]\d+)?)\s*%")


def add_line(draft: Draft, value: Value, heading: str, section: str) -> None:
    """Adds a line below a heading; `section` is what the heading means, or empty."""
    if pattern("summaries").fullmatch(letters(heading)):
        text, before = prose(value), draft.cv.setdefault("basics", {}).get("summary")
        draft.cv["basics"]["summary"] = before.with_text(f"{before}\n\n{text}") if before else text
    elif section == "skills" and (listed := labelled_list(plain(value))):
        label, names = listed
        put_group(draft, section, value.with_text(label), [*map(value.with_text, names)])
    elif section in NAMES_ALONE and "\n" not in value and len(value) < LONGEST_NAME:
        named = plain(value)
        found: Any = language_of(named) if section == "languages" else named
        draft.add(section, found)
    else:
        draft.put_free(heading, prose(value))


def put_group(draft: Draft, section: str, label: Value, names: list[Value]) -> None:
    """Adds a group of skills or interests; a list of languages goes to that section."""
    if names and all(map(is_language, names)):
        for each in names:
            draft.put("languages", language_of(each))
    else:
        draft.put(section, {"name": label, "keywords": names})


def labelled_list(text: str) -> tuple[str, list[str]] | None:
    """The label and items of `Frameworks: Django, React`; None if any item is a phrase."""
    label, mark, listed = text.partition(":")
    names = [name for each in ITEM.split(listed) if (name := each.strip().rstrip(" ."))]
    is_label = mark and len(label) <= LONGEST_LABEL and re.search(r"[^\W\d_]{2}", label)
    is_list = len(names) > 1 and all(is_language(name) or not is_phrase(name) for name in names)
    if not is_label or not is_list or re.search(r"[,|]|\s[-–]\s", label):
        return None
    return label.strip(), names


def is_phrase(name: str) -> bool:
    is_long = len(name.split()) > MOST_ITEM_WORDS or len(name) > LONGEST_LABEL
    return is_long or bool(NO_ITEM.match(name))


def split_list(value: Value) -> list[Value]:
    """Splits a list in one line: `Python, C (some), R`."""
    return [plain(value.with_text(each)) for each in GROUP.split(value) if each.strip()]


def is_language(text: str) -> bool:
    """Whether a text is a language, with or without a level."""
    return bool(language_tag(BEFORE_LEVEL.split(text)[0]))


def language_of(value: Value) -> dict[str, Any]:
    """Splits `English (native)` into language and level."""
    name, *rest = BEFORE_LEVEL.split(value, maxsplit=1)
    level = "".join(rest).strip()
    level = level if level.count("(") == level.count(")") else level.removesuffix(")")
    return without_empty(
        {"language": value.with_text(name.strip()), "level": value.with_text(level)}
    )


def tidy_notation(draft: Draft) -> None:
    """Normalises the languages, places, web addresses and scores of a draft in place."""
    basics = draft.cv.get("basics", {})
    listed = [each for name in PAGES for each in basics.get(name, ())]
    for entry in (basics, *listed, *entries_of(draft)):
        if url := entry.get("url"):
            entry["url"] = [*map(with_scheme, url)] if isinstance(url, list) else with_scheme(url)
    phones = basics.get("phone", [])
    written = phones if isinstance(phones, list) else [phones]
    if wrong := [each["value"] for each in written if len(re.findall(r"\d", each["value"])) < 3]:
        draft.leave(wrong, NO_NUMBER)
        basics["phone"] = [each for each in written if each["value"] not in wrong]
    url = basics.get("url")
    if isinstance(url, Value) and (network := network_of_page(url)):
        profiles = basics.setdefault("profiles", [])
        if all(each.get("network") != network for each in profiles):
            profiles.append({"network": url.with_text(network), "url": basics.pop("url")})
    spoken = draft.cv.get("languages")
    if isinstance(spoken, list):
        draft.cv["languages"] = [spoken_language(each) for each in spoken]
    for entry in (basics, *entries_of(draft)):
        where = entry.get("location")
        if isinstance(where, Value):
            parts = [part for part in PARTS_OF_PLACE.split(where) if part]
            places = [
                part for part in parts if not pattern("remote").fullmatch(plain_letters(part))
            ]
            if places != parts:
                others = ", ".join(part for part in parts if part not in places)
                draft.leave([where.with_text(others)], "not a place")
                entry["location"] = where.with_text(", ".join(places))
                entry.pop("" if places else "location", None)
    for study in draft.cv.get("education", ()):
        score = study.get("score") if isinstance(study, dict) else None
        if isinstance(score, Value):
            study["score"] = score.with_text(plain_score(score))


def entries_of(draft: Draft) -> Iterator[dict[str, Any]]:
    """The entries of a draft that have fields, also those of free sections."""
    lists = [each for each in draft.cv.values() if isinstance(each, list)]
    lists += [section["entries"] for section in draft.cv.get("sections", ())]
    return (each for entries in lists for each in entries if isinstance(each, dict))


def network_of_page(address: str) -> str:
    """The network of an address that is the page of a user; empty for others."""
    pages = ((name, user_in(network, address)) for name, network in NETWORKS.items())
    bare = address.rstrip("/").partition("&")[0]
    return next((name for name, user in pages if user and bare.endswith(user.lstrip("@"))), "")


def spoken_language(entry: Any) -> Any:
    """An entry with the English name of its language, and the level apart."""
    fields = entry if isinstance(entry, dict) else {"language": entry}
    written = fields.get("language")
    if not isinstance(written, Value):
        return entry
    if not language_tag(written):
        fields = {**split_level(written), **fields, "language": split_level(written)["language"]}
    name, level = fields["language"], fields.get("level")
    tag = language_tag(name)
    if tag and name.casefold() not in tags() and name.lower() != tag:
        fields = {**fields, "language": name.with_text(languages().get(tag, name))}
    if isinstance(level, Value):
        fields = {**fields, "level": level.with_text(plain_level(level))}
    return fields if isinstance(entry, dict) or len(fields) > 1 else fields["language"]


def split_level(value: Value) -> dict[str, Any]:
    """`Anglais courant`, `German (B2)` -> language and level; unchanged if either is unknown."""
    found = language_of(value)
    if language_tag(found["language"]):
        return found
    name, level = level_apart(value)
    return without_empty({"language": value.with_text(name), "level": value.with_text(level)})


def level_apart(text: str) -> tuple[str, str]:
    """`Anglais courant` -> `Anglais`, `courant`; no level if either is unknown."""
    parts = text.split()
    for number in range(1, len(parts)):
        name, level = " ".join(parts[:number]), " ".join(parts[number:])
        if is_level(level) and language_tag(name):
            return name, level
    return text, ""


def is_level(text: str) -> bool:
    """Whether a text says how well somebody knows a language, in any of several languages."""
    found = {*re.findall(r"[a-z]+\d?", plain_letters(text))}
    return bool(pattern("native").fullmatch(plain_letters(text).strip(" .()"))) or (
        not found.isdisjoint(words("levels")) and found <= words("levels") | words("level-fillers")
    )


def plain_level(text: str) -> str:
    """`native` for a native language, CEFR levels in capitals; other words are kept."""
    if pattern("native").fullmatch(plain_letters(text).strip(" .")):
        return "native"
    return text.upper() if CEFR.fullmatch(text) else text


def plain_score(text: str) -> str:
    """A score with decimal points and its scale: `8,5/10` -> `8.5/10`, `85 %` -> `85/100`."""
    found = PERCENT.fullmatch(text)
    score = f"{found[1]}/100" if found else text
    return score.replace(",", ".") if SCORE.fullmatch(score) else text
