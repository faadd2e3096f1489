"""The notebook of docs/ is executed, and shows what its cells give.

`python -m tests.library.test_notebook` writes its outputs anew.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest

from kg.cli.new_site import example_site, write_new
from tests.conftest import ROOT

pytestmark = pytest.mark.proof

NOTEBOOK = ROOT / "docs" / "questions.ipynb"


def stored() -> Any:
    import nbformat  # takes seconds, which not every worker should spend

    return nbformat.read(NOTEBOOK, as_version=4)


def executed(folder: Path) -> Any:
    """The notebook with the outputs that its cells give beside an example site."""
    from nbclient import NotebookClient

    write_new(folder / "mysite", example_site())
    notebook = stored()
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=120, resources=resources, record_timing=False).execute()
    return notebook


def texts(notebook: Any) -> list[list[str]]:
    """What each cell of code shows, as plain text."""
    return [
        [each.get("text") or each["data"]["text/plain"] for each in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_cells_give_what_the_notebook_shows(tmp_path: Path) -> None:
    shown = texts(stored())
    assert len(shown) >= 8
    assert sum(map(len, shown)) >= 8
    assert texts(executed(tmp_path)) == shown


if __name__ == "__main__":
    import nbformat

    with tempfile.TemporaryDirectory() as folder:
        found = executed(Path(folder))
    found.metadata = {"kernelspec": found.metadata["kernelspec"]}
    nbformat.write(found, NOTEBOOK)
