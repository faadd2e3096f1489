"""Services that fail are asked again at once."""

from __future__ import annotations

import pytest

from kg.plugins.sources import client


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RETRY_WAIT", 0.01)
