"""ORCID's XML: a record, and the zip file of all data with a file for each activity."""

from __future__ import annotations

import zipfile
from pathlib import Path

from kg.facts.yaml.reader import read
from kg.plugins.exchange.importing import import_files
from kg.plugins.exchange.readers.orcid import FORMAT
from kg.plugins.exchange.source_files import SourceFile
from tests.plugins.exchange.readers.reading import cv_of

NAMES = " ".join(
    f'xmlns:{name}="http://www.orcid.org/ns/{name}"'
    for name in (
        "common",
        "person",
        "personal-details",
        "other-name",
        "work",
        "employment",
        "record",
    )
)
PERSON = f"""<person:person path="/0000-0002-1825-0097/person" {NAMES}>
 <person:name visibility="public"><personal-details:given-names>Hana</personal-details:given-names>
  <personal-details:family-name>Lind</personal-details:family-name></person:name>
 <other-name:other-names><other-name:other-name visibility="public">
  <other-name:content>H. B. Lind</other-name:content></other-name:other-name>
 </other-name:other-names>
 <person:biography visibility="private"><personal-details:content>Secret.</personal-details:content>
 </person:biography></person:person>"""
WORK = f"""<work:work path="/0000-0002-1825-0097/work/1" visibility="limited" {NAMES}>
 <work:title><common:title>Loud ice</common:title>
  <common:translated-title language-code="de">Lautes Eis</common:translated-title></work:title>
 <work:journal-title>Journal of Ice</work:journal-title><work:type>journal-article</work:type>
 <common:publication-date><common:year>2021</common:year></common:publication-date></work:work>"""
JOB = f"""<employment:employment path="/0000-0002-1825-0097/employment/3" {NAMES}>
 <common:role-title>Researcher</common:role-title>
 <common:start-date><common:year>2019</common:year></common:start-date>
 <common:organization><common:name>Ice Institute</common:name></common:organization>
</employment:employment>"""


def test_the_files_of_an_export_are_one_cv(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "orcid.zip", "w") as packed:
        for name, text in {"person.xml": PERSON, "works/1.xml": WORK, "jobs/3.xml": JOB}.items():
            packed.writestr(name, text)
    found = import_files([tmp_path / "orcid.zip"], tmp_path / "site")
    cv, _ = read("cv.yaml", found.texts["data/cv/hana-lind.yaml"].encode())
    assert cv is not None
    assert cv["basics"]["alternateNames"] == ["H. B. Lind"]
    assert "summary" not in cv["basics"], "what is private in ORCID is listed"
    (work,) = cv["publications"]
    assert (work["title"], work["authors"], work["visibility"]) == (
        *("Loud ice", ["Hana Lind"]),
        "private",
    )
    assert work["alternateTitles"] == ["Lautes Eis"]
    assert cv["work"][0]["organization"] == "Ice Institute"


def test_a_record_in_xml() -> None:
    text = f"<record:record {NAMES}>{PERSON}</record:record>"
    source = SourceFile("record.xml", "record.xml", text.encode())
    assert FORMAT.matches(source)
    (draft,) = FORMAT.read(source)
    assert cv_of(draft)["basics"]["name"] == "Hana Lind"
