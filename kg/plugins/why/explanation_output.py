"""An explanation as text for a terminal, and as data for programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, Triple

from kg.errors import Place
from kg.plugins.why.explanation import ThingExplanation, name_of, shortened, shown
from kg.plugins.why.provenance import Provenance, Reason
from kg.text.columns import clean


def as_text(origins: Provenance, found: ThingExplanation, folder: Path) -> Iterator[str]:
    """The lines for a terminal, places first as in the reports of `kg check`. The triples that a
    rule used are listed only if statements were selected.
    """
    yield clean(shown(origins, NamedNode(found.iri)))
    rules = {
        reason.label: (where(reason, folder), reason.text)
        for each in found.statements
        for reason in each.reasons
        if reason.by == "rule"
    }
    groups: list[tuple[str, list[tuple[str, str]]]] = [
        ("Entries", [(at(folder, place), label) for place, label in found.entries]),
        ("Sources", [*source_rows(origins, found, folder)]),
        (
            "Decisions",
            [
                (at(folder, each.place), each.text + (f": {each.reason}" if each.reason else ""))
                for each in found.decisions
            ],
        ),
        ("Statements", [*statement_rows(origins, found, folder)]),
        ("Rules", [*rules.values()]),
    ]
    width = max((len(place) for _, rows in groups for place, _ in rows), default=0)
    for heading, rows in groups:
        if rows:
            yield f"{heading}:"
        for place, text in rows:
            yield f"  {place:<{width}}  {clean(text)}".rstrip()


def source_rows(
    origins: Provenance, found: ThingExplanation, folder: Path
) -> Iterator[tuple[str, str]]:
    for source, reasons in found.sources:
        for reason in reasons:
            yield at(folder, reason.place), shown(origins, NamedNode(source))


def statement_rows(
    origins: Provenance, found: ThingExplanation, folder: Path
) -> Iterator[tuple[str, str]]:
    for triple, reasons in found.statements:
        said = f"{shortened(origins, triple.predicate.value)} {shown(origins, triple.object)}"
        for reason in reasons:
            yield where(reason, folder), f"{said}{how(reason)}"
            for each in reason.because if found.is_chosen else ():
                places = [where(why, folder) for why in origins.of_support(each)]
                words = (shown(origins, each.subject), shortened(origins, each.predicate.value))
                because = f"because {' '.join(words)} {shown(origins, each.object)}"
                yield f"  {places[0]}", f"  {because}"


def where(reason: Reason, folder: Path) -> str:
    if reason.place is not None:
        return at(folder, reason.place)
    return f"rule {reason.label}" if reason.by == "rule" else "the program"


def how(reason: Reason) -> str:
    """What is at the place: a field of an entry, or the whole entry."""
    match reason.by:
        case "entry" | "field":
            parts = [part for part in (reason.label, reason.field) if part]
            return f"  [{', '.join(parts)}]" if parts else ""
        case "turtle":
            return "  [Turtle]"
        case "rule":
            return ""
    return f"  [{reason.text}]"


def at(folder: Path, place: Place | None) -> str:
    return str(folder / str(place)) if place else ""


def as_data(origins: Provenance, found: ThingExplanation) -> dict[str, Any]:
    """The explanation for programs. Places are relative to the site's folder."""

    def reason_data(reason: Reason) -> dict[str, Any]:
        data: dict[str, Any] = {"by": reason.by}
        if reason.place:
            data["place"] = str(reason.place)
        if reason.by == "rule":
            data |= {"rule": reason.label, "text": reason.text}
            data["because"] = [
                {
                    **triple_data(each),
                    "origins": [reason_data(why) for why in origins.of_support(each)],
                }
                for each in reason.because
            ]
        else:
            given = {"entry": reason.label, "field": reason.field, "text": reason.text}
            data |= {name: text for name, text in given.items() if text}
        return data

    def triple_data(triple: Triple) -> dict[str, str]:
        return {
            "subject": getattr(triple.subject, "value", ""),
            "property": triple.predicate.value,
            "value": getattr(triple.object, "value", str(triple.object)),
        }

    return {
        "thing": found.iri,
        "name": name_of(origins, found.iri),
        "entries": [{"place": str(place), "entry": label} for place, label in found.entries],
        "sources": [
            {
                "source": source,
                "name": name_of(origins, source),
                "places": [str(each.place) for each in reasons if each.place],
            }
            for source, reasons in found.sources
        ],
        "decisions": [
            {"place": str(each.place), "text": each.text, "reason": each.reason}
            for each in found.decisions
        ],
        "statements": [
            {**triple_data(each.triple), "origins": [reason_data(why) for why in each.reasons]}
            for each in found.statements
        ],
    }
