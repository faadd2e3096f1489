"""What is said of a wrong entry, where the case folders do not show it: fields inside parts, and
forms of one value.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.facts.load import load
from tests.facts import site_with

WORK = "basics: {name: Ada Berg}\nwork:\n- {organization: firm, position: P, dates: 2019, ENTRY}\n"
STUDY = (
    "basics: {name: Ada Berg}\neducation:\n- {institution: uni, studyType: PhD, dates: 2019, "
    "ENTRY}\n"
)
BASICS = "basics: {name: Ada Berg, ENTRY}\n"


@pytest.mark.parametrize(
    ("cv", "entry", "message"),
    [
        (
            WORK,
            "highlights: [{text: T, wroks: sieve}]",
            ("work[0].highlights[0]: unknown field 'wroks'. Did you mean 'works'? [unknown-field]"),
        ),
        (
            WORK,
            "highlights: [{text: T, zzz: x}]",
            ("work[0].highlights[0]: unknown field 'zzz'. Known: text, works. [unknown-field]"),
        ),
        (
            WORK,
            "postions: []",
            "work[0]: unknown field 'postions'. Did you mean 'positions'? [unknown-field]",
        ),
        (
            WORK,
            "highlights: [{works: sieve}]",
            "work[0].highlights[0]: 'text' is missing. Add it. [missing-field]",
        ),
        (
            WORK,
            "secondary: perhaps",
            "work[0]: secondary 'perhaps' is neither true nor false. [bad-value]",
        ),
        (
            WORK,
            "secondary: [a]",
            "work[0].secondary: a list is neither true nor false. [bad-value]",
        ),
        (
            WORK,
            "summary: {a: b}",
            "work[0]: summary 'a' is not a language tag. Write a tag such as en or pt-BR.",
        ),
        (
            WORK,
            "mentors: [bo, [cy]]",
            "work[0].mentors[1]: this must be a name or a key, not a list. [bad-value]",
        ),
        (
            STUDY,
            "score: /4",
            (
                "education[0]: score '/4' is not a score. Write it with its scale, e.g. "
                "3.96/4.0. [bad-score]"
            ),
        ),
        (
            STUDY,
            "score: 3/",
            (
                "education[0]: score '3/' is not a score. Write it with its scale, e.g. "
                "3.96/4.0. [bad-score]"
            ),
        ),
        (
            STUDY,
            "score: [3]",
            (
                "education[0].score: expected fields ('name: value'), not a list. Known: "
                "value, scale. [bad-value]"
            ),
        ),
        (
            STUDY,
            "score: {value: 3, sclae: 4}",
            "education[0].score: unknown field 'sclae'. Did you mean 'scale'? [unknown-field]",
        ),
        (
            STUDY,
            "studytype: x",
            ("education[0]: unknown field 'studytype'. Did you mean 'studyType'? [unknown-field]"),
        ),
        (
            STUDY,
            "disputed: no",
            ("education[0].disputed: expected fields ('name: value'), not 'no'. [bad-value]"),
        ),
        (
            BASICS,
            "email: {visibility: hashed}",
            (
                "basics.email: the email address is missing. Add it as 'value', or its hash as "
                "'sha1'. [bad-email]"
            ),
        ),
        (
            BASICS,
            "email: {sha1: abc}",
            (
                "basics: email 'sha1' is not 40 hexadecimal digits. Write the SHA-1 of "
                "mailto:name@example.org. [bad-email]"
            ),
        ),
        (
            BASICS,
            "email: {value: a@b.org, visibility: secret}",
            (
                "basics: email.visibility 'secret' is not one of 'public', 'hashed' or "
                "'private'. Did you mean 'private'? [unknown-value]"
            ),
        ),
        (
            BASICS,
            "profiles: [{network: elsewhere, username: ada}]",
            "basics.profiles[0]: unknown network 'elsewhere'.",
        ),
        (
            BASICS,
            "profiles: [{network: github, username: a b}]",
            "basics: profiles[0] 'a b' is not a user name.",
        ),
        (
            BASICS,
            "profiles: none",
            (
                "basics.profiles: expected a list, not 'none'. Start each entry with "
                "'- ' and give it network, username, url, label. [bad-value]"
            ),
        ),
    ],
)
def test_a_mistake_is_told_in_the_words_of_the_author(
    tmp_path: Path, cv: str, entry: str, message: str
) -> None:
    text = cv.replace("ENTRY", entry)
    (problem,) = load(site_with(tmp_path, cv=text)).problems
    assert f"{problem.message} [{problem.rule}]".startswith(message)
    assert problem.place.file == "data/cv/ada.yaml"
    line = text.splitlines()[problem.place.line - 1]
    assert problem.place.column >= line.index(entry)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (
            "doi: 10.1000/a%zz",
            "x: doi '10.1000/a%zz' is not a DOI. Write it as 10., a number, a slash and the rest.",
        ),
        (
            "doi: https://example.org/10.1000/a",
            "x: doi 'https://example.org/10.1000/a' is not a DOI.",
        ),
        (
            'arxiv: "arXiv: 2101.00001"',
            "x: arxiv 'arXiv: 2101.00001' is not an arXiv number. Write '2101.00001'.",
        ),
        ("authors: []", "x.authors: this list is empty. Add at least one item."),
    ],
)
def test_a_mistake_in_a_publication_is_told_before_it_is_mapped(
    tmp_path: Path, field: str, message: str
) -> None:
    authors = "" if field.startswith("authors") else ", authors: [Bo Ek]"
    (problem,) = load(
        site_with(
            tmp_path,
            publications=f"x: {{title: X, kind: preprint, year: 2020, {field}{authors}}}\n",
        )
    ).problems
    assert problem.message.startswith(message)


def test_a_mistake_in_a_shared_field_of_a_spread_entry_is_told_once(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg}\nwork:\n- {organization: frim, position: P, dates: [2018, "
        "2019, 2020]}\n"
    )
    assert [str(problem.place) for problem in load(site_with(tmp_path, cv=cv)).problems] == [
        "data/cv/ada.yaml:3:18"
    ]


def test_a_misspelt_field_is_not_also_missing(tmp_path: Path) -> None:
    (problem,) = load(site_with(tmp_path, cv="basics: {nmae: Ada Berg}\n")).problems
    assert problem.message == "basics: unknown field 'nmae'. Did you mean 'name'?"


def test_a_field_misspelt_here_and_missing_there_is_told_twice(tmp_path: Path) -> None:
    cv = WORK.replace("ENTRY", "highlights: [{txet: T}, {works: sieve}]")
    assert [problem.message for problem in load(site_with(tmp_path, cv=cv)).problems] == [
        "work[0].highlights[0]: unknown field 'txet'. Did you mean 'text'?",
        "work[0].highlights[1]: 'text' is missing. Add it.",
    ]


def test_a_study_of_nothing_is_told_of(tmp_path: Path) -> None:
    cv = "basics: {name: Ada Berg}\neducation: [{institution: uni, studyType: [], dates: 2019}]\n"
    (problem,) = load(site_with(tmp_path, cv=cv)).problems
    assert problem.message == "education[0].studyType: this list is empty. Add at least one item."


@pytest.mark.parametrize(
    "address",
    ["a{b@example.org", "a%zz@example.org", "a|b@example.org", "a^@example.org", "a`@example.org"],
)
def test_an_address_that_would_break_an_iri_is_refused(tmp_path: Path, address: str) -> None:
    cv = f'basics: {{name: Ada Berg, email: {{value: "{address}", visibility: public}}}}\n'
    (problem,) = load(site_with(tmp_path, cv=cv)).problems
    assert problem.rule == "bad-email"


def test_an_address_that_is_wrong_is_not_repeated(tmp_path: Path) -> None:
    (problem,) = load(
        site_with(tmp_path, cv="basics: {name: Ada Berg, email: ada at example.org}\n")
    ).problems
    assert problem.rule == "bad-email"
    assert "ada at example" not in problem.message


def test_problems_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    cv = "interests: [snad]\nbasics: {zzz: x}\nwork: [{organization: frim, position: P}]\n"
    found = load(site_with(tmp_path, cv=cv)).problems
    assert found == sorted(found)
    assert [problem.place.line for problem in found] == [1, 2, 2, 3]


@pytest.mark.parametrize(
    ("section", "entry", "ours"),
    [
        ("work", "company: firm, position: P, dates: 2019", "organization"),
        ("work", "name: firm, position: P, dates: 2019", "organization"),
        ("work", "organization: firm, title: P, dates: 2019", "position"),
        ("work", "organization: firm, position: P, start_date: 2019, endDate: 2020", "startDate"),
        ("work", "organization: firm, position: P, startDate: 2019, end_date: 2020", "endDate"),
        ("projects", "title: Sieve, dates: 2019", "name"),
        ("skills", "name: sieving, fluency: expert", "level"),
        ("awards", "title: Prize, issuer: firm, date: 2019", "awarder"),
        ("awards", "name: Prize, date: 2019", "title"),
    ],
)
def test_a_field_of_another_format_is_told_by_our_name(
    tmp_path: Path, section: str, entry: str, ours: str
) -> None:
    cv = f"basics: {{name: Ada Berg}}\n{section}:\n- {{{entry}}}\n"
    found = load(site_with(tmp_path, cv=cv)).problems
    unknown = [problem for problem in found if problem.rule == "unknown-field"]
    assert len(unknown) == 1
    assert unknown[0].message.endswith(f"Did you mean '{ours}'?")
    assert not [problem for problem in found if problem.rule == "missing-field"]


def test_a_field_that_is_written_already_is_not_meant_again(tmp_path: Path) -> None:
    cv = "basics: {name: Ada Berg}\nwork:\n- {organization: firm, company: firm, position: P}\n"
    (problem,) = load(site_with(tmp_path, cv=cv)).problems
    assert "Known: " in problem.message
