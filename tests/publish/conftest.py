from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.check import good
from kg.publish.export.export import export
from kg.publish.site import Documents
from tests.conftest import ROOT


@pytest.fixture(scope="session")
def small() -> Documents:
    """The example site."""
    return Documents(good(ROOT / "kg" / "example"))


@pytest.fixture(scope="session")
def built(small: Documents, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a folder. Who wants to break it takes a copy."""
    folder = tmp_path_factory.mktemp("built") / "site"
    export(small, folder)
    return folder
