"""Fields of answers, and identifiers. Changes of a source are reported with the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

from pydantic_core import PydanticCustomError

from kg.facts.values.person_identifiers import check_identifier
from kg.plugins.exchange.draft import SourceRecord
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.plugins.exchange.source_rows import rows_of
from kg.plugins.sources.answers import Answer
from kg.plugins.sources.client import Service
from kg.plugins.sources.found import NotFetched

Types = Mapping[type[Any], Sequence[str]]  # names of fields by type


def field(service: Service, answer: Answer, value: Any, kind: type, *path: str) -> Any:
    """The value at a path, which must have this type. Raises NotFetched, which names the field."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(value, kind):
        raise service.changed(answer.address, ".".join(path))
    return value


def check_types(service: Service, answer: Answer, item: Any, types: Types) -> None:
    """Checks optional fields: those that are there have these types. Raises NotFetched."""
    for kind, names in types.items():
        for name in names:
            if item.get(name) is not None:
                field(service, answer, item, kind, name)


def xml_record(service: Service, answer: Answer, root: str) -> SourceRecord:
    """The root element of an XML answer. Raises NotFetched."""
    try:
        found = SourceRecord(rows_of(SourceFile(answer.address, "answer.xml", answer.body)))
    except NotImported as error:
        raise service.failure(answer.address, "sent broken data") from error
    if root not in found:
        raise service.changed(answer.address, root)
    return found.record(root)


def mapping(item: Any, name: str) -> Mapping[str, Any]:
    found = item.get(name) if isinstance(item, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def dictionaries(item: Any, name: str) -> list[dict[str, Any]]:
    found = item.get(name) if isinstance(item, Mapping) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def texts(item: Mapping[str, Any], name: str) -> list[str]:
    """The texts of a list; a single text is one, too."""
    found = item.get(name)
    found = found if isinstance(found, list) else [found]
    return [unescape(each) for each in found if isinstance(each, str) and each.strip()]


def checked_person(scheme: str, text: str) -> str:
    """The bare identifier of a person, without its web address. Raises NotFetched."""
    try:
        return check_identifier(scheme, text)
    except PydanticCustomError as error:
        raise NotFetched(error.message()) from error


def bare(address: str) -> str:
    """`https://ror.org/03yrm5c26` -> `03yrm5c26`."""
    return address.rstrip("/").rpartition("/")[2]
