"""The growth to 10,000 CVs, which takes a quarter of an hour and some 10 GB: `make bench-large`."""

from __future__ import annotations

from bench import growth


def run() -> list[growth.Row]:
    return growth.run((1000, *growth.LARGE))
