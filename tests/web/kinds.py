"""A page of each kind, of the example, on a server and on a plain web host."""

from __future__ import annotations

from pathlib import Path

from kg.facts.models import REGISTRIES
from tests.web.serving import KEY

PLACES = ("server", "folder")
OTHERS = {
    "home": "",
    "person": "people/ada-lindqvist.html",
    "short CV": "people/tomas-ferreira.html",
    "without a CV": "people/noor-haddad.html",
    "terms": "terms/cv.html",
    "found": "search.html?q=gauges",
    "format": "format.html",
    "api": "api.html",
    "form": "sparql.html",
}
LISTS = {f"{kind}/": f"{kind}/" for kind in ("people", "publications", "orgs")}
KINDS = (*OTHERS, *LISTS, *REGISTRIES, "missing")
ASKED = {
    "asked": "sparql?query=SELECT+*+%7B+%3Fs+%3Fp+%3Fo+%7D+LIMIT+5",
    "refused": "sparql?query=SELECT",
    "endpoint": "sparql",
}


def address(place: str, kind: str, folder: Path) -> str:
    """The path of a page of a kind: of things, the one with most in it."""
    if kind == "missing":
        return "people/nobody" if place == "server" else "404.html"
    if kind in REGISTRIES:
        files = [file for file in folder.joinpath(kind).glob("*.html") if file.name != "index.html"]
        return f"{kind}/{max(files, key=lambda file: (file.stat().st_size, file.name)).name}"
    return {**OTHERS, **LISTS, **ASKED, "console": f"console?key={KEY}"}[kind]
