"""Sites as they stood in git, from repositories that mean no good, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.files.git import commit_of, restore
from kg.settings import FOLDERS
from tests.kinds import starts

ME = ("-c", "user.name=T", "-c", "user.email=t@lab.example", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str, day: str = "2025-03-01T12:00:00+0000") -> str:
    dates = {"GIT_COMMITTER_DATE": day, "GIT_AUTHOR_DATE": day, "PATH": "/usr/bin:/bin"}
    alone = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *ME, "-C", str(folder), *words],
        env=dates | alone,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def commit(folder: Path, text: str, day: str) -> str:
    folder.joinpath("data").mkdir(parents=True, exist_ok=True)
    folder.joinpath("data/site.yaml").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", text, day=day)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
@starts("process")
def site(tmp_path: Path) -> Path:
    """A site below the top of its repository, with three states."""
    folder = tmp_path / "repository" / "site"
    folder.mkdir(parents=True)
    git(folder.parent, "init", "-q", "-b", "main")
    commit(folder, "first", "2025-03-01T12:00:00+0000")
    folder.joinpath("notes.txt").write_text("no part of a site")
    commit(folder, "second", "2025-06-01T23:30:00-0700")  # the day after in UTC
    commit(folder, "third", "2025-09-01T00:00:00+0000")
    return folder


def text_at(site: Path, revision: str, target: Path) -> str:
    restore(site, revision, FOLDERS, target)
    assert sorted(path.name for path in target.iterdir()) == ["data"]
    return target.joinpath("data/site.yaml").read_text()


@pytest.mark.parametrize(
    ("revision", "text"),
    [
        ("2025-03-01", "first"),
        ("2025-05-31", "first"),
        ("2025-06-01", "second"),
        ("2025-08-31", "second"),
        ("2026-01-01", "third"),
        ("HEAD", "third"),
        ("HEAD~2", "first"),
        ("main~1", "second"),
    ],
)
def test_a_folder_is_as_it_stood(site: Path, tmp_path: Path, revision: str, text: str) -> None:
    site.joinpath("data/site.yaml").write_text("not committed")
    assert text_at(site, revision, tmp_path / "then") == text
    assert git(site, "status", "--porcelain") == "M site/data/site.yaml"
    assert git(site, "worktree", "list").count("\n") == 0


def test_what_was_merged_later_was_not_there_before(site: Path, tmp_path: Path) -> None:
    git(site, "checkout", "-q", "-b", "draft", "HEAD~1")
    commit(site, "draft", "2025-07-01T00:00:00+0000")
    git(site, "checkout", "-q", "main")
    git(site, "merge", "-q", "-s", "ours", "draft", "-m", "merged", day="2025-10-01T00:00:00+0000")
    assert text_at(site, "2025-07-15", tmp_path / "then") == "second"


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        ("2025-02-28", "The history of .* begins on 2025-03-01"),
        ("HEAD~7", "'HEAD~7' is neither a file or folder nor a revision"),
        ("--output=x", "is neither a file"),
        ("HEAD:site/data", "is neither a file"),
    ],
)
def test_what_git_does_not_have_is_said(site: Path, revision: str, message: str) -> None:
    with pytest.raises(KgError, match=message):
        commit_of(site, revision)


def test_without_git_a_sentence_says_what_to_do(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(KgError, match=r"not in a git repository.*git init"):
        commit_of(alone, "HEAD")
    git(alone, "init", "-q")
    with pytest.raises(KgError, match="has no commits yet"):
        commit_of(alone, "2025-01-01")
    monkeypatch.setenv("PATH", str(alone))
    with pytest.raises(KgError, match="Install git"):
        commit_of(site, "HEAD")


def test_no_program_that_a_repository_names_is_run(site: Path, tmp_path: Path) -> None:
    trap, mark = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    trap.chmod(0o755)
    site.joinpath(".gitattributes").write_text("* filter=trap diff=trap export-subst\n")
    commit(site, "fourth", "2025-10-01T00:00:00+0000")
    hooks = site.parent / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        hooks.joinpath(name).write_text(trap.read_text())
        hooks.joinpath(name).chmod(0o755)
    for key in ("filter.trap.smudge", "diff.trap.textconv", "diff.trap.command", "core.fsmonitor"):
        git(site, "config", key, str(trap))
    for key in ("core.pager", "pager.rev-list", "gpg.program", "core.sshCommand", "alias.ls-tree"):
        git(site, "config", key, str(trap))
    git(site, "config", "log.showSignature", "true")
    assert text_at(site, "2025-10-02", tmp_path / "then") == "fourth"
    assert text_at(site, "HEAD", tmp_path / "again") == "fourth"
    assert not mark.exists()
    git(site, "checkout", "-q", "-f", "HEAD~1")  # the traps are real
    git(site, "checkout", "-q", "-f", "main")
    assert mark.exists()


def test_a_link_out_of_the_site_is_refused_and_one_within_it_stays(
    site: Path, tmp_path: Path
) -> None:
    site.joinpath("data/other.yaml").symlink_to("site.yaml")
    commit(site, "linked", "2025-10-01T00:00:00+0000")
    text_at(site, "HEAD", tmp_path / "then")
    assert tmp_path.joinpath("then/data/other.yaml").read_text() == "linked"
    site.joinpath("data/secret.yaml").symlink_to("../../../secret.yaml")
    commit(site, "leading out", "2025-11-01T00:00:00+0000")
    with pytest.raises(KgError, match=r"data/secret\.yaml links to a file outside the site"):
        text_at(site, "HEAD", tmp_path / "out")


def test_no_file_of_a_forged_tree_is_written_outside(site: Path, tmp_path: Path) -> None:
    blob = git(site, "rev-parse", "HEAD:site/data/site.yaml")
    tree = b"100644 ..\0" + bytes.fromhex(blob) + b"100644 site.yaml\0" + bytes.fromhex(blob)
    for name in ("data", "site"):
        path = tmp_path / "tree"
        path.write_bytes(tree)
        made = git(site, "hash-object", "-t", "tree", "-w", "--literally", str(path))
        tree = f"40000 {name}\0".encode() + bytes.fromhex(made)
    path.write_bytes(tree)
    top = git(site, "hash-object", "-t", "tree", "-w", "--literally", str(path))
    forged = git(site, "commit-tree", top, "-m", "forged")
    assert text_at(site, forged, tmp_path / "then") == "third"
