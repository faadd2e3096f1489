"""A request that is not a question, with the status that says so."""

from __future__ import annotations


class Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
