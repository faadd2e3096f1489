"""What is killed: for each kind of command two states of what it works on, the command that leads
from one to the other, and what must be true after it was killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen

from bench.servers import empty_oxigraph
from kg.cli.new_site import new_site, write_new
from kg.files.atomic import DRAFT, SCRATCH
from tests.crashes.kills import LONGEST, End, Runner

TODAY = "2026-11-15"
NAMES = "Ada Berg", "Ada Lund"
RESUME = {
    "basics": {"name": "Ada Berg", "label": "Surveyor"},
    "work": [{"name": "Firm", "position": "Clerk", "startDate": "2001"}],
    "publications": [{"name": "On Sand", "publisher": "Sand Letters", "releaseDate": "2020"}],
}
NAMING = {
    name: f"""\
basics: {{name: {name.title()} Alm}}
work:
  - {{organization: {{name: Ice Works, kind: company}}, position: Clerk, dates: 2015/2016}}
  - organization:
      name: Sand Works
      kind: company
    position: Clerk
    dates: 2016/2017
"""
    for name in ("bea", "cid")
}
Outcome = Mapping[str, object]  # by the names of its parts, each of which is old or new


class Scene:
    """A site of one person, and a command on it. `whole`: its outcome is old or new as a whole.
    `by_change`: it may be killed before a change of a file; otherwise after some time alone.
    `read`: the files check well after a kill. `repeats`: the same command finishes what was begun.
    """

    whole, by_change, read, repeats = False, True, False, True

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        os.environ["KG_CACHE"] = str(folder / "cache")
        self.folder, self.runner, self.opened = folder, Runner(folder), opened
        self.site = folder / "site"
        write_new(self.site, new_site(NAMES[0]))
        self.words: list[str] = []
        self.prepare()

    def prepare(self) -> None:
        """Makes what the command needs besides."""

    def begin(self, state: int) -> None:
        """Puts things so that the command leads to this state."""

    def outcome(self) -> Outcome:
        """What the command changes."""
        return files(self.site / "data")

    def run(self, seconds: float = LONGEST, at_change: int = -1) -> End:
        """The command, killed after so many seconds, or before that change of a file."""
        begun = time.monotonic()
        return self.runner.ended(self.runner.start(self.words, at_change), begun, seconds)

    def check(self) -> End:
        """The next command that reads the files."""
        begun = time.monotonic()
        return self.runner.ended(self.runner.start(["check", str(self.site)]), begun)

    def is_sound(self, checked: End, is_part: bool) -> bool:
        """Whether the files check as they should after a kill, which left part of a change."""
        return checked.is_good

    def cv(self) -> Path:
        return next((self.site / "data" / "cv").glob("*.yaml"))

    def name(self, state: int) -> None:
        text = self.cv().read_text(encoding="utf-8")
        self.cv().write_text(re.sub("Ada [A-Z][a-z]+", NAMES[state], text), encoding="utf-8")

    def rests(self) -> list[Path]:
        """What nobody needs any more, and a command should not have left."""
        found = [
            path
            for path in self.folder.rglob("*")
            if is_rest(path) or path.name.startswith((SCRATCH, ".out.kg-", ".parts."))
        ]
        sockets = self.runner.temporary / f"kg-{os.getuid()}"  # a folder for those of servers
        others = (each for each in self.runner.temporary.iterdir() if each != sockets)
        return [*found, *others, *sockets.glob("*")]


class Rebuild(Scene):
    """A build over the one before, after an edit."""

    whole = True

    def prepare(self) -> None:
        out = str(self.folder / "out")
        self.words = ["build", str(self.site), "-o", out, "-j", "2", "--today", TODAY]

    def begin(self, state: int) -> None:
        self.name(state)

    def outcome(self) -> Outcome:
        return files(self.folder / "out")


class FirstBuild(Rebuild):
    """A build where there is none yet."""

    def begin(self, state: int) -> None:
        super().begin(state)
        for left in ("out", "cache"):
            shutil.rmtree(self.folder / left, ignore_errors=True)


class Import(Scene):
    """An import into a site as `kg new` writes it, whose files get another owner."""

    read = True

    def prepare(self) -> None:
        (self.folder / "resume.json").write_text(json.dumps(RESUME), encoding="utf-8")
        self.words = ["import", str(self.folder / "resume.json"), "--into", str(self.site)]

    def begin(self, state: int) -> None:
        shutil.rmtree(self.site)
        write_new(self.site, new_site())

    def outcome(self) -> Outcome:
        return files(self.site)


class FirstImport(Import):
    """An import where there is no site yet."""

    read = False

    def begin(self, state: int) -> None:
        shutil.rmtree(self.site)


class Add(Scene):
    """An entry for a CV."""

    whole = read = True

    def prepare(self) -> None:
        self.before = files(self.site / "data")

    def begin(self, state: int) -> None:
        shutil.rmtree(self.site / "data")
        for path, body in self.before.items():
            (self.site / "data" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.site / "data" / path).write_bytes(body)
        self.words = ["add", "award", str(self.site), f"title=Medal {state}", "date=2020"]


class Register(Add):
    """Things that two CVs name, with their fields, move into a registry: first the entry is there.
    What still has the fields, too, is reported with what to do.
    """

    whole = repeats = False

    def is_sound(self, checked: End, is_part: bool) -> bool:
        is_reported = "move these fields there" in checked.said
        return checked.is_clean and checked.is_good != is_part and is_reported == is_part

    def prepare(self) -> None:
        for name, text in NAMING.items():
            (self.site / "data/cv" / f"{name}.yaml").write_text(text, encoding="utf-8")
        super().prepare()

    def begin(self, state: int) -> None:
        super().begin(state)
        self.words = ["register", ("Ice Works", "orgs/sand-works")[state], str(self.site)]


class New(Scene):
    """A new site."""

    def begin(self, state: int) -> None:
        shutil.rmtree(self.site)
        self.words = ["new", str(self.site), "--example"]

    def outcome(self) -> Outcome:
        return files(self.site)


class Push(Scene):
    """A push to a real server; each document there is old or new."""

    def prepare(self) -> None:
        place = self.folder / "oxigraph"
        place.mkdir()
        program = Path(sys.executable).with_name("oxigraph")
        server = self.opened.enter_context(empty_oxigraph(program, place))
        self.root = f"http://127.0.0.1:{server.port}/"
        self.words = ["push", str(self.site), "--endpoint", self.root, "--profile", "oxigraph"]
        self.words += ["--today", TODAY]

    def begin(self, state: int) -> None:
        self.name(state)

    def outcome(self) -> Outcome:
        """The documents; the record of what was pushed is only right in the end."""
        request = Request(f"{self.root}store", headers={"Accept": "application/n-quads"})
        with urlopen(request) as answer:
            lines = answer.read().decode().splitlines()
        found: dict[str, set[str]] = {}
        for line in lines:
            graph = line.rsplit(" ", 2)[-2]
            if not graph.endswith("/pushed>"):
                found.setdefault(graph, set()).add(line)
        return found


class Shards(Scene):
    """Files for the loader of a server."""

    whole = True

    def prepare(self) -> None:
        self.words = ["push", str(self.site), "--shards", str(self.folder / "parts")]
        self.words += ["--today", TODAY]

    def begin(self, state: int) -> None:
        self.name(state)

    def outcome(self) -> Outcome:
        return files(self.folder / "parts")


KINDS: dict[str, type[Scene]] = {
    "rebuild": Rebuild,
    "first-build": FirstBuild,
    "import": Import,
    "first-import": FirstImport,
    "add": Add,
    "register": Register,
    "new": New,
    "push": Push,
    "shards": Shards,
}


def files(folder: Path) -> dict[str, bytes]:
    """All but what is no part of a result."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in shown(folder)}


def shown(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not is_rest(path):
            yield path


def is_rest(path: Path) -> bool:
    return bool(DRAFT.fullmatch(path.name))
