"""Mutated files of every format that is imported, and of every syntax of RDF: nothing is fetched,
no time is lost, and what is imported has no errors.

`python -m tests.plugins.exchange.test_fuzz_imports KIND FIRST LAST` makes more, by
number: imports, or rdf.
"""

from __future__ import annotations

import random
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from pyoxigraph import RdfFormat, parse, serialize

from kg.errors import KgError, ProblemsFound
from kg.facts.load import load
from kg.files.atomic import replace_files
from kg.graph import rdf_files
from kg.plugins.exchange.importing import Imported, import_files, read_path
from kg.plugins.exchange.source_files import NotImported
from tests.check.test_fuzz import MUTATIONS, OPENED, TURTLE, bounded, watch_network
from tests.conftest import ROOT
from tests.plugins.exchange.readers.test_fuzz import FILES, mutated

pytestmark = pytest.mark.fuzz

HERE = Path(__file__).parent
RESUME = ROOT / "tests" / "readme" / "resume.json"
SOURCES = [
    *sorted(HERE.glob("cases/*/source.*")),
    *sorted(HERE.glob("prose/*")),
    RESUME,
    *sorted((ROOT / "tests" / "pages").glob("*.html"))[:3],
]
SYNTAXES = [".ttl", ".trig", ".nt", ".nq", ".jsonld", ".rdf"]
WHOLE = 8  # one of so many files is imported into a site; the others are read
SITE = {
    "data/site.yaml": "base: https://cv.example.org/\ntitle: One person\n",
    "data/cv/mira-sand.yaml": "basics: {name: Mira Sand, email: mira@example.org}\n",
}


def bytes_of(number: int) -> tuple[str, bytes]:
    """A file by its number: its name, and what it says; the same every time."""
    dice = random.Random(f"import {number}")
    if dice.random() < 0.4:
        name, text = FILES[dice.choice(sorted(FILES))]
        data = text.encode()
    else:
        path = dice.choice(SOURCES)
        name, data = path.name, path.read_bytes()
    if dice.random() < 0.5:
        data = mutated(data, dice)
    else:
        text = data.decode("utf-8", "surrogateescape")
        for _ in range(dice.choice((1, 2, 5))):
            text = dice.choice(MUTATIONS)(dice, text)
        data = text.encode("utf-8", "surrogatepass")
    if dice.random() < 0.1:
        data, name = packed(dice, name, data), "export.zip"
    return Path(name).name, data


def packed(dice: random.Random, name: str, data: bytes) -> bytes:
    """In a zip file, by a name that would like to lie elsewhere; at times a broken one."""
    file = BytesIO()
    above = dice.choice(("", "../../", "/etc/", "C:\\", "a/../../"))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{above}{name}", data)
        archive.writestr("more/Profile.csv", FILES["linkedin"][1])
    return mutated(file.getvalue(), dice) if dice.random() < 0.5 else file.getvalue()


def try_import(number: int, folder: Path) -> str:
    """Whether a file was imported, or refused. Raises AssertionError."""
    name, data = bytes_of(number)
    site = folder / "site"
    (folder / name).write_bytes(data)
    try:
        if number % WHOLE:
            read_path(folder / name, "", Imported())
            return "imported"
        replace_files(site, SITE)
        imported = import_files([folder / name], site, person="mira-sand")
    except NotImported as error:
        assert str(error)
        return "refused"
    assert all((site / path).resolve().is_relative_to(site.resolve()) for path in imported.texts)
    assert all(path.startswith(("data/", ".", "README")) for path in imported.texts), imported.texts
    replace_files(site, imported.texts)
    wrong = [str(each) for each in load(site).problems if each.severity == "error"]
    assert not wrong, wrong
    return "imported"


def try_rdf(number: int, folder: Path) -> str:
    """The same for RDF files that are served."""
    dice = random.Random(f"rdf {number}")
    suffix = dice.choice(SYNTAXES)
    quads = parse(TURTLE, format=RdfFormat.TURTLE)
    form = rdf_files.SUFFIXES[suffix]
    triples = quads if form.supports_datasets else (quad.triple for quad in quads)
    text = TURTLE if suffix == ".ttl" else (serialize(triples, format=form) or b"").decode()
    for _ in range(dice.choice((1, 1, 2, 5))):
        text = dice.choice(MUTATIONS)(dice, text)
    path = folder / f"a{suffix}"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        rdf_files.read([path], "https://lab.example.org/")
    except (ProblemsFound, KgError) as error:
        assert str(error)
        return "refused"
    return "read"


KINDS: dict[str, Callable[[int, Path], str]] = {"imports": try_import, "rdf": try_rdf}


def fuzz(kind: str, numbers: range, seen: Counter[str]) -> Iterator[str]:
    """What went wrong, with the number of the file."""
    sys.addaudithook(watch_network)
    for number in numbers:
        OPENED.clear()
        with tempfile.TemporaryDirectory() as folder:
            try:
                with bounded():
                    seen[KINDS[kind](number, Path(folder))] += 1
            except Exception as error:  # all are to be seen
                yield f"{number}: {type(error).__name__}: {error}"
        if OPENED:
            yield f"{number}: the network was asked: {OPENED}"


@pytest.mark.proof
@pytest.mark.parametrize(("kind", "number"), [("imports", 120), ("rdf", 600)])
def test_whatever_is_imported_is_read_or_refused(kind: str, number: int) -> None:
    seen: Counter[str] = Counter()
    assert [*fuzz(kind, range(number), seen)] == []
    assert sum(seen.values()) == number and min(seen.values()) > number / 20
    assert len(seen) == 2


def test_a_zip_file_is_not_unpacked_and_has_bounds(tmp_path: Path) -> None:
    """Its members are read where they are, whatever their names; and none that is a bomb."""
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("../../../outside/Profile.csv", FILES["linkedin"][1])
    imported = import_files([archive], tmp_path / "site")
    assert imported.read
    assert not (tmp_path.parent / "outside").exists() and not [*tmp_path.rglob("Profile.csv")]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Profile.csv", b"a" * 50_000_000)
    assert archive.stat().st_size < 100_000
    with pytest.raises(NotImported, match="too large"):
        import_files([archive], tmp_path / "site")


if __name__ == "__main__":
    _, chosen, first, last = sys.argv
    counts: Counter[str] = Counter()
    for found in fuzz(chosen, range(int(first), int(last)), counts):
        sys.stdout.write(f"{found}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{chosen} {first} to {last}: {dict(counts)}\n")
