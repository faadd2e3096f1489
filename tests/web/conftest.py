from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tests.web.serving import Server, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The real site, served by a real process."""
    with serving(ROOT) as server:
        yield server
