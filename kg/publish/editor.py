"""The editor on the page for questions: files of a Node package that `make setup` puts beside the checkout.

The package is not part of ours. Where it was not installed, as beside a wheel, the page is a plain form.
"""

from __future__ import annotations

from pathlib import Path

FILES = ("yasgui.min.js", "yasgui.min.css")
BESIDE = Path(__file__).parents[2] / "node_modules" / "@zazuko" / "yasgui" / "build"


def files(folder: Path = BESIDE) -> dict[str, Path]:
    """Name -> file of the editor: all it needs, or nothing."""
    found = {name: folder / name for name in FILES}
    return found if all(path.is_file() for path in found.values()) else {}
