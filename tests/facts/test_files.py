"""The files of a site: which are read, as what, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.errors import Problem, SiteNotFound
from kg.facts.bibliography.placement import READABLE_FILES
from kg.facts.files import Files, read_files
from kg.facts.load import load
from kg.facts.site_file import read_site

SITE = "base: https://cases.example.org/\ntitle: Cases\n"


def files_of(folder: Path, **files: str) -> Files:
    """What is read from a folder with these files below `data/`."""
    for name, text in files.items():
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_files(folder)


def told(problems: list[Problem]) -> list[str]:
    return [f"{problem.place} {problem.severity} {problem.rule}" for problem in problems]


def site_problems(folder: Path, text: str) -> list[str]:
    (folder / "data").mkdir()
    (folder / "data" / "site.yaml").write_text(text, encoding="utf-8")
    site, problems = read_site(folder)
    assert site is None
    return [
        f"{problem.place.line}:{problem.place.column} {problem.message} [{problem.rule}]"
        for problem in problems
    ]


def test_a_registry_is_a_file_or_a_folder_or_both(tmp_path: Path) -> None:
    found = files_of(
        tmp_path,
        **{
            "people.yaml": "ada: {name: Ada}",
            "people/b.yaml": "bo: {name: Bo}",
            "people/c.yml": "cy: {name: Cy}\ndi: {name: Di}",
            "topics.yml": "sand: {name: Sand}",
        },
    )
    assert sorted(found.registries["people"]) == ["ada", "bo", "cy", "di"]
    assert list(found.registries["topics"]) == ["sand"]
    assert found.problems == []
    assert str(found.registries["people"]["di"].place) == "data/people/c.yml:2:5"
    assert found.registries["people"]["di"].path == "di"


def test_the_file_is_called_organizations_and_the_address_orgs(tmp_path: Path) -> None:
    assert list(
        files_of(tmp_path, **{"organizations.yaml": "uni: {name: U}"}).registries["orgs"]
    ) == ["uni"]


def test_a_cv_is_known_by_the_name_of_its_file(tmp_path: Path) -> None:
    found = files_of(
        tmp_path, **{"cv/ada-berg.yaml": "basics: {name: Ada}", "cv/bo.yml": "basics: {name: Bo}"}
    )
    assert sorted(found.cvs) == ["ada-berg", "bo"]


def test_turtle_beside_the_registries_is_kept_for_the_graph(tmp_path: Path) -> None:
    found = files_of(tmp_path, **{"more.ttl": "", "people/more.ttl": ""})
    assert [path.name for path in found.turtle] == ["more.ttl"]
    assert told(found.problems) == ["data/people/more.ttl:1:1 warning unknown-file"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("poeple.yaml", "Run: mv data/poeple.yaml data/people.yaml"),
        ("people.YAML", "Run: mv data/people.YAML data/people.yaml"),
        ("Papers.yaml", "Run: mv data/Papers.yaml data/publications.yaml"),
        ("sites.yaml", "Run: mv data/sites.yaml data/site.yaml"),
        ("cv.yaml", "Run: mkdir -p data/cv && mv data/cv.yaml data/cv/your-name.yaml"),
        ("cvs/ada.yaml", "Run: mkdir -p data/cv && mv data/cvs/ada.yaml data/cv/ada.yaml"),
        ("people/more/deep.yaml", "Run: mv data/people/more/deep.yaml data/people/deep.yaml"),
        (
            "people/me too.jpg",
            "Run: mkdir -p static && mv 'data/people/me too.jpg' 'static/me too.jpg'",
        ),
        ("people/more.ttl", "Run: mv data/people/more.ttl data/more.ttl"),
        ("more.TTL", "Run: mv data/more.TTL data/more.ttl"),
        ("zzzzzzzz.txt", f"{READABLE_FILES} Move it out of data/."),
    ],
)
def test_a_file_that_is_not_read_is_told_of(tmp_path: Path, name: str, hint: str) -> None:
    (problem,) = files_of(tmp_path, **{name: "a: {b: c}"}).problems
    assert str(problem.place) == f"data/{name}:1:1"
    assert (problem.severity, problem.message) == ("warning", f"This file is not read. {hint}")


def test_hidden_files_and_the_site_file_are_passed_over(tmp_path: Path) -> None:
    found = files_of(
        tmp_path, **{".people.yaml.swp": "x", "people/.draft.yaml": "x", "site.yaml": SITE}
    )
    assert (found.problems, found.registries["people"]) == ([], {})


def test_a_key_that_cannot_be_an_address_is_told_with_one_that_can(tmp_path: Path) -> None:
    found = files_of(
        tmp_path,
        **{
            "people.yaml": "Ada Berg: {name: Ada}\nbo: {name: Bo}",
            "cv/Zoë.yaml": "basics: {name: Zoë}",
        },
    )
    assert list(found.registries["people"]) == ["bo"]
    assert found.cvs == {}
    assert [problem.message.rpartition(" e.g. ")[2] for problem in found.problems] == [
        "'ada-berg'.",
        "'zoe'.",
    ]


def test_an_entry_without_fields_is_told_of_and_the_others_are_read(tmp_path: Path) -> None:
    found = files_of(tmp_path, **{"people.yaml": "ada: Ada\nbo:\ncy: [a]\ndi: {name: Di}"})
    assert list(found.registries["people"]) == ["di"]
    assert told(found.problems) == [
        f"data/people.yaml:{line}:1 error bad-value" for line in (1, 2, 3)
    ]


def test_a_key_in_two_files_is_told_with_both_places_and_the_first_counts(tmp_path: Path) -> None:
    found = files_of(
        tmp_path, **{"people.yaml": "\nada: {name: Ada}", "people/more.yaml": "ada: {name: Other}"}
    )
    assert found.registries["people"]["ada"]["name"] == "Ada"
    assert told(found.problems) == ["data/people/more.yaml:1:1 error duplicate-key"]
    assert "first in data/people.yaml:2:6" in found.problems[0].message


def test_a_file_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    found = files_of(
        tmp_path,
        **{"people.yaml": "ada: [", "topics.yaml": "sand: {name: Sand}", "venues.yaml": ""},
    )
    assert list(found.registries["topics"]) == ["sand"]
    assert sorted(problem.rule for problem in found.problems) == ["empty-file", "yaml"]


def test_the_site_file_says_all_that_a_site_is(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    more = (
        "description: Facts\nmodified: 2024-02\nlicense: https://example.org/licence\ncontact: "
        "Ada\n"
    )
    (tmp_path / "data" / "site.yaml").write_text(SITE + more, encoding="utf-8")
    site, problems = read_site(tmp_path)
    assert problems == []
    assert site is not None
    assert (site.folder, site.base, site.title, site.description) == (
        tmp_path,
        "https://cases.example.org/",
        "Cases",
        "Facts",
    )
    assert (site.modified, site.license, site.contact) == (
        "2024-02",
        "https://example.org/licence",
        "Ada",
    )


@pytest.mark.parametrize(
    "base",
    [
        "https://example.org",
        "https://example.org/?a/",
        "https://example.org/#/",
        "https://example.org/cv",
    ],
)
def test_a_base_ends_in_a_slash_and_has_neither_query_nor_fragment(
    tmp_path: Path, base: str
) -> None:
    (problem,) = site_problems(tmp_path, f"title: Cases\nbase: {base}\n")
    assert problem == (
        f"2:7 base '{base}' is not a base address. It must end in '/' and have no '?' or '#', "
        "e.g. https://cv.example.org/. [bad-base]"
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("base: /cv/\ntitle: T", "1:7 base '/cv/' is not a web address."),
        ("base: https://example.org/\n", "1:1 'title' is missing. Add it."),
        (SITE + "licence: x", "3:1 unknown field 'licence'. Did you mean 'license'?"),
        (SITE + "modified: present", "3:11 modified 'present' is only allowed as an end date."),
        ("- base", "1:1 Write a mapping here"),
        ("", "1:1 This file is empty."),
    ],
)
def test_what_is_wrong_with_the_site_file_is_told_with_its_place(
    tmp_path: Path, text: str, problem: str
) -> None:
    (found,) = site_problems(tmp_path, text)
    assert found.startswith(problem)


def test_a_folder_without_a_site_file_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(SiteNotFound, match=r"is not a site: .*site\.yaml does not exist"):
        load(tmp_path)


def test_a_wrong_site_file_does_not_hide_the_problems_of_the_others(tmp_path: Path) -> None:
    files_of(tmp_path, **{"site.yaml": "title: T", "people.yaml": "ada: {name: Ada, zzz: x}"})
    facts = load(tmp_path)
    assert facts.site is None
    assert told(facts.problems) == [
        "data/people.yaml:1:18 error unknown-field",
        "data/site.yaml:1:1 error missing-field",
    ]


def test_a_misspelt_section_in_visibility_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "site.yaml").write_text(
        f"{SITE}visibility: {{talks: private, tlaks: private}}\n", encoding="utf-8"
    )
    assert told(read_site(tmp_path)[1]) == ["data/site.yaml:3:30 error unknown-field"]
