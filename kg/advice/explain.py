"""Turns validation errors of a row into problems in terms of the YAML, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError

from kg.advice.date_guesses import expected_year
from kg.advice.other_words import field_meant, is_known_word, section_meant, value_meant
from kg.advice.several_names import names_in
from kg.errors import Fix, Place, Problem, fix
from kg.facts.models import REGISTRIES, SECTIONS
from kg.facts.models.base import Entry, classes_in
from kg.facts.models.people import Cv, Owner
from kg.facts.values.naming import TITLED
from kg.facts.values.text import SLUG, shown, slugify
from kg.facts.yaml.rows import Row, flow, texts
from kg.text.nearest import is_only_typo, meant

MODEL_ERRORS = ("model_type", "model_attributes_type")
BOOL_ERRORS = ("bool_parsing", "bool_type")
# pydantic's error types: our message and the name of the rule
WORDS = {
    "literal_error": ("{value} is not one of {expected}.", "unknown-value"),
    "string_too_short": ("this field is empty. Add a value, or remove the field.", "empty-value"),
    "string_type": ("expected a text, not {value}. Write one text.", "bad-value"),
    "list_type": ("expected a list, not {value}.", "bad-value"),
    **dict.fromkeys(
        ("int_type", "int_parsing"),
        ("{value} is not a number. Write digits, e.g. 85.", "bad-number"),
    ),
    **dict.fromkeys(
        ("dict_type", *MODEL_ERRORS),
        ("expected fields ('name: value'), not {value}.", "bad-value"),
    ),
    **dict.fromkeys(BOOL_ERRORS, ("{value} is neither true nor false.", "bad-value")),
    "too_short": ("this list is empty. Add at least one item.", "missing-field"),
}

CHOICES = re.compile(r"'([^']*)'")

# The models of the entries of each section and of each registry.
MODELS_OF: dict[str, tuple[type[BaseModel], ...]] = {
    "basics": (Owner,),
    **{
        name: tuple(model for model in (section.model, section.other) if model)
        for name, section in SECTIONS.items()
    },
    **{each.path: tuple(each.models) for each in REGISTRIES.values()},
}
MAX_PARTS = 3  # parts named in a hint

# Fields of `basics` and of works that are shown as sections.
PARTS = ("summary", "statement", "selected")


def problems_of(
    error: ValidationError, row: Row, model: type[BaseModel], others: tuple[str, ...] = ()
) -> list[Problem]:
    """One problem per validation error. `others` are field names that are valid here although the
    model does not have them.
    """
    found = [
        problem_of(dict(finding), row, model, others) for finding in error.errors(include_url=False)
    ]
    unknown = (
        problem.message.partition("unknown field ")
        for problem in found
        if problem.rule == "unknown-field"
    )
    missed = tuple(
        f"{label}'{ours[1]}' is missing. Add it"
        for label, _, rest in unknown
        if (ours := re.search(r"Did you mean '(\w+)", rest))
    )
    return [problem for problem in found if not problem.message.startswith(missed)]


def problem_of(
    finding: dict[str, Any], row: Row, model: type[BaseModel], others: tuple[str, ...]
) -> Problem:
    steps = written(row, finding["loc"])
    steps = steps[1:] if steps and row.folds(steps[0]) else steps
    kind: str = finding["type"]
    if kind == "extra_forbidden":
        return unknown_field(row, steps, model, others)
    last = str(steps[-1]) if steps else ""
    entry = model_at(model, steps[:-1])
    if kind == "missing":
        remedy = getattr(entry, "remedies", {}).get(last, "")
        message = f"{label(row, steps[:-1])}'{last}' is missing. Add it{remedy}."
        return Problem(row.at(*steps[:-1]), "error", message, "missing-field")
    value, context = finding["input"], finding.get("ctx", {})
    message, rule = words(kind, finding)
    if "elsewhere" in context:
        return Problem(context["elsewhere"], "error", message, rule)
    message += shape_hint(kind, value, model_at(model, steps))
    message += " ".join(("", *other_dates(rule, last, str(value), field_names(entry))))
    is_value_first = steps and message.startswith(("'", '"'))
    start = f"{label(row, ())}{dotted(steps)} " if is_value_first else label(row, steps)
    fault = filter(None, [context.get("field")])  # for a validator of the whole entry
    place = row.at(*steps, *fault, key=finding["loc"][-1:] == ("[key]",))
    fix = context.get("fix") or value_fix(value, choices_in(kind, finding))
    return Problem(place, "error", start + message, rule, fix=fix, part=context.get("part", ""))


def unknown_field(
    row: Row, steps: tuple[str | int, ...], model: type[BaseModel], others: tuple[str, ...]
) -> Problem:
    name, above = str(steps[-1]), steps[:-1]
    entry = model_at(model, above) or model
    names = field_names(entry) + (list(others) if not above else [])
    hint, fix = field_hint(
        name, names, [entry_at(each, above) for each in (row, *row.written)], entry
    )
    joined = re.match(r"(\w+)\s*[:=]\s*(.+)", name)  # {name:Ada} or {name = Ada}
    if joined and joined[1] in names:
        hint = f"Did you mean '{joined[1]}: {joined[2]}', with a colon and a space?"
    if name in others:
        hint, fix = "It is a field of the entity named here: move it there.", None
    return no_field(row.at(*steps, key=True), label(row, above), name, names, hint, fix)


def entry_at(row: Row, steps: tuple[str | int, ...]) -> Row:
    """The mapping that the author wrote at the end of `steps`; empty if it is none."""
    here: Any = row
    for step in steps:
        is_item = isinstance(here, list) and isinstance(step, int) and step < len(here)
        here = here[step] if is_item else here.get(str(step)) if isinstance(here, Row) else None
    return here if isinstance(here, Row) else Row(row.file)


def value_fix(value: object, choices: list[str]) -> Fix | None:
    """The choice that is meant by a value; certain if it is known as another word for it, or only a
    typo.
    """
    ours = value_meant(value, choices) if isinstance(value, str) else ""
    return fix(value, ours, certain=is_known_word(str(value), ours, choices)) if ours else None


def field_hint(
    field: str, names: list[str], entries: list[Row], model: type[BaseModel]
) -> tuple[str, Fix | None]:
    """A suggestion for an unknown field, and its fix: one of these `names`, which is in none of the
    `entries` yet, or a field of another part of the CV; empty if there is none.
    """
    part = next((Path(name).stem for name, models in MODELS_OF.items() if model in models), "")
    free = [name for name in names if not any(name in entry for entry in entries)]
    word = section_meant(field, names) if model is Cv else field_meant(field, free, part)
    hint, fix = meant_hint(field, names, word)
    if fix:
        return hint, fix if fix.texts[0] in free else None
    return other_place(field, names, model, part), None


def other_place(field: str, names: list[str], model: type[BaseModel], part: str) -> str:
    """Where in the CV an unknown field belongs; empty if nowhere."""
    if model is Cv and (own := field_meant(field, field_names(Owner), "basics")):
        return f"Move it into 'basics', as '{own}'."
    if model is Owner and (section := section_meant(field, (*SECTIONS, *field_names(Cv)))):
        return f"Move it out of 'basics', as '{section}'."
    kinds = SECTIONS.get(part)
    if kinds and kinds.marked_by and has_field(MODELS_OF[part], field):
        verb = "is not allowed" if model is kinds.other else "is only allowed"
        return f"It {verb} with '{kinds.marked_by}'."
    others = [name for name, models in MODELS_OF.items() if has_field(models, field)]
    if 0 < len(others) <= MAX_PARTS:
        return f"It is a field of {', '.join(others)}. Known: {', '.join(sorted(names))}."
    return ""


def has_field(models: tuple[type[BaseModel], ...], field: str) -> bool:
    return any(field in field_names(model) for model in models)


def shape_hint(kind: str, value: object, model: type[BaseModel] | None) -> str:
    """How to write a list or fields instead of the given value; `model` is that of an item."""
    takes_text = model is None or getattr(model, "accepts_text", False)
    if kind == "list_type" and isinstance(value, str) and value and takes_text:
        parts = names_in(value, lambda _: False) if model else re.split(r"\s*[,;]\s*", value)
        return f" Write {flow(parts or [value])}."
    names = ", ".join(name for name in field_names(model) if name not in Entry.model_fields)
    if kind == "list_type":
        return f" Start each entry with '- '{f' and give it {names}' if names else ''}."
    is_fields = kind in MODEL_ERRORS and names
    return f" Known: {names}." if is_fields else ""


def other_dates(rule: str, field: str, value: str, names: list[str]) -> Iterator[str]:
    """Other fields of the entry for a date that this field does not accept."""
    if rule == "bad-year" and "date" in names and re.search(r"\D", value):
        yield "A month or a day goes into 'date'."
    if field == "endDate" and "expected" in names and (year := expected_year(value)):
        yield f"For an end in the future, write endDate: present and expected: {year}."


def no_field(
    place: Place,
    start: str,
    name: str,
    names: Iterable[str],
    hint: str = "",
    fix: Fix | None = None,
) -> Problem:
    """The problem of an unknown field. `names` are the known ones; `hint` replaces the default
    suggestion.
    """
    known = sorted(names)
    if not hint:
        hint, fix = meant_hint(name, known)
    message = f"{start}unknown field '{name}'. {hint or known_are(known)}"
    return Problem(place, "error", message, "unknown-field", fix=fix)


def written(row: Row, steps: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The part of the path that the author wrote: a short form has no fields inside, and a single
    value can stand for a list.
    """
    here: Any = row
    found: list[str | int] = []
    for step in steps:
        if isinstance(here, str):
            break
        if isinstance(here, Row) and isinstance(step, int):
            continue
        found.append(step)
        if isinstance(here, Row):
            here = here.get(str(step))
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            here = here[step]
    return tuple(found)


