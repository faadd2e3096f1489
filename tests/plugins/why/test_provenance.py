"""Where triples come from: every triple of a site has an origin, and the origins are true."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kg.errors import Place
from kg.facts.load import load
from kg.graph.build import Graph, build
from kg.graph.rules import in_its_graph
from kg.graph.rules import triples as lines_by
from kg.plugins.why.provenance import Provenance, Reason, triple_in
from kg.publish.site import Documents
from kg.store.memory import Memory
from kg.vocab import rdf
from tests.conftest import LARGE_SITE, ROOT, copy_of_example
from tests.facts import site_with

EXAMPLE = ROOT / "kg" / "example"
PLANTED, SEED = 40, 23
PART = re.compile(r"#(?!it>)[^\s>]+> <\S+ \.$")  # in the place of a value


@pytest.fixture(scope="module")
def origins() -> Provenance:
    return Provenance(load(EXAMPLE))


def lines_of(graph: Graph) -> set[str]:
    return set((graph.nquads + graph.rest).decode().splitlines(keepends=True))


def all_reasons(origins: Provenance, lines: set[str]) -> dict[str, list[Reason]]:
    return {line: origins.reasons(line) for line in sorted(lines)}


def unexplained(origins: Provenance, lines: set[str]) -> list[str]:
    """The lines without an origin, or that follow by a rule of which nobody knows why."""
    return [
        line
        for line, reasons in all_reasons(origins, lines).items()
        if not reasons
        or any(each.by == "rule" and not each.because for each in reasons)
        or any(each.by in ("field", "entry") and each.place is None for each in reasons)
    ]


def test_every_triple_of_the_example_has_an_origin(origins: Provenance, small: Documents) -> None:
    lines = lines_of(small.graph)  # type: ignore[arg-type]
    assert {line for found in origins.by_subject.values() for line in found} == lines
    assert unexplained(origins, lines) == []
    kinds = {each.by for found in all_reasons(origins, lines).values() for each in found}
    assert kinds == {"field", "entry", "rule", "program"}


@pytest.mark.proof
def test_every_triple_of_the_data_has_an_origin(graph: Graph) -> None:
    origins, lines = Provenance(load(LARGE_SITE)), lines_of(graph)
    assert {line for found in origins.by_subject.values() for line in found} == lines
    assert unexplained(origins, lines) == []


def test_a_rule_asked_of_what_it_leaned_on_gives_the_triple(origins: Provenance) -> None:
    by_rule = defaultdict(list)
    for line, names in origins.derived.items():
        for name in names:
            by_rule[name].append(line)
    assert len(by_rule) >= 18
    for name, lines in by_rule.items():
        for line in lines[:4]:
            (reason,) = [each for each in origins.reasons(line) if each.label == name]
            alone = Memory(origins.site.base)
            alone.load("".join(f"{each} .\n" for each in reason.because).encode())
            given = {in_its_graph(each) for each in lines_by(alone, origins.rules[name].path, [])}
            assert line in given, (name, line)


def test_a_value_leads_to_the_very_column_of_its_item(tmp_path: Path) -> None:
    site = site_with(
        tmp_path,
        cv="basics:\n  name: Ada Berg\n  alternateNames: [A. Berg,\n    Berg A.]\n",
    )
    origins = Provenance(load(site))
    found = {
        triple_in(line).object.value: [str(each.place) for each in origins.of_entries(line)]
        for line in origins.by_subject[f"{origins.site.base}people/ada#it"]
        if "alternateName" in line
    }
    assert found == {
        "A. Berg": ["data/cv/ada.yaml:3:20"],
        "Berg A.": ["data/cv/ada.yaml:4:5"],
    }


@pytest.mark.proof
def test_a_change_at_the_places_of_an_origin_changes_the_triple(
    origins: Provenance, tmp_path: Path
) -> None:
    """The values are changed where a triple is said to come from: it is gone, or the change is
    refused in that very place. Often what it speaks of stays. (A link to a part of a thing says
    that the part is there, whatever it says.)
    """
    site, stays = copy_of_example(tmp_path), 0
    fields = {}
    for line in sorted(origins.written):
        found = [*origins.of_entries(line)]
        if {each.by for each in found} == {"field"} and not PART.search(line):
            fields[line] = {each.place for each in found if each.place}
    assert len(fields) > 300
    for line in random.Random(SEED).sample(sorted(fields), PLANTED):
        is_gone = is_refused = False
        for change in (another, absent):
            if not (is_gone or is_refused):
                now, refused = planted(site, fields[line], change)
                is_gone = line not in now.splitlines(keepends=True)
                is_refused = bool(refused & fields[line])
                stays += is_gone and f"\n{line.partition(' ')[0]} <{rdf.type}>" in now
        assert is_gone or is_refused, (line, fields[line])
    assert stays > PLANTED / 3


def planted(site: Path, places: set[Place], change: Callable[[str], str]) -> tuple[str, set[Place]]:
    """The graph with other values in these places, and where problems are then; the site is left
    as it was.
    """
    before = {place.file: (site / place.file).read_text(encoding="utf-8") for place in places}
    for place in sorted(places, reverse=True):  # those behind it stay where they are
        path = site / place.file
        text = changed(path.read_text(encoding="utf-8"), place, change)
        path.write_text(text, encoding="utf-8")
    facts = load(site)
    for file, text in before.items():
        (site / file).write_text(text, encoding="utf-8")
    assert facts.site
    now = build(facts, facts.site).nquads.decode()
    return now, {each.place for each in facts.problems}


def changed(text: str, place: Place, change: Callable[[str], str]) -> str:
    """A YAML text with another value where one begins; of a mapping or a list, all its values."""
    found = next(
        node
        for node in nodes(yaml.compose(text, Loader=yaml.SafeLoader))
        if (node.start_mark.line, node.start_mark.column) == (place.line - 1, place.column - 1)
    )
    for node in reversed([each for each in nodes(found) if isinstance(each, yaml.ScalarNode)]):
        new = change(node.value)
        text = text[: node.start_mark.index] + new + text[node.end_mark.index :]
    return text


def another(value: str) -> str:
    """A value of the same kind: a date of another year, other digits, a longer text."""
    if re.fullmatch(r"\d{4}(-\d\d)*", value):
        return value[:3] + str((int(value[3]) + 1) % 10) + value[4:]
    if re.search(r"\d", value):
        found = re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), value)
    else:
        found = f"{value}q"
    return found if found.isdigit() else json.dumps(found, ensure_ascii=False)


def absent(value: str) -> str:
    return "null"


def nodes(node: yaml.Node) -> list[yaml.Node]:
    """A value and those in it, in the order of the text; keys are none."""
    inside = node.value if isinstance(node, yaml.CollectionNode) else []
    values = [value for _, value in inside] if isinstance(node, yaml.MappingNode) else inside
    return [node, *(each for value in values for each in nodes(value))]
