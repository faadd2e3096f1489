"""Rules for the items of a page. Each mistake has its rule and place.

Errors make data unreadable for programs. Warnings are what search engines or people complain about.
Infos are suggestions.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from kg.advice.date_guesses import guesses
from kg.errors import Severity
from kg.plugins.audit.data_items import DataItem, Literal
from kg.plugins.audit.vocabulary import schema_org
from kg.publish.formats.slim import DESCRIBED, FEWEST_CRUMBS, REQUIRED
from kg.text.nearest import closest

RECOMMENDED = {
    "ProfilePage": ("dateModified",),
    "Person": ("url", "sameAs", "image", "description"),
    "ScholarlyArticle": ("author", "datePublished"),
    "Dataset": ("creator", "license"),
}
ADDRESSES = frozenset(("url", "sameAs", "image", "logo", "contentUrl", "item", "license"))
WEB = re.compile(r"https?://\S+|(?:mailto|tel|urn|doi|data):\S+", re.IGNORECASE)
LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?=[:/]|$)")
DATE = re.compile(r"date[A-Z]\w*|\w+Date")
DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
TIME = re.compile(
    r"[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?", re.IGNORECASE
)
TEMPLATE = re.compile(r"\{\{|\}\}|\{%|<no value>|\[object Object\]|^(?:undefined|null|NaN)$")
ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)
PRIVATE = {"email": "e-mail address", "telephone": "telephone number", "birthDate": "birthday"}
MAX_QUOTED = 60


class DataFault(NamedTuple):
    severity: Severity
    rule: str
    message: str
    place: int


def quoted(text: str) -> str:
    return f"'{text[:MAX_QUOTED]}…'" if len(text) > MAX_QUOTED else f"'{text}'"


def faults(item: DataItem, above: DataItem | None = None) -> Iterator[DataFault]:
    """The mistakes of an item and all nested ones."""
    kinds = item.kinds()
    is_ours = all(":" not in kind for kind in kinds)
    yield from types(item, above)
    for name, place, value in item.properties:
        if ":" not in name:
            yield from property_fault(name, place, kinds if is_ours else [])
            if isinstance(value, Literal):
                yield from value_faults(name, value, item.is_json)
    if item.iri and item.is_json:
        yield from address_faults("@id", item.iri)
    if is_ours and item.properties:
        yield from incomplete(item, above)
    for _, _, value in item.properties:
        if isinstance(value, DataItem):
            yield from faults(value, item)


def types(item: DataItem, above: DataItem | None) -> Iterator[DataFault]:
    vocabulary = schema_org()
    for name, place in item.types:
        if ":" in name or vocabulary.is_class(name):
            if new := vocabulary.replaced.get(name):
                message = f"The schema.org type {name} is deprecated. Write {new}."
                yield DataFault("info", "replaced-term", message, place)
            continue
        severity, advice = near(name, is_class=True)
        message = f"unknown schema.org type {quoted(name)}. {advice}"
        yield DataFault(severity, "unknown-type", message, place)
    if not item.types and item.properties and above is None:
        message = "The item has no type. Add one, such as Person."
        yield DataFault("warning", "no-type", message, item.place)


def near(name: str, is_class: bool) -> tuple[Severity, str]:
    """What an unknown term may mean. A term unlike any other may be newer than our list."""
    words = schema_org().classes if is_class else schema_org().properties
    same = [word for word in words if word.lower() == name.lower()]
    found = same or closest(name, words, most=1, cutoff=0.7)
    if found:
        return "error", f"Did you mean '{found[0]}'?"
    return "warning", "Check whether it is new at schema.org, or remove it."


def property_fault(name: str, place: int, kinds: list[str]) -> Iterator[DataFault]:
    vocabulary = schema_org()
    if not vocabulary.is_property(name):
        severity, advice = near(name, is_class=False)
        message = f"unknown schema.org property {quoted(name)}. {advice}"
        yield DataFault(severity, "unknown-property", message, place)
    elif new := vocabulary.replaced.get(name):
        message = f"The schema.org property '{name}' is deprecated. Write '{new}'."
        yield DataFault("info", "replaced-term", message, place)
    elif (known := [kind for kind in kinds if vocabulary.is_class(kind)]) and not vocabulary.fits(
        name, known
    ):
        owners = " or ".join(vocabulary.owners[name][:3])
        message = f"'{name}' is not a property of {known[0]}, but of {owners}."
        yield DataFault("warning", "wrong-class", message, place)


def value_faults(name: str, value: Literal, is_json: bool) -> Iterator[DataFault]:
    text = value.text.strip()
    if not text:
        message = f"'{name}' is empty. Add a value, or remove it."
        yield DataFault("warning", "empty-value", message, value.place)
    elif TEMPLATE.search(text):
        message = f"'{name}' is {quoted(text)}: a template was not filled in. Fix the template."
        yield DataFault("error", "template-text", message, value.place)
    elif DATE.fullmatch(name):
        yield from date_faults(name, text, value.place)
    elif name in ADDRESSES and is_json:
        yield from address_faults(name, value)
    elif is_json and (found := ESCAPED.search(text)):
        message = (
            f"'{name}' contains {found[0]}, which JSON does not decode. Write the character itself."
        )
        yield DataFault("warning", "escaped-text", message, value.place)


def date_faults(name: str, text: str, place: int) -> Iterator[DataFault]:
    if text.startswith("0001-01-01"):
        message = f"'{name}' is the year 1: the date was left empty. Add a date, or remove it."
        yield DataFault("warning", "empty-value", message, place)
    elif not is_date(text):
        meant = next(filter(is_date, guesses(text)), "2026, 2026-03 or 2026-03-05")
        message = f"'{name}': {quoted(text)} is not a date. Write {meant}."
        yield DataFault("error", "no-date", message, place)


def is_date(text: str) -> bool:
    """Whether the text is an ISO 8601 year, month or day, or a day with a time."""
    found = DAY.match(text)
    if not found:
        return False
    year, month, day = (int(part) if part else 1 for part in found.groups())
    try:
        datetime.date(max(year, 1), month, day)
    except ValueError:
        return False
    rest = text[found.end() :]
    return not rest or bool(found[3] and TIME.fullmatch(rest))


def address_faults(name: str, value: Literal) -> Iterator[DataFault]:
    text = value.text.strip()
    if LOCAL.match(text):
        message = (
            f"'{name}' is a local address: {quoted(text)}. Build the site for its public address."
        )
        yield DataFault("error", "local-address", message, value.place)
    elif name == "@id" and (text.startswith(("#", "_:")) or ":" in text):
        return
    elif text.startswith("//") or not WEB.match(text):
        message = f"'{name}' is {quoted(text)}, not a full address. Write it with https://."
        yield DataFault("warning", "relative-address", message, value.place)


def incomplete(item: DataItem, above: DataItem | None) -> Iterator[DataFault]:
    """Reports properties that search engines require or recommend."""
    if not item.types:
        return
    (kind, place), vocabulary = item.types[0], schema_org()
    families = set().union(*map(vocabulary.families, item.kinds()))
    for wanted in ("Event", "Dataset", "Course", "ProfilePage", "Person", "SoftwareApplication"):
        if wanted not in families or (wanted == "Event" and "Series" in families):
            continue
        if missing := [name for name in REQUIRED[wanted] if not is_there(item, name)]:
            message = f"The {kind} has no {listed(missing)}, which search engines require."
            yield DataFault("warning", "incomplete", message, place)
        if above is None or wanted == "Dataset":
            more = [name for name in RECOMMENDED.get(wanted, ()) if not is_there(item, name)]
            if more:
                message = f"The {kind} has no {listed(more)}, which search engines recommend."
                yield DataFault("info", "recommended", message, place)
    if "Dataset" in families and (text := item.text("description")) and len(text) not in DESCRIBED:
        message = (
            f"The description has {len(text)} characters. Write {DESCRIBED[0]} to {DESCRIBED[-1]}."
        )
        yield DataFault("warning", "incomplete", message, place)
    if "BreadcrumbList" in families:
        yield from crumbs(item, place)


def is_there(item: DataItem, name: str) -> bool:
    """Whether the item has a value for a property. A person's name may be in parts; a rating may be
    an `aggregateRating` or a `review`.
    """
    others = {"name": ("givenName", "familyName", "headline"), "aggregateRating": ("review",)}
    return any(item.has(each) for each in (name, *others.get(name, ())))


def listed(names: list[str]) -> str:
    shown = [f"'{name}'" for name in names]
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if shown[1:] else shown[0]


def crumbs(item: DataItem, place: int) -> Iterator[DataFault]:
    steps = [each for each in item.values("itemListElement") if isinstance(each, DataItem)]
    if len(steps) < FEWEST_CRUMBS:
        message = "The BreadcrumbList has fewer than two steps. Add the missing ones."
        yield DataFault("warning", "incomplete", message, place)
    for number, step in enumerate(steps, 1):
        inner = [each for each in step.values("item") if isinstance(each, DataItem)]
        missing = [
            name
            for name in ("position", "name", "item")
            if not step.has(name)
            and not (name == "name" and any(each.has("name") for each in inner))
            and not (name == "item" and number == len(steps))
        ]
        if missing:
            message = f"Step {number} of the BreadcrumbList has no {listed(missing)}. Add it."
            yield DataFault("warning", "incomplete", message, step.place)


def several_people(items: list[DataItem]) -> Iterator[DataFault]:
    """Reports several top-level people if none is marked as the subject of the page."""
    people = [item for item in items if "Person" in item.kinds() and item.text("name")]
    everything = [each for item in items for each in item.all()]
    referred = {each.iri.text for each in everything if each.iri and not each.properties}
    free = [each for each in people if not (each.iri and each.iri.text in referred)]
    named = {each.text("name"): each for each in free}
    is_said = any(item.has("mainEntity") for item in everything) or any(
        each.has("mainEntityOfPage") for each in people
    )
    if len(named) > 1 and not is_said:
        message = (
            f"The page has {len(named)} people ({', '.join(map(quoted, list(named)[:3]))}), none "
            "of them as its subject. Put that person into 'mainEntity' of a ProfilePage."
        )
        yield DataFault("warning", "several-people", message, list(named.values())[1].place)


def mixed_schemes(items: list[DataItem], canonical: str) -> Iterator[DataFault]:
    """Reports a host that is used with both http and https: to programs these are different
    addresses.
    """
    seen: dict[str, tuple[str, str]] = {}
    for value in (Literal(canonical, 0), *addresses(items)):
        try:
            parts = urlsplit(value.text.strip())
        except ValueError:
            continue
        if parts.scheme not in ("http", "https") or not parts.netloc:
            continue
        scheme, first = seen.setdefault(parts.netloc, (parts.scheme, value.text))
        if scheme != parts.scheme:
            message = (
                f"{quoted(value.text)} starts with {parts.scheme}:, but {quoted(first)} with "
                f"{scheme}:. Use the same one everywhere."
            )
            yield DataFault("warning", "mixed-schemes", message, value.place)
            return


def addresses(items: list[DataItem]) -> Iterator[Literal]:
    for item in (each for top in items for each in top.all()):
        if item.iri:
            yield item.iri
        for name, _, value in item.properties:
            if isinstance(value, Literal) and name in ADDRESSES:
                yield value