def words(kind: str, finding: dict[str, Any]) -> tuple[str, str]:
    """The message and the name of the rule; our own validators provide both."""
    if kind not in WORDS:
        new = finding.get("ctx", {}).get("new")
        remedy = adding(**new) if new else ""
        return str(finding["msg"]) + remedy, kind.replace("_", "-")
    message, rule = WORDS[kind]
    value, expected = finding["input"], finding.get("ctx", {}).get("expected", "")
    choices = choices_in(kind, finding)
    if isinstance(value, str) and (ours := value_meant(value, choices)):
        message += f" Did you mean '{ours}'?"
    return message.format(value=shown(value), expected=expected), rule


def choices_in(kind: str, finding: dict[str, Any]) -> list[str]:
    if kind in BOOL_ERRORS:
        return ["true", "false"]
    return CHOICES.findall(finding["ctx"]["expected"]) if kind == "literal_error" else []


def adding(kind: str, named: str, is_near: bool, by_name: bool) -> str:
    """Further advice for a reference to an unknown entry."""
    is_key = bool(SLUG.fullmatch(named))
    line = REGISTRIES[kind].line(slugify(named) or "KEY", "…" if is_key else named)
    correct = "" if is_near else "correct the key"
    name = f"write the {TITLED.get(kind, 'name')}" if by_name else correct
    remedy = " or ".join(filter(None, [name, f"add {line}"]))
    return f" If it is new, {remedy}" if is_near else f" {remedy[0].upper()}{remedy[1:]}"


