"""Collects what a release consists of in `dist/`, and tries it in an empty environment.

`make release` runs it after building wheels, bill of materials and documentation. It publishes
nothing, and prints what a person does next.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from gzip import GzipFile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
CARRIED = ("sbom.cdx.json", "Containerfile", "CITATION.cff", "CHANGELOG.md")
DIGESTS = "SHA256SUMS"
# In an empty folder, with the installed wheels alone.
TRIALS = (
    "kg --version",
    "kg new mysite --example",
    "kg check -q mysite",
    "kg query coauthors-of --person ada-lindqvist mysite",
    "kg build mysite -o public",
    "kg import resume.json --into other",
    "kg plugins",
)
RESUME = '{"basics": {"name": "Ada Berg"}, "work": [{"name": "Fjord Lab", "startDate": "2020"}]}'
NEXT = """
Next, by a person:
  0. If w3id.org/cv-kg does not lead to the documentation yet: release/w3id/README.md.
  1. Set the date of {version} in CHANGELOG.md, and commit.
  2. git tag -s v{version} && git push origin v{version}
     The workflow release.yml builds the same files, and publishes the packages.
  3. Attach dist/ to the release of the tag. The workflow docs.yml publishes docs-site/.
  4. Build the image for both architectures, and push it:
     podman build --format docker --platform linux/amd64,linux/arm64 --manifest cv-kg:{version} .
"""


def main() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    if problems := [*contradictions(ROOT, version)]:
        sys.exit("\n".join(problems))
    files = collect(ROOT / "dist", version)
    for python in pythons(versions(ROOT)):
        sys.stdout.writelines(f"{line}\n" for line in try_out(files, python))
    for path in files:
        sys.stdout.write(f"{path.stat().st_size / 1000:10,.0f} kB  dist/{path.name}\n")
    sys.stdout.write(NEXT.format(version=version))


def versions(root: Path) -> list[str]:
    """The versions of Python that the package names."""
    with (root / "pyproject.toml").open("rb") as file:
        names = tomllib.load(file)["project"]["classifiers"]
    return re.findall(r":: (3\.\d+)$", "\n".join(names), re.MULTILINE)


def pythons(wanted: Sequence[str]) -> Iterator[str]:
    """This Python, and those of the other versions that can be found; says which cannot."""
    here = ".".join(map(str, sys.version_info[:2]))
    for version in wanted:
        found = sys.executable if version == here else shutil.which(f"python{version}")
        words = [found or "", "-c", "import venv"]  # a shim can name a version that is not there
        if found and subprocess.run(words, capture_output=True, check=False).returncode == 0:  # noqa: S603
            yield found
        else:
            sys.stdout.write(f"Not tried with Python {version}: it is not installed here.\n")


def contradictions(root: Path, version: str) -> Iterator[str]:
    """What does not fit a release of this version."""
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff names another version. Write: version: {version}"
    if f'"version": "{version}"' not in (root / "codemeta.json").read_text(encoding="utf-8"):
        yield f'codemeta.json names another version. Write: "version": "{version}"'
    if f'image.version="{version}"' not in (root / "Containerfile").read_text(encoding="utf-8"):
        yield f"Containerfile names another version in its label image.version. Write {version}."
    if f"\n## {version} " not in (root / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md has no section for {version}. Add one."


def collect(dist: Path, version: str) -> list[Path]:
    """The files of a release. The wheels are in `dist/` already."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(dist)], ROOT)
    for name in CARRIED:
        shutil.copy(ROOT / name, dist / name)
    docs = dist / f"cv-kg-docs-{version}.tar.gz"
    pack(ROOT / "docs-site", docs)
    wheels = sorted(dist.glob(f"cv_kg*-{version}-*.whl"))
    files = [*wheels, dist / f"cv_kg-{version}.tar.gz", docs, *(dist / name for name in CARRIED)]
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (dist / DIGESTS).write_text("".join(sums), encoding="utf-8")
    return [*files, dist / DIGESTS]


def pack(folder: Path, target: Path) -> None:
    """Packs a folder so that the same files give the same bytes."""
    with GzipFile(target, "wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for path in sorted(folder.rglob("*")):
            name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
            tar.add(path, name, recursive=False, filter=anonymous)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime = member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def try_out(files: Sequence[Path], python: str) -> Iterator[str]:
    """Installs the wheels in an empty environment with the locked packages, and runs commands in
    an empty folder; a line for each, with its time.
    """
    yield run([python, "--version"]).strip()
    wheels = [str(path) for path in files if path.suffix == ".whl"]
    with TemporaryDirectory() as name:
        folder = Path(name)
        run([python, "-m", "venv", "--without-pip", "environment"], folder)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python"]
        install = [*pip, "environment/bin/python", "install", "--quiet"]
        lock = str(ROOT / "requirements.txt")
        run([*install, "--require-hashes", "--only-binary", ":all:", "-r", lock], folder)
        run([*install, "--no-deps", *wheels], folder)
        (folder / "resume.json").write_text(RESUME, encoding="utf-8")
        for command in TRIALS:
            begun = time.monotonic()
            run([f"environment/bin/{command.split()[0]}", *command.split()[1:]], folder)
            yield f"{time.monotonic() - begun:8.1f} s  {command}"


def run(words: Sequence[str], folder: Path = ROOT) -> str:
    done = subprocess.run(  # noqa: S603
        words, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
