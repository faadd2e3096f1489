"""Several people in one text are told from one name with a comma, and from the name of a group."""

from __future__ import annotations

import pytest

from kg.advice.several_names import names_in

KNOWN = {"Ada Lindqvist", "A. Lindqvist", "John Smith", "Berg, Ek and Sons"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lindqvist, Bo Ek", ["Ada Lindqvist", "Bo Ek"]),
        ("A. Berg, B. Ek", ["A. Berg", "B. Ek"]),
        ("A. Lindqvist and B. Ek", ["A. Lindqvist", "B. Ek"]),
        ("Ada Berg & Bo Ek", ["Ada Berg", "Bo Ek"]),
        ("Ada Berg / Bo Ek", ["Ada Berg", "Bo Ek"]),
        ("Lindqvist, A.; Ek, B.", ["Lindqvist, A.", "Ek, B."]),
        ("Lindqvist, A., Ek, B.", ["Lindqvist, A.", "Ek, B."]),
        ("Lindqvist, Ada and Ek, Bo", ["Lindqvist, Ada", "Ek, Bo"]),
        ("Lindqvist A, Ek BC", ["Lindqvist A", "Ek BC"]),
        ("Ada Berg, Bo Ek, and Cy Öst", ["Ada Berg", "Bo Ek", "Cy Öst"]),
        ("Ludwig van der Berg und Bo Ek", ["Ludwig van der Berg", "Bo Ek"]),
        ("李珊、王伟", ["李珊", "王伟"]),
        ("Ada Berg et al.", ["Ada Berg"]),
        ("Ada Berg, Bo Ek, Cy Öst and others", ["Ada Berg", "Bo Ek", "Cy Öst"]),
    ],
)
def test_several_names_are_found(text: str, names: list[str]) -> None:
    assert names_in(text, KNOWN.__contains__) == names


@pytest.mark.parametrize(
    "text",
    [
        "Lindqvist, Ada",
        "van der Berg, Jan",
        "van der Berg, Jan Willem",
        "García Márquez, Gabriel José",
        "Berg, U. A.",
        "Lee, K.-H.",
        "Martin Luther King, Jr.",
        "King, M. L., Jr.",
        "Smith, J., III",
        "John Smith, PhD",
        "John Smith, MD PhD",
        "José Ortega y Gasset",
        "M. Al Rasheed",
        "al-Farabi, Abu Nasr",
        "The ATLAS Collaboration",
        "Smith and Sons Ltd",
        "Simon and Schuster",
        "Ernst & Young",
        "Ministry of Health, Labour and Welfare",
        "Food and Agriculture Organization",
        "Department of Physics and Astronomy",
        "ETH, Zürich",
        "AC/DC",
        "Berg, Ek and Sons",
        "Andrea Sand",
    ],
)
def test_one_name_is_one_name(text: str) -> None:
    assert names_in(text, KNOWN.__contains__) == []
