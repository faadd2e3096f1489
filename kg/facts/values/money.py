"""Sums of money: `12000000 NOK`, digits and the three letters of a currency."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.facts.values.text import require

# ISO 4217, those in use; and those in which older grants were given.
CURRENCY_TABLE = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN
BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD
NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES
VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
ATS BEF DEM ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL NLG PTE SIT SKK
"""
CURRENCIES = frozenset(CURRENCY_TABLE.split())
SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR"}
SUM = re.compile(r"(\d{1,12}(?:\.\d{1,2})?) ?([A-Z]{3})", re.ASCII)
FORM = "Write digits and the three letters of the currency, e.g. 12000000 NOK."


class Money(NamedTuple):
    """A sum as it is written, and its currency."""

    value: str
    currency: str


def read_money(text: str) -> Money:
    """Refuses what is no sum, with what may be meant."""
    found = SUM.fullmatch(text.strip())
    value, currency = found.groups() if found else ("", "")
    require(value, "grant-amount", f"{text!r} is no sum of money. {guess(text)}{FORM}")
    message = f"{text!r}: there is no currency {currency}. {FORM}"
    require(currency in CURRENCIES, "grant-amount", message)
    return Money(value, currency)


def guess(text: str) -> str:
    """`€ 1,500,000` -> a hint how to write it; nothing where it could be something else."""
    for sign, letters in SIGNS.items():
        text = text.replace(sign, f" {letters} ")
    words = re.findall(r"[A-Za-z]+", text)
    digits = re.sub(r"(?<=\d)[ ,.'\u00a0\u202f](?=\d{3}(?!\d))", "", text)
    numbers = re.findall(r"\d+(?:\.\d{1,2})?", digits)
    if len(words) != 1 or len(numbers) != 1 or words[0].upper() not in CURRENCIES:
        return ""
    return f"Did you mean {numbers[0]} {words[0].upper()}? "