def dotted(steps: tuple[str | int, ...]) -> str:
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def label(row: Row, steps: tuple[str | int, ...]) -> str:
    where = ".".join(filter(None, [row.path, dotted(steps)]))
    return f"{where}: " if where else ""


def fields_of(model: type[BaseModel] | None) -> dict[str, Any]:
    """The fields that an author writes, with their types."""
    unwritten = getattr(model, "from_loader", ())
    fields = model.model_fields.items() if model else ()
    return {info.alias or name: info.annotation for name, info in fields if name not in unwritten}


def field_names(model: type[BaseModel] | None) -> list[str]:
    return [*fields_of(model)]


def model_at(model: type[BaseModel] | None, steps: tuple[str | int, ...]) -> type[BaseModel] | None:
    for step in steps:
        if (found := fields_of(model).get(str(step))) is not None:
            model = model_in(found)
    return model


def model_in(annotation: Any) -> type[BaseModel] | None:
    return next((each for each in classes_in(annotation) if issubclass(each, BaseModel)), None)


def unknown_sections(row: Row) -> list[Problem]:
    """Unknown sections in `visibility`. With a typo, a private section would be published."""
    return [
        unknown_section(
            row.at("visibility", name, key=True), "visibility", name, SECTIONS, "unknown-field"
        )
        for name in row.row("visibility")
        if name not in SECTIONS
    ]


def section_names(row: Row) -> list[str]:
    """All names that `layout` accepts in a CV, including the titles of free sections."""
    said = [each.get("title") for each in row.rows("sections") if isinstance(each, Row)]
    titles = [
        title
        for each in said
        for title in (each.values() if isinstance(each, Row) else [each])
        if isinstance(title, str)
    ]
    lists = [name for name, info in Cv.model_fields.items() if get_origin(info.annotation) is list]
    return [*PARTS, *SECTIONS, *(name for name in lists if name != "sources"), *titles]


def unknown_in_layout(row: Row) -> list[Problem]:
    """Names in `layout` that are not a section of this CV."""
    layout = row.row("layout")
    if not layout:  # the usual case
        return []
    known = section_names(row)
    folded = {name.casefold() for name in known}
    return [
        unknown_section(
            row.at("layout", part, number), f"layout.{part}", name, known, "unknown-section"
        )
        for part in ("order", "hide")
        for number, name in enumerate(texts(layout, part))
        if name.casefold() not in folded
    ]


def unknown_section(
    place: Place, start: str, name: str, known: Iterable[str], rule: str
) -> Problem:
    hint, fix = meant_hint(name, known, section_meant(name, known))
    message = f"{start}: unknown section '{name}'. {hint or known_are(known)}"
    return Problem(place, "error", message, rule, fix=fix)


def meant_hint(name: str, known: Iterable[str], word: str = "") -> tuple[str, Fix | None]:
    """A suggestion for an unknown name, and its fix, which is certain if nothing else is near:
    `word`, or the known name that is misspelt; empty if there is none.
    """
    ours = word or meant(name, known)
    certain = bool(word) or is_only_typo(name, ours, known)
    return (f"Did you mean '{ours}'?", fix(name, ours, certain=certain)) if ours else ("", None)


def known_are(names: Iterable[str]) -> str:
    return f"Known: {', '.join(names)}."
