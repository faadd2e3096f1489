"""Commands that change one site at the same time, and files that take the place of others."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

import kg
from kg.check.check import check
from kg.files.atomic import lock_site, replace_files
from tests.web.serving import KG

OLD = {"data/a.yaml": "a: 1\n", "data/b.yaml": "b: 1\n"}
NEW = {"data/a.yaml": "a: 2\n", "data/b.yaml": "b: 2\n", "data/c.yaml": "c: 2\n"}


def texts(site: Path) -> dict[str, str]:
    return {f"data/{path.name}": path.read_text() for path in sorted((site / "data").iterdir())}


def test_nothing_is_left_of_a_change_that_came_to_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), lock_site(tmp_path / "new/site"):
        assert (tmp_path / "new/site/data").is_dir()
        raise ValueError("no")
    assert [*tmp_path.iterdir()] == []
    with lock_site(tmp_path / "site"):
        replace_files(tmp_path / "site", NEW)
    assert texts(tmp_path / "site") == NEW


def test_drafts_are_not_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_files(tmp_path, OLD)
    (tmp_path / "data/a.yaml").chmod(0o640)
    seen, replace = dict[str, str](), Path.replace

    def look(draft: Path, path: Path) -> Path:
        modes = {each.name: stat.filemode(each.stat().st_mode) for each in draft.parent.iterdir()}
        seen.update(modes)
        return replace(draft, path)

    monkeypatch.setattr(Path, "replace", look)
    monkeypatch.setattr("shutil.copymode", lambda *_: None)
    replace_files(tmp_path, {name: NEW[name] for name in OLD})
    hidden = {name: mode for name, mode in seen.items() if name.startswith(".")}
    assert len(hidden) == 2
    assert {*hidden.values()} == {"-rw-------"}


def test_a_command_that_waits_for_another_reads_what_that_wrote(
    one_person: Path, tmp_path: Path
) -> None:
    site = Path(shutil.copytree(one_person, tmp_path / "site"))
    (cv,) = (site / "data/cv").iterdir()
    with ExitStack() as both:
        alone = both.enter_context(ExitStack())
        alone.enter_context(lock_site(site))
        add = [KG, "add", "award", site, "title=Medal"]
        added = both.enter_context(subprocess.Popen(add, stderr=subprocess.PIPE, text=True))
        assert added.stderr is not None
        assert "Waiting for another command" in added.stderr.readline()
        text = cv.read_text(encoding="utf-8")
        replace_files(site, {"data/cv/ada-berg.yaml": f"{text}interests: [Ice]\n"})
        alone.close()
        _, said = added.communicate(timeout=300)
    assert added.returncode == 0, said
    assert re.search(r"interests: \[Ice\]\n(.*\n)*.*Medal", cv.read_text(encoding="utf-8"))


def test_reading_a_site_writes_nothing(one_person: Path, tmp_path: Path) -> None:
    site = Path(shutil.copytree(one_person, tmp_path / "site"))
    (site / "data/.cv.yaml.123.kg~").write_text("half", encoding="utf-8")  # of a killed command
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    check(site)
    kg.load(site)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
