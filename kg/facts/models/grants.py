"""Models of grants, and of people's roles in them."""

import re
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import model_validator

from kg.facts.models.base import (
    EMPTY,
    Dated,
    Entry,
    Identifier,
    Main,
    Observation,
    OtherNames,
    Short,
    WithDoi,
)
from kg.facts.values.dates import SPAN_TERMS, Date, DaySpan, Edtf, When, period, span
from kg.facts.values.languages import Worded
from kg.facts.values.prose import Prose
from kg.facts.values.references import (
    GrantRef,
    OrganizationRef,
    PersonRef,
    ProgrammeRef,
    ProjectRef,
    WorkRef,
)
from kg.facts.values.terms import Fact, computed, inverse, term, unmapped
from kg.facts.values.text import Listed, Number, Text, WebAddress, require
from kg.vocab import cv, dcterms, rdf, schema

# ISO 4217: current currencies, then former ones for older grants.
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
AMOUNT_HELP = "Write the amount in digits and the currency code, e.g. 12000000 NOK."


class Money(NamedTuple):
    """An amount as written, and its currency."""

    value: str
    currency: str


def read_money(text: str) -> Money:
    """Parses an amount; an error suggests a correction."""
    found = SUM.fullmatch(text.strip())
    value, currency = found.groups() if found else ("", "")
    require(
        value,
        "grant-amount",
        f"{text!r} is not an amount of money. {amount_hint(text)}{AMOUNT_HELP}",
    )
    message = f"{text!r} has an unknown currency. {AMOUNT_HELP}"
    require(currency in CURRENCIES, "grant-amount", message)
    return Money(value, currency)


def amount_hint(text: str) -> str:
    """`€ 1,500,000` -> `Did you mean 1500000 EUR?`; empty if ambiguous."""
    for sign, letters in SIGNS.items():
        text = text.replace(sign, f" {letters} ")
    words = re.findall(r"[A-Za-z]+", text)
    digits = re.sub(r"(?<=\d)[ ,.'\u00a0\u202f](?=\d{3}(?!\d))", "", text)
    numbers = re.findall(r"\d+(?:\.\d{1,2})?", digits)
    if len(words) != 1 or len(numbers) != 1 or words[0].upper() not in CURRENCIES:
        return ""
    return f"Did you mean {numbers[0]} {words[0].upper()}? "


KINDS = {
    "contract": "Contract",
    "fellowship": "Fellowship",
    "facility": "Use of a facility",
    "in-kind": "Support in kind",
}
STATUS = {"pending": "Pending", "declined": "Declined"}


class Sum(Fact):
    """A number and a currency; can be one text."""

    accepts_text = True

    value: Annotated[Number, term(schema.value)]

    @model_validator(mode="before")
    @classmethod
    def split(cls, value: Any) -> Any:
        return read_money(value)._asdict() if isinstance(value, str) else value


class Amount(Sum):
    """`12000000 NOK`: an amount of money."""

    types = (schema.MonetaryAmount,)
    key = "amount"

    currency: Annotated[Text, term(schema.currency)]


class Share(Sum, Observation):
    """`3000000 NOK`: the person's share of a grant."""

    fixed = {schema.variableMeasured: cv.share}
    key = "{within}-share"

    currency: Annotated[Text, term(schema.unitText)]


class Investigator(Short, Entry):
    """Another person with a role in a grant."""

    types = (cv.Funding, schema.Role)
    of = (term(schema.funding),)
    key = "person-{person}"
    short = "person"

    person: Annotated[PersonRef, inverse(schema.funding)]
    role: Annotated[Worded, term(schema.roleName), "Their role: Co-investigator."] = "Investigator"


class Grant(WithDoi, Main):
    """Funding for research: money, time or resources."""

    types = (schema.Grant,)

    title: Annotated[Text, term(schema.name), "The title in the funder's records."]
    alternateNames: OtherNames = EMPTY
    funder: Annotated[OrganizationRef | None, term(schema.funder), "The funder."] = None
    programme: Annotated[
        ProgrammeRef | None, term(schema.sponsor), "The funder's programme or call."
    ] = None
    number: Annotated[Text | None, unmapped("becomes an identifier node"), "The grant number."] = (
        None
    )
    kind: Annotated[
        Literal["grant", "contract", "fellowship", "facility", "in-kind"],
        unmapped("becomes a label beside the name, unless it is a grant"),
    ] = "grant"
    status: Annotated[
        Literal["awarded", "pending", "declined"],
        unmapped(
            "becomes a label beside the name; pending and declined grants are private by default"
        ),
    ] = "awarded"
    amount: Annotated[
        Amount | None,
        term(schema.amount),
        term(rdf.type, as_=lambda amount: schema.MonetaryGrant),
        "The total amount: 12000000 NOK.",
    ] = None
    startDate: Annotated[Date | None, unmapped("becomes part of dcterms:date")] = None
    endDate: Annotated[When | None, unmapped("becomes part of dcterms:date")] = None
    people: Annotated[list[Investigator], "The other people: names, or names with roles."] = EMPTY
    project: Annotated[ProjectRef | None, inverse(schema.funding), "The project that it funds."] = (
        None
    )
    works: Annotated[list[WorkRef], Listed, inverse(schema.funding), "The resulting works."] = EMPTY
    summary: Annotated[Prose | None, term(schema.description), "A short description."] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @computed(term(schema.disambiguatingDescription), field="kind status")
    def label(self) -> str | None:
        """A label beside the name."""
        words = filter(None, [KINDS.get(self.kind), STATUS.get(self.status)])
        return ", ".join(words).capitalize() or None

    @computed(term(dcterms.date), field="endDate startDate")
    def edtf(self) -> Edtf | None:
        return period(self.startDate, self.endDate) if self.startDate or self.endDate else None

    @computed(*SPAN_TERMS, field="endDate startDate")
    def span(self) -> DaySpan | None:
        return span(self.startDate, self.endDate)

    @computed(term(schema.identifier), field="number")
    def numbered(self) -> Identifier | None:
        if not self.number:
            return None
        return Identifier.unchecked(scheme="number", propertyID="grant-number", value=self.number)


class Funding(Dated):
    """A grant that you had a role in. Write its fields here, or its key or title from
    `data/grants.yaml` as `grant`.
    """

    types = (cv.Funding, schema.Role)
    of = (inverse(schema.funding),)
    key = "grant-{grant}"

    grant: Annotated[
        GrantRef,
        term(schema.funding),
        "The key or title of the grant, unless you write its fields here.",
    ]
    role: Annotated[Worded, term(schema.roleName), "Your role: Principal investigator."] = (
        "Recipient"
    )
    share: Annotated[Share | None, "Your share of the amount: 3000000 NOK."] = None
