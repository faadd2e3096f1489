"""The tables of other formats name fields and kinds that the models have."""

from __future__ import annotations

import pytest

from kg.facts.bibliography.correspondence import NAMES, correspondence
from kg.facts.models import REGISTRIES
from release.formats import exists, our_fields

each_format = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def ours() -> set[str]:
    return {path for paths in our_fields().values() for path in paths}


@each_format
def test_every_field_goes_to_one_of_ours(name: str, ours: set[str]) -> None:
    paths = [path for _, path in correspondence(name).paths() if not exists(path, ours)]
    assert paths == []


@each_format
def test_a_field_is_taken_or_not(name: str) -> None:
    table = correspondence(name)
    assert sorted({*table.fields} & {*table.not_taken}) == []
    assert sorted({*table.types} & {*table.types_not_taken}) == []


@pytest.mark.parametrize("name", [name for name in NAMES if correspondence(name).types])
def test_every_type_is_a_kind_and_every_kind_has_a_type(name: str) -> None:
    table, kinds = correspondence(name), REGISTRIES["publications"].kinds
    assert sorted({*table.types.values(), *table.kinds} - {*kinds}) == []
    assert all(table.type_of(kind) in table.types for kind in kinds)
