"""What is wrong: files, facts, addresses and shapes, judged together.

The package is also a verb: `kg.check(".")` gives the problems of a site.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from kg.errors import Problem


class Verb(ModuleType):
    """A package that can be called, for its name is taken by the room and wanted by the verb."""

    def __call__(self, folder: str | Path = ".", today: str = "") -> list[Problem]:
        """Without a day (2026-11-15) the rules about the present are left out."""
        from pathlib import Path  # noqa: PLC0415

        from kg.check.check import check  # noqa: PLC0415

        return check(Path(folder), today).problems


sys.modules[__name__].__class__ = Verb
