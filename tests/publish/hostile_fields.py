"""Harmful values in every field of every kind of entry: written into one site, each in an entry of
its own and on a line of its own, so that a problem tells whose it is.

The walk over the fields is that of tests/graph/test_fields.py and of the tables of bibliographies,
so that a new field is among them.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from kg.check.check import check
from kg.errors import Problem
from kg.facts.bibliography.correspondence import correspondence
from kg.facts.load import Facts, load
from kg.facts.models import REGISTRIES, SECTIONS
from kg.graph.parallel.run import Run
from kg.publish.site import Documents
from tests.graph.test_fields import FIELDS, KEYED, SITE, SPOKEN_OF, WORLD, Written
from tests.publish.hostile_values import FITTING, MARK, kinds_in

WORKS = ("publications", "patents")  # which the CV of their author lists
AUTHOR = "Ada Berg"
TODAY = "2026-11-15"
OF_SITE = "site"
BASE = (OF_SITE, "base")  # is in all addresses, which are then all suspicious; and no author's
SURROGATES = re.compile(r"\\u(d[89ab]..)\\u(d[c-f]..)")
# Files of works that the CV lists: how one field of one of them is written.
BIBLIOGRAPHIES = {"papers.bib": "biblatex", "papers.json": "csl"}
PEOPLE = ("author", "editor", "translator", "editora", "bookauthor")


class Trial(NamedTuple):
    """A value in a field; `harm` says what it would do."""

    place: str
    field: str
    harm: str
    value: str


def first_of_each() -> dict[tuple[str, str], Written]:
    """Each field of each place once."""
    found: dict[tuple[str, str], Written] = {}
    for each in FIELDS:
        if each.values:
            found.setdefault((each.place, each.field), each)
    return found


WALK = first_of_each()
# All fields of all places; those of a bibliography are where its file is.
PLACES = [
    *WALK,
    *(
        (file, field)
        for file, table in BIBLIOGRAPHIES.items()
        for field in correspondence(table).fields
    ),
]


def usual_entry(trial: Trial, number: int) -> dict[str, Any]:
    """An entry that has the field of a trial. What has to be different in each of them is so."""
    text = json.dumps(WALK[trial.place, trial.field].values[-1][0])
    for page in ("//github.com/ada", "//ada", "people/gone", "people/zyx-gone", "//ex"):
        text = text.replace(page, f"{page}{number}")
    entry: dict[str, Any] = json.loads(text.replace('"people/ada"', '"people/author"'))
    if trial.place == "basics":
        entry["name"] += f" {number}"
    return entry


def entry_with(trial: Trial, number: int) -> dict[str, Any]:
    """The entry of a trial. No two values are alike, for many are names of things."""
    entry = usual_entry(trial, number)
    inside: Any = entry
    *path, key = trial.field.split(".")
    for step in path:
        inside = inside[step]
        inside = inside[KEYED[step]] if step in KEYED else inside
        inside = inside[0] if isinstance(inside, list) else inside
    old, new = inside.get(key), numbered(trial.value, number)
    if key == "disputed":
        inside[key] = {"note": [{"value": new}]}
    elif isinstance(old, dict):
        inside[key] = {next(iter(old)): new}
    else:
        inside[key] = [new] if isinstance(old, list) else new
    if trial.place in WORKS and AUTHOR not in entry["authors"]:
        entry["authors"].append(AUTHOR)
    return entry


def numbered(value: str, number: int) -> str:
    return value.replace(MARK, f"{MARK}{number}", 1)


def as_yaml(value: Any) -> str:
    """On one line. YAML escapes a character as a whole, where JSON has two for some."""
    return SURROGATES.sub(lambda pair: f"\\U{of_pair(pair[0]):08x}", json.dumps(value))


def of_pair(escapes: str) -> int:
    return ord(json.loads(f'"{escapes}"'))


def bib_line(field: str, value: str, number: int) -> str:
    """A work in a .bib file."""
    plain = re.sub(r"[{}\\]", r"\\\g<0>", re.sub(r"[\r\n]+", " ", value))
    people = f"{AUTHOR} and {plain}" if field in PEOPLE else plain
    usual = {"author": AUTHOR, "title": f"Bib {number}", "year": "2020"} | {field: people}
    fields = ", ".join(f"{name} = {{{text}}}" for name, text in usual.items())
    return f"@article{{bib{number}, {fields}}}"


def csl_line(field: str, value: str, number: int) -> str:
    """An item of CSL-JSON."""
    author = {"family": "Berg", "given": "Ada"}
    written: Any = value
    if field in PEOPLE:
        written = [author, {"literal": value}]
    elif field == "issued":
        written = {"raw": value}
    item = {"id": f"csl{number}", "type": "article-journal", "title": f"Item {number}"}
    return as_yaml({**item, "author": [author], field: written})


class Sheet:
    """The files of a site that holds trials."""

    def __init__(self, trials: Iterable[Trial]) -> None:
        self.site: dict[str, Any] = dict(SITE)
        self.registries = deepcopy(WORLD)
        del self.registries["people"]["owner"]
        self.cvs: dict[str, dict[str, Any]] = defaultdict(dict)
        self.cvs["owner"] = {"basics": {"name": "Owner"}}
        self.cvs["author"] = {"basics": {"name": AUTHOR}}
        self.bibliographies: dict[str, list[tuple[str, Trial]]] = defaultdict(list)
        self.owners: dict[tuple[str, str, int], Trial] = {}  # of entries, by file, key and place
        self.taken: Counter[str] = Counter()
        for number, trial in enumerate(trials):
            self.add(trial, number)

    def add(self, trial: Trial, number: int) -> None:
        place = trial.place
        turn = self.taken[place]
        self.taken[place] += 1
        name = f"{'c' if place == 'cv' else 'p'}{turn}"
        if place in BIBLIOGRAPHIES:
            line = bib_line if place.endswith(".bib") else csl_line
            text = line(trial.field, numbered(trial.value, number), number)
            self.bibliographies[place].append((text, trial))
            return
        entry = entry_with(trial, number)
        if place == "site":
            self.add_to_site(trial, entry, number)
        elif place == "basics":
            self.cvs[name]["basics"] = entry
            self.owners[f"cv/{name}", "basics", 0] = trial
        elif place == "cv":
            for key, value in entry.items():
                self.cvs[name][key] = value
                self.owners[f"cv/{name}", key, 0] = trial
        elif place in SECTIONS:
            self.put(name, place, entry, trial)
        else:
            registry, key = REGISTRIES[place.rstrip("/")], f"t{turn}"
            self.registries[registry.file][key] = entry
            self.owners[registry.file, key, 0] = trial
            self.speak_of(name, place, key, trial)

    def add_to_site(self, trial: Trial, entry: dict[str, Any], number: int) -> None:
        key = trial.field.partition(".")[0]
        value, before = entry[key], self.site.get(key)
        if isinstance(value, list):
            self.owners["site", key, len(before or ())] = trial
            self.site[key] = [*(before or ()), *value]
            return
        self.owners["site", key, 0] = trial
        if isinstance(value, dict):
            keyed = {f"{each}{number}" if key in KEYED else each: value[each] for each in value}
            self.site[key] = (before or {}) | keyed
        else:
            self.site[key] = value

    def speak_of(self, name: str, place: str, key: str, trial: Trial) -> None:
        """Has a CV name an entry of a registry, so that it has a page."""
        if place in WORKS:
            self.put("author", place, key, trial)
        elif place == "press/":
            self.put(name, "press", {"item": key}, trial)
        text = json.dumps(SPOKEN_OF.get(place, {})).replace('"same"', json.dumps(key))
        for section, value in json.loads(text).items():
            if section == "basics":
                job = {"organization": "usual", "position": key, "location": key}
                self.put(name, "work", job, trial)
            else:
                for each in value:
                    self.put(name, section, each, trial)

    def put(self, name: str, section: str, entry: Any, trial: Trial) -> None:
        entries = self.cvs[name].setdefault(section, [])
        self.owners[f"cv/{name}", section, len(entries)] = trial
        entries.append(entry)

    def content(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The files in YAML."""
        yield "site", self.site
        owners = [f"{AUTHOR} {name}" for name in self.cvs if name.startswith("c")]
        for kind in WORKS:  # so that those may list them
            for key in WORLD[kind]:
                self.registries[kind][key]["authors"] = [AUTHOR, *owners]
        yield from self.registries.items()
        for file in self.bibliographies:
            self.cvs["author"].setdefault("publications", []).append(file)
        for name, cv in self.cvs.items():
            cv.setdefault("basics", {"name": f"{AUTHOR} {name}"})
            if not cv.keys() & SECTIONS.keys():
                cv["talks"] = [{"title": "Talk"}]
            yield f"cv/{name}", cv

    def write(self, folder: Path) -> dict[tuple[str, int], Trial]:
        """Writes the site; returns whose each line is."""
        lines: dict[tuple[str, int], Trial] = {}
        (folder / "data" / "cv").mkdir(parents=True)
        for name, value in self.content():
            written = ["{"]
            for key, each in value.items():
                is_list = isinstance(each, list)
                written.append(f"{json.dumps(key)}:{' [' if is_list else ''}")
                for number, item in enumerate(each if is_list else [each]):
                    if owner := self.owners.get((name, key, number)):
                        lines[f"data/{name}.yaml", len(written) + 1] = owner
                    written.append(f" {as_yaml(item)},")
                if is_list:
                    written.append("],")
            path = folder / "data" / f"{name}.yaml"
            path.write_text("\n".join([*written, "}"]), encoding="utf-8")
        for file, works in self.bibliographies.items():
            texts = [text for text, _ in works]
            content = "\n".join(texts) if file.endswith(".bib") else "[" + ",\n".join(texts) + "]"
            (folder / "data" / "cv" / file).write_text(content, encoding="utf-8")
            lines |= {(f"data/cv/{file}", at): trial for at, (_, trial) in enumerate(works, 1)}
        return lines


