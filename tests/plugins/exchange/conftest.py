"""A person who types at a real terminal."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Callable, Iterator

import pytest

from kg.cli import main


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., int]]:
    """Runs a command at a terminal where somebody types these lines; its exit code."""
    near, far = pty.openpty()

    def run(words: list[str], *lines: str) -> int:
        os.write(near, "".join(f"{line}\n" for line in lines).encode())
        with open(far, encoding="utf-8", closefd=False) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            with pytest.raises(SystemExit) as end:
                main(words)
        return int(end.value.code or 0)

    yield run
    os.close(near)
    os.close(far)
