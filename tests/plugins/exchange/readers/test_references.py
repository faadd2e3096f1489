"""Lists of works: RIS, PubMed, Google Scholar and dblp."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from kg.plugins.exchange.draft import Draft, Format
from kg.plugins.exchange.readers import references
from kg.plugins.exchange.source_files import SourceFile
from tests.plugins.exchange.readers.reading import cv_of, drafted, left_of

RIS = """\
Provider: a library

TY  - JOUR
TI  - Loud ice
AU  - Lind, Hana
AU  - Osei, Kim, Jr
T2  - Journal of Ice
VL  - 12
IS  - 3
SP  - 10
EP  - 19
PY  - 2021
DA  - 2021/05/04/
SN  - 1234-5679
DO  - https://doi.org/10.5555/ice.1
KW  - ice
KW  - sound
AB  - Ice is loud
in winter.
C1  - Grant 7
ER  -

TY  - CHAP
TI  - Cold water
AU  - Lind, Hana
A2  - Wen, Lu
T2  - Handbook of Ice
SN  - 978-3-16-148410-0
PY  - 2019
ER  -
"""
NBIB = """\
PMID- 12345678
OWN - NLM
STAT- MEDLINE
IS  - 1234-5679 (Electronic)
VI  - 12
IP  - 3
DP  - 2021 May 4
TI  - Loud ice in the
      long winter.
PG  - 10-19
LID - 10.5555/ice.1 [doi]
AB  - HIV-1 is not
      about ice.
FAU - Lind, Hana
AU  - Lind H
AUID- ORCID: 0000-0002-1825-0097
AD  - Northfjord University
FAU - Osei, Kim
AU  - Osei K
LA  - eng
PT  - Journal Article
MH  - Ice
JT  - Journal of ice
OT  - *sound
PMC - PMC123456
"""
SCHOLAR = """\
\ufeffAuthors,Title,Publication,Volume,Number,Pages,Year,Publisher
"Lind, Hana; Osei, Kim; ",Loud ice,Journal of Ice,12,3,10-19,2021,Ice Press
"Lind, Hana; ",Cold water,Proceedings of the Conference on Ice,,,1-8,2019,
"Lind, Hana; ",Quiet ice,arXiv preprint arXiv:2001.01234,,,,2020,
"Lind, Hana; ",On frost,Frost,,,,2018,
"A, A; B, B; C, C; D, D; E, E; F, F; G, G; H, H; I, I; Lind, Hana; ",Many,Ice,1,,,2017,
"""
DBLP = """\
<?xml version="1.0"?>
<dblpperson name="Hana Lind 0002" pid="99/1-2" n="3">
<person key="homepages/99/1-2"><author pid="99/1-2">Hana Lind 0002</author>
 <note type="affiliation">Northfjord University</note>
 <note label="2021" type="award">Ice Medal</note>
 <url>https://ice.example.org/hana</url><url>https://orcid.org/0000-0002-1825-0097</url></person>
<r><inproceedings key="conf/ice/Lind25"><author>Kim Osei</author><author>Hana Lind 0002</author>
 <title>On <i>Loud</i> Ice in 2025.</title><pages>6-9</pages><year>2025</year>
 <booktitle>ICE</booktitle><ee type="oa">https://doi.org/10.5555/ICE.2</ee></inproceedings></r>
<r><article publtype="informal" key="journals/corr/abs-2001-01234"><author>Hana Lind 0002</author>
 <title>Quiet Ice.</title><year>2020</year><volume>abs/2001.01234</volume><journal>CoRR</journal>
 <ee>https://arxiv.org/abs/2001.01234</ee></article></r>
<r><phdthesis key="phd/Lind19"><author>Hana Lind 0002</author><title>Cold.</title>
 <year>2019</year><school>Northfjord University</school></phdthesis></r>
