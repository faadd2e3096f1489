"""`kg check --fix` writes what is certain, keeps everything else, and is done after one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.report.extents import Source
from kg.check.site_state import Report, Request
from kg.errors import Fix, Place, Problem, fix
from kg.plugins.fix.edits import applied, certain, edits_of
from kg.plugins.fix.fixing import run as run_fixer
from tests import cases
from tests.cli.test_cli import run

CV = "data/cv/ada-berg.yaml"
TEXT = """\
# My CV
basics:
  name: Ada Berg     # as on paper
  urll: "https://ada.example.org/"
work:
  - {organization: Uni A, postion: 'Post-doc', startDate: Mai 2019, endDate: heute}
education: []
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text("base: https://a.example/\n", encoding="utf-8")
    (tmp_path / CV).write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    return tmp_path


def test_only_the_tokens_change(site: Path) -> None:
    result = run("check", site, "--fix")
    after = (site / CV).read_bytes()
    expected = TEXT.replace("urll", "url").replace("postion", "position")
    expected = expected.replace("Mai 2019", "2019-05").replace("heute", "present")
    assert after == b"\xef\xbb\xbf" + expected.replace("\n", "\r\n").encode()
    assert result.stderr.count("Fixed ") == 4
    again = run("check", site, "--fix")
    assert "Nothing to fix." in again.stderr
    assert (site / CV).read_bytes() == after


def test_a_diff_shows_the_same_and_changes_nothing(site: Path) -> None:
    before = (site / CV).read_bytes()
    result = run("check", site, "--diff")
    assert result.exit_code == 1
    assert "+  url: " in result.stdout
    assert (site / CV).read_bytes() == before
    run("check", site, "--fix")
    assert run("check", site, "--diff").exit_code == 0


def test_yaml_that_can_be_read_again_is_fixed_in_the_same_run(site: Path) -> None:
    (site / CV).write_text("basics:\n  name:Ada Berg\n  urll: https://a.org\n", encoding="utf-8")
    run("check", site, "--fix")
    text = (site / CV).read_text(encoding="utf-8")
    assert text == "basics:\n  name: Ada Berg\n  url: https://a.org\n"


def test_fixes_that_cannot_be_written_are_not_promised(site: Path) -> None:
    text = "basics: {name: Ada Berg}\nawards:\n  - title: A prize\n    date: |\n      March 2019\n"
    (site / CV).write_text(text, encoding="utf-8")
    result = run("check", site, "--fix")
    assert "Did you mean 2019-03?" in result.stdout
    assert "Nothing to fix." in result.stderr
    assert "can be fixed" not in result.stderr


def test_only_the_given_files_are_fixed(site: Path) -> None:
    before = (site / CV).read_bytes()
    run("check", site, site / "data" / "site.yaml", "--fix")
    assert (site / CV).read_bytes() == before


def test_a_file_that_changed_during_the_check_is_left_alone(site: Path) -> None:
    problem = Problem(Place(CV, 4, 3), "error", "x", "y", fix=fix("urll", "url"))

    def check() -> Report:
        (site / CV).write_text(TEXT + "# typed meanwhile\n", encoding="utf-8")
        return Report([problem], False, "", "")

    run_fixer(Request(site, []), check)
    assert "urll" in (site / CV).read_text(encoding="utf-8")


def test_two_different_fixes_of_one_value_are_a_guess(site: Path) -> None:
    (site / CV).write_text("a: b\n", encoding="utf-8")
    found = [Problem(Place(CV, 1, 4), "error", w, "x", fix=fix("b", w)) for w in ("c", "d")]
    assert not edits_of(site, found, certain)
    assert edits_of(site, found[:1] * 2, certain)


def test_a_link_out_of_the_site_is_left_alone(site: Path) -> None:
    outside = site.parent / f"{site.name}-outside.yaml"
    outside.write_text("a: b\n", encoding="utf-8")
    (site / CV).unlink()
    (site / CV).symlink_to(outside)
    found = [Problem(Place(CV, 1, 4), "error", "x", "x", fix=fix("b", "c"))]
    assert not edits_of(site, found, certain)


