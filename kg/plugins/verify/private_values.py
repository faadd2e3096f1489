"""Searches a published site for the private values of its data."""

from __future__ import annotations

from kg.errors import Problem
from kg.facts.secrets import Secret
from kg.publish.site import Documents
from kg.publish.verify.graphs import fault
from kg.publish.verify.private import found_in, own_part
from kg.publish.verify.source import SiteSource


class Private:
    """Searches everything that is read of a site."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.found: dict[str, list[Secret]] = {}

    def look(self, path: str, body: bytes) -> None:
        if path not in self.found:
            text = own_part(self.documents, path, body)
            if text is not body:  # the same on every site, unless modified
                rendered = self.documents.make(path)
                text = text if rendered and rendered.body == body else body
            self.found[path] = found_in(text, self.documents.graph.secrets)

    def faults(self, source: SiteSource) -> list[Problem]:
        """The findings, including those in files not read so far."""
        for path in source.rest():
            if path not in self.found:
                source.get(path)
        return [
            fault(
                "leak",
                source.name(path),
                f"This file contains the private value from {secret.place}. Take it down.",
            )
            for path in sorted(self.found)
            for secret in self.found[path]
        ]
