"""The layout of a CV: the order of the sections on its page, and those that it hides."""

from __future__ import annotations

import re
from pathlib import Path

from kg.advice.explain import section_names
from kg.check.check import good
from kg.facts.yaml.rows import Row
from kg.publish.site import Documents

# At the head of the page, and what is private unless it says otherwise.
SHOWN_OTHERWISE = {"summary", "interests", "languages", "references"}
ADA = "people/ada-lindqvist.html"


def page(example: Path, layout: str) -> str:
    """The page of a CV with this layout."""
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    file.write_text(f"{file.read_text(encoding='utf-8')}\nlayout: {layout}\n", encoding="utf-8")
    document = Documents(good(example)).get(ADA)
    assert document is not None
    return document.body.decode()


def test_named_sections_come_first_and_hidden_ones_not_at_all(example: Path) -> None:
    hidden = "skills, interests, volunteer, patents"
    body = page(example, f"{{order: [exhibitions, awards, summary], hide: [{hidden}]}}")
    titles = re.findall("<h2>([^<]*)</h2>", body)
    assert titles[:4] == ["News", "Exhibitions", "Awards", "Summary"]
    assert "Skills" not in titles
    assert 'class="topics"' not in body
    service, works = (
        body.partition(f'<section class="block {name} ')[2].partition("</section>")[0]
        for name in ("service", "works")
    )
    assert "Program committee" in service
    assert "Student volunteer" not in service
    assert "publications/" in works
    assert "Patents" not in titles


def test_every_section_of_a_cv_is_shown_by_a_block(documents: Documents) -> None:
    shown = {name for block in documents.pages.blocks("people") for name in block.sections}
    assert set(section_names(Row(""))) - SHOWN_OTHERWISE - shown == set()


def test_a_free_section_with_the_title_of_another_shares_its_heading(example: Path) -> None:
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = file.read_text(encoding="utf-8")
    own = "sections:\n  - {title: education, entries: [A winter school]}\n"
    file.write_text(re.sub(r"(?m)^sections:.*\n", own, text), encoding="utf-8")
    body = page(example, "{order: [education]}")
    assert re.findall("<h2>([^<]*)</h2>", body).count("Education") == 1
    assert body.index("A winter school") < body.index("<h2>", body.index("<h2>Education") + 1)


def test_skills_and_their_groups_keep_the_order_of_the_author(example: Path) -> None:
    file = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = re.sub(r"(?ms)^skills:.*?(?=^\w)", "", file.read_text(encoding="utf-8"))
    groups = "[{name: Tools, keywords: [Vim, Emacs]}, {name: Code, keywords: [Python, Ada]}]"
    file.write_text(f"{text}\nskills: {groups}\n", encoding="utf-8")
    body = page(example, "{order: [skills]}")
    shown = [body.index(f">{each}<") for each in ("Tools", "Vim", "Emacs", "Code", "Python", "Ada")]
    assert shown == sorted(shown)
