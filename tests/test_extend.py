"""What `docs/extend.md` tells to add is added to a copy of the program, block by block, and works
as it is shown there.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.servers import empty_oxigraph
from tests.conftest import ROOT
from tests.installing import install, new_environment, offline
from tests.test_readme import ENVIRONMENT, IN_A_COPY, shown_in

PAGE = IN_A_COPY.read_text(encoding="utf-8")
PARTS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
STEP = re.compile(
    r"(In|At the end of|A new file) `([^`]+)`(?:, below `([^`]+)`)?:\n\n```\w+\n(.*?)```",
    re.DOTALL,
)
COPIED = ("kg", "shapes", "queries", "tests")
MOST_LINES = 10
ADDRESS = "http://127.0.0.1:7878/"  # of the server that the page speaks of


class Step(NamedTuple):
    """A block of the page, and where it belongs: in a new file, at the end of one, or below a line
    of it.
    """

    where: str
    file: str
    line: str
    text: str

    def take(self, folder: Path) -> None:
        path = folder / self.file
        if self.where == "A new file":
            assert not path.exists(), path
            path.parent.mkdir(exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
            return
        before = path.read_text(encoding="utf-8")
        if self.line:
            [found] = re.findall(rf"^( *{re.escape(self.line)}\n)", before, re.MULTILINE)
            indent = found[: len(found) - len(found.lstrip())]
            after = before.replace(found, found + indented(self.text, indent))
        else:
            after = before + ("\n\n" if path.suffix == ".py" else "") + self.text
        path.write_text(after, encoding="utf-8")


def indented(text: str, indent: str) -> str:
    return "".join(indent + line for line in text.splitlines(keepends=True))


def steps_of(part: str) -> list[Step]:
    return [Step(*found) for found in STEP.findall(PARTS[part])]


def copy_of_program(folder: Path) -> Path:
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "README.md", "LICENSE", "sbom.cdx.json"):
        shutil.copy(ROOT / name, folder)
    return folder


def test_the_page_has_all_that_is_added_most_often() -> None:
    assert [*PARTS] == [
        "A kind of fact",
        "A rule",
        "A question",
        "An importer",
        "A server profile",
    ]
    for part, text in PARTS.items():
        blocks = len(re.findall(r"^```\w", text, re.MULTILINE))
        assert len(steps_of(part)) == blocks - 1, part  # the last are the commands
        assert text.count("```console") == 1, part


@pytest.mark.parametrize("part", PARTS)
def test_no_step_is_longer_than_ten_lines(part: str) -> None:
    for step in steps_of(part):
        lines = [
            line
            for line in step.text.splitlines()
            if line.strip() and not line.startswith(("import ", "from "))
        ]
        assert len(lines) <= MOST_LINES, step.file


@pytest.mark.process
def test_every_step_fits_the_program_and_its_style(tmp_path: Path) -> None:
    folder = copy_of_program(tmp_path)
    for part in PARTS:
        for step in steps_of(part):
            step.take(folder)
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    for words in (["format", "--check"], ["check"]):
        subprocess.run(
            [*ruff, *words, "--no-cache", "--quiet", "kg", "kg-fresh"], cwd=folder, check=True
        )


@pytest.mark.process
@pytest.mark.proof
@pytest.mark.parametrize("part", PARTS)
def test_what_is_added_works_as_the_page_shows(part: str, tmp_path: Path) -> None:
    folder = copy_of_program(tmp_path)
    for step in steps_of(part):
        step.take(folder)
    environment = {**ENVIRONMENT, "PYTHONPATH": str(folder)}
    installed = folder
    if (
        "$ pip install" in PARTS[part]
    ):  # a package of its own, beside the program as it is installed
        installed = new_environment(folder)
        install(installed, "pip install .", folder)
        environment |= {"PATH": f"{installed}/bin{os.pathsep}{os.environ['PATH']}"}
        del environment["PYTHONPATH"]
    oxigraph = Path(sys.executable).with_name("oxigraph")
    with ExitStack() as stack:
        address = ADDRESS
        if ADDRESS in PARTS[part]:
            server = stack.enter_context(empty_oxigraph(oxigraph, folder))
            address = f"http://127.0.0.1:{server.port}/"
        for command, shown in shown_in(PARTS[part]):
            run = subprocess.run(
                ["bash", "-c", offline(command, installed).replace(ADDRESS, address)],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert run.stdout.replace(address, ADDRESS) == shown, command