</dblpperson>
"""


def draft_of(format_: Format, name: str, text: str) -> Draft:
    source = SourceFile(name, name, text.encode())
    assert format_.matches(source)
    (draft,) = format_.read(source)
    return draft


def works(format_: Format, name: str, text: str) -> tuple[list[Any], dict[str, str]]:
    draft = draft_of(format_, name, text)
    return cv_of(draft)["publications"], left_of(draft)


def test_ris() -> None:
    (paper, chapter), left = works(references.RIS, "export.txt", RIS)
    assert paper == {
        "kind": "journal",
        "title": "Loud ice",
        "authors": ["Hana Lind", "Kim Osei Jr"],
        "date": "2021-05-04",
        "journal": {"name": "Journal of Ice", "issn": "1234-5679"},
        "volume": "12",
        "issue": "3",
        "pages": "10-19",
        "doi": "10.5555/ice.1",
        "abstract": "Ice is loud in winter.",
        "keywords": ["ice", "sound"],
    }
    book = {"title": "Handbook of Ice", "editors": ["Lu Wen"], "isbn": "978-3-16-148410-0"}
    assert (chapter["kind"], chapter["book"]) == ("book-chapter", {**book, "year": "2019"})
    assert left == {"item-1.C1": "Grant 7"}


def test_pubmed() -> None:
    (paper,), left = works(references.NBIB, "pubmed.nbib", NBIB)
    assert paper["title"] == "Loud ice in the long winter"
    assert paper["authors"] == [{"as": "Hana Lind", "orcid": "0000-0002-1825-0097"}, "Kim Osei"]
    assert paper["journal"] == {"name": "Journal of ice", "issn": "1234-5679"}
    assert (paper["date"], paper["doi"]) == ("2021-05-04", "10.5555/ice.1")
    assert (paper["pmid"], paper["pmcid"], paper["language"]) == ("12345678", "PMC123456", "en")
    assert (paper["abstract"], paper["keywords"]) == ("HIV-1 is not about ice.", ["sound"])
    assert left == {"item-1.AD": "Northfjord University", "item-1.MH": "Ice"}


def test_google_scholar() -> None:
    found, left = works(references.SCHOLAR, "citations.csv", SCHOLAR)
    assert [each["kind"] for each in found] == [
        *("journal", "conference", "preprint", "other", "journal"),
    ]
    assert found[0]["authors"] == ["Hana Lind", "Kim Osei"]
    assert found[1]["conference"] == "Conference on Ice"
    assert found[2]["arxiv"] == "2001.01234"
    assert "Frost" in [*left.values(), found[3].get("venue")]
    assert "Many" in left.values(), "the list of authors can be cut"


def test_dblp() -> None:
    draft = draft_of(references.DBLP, "person.xml", DBLP)
    cv = cv_of(draft)
    assert cv["basics"]["name"] == "Hana Lind"
    assert cv["basics"]["orcid"] == "0000-0002-1825-0097"
    assert cv["basics"]["organization"] == "Northfjord University"
    assert cv["awards"] == [{"title": "Ice Medal", "date": "2021"}]
    paper, preprint, thesis = cv["publications"]
    assert paper["title"] == "On <i>Loud</i> Ice in 2025"
    assert (paper["authors"], paper["doi"]) == (["Kim Osei", "Hana Lind"], "10.5555/ICE.2")
    assert (preprint["kind"], preprint["arxiv"]) == ("preprint", "2001.01234")
    assert (thesis["kind"], thesis["degree"]) == ("thesis", "Ph.D.")
    assert not draft.left


@pytest.mark.parametrize(
    "name", ["nbib", "ris", "scholar", "dblp", "reactive-resume", "yamlresume"]
)
def test_every_reader_is_declared(name: str) -> None:
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert name in project["entry-points"]["kg.importers"]


def test_works_that_a_theme_does_not_select_are_no_message() -> None:
    entries = "".join(
        f"@article{{{key}, title={{On {key}}}, author={{Mira Sand}}, selected={{{chosen}}}}}\n"
        for key, chosen in (("ice", "false"), ("sand", "true"))
    )
    draft = drafted("bibtex", "works.bib", entries)
    assert not left_of(draft)
    assert [each.get("selected") for each in cv_of(draft)["publications"]] == [None, "true"]
