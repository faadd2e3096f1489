"""An imported draft joins what an author wrote, without harm to it."""

from __future__ import annotations

from typing import Any

from kg.plugins.exchange.edits.merge import Merge
from kg.plugins.exchange.edits.splice import compose

TEXT = """\
# my CV
basics:
  name: Ada Lind
  email: ada@example.org       # the new one
work:
  # the best job
  - {organization: Fjord University, position: Lecturer, startDate: 2020-09, endDate: present}
  - organization: Delta Works
    positions:
      - {position: Engineer, startDate: 2016}
      - {position: Intern, startDate: 2014}
skills: [Python, Go]
publications:
  - {title: "Where the Sand Stops", kind: journal, authors: [A. Lind], year: 2020, doi: 10.12/sand}
"""
DRAFT: dict[str, Any] = {
    "basics": {"name": "Ada Lind", "email": "ada@example.org", "label": "Hydrologist"},
    "work": [
        {"organization": "Fjord University", "position": "Lecturer", "startDate": "2020"},
        {
            "organization": "Delta Works",
            "position": "Intern",
            "startDate": "2014",
            "endDate": "2015",
        },
        {"organization": "River Lab", "position": "Fellow", "startDate": "2018"},
    ],
    "skills": ["python", "Rust"],
    "publications": [
        {
            "title": "Where the sand stops.",
            "kind": "journal",
            "doi": "10.12/SAND",
            "year": "2020",
        },
        {"title": "Gravel", "kind": "preprint", "authors": ["A. Lind"], "year": "2022"},
    ],
    "talks": [{"title": "On Sand", "date": "2021-05"}],
}


def merged(text: str, base: dict[str, Any] | None, new: dict[str, Any]) -> tuple[str, list[str]]:
    merge = Merge(text)
    merge.add(base, new)
    return merge.result()[0], [each.message for each in merge.differences]


def test_what_is_new_joins_what_is_there() -> None:
    text, differences = merged(TEXT, None, DRAFT)
    assert differences == []
    assert (
        text
        == TEXT.replace("new one\n", "new one\n  label: Hydrologist\n")
        .replace(
            "startDate: 2014}\n",
            "startDate: 2014, endDate: 2015}\n"
            "  - organization: River Lab\n    position: Fellow\n    startDate: 2018\n",
        )
        .replace(
            "skills: [Python, Go]\n",
            "talks:\n  - title: On Sand\n    date: 2021-05\nskills: [Python, Go, Rust]\n",
        )
        + "  - {title: Gravel, kind: preprint, authors: [A. Lind], year: 2022}\n"
    )


def test_the_same_draft_again_changes_nothing() -> None:
    text, _ = merged(TEXT, None, DRAFT)
    assert merged(text, DRAFT, DRAFT) == (text, [])
    assert merged(text, None, DRAFT) == (text, [])


def test_nothing_comes_back_that_the_author_removed_or_reworded() -> None:
    text = TEXT.replace("position: Lecturer", "position: Associate professor")
    text = text.replace("skills: [Python, Go]\n", "")
    first, _ = merged(TEXT, None, DRAFT)
    base = {**DRAFT, "skills": ["Python"]}
    assert merged(text, base, base) == (text, [])
    assert first != text


def test_a_value_of_the_author_stays_and_the_other_is_listed() -> None:
    new = {"basics": {"name": "Ada Lind", "email": "old@example.org"}}
    assert merged(TEXT, None, new) == (
        TEXT,
        [
            'basics.email: you have "ada@example.org", the source has "old@example.org"; '
            "yours is kept."
        ],
    )


def test_only_what_changed_in_the_source_is_carried_over() -> None:
    text, _ = merged(TEXT, None, DRAFT)
    new = {
        **DRAFT,
        "basics": {**DRAFT["basics"], "label": "Professor of hydrology"},
        "work": [DRAFT["work"][0], {**DRAFT["work"][2], "endDate": "2019"}],
    }
    result, differences = merged(text, DRAFT, new)
    assert differences == []
    assert result == text.replace("label: Hydrologist", "label: Professor of hydrology").replace(
        "    startDate: 2018\n", "    startDate: 2018\n    endDate: 2019\n"
    ).replace("      - {position: Intern, startDate: 2014, endDate: 2015}\n", "")


def test_where_both_changed_the_same_the_author_is_asked() -> None:
    text, _ = merged(TEXT, None, DRAFT)
    mine = text.replace("label: Hydrologist", "label: Reader").replace(
        "position: Fellow\n    startDate: 2018", "position: Guest\n    startDate: 2017"
    )
    new = {
        **DRAFT,
        "basics": {**DRAFT["basics"], "label": "Professor"},
        "work": [*DRAFT["work"][:2], {**DRAFT["work"][2], "endDate": "2019"}],
        "talks": [],
    }
    result, differences = merged(mine, DRAFT, new)
    assert differences == [
        "basics.label: you have Reader, the source has Professor; yours is kept.",
        "work: {organization: River Lab, position: Fellow, startDate: 2018} changed in the "
        "source, but you removed it.",
    ]
    assert result == mine.replace("talks:\n  - title: On Sand\n    date: 2021-05\n", "")


def test_a_post_that_begins_on_the_same_day_is_the_same_under_another_title() -> None:
    text, _ = merged(TEXT, None, DRAFT)
    mine = text.replace("position: Fellow", "position: Guest")
    ended = {**DRAFT, "work": [*DRAFT["work"][:2], {**DRAFT["work"][2], "endDate": "2019"}]}
    result, differences = merged(mine, DRAFT, ended)
    assert (result, differences) == (
        mine.replace("    startDate: 2018\n", "    startDate: 2018\n    endDate: 2019\n"),
        [],
    )
    renamed = {**DRAFT, "work": [*DRAFT["work"][:2], {**DRAFT["work"][2], "position": "Reader"}]}
    assert merged(text, DRAFT, renamed) == (text.replace("Fellow", "Reader"), [])


def test_a_file_for_which_a_work_is_named_becomes_one_of_a_list() -> None:
    text, differences = merged(
        "basics: {name: Ada}\npublications: papers.bib\n",
        None,
        {"publications": [{"title": "Gravel", "kind": "journal"}]},
    )
    assert compose(text).plain["publications"] == [
        "papers.bib",
        {"title": "Gravel", "kind": "journal"},
    ]
    assert differences == []


def test_registries_are_merged_by_their_keys() -> None:
    text = "# orgs\nfjord: {name: Fjord University}\n"
    new = {"fjord": {"name": "Fjord University", "ror": "00rs6vg23"}, "delta": {"name": "Delta"}}
    assert merged(text, None, new)[0] == (
        "# orgs\nfjord: {name: Fjord University, ror: 00rs6vg23}\ndelta:\n  name: Delta\n"
    )


def test_dates_in_another_form_are_no_second_date() -> None:
    text = (
        "talks:\n  - {title: On Sand, year: 2021}\n"
        "work:\n  - {organization: A, position: B, dates: [summer 2016]}\n"
    )
    new = {
        "talks": [{"title": "On Sand", "date": "2021-05"}],
        "work": [
            {"organization": "A", "position": "B", "startDate": "2016-06", "endDate": "2016-08"}
        ],
    }
    result, differences = merged(text, None, new)
    assert result == text
    assert len(differences) == 3
