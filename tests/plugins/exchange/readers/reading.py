"""Reads a text as a file of some format, for tests of readers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kg.facts.yaml.reader import read
from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.formats import detect_format, format_named
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.source_files import SourceFile
from tests.facts.test_schema import findings


def drafted(name: str, path: str, text: str | bytes) -> Draft:
    """The first draft of a file, which is recognised as one of the format."""
    data = text if isinstance(text, bytes) else text.encode()
    source = SourceFile(path, path, data)
    found = detect_format(source)
    assert found is not None and found.name == name, found
    return next(iter(format_named(name).read(source)))


def cv_of(draft: Draft) -> Any:
    """The CV with plain texts, without where each comes from."""
    return json.loads(json.dumps(draft.cv))


def left_of(draft: Draft) -> dict[str, str]:
    return {left.value.path: str(left.value) for left in draft.left}


def imported(tmp_path: Path, files: dict[str, str], **more: str) -> tuple[Any, dict[str, str]]:
    """The CV that a folder of files becomes, after the check took out what it refuses; and what
    is listed.
    """
    for path, text in files.items():
        (tmp_path / "in" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / path).write_text(text, encoding="utf-8")
    found = import_files([tmp_path / "in"], tmp_path / "site", **more)
    for path, text in found.texts.items():
        if path.endswith(".yaml") and text:
            kind = "cv" if path.startswith("data/cv/") else Path(path).stem
            assert (path, findings(kind, text)) == (path, [])
    text = next(text for path, text in found.texts.items() if path.startswith("data/cv/"))
    row, problems = read("cv.yaml", text.encode())
    assert row is not None and not problems
    return row, {left.value.path: left.why for left in found.left}
