"""Old names of entries and withdrawn addresses, as authors write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import Place
from kg.facts import schema
from kg.facts.load import load
from kg.facts.models import REGISTRIES
from kg.facts.models.base import Main
from kg.settings import Withdrawn
from tests.facts import site_with
from tests.facts.test_schema import findings

SITE = "base: https://cases.example.org/\ntitle: Cases\n"
MENTORING = "basics: {name: Ada Berg}\nmentoring:\n  - {person: e-gran, level: doctoral}"


def told(folder: Path, **files: str) -> list[str]:
    """Places, messages and rules of what is wrong."""
    return [
        f"{each.place} {each.message} [{each.rule}]"
        for each in load(site_with(folder, **files)).problems
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("e-gran", ["people/e-gran#it"]),
        ("[e-gran, eli-g]", ["people/e-gran#it", "people/eli-g#it"]),
        ("orgs/gran", ["orgs/gran#it"]),
    ],
)
def test_an_entry_says_what_it_was(tmp_path: Path, written: str, read: list[str]) -> None:
    facts = load(site_with(tmp_path, people=f"eli: {{name: Eli Gran, was: {written}}}"))
    assert facts.problems == []
    assert [entry.was for each, entry in facts.of(Main) if each.slug == "eli"] == [read]


def test_everything_that_has_an_address_may_have_had_another() -> None:
    assert all(
        issubclass(model, Main)
        for registry in REGISTRIES.values()
        for model in (registry.model, *registry.by_kind.values())
    )
    made = schema.schemas()
    for registry in REGISTRIES.values():
        entry = made[registry.file]["additionalProperties"]
        assert all("was" in each["properties"] for each in entry.get("anyOf", [entry])), (
            registry.file
        )
    assert "was" in made["cv"]["properties"]["basics"]["properties"]
    assert "withdrawn" in made["site"]["properties"]


@pytest.mark.slow
def test_an_editor_takes_what_may_be_written_and_no_more() -> None:
    assert (
        findings("people", "eli: {name: Eli, was: e-gran}")
        == findings("people", "eli: {name: Eli, was: [a, b]}")
        == []
    )
    assert (
        findings(
            "site",
            f"{SITE}withdrawn: [people/a, {{address: people/b, reason: Asked for., date: 2026}}]",
        )
        == []
    )
    assert findings("site", f"{SITE}withdrawn: [{{adress: people/b}}]")


@pytest.mark.parametrize(
    "name",
    ["E. Gran", "gran/eli", "people/", "people/eli/gran", "https://cases.example.org/people/eli"],
)
def test_what_was_never_an_address_is_told_at_its_place(tmp_path: Path, name: str) -> None:
    (found,) = told(tmp_path, people=f"eli:\n  name: Eli Gran\n  was: [e-gran, '{name}']")
    assert found.startswith("data/people/case.yaml:3:17 eli: was[1] ")
    assert found.endswith("[bad-slug]")
    assert "people/ada-lovelace" in found


def test_what_is_withdrawn_may_say_why_and_since_when(tmp_path: Path) -> None:
    listed = (
        "withdrawn:\n  - people/eli\n  - {address: orgs/gone, reason: It never was., date: "
        "2026-01}\n"
    )
    site = load(site_with(tmp_path, site=SITE + listed)).site
    assert site is not None
    assert site.withdrawn == (
        Withdrawn("people/eli", None, None, Place("data/site.yaml", 4, 5)),
        Withdrawn("orgs/gone", "It never was.", "2026-01", Place("data/site.yaml", 5, 5)),
    )


@pytest.mark.parametrize(
    "written",
    ["eli", "peple/eli", "[people/eli, people/]", "{address: people/Eli}", "{reason: because}"],
)
def test_a_wrong_withdrawal_is_told(tmp_path: Path, written: str) -> None:
    found = told(tmp_path, site=f"{SITE}withdrawn: {written}")
    assert len(found) == 1
    assert found[0].startswith("data/site.yaml:3:")


def test_a_reference_by_an_old_name_is_told_the_new_one(tmp_path: Path) -> None:
    (found,) = told(tmp_path, people="eli: {name: Eli Gran, was: e-gran}", cv=MENTORING)
    assert found.endswith(
        "'e-gran' is not among the people. Its key is now eli. [unknown-reference]"
    )


def test_a_reference_to_what_is_withdrawn_is_told_so(tmp_path: Path) -> None:
    site = f"{SITE}withdrawn: [people/e-gran]"
    (found,) = told(tmp_path, site=site, cv=MENTORING)
    assert found.startswith("data/cv/ada.yaml:3:14 ")
    assert found.endswith(
        "It was withdrawn (data/site.yaml:3:13). Remove this reference. [unknown-reference]"
    )