def whose(
    problems: Iterable[Problem], lines: dict[tuple[str, int], Trial]
) -> dict[Trial | None, list[Problem]]:
    """Errors by the trial on whose line they are; those of none are nobody's."""
    found: dict[Trial | None, list[Problem]] = defaultdict(list)
    for each in problems:
        if each.severity == "error":
            found[lines.get((each.place.file, each.place.line))].append(each)
    return found


def refused(trials: Iterable[Trial]) -> dict[Trial | None, list[Problem]]:
    """The trials that are not taken as facts, each with what is said of it."""
    with tempfile.TemporaryDirectory() as temporary:
        lines = Sheet(trials).write(Path(temporary))
        return whose(load(Path(temporary)).problems, lines)


class Published(NamedTuple):
    """A site of values that were taken."""

    folder: Path
    trials: list[Trial]
    facts: Facts
    documents: Documents


def taken(trials: Iterable[Trial]) -> list[Trial]:
    """Those that are no errors; a fault in the file of the site hides others there."""
    left = [*trials]
    for group in (lambda trial: trial.place == OF_SITE, lambda trial: trial.place != OF_SITE):
        while wrong := refused(each for each in left if group(each)):
            assert None not in wrong, wrong[None][:3]
            left = [each for each in left if each not in wrong]
    return left


