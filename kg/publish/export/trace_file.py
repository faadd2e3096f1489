"""What a build leaves for the next, beside the verdict of the check: a line for each document, as
`made` says.

.kg-cache/site-….made      the build that was last finished, by the folder it was written into
.kg-cache/site-….making    one that is being written, or was stopped

It may be deleted at any time. A damaged one, or one that another version of the program left, is as
good as none.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import IO

from kg.publish.about.amounts import Amounts
from kg.publish.export.folder import beforehand
from kg.publish.export.spare import Spare
from kg.publish.export.standing import Standing
from kg.publish.export.trace import Made, name_of, read
from kg.publish.export.tracing_store import Asking
from kg.publish.formats.media import HTML
from kg.publish.queries import editor
from kg.publish.site import Documents
from kg.settings import Site, shipped

OWN = ("templates", "static", "queries", "shapes")


@dataclass
class Earlier:
    """A build before this one: with what in common, of which graph, with which secrets and files,
    what was made, and whether all was proved.
    """

    common: str = ""
    graph: str = ""
    secrets: frozenset[str] = frozenset()
    listing: str = ""
    made: dict[str, Made] = field(default_factory=dict)
    is_whole: bool = False


class Keeper:
    """What one process keeps from build to build: where, what queries look at, the build that it
    finished last, and what it counted.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last: Earlier | None = None
        self.spare: Spare | None = None
        self.standing: Standing | None = None
        self.amounts: Amounts | None = None  # in its graph, or in one before

    @contextmanager
    def again_and_again(self) -> Iterator[None]:
        """While this is so, a folder that was replaced is kept for the next build, and what was
        asked about the whole site.
        """
        self.spare, self.standing = Spare(), Standing()
        try:
            yield
        finally:
            self.spare.clear()
            self.spare = self.standing = None

    def prepare(self, documents: Documents, target: Path) -> None:
        """Does now, while nobody waits, what the next build would have to do first."""
        if self.standing and self.last and not self.standing.is_prepared:
            asked = frozenset[Asking]().union(
                *(
                    made.patterns
                    for made in self.last.made.values()
                    if made.asked_about or made.mentioned
                )
            )
            self.standing.prepare(documents.store, asked)
            for address in {
                address.partition("/")[0]: address for address in sorted(documents.addresses)
            }.values():
                documents.write(address, HTML)  # one of each kind, so that its template is read
        if self.spare:
            beforehand(target, self.spare)


class Kept:
    """The notes on one folder."""

    def __init__(self, keeper: Keeper | None, target: Path, documents: Documents) -> None:
        self.site, self.keeper = documents.graph.site, keeper
        self.common, self.listing = common(documents), listing(documents)
        folder = keeper.folder if keeper else None
        name = hashlib.blake2b(str(target.resolve()).encode(), digest_size=6).hexdigest()
        self.path = folder / f"site-{name}.made" if folder else None
        self.out: IO[str] | None = None
        self.now = Earlier(self.common)

    def finished(self) -> Earlier | None:
        last = self.keeper.last if self.keeper else None
        if last and last.common == self.common:
            return last
        return self.load(self.path) if self.path else None

    def stopped(self) -> Earlier | None:
        return self.load(self.path.with_suffix(".making")) if self.path else None

    def load(self, path: Path) -> Earlier | None:
        """None where there is nothing that can be used here."""
        try:
            with path.open(encoding="utf-8") as lines:
                head = json.loads(next(lines))
                if head["common"] != self.common:
                    return None
                found = Earlier(
                    head["common"],
                    head["graph"],
                    frozenset(head["secrets"]),
                    head["listing"],
                    is_whole=head["whole"],
                )
                queries = texts(self.site)
                for line in lines:
                    with suppress(
                        ValueError, KeyError, TypeError
                    ):  # the last may be half of one; others may hang on another query
                        made = read(line, queries)
                        found.made[made.address] = made
                return found
        except (OSError, ValueError, KeyError, StopIteration):
            return None

    def begin(self, graph: str, secrets: frozenset[str], is_whole: bool) -> None:
        self.now = Earlier(self.common, graph, secrets, self.listing, is_whole=is_whole)
        if self.path:
            with suppress(OSError):  # where nothing can be written the next build is only slower
                self.path.parent.mkdir(exist_ok=True)
                (self.path.parent / ".gitignore").write_text("*\n")
                self.out = self.path.with_suffix(".making").open("w", encoding="utf-8")
                head = {
                    "common": self.common,
                    "graph": graph,
                    "secrets": sorted(secrets),
                    "listing": self.listing,
                    "whole": is_whole,
                }
                self.write(json.dumps(head))

    def note(self, made: Made) -> None:
        self.now.made[made.address] = made
        if self.out:
            self.write(made.line)

    def write(self, line: str) -> None:
        try:
            if self.out:
                self.out.write(line + "\n")
        except OSError:
            self.close()

    def close(self) -> None:
        """What was noted stays; the build is not finished."""
        if self.out:
            with suppress(OSError):
                self.out.close()
            self.out = None

    def finish(self) -> None:
        if self.out and self.path:
            self.close()
            with suppress(OSError):
                self.path.with_suffix(".making").replace(self.path)
        if self.keeper:
            self.keeper.last = self.now


def common(documents: Documents) -> str:
    """A digest of all that every file may hang on besides what it asks the graph: the program, the
    site, its own files, the forms.
    """
    site = documents.graph.site
    said = [repr([getattr(site, name) for name in Site.__slots__ if name != "folder"])]
    said += [repr(dict(documents.suffixes)), repr(documents.pages.menu)]
    said += [
        f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}"
        for path in editor.files().values()
    ]
    own = (
        path for name in OWN for path in sorted((site.folder / name).rglob("*")) if path.is_file()
    )
    content = hashlib.blake2b("\n".join([program(), *said]).encode(), digest_size=16)
    for path in own:
        body = path.read_bytes()
        content.update(f"\n{path.relative_to(site.folder)} {len(body)}\n".encode() + body)
    return content.hexdigest()


def listing(documents: Documents) -> str:
    """A digest of which files there are, and where those went that were there."""
    content = hashlib.blake2b(
        "\n".join(f"{path} {made_from}" for path, made_from in documents.files.items()).encode(),
        digest_size=16,
    )
    content.update(repr(documents.former).encode())
    return content.hexdigest()


@lru_cache(maxsize=1)
def program() -> str:
    top = Path(__file__).parents[2]
    files = [path for path in sorted(top.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    files += [
        path
        for name in ("queries", "shapes")
        for path in sorted(shipped(name).rglob("*"))
        if path.is_file()
    ]
    content = hashlib.blake2b(digest_size=16)
    for path in files:
        content.update(path.name.encode() + b"\n" + path.read_bytes())
    return " ".join(
        [
            content.hexdigest(),
            sys.version,
            *(version(name) for name in ("pyoxigraph", "jinja2", "markupsafe", "rdflib")),
        ]
    )


def texts(site: Site) -> dict[str, str]:
    """The queries that pages may ask, by their names."""
    found = {"": ""}
    for folder in (shipped("queries"), site.folder / "queries"):
        for path in folder.rglob("*.rq"):
            text = path.read_text(encoding="utf-8", errors="replace")
            found |= {name_of(text): text, name_of(text.strip()): text.strip()}
    return found
