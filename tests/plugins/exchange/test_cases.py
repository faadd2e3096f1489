"""Each folder of `cases/` has one file of another format, crooked in one way, and in `expected.txt`
the draft that is read from it: the CV, entries of registries, and what is left, with the reason.

`python -m tests.plugins.exchange.test_cases` writes them anew; read what changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.tidy_works import tidy_works
from kg.plugins.exchange.yaml_text import file_text
from tests.conftest import ROOT
from tests.facts.test_schema import findings

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/source.*"))
EXPECTED = "expected.txt"
SOURCES = [
    *(path for case in CASES for path in case.glob("source.*")),
    *sorted(Path(__file__).parent.glob("prose/*.*")),
    ROOT / "tests" / "readme" / "resume.json",
]


def source_of(case: Path) -> SourceFile:
    (path,) = case.glob("source.*")
    return SourceFile(path.name, path.name, path.read_bytes())


def shown(case: Path) -> str:
    """A draft as text: YAML, then what is left."""
    source = source_of(case)
    found = detect_format(source)
    assert found, "no format is recognised"
    parts = [f"# {found.title}\n"]
    for draft in found.read(source):
        tidy_works(draft, source.text)
        parts.append(file_text("cv", draft.cv).partition("\n")[2])
        for kind, entries in draft.entries.items():
            parts.append(f"# {kind}\n" + file_text(kind, entries).partition("\n")[2])
        parts += [
            f"left: {left.value.place.line} {left.value.path}: {str(left.value)!r} ({left.why})\n"
            for left in draft.left
        ]
    return "".join(parts)


def test_no_case_went_missing() -> None:
    assert len(CASES) >= 12


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    assert shown(case) == (case / EXPECTED).read_text(encoding="utf-8")


@pytest.mark.sample(test=0.15)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_editors_accept_what_an_import_writes(path: Path, one_person: Path, tmp_path: Path) -> None:
    try:
        texts = import_files([path], tmp_path / "new").texts
    except NotImported:  # it names nobody
        texts = import_files([path], one_person).texts
    files = {name: text for name, text in texts.items() if name.endswith(".yaml") and text}
    for name, text in files.items():
        kind = "cv" if name.startswith("data/cv/") else Path(name).stem
        assert (name, findings(kind, text)) == (name, [])


if __name__ == "__main__":
    for each in CASES:
        (each / EXPECTED).write_text(shown(each), encoding="utf-8")
