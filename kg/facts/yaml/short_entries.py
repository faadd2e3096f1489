"""Entries of a CV in their short forms -> entries with fields.

languages: [en]                                       ->  {language: en}
press: [ice-in-the-news]                              ->  {item: ice-in-the-news}
skills: [{name: Programming, keywords: [Python, C]}]  ->  {name: Python, group: Programming}, …
news: [2026-03: A paper is out.]                      ->  {date: 2026-03, text: A paper is out.}
"""

from __future__ import annotations

from kg.facts.yaml.rows import Row, Rows, Spot

# section -> the field that a text stands for
SHORT = {
    "languages": "language",
    "skills": "name",
    "interests": "name",
    "news": "text",
    "press": "item",
}
GROUPED = ("skills", "interests")
DATED = ("news",)
OF_A_TOPIC = ("alternateNames", "kind")  # which an entry may describe in place


def expand_entries(cv: Row) -> None:
    """Each knows by its path which item of the list it comes from."""
    for section, field in SHORT.items():
        entries = cv.get(section)
        if isinstance(entries, str) and entries.strip():
            entries = Rows.at(cv.values_at[section], [entries])
        if not isinstance(entries, Rows):
            continue
        found = Rows()
        for number, (item, spot) in enumerate(zip(entries, entries.spots, strict=True)):
            for each, at in expanded(item, spot, section, field, cv.file):
                if isinstance(each, Row):
                    each.path = f"{section}[{number}]"
                found.add(each, at)
        cv[section] = found


def expanded(
    item: object, spot: Spot, section: str, field: str, file: str
) -> list[tuple[object, Spot]]:
    """What one item of a section stands for. The name of a group of skills is none itself."""
    if isinstance(item, str) and item.strip():
        return [(Row(file, spot).fill(field, item), spot)]
    if isinstance(item, Row) and section in DATED:
        return [(by_date(item), spot)]
    if not isinstance(item, Row) or section not in GROUPED:
        return [(item, spot)]
    item = with_topic(item, field)
    keywords = item.get("keywords")
    if not isinstance(keywords, Rows):
        return [(item, spot)]
    found: list[tuple[object, Spot]] = []
    if section == "interests":
        found.append((item.without("keywords"), spot))
    for keyword, at in zip(keywords, keywords.spots, strict=True):
        entry = item.without("keywords", field)
        entry.spot = at
        entry.fill(field, keyword)
        if section == "skills" and field in item:
            entry.put("group", item[field], item.keys_at[field], item.values_at[field])
        found.append((entry, at))
    return found


def by_date(item: Row) -> Row:
    """The entry with fields, if it is a date and a text."""
    key = next(iter(item), "")
    if len(item) != 1 or not key[:1].isdecimal():
        return item
    at, entry = item.keys_at[key], Row(item.file, item.spot)
    entry.put("date", key, at, at)
    entry.put("text", item[key], at, item.values_at[key])
    return entry


def with_topic(item: Row, field: str) -> Row:
    """The entry, with what describes its topic as fields of that."""
    described = [key for key in OF_A_TOPIC if key in item]
    if not described or not isinstance(item.get(field), str):
        return item
    topic = Row(item.file, item.spot).copy_keys(item, [field, *described])
    return item.without(field, *described).fill(field, topic)
