"""Writes accepted proposals by the merge of `kg import`, and shows them as a patch with reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.errors import Place
from kg.plugins.exchange.draft import Draft, Value, with_leaves
from kg.plugins.exchange.edits.entry_matching import folded
from kg.plugins.exchange.edits.into_site import patch
from kg.plugins.exchange.edits.merge import AuthorEntry, Merge
from kg.plugins.exchange.edits.splice import compose
from kg.plugins.exchange.importing import prepare_change
from kg.plugins.sync.found_works import PUBLICATIONS
from kg.plugins.sync.own_works import OwnWork, node_at
from kg.plugins.sync.people import NotSynced, Person
from kg.plugins.sync.proposals import PAPER, WORK, Proposal
from kg.text.normalize import squeeze

HUNK = re.compile(r"(@@ -\S+ \+(\d+)(?:,(\d+))? @@)\n")
OTHER_LINES = "Names that the new works print."


@dataclass
class Written:
    """New texts of files by path, the proposals that they contain, and what was left out."""

    texts: dict[str, str] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    reasons: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)  # lines by path

    def patch(self, site: Path) -> str:
        """A unified diff for `git apply` or `patch -p1`. Each hunk begins with its reasons."""
        lines, path = list[str](), ""
        for line in patch(site, self.texts).splitlines(keepends=True):
            if line.startswith("+++ "):
                path = line[6:].strip()
            found = HUNK.fullmatch(line)
            lines.append(f"{found[1]} {self.reason(path, found)}\n" if found else line)
        return "".join(lines)

    def reason(self, path: str, hunk: re.Match[str]) -> str:
        first, count = int(hunk[2]), int(hunk[3] or 1)
        found = [
            why
            for start, end, why in self.reasons.get(path, ())
            if start < first + count and end >= first
        ]
        return squeeze(" ".join(dict.fromkeys(found))) or OTHER_LINES


def written(site: Path, person: Person, proposals: Sequence[Proposal], today: str) -> Written:
    """The texts of files with the proposals. Those that cannot be written are reported."""
    found = Written()
    if not proposals:
        return found
    works = [each for each in proposals if each.field == WORK]
    lines = [each for each in proposals if each.field != WORK and each.can_be_written]
    for each in proposals:
        if not each.can_be_written:
            found.messages.append(f"{each.place}: {each.change}: write this line yourself.")
    draft = Draft()
    for each in works:
        draft.put(PUBLICATIONS, as_source(each.value))
    _, change = prepare_change(
        draft, person.basics, person.slug, site, "", today, lambda merge_of: edit(merge_of, lines)
    )
    found.texts = change.texts
    found.messages += [f"{place}: {message}" for place, message in change.differences]
    by_label = {each.key: each for each in lines}
    added = {folded(each.title): each for each in works}
    for path, text in change.texts.items():
        titles = titles_by_line(text) if added else {}
        for label, first, last in change.lines.get(path, ()):
            known = by_label.get(label) or added.get(titles.get(first, ""))
            if known and known not in found.proposals:
                found.proposals.append(known)
            if known:
                found.reasons.setdefault(path, []).append((first, last, known.reason))
    for each in works:
        if each not in found.proposals and is_referred(each, change.texts):
            found.proposals.append(each)
    missing = [each for each in (*works, *lines) if each not in found.proposals]
    found.messages += [f"{each.change}: not written." for each in missing]
    return found


def as_source(value: Any) -> Any:
    """A copy in which all texts have a place, as those of an imported file."""
    return with_leaves(
        value,
        lambda leaf: leaf if isinstance(leaf, Value) else Value.of(str(leaf), Place("kg sync"), ""),
    )


def is_referred(proposal: Proposal, texts: Mapping[str, str]) -> bool:
    """Whether a new work is in the texts, as in a file that was made for it."""
    return any(folded(proposal.title) in titles_by_line(text).values() for text in texts.values())


def titles_by_line(text: str) -> dict[int, str]:
    """The folded titles of the works in a file, by the line where they begin."""
    root, found = compose(text), dict[int, str]()
    if PUBLICATIONS in root.fields:
        for item in root.fields[PUBLICATIONS].items:
            if "title" in item.fields:
                line = text.count("\n", 0, item.start) + 1
                found[line] = folded(str(item.fields["title"].plain))
    return found


def edit(merge_of: Callable[[str], Merge], proposals: Sequence[Proposal]) -> None:
    """Adds and changes fields of works. Raises NotSynced if a file was edited meanwhile."""
    for each in proposals:
        if each.own is None:
            continue
        merge = merge_of(each.own.file)
        node = node_at(merge.edits.root, each.own.row.path)
        if merge.edits.text != each.own.text or node is None:
            raise NotSynced(f"{each.own.file} was edited meanwhile. Run kg sync again.")
        spot = AuthorEntry(node.plain, node)
        if each.field == PAPER:
            join(merge, each, spot)
        elif name := holder_of(each.field, each.own):
            merge.edit(each.key, merge.edits.replace, node.fields[name], each.value)
        else:
            merge.edit(each.key, merge.edits.put, node, each.field, each.value)


def holder_of(name: str, own: OwnWork) -> str:
    """The field that has the author's value: `year` may be in `date`."""
    names = ("date", "year") if name == "year" else (name,)
    return next((each for each in names if each in own.fields), "")


def join(merge: Merge, proposal: Proposal, spot: AuthorEntry) -> None:
    """Turns a preprint into the paper that it became, as the import of that paper does."""
    before = len(merge.edits.splices)
    merge.join_work(proposal.key, spot, as_source(proposal.value))
    merge.edits.splices[before:] = [
        each._replace(label=proposal.key) for each in merge.edits.splices[before:]
    ]
