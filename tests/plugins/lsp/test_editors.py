"""Neovim and Emacs with the settings that docs/editors.md shows, as far as they are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.settings import shipped
from tests.conftest import skip

pytestmark = pytest.mark.process
DOCS = Path(__file__).parents[3] / "docs" / "editors.md"
CV = "data/cv/ada-lindqvist.yaml"

NEOVIM = """\
local function wait(what)
  assert(vim.wait(30000, what, 20), debug.traceback())
end
local function line_with(words)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(words, 1, true)
    if column then return number - 1, column - 1 end
  end
end
local function finds(words)
  return function()
    for _, each in ipairs(vim.diagnostic.get(0)) do
      if each.message:find(words, 1, true) then return true end
    end
    return false
  end
end
local function ask(method, params)
  for _, each in pairs(vim.lsp.buf_request_sync(0, method, params, 30000)) do
    return each.result
  end
end
local function offered(line, text)
  vim.api.nvim_buf_set_lines(0, line, line, false, { text })
  vim.api.nvim_win_set_cursor(0, { line + 1, #text })
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  params.position.character = select(2, vim.str_utfindex(text))
  local labels = {}
  for _, each in ipairs(ask("textDocument/completion", params).items) do
    labels[each.label] = true
  end
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, {})
  return labels
end
local function drive()
  vim.opt.swapfile = false
  vim.cmd("edit " .. vim.env.CV)
  wait(function() return #vim.lsp.get_active_clients() == 1 end)

  -- problems while typing, and their fix
  local row, column = line_with("position: Lecturer")
  vim.api.nvim_buf_set_text(0, row, column, row, column + 8, { "note: 😀, postion" })
  wait(finds("'postion'"))
  local place = vim.diagnostic.get(0)[1]
  assert(place.lnum == row and place.col == column + #"note: 😀, ")
  vim.api.nvim_win_set_cursor(0, { row + 1, column })
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, row) }
  vim.lsp.util.apply_workspace_edit(ask("textDocument/codeAction", params)[1].edit, "utf-16")
  assert(line_with("note: 😀, position: Lecturer") == row)
  wait(function() return not finds("'postion'")() end)

  -- YAML that cannot be read yet
  vim.api.nvim_buf_set_lines(0, 4, 4, false, { "  summary2: [open" })
  wait(finds("[ is still open"))
  local work = line_with("  - organization: northfjord")
  assert(offered(work, "  - {organization: north").northfjord)
  vim.api.nvim_buf_set_lines(0, 4, 5, false, {})
  assert(offered(work, "  - {position: 😀é, loc").location)
  assert(offered(work, "  - {position: x, visibility: ").public)

  -- hover and definition
  row, column = line_with("unit: northfjord-rivers")
  vim.api.nvim_win_set_cursor(0, { row + 1, column + 8 })
  local where = vim.lsp.util.make_position_params(0, "utf-16")
  assert(ask("textDocument/hover", where).contents.value:find("River Laboratory", 1, true))
  vim.lsp.buf.definition()
  wait(function() return vim.fn.expand("%:t") == "organizations.yaml" end)
  assert(vim.api.nvim_get_current_line():find("northfjord-rivers", 1, true))

  -- a new file that is not saved, a bibliography, and a file outside of the site
  vim.cmd("edit! data/cv/new-person.yaml")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "basics: {name: New, urll: https://x.org/}" })
  wait(finds("'urll'"))
  vim.fn.mkdir("data/publications", "p")
  vim.cmd("edit! data/publications/new.bib")
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "@inprocedings{a, title={T}, author={A B}}" })
  wait(finds("@inprocedings"))
  vim.cmd("edit! ../outside.yaml")
  where = vim.lsp.util.make_position_params(0, "utf-16")
  assert(#ask("textDocument/completion", where).items == 0)

  local client = vim.lsp.get_active_clients()[1]
  client.stop()
  wait(client.is_stopped)
end
local done, why = pcall(drive)
io.stdout:write(done and "done" or why)
vim.cmd("qa!")
"""

EMACS = """\
(setq eglot-sync-connect 30 create-lockfiles nil)
(find-file (getenv "CV"))
(yaml-mode)
(apply #'eglot (eglot--guess-contact))
(goto-char (point-min))
(search-forward "position: Lecturer")
(replace-match "postion: Lecturer")
(eglot--signal-textDocument/didChange)
(with-timeout (30 (error "no problem"))
  (while (not (flymake-diagnostics)) (accept-process-output nil 0.1)))
(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(unless (looking-at "postion") (error "another place"))
(let ((fixes (eglot-code-actions (point) (line-end-position) "quickfix")))
  (eglot--apply-workspace-edit (plist-get (elt fixes 0) :edit) nil))
(goto-char (point-min))
(search-forward "position: Lecturer")
(goto-char (point-min))
(search-forward "unit: northfjord-ri")
(unless (xref-backend-definitions 'eglot "LSP identifier at point.") (error "no definition"))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(princ "done")
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    shutil.copytree(shipped("example"), tmp_path / "lab", ignore=shutil.ignore_patterns(".*"))
    return tmp_path / "lab"


def settings_for(editor: str, language: str, words: str = "") -> str:
    """The first block of settings with these words in a section of the page."""
    section = DOCS.read_text(encoding="utf-8").partition(f"\n## {editor}\n")[2]
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return next(block for block in blocks if words in block)


def drive(site: Path, *command: str | Path) -> str:
    """What an editor prints; `kg` is the one of these tests."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(site.parent),
        "CV": CV,
    }
    run = subprocess.run(
        command, cwd=site, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return run.stdout or run.stderr


@pytest.mark.proof
def test_neovim(site: Path) -> None:
    """What it asks of the server is in test_server.py, too."""
    if not shutil.which("nvim"):
        skip("Neovim is not installed")
    init, script = site.parent / "init.lua", site.parent / "drive.lua"
    init.write_text(settings_for("Neovim", "lua"), encoding="utf-8")
    script.write_text(NEOVIM, encoding="utf-8")
    shown = drive(site, "nvim", "--headless", "-u", init, "-c", f"luafile {script}")
    assert shown == "done"


def has_eglot() -> bool:
    if not shutil.which("emacs"):
        return False
    needed = "(progn (package-initialize) (require 'eglot) (require 'yaml-mode))"
    command = ["emacs", "--batch", "--eval", needed]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.proof
def test_emacs(site: Path) -> None:
    """Emacs with its packages is too large for each machine that runs the tests."""
    if not has_eglot():
        skip("Emacs with eglot and yaml-mode is not installed")
    script = site.parent / "drive.el"
    start = "(package-initialize) (require 'yaml-mode) (require 'eglot)\n"
    script.write_text(start + settings_for("Emacs", "elisp") + EMACS, encoding="utf-8")
    assert drive(site, "emacs", "--batch", "-l", script) == "done"


def test_the_problem_matcher_reads_what_a_task_prints(site: Path) -> None:
    """VS Code runs tasks in a terminal."""
    [task] = json.loads(settings_for("VS Code", "json", "problemMatcher"))["tasks"]
    (site / "data" / "a file.yaml").write_text("", encoding="utf-8")
    text = (site / CV).read_text(encoding="utf-8")
    (site / CV).write_text(text.replace("position: Lecturer", "postion: Lecturer"), "utf-8")
    program = Path(sys.executable).with_name("kg")
    main, side = os.openpty()
    command = [program, *task["command"].split()[1:]]
    environment = {**os.environ, **task["options"]["env"]}
    run = subprocess.run(command, cwd=site, env=environment, stdout=side, check=False)
    os.close(side)
    shown = os.read(main, 1 << 16).decode().splitlines()
    os.close(main)
    pattern = task["problemMatcher"]["pattern"]
    found = [re.fullmatch(pattern["regexp"], line) for line in shown]
    names = ("file", "line", "column", "severity", "code")
    assert run.returncode == 1
    assert [each and tuple(each[pattern[name]] for name in names) for each in found] == [
        ("data/a file.yaml", "1", "1", "warning", "unknown-file"),
        (CV, "26", "10", "error", "unknown-field"),
    ]
