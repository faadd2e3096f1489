"""`site.json`: what a server needs to know about a built folder beyond its files.

The build writes it, and `kg serve FOLDER` reads it, so that nothing is read back out of pages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from kg.check.redirects import Redirects
from kg.errors import KgError, Place
from kg.mapping import iris
from kg.settings import Site, Withdrawn, query
from kg.store.protocol import Store

FILE = "site.json"


@dataclass(frozen=True)
class SiteSummary:
    """The settings of a site that its pages show, the titles of its documents by their addresses,
    and where former documents went.
    """

    base: str
    title: str
    license: str | None = None
    contact: str | None = None
    has_own_templates: bool = False
    titles: dict[str, str] = field(default_factory=dict)
    redirects: Redirects = field(default_factory=Redirects)

    @classmethod
    def of(cls, site: Site, store: Store, redirects: Redirects) -> SiteSummary:
        titles = {
            iris.path_of(site.base, row["document"].value) or "": row["name"].value
            for row in store.select(query("site/titles"))
        }
        own = (site.folder / "templates").is_dir()
        return cls(site.base, site.title, site.license, site.contact, own, titles, redirects)

    @classmethod
    def read(cls, folder: Path) -> SiteSummary:
        try:
            found = json.loads((folder / FILE).read_bytes())
            redirects = Redirects(
                found["moved"],
                {
                    address: Withdrawn(address, gone["reason"], gone["date"], Place(FILE))
                    for address, gone in found["withdrawn"].items()
                },
            )
            names = ("base", "title", "license", "contact", "has_own_templates", "titles")
            return cls(**{name: found[name] for name in names}, redirects=redirects)
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise KgError(
                f"{folder / FILE} is missing or damaged, or from another version. Run kg build "
                "again."
            ) from error

    def text(self) -> bytes:
        value = {
            "base": self.base,
            "title": self.title,
            "license": self.license,
            "contact": self.contact,
            "has_own_templates": self.has_own_templates,
            "moved": dict(self.redirects.moved),
            "withdrawn": {
                address: {"reason": gone.reason, "date": gone.date}
                for address, gone in self.redirects.withdrawn.items()
            },
            "titles": self.titles,
        }
        return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
