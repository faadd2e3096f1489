"""What the tests need beside Python is installed one by one, on a machine made of a few stubs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.kinds import starts

COMMANDS = {
    "curl": "curl",
    "npm": "npm",
    "chromium-headless-shell": "chromium-headless-shell",
    "bubblewrap": "bwrap",
    "neovim": "nvim",
    "virtuoso-opensource-7-bin": "virtuoso-t",
    "nginx-light": "nginx",
    "systemd": "systemd-analyze",
}
# installs a package by making its command; one that the file `broken` names cannot be had
APT = """#!/bin/bash
echo "$*" >> "{machine}/calls"
[ "$1" = install ] || exit 0
package="${{@: -1}}"
if [ "$package" = "$(cat "{machine}/broken" 2>/dev/null)" ]; then
  echo "E: Unable to correct problems, you have held broken packages." >&2
  exit 100
fi
case "$package" in
  bubblewrap) package=bwrap ;;
  neovim) package=nvim ;;
  virtuoso*) package=virtuoso-t ;;
  nginx-light) package=nginx ;;
  systemd) package=systemd-analyze ;;
esac
printf '#!/bin/bash\\n' > "{machine}/$package"
chmod +x "{machine}/$package"
"""


class Machine:
    """A path with a shell's usual commands, a stub of apt-get, and nothing else."""

    def __init__(self, folder: Path, user: int = 0) -> None:
        self.folder = folder
        for name in ("bash", "mktemp", "rm", "cat", "tail", "sed", "chmod"):
            found = shutil.which(name)
            assert found
            (folder / name).symlink_to(found)
        self.add("id", f"#!/bin/bash\necho {user}\n")
        self.add("apt-get", APT.format(machine=folder))

    def add(self, name: str, text: str = "#!/bin/bash\n") -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / name).chmod(0o755)

    def run(self) -> str:
        done = subprocess.run(
            ["bash", ROOT / "tests" / "tools.sh"],
            env={**os.environ, "PATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout

    def installed(self) -> list[str]:
        calls = self.folder / "calls"
        lines = calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []
        return [line.split()[-1] for line in lines if line.startswith("install")]


@pytest.fixture
@starts("process")
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_an_empty_machine_gets_everything_and_asks_for_the_lists_once(machine: Machine) -> None:
    machine.run()
    assert machine.installed() == list(COMMANDS)
    calls = (machine.folder / "calls").read_text(encoding="utf-8").splitlines()
    assert [line for line in calls if "update" in line] == ["update -qq"]
    assert calls[0] == "update -qq"


def test_a_machine_with_node_from_elsewhere_gets_the_rest(machine: Machine) -> None:
    machine.add("npm")
    machine.run()
    assert machine.installed() == [package for package in COMMANDS if package != "npm"]


def test_nothing_is_installed_where_all_is_there(machine: Machine) -> None:
    for command in COMMANDS.values():
        machine.add(command)
    assert machine.run() == ""
    assert not (machine.folder / "calls").exists()


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser", "google-chrome"])
def test_where_the_quick_browser_cannot_be_had_a_complete_one_will_do(
    machine: Machine, browser: str
) -> None:
    machine.add(browser)
    (machine.folder / "broken").write_text("chromium-headless-shell", encoding="utf-8")
    assert "skipped" not in machine.run()
    assert "chromium" not in machine.installed()


def test_where_there_is_no_browser_at_all_a_complete_one_is_installed(machine: Machine) -> None:
    (machine.folder / "broken").write_text("chromium-headless-shell", encoding="utf-8")
    assert "skipped" not in machine.run()
    assert "chromium" in machine.installed()


@pytest.mark.parametrize("package", COMMANDS)
def test_one_that_fails_says_why_and_costs_no_other(machine: Machine, package: str) -> None:
    (machine.folder / "broken").write_text(package, encoding="utf-8")
    printed = machine.run()
    assert f"{package} could not be installed" in printed
    assert "  E: Unable to correct problems, you have held broken packages." in printed
    here = {name for name, command in COMMANDS.items() if (machine.folder / command).exists()}
    assert here == COMMANDS.keys() - {package}


@pytest.mark.process
def test_a_user_who_may_not_install_reads_what_is_missing(tmp_path: Path) -> None:
    machine = Machine(tmp_path, user=1000)
    machine.add("npm")
    printed = machine.run()
    assert machine.installed() == []
    assert "virtuoso-opensource-7-bin" in printed
    assert "npm" not in printed
