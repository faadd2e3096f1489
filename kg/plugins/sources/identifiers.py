"""Checks the identifiers that an author gives to `kg import` and `kg sync`."""

from __future__ import annotations

from pydantic_core import PydanticCustomError

from kg.facts.values.person_identifiers import check_identifier
from kg.plugins.sources.found import NotFetched

ARXIV_DOI = "10.48550/arxiv."


def checked_person(scheme: str, text: str) -> str:
    """The bare identifier of a person, without its web address. Raises NotFetched."""
    try:
        return check_identifier(scheme, text)
    except PydanticCustomError as error:
        raise NotFetched(error.message()) from error


def bare(address: str) -> str:
    """`https://ror.org/03yrm5c26` -> `03yrm5c26`."""
    return address.rstrip("/").rpartition("/")[2]
