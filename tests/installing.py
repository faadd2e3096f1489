"""New environments, in which packages are installed without an index."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
INSTALL = re.compile(r"pipx install|pipx inject cv-kg|pip install")


def run(command: list[str | Path], folder: Path, **environment: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def new_environment(above: Path) -> Path:
    """A new environment that has the packages of this one, except ours."""
    folder, packages = above / "environment", above / "packages"
    packages.mkdir()
    for place in map(Path, sys.path):
        if place.name == "site-packages":
            for each in place.iterdir():
                if "cv_kg" not in each.name and not (packages / each.name).exists():
                    (packages / each.name).symlink_to(each)
    run([sys.executable, "-m", "venv", "--without-pip", folder], above)
    [own] = folder.glob("lib/*/site-packages")
    (own / "packages.pth").write_text(f"{packages}\n")
    return folder


def offline(command: str, environment: Path) -> str:
    """A command that installs, with pip, without an index, and into an environment."""
    pip = f"{' '.join(PIP)} --python {environment}/bin/python install --quiet --no-compile"
    return INSTALL.sub(f"{pip} --no-index --no-build-isolation", command)


def install(environment: Path, command: str, folder: Path) -> Path:
    """Runs an install command. Returns the command `kg`."""
    run(["bash", "-c", offline(command, environment)], folder)
    return environment / "bin" / "kg"
