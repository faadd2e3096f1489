"""Private values in what is published. Only who has the facts knows them."""

from __future__ import annotations

from kg.errors import Problem
from kg.facts.secrets import Secret
from kg.publish.export.leaks import found_in, own_part
from kg.publish.proof.faults import fault
from kg.publish.proof.source import Source
from kg.publish.site import Documents


class Private:
    """Looks at all that is read of a site."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.found: dict[str, list[Secret]] = {}

    def look(self, path: str, body: bytes) -> None:
        if path not in self.found:
            said = own_part(self.documents, path, body)
            if said is not body and self.is_tampered(path, body):
                said = body
            self.found[path] = found_in(said, self.documents.graph.secrets)

    def is_tampered(self, path: str, body: bytes) -> bool:
        made = self.documents.make(path)
        return made is None or made.body != body

    def faults(self, source: Source) -> list[Problem]:
        """What was found, also in files that nobody read so far."""
        for path in source.rest():
            if path not in self.found:
                source.get(path)
        return [
            fault(
                "leak",
                source.name(path),
                f"The private value written at {secret.place} stands here. Take it down.",
            )
            for path in sorted(self.found)
            for secret in self.found[path]
        ]
