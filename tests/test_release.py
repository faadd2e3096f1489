"""The bill of materials and the licences: they are those of the locks, they leave nothing out that
is shipped, and nothing in them forbids what we do.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from packaging.version import Version

from kg.publish.document import STATIC
from kg.publish.questions import editor
from release import bill, licences
from release.bundled import FONT, MARKS, bundled, carried
from release.locks import EXTRAS, RUN, pins
from tests.conftest import ROOT, skip

TEXT = (ROOT / bill.BILL).read_text(encoding="utf-8")
COMPONENTS = json.loads(TEXT)["components"]
NOTICES = (ROOT / licences.LICENCES).read_text(encoding="utf-8")
LISTED = dict(re.findall(r"^  (\S+) (\S+: .+)$", NOTICES, re.MULTILINE))

# A licence -> words of its text.
PHRASES = {
    "MIT": "[Pp]ermission is hereby granted|the MIT license",
    "BSD-3-Clause": "Redistribution and use",
    "Apache-2.0": "Apache License",
    "MPL-2.0": "Mozilla Public License",
    "CC-BY-4.0": "CC BY 4.0",
    "CC0-1.0": "CC0",
}


def need_packages() -> None:
    if not editor.CHECKOUT.is_dir():
        skip("the editor is not installed; `make editor` does it where there is npm")


def test_the_bill_is_that_of_the_locks() -> None:
    assert bill.as_text(ROOT) == TEXT, "Type: make sbom"


def test_the_bill_names_all_that_runs_and_all_that_is_bundled_with_version_and_licence() -> None:
    billed = {(each["name"], each["version"]) for each in COMPONENTS}
    assert {(pin.name, pin.version) for pin in pins(ROOT / RUN)} <= billed
    extras = [pin for pin in pins(ROOT / EXTRAS) if not bill.OTHER_SYSTEMS.search(pin.marker)]
    assert {(pin.name, pin.version) for pin in extras} <= billed
    optional = {each["name"] for each in COMPONENTS if each.get("scope") == "optional"}
    assert optional.isdisjoint(pin.name for pin in pins(ROOT / RUN))
    assert {"mcp", "distributed", "mammoth", "pygls", "pandas"} <= optional
    packages = bundled(ROOT, FONT, MARKS, *carried(ROOT))
    assert len(packages) >= 50
    assert {(each.name, each.version) for each in packages} <= billed
    for each in COMPONENTS:
        [licence] = each["licenses"]
        assert bill.is_accepted(licence.get("expression") or licence["license"]["id"]), each["name"]
        assert Version(each["version"])
    assert len({each["bom-ref"] for each in COMPONENTS}) == len(COMPONENTS)


def test_the_bill_names_no_host_no_path_and_no_time() -> None:
    assert not re.search(r"https?://|file:|timestamp|serialNumber|\"/|\d{4}-\d\d-\d\dT", TEXT)


@pytest.mark.proof
def test_the_bill_is_valid_cyclonedx() -> None:
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    judge = JsonStrictValidator(SchemaVersion.V1_6)
    assert judge.validate_str(TEXT) is None
    assert judge.validate_str(TEXT.replace('"MIT"', '"MIT-ish"', 1)) is not None


@pytest.mark.parametrize("licence", ["GPL-3.0-only", "MIT AND AGPL-3.0-only", "", "See LICENSE"])
def test_a_licence_that_nobody_read_is_refused(licence: str) -> None:
    assert not bill.is_accepted(licence)


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
def test_the_licences_are_those_of_the_packages() -> None:
    need_packages()
    assert licences.as_text(ROOT) == NOTICES, "Type: make sbom"


def test_every_package_has_its_licence_and_its_text() -> None:
    packages = bundled(ROOT, *carried(ROOT))
    assert {each.name: f"{each.version}: {each.licence}" for each in packages} == LISTED
    texts = [text.partition("\n") for text in NOTICES.split(licences.RULE)[1:]]
    by_name = {name: text for names, _, text in texts for name in names.split(", ")}
    assert by_name.keys() == LISTED.keys()
    for each in packages:
        words = " ".join(by_name[each.name].split())
        wanted = [PHRASES[name] for name in re.split(" OR | AND ", each.licence)]
        assert re.search("|".join(wanted), words), each.name


@pytest.mark.slow  # `make quick` runs without the packages of `make editor`
def test_the_map_of_the_bundle_names_no_package_without_licence() -> None:
    need_packages()
    maps = list((editor.CHECKOUT / "@zazuko" / "yasgui" / "build").glob("yasgui.min.js.map"))
    assert len(maps) == 1
    inside = {
        re.findall(r"node_modules/((?:@[^/]+/)?[^/]+)/", path)[-1]
        for path in json.loads(maps[0].read_text(encoding="utf-8"))["sources"]
        if "node_modules/" in path
    }
    assert len(inside) >= 20
    assert inside - LISTED.keys() == set()


@pytest.mark.process
def test_no_file_is_shipped_without_a_licence() -> None:
    """Ours are in git, under the LICENSE; all others are the font, the editor and the engine, and
    travel with the texts of theirs.
    """
    need_packages()
    known = subprocess.run(
        ["git", "ls-files", STATIC], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert len(known) > 20
    others = {path.name for path in STATIC.iterdir()} - {Path(path).name for path in known}
    assert {name for name in others if not name.startswith("source-serif-")} == set()
    font = STATIC / "source-serif-licence.txt"
    assert others == set() or "SIL OPEN FONT LICENSE" in font.read_text(encoding="utf-8")
    shipped = editor.files()
    assert shipped.pop(editor.LICENCES) == ROOT / licences.LICENCES
    for path in shipped.values():
        place = path.relative_to(editor.CHECKOUT).as_posix()
        assert any(place.startswith(f"{name}/") for name in LISTED), f"whose is {place}?"
        assert path.name in NOTICES or f"oxigraph{path.suffix}" in NOTICES
