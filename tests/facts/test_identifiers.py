"""Numbers of works: which are right, what is made of them, and where they lead."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic_core import PydanticCustomError

from kg.facts.models.things import check_ror
from kg.facts.values.identifiers import (
    address_in,
    check_arxiv,
    check_doi,
    check_isbn,
    check_license,
    check_pmcid,
    check_pmid,
    doi_address,
)
from kg.facts.values.person_identifiers import check_identifier, check_orcid


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("978-3-16-148410-0", "9783161484100"),
        ("978 3 16 148410 0", "9783161484100"),
        ("0-306-40615-2", "0306406152"),
        ("0-8044-2957-x", "080442957X"),
    ],
)
def test_an_isbn_is_its_digits(written: str, digits: str) -> None:
    assert check_isbn(written) == digits


@pytest.mark.parametrize(
    "written", ["978-3-16-148410-1", "0-306-40615-3", "978-3-16", "X306406152", "isbn", ""]
)
def test_an_isbn_whose_digits_do_not_fit_is_refused(written: str) -> None:
    with pytest.raises(PydanticCustomError, match="is not an ISBN"):
        check_isbn(written)


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("cc-by-nc-sa-3.0", "https://creativecommons.org/licenses/by-nc-sa/3.0/"),
        ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("MIT", "https://spdx.org/licenses/MIT.html"),
        ("https://example.org/terms", "https://example.org/terms"),
    ],
)
def test_a_licence_is_an_address(written: str, address: str) -> None:
    assert check_license(written) == address


@pytest.mark.parametrize("written", ["CC-BY", "CC", "CC4", "cc-by-sa", "CC BY 4.0"])
def test_a_licence_without_its_version_is_refused(written: str) -> None:
    with pytest.raises(PydanticCustomError, match=r"Write its SPDX name, e\.g\. CC-BY-4\.0"):
        check_license(written)


@pytest.mark.parametrize(
    ("scheme", "value", "address"),
    [
        ("hal", "hal-01234567", "https://hal.science/hal-01234567"),
        ("pmid", "31452104", "https://pubmed.ncbi.nlm.nih.gov/31452104/"),
        ("shelfmark", "QE 23", None),
        ("handle", "a b", None),
    ],
)
def test_an_identifier_of_a_known_scheme_leads_somewhere(
    scheme: str, value: str, address: str | None
) -> None:
    assert address_in(scheme, value) == address


def test_dois_of_the_nineties_have_brackets() -> None:
    doi = "10.1603/0046-225X(2008)37[808:ICE]2.0.CO;2"
    assert check_doi(doi) == doi
    assert doi_address(doi) == "https://doi.org/10.1603/0046-225X(2008)37%5B808:ICE%5D2.0.CO;2"


@pytest.mark.parametrize(
    ("check", "written"),
    [
        (check_arxiv, "1987.0123٤"),
        (check_doi, "10.1٣34/x"),
        (check_isbn, "٩٧٨٣١٦١٤٨٤١٠٠"),
        (check_orcid, "0000-0002-1825-009٧"),
        (check_pmcid, "PMC١٩٨٧"),
        (check_pmid, "1٩٨٧"),
        (check_ror, "05gq0298٧"),
        (lambda text: check_identifier("viaf", text), "5169661٦"),
        (lambda text: check_identifier("zbmath", text), "lоvelace.ada"),
    ],
)
def test_signs_that_look_like_others_are_in_no_identifier(
    check: Callable[[str], str], written: str
) -> None:
    with pytest.raises(PydanticCustomError, match="Write"):
        check(written)
