"""How a server is run: where it listens, who may see what, and whom it believes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    host: str = "127.0.0.1"
    port: int = 8000
    proxies: int = 0  # in front of it, whose word on who asks is believed
    open_console: bool = False
    open_metrics: bool = False
    log: Callable[[str], None] | None = None  # takes a line for each request
