"""Grants: what was given, by whom and for how long; and the part that people have in them."""

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
from kg.vocab import cv, dcterms, measures, rdf, schema

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


KINDS = {
    "contract": "Contract",
    "fellowship": "Fellowship",
    "facility": "Use of a facility",
    "in-kind": "Support in kind",
}
STATUS = {"pending": "Pending", "declined": "Declined"}


class Sum(Fact):
    """A number and a currency, which may be written as one text."""

    accepts_text = True

    value: Annotated[Number, term(schema.value)]

    @model_validator(mode="before")
    @classmethod
    def split(cls, value: Any) -> Any:
        return read_money(value)._asdict() if isinstance(value, str) else value


class Amount(Sum):
    """`12000000 NOK`: a sum of money."""

    types = (schema.MonetaryAmount,)
    key = "amount"

    currency: Annotated[Text, term(schema.currency)]


class Share(Sum, Observation):
    """`3000000 NOK`: how much of a grant came to the owner."""

    fixed = {schema.variableMeasured: measures.share}
    key = "{within}-share"

    currency: Annotated[Text, term(schema.unitText)]


class Investigator(Short, Entry):
    """Somebody else who had a part in a grant."""

    types = (cv.Funding, schema.Role)
    of = (term(schema.funding),)
    key = "person-{person}"
    short = "person"

    person: Annotated[PersonRef, inverse(schema.funding)]
    role: Annotated[Worded, term(schema.roleName), "As what: Co-investigator."] = "Investigator"


class Grant(WithDoi, Main):
    """Money, time or means that somebody was given for research."""

    types = (schema.Grant,)

    title: Annotated[Text, term(schema.name), "As the funder lists it."]
    alternateNames: OtherNames = EMPTY
    funder: Annotated[OrganizationRef | None, term(schema.funder), "Who gave it."] = None
    programme: Annotated[
        ProgrammeRef | None, term(schema.sponsor), "The programme or call of the funder."
    ] = None
    number: Annotated[
        Text | None, unmapped("an identifier of its own"), "The funder's number of it."
    ] = None
    kind: Annotated[
        Literal["grant", "contract", "fellowship", "facility", "in-kind"],
        unmapped("a word beside the name, where it is no plain grant"),
    ] = "grant"
    status: Annotated[
        Literal["awarded", "pending", "declined"],
        unmapped(
            "a word beside the name; what is pending or was declined is private, unless it says "
            "`visibility: public`"
        ),
    ] = "awarded"
    amount: Annotated[
        Amount | None,
        term(schema.amount),
        term(rdf.type, as_=lambda amount: schema.MonetaryGrant),
        "The whole sum and its currency: 12000000 NOK.",
    ] = None
    startDate: Annotated[Date | None, unmapped("the period, as dcterms:date")] = None
    endDate: Annotated[When | None, unmapped("the period, as dcterms:date")] = None
    people: Annotated[list[Investigator], "Who else has a part in it: names, or with a role."] = (
        EMPTY
    )
    project: Annotated[ProjectRef | None, inverse(schema.funding), "What it is for."] = None
    works: Annotated[list[WorkRef], Listed, inverse(schema.funding), "What came of it."] = EMPTY
    summary: Annotated[
        Prose | None, term(schema.description), "What it is for, in a few sentences."
    ] = None
    url: Annotated[WebAddress | None, term(schema.url)] = None

    @computed(term(schema.disambiguatingDescription), field="kind status")
    def label(self) -> str | None:
        """What a reader should know beside the name."""
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
    """A grant that the owner had a part in. Its own fields may stand here, in place, or in
    `data/grants.yaml`, with its key or title as `grant` here.
    """

    types = (cv.Funding, schema.Role)
    of = (inverse(schema.funding),)
    key = "grant-{grant}"

    grant: Annotated[
        GrantRef, term(schema.funding), "Where its own fields do not stand here: which grant."
    ]
    role: Annotated[Worded, term(schema.roleName), "As what: Principal investigator."] = "Recipient"
    share: Annotated[Share | None, "The owner's own part of the sum: 3000000 NOK."] = None
