"""A value is the same in all its spellings, and no other is taken for it."""

import pytest

from kg.text.spellings import fold, numbers_in, numbers_of, unescaped, words_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ada.l@example.org", "ADA.L@Example.org"),
        ("ada.l@example.org", "ada.l [at] example (dot) org"),
        ("ada.l@example.org", "ada dot l at example dot org"),
        ("ada.l@example.org", "mailto:ada.l%40example.org"),
        ("ada.l@example.org", "ada&#46;l<wbr>@<b>example</b>.org"),
        ("Østergade 5", "OSTERGADE, 5"),
        ("Hauptstraße 12 B", "haupt\u00adstrasse\u00a012\u2013b"),
        ("ﬁre Œuvre’s", "Fire oeuvres"),
        ("https://www.example.org/ada/", "http://example.org/ada"),
        ("さくら通り 5", "さくら通り、５"),
    ],
)
def test_words_are_the_same_in_all_spellings(value: str, text: str) -> None:
    assert words_of(value) in fold(unescaped(text))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ada@example.org", "https://ada.example.org"),
        ("ada@example.org", "Find Ada at example.org"),
        ("Main Street 5", "Main Street 55"),
        ("Ada Berg", "Ada\0Berg"),
    ],
)
def test_other_words_are_not(value: str, text: str) -> None:
    assert words_of(value) not in fold(unescaped(text))


SPELLINGS = (
    "+46 70-123 45 67",
    "0046701234567",
    "070/1234567",
    "+46 (0)70.123.45.67",
    "0701234567",
)


@pytest.mark.parametrize("value", SPELLINGS)
@pytest.mark.parametrize("text", [*SPELLINGS, "2024 070 123 45 67, 3 rooms"])
def test_a_number_is_the_same_in_all_spellings(value: str, text: str) -> None:
    assert numbers_of(value) & set(numbers_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "+47 70 123 45 67",
        "070-123 45 678",
        "090-123 45 67",
        "x0701234567",
        "0701234567f",
        "ISBN 978-0-7012-3456-7",
        "10.1145/0701234567",
        "2019-2023",
    ],
)
def test_other_numbers_are_not(text: str) -> None:
    assert not numbers_of("+46 70-123 45 67") & set(numbers_in(text))


def test_what_is_short_is_no_number() -> None:
    assert numbers_of("123 456") == numbers_of("2019") == set()
