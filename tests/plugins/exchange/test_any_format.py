"""What holds for every import format: import, edit, import a newer file, export, import again."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import doors
from kg.files.atomic import replace_files
from kg.plugins.exchange.formats import SCHEME
from kg.plugins.exchange.importing import Imported, import_files
from tests.plugins.exchange.exported_site import SITE, cv_in, written
from tests.plugins.exchange.small_cvs import FILES, WORKS, Entries

KEY = "hana-lind"
OWN = "basics: {name: Hana Lind, label: Counts sand}\nlanguages: [{language: German, level: B2}]\n"
JOBS = ["Engineer", "Lecturer", "Librarian", "Pilot", "Curator"]
TITLES = ["Loud ice", "Cold rivers", "Quiet stones", "Winter light", "Slow sand"]


DOCUMENTS = ("docx", "odt", "pdf")  # converted in a process of their own
BY_NAME = [
    pytest.param(name, marks=pytest.mark.process) if name in DOCUMENTS else name for name in FILES
]


def entries(texts: list[str]) -> st.SearchStrategy[Entries]:
    every = list(zip(texts, range(2001, 2020, 3), strict=False))
    return st.lists(st.sampled_from(every), min_size=1, max_size=3, unique=True)


def bring_in(site: Path, name: str, data: bytes, format_name: str = "") -> Imported:
    file = site.parent / "files" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    imported = import_files([file], site, format_name, person=KEY)
    replace_files(site, imported.texts)
    return imported


def count(site: Path, what: str) -> int:
    """How often something is in the data, in any case."""
    files = (site / "data").rglob("[!.]*.yaml")
    return sum(file.read_text(encoding="utf-8").lower().count(what.lower()) for file in files)


def law(name: str, old: Entries, new: Entries, edits: bool) -> None:
    """Nothing of the author's is lost, nothing is there twice, and twice is once."""
    file, write = FILES[name]
    with TemporaryDirectory() as folder:
        site = Path(folder).resolve() / "site"
        cv = site / "data" / "cv" / f"{KEY}.yaml"
        replace_files(site, {"data/site.yaml": SITE, f"data/cv/{KEY}.yaml": OWN})
        bring_in(site, file, write(old))
        shown = old[:1] if name == "cff" else old
        assert {what: count(site, what) for what, _ in shown} == {what: 1 for what, _ in shown}
        edited = shown[0][0] if edits else ""
        if edits:  # the author calls it something else
            text = cv.read_text(encoding="utf-8")
            cv.write_text(text.replace(edited, f"{edited} of mine", 1), encoding="utf-8")
        assert not bring_in(site, file, write(old)).shown
        bring_in(site, file, write(new))
        assert not bring_in(site, file, write(new)).shown
        latest = {what for what, _ in (new[:1] if name == "cff" else new)} | {edited} - {""}
        assert {what: count(site, what) for what in latest} == dict.fromkeys(latest, 1)
        exported = written(cv_in(site, KEY), "jsonresume")[""]
        bring_in(site, "exported.json", exported, "jsonresume")
        assert not bring_in(site, "exported.json", exported, "jsonresume").shown
        assert {what: count(site, what) for what in latest} == dict.fromkeys(latest, 1)
        for mine in ("Counts sand", "German", "B2", *([f"{edited} of mine"] if edits else [])):
            assert count(site, mine) == 1, mine


def test_every_importer_has_a_small_file() -> None:
    of_files = {name for name in doors.installed("kg.importers") if not name.startswith(SCHEME)}
    assert {*FILES} == of_files


@pytest.mark.sample(test=0.4)
@pytest.mark.parametrize("name", BY_NAME)
def test_the_edits_of_an_author_survive_newer_files_and_an_export(name: str) -> None:
    texts = TITLES if name in WORKS else JOBS
    law(name, [(texts[0], 2001), (texts[1], 2004)], [(texts[0], 2001), (texts[2], 2007)], True)


@pytest.mark.proof
@pytest.mark.fuzz
@pytest.mark.parametrize("name", BY_NAME)
@settings(deadline=None, max_examples=25, derandomize=True)
@given(data=st.data())
def test_the_law_of_imports_holds_for_any_entries(name: str, data: st.DataObject) -> None:
    some = entries(TITLES if name in WORKS else JOBS)
    law(name, data.draw(some), data.draw(some), data.draw(st.booleans()))
