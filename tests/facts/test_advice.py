"""Never is proposed what is then refused: every wrong value of a table stands in every field of
every model; what the message proposes is written there instead, and must be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml
from pydantic import BaseModel, ValidationError

from kg.advice.explain import problems_of
from kg.errors import Problem
from kg.facts.files import read_files
from kg.facts.load import FactLoader, SiteIndex
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import classes_in
from kg.facts.models.people import Cv, Owner
from kg.facts.site_file import read_site
from kg.facts.values.references import Context
from kg.facts.yaml.rows import Row
from kg.settings import shipped

WRONG = """
May 2022|Mai 2022|mayo de 2022|17 mars 2022|May 17, 2022|17.05.2022|05/17/2022|05/06/2022|05/2022
2022/05|2022-5|2022-13|2022-02-30|20220517|2022-05-17T10:00:00Z|'22|2018-2022|2019/20|WS 2019/20
present|ongoing|bis heute|?|since 2019|c. 2019|expected 2027|yes|ja|TRUE|5 EUR|€ 1,500|ten|1,234
12 people|ca. 40|3.9 / 4|85 %|Public|hidden|Conference|inproceedings|PhD|www.example.org
http//example.org|@ada|ada(at)example.org|doi:10.1000/182|https://doi.org/10.1000/182.|arXiv:2101.00001
https://arxiv.org/abs/2101.00001|0000000218250097|PMID: 31452104|6711234|northfjord|ada-lindqvist
ada-lindquist|rivers|Northfjord University|Cheap Gauges for Long Rivers|german|norwegian|C3
Ada Lindqvist and Bo Ek|Ada Lindqvist, Bo Ek|CC BY 4.0|Norge|PHOTO.JPG
"""
PROPOSED = (
    re.compile(r"Did you mean (.+?)\?(?: |$)"),
    re.compile(r"is not one of (.+?)\.(?: |$)"),
    re.compile(r"(?:e\.g\.|Write it as|Write its key:) (\S+(?: [A-Z]{3})?)[.,;](?: |$)"),
    re.compile(r"Write '([^']+)'\."),
    re.compile(r"Write (\[.+\])\."),
    re.compile(r"Closest: (.+?)\.(?: |$)"),
    re.compile(r"Write (2019.*?)(?:[;.]| an end)"),
    re.compile(r", or ('.+?') if that is its name"),
)


def values() -> list[str]:
    return [value for line in WRONG.split("\n") for value in line.split("|") if value]


def models() -> list[type[BaseModel]]:
    """All classes that read something an author writes."""
    found: dict[type[BaseModel], None] = {}
    kinds = [model for each in REGISTRIES.values() for model in each.models]
    kinds += [model for each in SECTIONS.values() for model in (each.model, each.other) if model]
    rest: list[type[BaseModel]] = [Cv, Owner, *kinds]
    while rest:
        model = rest.pop()
        if model not in found:
            found[model] = None
            parts = (classes_in(info.annotation) for info in model.model_fields.values())
            rest += [each for part in parts for each in part if issubclass(each, BaseModel)]
    return list(found)


def fields() -> dict[str, type[BaseModel]]:
    """`Model.field` for each field that an author writes; one for all classes that share it."""
    found: dict[tuple[str, str], tuple[str, type[BaseModel]]] = {}
    for model in models():
        for name, info in model.model_fields.items():
            if name not in getattr(model, "from_loader", ()):
                key = info.alias or name
                found.setdefault((key, repr(info)), (f"{model.__name__}.{key}", model))
    return dict(found.values())


FIELDS = fields()


@cache
def context() -> Context:
    """The registries of the example."""
    folder = shipped("example")
    site, _ = read_site(folder)
    files = read_files(folder)
    return FactLoader(files, SiteIndex(files, site)).context


def read(proposal: str) -> Any:
    """As it would be read from the file."""
    if not proposal.startswith("["):
        return proposal
    return [item.value for item in yaml.compose(proposal).value]


def problems(model: type[BaseModel], field: str, value: Any) -> list[Problem]:
    """What is wrong with one field, where no other is written."""
    row = Row("data/cv/ada.yaml", (0, 0))
    row.put(field, value, (0, 0), (0, len(field) + 2))
    try:
        model.model_validate(row, context=context())
    except ValidationError as error:
        found = problems_of(error, row, model)
        return [each for each in found if each.rule != "missing-field" and each.place.column > 1]
    return []


def proposals(message: str) -> Iterator[str]:
    for pattern in PROPOSED:
        for found in pattern.findall(message):
            is_list = found.startswith("[")
            yield from ([found] if is_list else map(unquoted, re.split(r",? or |, ", found)))


def unquoted(text: str) -> str:
    return text.strip("'")


def test_the_table_and_the_fields_are_many() -> None:
    assert len(values()) >= 60
    assert len(FIELDS) >= 200


@pytest.mark.corpus
@pytest.mark.sample(test=0.03)
@pytest.mark.parametrize("name", FIELDS)
def test_what_is_proposed_is_accepted(name: str) -> None:
    model, field = FIELDS[name], name.partition(".")[2]
    refused = [
        (value, proposal, problem.message, again[0].message)
        for value in values()
        for problem in problems(model, field, value)
        for proposal in proposals(problem.message)
        if (again := problems(model, field, read(proposal)))
        # an item of a list may still be wrong for another reason, which is then told
        and not (proposal.startswith("[") and f"{field}[0]" in again[0].message)
    ]
    assert refused == []


@pytest.mark.parametrize("kind", REGISTRIES)
def test_the_line_to_add_has_what_an_entry_needs(kind: str) -> None:
    """With texts in the place of the dots; a kind is one of many."""
    registry = REGISTRIES[kind]
    line = registry.line("some-key").partition(":  ")[2]
    entry = yaml.safe_load(line.replace("…", "Ada Berg"))["some-key"]
    if "kind" in entry:
        entry["kind"] = registry.kinds[0]
    if registry.key_field:
        entry[registry.key_field] = "en"
    assert registry.model_for(entry).model_validate(entry, context=context())
