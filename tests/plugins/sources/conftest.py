"""The recorded server in the place of all services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kg.plugins.sources import client as client_module
from kg.plugins.sources.client import CONTACT, MIRROR, Client
from tests.kinds import starts
from tests.plugins.sources.recorded_server import RecordedServer, served

TODAY = "2026-11-19"


@pytest.fixture
@starts("server")
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[RecordedServer]:
    """Answers all requests of the test, which has a cache of its own and no keys."""
    with served(RecordedServer()) as found:
        monkeypatch.setenv(MIRROR, found.root)
        monkeypatch.setattr(client_module, "RETRY_WAIT", 0.01)
        monkeypatch.setenv("KG_CACHE", str(tmp_path / "cache"))
        for name in (CONTACT, "OPENALEX_KEY", "ZOTERO_KEY"):
            monkeypatch.delenv(name, raising=False)
        yield found


@pytest.fixture
def client(server: RecordedServer) -> Iterator[Client]:
    with closing(Client(TODAY, contact="lab@example.org")) as found:
        yield found
