"""What commands print of names, values and files that others wrote commands no terminal, and does
not turn the direction of what stands behind it.
"""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path

import pytest

from kg.check.report.text import json_of
from kg.settings import shipped
from tests.cli.test_cli import run
from tests.cli.test_cli_terminal import as_seen, at_terminal

TITLE = "\x1b]0;owned\x07"  # would rename the window
TURNED = "\u202egnihtemos\u202c \u2066x\u2069 \u200f"
RESUME = {
    "basics": {"name": f"Mira {TURNED}Sand", "summary": f"a{TITLE}", "x": f"b{TITLE}{TURNED}"},
    "work": [{"name": "Ice", "position": f"Head{TURNED}", "startDate": f"2019{TURNED}"}],
    f"field{TURNED}": TURNED,
}


def commanding(text: str) -> set[str]:
    """Characters that do more than to be seen; colours are ours."""
    return {each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cs")} - {"\n"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example, by authors with such names and such a file."""
    monkeypatch.chdir(tmp_path)  # where commands write
    folder = tmp_path / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    people = folder / "data" / "people.yaml"
    text = people.read_text(encoding="utf-8")
    text += f"\nmira: {{name: 'Mira {TURNED}Sand'}}\nmire: {{name: 'Mira {TURNED}Sand'}}\n"
    people.write_text(text, encoding="utf-8")
    (folder / "data" / f"{TITLE}{TURNED}.yaml").write_text(f"a: {TURNED}", encoding="utf-8")
    return folder


@pytest.mark.sample(test=0.25)
@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("check", "--format", "github"),
        ("check", "--json"),
        ("check", "--format", "sarif"),
        ("names",),
        ("names", "--json"),
        ("who", f"Mira {TURNED}Sand"),
        ("who", f"{TITLE}{TURNED}"),
        ("reconcile",),
        ("reconcile", "--json"),
        ("query", f"nothing{TITLE}"),
        ("query", f"ASK {{ {TITLE}{TURNED}"),
        ("export", f"{TITLE}", "--to", "vcard"),
        ("register", f"{TITLE}{TURNED}"),
        pytest.param(("build", "-o", f"{TITLE}/x/{TURNED}"), marks=pytest.mark.proof),
        (f"{TITLE}{TURNED}",),
    ],
    ids=lambda words: words[0].strip("\x1b\x07") if words[0].isprintable() else "command",
)
def test_a_command_prints_what_can_be_seen(words: tuple[str, ...], site: Path) -> None:
    result = run(*words, "--site", site)
    assert commanding(result.output + result.stderr) == set(), result.output
    assert (result.output + result.stderr).strip()


def test_json_for_a_terminal_is_the_same_value() -> None:
    value = {f"a{TITLE}": [TURNED, "\xa0\xad\x9b \u2028 \U000e0001\ud800", "é\n\\u202e", 1]}
    assert json.loads(json_of(value)) == value
    assert commanding(json_of(value)) == set()


def test_an_import_lists_what_can_be_seen(tmp_path: Path) -> None:
    resume = tmp_path / f"re{TURNED}.json"
    resume.write_text(json.dumps(RESUME), encoding="utf-8")
    result = run("import", resume, "--into", tmp_path / "new")
    assert "Imported " in result.output
    assert commanding(result.output) == set()
    result = run("import", tmp_path / f"{TITLE}.json", "--into", tmp_path / "other")
    assert result.exit_code == 2
    assert commanding(result.output) == set()


@pytest.mark.process
@pytest.mark.proof
def test_a_file_is_printed_as_it_is_but_harmless_at_a_terminal(tmp_path: Path) -> None:
    resume = tmp_path / "resume.json"
    resume.write_text(json.dumps(RESUME), encoding="utf-8")
    run("import", resume, "--into", tmp_path / "new")
    words = ("import", resume, "--into", tmp_path / "again", "--dry-run")
    assert TURNED.strip() in run(*words).stdout
    shown, _ = at_terminal(*words)
    assert "Mira" in shown.decode()
    assert commanding("\n".join(as_seen(shown))) == set()
