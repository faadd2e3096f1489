"""The skill `skills/write-cv/SKILL.md` for coding agents: how to write a CV, with the fields of all
sections from the models.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from string import Template

from kg.facts.models import SECTIONS
from kg.facts.models.people import Owner
from kg.plugins.format_page import format_page

FILE = Path(__file__).parents[1] / "skills" / "write-cv" / "SKILL.md"
TEMPLATE = Path(__file__).with_suffix(".md")


def text() -> str:
    common = ", ".join(f"`{name}`" for name, _ in format_page.ordinary())
    rows = [f"- `basics`: {names(format_page.fields(Owner))}"]
    for name, section in SECTIONS.items():
        inline = {each.name: each for each in format_page.fields_of_thing(section.model)}
        own = format_page.fields(section.model)  # with the entity that can be described inline
        known = inline | {
            each.name: replace(each, required=not inline and each.required) for each in own
        }
        rows.append(f"- `{name}`: {names([*known.values()])}")
    template = Template(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(common=common, sections="".join(f"{row}\n" for row in rows))


def names(fields: list[format_page.EntryField]) -> str:
    """The fields, required ones first."""
    ordered = sorted(fields, key=lambda each: not each.required)
    return ", ".join(f"`{each.name}`{' *' if each.required else ''}" for each in ordered)
