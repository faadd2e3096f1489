"""What is wrong with one item of a list is reported at that item, in every list that an author may
write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from pyoxigraph import RdfFormat, parse

from kg.errors import Place
from kg.facts.load import load
from kg.facts.models import REGISTRIES, SECTIONS
from kg.graph.build import build
from kg.mapping.origins import locate
from tests.graph.test_fields import FIELDS, SITE, SPOKEN_OF, WORLD

SECOND = 1
# What stands for the number of an item in the values of test_fields.
COUNTED = re.compile("Zyx Mark|zyx(?=[.])|zyxmark|zyxnet|(?<=198)7")
# Years are spread over rows before anything is made of them; keywords are what their owner knows.
ELSEWHERE = {
    ("service", "years"),
    ("volunteer", "years"),
    ("skills", "keywords"),
    ("interests", "keywords"),
}


class ListField(NamedTuple):
    """A field that is or stands in a list: the entry with it, where the list is in the entry, and
    the rest of the way.
    """

    place: str
    field: str
    entry: dict[str, Any]
    steps: tuple[str, ...]
    rest: tuple[str, ...]


def list_fields() -> Iterator[ListField]:
    seen: set[tuple[str, str]] = set()
    for written in FIELDS:
        if written.values and (written.place, written.field) not in seen:
            here: Any = written.values[0][0]
            names, steps = written.field.split("."), list[str]()
            for number, name in enumerate(names):
                here = here.get(name) if isinstance(here, dict) else None
                steps.append(name)
                if isinstance(here, list):
                    seen.add((written.place, written.field))
                    entry = deepcopy(written.values[0][0])
                    rest = tuple(names[number + 1 :])
                    yield ListField(written.place, written.field, entry, tuple(steps), rest)
                    break
                if name == "editions" and isinstance(here, dict):
                    here = here["1991"]
                    steps.append("1991")


LISTS = [*list_fields()]


def with_items(of: ListField, items: list[Any]) -> dict[str, Any]:
    made = deepcopy(of.entry)
    around = made
    for step in of.steps[:-1]:
        around = around[step]
    around[of.steps[-1]] = items
    return made


def item_of(of: ListField) -> Any:
    here: Any = of.entry
    for step in of.steps:
        here = here[step]
    return here[0]


def numbered(item: Any, number: int) -> Any:
    """An item as the first, second or third of a list."""
    return json.loads(COUNTED.sub(lambda mark: f"{mark[0].rstrip('7')}{number}", json.dumps(item)))


def site(of: ListField, entry: dict[str, Any], folder: Path) -> tuple[str, int, int]:
    """Writes a site with the entry; the file, and the first and last line of the second item."""
    cv: dict[str, Any] = {"basics": {"name": "Ada Berg"}, **SPOKEN_OF.get(of.place, {})}
    files = deepcopy(WORLD)
    del files["people"]["owner"]
    name, above = "cv/ada", list[str | int]()
    if of.place == "basics":
        cv["basics"], above = entry, ["basics"]
    elif of.place == "cv":
        cv = {**cv, "talks": [{"title": "Talk"}], **entry}
    elif of.place in SECTIONS:
        cv[of.place], above = [entry], [of.place, 0]
    elif of.place != "site":
        name = REGISTRIES[of.place.rstrip("/")].file
        files[name]["same"], above = entry, ["same"]
    owner = {"basics": {"name": "Owner"}}
    content = {"site": SITE, "cv/ada": cv, "cv/owner": owner, **files}
    for file, value in content.items():
        path = folder / "data" / f"{file}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        plain = json.loads(json.dumps(value))  # without aliases
        path.write_text(yaml.safe_dump(plain, sort_keys=False, width=10_000, allow_unicode=True))
    node: Any = yaml.compose((folder / "data" / f"{name}.yaml").read_text())
    for step in [*above, *of.steps, SECOND]:
        values = node.value
        node = values[step] if isinstance(step, int) else dict_of(values)[step]
    end = node.end_mark.line + bool(node.end_mark.column)
    return f"data/{name}.yaml", node.start_mark.line + 1, max(end, node.start_mark.line + 1)


def dict_of(values: Any) -> dict[str, Any]:
    return {key.value: value for key, value in values}


def test_there_are_many_lists() -> None:
    assert len(LISTS) > 150


@pytest.mark.corpus
@pytest.mark.sample(test=0.03, proof=0.15)
@pytest.mark.parametrize("of", LISTS, ids=lambda each: f"{each.place}-{each.field}")
@pytest.mark.parametrize("wrong", [[["x"]], {"zzz": "x"}, ""], ids=["list", "fields", "empty"])
def test_a_wrong_item_is_reported_at_the_item(of: ListField, wrong: Any, tmp_path: Path) -> None:
    if of.place == "site" or of.rest[-1:] == ("disputed",):  # which may hold any field
        return
    item = item_of(of)
    bad = wrong
    if of.rest:
        bad = around = deepcopy(item)
        for step in of.rest[:-1]:
            around = around[step]
        around[of.rest[-1]] = wrong
    items = [numbered(item, 1), bad, numbered(item, 3)]
    file, first, last = site(of, with_items(of, items), tmp_path)
    places = [each.place for each in load(tmp_path).problems if each.severity == "error"]
    assert places
    assert [each for each in places if each.file != file or not first <= each.line <= last] == []


@pytest.mark.corpus
@pytest.mark.sample(test=0.03, proof=0.15)
@pytest.mark.parametrize("of", LISTS, ids=lambda each: f"{each.place}-{each.field}")
def test_a_statement_is_located_at_the_item_it_comes_from(of: ListField, tmp_path: Path) -> None:
    item = item_of(of)
    if of.place == "site" or numbered(item, 2) == item or (of.place, of.field) in ELSEWHERE:
        return
    items = [numbered(item, number) for number in (1, 2, 3)]
    file, first, last = site(of, with_items(of, items), tmp_path)
    facts = load(tmp_path)
    assert facts.site and not [each for each in facts.problems if each.severity == "error"]
    graph = build(facts, facts.site)
    for triple in parse(graph.nquads, RdfFormat.N_QUADS):
        about, value = str(triple.subject.value), str(triple.object.value)
        numbers = {text[-1] for text in re.findall("(?:Mark|zyx|mark|net|198)[123]", value)}
        if numbers == {"2"} and "/terms#" not in about:
            base = graph.site.base
            found = locate(graph.origins, base, about, triple.predicate.value, value)
            assert found
            place: Place = found[0]
            assert place.file == file and first <= place.line <= last, triple
