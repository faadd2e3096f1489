"""A CV -> a file of another format: what is public is read, one writer takes what its format can
carry, and the rest is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kg.errors import KgError, Problem, ProblemsFound
from kg.exchange.draft import Left
from kg.exchange.writers import (
    bibliography,
    csv_tables,
    europass_xml,
    json_resume_file,
    rendercv_file,
    vcard,
)
from kg.exchange.writers.public_cv import PublicCv, public_cv
from kg.facts.load import Facts
from kg.facts.values.text import closest
from kg.graph.build import Publishable
from kg.publish.citations.citation import Citations

LEAK = "This is private, but would be exported, for it stands in a public field too. Mend that."
FOLDER = "csv"  # the format of several files


class NotExported(KgError):
    """Whoever is to be exported is not there."""


class ExportFormat(NamedTuple):
    title: str
    write: Callable[[PublicCv], bytes | dict[str, bytes]]


FORMATS = {
    "jsonresume": ExportFormat("JSON Resume", json_resume_file.write),
    "rendercv": ExportFormat("RenderCV", rendercv_file.write),
    "bibtex": ExportFormat("BibTeX", bibliography.bibtex),
    "csl": ExportFormat("CSL-JSON", bibliography.csl),
    "vcard": ExportFormat("vCard", vcard.write),
    FOLDER: ExportFormat("CSV", csv_tables.write),
    "europass": ExportFormat("Europass", europass_xml.write),
}


class Exported(NamedTuple):
    """The files by name; one file alone has none. And what could not be carried."""

    files: dict[str, bytes]
    left: list[Left]


def export_cv(facts: Facts, graph: Publishable, slug: str, name: str) -> Exported:
    """The CV of a person, as far as it is public, in the format of this name."""
    if slug not in facts.owners or ("people", slug) in facts.private:
        near = closest(slug, facts.owners)
        hint = f" Closest: {', '.join(near)}." if near else ""
        raise NotExported(f"There is no public CV '{slug}'.{hint}")
    works = Citations(graph.memory, graph.site.base).read(f"people/{slug}")
    cv = public_cv(facts, slug, works)
    found = FORMATS[name].write(cv)
    files = found if isinstance(found, dict) else {"": found}
    for content in files.values():
        if secrets := graph.secrets.found_in(content.decode()):
            problems = [Problem(each.place, "error", LEAK, "leak") for each in secrets]
            raise ProblemsFound(problems, facts.folder)
    return Exported(files, cv.left())
