"""The OpenAPI 3.1 description of a site: questions with their parameters, the endpoint, the search,
and the documents, as `openapi.json` and as the page `api.html`.

It is written with the site, so that the same site gives the same bytes. Its addresses are relative
to its own, so that they work behind any proxy.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from kg.publish.added_files import AddedFiles, FileAdder, Publication
from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    GRAPHS,
    HTML,
    JSON,
    SHORT_NAMES,
    TABLE_SUFFIXES,
    TABLES,
    TEXT,
)
from kg.publish.formats.urls import is_folder, root_of
from kg.settings import Site
from kg.sparql.reading.own_queries import columns
from kg.sparql.reading.parameters import THINGS, Parameter
from kg.sparql.reading.questions import Question

FILE, PAGE = "openapi.json", "api.html"
VERSION = "3.1.0"
MAX_EXAMPLES = 10  # slugs of one kind
Json = dict[str, Any]
Slugs = Mapping[str, Sequence[str]]  # by kind, in order
ABOUT = (
    "Every question has an address, such as queries/coauthors-of.csv?person=… Give a person or "
    "another entry by its slug, its address or its exact name. Tables are available as "
    f"{' '.join(TABLE_SUFFIXES)}, graphs as {' '.join(DUMP_SUFFIXES)}. Without a suffix, the "
    "Accept header decides (default: HTML). A copy of the site in a folder has only the answers "
    "that need no parameters, as files; a server has all of them."
)
FORMAT_DESCRIPTION = "Format of the answer; overrides the Accept header."
STRING: Json = {"type": "string", "minLength": 1}
VALUES: dict[str, Json] = {  # by parameter type; all others are strings
    "number": {"type": "number"},
    "date": {"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"},
}
PROBLEMS = {
    "400": "Invalid value. The message names the parameter and suggests values.",
    "406": "Not available in this format.",
    "503": "The server is busy. Retry after the number of seconds in Retry-After.",
    "504": "The query timed out.",
    "default": "Another error; see the message.",
}
TERM = {
    "type": "object",
    "required": ["type", "value"],
    "properties": {
        "type": {"enum": ["uri", "literal", "bnode", "triple"]},
        "value": {},
        "datatype": {"type": "string"},
        "xml:lang": {"type": "string"},
    },
}
SCHEMAS = {
    "Answer": {
        "description": "A table or an ASK result in SPARQL 1.1 Query Results JSON.",
        "type": "object",
        "required": ["head"],
        "properties": {
            "head": {
                "type": "object",
                "properties": {"vars": {"type": "array", "items": {"type": "string"}}},
            },
            "results": {
                "type": "object",
                "required": ["bindings"],
                "properties": {
                    "bindings": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": {"$ref": "#/components/schemas/Term"},
                        },
                    }
                },
            },
            "boolean": {"type": "boolean"},
        },
    },
    "Term": TERM,
    "Problem": {
        "type": "object",
        "required": ["status", "detail"],
        "properties": {
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
        },
    },
}


ADDRESSES: Json = {
    "name": "addresses",
    "in": "query",
    "description": "Whether CSV, TSV and XML also have columns with addresses, as JSON has.",
    "schema": {"enum": ["yes", "no"], "default": "no"},
}


class Operation(NamedTuple):
    """An operation as shown on the page. `parameters` are names, meanings and notes; `page` is that
    of the question.
    """

    anchor: str
    summary: str
    description: str
    example: str
    parameters: Sequence[tuple[str, str, str]]
    page: str


def text(described: Json) -> bytes:
    return json.dumps(described, ensure_ascii=False, indent=1).encode() + b"\n"


def describe(
    site: Site, questions: Iterable[Question], addresses: Iterable[str], suffixes: Mapping[str, str]
) -> Json:
    """`addresses` are those of documents, `suffixes` their formats with media types."""
    slugs: dict[str, list[str]] = defaultdict(list)
    for address in addresses:
        if not is_folder(address):
            kind, _, slug = address.partition("/")
            slugs[kind].append(slug)
    asked = {
        f"/queries/{each.name}.{{form}}": {"get": ask(site.base, each, slugs)} for each in questions
    }
    return {
        "openapi": VERSION,
        "info": {"title": site.title, "version": "1", "description": ABOUT},
        "servers": [{"url": "."}],
        "paths": {
            **asked,
            "/sparql": endpoint(),
            "/search": {"get": search()},
            "/{kind}/{slug}.{form}": {"get": document(slugs, suffixes)},
        },
        "components": {
            "schemas": SCHEMAS,
            "responses": {code: problem(words) for code, words in PROBLEMS.items()},
        },
    }


def ask(base: str, question: Question, slugs: Slugs) -> Json:
    suffixes = TABLE_SUFFIXES if question.is_table else DUMP_SUFFIXES
    found = columns(question.text, base)
    more = [each.address for each in question.columns if each.address]
    words = f"Columns: {', '.join(found)}." if found else "The answer."
    words += f" JSON also has {', '.join(more)}." if more else ""
    return {
        "operationId": question.name,
        "summary": question.summary,
        **({"description": question.description} if question.description else {}),
        **({"tags": list(question.tags)} if question.tags else {}),
        "externalDocs": {"url": f"queries/{question.name}.html"},
        "parameters": [
            format_parameter(suffixes),
            *(value_of(each, slugs) for each in question.parameters),
            *([ADDRESSES] if more else []),
        ],
        "responses": responses(words, suffixes.values()),
    }


def value_of(asked: Parameter, slugs: Slugs) -> Json:
    """A parameter of a question. If the site does not have its example, another entry is used."""
    read = number if asked.type == "number" else str
    schema = {**VALUES.get(asked.type, STRING)}
    if asked.default:
        schema["default"] = read(asked.default)
    example = asked.example or asked.default
    if asked.is_thing:
        known = slugs.get(THINGS[asked.type], [])
        example = example if example in known else next(iter(known), "")
        schema["examples"] = list(dict.fromkeys([example, *known]))[:MAX_EXAMPLES] if known else []
    words = f"{asked.meaning} ({asked.type})" if asked.is_thing else asked.meaning
    return {
        **parameter(asked.name, words, schema, read(example) if example else None),
        **({"required": True} if asked.is_required else {"allowEmptyValue": True}),
    }


def number(text: str) -> float:
    found = float(text)
    return int(found) if found.is_integer() else found


def parameter(
    name: str, words: str, schema: Json, example: object = None, is_in_path: bool = False
) -> Json:
    return {
        "name": name,
        "in": "path" if is_in_path else "query",
        **({"required": True} if is_in_path else {}),
        "description": words,
        "schema": schema,
        **({} if example is None else {"example": example}),
    }


def format_parameter(suffixes: Iterable[str]) -> Json:
    known = [suffix[1:] for suffix in suffixes]
    return parameter("form", "Format of the answer.", {"enum": known}, known[0], is_in_path=True)


def responses(words: str, media_types: Iterable[str]) -> Json:
    content: Json = {media_type: {} for media_type in media_types}
    if TABLES[0] in content:
        content[TABLES[0]] = {"schema": {"$ref": "#/components/schemas/Answer"}}
    return {
        "200": {"description": words, "content": content},
        **{code: {"$ref": f"#/components/responses/{code}"} for code in PROBLEMS},
    }


def problem(words: str) -> Json:
    schema = {"$ref": "#/components/schemas/Problem"}
    content: Json = {TEXT: {}, HTML: {}, "application/problem+json": {"schema": schema}}
    return {"description": words, "content": content}


def endpoint() -> Json:
    """The SPARQL 1.1 Protocol, read-only."""
    query = parameter(
        "query",
        "A SPARQL 1.1 query. Without it, the service description is returned.",
        STRING,
        "SELECT * { ?s ?p ?o } LIMIT 10",
    )
    addresses = {"type": "array", "items": {"type": "string", "format": "uri"}}
    seconds = {"type": "number", "minimum": 1}
    others = [
        parameter("default-graph-uri", "IRIs of the default graphs.", addresses),
        parameter("named-graph-uri", "IRIs of the named graphs.", addresses),
        parameter("format", FORMAT_DESCRIPTION, {"enum": list(SHORT_NAMES)}),
        parameter("timeout", "Timeout in seconds, up to the limit of the server.", seconds),
    ]
    answered = responses(
        "The answer: a table for SELECT and ASK, otherwise a graph.", [*TABLES, *GRAPHS, HTML]
    )
    form = {"type": "object", "required": ["query"], "properties": {"query": STRING}}
    bodies = {
        "application/x-www-form-urlencoded": {"schema": form},
        "application/sparql-query": {"schema": STRING},
    }
    return {
        "get": {
            "operationId": "sparql",
            "summary": "Run a SPARQL query.",
            "parameters": [query, *others],
            "responses": answered,
        },
        "post": {
            "operationId": "sparql-post",
            "summary": "Run a SPARQL query that is too long for a URL.",
            "parameters": others,
            "requestBody": {"required": True, "content": bodies},
            "responses": answered,
        },
    }


def search() -> Json:
    return {
        "operationId": "search",
        "summary": "Search entries by name.",
        "parameters": [
            parameter("q", "Search words.", {"type": "string"}, "learning"),
            parameter("format", FORMAT_DESCRIPTION, {"enum": ["json", "html"]}),
        ],
        "responses": responses("Search results, best first.", [JSON, HTML]),
    }


def document(slugs: Slugs, suffixes: Mapping[str, str]) -> Json:
    kind = "people" if "people" in slugs else next(iter(slugs))
    words = "The {} part of its address."
    one = {"type": "string", "pattern": "^[a-z0-9-]+$"}
    return {
        "operationId": "document",
        "summary": "Get the data of one page.",
        "parameters": [
            parameter("kind", words.format("first"), {"enum": list(slugs)}, kind, is_in_path=True),
            parameter("slug", words.format("last"), one, slugs[kind][0], is_in_path=True),
            format_parameter(suffixes),
        ],
        "responses": responses("The document.", suffixes.values()),
    }


def operations(described: Json) -> Iterator[Operation]:
    """The operations of the description, for the page."""
    for path, methods in described["paths"].items():
        for method, said in methods.items():
            page = said.get("externalDocs", {}).get("url", "")
            given = [each for each in said["parameters"] if "example" in each]
            values = {each["name"]: each["example"] for each in given}
            fields = {
                each["name"]: each["example"]
                for each in given
                if each["in"] == "query" and ("required" in each or not page)
            }
            asked = f"?{urlencode(fields)}" if fields else ""
            yield Operation(
                said["operationId"],
                said["summary"],
                said.get("description", ""),
                f"{method.upper()} /{path[1:].format(**values)}{asked}".removeprefix("GET /"),
                [
                    (each["name"], each["description"], notes(each))
                    for each in said["parameters"]
                    if each["name"] != "form" or not page
                ],
                page,
            )


def notes(parameter: Json) -> str:
    """Whether a parameter is required, its possible values, or its default and an example."""
    schema = parameter["schema"]
    if "enum" in schema:
        return ", ".join(schema["enum"])
    needed = ["needed"] if "required" in parameter else []
    default = [f"default: {schema['default']}"] if "default" in schema else []
    example = [f"for example {parameter['example']}"] if "example" in parameter else []
    return ", ".join([*needed, *(default or example)])


def described(documents: Publication) -> Json:
    """The description of a site."""
    questions, addresses = documents.questions.values(), sorted(documents.addresses)
    return describe(documents.graph.site, questions, addresses, documents.suffixes)


def make(documents: Publication, path: str) -> bytes:
    found = described(documents)
    if path == FILE:
        return text(found)
    return documents.pages.rendered(
        PAGE, about=ABOUT, file=FILE, operations=list(operations(found)), root=root_of(path)
    )


def files_of(documents: Publication) -> AddedFiles:
    types = {FILE: JSON, PAGE: HTML}
    return AddedFiles(types, make, own=lambda documents, body: documents.own_queries)


FILES = FileAdder(files_of)
