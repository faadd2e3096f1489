"""Sums of money, as people write them."""

import pytest
from pydantic_core import PydanticCustomError

from kg.facts.models.grants import CURRENCIES, amount_hint, read_money


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("12000000 NOK", "12000000", "NOK"),
        (" 250000.50 EUR ", "250000.50", "EUR"),
        ("5USD", "5", "USD"),
    ],
)
def test_digits_and_a_currency_are_a_sum(text: str, value: str, currency: str) -> None:
    assert read_money(text) == (value, currency)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("€ 1,500,000", "1500000 EUR"),
        ("1.500.000 EUR", "1500000 EUR"),
        ("NOK 12 000 000", "12000000 NOK"),
        ("12'000.50 chf", "12000.50 CHF"),
        ("1.5 million EUR", ""),
        ("1500000", ""),
        ("12 EUR and 5 EUR", ""),
        ("12 XXX", ""),
        ("", ""),
    ],
)
def test_what_is_no_sum_is_refused_with_what_may_be_meant(text: str, meant: str) -> None:
    assert amount_hint(text) == (f"Did you mean {meant}? " if meant else "")
    with pytest.raises(PydanticCustomError) as refused:
        read_money(text)
    assert refused.value.type == "grant-amount"


def test_currencies_are_three_letters() -> None:
    assert len(CURRENCIES) > 150
    assert {len(each) for each in CURRENCIES} == {3}
