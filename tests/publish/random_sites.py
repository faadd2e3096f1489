"""Random sites, made from the models: their fields decide what is written.

`python -m tests.publish.random_sites FIRST LAST` checks and builds those with these numbers, and
prints what goes wrong.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from kg.check.check import Checked, check
from kg.facts.load import load
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.activities import AwardAmount
from kg.facts.models.base import Short
from kg.facts.models.education import GradePointAverage
from kg.facts.models.grants import Amount, Share
from kg.facts.models.people import Cv, Owner
from kg.facts.models.signatures import PrintedName
from kg.facts.models.teaching import Attendance
from kg.facts.secrets import NEVER_PUBLISHED, PERSONAL
from kg.facts.values.dates import When
from kg.facts.values.references import Reference
from kg.facts.values.terms import Fact, Unmapped
from kg.facts.values.text import WebAddress
from kg.graph.parallel.run import Run
from kg.publish.export.export import export
from kg.publish.export.reuse import TraceCache
from kg.publish.site import Documents

TODAY = "2026-11-15"
SITE = {"base": "https://random.example.org/", "title": "Random"}
ROUNDS = 8  # in which lines with errors are removed
OFTEN, RARELY = 0.3, 0.06  # how often a field is written
FIELDS = 4  # of an entry that are written, about
PARTS = 5  # each section is in at least one of so many sites

# Few words, so that titles begin alike, and names and addresses collide.
WORDS = [
    *("Sand", "Sand", "Water", "Ice", "Gravel", "on the Move", "at Rest", "II", "Über Eis"),
    *("Песок", "砂", "الرمل", "<i>E. coli</i>", "C++ & C#", "“Quoted”", "a < b", "naïve", "🏔"),
]
# Others for what is private: a page may well have two public words side by side that are together
# in a private text, and words of HTML such as "hidden" are on every page.
PRIVATE_WORDS = ["Geheim", "Verborgen", "Тайна", "秘密", "a > z", "*Confidential*", "Entre nous"]
PEOPLE = ["Ada Berg", "Bo Ek", "Cy Dahl", "Zoë Żak", "Иван Петров", "山田 太郎", "O'Neil, Pat"]
NAMES: dict[str, list[str]] = {
    "people": PEOPLE,
    "orgs": ["University of Sand", "Société des Sables", "Sand & Co.", "Institut für Eis", "北大"],
    "venues": ["Conference on Sand", "Journal of Ice", "Workshop: Sand", "Песок и лёд"],
    "places": ["Tromsø, Norway", "Bern, Switzerland", "Springfield, Ohio, USA", "Atlantis"],
    "topics": ["Sand", "Ice cores", "C++", "Machine learning", "Физика"],
    "languages": ["en", "de", "Norwegian", "Japanese", "grc"],
    "publications": ["Handbook of Sand", "On Ice", "Das Buch vom Eis", "Sand at Rest"],
    "grants": ["Sand in Motion", "Ice for All"],
    "courses": ["Sand 101", "Introduction to Ice"],
    "projects": ["SandNet", "Ice Watch"],
    "software": ["sieve", "IceTool"],
    "tutorials": ["Sieving for Beginners"],
    "press": ["A Day with Sand"],
    "sources": ["Curriculum vitae of Ada Berg", "Personal page"],
    "patents": ["A sieve"],
}
DATES = ["2019", "2020", "2020-03", "2020-03-15", "summer 2021", "2021-12-31", "2022-09", "1998"]
# Values of fields that have a form of their own.
BY_NAME: dict[str, list[Any]] = {
    "doi": ["10.1234/sand", "10.1234/ice.2"],
    "arxiv": ["2201.05596", "2104.00001v2"],
    "isbn": ["978-3-16-148410-0"],
    "issn": ["2049-3630"],
    "orcid": ["0000-0002-1825-0097"],
    "pmid": ["12345678"],
    "pmcid": ["PMC1234567"],
    "license": ["CC-BY-4.0", "MIT"],
    "ror": ["https://ror.org/03yrm5c26"],
    "language": ["en", "de"],
    "pages": ["1-10", "e12", "v–xi"],
    "volume": ["3", "IV"],
    "issue": ["2"],
    "network": ["github", "mastodon", "linkedin"],
    "username": ["ada", "ada_berg"],
    "email": ["ada@example.org"],
    "phone": [{"value": "+47 12 34 56 78", "visibility": "private"}, "+47 99 88 77 66"],
    "studyType": ["PhD", "M.Sc.", "Diplom"],
    "country": ["NO", "DE"],
    "lang": ["de", "no"],
    **{
        name: [f"https://example.org/{name}", f"https://example.org/{name}/2"]
        for name in ("slides", "video", "poster", "pdf", "code", "data", "downloads")
    },
    "preprint": ["https://arxiv.org/abs/2201.05596", {"arxiv": "2104.00001"}],
}
PROSE = ("summary", "text", "details", "abstract", "highlights", "topic", "statement", "relation")
LEFT_OUT = {
    *("disputed", "accept", "was", "image", "layout", "identifiers", "latitude", "longitude"),
    *("codes", "editions", "formerNames", "visibility", "birthDate", "license_url"),
}
SHORT: dict[type, list[Any]] = {
    GradePointAverage: ["3.9/4.0", "1.3"],
    Share: ["5000 EUR"],
    AwardAmount: ["5000 EUR", "100000 NOK"],
    Amount: ["12000000 NOK"],
    Attendance: ["30", "100+"],
}


@dataclass
class RandomSite:
    """A site of some lines: each file begins with its head, and each line is an entry."""

    number: int
    heads: dict[str, str] = field(default_factory=dict)
    lines: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # section and entry
    keys: dict[str, list[str]] = field(default_factory=dict)  # of registries

    def __post_init__(self) -> None:
        self.dice = random.Random(self.number)
        self.is_private = False  # what is written now

    def chance(self, likelihood: float) -> bool:
        return self.dice.random() < likelihood

    def pick(self, values: list[Any]) -> Any:
        return self.dice.choice(values)

    def make(self) -> RandomSite:
        self.lines["people.yaml"] = [("", 'yamada: {"name": "山田 太郎"}')]
        for kind in REGISTRIES:
            if kind != "people":
                number = self.dice.choice((0, 1, 2, 3) if kind == "publications" else (0, 0, 1))
                self.keys[kind] = [f"{kind}-key-{place}" for place in range(number)]
        for kind, keys in self.keys.items():
            registry = REGISTRIES[kind]
            lines = [(key, self.entry(self.pick(registry.models), 1)) for key in keys]
            for _, entry in lines:
                entry.pop("id", None)
            self.lines[f"{registry.file}.yaml"] = [
                ("", f"{'en' if kind == 'languages' else key}: {flow(entry)}")
                for key, entry in lines
            ]
        for owner in self.dice.sample(PEOPLE[:4], self.pick([1, 1, 1, 2, 3])):
            self.cv(owner)
        return self

    def cv(self, owner: str) -> None:
        file = f"cv/{owner.split(maxsplit=1)[0].lower().replace('ë', 'e')}.yaml"
        basics = {**self.entry(Owner, 1), "name": owner}
        self.is_private = basics.get("visibility") == "private"
        head = {"basics": basics}
        if self.chance(OFTEN):
            listed = {*SECTIONS, "publications", "patents"}
            whole = self.entry(Cv, 1)
            head |= {name: value for name, value in whole.items() if name not in listed}
        closed = self.pick([*SECTIONS]) if self.chance(RARELY) else ""
        if closed:
            head["visibility"] = {closed: "private"}
        self.heads[file] = "".join(f"{name}: {flow(value)}\n" for name, value in head.items())
        lines = self.lines[file] = []
        some = self.dice.sample([*SECTIONS], self.dice.randint(2, 5))
        for section in dict.fromkeys([*some, *[*SECTIONS][self.number % PARTS :: PARTS]]):
            kinds = SECTIONS[section]
            models = [model for model in (kinds.model, kinds.other) if model]
            is_closed = section == closed or (section == "references" and self.chance(0.5))
            self.is_private |= is_closed
            for model in [*models, *self.dice.choices(models, k=self.pick([0, 1, 2]))]:
                entry = {**self.entry(model), **marks(model)}
                if section == "press" and self.chance(0.7):  # whose fields stand in the entry
                    entry = {**entry, **self.entry(kinds.model_of_thing, 1)}
                    del entry["item"]
                if model.key == "it":
                    entry.pop("id", None)
                if section == "references":  # which are private unless they say so
                    entry["visibility"] = "private" if is_closed else "public"
                lines.append((section, flow(entry)))
                if self.chance(RARELY):  # the same again, or nearly
                    lines.append((section, flow({**entry, "note": "again"})))
            self.is_private = basics.get("visibility") == "private"
        for place in range(self.pick([2, 3, 4])):
            registry = REGISTRIES["publications"]
            work = self.entry(registry.models[(self.number + place) % len(registry.models)])
            work.pop("id", None)
            work["authors"] = [owner, *self.dice.sample(PEOPLE, self.pick([0, 1, 2]))]
            work["authors"] = list(dict.fromkeys(work["authors"]))
            lines.append(("publications", flow(work)))
        lines.sort(key=lambda line: line[0])
        self.is_private = False

    def entry(self, model: type[BaseModel], depth: int = 0) -> dict[str, Any]:
        """Fields of a class: those that are required, and some others; some entries are private."""
        around = self.is_private
        is_private = "visibility" in model.model_fields and self.chance(RARELY)
        self.is_private = around or is_private
        found = self.fields(model, depth)
        self.is_private = around
        if is_private:
            found["visibility"] = "private"
        elif self.chance(RARELY) and "visibility" in model.model_fields:
            found["visibility"] = "public"
        return found

    def fields(self, model: type[BaseModel], depth: int) -> dict[str, Any]:
        filled = issubclass(model, Fact) and (*model.filled, *model.from_loader)
        found: dict[str, Any] = {}
        # With many fields at once, two of them contradict each other in nearly every entry.
        usual = min(OFTEN, FIELDS / len(model.model_fields)) / (depth + 1)
        for name, info in model.model_fields.items():
            likelihood = RARELY if name in ("id", "source", "note") else usual
            if name in LEFT_OUT or (filled and name in filled):
                continue
            if info.is_required() or self.chance(likelihood):
                around, self.is_private = (
                    self.is_private,
                    self.is_private or is_withheld(name, info),
                )
                value = self.value(name, info.annotation, depth)
                self.is_private = around
                if value not in (None, []):
                    found[info.alias or name] = value
        if found.get("endDate", "present") in DATES and "startDate" in found:
            found["startDate"], found["endDate"] = "2017", "2023-04"
        if "startDate" in found and "endDate" not in found and self.chance(OFTEN):
            found["endDate"] = self.pick(["present", "2023", "unknown"])
        has_date = any(each in found for each in ("startDate", "endDate", "year", "date"))
        if "dates" in getattr(model, "spread", ()) and not has_date and self.chance(OFTEN):
            found["dates"] = self.pick(["2018/2020", "2019", ["2019", "2021"], "2020-02/present"])
        return found

    def value(self, name: str, annotation: Any, depth: int) -> Any:
        if name in BY_NAME:
            found = self.pick(BY_NAME[name])
            return found.replace("//", "//private.") if self.is_private and "//" in found else found
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Literal:
            return self.pick([*arguments])
        if origin is list:
            number = self.pick([1, 1, 2, 3])
            items = [self.value(name, arguments[0], depth) for _ in range(number)]
            return list({flow(item): item for item in items if item is not None}.values())
        if origin is dict:
            return None
        if origin is not None or arguments:  # a union, or a type with marks
            known = [each for each in arguments if each is not type(None)]
            kinds = [each for each in known if isinstance(each, type) or get_origin(each)]
            return self.value(name, self.pick(kinds[:1] or known), depth)
        return self.plain(name, annotation, depth)

    def plain(self, name: str, kind: Any, depth: int) -> Any:  # noqa: PLR0911  one for each type
        if kind in SHORT:
            return self.pick(SHORT[kind])
        if not isinstance(kind, type):
            return None
        if issubclass(kind, Reference):
            return self.reference(kind, depth)
        if issubclass(kind, PrintedName):
            person = self.pick(PEOPLE)
            return (
                {"as": person, "equal": True}
                if name == "authors" and self.chance(RARELY)
                else person
            )
        if issubclass(kind, BaseModel):
            if depth > 1:
                return None
            short = kind.short if issubclass(kind, Short) else ""
            if short and self.chance(0.6):
                fields = {info.alias or each: info for each, info in kind.model_fields.items()}
                return self.value(short, fields[short].annotation, depth + 1)
            return self.entry(kind, depth + 1)
        if issubclass(kind, When):
            return self.pick(DATES[:2] if name == "year" else DATES)
        if issubclass(kind, WebAddress):
            host = "private.example.org" if self.is_private else "example.org"
            return f"https://{host}/{self.dice.randint(1, 5)}"
        if issubclass(kind, bool):
            return self.pick([True, False])
        if kind is str:
            found = f"id-{self.dice.randint(1, 9)}" if name == "id" else self.text()
            return found.replace("<i>", "*").replace("</i>", "*") if name in PROSE else found
        return str(self.dice.randint(1, 9))

    def reference(self, kind: type[Reference], depth: int) -> Any:
        keys = [key for each in kind.kinds for key in self.keys.get(each, [])]
        inline = kind.inline
        if keys and (not inline or self.chance(OFTEN)):
            return self.pick(keys)
        if not inline:
            return None
        name = self.pick(NAMES[inline])
        if self.is_private and inline not in ("people", "languages", "places"):
            name = f"{self.pick(PRIVATE_WORDS[:2])} {name}"
        if self.chance(RARELY) and depth < 2:
            fields = self.entry(REGISTRIES[inline].model, depth + 1)
            return {**fields, ("title" if "title" in fields else "name"): name}
        return name

    def text(self) -> str:
        words = PRIVATE_WORDS if self.is_private else WORDS
        return " ".join(self.dice.sample(words, self.pick([1, 1, 2, 3])))

    def texts(self) -> dict[str, str]:
        """The files, by their names below `data/`."""
        found = {"site.yaml": flow(SITE) + "\n"}
        for file, lines in self.lines.items():
            text, section = self.heads.get(file, ""), ""
            for name, line in lines:
                if name != section:
                    section = name
                    text += f"{section}:\n"
                text += f"  - {line}\n" if section else f"{line}\n"
            if text:
                found[file] = text
        return found

    def write(self, folder: Path) -> None:
        shutil.rmtree(folder / "data", ignore_errors=True)
        for name, text in self.texts().items():
            path = folder / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def remove(self, checked: Checked) -> bool:
        """Removes the lines that have errors; False where nothing could be removed."""
        wrong: dict[str, set[str]] = {}
        texts, is_less = self.texts(), False
        for problem in checked.problems:
            file = problem.place.file.removeprefix("data/")
            if problem.severity == "error" and file in texts:
                line = texts[file].splitlines()[problem.place.line - 1]
                wrong.setdefault(file, set()).add(line.removeprefix("  - "))
        for file, lines in wrong.items():
            kept = [each for each in self.lines.get(file, []) if each[1] not in lines]
            is_less |= len(kept) < len(self.lines.get(file, []))
            self.lines[file] = kept
            head = [line for line in self.heads.get(file, "").splitlines() if line in lines]
            for line in head:
                whole = json.loads(line.partition(": ")[2]) if "basics" in line else {}
                # A CV that was private stays so, for its words are those of private texts.
                basics = {each: whole[each] for each in ("name", "visibility") if each in whole}
                less = f"basics: {flow(basics)}" if basics else ""
                is_less |= less != line
                self.heads[file] = self.heads[file].replace(f"{line}\n", f"{less}\n" * bool(less))
        return is_less


def is_withheld(name: str, info: FieldInfo) -> bool:
    """Whether a field is never published, or only where its entry says so."""
    marks = (mark for mark in info.metadata if isinstance(mark, Unmapped))
    return name in (*NEVER_PUBLISHED, *PERSONAL) or any(mark.is_withheld for mark in marks)


def marks(model: type) -> dict[str, Any]:
    """What makes an entry one of its class."""
    return {"kind": "self-employed"} if model.__name__ == "SelfEmployment" else {}


def flow(value: Any) -> str:
    """A value on one line: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


