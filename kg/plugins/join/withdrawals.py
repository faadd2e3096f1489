"""Addresses of entries that no joined site has any more: 410 if they are gone, a redirect if they
are now the same as another entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from kg.check.addresses import LASTING
from kg.facts.yaml.rows import flow
from kg.files.atomic import replace_files
from kg.plugins.join.members import with_items
from kg.plugins.join.union import Class, Union
from kg.settings import SITE_FILE, Site

KEY, MARK = "withdrawn", "  # by kg join"
ITEM = re.compile(rf"\s*- \{{address: ([^,}}]+),.*{MARK}")


def gone(union: Union, paths: Mapping[str, str]) -> dict[str, str]:
    """The paths that had an entry in an earlier run and have none now, with the address that the
    entry had on its site.
    """
    living = {each.path for each in union.classes.values()}
    moved = {path for path, _ in moves(union, paths)}
    return {
        path: document
        for document, path in sorted(paths.items(), reverse=True)
        if path not in living and path not in moved and path.startswith(LASTING)
    }


def moves(union: Union, paths: Mapping[str, str]) -> Iterator[tuple[str, Class]]:
    """The earlier paths of entries that have another one now."""
    living = {each.path for each in union.classes.values()}
    for document, each in sorted(union.classes.items()):
        path = paths.get(document, each.path)
        if path not in living:
            yield path, each


def write(site: Site, lost: Mapping[str, str], today: str) -> list[str]:
    """Lists lost addresses as `withdrawn` in `data/site.yaml`, and removes those that are back.
    Returns the new ones.
    """
    path = site.folder / SITE_FILE
    before = path.read_text(encoding="utf-8")
    known = {each.address for each in site.withdrawn}
    lines = []
    for line in before.split("\n"):
        found = ITEM.fullmatch(line)
        if found and found[1] not in lost:
            known.discard(found[1])
            continue
        lines.append(line)
        if found:
            known.add(found[1])
    text = without_empty("\n".join(lines))
    new = sorted(lost.keys() - known)
    if new:
        text = with_items(text, KEY, (item(each, lost[each], today) for each in new))
    if text != before:
        replace_files(Path(site.folder), {str(SITE_FILE): text})
    return new


def item(address: str, origin: str, today: str) -> str:
    reason = f"No longer at {origin}"
    return f"{flow({'address': address, 'reason': reason, 'date': today})}{MARK}"


def without_empty(text: str) -> str:
    """The text without the key of a list that has no items left."""
    return re.sub(rf"^{KEY}:[ \t]*\n(?=\S|\Z)(?!- )", "", text, flags=re.MULTILINE)
