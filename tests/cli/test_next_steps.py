"""After a build its author learns what comes next."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.check.redirects import is_example
from kg.cli.new_site import new_site, write_new
from kg.cli.publish import next_steps
from tests.cli.test_cli import run


def test_the_next_step_names_the_base() -> None:
    look, publish = next_steps("my site", "https://ada.se/")
    assert look == "Preview: kg serve 'my site'"
    assert "to https://ada.se/." in publish


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("https://cv.example.org/", True),
        ("https://example.com/ada/", True),
        ("https://lab.example/", True),
        ("https://myexample.com/", False),
        ("https://example.org.uk/", False),
        ("https://ada.github.io/example.org/", False),
    ],
)
def test_an_example_address_is_known(base: str, expected: bool) -> None:
    assert is_example(base) == expected


@pytest.mark.slow
def test_an_example_address_is_reported_until_the_base_is_changed(tmp_path: Path) -> None:
    site, target = tmp_path / "site", tmp_path / "out"
    write_new(site, new_site("Ada Berg"))
    build = ("build", site, "-o", target, "--formats", "")
    for _ in range(2):  # the second is unchanged
        found = run(*build)
        [line] = [each for each in found.stderr.splitlines() if "example address" in each]
        assert line.startswith("https://cv.example.org/ is an example address. Before you publish")
    set_base(site, "https://cv.example.org/", "https://ada.github.io/cv/")
    found = run(*build)
    assert (found.exit_code, "example address" in found.stderr) == (0, False)
    assert "address-gone" not in found.stderr
    assert (target / "addresses.txt").read_text().startswith("https://ada.github.io/cv/\n")
    set_base(site, "https://ada.github.io/cv/", "https://ada.se/")
    found = run(*build, "--previous", target)
    assert found.exit_code == 0
    assert "If the site has moved, redirect https://ada.github.io/cv/ there." in found.stderr
    assert (target / "addresses.txt").read_text().startswith("https://ada.se/\n")
    assert run("verify", target, site).exit_code == 0


@pytest.mark.parametrize(
    ("base", "pages"),
    [
        ("https://github.com/Ada/cv/", "https://ada.github.io/cv/"),
        ("https://github.com/ada/cv", "https://ada.github.io/cv/"),
        ("https://www.github.com/ada/cv.git", "https://ada.github.io/cv/"),
        ("https://github.com/ada/ada.github.io/", "https://ada.github.io/"),
        ("https://github.com/ada/cv/tree/main/", "https://ada.github.io/cv/"),
        ("https://github.com/ada/", "https://ada.github.io/"),
        ("https://gitlab.com/ada/cv/", "https://ada.gitlab.io/cv/"),
    ],
)
def test_the_address_of_a_repository_is_no_base(tmp_path: Path, base: str, pages: str) -> None:
    write_new(tmp_path, new_site("Ada Berg"))
    set_base(tmp_path, "https://cv.example.org/", base)
    found = run("check", tmp_path)
    assert found.exit_code == 1
    assert "is the address of a repository" in found.stdout
    assert f"e.g. {pages}." in found.stdout


def set_base(site: Path, old: str, new: str) -> None:
    path = site / "data/site.yaml"
    text = path.read_text(encoding="utf-8")
    assert f"\nbase: {old}\n" in text
    path.write_text(text.replace(f"\nbase: {old}\n", f"\nbase: {new}\n"), encoding="utf-8")


def test_the_check_hints_once_that_the_data_has_no_licence(tmp_path: Path) -> None:
    write_new(tmp_path, new_site("Ada Berg"))
    site = tmp_path / "data/site.yaml"
    text = site.read_text(encoding="utf-8")
    assert "\nlicense: CC-BY-4.0 " in text
    assert "no-license" not in run("check", tmp_path).stdout
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("license:")]
    site.write_text("".join(lines), encoding="utf-8")
    found = run("check", tmp_path)
    assert (found.exit_code, found.stdout.count("[no-license]")) == (0, 1)
    assert "Add, for example, 'license: CC-BY-4.0'" in found.stdout
