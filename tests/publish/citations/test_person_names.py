"""Names taken apart: by what is stated, else by a sound guess, else not."""

from __future__ import annotations

import pytest

from kg.publish.citations.person_names import Name, split


@pytest.mark.parametrize(
    ("printed", "family", "given", "name"),
    [
        ("D. K. Panda", "Panda", "Dhabaleswar Kumar", Name("Panda", "D. K.")),
        ("Gabriel García Márquez", "García Márquez", "", Name("García Márquez", "Gabriel")),
        ("Gabriel Garcia Marquez", "García Márquez", "", Name("Garcia Marquez", "Gabriel")),
        ("Zhang Wei", "Zhang", "Wei", Name("Zhang", "Wei")),
        ("Wei Zhang", "Zhang", "Wei", Name("Zhang", "Wei")),
        ("Li Li", "Li", "Li", Name("Li", "Li")),
        ("ZHANG, Wei", "Zhang", "", Name("ZHANG", "Wei")),
        ("Martin King Jr.", "King", "", Name("King", "Martin", "Jr.")),
        ("李珊", "李", "珊", Name("李", "珊")),
        ("Иванов Иван Иванович", "Иванов", "", Name("Иванов", "Иван Иванович")),
        ("Sukarno", "Sukarno", "", Name("Sukarno")),
        ("Ada Born", "Married", "", Name("Born", "Ada")),
    ],
)
def test_what_is_stated_is_believed(printed: str, family: str, given: str, name: Name) -> None:
    assert split(printed, family, given) == name


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Minjia Zhang", Name("Zhang", "Minjia")),
        ("  Ada   M.  Lindqvist ", Name("Lindqvist", "Ada M.")),
        ("Zoë van der Berg", Name("van der Berg", "Zoë")),
        ("María de la Cruz", Name("de la Cruz", "María")),
        ("Nguyen Van Anh", Name("Anh", "Nguyen Van")),
        ("Xu, Guoqing Harry", Name("Xu", "Guoqing Harry")),
        ("Martin Luther King, Jr.", Name("King", "Martin Luther", "Jr.")),
        ("Henry Ford III", Name("Ford", "Henry", "III")),
        ("van Gogh", Name("Gogh", "van")),
        ("Madonna", Name("Madonna")),
        ("Md. Wasiur-Rahman", Name("Wasiur-Rahman", "Md.")),
    ],
)
def test_a_latin_name_is_guessed(printed: str, name: Name) -> None:
    assert split(printed) == name


@pytest.mark.parametrize(
    "printed",
    [
        "李珊",
        "김민지",
        "Лев Толстой",
        "محمد علي",
        "अनिल कुमार",
        "Γιώργος Παπαδόπουλος",
        "Ада Lindqvist",
    ],
)
def test_a_name_in_other_letters_stays_whole(printed: str) -> None:
    assert split(printed) == Name(printed)
