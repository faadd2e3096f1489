"""A site needs no kind of thing in particular: one that lacks a kind, or has only that kind, passes
the check, is built and proved.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kg.check.check import good
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.people import Cv
from kg.graph.parallel.run import Run
from kg.publish.export.export import export
from kg.publish.formats.media import HTML, NTRIPLES
from kg.publish.site import Documents
from tests.conftest import ROOT

pytestmark = [pytest.mark.sample(test=0.03, proof=0.15), pytest.mark.corpus]

DATA = ROOT / "kg" / "example" / "data"
CVS = {
    path.stem: yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    for path in DATA.glob("cv/*.yaml")
}
FILES = {
    path.stem: yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    for path in DATA.glob("*.yaml")
    if path.stem != "site"
}
ADA = "ada-lindqvist"
FIELDS = sorted({*SECTIONS, *Cv.model_fields} & {*CVS[ADA]})
BASICS = {"basics": {"name": "Ada Lindqvist", "alternateNames": ["A. Lindqvist"]}}
FORMS = {".html": HTML, ".nt": NTRIPLES}  # what leads where is the same in all
WORK = {"organization": "delta-works", "position": "Surveyor", "startDate": 2020}
REPORT = {"title": "Sand", "kind": "report", "authors": ["Ada Lindqvist"], "year": 2020}
PATENT = {**REPORT, "kind": "patent"}
OTHERS = {
    "nothing at all": ({}, {}),
    "basics": ({ADA: BASICS}, {}),
    "basics and work": ({ADA: {**BASICS, "work": [WORK]}}, FILES),
    "a private job": ({ADA: {**BASICS, "work": [{**WORK, "visibility": "private"}]}}, FILES),
    "a patent": ({ADA: {**BASICS, "patents": ["sand"]}}, {"patents": {"sand": PATENT}}),
    "a private work": (
        {ADA: {**BASICS, "publications": ["sand"]}},
        {"publications": {"sand": {**REPORT, "visibility": "private"}}},
    ),
    "a private work and no CV": (
        {},
        {"publications": {"sand": {**REPORT, "visibility": "private"}}},
    ),
    "a work and no CV": ({}, {"publications": {"sand": REPORT}}),
    "a work without a date": (
        {ADA: {**BASICS, "publications": ["sand"]}},
        {"publications": {"sand": {**REPORT, "year": None}}},
    ),
}


def keys(*files: str) -> set[str]:
    """What others call the entries of these registries, and `cv` the owners."""
    return {key for file in files for key in (CVS if file == "cv" else FILES[file])}


def pruned(value: Any, gone: set[str], needed: set[str]) -> Any:
    """A value without what refers to something that is gone; None where it could not do without."""
    if isinstance(value, dict):
        left = {key: pruned(item, gone, needed) for key, item in value.items()}
        lost = {key for key, item in left.items() if item is None}
        lost |= {"position"} if "organization" in lost else set()  # in the registry of people
        return None if lost & needed else {key: left[key] for key in left if key not in lost}
    if isinstance(value, list):
        left = [item for each in value if (item := pruned(each, gone, needed)) is not None]
        return left if left or not value else None
    return None if isinstance(value, str) and value in gone else value


def required(*models: Any) -> set[str]:
    """The fields without which an entry is none, and those whose items are entries themselves."""
    found = {
        info.alias or name
        for model in filter(None, models)
        for name, info in model.model_fields.items()
        if info.is_required() or name in model.essential
    }
    return found | {"given", "positions", "person"}


def site(cvs: dict[str, Any], files: dict[str, Any], gone: set[str]) -> dict[str, Any]:
    """The files of a site by their paths: of these, whatever can do without what is gone."""
    made: dict[str, Any] = {"site": {"base": "https://small.example.org/", "title": "Small"}}
    for slug, cv in cvs.items():
        made[f"cv/{slug}"] = {"basics": cv["basics"]}
        for name, value in cv.items():
            section = SECTIONS.get(name)
            needed = required(section.model, section.other) if section else {"key"}
            made[f"cv/{slug}"][name] = pruned(value, gone, needed)
    for file, entries in files.items():
        (registry,) = (each for each in REGISTRIES.values() if each.file == file)
        made[file] = {
            key: left
            for key, entry in entries.items()
            if (left := pruned(entry, gone, required(registry.model_for(entry))))
        }
    return made


def verify_site(files: dict[str, Any], folder: Path) -> None:
    for path, content in files.items():
        target = folder / "site" / "data" / f"{path}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        without = {key: value for key, value in content.items() if value is not None}
        text = json.dumps(without, ensure_ascii=False, default=str).replace(": null", ': ""')
        target.write_text(text, encoding="utf-8")
    documents = Documents(good(folder / "site", Run("2026-01-15")), suffixes=FORMS)
    proof = export(documents, folder / "built").proof
    assert proof.problems == ()
    assert proof.read == proof.documents == len(documents.store.documents())


def test_the_example_has_every_kind() -> None:
    assert set(FILES) == {registry.file for registry in REGISTRIES.values()}
    assert set(SECTIONS) <= set(FIELDS)


@pytest.mark.parametrize("kind", sorted([*FILES, "cv"]))
def test_a_site_without_one_kind_is_proved(kind: str, tmp_path: Path) -> None:
    cvs = {} if kind == "cv" else CVS
    files = {file: entries for file, entries in FILES.items() if file != kind}
    verify_site(site(cvs, files, keys(kind)), tmp_path)


@pytest.mark.parametrize("kind", sorted(FILES))
def test_a_site_of_one_kind_is_proved(kind: str, tmp_path: Path) -> None:
    gone = keys(*(file for file in [*FILES, "cv"] if file != kind))
    verify_site(site({}, {kind: FILES[kind]}, gone - keys(kind)), tmp_path)


@pytest.mark.parametrize("field", FIELDS)
def test_a_cv_with_one_field_is_proved(field: str, tmp_path: Path) -> None:
    others = [file for file in ("publications", "patents", "press") if file != field]
    files = {file: entries for file, entries in FILES.items() if file not in others}
    gone = keys(*others) | {"tomas-ferreira"}
    verify_site(site({ADA: {**BASICS, field: CVS[ADA][field]}}, files, gone), tmp_path)


@pytest.mark.parametrize("name", OTHERS)
def test_a_site_with(name: str, tmp_path: Path) -> None:
    cvs, files = OTHERS[name]
    verify_site(site(cvs, files, set()), tmp_path)
