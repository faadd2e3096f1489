"""MCP resources: the schema, the prefixes, the questions, and every document by its address."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from kg.plugins.mcp.toolbox import AgentTool, Toolbox
from kg.publish.formats.media import MARKDOWN, TEXT
from kg.publish.questions.results import CellMaker
from kg.publish.site import Documents
from kg.vocab import names, rdf

MAX_CLASSES = 25
MAX_PROPERTIES = 12  # per class
MAX_TARGETS = 2  # per property
INTRODUCTION = """# The graph of {base}

{triples:,} triples. The IRI of an entity is <{base}people/SLUG#it>; <{base}people/SLUG> is its \
document. In queries, you can write <people/SLUG#it>. dcterms:source links a fact to the documents \
it was taken from. Each class and property is listed with its number of uses and its target types.

```sparql
PREFIX schema: <http://schema.org/>
SELECT ?person ?name (COUNT(?work) AS ?works) WHERE {{
  ?work schema:author ?person .
  ?person schema:name ?name .
}} GROUP BY ?person ?name ORDER BY DESC(?works) LIMIT 10
```"""


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
        "The named questions, each of which is a tool, with their parameters.",
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
            "kg://questions": lambda: questions_text(self.tools),
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


def schema_text(documents: Documents) -> str:
    """The most frequent classes, each with its most frequent properties."""
    counts, base = documents.counts(), documents.base
    short = CellMaker(base, lambda iri: "").short
    leads: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (kind, property, target), _ in (counts.links + counts.datatypes).most_common():
        leads[kind, property].append(short(target))
    properties: dict[str, Counter[str]] = defaultdict(Counter)
    for (kind, property), tally in counts.uses.items():
        if property != rdf.type:
            properties[kind][property] = tally.triples
    classes = counts.classes.most_common()
    lines = [INTRODUCTION.format(base=base, triples=counts.totals["triples"])]
    for kind, number in classes[:MAX_CLASSES]:
        lines += ["", f"## {short(kind)}: {number:,} entities"]
        for property, uses in properties[kind].most_common(MAX_PROPERTIES):
            targets = " or ".join(leads[kind, property][:MAX_TARGETS])
            lines.append(f"- {short(property)} {uses:,}" + (f" -> {targets}" if targets else ""))
    others = ", ".join(f"{short(kind)} {number:,}" for kind, number in classes[MAX_CLASSES:])
    return "\n".join([*lines, *(["", f"Other classes: {others}."] if others else []), ""])


def prefixes_text(base: str) -> str:
    return "".join(
        f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in sorted(names(base).items())
    )


def questions_text(tools: Toolbox) -> str:
    lines = ["# Questions", ""]
    for tool in tools.asking:
        lines.append(f"- `{tool.name}`: {tool.description}")
        lines += [f"  - {line}" for line in argument_lines(tool)]
    return "\n".join(lines) + "\n"


def argument_lines(tool: AgentTool) -> list[str]:
    """`person: whose co-authors (…), such as ada`"""
    needed = tool.input_schema["required"]
    return [
        f"{name}: {schema['description']}"
        + "".join(f", such as {each}" for each in schema.get("examples", []))
        + ("" if name in needed else ", optional")
        for name, schema in tool.input_schema["properties"].items()
    ]
