"""The pages of docs/ that are generated, and the list of all pages in mkdocs.yml."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from kg.check.check import good
from kg.cli import main
from kg.facts.models import SECTIONS
from kg.web.app import CONSOLE_PATHS
from release import man_pages, public_schemas, reference, skill
from tests.conftest import ROOT
from tests.schemas import faults

DOCS = ROOT / "docs"
W3ID = "https://w3id.org/cv-kg/"
MOST_WORDS = 30  # of the glossary


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    return reference.pages()


def test_generated_pages_are_current(generated: dict[Path, str]) -> None:
    for file, text in generated.items():
        assert file.read_text(encoding="utf-8") == text, f"{file.name}: run make reference"


def test_every_page_of_the_reference_is_generated(generated: dict[Path, str]) -> None:
    assert {*reference.FOLDER.glob("*.md")} == {*generated} - {
        *(DOCS / "formats.md", reference.STUB, skill.FILE, public_schemas.STORE),
        *man_pages.FOLDER.glob("*.1"),
    }


def test_the_reference_is_complete(generated: dict[Path, str]) -> None:
    pages = {file.stem: text for file, text in generated.items()}
    asked = re.findall(r"^### `(.+)`", pages["questions"], re.MULTILINE)
    assert sorted(asked) == sorted(path.stem for path in (ROOT / "queries").glob("*.rq"))
    assert pages["commands"].count("\n### `kg ") >= 25
    assert pages["rules"].count("\n## ") >= 190
    assert {*CONSOLE_PATHS, *reference.routes()} <= {*reference.ADDRESSES}


def test_mkdocs_lists_every_page() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- (?:\w+: )?(\S+\.md)$", config, re.MULTILINE)
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted([*pages, "README.md", "CONTRIBUTING.md"])


def test_the_glossary_is_short_and_sorted() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    words = re.findall(r"^## (.+)\n\n(.+)\n", text, re.MULTILINE)
    names = [name for name, _ in words]
    assert len(names) == text.count("\n## ") <= MOST_WORDS
    assert names == sorted(names, key=str.casefold)


def test_the_skill_for_agents_shows_a_site_that_checks(tmp_path: Path) -> None:
    text = skill.FILE.read_text(encoding="utf-8")
    shown = dict(
        re.findall(r"^`(data/[\w/.-]+)`:\n\n```yaml\n(.*?)```", text, re.MULTILINE | re.DOTALL)
    )
    assert len(shown) == 2
    for path, yaml_text in shown.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(yaml_text, encoding="utf-8")
    found = CliRunner().invoke(main, ["check", "--strict", str(tmp_path)])
    assert found.exit_code == 0, found.output
    assert good(tmp_path)


def test_the_skill_names_commands_and_sections_that_exist() -> None:
    text = skill.FILE.read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---")[1])["name"] == skill.FILE.parent.name
    commands = {*re.findall(r"`kg (\w+)", text)}
    assert len(commands) >= 4
    for command in commands:
        assert CliRunner().invoke(main, [command, "--help"]).exit_code == 0
    sections = {*re.findall(r"^- `(\w+)`:", text, re.MULTILINE)}
    assert sections == {"basics", *SECTIONS}
    for fields in re.findall(r"^- `\w+`: (.+)$", text, re.MULTILINE):
        assert len(fields) > 5
    assert len(text) < 16_000, "an agent reads it whole"


def test_every_command_has_a_manual_page() -> None:
    commands = re.findall(
        r"^### `kg ([\w-]+)`", (DOCS / "reference" / "commands.md").read_text("utf-8"), re.MULTILINE
    )
    assert {path.name for path in man_pages.FOLDER.iterdir()} == {
        *("kg.1", *(f"kg-{name}.1" for name in commands))
    }
    for path in man_pages.FOLDER.iterdir():
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f'.TH "{path.stem.upper()}" "1"')
        macros = {line.split()[0] for line in lines if line.startswith((".", "'"))}
        assert macros <= {".TH", ".SH", ".TP", ".PP", ".B", ".BR"}
        assert not any(re.search(r"\\(?![-e&f])", line) for line in lines)


@pytest.mark.process
def test_manual_pages_are_printed_without_warnings() -> None:
    program = shutil.which("groff") or pytest.skip("groff is not installed")
    for path in man_pages.FOLDER.iterdir():
        done = subprocess.run(
            [program, "-man", "-Kutf8", "-Tutf8", "-ww", path],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == "", path.name
        assert "SYNOPSIS" in re.sub(".\b", "", done.stdout), "bold letters are printed twice"


def test_the_schemas_have_stable_addresses_that_redirect_to_the_documentation() -> None:
    rules = (ROOT / "release" / "w3id" / ".htaccess").read_text(encoding="utf-8")
    [pattern] = re.findall(r"^RewriteRule (\^schema\S+)", rules, re.MULTILINE)
    schemas = {name: json.loads(text) for name, text in public_schemas.schemas().items()}
    assert {"cv.json", "site.json", "people.json"} <= schemas.keys()
    for name, schema in schemas.items():
        root, path = schema["$id"][: len(W3ID)], schema["$id"][len(W3ID) :]
        found = re.fullmatch(pattern, path)
        assert root == W3ID
        assert found
        assert found.groups() == (public_schemas.minor_version(), name)
    entries = json.loads(public_schemas.STORE.read_text(encoding="utf-8"))
    assert {each["url"] for each in entries} <= {each["$id"] for each in schemas.values()}


def test_a_public_schema_judges_a_cv() -> None:
    schema = json.loads(public_schemas.schemas()["cv.json"])
    assert faults({"basics": {"name": "Hana Lind"}}, schema) == []
    assert faults({"basics": {"nmae": "Hana Lind"}}, schema) != []


RECORDS = sorted((DOCS / "decisions").glob("[0-9]*.md"))


def test_there_are_ten_decisions_and_all_are_listed() -> None:
    listed = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\d\d-[\w-]+\.md)\)", listed) == [path.name for path in RECORDS]
    assert len(RECORDS) >= 10


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_decision_is_half_a_page_and_names_its_code(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parts = ["Problem", "Decision", "Consequences", "Alternatives", "Code"]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == parts
    assert len(text) <= 2_600
    code = text.partition("## Code")[2]
    named = re.findall(r"`([\w./-]+)`", code)
    assert named
    assert all((ROOT / name).exists() for name in named)


def test_every_public_part_is_documented_where_the_page_says() -> None:
    text = (DOCS / "stability.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([\w/.-]+)\)", text)
    assert len(targets) >= 7
    assert all((DOCS / target).is_file() for target in targets)
    for command in re.findall(r"`kg (\w+)(?: [^`]*)?`", text):
        assert f"`kg {command}`" in (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")


def test_each_plugin_is_listed_for_developers() -> None:
    listed = re.findall(
        r"^\| `plugins/(\w+)/`",
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    folders = {path.parent.name for path in (ROOT / "kg" / "plugins").glob("*/__init__.py")}
    assert {*listed} == folders
    assert len(listed) == len(folders) > 25