@dataclass
class Built:
    """What came of some sites: how many were right, and the kinds of entries in these."""

    sites: int = 0
    right: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def accepted(site: RandomSite, folder: Path) -> Checked | None:
    """The check of a site without what it refuses; None where there is nothing to remove."""
    for _ in range(ROUNDS):
        site.write(folder)
        checked = check(folder, Run(TODAY))
        if checked.publishable:
            return checked
        if not site.remove(checked):
            return None
    return None


def build_sites(numbers: range, folder: Path) -> Built:
    """Checks sites, and builds those that the check accepts, in one folder: what all have in common
    is made once.
    """
    found, cache = Built(), TraceCache(folder / "traces")
    for number in numbers:
        found.sites += 1
        here = folder / str(number)
        try:
            checked = accepted(RandomSite(number).make(), here)
            if checked is None:
                continue
            found.right += 1
            graph = checked.good_graph(here)
            export(Documents(graph), folder / "site", cache=cache)
            public = [each for each in load(here).loaded if not each.is_private]
            found.kinds.update(type(each.fact).__name__ for each in public)
        except Exception as error:
            problems = getattr(error, "problems", None)
            text = "; ".join(map(str, problems[:3])) if problems else f"{error!r}"
            found.faults.append(f"{number}: {text}")
            if not problems:
                found.faults[-1] += traceback.format_exc()[-900:]
        else:
            shutil.rmtree(here)
    return found


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:3])
    target = Path(sys.argv[3]) if sys.argv[3:] else Path(tempfile.mkdtemp())
    result = build_sites(range(first, last), target)
    for fault in result.faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{result.right} of {result.sites}\n{result.kinds}\n")
