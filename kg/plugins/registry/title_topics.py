"""Topics that the titles of works name (`kg topics`).

A topic is named if the words of its name, or of an alternate name, are in the title in this order;
case and hyphens do not matter. An abbreviation must have its case: ANN is not Ann. A name of one
letter is never found, and neither is the end of a compound, such as ANN in HM-ANN.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kg.errors import Place
from kg.facts.load import Facts
from kg.facts.models.publications import Publication
from kg.facts.values.naming import names_of
from kg.facts.yaml.rows import Row
from kg.files.atomic import lock_site, replace_files

NOT_WORDS = re.compile(r"[\s-]+")


class Naming(NamedTuple):
    """A work whose title names a topic that is not among its keywords."""

    place: Place
    work: str
    topic: str
    name: str
    row: Row


def pattern(name: str) -> re.Pattern[str] | None:
    words = [re.escape(word) for word in NOT_WORDS.split(name) if word]
    if len(name) < 2 or not words:
        return None
    is_short = len(words) == 1 and sum(letter.isupper() for letter in name) > 1
    text = r"(?<![\w-])" + r"[\s-]+".join(words) + r"(?![\w+#])"
    return re.compile(text, re.NOFLAG if is_short else re.IGNORECASE)


def namings(facts: Facts) -> Iterator[Naming]:
    """What titles name, in the order of the files."""
    known = [
        (each.slug, name, found)
        for each in facts.loaded
        if each.kind == "topics" and each.is_main
        for name in names_of(each.row)
        if (found := pattern(name))
    ]
    for each, work in facts.of(Publication):
        has = {keyword.topic.slug for keyword in work.keywords if keyword.topic}
        for slug, name, found in known:
            if slug not in has and found.search(str(work.title)):
                has.add(slug)
                yield Naming(each.row.at("title"), each.slug, slug, name, each.row)


def write(folder: Path, found: list[Naming]) -> list[Naming]:
    """Adds a line of keywords to each work that has none and a line for each field. Returns those
    that could not be written.
    """
    lines: dict[str, dict[int, str]] = defaultdict(dict)
    left = list[Naming]()
    for each in found:
        first = each.row.keys_at["title"]
        below = [spot for spot in each.row.keys_at.values() if spot[0] > first[0]]
        is_block = bool(below) and all(spot[1] == first[1] for spot in below)
        if "keywords" in each.row or not is_block or not each.row.file.endswith((".yaml", ".yml")):
            left.append(each)
            continue
        topics = [other.topic for other in found if other.row is each.row]
        text = f"{' ' * first[1]}keywords: [{', '.join(topics)}]\n"
        lines[each.row.file][min(below)[0]] = text
    with lock_site(folder):
        changed = {}
        for file, added in lines.items():
            old = (folder / file).read_text(encoding="utf-8").splitlines(keepends=True)
            for line, text in sorted(added.items(), reverse=True):
                old.insert(line, text)
            changed[file] = "".join(old)
        replace_files(folder, changed)
    return left