def publish(trials: list[Trial], folder: Path) -> Published:
    """The site of these, without those that the shapes refuse."""
    for name in ("first", "second"):
        lines = Sheet(trials).write(folder / name)
        checked = check(folder / name, Run(TODAY))
        wrong = whose(checked.problems, lines)
        assert None not in wrong, wrong[None][:3]
        if not wrong:
            assert checked.graph is not None
            documents = Documents(checked.graph)
            return Published(folder / name, trials, load(folder / name), documents)
        trials = [each for each in trials if each not in wrong]
    raise AssertionError([str(each) for found in wrong.values() for each in found][:3])


def some_places() -> list[tuple[str, str]]:
    """A field of each kind, a text of each place, and some of each bibliography."""
    found: dict[object, tuple[str, str]] = {}
    for key, written in WALK.items():
        kinds = frozenset(kinds_in(written.info.annotation, written.info.metadata))
        found.setdefault(kinds, key)
        if kinds & {"Text", "check_prose"} and key[1] not in ("note", "accept"):
            found.setdefault(key[0], key)
    texts = ("title", "author", "note", "url", "journal", "container-title", "keywords", "DOI")
    return [
        *found.values(),
        *(each for each in PLACES if each[0] in BIBLIOGRAPHIES and each[1] in texts),
    ]


def publish_some(folder: Path) -> Published:
    """The quick form: of some fields the first value that fits."""
    left = [each for each in some_places() if each != BASE]
    found: list[Trial] = []
    for value in FITTING:
        found += taken(Trial(*key, "fitting", value) for key in left)
        left = [key for key in left if key not in {(each.place, each.field) for each in found}]
    return publish(found, folder)
