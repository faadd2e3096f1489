"""Writes accepted proposals by the merge of `kg import`, and shows them as a patch with reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.errors import Place
from kg.facts.files import read_files
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

    def note(self, proposal: Proposal, path: str, first: int, last: int) -> None:
        """Records that a proposal is in these lines."""
        self.proposals.append(proposal)
        self.reasons.setdefault(path, []).append((first, last, proposal.reason))

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
        draft, person.basics, person.slug, site, today, lambda merge_of: edit(merge_of, lines)
    )
    found.texts = change.texts
    found.messages += [f"{place}: {message}" for place, message in change.differences]
    found.messages += [f"{value}: {why}" for value, why, _ in change.left]
    by_label = {each.key: each for each in lines}
    added = {folded(each.title): each for each in works}
    for path, text in change.texts.items():
        edits = change.lines.get(path, [])
        for label, first, last in edits:
            if label in by_label:
                found.note(by_label[label], path, first, last)
        new = {line for _, first, last in edits for line in range(first, last + 1)}
        for line, title in titles_by_line(text, site) if added else ():
            if title in added and (line in new or not edits):
                found.note(added[title], path, line, line)
    done = {each.key for each in found.proposals}
    missing = [each for each in (*works, *lines) if each.key not in done]
    found.messages += [f"{each.change}: not written." for each in missing]
    return found


def as_source(value: Any) -> Any:
    """A copy in which all texts have a place, as those of an imported file."""
    return with_leaves(
        value,
        lambda leaf: leaf if isinstance(leaf, Value) else Value.of(str(leaf), Place("kg sync"), ""),
    )


def titles_by_line(text: str, site: Path) -> Iterator[tuple[int, str]]:
    """The folded titles of the works in a CV, with the lines where they begin."""
    root, at, line = compose(text), 0, 1
    rows = read_files(site).registries[PUBLICATIONS]
    for item in root.fields[PUBLICATIONS].items if PUBLICATIONS in root.fields else ():
        line, at = line + text.count("\n", at, item.start), item.start
        work = item.plain if item.is_mapping else rows.get(str(item.plain), {})
        yield line, folded(str(work.get("title", "")))


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
