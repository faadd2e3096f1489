"""One run of `kg join`: fetches the sites that have changed, checks their facts, and writes them as
Turtle into `data/`, one file for each site.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

from pyoxigraph import Literal, RdfFormat

from kg.check.check import check
from kg.errors import Problem, counted, errors_in
from kg.facts.load import load
from kg.facts.values.text import INVALID_IN_IRI
from kg.files.atomic import lock_site, replace_files
from kg.graph.build import build, unused_entries
from kg.graph.parallel.run import Run
from kg.plugins.join import checking, facts, fetching, state, withdrawals
from kg.plugins.join.facts import LINE, LeftOut
from kg.plugins.join.fetching import Described, Fetched, NotJoined, Refused
from kg.plugins.join.identity import OWN, SAME, entries, identify
from kg.plugins.join.members import is_address, names_of, open_site
from kg.plugins.join.state import SiteState
from kg.plugins.join.union import Class, SiteFacts, Union, described, source, without_dangling
from kg.settings import Joined, Site, own_resources
from kg.vocab import rdf, schema, xsd

WORKERS = 8  # sites that are contacted at the same time
ROUNDS = 5
PREFIX = "joined-"  # of the files in data/
PLACE = re.compile(rf"data/{PREFIX}([\w-]+)\.ttl:(\d+)")
REPORT = f"{state.FOLDER}/report.md"
Progress = Callable[[int, int], None]


@dataclass
class Outcome:
    """What a run found at one site."""

    site: str
    status: str  # new, changed, unchanged, not read, withdrawn, removed
    message: str = ""
    requests: int = 0
    left_out: Sequence[str] = ()


@dataclass
class Report:
    """The result of a run."""

    outcomes: list[Outcome] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)
    not_joined: list[str] = field(default_factory=list)  # entries that share an identifier
    same_names: dict[str, list[Class]] = field(default_factory=dict)
    withdrawn: list[str] = field(default_factory=list)  # paths
    problems: list[Problem] = field(default_factory=list)
    counts: str = ""
    files: int = 0  # changed

    def of(self, status: str) -> list[Outcome]:
        return [each for each in self.outcomes if each.status == status]

    @property
    def requests(self) -> int:
        return sum(each.requests for each in self.outcomes)

    def lines(self) -> Iterator[str]:
        """The report as Markdown."""
        yield "# Joined sites\n"
        for each in self.outcomes:
            yield f"- {each.site}: {each.status}{f': {each.message}' if each.message else ''}"
            for line in each.left_out:
                yield f"  - left out: {line}"
        for title, found in (
            ("Contradictions", self.contradictions),
            ("Not joined, although they share an identifier", self.not_joined),
        ):
            if found:
                yield f"\n## {title}\n"
                yield from (f"- {each}" for each in found)
        if self.same_names:
            yield "\n## Same names, not joined\n"
            for name, some in self.same_names.items():
                yield f"- {name}: {', '.join(sorted(each.path for each in some))}"
            yield f"\nCopy the lines of those that are the same to `{state.SAME_FILE}`:\n"
            yield f"```turtle\n@prefix schema: <{schema}> ."
            for name, (first, *others) in self.same_names.items():
                objects = ", ".join(f"<{each.entries[0].document}#it>" for each in others)
                yield f"<{first.entries[0].document}#it> schema:sameAs {objects} .  # {name}"
            yield "```"


def join(
    folder: Path,
    run: Run,
    progress: Callable[[str], Progress],
    seconds: float = fetching.SECONDS,
) -> Report:
    """Joins the sites that `data/site.yaml` lists. `seconds` is the time limit for one site."""
    with lock_site(folder):
        work = Work(open_site(folder), run, seconds)
        work.visit(progress("sites"))
        work.unite()
        work.write()
        work.check()
        work.save()
        return work.report


class Work:
    """The steps of one run."""

    def __init__(self, site: Site, run: Run, seconds: float) -> None:
        self.site, self.run, self.seconds = site, run, seconds
        self.folder, self.report = site.folder, Report()
        self.state = state.load(site.folder)
        self.members = list({each.site: each for each in site.joined}.values())
        self.names = names_of(self.members)
        self.texts: dict[str, list[str]] = {}  # name -> lines
        self.key = self.shapes_key()
        self.paths = dict(self.state.paths)  # of earlier runs
        self.documents: dict[tuple[str, str], str] = {}  # name of a site, path -> document there
        self.own_cvs = set[tuple[str, str]]()  # of persons on their own site
        # name of a site -> beginnings of its lines that are not used
        self.excluded: defaultdict[str, set[str]] = defaultdict(set)

    def shapes_key(self) -> str:
        """A digest of everything that decides which facts are used."""
        own = [each.read_bytes() for each in own_resources(self.site, "shapes", "*.ttl")]
        known = [str(state.RULES), version("cv-kg"), repr(self.site.vocabularies)]
        return hashlib.sha256(b"\0".join([*own, *map(str.encode, known)])).hexdigest()[:16]

    # Fetching

    def visit(self, progress: Progress) -> None:
        """Fetches and checks all sites that have changed."""
        listed = {each.site for each in self.members}
        for address in [*self.state.sites]:
            if address not in listed:
                self.forget(address, "removed", "no longer listed in data/site.yaml")
        with ThreadPoolExecutor(WORKERS) as executor:
            for start in range(0, len(self.members), WORKERS):
                some = self.members[start : start + WORKERS]
                for number, (member, found) in enumerate(
                    zip(some, executor.map(self.fetched, some), strict=True), start + 1
                ):
                    self.take(member, found)
                    progress(number, len(self.members))

    def before(self, member: Joined) -> Described:
        """What is known of a site, if its facts need not be read again."""
        known = self.state.sites.get(member.site)
        is_current = known and known.checked == f"{self.key} {member.base}"
        is_used = known and is_current and self.has_facts(member)
        return known.described if known and is_used else Described()

    def has_facts(self, member: Joined) -> bool:
        known = self.state.sites.get(member.site, SiteState())
        return state.has_facts(self.folder, self.names[member.site], known.described.base)

    def fetched(self, member: Joined) -> Fetched | NotJoined | Refused:
        try:
            return fetching.fetch(member, self.before(member), self.folder, self.seconds)
        except (NotJoined, Refused) as error:
            return error

    def take(self, member: Joined, found: Fetched | NotJoined | Refused) -> None:
        """Keeps the result of a visit."""
        known = self.state.sites.get(member.site)
        requests = found.requests
        try:
            if isinstance(found, Exception):
                raise found
            if found.dump is None and known:
                known.described = found.described
                outcome = Outcome(member.site, "unchanged", "", requests, known.left_out)
            else:
                new = self.read(member, found)
                self.state.sites[member.site] = new
                status = "changed" if known else "new"
                outcome = Outcome(member.site, status, "", requests, new.left_out)
            self.report.outcomes.append(outcome)
        except Refused as error:
            self.forget(member.site, "withdrawn", str(error), requests)
        except NotJoined as error:
            message = str(error)
            if known:
                message += f"; its facts of {known.date} are still used"
            self.report.outcomes.append(Outcome(member.site, "not read", message, requests))

    def read(self, member: Joined, found: Fetched) -> SiteState:
        """Reads, checks and keeps the facts of a site. Raises NotJoined."""
        dump, left_out = found.dump or b"", LeftOut()
        base = found.described.base or facts.base_in(dump, found.syntax)
        if is_address(member.site) and not found.described.base:
            fetching.check_base(member, base, urljoin(member.site, "."))
        if not base.endswith("/") or INVALID_IN_IRI.search(base):
            raise NotJoined(f"has the base '{fetching.printable(base)}', which is not an address")
        for other, known in self.state.sites.items():
            if other != member.site and known.described.base == base:
                raise NotJoined(f"has the base {base}, as {other} has")
        if base == self.site.base:
            raise NotJoined(f"has the base of this site, {base}")
        lines = facts.read(dump, found.syntax, base, left_out)
        name = self.names[member.site]
        scratch = self.folder / state.FOLDER / f"{name}.check.ttl"
        lines = checking.usable(lines, self.site, base, scratch, self.run.today, left_out)
        state.write_facts(self.folder, name, base, lines)
        return SiteState(
            replace(found.described, base=base),
            self.run.today,
            f"sha256:{hashlib.sha256(dump).hexdigest()}",
            [*left_out.lines()],
            f"{self.key} {member.base}",
        )

    def forget(self, site: str, status: str, message: str, requests: int = 0) -> None:
        """Removes the facts of a site."""
        known = self.state.sites.pop(site, None)
        name = self.names.get(site)
        if known and name:
            (self.folder / state.facts_file(name)).unlink(missing_ok=True)
        self.report.outcomes.append(Outcome(site, status, message, requests))

    # Joining

    def unite(self) -> None:
        """Makes the lines of all sites below the base of this one."""
        base, found = self.site.base, []
        for member in self.members:
            known = self.state.sites.get(member.site)
            name = self.names[member.site]
            if known and self.has_facts(member):
                left_out = tuple(self.excluded[name])
                lines = state.read_facts(self.folder, name, known.described.base)
                lines = [line for line in lines if not line.startswith(left_out)]
                found.append(SiteFacts(member, name, known.described.base, lines))
        own = self.own_lines()
        sites = {OWN: entries(own, base, OWN)}
        sites |= {n: entries(each.lines, each.base, n) for n, each in enumerate(found)}
        identities = identify(sites, state.decided(self.folder, base))
        union = Union(base, found, identities, self.paths)
        texts = dict(zip((each.name for each in found), union.lines(own), strict=True))
        for each in found:
            texts[each.name] += self.about(each)
        for path, entry in withdrawals.moves(union, self.paths):
            first = next(one for one in entry.entries if one.site != OWN)
            line = f"<{base}{entry.path}#it> <{SAME}> <{base}{path}#it> .\n"
            texts[found[first.site].name].append(line)
        known_nodes = described([own, *texts.values()])
        for name, lines in texts.items():
            self.texts[name] = sorted(without_dangling(lines, base, known_nodes))
        lost = withdrawals.gone(union, self.paths)
        self.report.withdrawn = withdrawals.write(self.site, lost, self.run.today)
        self.state.paths = self.paths | union.paths
        for document, some in union.classes.items():
            for one in some.entries:
                if one.site != OWN and one.document == document:
                    place = found[one.site].name, some.path
                    self.documents[place] = document
                    if some.has_own_cv and one is some.entries[0]:
                        self.own_cvs.add(place)
        self.report.contradictions = sorted(set(union.contradictions))
        self.report.not_joined = identities.refused
        self.report.same_names = same_names(union)
        self.report.counts = counts_of(union)

    def own_lines(self) -> list[str]:
        """What this site says itself, including registry entries that it does not use yet."""
        found = load(self.folder)
        found.turtle = [each for each in found.turtle if not each.name.startswith(PREFIX)]
        graph = build(found, self.site)
        if unused := unused_entries(graph):
            graph = build(found, self.site, unused=unused)
        return facts.read(bytes(graph.nquads), RdfFormat.N_QUADS, self.site.base, LeftOut())

    def about(self, each: SiteFacts) -> Iterator[str]:
        """A site as a source: its name, address, licence, and which of its states was used."""
        known = self.state.sites[each.member.site]
        node = f"<{source(self.site.base, each.name)}#it>"
        title, license = known.described.title[:200] or each.base, known.described.license
        yield f"{node} <{rdf.type}> <{schema.CreativeWork}> .\n"
        yield f"{node} <{rdf.type}> <{schema.DigitalDocument}> .\n"
        yield f"{node} <{schema.name}> {Literal(title)} .\n"
        yield f"{node} <{schema.genre}> {Literal('joined site')} .\n"
        yield f"{node} <{schema.url}> <{each.base}> .\n"
        yield f"{node} <{schema.version}> {Literal(known.digest)} .\n"
        yield f'{node} <{schema.dateModified}> "{known.date}"^^<{xsd.date}> .\n'
        if is_address(license) and not INVALID_IN_IRI.search(license):
            yield f"{node} <{schema.license}> <{license}> .\n"

    # Writing

    def write(self) -> None:
        """Writes the files that have changed, and removes those of sites that are gone."""
        addresses = {self.names[each.site]: each.site for each in self.members}
        texts = {
            f"data/{PREFIX}{name}.ttl": "".join(
                [f"# Written by kg join from {addresses[name]}. Changes are overwritten.\n", *lines]
            )
            for name, lines in self.texts.items()
        }
        for path in sorted((self.folder / "data").glob(f"{PREFIX}*.ttl")):
            texts.setdefault(f"data/{path.name}", "")
        changed = {name: text for name, text in texts.items() if text != self.text_in(name)}
        replace_files(self.folder, changed)
        used = {Path(state.facts_file(name)).name for name in self.texts}
        for path in (self.folder / state.FOLDER).glob("*.nq"):
            if path.name not in used:
                path.unlink()
        self.report.files += len(changed)

    def text_in(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def check(self) -> None:
        """Checks the whole site. Entries of different sites that fail together are left out of the
        least trusted of these sites.
        """
        for _ in range(ROUNDS):
            self.report.problems = check(self.folder, self.run).problems
            number = sum(map(len, self.excluded.values()))
            for error in errors_in(self.report.problems):
                self.exclude(error)
            if sum(map(len, self.excluded.values())) == number:
                return
            self.unite()
            self.write()

    def exclude(self, error: Problem) -> None:
        """Leaves out what an error is about, or what it says it conflicts with."""
        places = PLACE.findall(f"{error.place.file}:{error.place.line} {error.message}")
        names = [*self.texts]
        found = []
        for name, number in places:
            lines = self.texts.get(name, [])
            match = LINE.fullmatch(lines[int(number) - 2]) if int(number) - 2 < len(lines) else None
            path = match[1].removeprefix(self.site.base).partition("#") if match else ("", "", "")
            if match and (name, path[0]) in self.documents:
                rank = (name, path[0]) not in self.own_cvs, names.index(name)
                found.append((rank, name, path, match[2]))
        if not found:
            return
        _, name, (path, mark, fragment), predicate = max(found)
        beginning = f"<{self.documents[name, path]}{mark}"
        if error.rule in checking.STATEMENT_RULES:
            beginning += f"{fragment}> <{predicate}> "
        if beginning not in self.excluded[name]:
            self.excluded[name].add(beginning)
            left_out = LeftOut()
            left_out.add(f"{error.message} [{error.rule}]", beginning[1:])
            outcome = next(
                each for each in self.report.outcomes if self.names.get(each.site) == name
            )
            outcome.left_out = [*outcome.left_out, *left_out.lines()]

    def save(self) -> None:
        self.state.save(self.folder)
        replace_files(self.folder, {REPORT: "\n".join([*self.report.lines(), ""])})


def same_names(union: Union) -> dict[str, list[Class]]:
    """Entries of different sites with the same name that are not joined."""
    found = defaultdict[tuple[str, str], list[Class]](list)
    for document, each in sorted(union.classes.items()):
        first = each.entries[0]
        if first.document == document and first.name and first.kind not in ("sources", "press"):
            found[first.kind, first.name].append(each)
    return {name: some for (_, name), some in sorted(found.items()) if len(some) > 1}


def counts_of(union: Union) -> str:
    """`12 people with a CV, 40 works, 9 of them of several sites`"""
    classes = [*{id(each): each for each in union.classes.values()}.values()]
    works = [each for each in classes if each.entries[0].kind == "publications"]
    people = [each for each in classes if each.has_own_cv]
    shared = [each for each in classes if len({one.site for one in each.entries}) > 1]
    found = [
        counted(len(people), "person with a CV", "people with a CV"),
        counted(len(works), "work"),
        f"{counted(len(shared), 'entry', 'entries')} of several sites",
    ]
    return ", ".join(found)
