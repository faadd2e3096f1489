"""Growth to 10,000 CVs, which takes 15 minutes and about 10 GB: `make bench-large`."""

from __future__ import annotations

from bench import growth


def run() -> list[growth.Row]:
    return growth.run((1000, *growth.LARGE))
