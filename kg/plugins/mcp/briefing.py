"""MCP resources: the schema, the prefixes, the questions, and every document by its address."""

from __future__ import annotations

from dataclasses import dataclass

from kg.plugins.mcp.schema_overview import prefixes_text, schema_text
from kg.plugins.mcp.toolbox import Toolbox, questions_text
from kg.publish.formats.media import MARKDOWN, TEXT
from kg.publish.site import Documents


@dataclass(frozen=True, slots=True)
class Brief:
    """A text resource."""

    uri: str
    name: str
    description: str
    media_type: str = MARKDOWN


BRIEFS = (
    Brief(
        "kg://schema",
        "Schema overview",
        "Classes and properties of the graph, with their number of uses and target types.",
    ),
    Brief("kg://prefixes", "Prefixes", "PREFIX declarations for queries.", TEXT),
    Brief(
        "kg://questions",
        "Questions",
        "The named questions, with their parameters.",
    ),
)


class Briefing:
    """Reads the resources of one site."""

    def __init__(self, documents: Documents, tools: Toolbox) -> None:
        self.documents, self.tools = documents, tools

    def read(self, uri: str) -> tuple[str, str] | None:
        """The media type and the text of a resource, or None if it does not exist."""
        found = next((each for each in BRIEFS if each.uri == uri), None)
        if found is None:
            return self.document(uri)
        makers = {
            "kg://schema": lambda: schema_text(self.documents),
            "kg://prefixes": lambda: prefixes_text(self.documents.base),
            "kg://questions": lambda: questions_text(self.tools.asking),
        }
        return found.media_type, makers[uri]()

    def document(self, uri: str) -> tuple[str, str] | None:
        """A document by its address, or one of its formats: `people/ada`, `people/ada.ttl`."""
        base, addresses = self.documents.base, self.documents.addresses
        path = uri.partition("#")[0].removeprefix(base)
        if not uri.startswith(base):
            return None
        if path in addresses:
            return MARKDOWN, self.documents.write(path, MARKDOWN).decode()
        is_form = path in self.documents.files and self.documents.files[path][0] in addresses
        found = self.documents.get(path) if is_form else None
        return (found.media_type, found.body.decode()) if found else None
