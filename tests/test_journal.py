"""Several commands that change one site, and those that are killed between two files."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from kg.journal import JOURNAL, change_files, changing, digest, finish_change
from tests.web.serving import KG

OLD, NEW = {"data/a.yaml": "a: 1\n", "data/b.yaml": "b: 1\n"}, {"data/a.yaml": "a: 2\n"}
NEW |= {"data/b.yaml": "b: 2\n", "data/c.yaml": "c: 2\n"}


def written(site: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    return site


def texts(site: Path) -> dict[str, str]:
    return {f"data/{path.name}": path.read_text() for path in sorted((site / "data").iterdir())}


def killed(site: Path, after: int) -> Path:
    """A site in which a change was killed when so many of its files were new."""
    written(site, OLD)
    noted = {name: (digest(site / name), text) for name, text in NEW.items()}
    return written(site, {JOURNAL: json.dumps(noted), **dict([*NEW.items()][:after])})


@pytest.mark.parametrize("after", range(4))
def test_a_change_that_was_killed_is_finished_once_it_has_begun(tmp_path: Path, after: int) -> None:
    finish_change(killed(tmp_path, after))
    assert texts(tmp_path) == (NEW if after else OLD)


def test_what_an_author_wrote_since_stays(tmp_path: Path) -> None:
    written(killed(tmp_path, 1), {"data/b.yaml": "b: 3\n"})
    finish_change(tmp_path)
    assert texts(tmp_path) == OLD | {"data/a.yaml": "a: 2\n", "data/b.yaml": "b: 3\n"}


def test_a_change_that_is_under_way_is_left_to_who_makes_it(tmp_path: Path) -> None:
    with changing(tmp_path):
        killed(tmp_path, 1)
        finish_change(tmp_path)
        assert (tmp_path / JOURNAL).exists()
    with changing(tmp_path):
        assert texts(tmp_path) == NEW


OUT = ["../out.yaml", "data/../../out.yaml", "data/link.yaml", "data/circle.yaml"]


@pytest.mark.parametrize("name", [*OUT, "data/\0.yaml", f"data/{'long' * 99}.yaml"])
def test_the_journal_of_a_stranger_leads_nowhere(tmp_path: Path, name: str) -> None:
    site = written(tmp_path / "site", {"data/a.yaml": "a: 2\n"})
    (site / "data/link.yaml").symlink_to(tmp_path / "out.yaml")
    (site / "data/circle.yaml").symlink_to("circle.yaml")
    (tmp_path / "out.yaml").write_text("mine", encoding="utf-8")
    noted = {"data/a.yaml": ("", "a: 2\n"), name: (digest(tmp_path / "out.yaml"), "theirs")}
    written(site, {JOURNAL: json.dumps(noted)})
    finish_change(site)
    with changing(site):
        change_files(site, {"data/a.yaml": "a: 3\n", "data/b.yaml": "b: 3\n"})
    assert (tmp_path / "out.yaml").read_text(encoding="utf-8") == "mine"
    assert (site / "data/b.yaml").read_text(encoding="utf-8") == "b: 3\n"
    assert not (site / JOURNAL).exists()


@pytest.mark.parametrize("name", [".git/config", "data/.git/config", "README.md"])
def test_a_journal_names_data_alone(tmp_path: Path, name: str) -> None:
    written(tmp_path, {"data/a.yaml": "a: 2\n", name: "mine"})
    noted = {"data/a.yaml": ("", "a: 2\n"), name: (digest(tmp_path / name), "theirs")}
    written(tmp_path, {JOURNAL: json.dumps(noted)})
    finish_change(tmp_path)
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_the_journal_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(tmp_path, 1)
    monkeypatch.setattr("os.getuid", lambda: tmp_path.stat().st_uid + 1)
    finish_change(tmp_path)
    assert (tmp_path / "data/b.yaml").read_text(encoding="utf-8") == OLD["data/b.yaml"]
    monkeypatch.undo()
    finish_change(tmp_path)
    assert texts(tmp_path) == NEW


def test_a_damaged_journal_goes(tmp_path: Path) -> None:
    finish_change(written(tmp_path, {"data/a.yaml": "a: 2\n", JOURNAL: "{"}))
    assert texts(tmp_path) == {"data/a.yaml": "a: 2\n"}


def test_nothing_is_left_of_a_change_that_came_to_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), changing(tmp_path / "new/site"):
        assert (tmp_path / "new/site/data").is_dir()
        raise ValueError("no")
    assert [*tmp_path.iterdir()] == []
    with changing(tmp_path / "site"):
        change_files(tmp_path / "site", NEW)
    assert texts(tmp_path / "site") == NEW


def test_neither_journal_nor_drafts_are_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, OLD)
    (tmp_path / "data/a.yaml").chmod(0o640)
    seen, replace = dict[str, str](), Path.replace

    def look(draft: Path, path: Path) -> Path:
        modes = {each.name: stat.filemode(each.stat().st_mode) for each in draft.parent.iterdir()}
        seen.update(modes)
        return replace(draft, path)

    monkeypatch.setattr(Path, "replace", look)
    monkeypatch.setattr("shutil.copymode", lambda *_: None)
    with changing(tmp_path):
        change_files(tmp_path, {name: NEW[name] for name in OLD})
    hidden = {name: mode for name, mode in seen.items() if name.startswith(".")}
    assert len(hidden) == 4, "drafts of the journal and of two files, and the journal"
    assert {*hidden.values()} == {"-rw-------"}


def test_who_waits_for_another_command_reads_what_that_wrote(
    one_person: Path, tmp_path: Path
) -> None:
    site = Path(shutil.copytree(one_person, tmp_path / "site"))
    (cv,) = (site / "data/cv").iterdir()
    with ExitStack() as both:
        alone = both.enter_context(ExitStack())
        alone.enter_context(changing(site))
        add = [KG, "add", "award", site, "title=Medal"]
        added = both.enter_context(subprocess.Popen(add, stderr=subprocess.PIPE, text=True))
        assert added.stderr is not None
        assert "Another command changes" in added.stderr.readline()
        text = cv.read_text(encoding="utf-8")
        change_files(site, {"data/cv/ada-berg.yaml": f"{text}interests: [Ice]\n"})
        alone.close()
        _, said = added.communicate(timeout=300)
    assert added.returncode == 0, said
    assert re.search(r"interests: \[Ice\]\n(.*\n)*.*Medal", cv.read_text(encoding="utf-8"))