@pytest.mark.parametrize(
    ("line", "column", "old", "new", "expected"),
    [
        ("a: b # c", 4, "b", "d", "a: d # c"),
        ("a: b", 4, "b", "d: e", 'a: "d: e"'),
        ("a: {b: c}", 8, "c", "d, e", 'a: {b: "d, e"}'),
        ("a: 'b'", 4, "b", "it's", "a: 'it''s'"),
        ('a: "b"', 4, "b", 'say "x"', 'a: "say \\"x\\""'),
        ("a: http:b", 4, "http:b", "https://b.org/", "a: https://b.org/"),
        ("a: one wrod here", 8, "wrod", "word", "a: one word here"),
        ("a: &x b", 4, "b", "c", "a: &x c"),
        ("a: &x !!str 'b' # b", 4, "b", "c", "a: &x !!str 'c' # b"),
        ("a: *x", 4, "b", "c", None),
        ("a: |\n  b", 4, "b\n", "c", None),
        ("a: changed", 4, "b", "c", None),
        ("a: [b, c]", 4, "b", "c", None),
    ],
)
def test_a_value_is_written_as_yaml(
    line: str, column: int, old: str, new: str, expected: str | None
) -> None:
    data = f"{line}\n".encode()
    edit = Source("f.yaml", data).edit(Place("f.yaml", 1, column), Fix(old, (new,)), new)
    assert (edit and applied("f.yaml", data, [edit]).decode()) == (expected and f"{expected}\n")


@pytest.mark.parametrize(("before", "after"), [("{", "}"), ('"', '"')])
def test_a_value_of_a_bibliography_keeps_its_brackets(before: str, after: str) -> None:
    data = f"@misc{{a,\r\n  url = {before}x.org{after}}}".encode()
    edit = Source("f.bib", data).edit(Place("f.bib", 2, 9), Fix("x.org", ("y.org",)), "y.org")
    assert edit and applied("f.bib", data, [edit]) == data.replace(b"x.org", b"y.org")


def test_unsafe_needs_somebody_to_ask(site: Path) -> None:
    result = run("check", site, "--unsafe")
    assert result.exit_code == 2
    assert "needs a terminal" in result.stderr


def test_the_check_fixes_nothing_without_the_option(tmp_path: Path) -> None:
    site = cases.site(cases.FOLDER / "not-yaml", tmp_path)
    before = {path: path.read_bytes() for path in site.rglob("*.yaml")}
    run("check", site)
    assert {path: path.read_bytes() for path in site.rglob("*.yaml")} == before


def test_a_file_is_moved_to_where_it_is_read(site: Path) -> None:
    wrong, right = site / "data" / "cvs" / "bo-berg.yaml", site / "data" / "cv" / "bo-berg.yaml"
    wrong.parent.mkdir()
    wrong.write_text("basics: {name: Bo Berg}\n", encoding="utf-8")
    shown = run("check", site, "--diff").stdout
    assert "rename from" in shown
    assert wrong.exists()
    result = run("check", site, "--fix")
    assert "Moved " in result.stderr
    assert right.read_text(encoding="utf-8") == "basics: {name: Bo Berg}\n"
    assert not wrong.exists()


def test_a_moved_file_replaces_none_and_is_never_a_guess(site: Path) -> None:
    wrong = site / "data" / "cvs" / "ada-berg.yaml"
    wrong.parent.mkdir()
    wrong.write_text("basics: {name: Ada Berg}\n", encoding="utf-8")
    (site / "data" / "plans.yaml").write_text("oslo: {name: Oslo}\n", encoding="utf-8")
    result = run("check", site, "--fix")
    assert "Moved " not in result.stderr
    assert wrong.exists()
    assert (site / "data" / "plans.yaml").exists()
