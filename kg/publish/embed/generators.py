"""Static site generators, and where each has the partial templates that its pages share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kg.errors import KgError

OURS = "cv-kg"  # our folder among the pieces


@dataclass(frozen=True)
class Generator:
    """`signs` are what the folder of a site has, one at least; `pieces` the folders for pieces, the
    last one where none is there yet.
    """

    name: str
    signs: tuple[str, ...]
    pieces: tuple[str, ...]
    use: str
    layout: str

    def file(self, folder: Path, piece: str) -> Path:
        """Where a piece goes in the folder of a site, which must be one."""
        if not any((folder / sign).exists() for sign in self.signs):
            known = ", ".join(self.signs[:-1])
            raise KgError(
                f"{folder} is no {self.name} site: it has no {known} or {self.signs[-1]}. "
                "Name the folder of the site."
            )
        place = next((place for place in self.pieces if (folder / place).is_dir()), self.pieces[-1])
        return folder / place / OURS / piece

    def line(self, piece: str) -> str:
        """What a layout says to have the piece in its place."""
        return self.use.format(f"{OURS}/{piece}")


JEKYLL = Generator(
    name="Jekyll",
    signs=("_config.yml", "_config.yaml", "_config.toml", "_layouts", "_includes"),
    pieces=("_includes",),
    use="{{% include {} %}}",
    layout="_includes/head.html or _layouts/default.html",
)
HUGO = Generator(
    name="Hugo",
    signs=(
        "hugo.toml",
        "hugo.yaml",
        "hugo.json",
        "config.toml",
        "config.yaml",
        "config.json",
        "config",
        "layouts",
    ),
    pieces=(
        "layouts/_partials",
        "layouts/partials",
    ),  # the name since 0.146, and the one that every version knows
    use='{{{{ partial "{}" . }}}}',
    layout="layouts/partials/head.html or layouts/_default/baseof.html",
)
