"""Works whose keys would be equal get keys of their own, in one CV and across files."""

from __future__ import annotations

from pathlib import Path

from kg.facts.load import Facts, load
from kg.facts.models.people import Cv

SITE = "base: https://cases.example.org/\ntitle: Cases\n"
WORK = "{title: %s, kind: report, authors: [%s], year: 2020%s}"


def work(title: str, author: str = "Ada Berg", more: str = "") -> str:
    return WORK % (title, author, more)


def cv(name: str, *works: str, more: str = "") -> str:
    listed = "".join(f"  - {each}\n" for each in works)
    return f"basics: {{name: {name}}}\npublications:\n{listed}{more}"


def bib(key: str, title: str, author: str = "Ada Berg") -> str:
    return f"@techreport{{{key}, title={{{title}}}, author={{{author}}}, year={{2020}}}}\n"


def facts_of(folder: Path, files: dict[str, str]) -> Facts:
    for name, text in {"site.yaml": SITE, **files}.items():
        (folder / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "data" / name).write_text(text, encoding="utf-8")
    return load(folder)


def errors(facts: Facts) -> list[str]:
    return [str(each) for each in facts.problems if each.severity == "error"]


def lists_of(folder: Path, files: dict[str, str]) -> dict[str, list[str]]:
    """What each CV lists, in a site without errors."""
    facts = facts_of(folder, files)
    assert errors(facts) == []
    return {
        each.slug: [listed.publication.slug for listed in fact.publications]
        for each, fact in facts.of(Cv)
    }


def test_titles_that_begin_with_one_word(tmp_path: Path) -> None:
    works = map(work, ("Sand on the Move", "Sand at Rest", "Sand", "Sand Moving at Rest"))
    assert lists_of(tmp_path, {"cv/ada.yaml": cv("Ada Berg", *works)}) == {
        "ada": [
            "berg-2020-sand",
            "berg-2020-sand-rest",
            "berg-2020-sand-2",
            "berg-2020-sand-moving",
        ]
    }


def test_a_work_that_is_added_moves_no_other(tmp_path: Path) -> None:
    works = [work("Sand on the Move"), work("Sand at Rest")]
    before = lists_of(tmp_path / "before", {"cv/ada.yaml": cv("Ada Berg", *works)})
    more = [work("Ice"), *works, work("Sand and Silt")]
    after = lists_of(tmp_path / "after", {"cv/ada.yaml": cv("Ada Berg", *more)})
    assert after["ada"] == ["berg-2020-ice", *before["ada"], "berg-2020-sand-silt"]


def test_a_key_that_was_given_holds(tmp_path: Path) -> None:
    given = work("Ice", more=", key: berg-2020-sand")
    found = lists_of(tmp_path, {"cv/ada.yaml": cv("Ada Berg", work("Sand at Rest"), given)})
    assert found["ada"] == ["berg-2020-sand-rest", "berg-2020-sand"]


def test_works_of_several_people(tmp_path: Path) -> None:
    files = {
        "cv/ada.yaml": cv("Ada Berg", work("Sand at Rest")),
        "cv/bo.yaml": cv("Bo Berg", work("Sand on the Move", "Bo Berg"), "berg-2020-stone"),
        "publications.yaml": f"berg-2020-stone: {work('Stones', 'Bo Berg')}\n",
    }
    assert lists_of(tmp_path, files) == {
        "ada": ["berg-2020-sand"],
        "bo": ["berg-2020-sand-move", "berg-2020-stone"],
    }


def test_a_registry_has_its_key_before_a_cv(tmp_path: Path) -> None:
    files = {
        "cv/ada.yaml": cv("Ada Berg", work("Sand at Rest"), "berg-2020-sand"),
        "publications.yaml": f"berg-2020-sand: {work('Sandstone')}\n",
    }
    assert lists_of(tmp_path, files)["ada"] == ["berg-2020-sand-rest", "berg-2020-sand"]


def test_bibliographies_that_use_one_key(tmp_path: Path) -> None:
    files = {
        "cv/ada.yaml": cv("Ada Berg", "ada.bib"),
        "cv/ada.bib": bib("berg2020", "Sand at Rest") + bib("shared", "Silt", "Ada Berg and Bo Ek"),
        "cv/bo.yaml": cv("Bo Ek", "bo.bib", "{key: berg2020, selected: true}"),
        "cv/bo.bib": bib("berg2020", "Gravel", "Bo Ek")
        + bib("shared", "Silt", "Ada Berg and Bo Ek"),
    }
    assert lists_of(tmp_path, files) == {
        "ada": ["berg2020", "shared"],
        "bo": ["shared", "berg2020-gravel"],
    }


def test_one_work_in_two_cvs_is_pointed_out(tmp_path: Path) -> None:
    both = "Ada Berg, Bo Ek"
    files = {
        "cv/ada.yaml": cv("Ada Berg", work("Sand at Rest", both)),
        "cv/bo.yaml": cv("Bo Ek", work("Sand at rest.", both)),
    }
    assert errors(facts_of(tmp_path, files)) == [
        "data/cv/bo.yaml:3:5             error    publications[0]: the key "
        "'berg-2020-sand' is already used (data/cv/ada.yaml:3:5). If this is the same work, write "
        "'- berg-2020-sand' here. If not, give it another 'key'.  [duplicate-key]"
    ]


def test_one_work_twice_in_a_cv_is_pointed_out(tmp_path: Path) -> None:
    works = (work("Sand at Rest"), work("Sand"), work("Sand at Rest", more=", selected: true"))
    (error,) = errors(facts_of(tmp_path, {"cv/ada.yaml": cv("Ada Berg", *works)}))
    assert "publications[2]: duplicate of publications[0] (data/cv/ada.yaml:3:5)." in error


def test_a_key_that_two_works_would_get_names_neither(tmp_path: Path) -> None:
    """Else another work of that year would make a statement about the first one false."""
    works = (work("Sand on the Move"), work("Sand at Rest"))
    award = "awards: [{title: Medal, year: 2021, work: %s}]\n"
    text = cv("Ada Berg", *works, more=award % "berg-2020-sand")
    (error,) = errors(facts_of(tmp_path / "one", {"cv/ada.yaml": text}))
    assert (
        "awards[0]: work 'berg-2020-sand' is ambiguous: 'Sand on the Move' or 'Sand at Rest'. "
        "Write 'berg-2020-sand-rest' for the second work, or add 'key: "
        "berg-2020-sand' to the first."
    ) in error
    for number, remedied in enumerate(
        [
            text.replace("work: berg-2020-sand", "work: berg-2020-sand-rest"),
            text.replace("Move, ", "Move, key: berg-2020-sand, "),
        ]
    ):
        assert errors(facts_of(tmp_path / str(number), {"cv/ada.yaml": remedied})) == []


def test_a_thesis_in_a_study_beside_a_work_of_that_year(tmp_path: Path) -> None:
    study = "{institution: Uni, studyType: %s, thesis: %s, endDate: 2020}"
    studies = (study % ("PhD", "Sand and Water"), study % ("MSc", "Sand and Gravel"))
    files = {
        "cv/ada.yaml": cv(
            "Ada Berg", work("Sand at Rest"), more=f"education: [{', '.join(studies)}]\n"
        )
    }
    facts = facts_of(tmp_path, files)
    assert errors(facts) == []
    works = {
        each.slug: each.row.get("title") for each in facts.loaded if each.kind == "publications"
    }
    assert works == {
        "berg-2020-sand": "Sand at Rest",
        "berg-2020-sand-water": "Sand and Water",
        "berg-2020-sand-gravel": "Sand and Gravel",
    }
