"""Names taken apart: by what is stated, else by a sound guess, else not."""

from __future__ import annotations

import pytest

from kg.text.person_names import PersonName, split


@pytest.mark.parametrize(
    ("printed", "family", "given", "name"),
    [
        ("D. K. Palme", "Palme", "Dagfinn Kolbein", PersonName("Palme", "D. K.")),
        ("Gabriel García Márquez", "García Márquez", "", PersonName("García Márquez", "Gabriel")),
        ("Gabriel Garcia Marquez", "García Márquez", "", PersonName("Garcia Marquez", "Gabriel")),
        ("Zemann Wei", "Zemann", "Wei", PersonName("Zemann", "Wei")),
        ("Wei Zemann", "Zemann", "Wei", PersonName("Zemann", "Wei")),
        ("Li Li", "Li", "Li", PersonName("Li", "Li")),
        ("ZEMANN, Wei", "Zemann", "", PersonName("ZEMANN", "Wei")),
        ("Martin King Jr.", "King", "", PersonName("King", "Martin", "Jr.")),
        ("李珊", "李", "珊", PersonName("李", "珊")),
        ("Иванов Иван Иванович", "Иванов", "", PersonName("Иванов", "Иван Иванович")),
        ("Sukarno", "Sukarno", "", PersonName("Sukarno")),
        ("Ada Born", "Married", "", PersonName("Born", "Ada")),
    ],
)
def test_what_is_stated_is_believed(
    printed: str, family: str, given: str, name: PersonName
) -> None:
    assert split(printed, family, given) == name


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("Mirela Zemann", PersonName("Zemann", "Mirela")),
        ("  Ada   M.  Lindqvist ", PersonName("Lindqvist", "Ada M.")),
        ("Zoë van der Berg", PersonName("van der Berg", "Zoë")),
        ("María de la Cruz", PersonName("de la Cruz", "María")),
        ("Nguyen Van Anh", PersonName("Anh", "Nguyen Van")),
        ("Tom Van Dune", PersonName("Van Dune", "Tom")),
        ("Elena De Sando", PersonName("De Sando", "Elena")),
        ("Gro I De Dunaray", PersonName("De Dunaray", "Gro I")),
        ("A. B. Den Duner", PersonName("Den Duner", "A. B.")),
        ("Carlos De La Duna", PersonName("De La Duna", "Carlos")),
        ("Michel Le Sable", PersonName("Le Sable", "Michel")),
        ("K. Van Der Dune", PersonName("Van Der Dune", "K.")),
        ("Ada D Berg", PersonName("Berg", "Ada D")),
        ("Dilson Lopes de Areia Júnior", PersonName("de Areia Júnior", "Dilson Lopes")),
        ("José Areia Filho", PersonName("Areia Filho", "José")),
        ("Ana Neto", PersonName("Neto", "Ana")),
        ("Muster B.", PersonName("Muster", "B.")),
        ("Berg K.M.", PersonName("Berg", "K.M.")),
        ("MR Berg", PersonName("Berg", "MR")),
        ("van der Berg A. B.", PersonName("van der Berg", "A. B.")),
        ("Y. Z.", PersonName("Z.", "Y.")),
        ("Xu, Gurinrin Hadavi", PersonName("Xu", "Gurinrin Hadavi")),
        ("Martin Luther King, Jr.", PersonName("King", "Martin Luther", "Jr.")),
        ("Henry Ford III", PersonName("Ford", "Henry", "III")),
        ("van Gogh", PersonName("Gogh", "van")),
        ("Madonna", PersonName("Madonna")),
        ("the Sea Ice Study Group", PersonName("the Sea Ice Study Group")),
        ("River Consortium", PersonName("River Consortium")),
        ("Md. Widorli-Runida", PersonName("Widorli-Runida", "Md.")),
    ],
)
def test_a_latin_name_is_guessed(printed: str, name: PersonName) -> None:
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
    assert split(printed) == PersonName(printed)
