"""A CV, a bibliography and an ORCID record of one person give one record for each work."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from kg.check.check import check
from kg.facts.yaml.reader import read
from kg.files.atomic import replace_files
from kg.plugins.exchange.importing import Imported, import_files

CV = """\
cv:
  name: Hana Lind
  sections:
    selected_publications:
      - {title: Ice in Rivers, authors: [H. Lind, K. Osei], date: 2021, journal: "Ice, vol. 12"}
    publications:
      - {title: Ice in Rivers, authors: [H. Lind, K. Osei], date: 2021, journal: Ice}
      - {title: Ice on Lakes, authors: ["Lind, H.", et al.], date: 2020}
      - {title: Sand as a Mirror, authors: [H. Lind], date: 2019, journal: Sand}
      - {title: Snow, authors: [H. Lind, Bo Ek], date: 2022, journal: Submitted to Snow Letters}
"""
BIB = """\
% * denotes equal contribution
@article{rivers, title={{Ice} in Rivers}, author={Lind, Hana* and Osei, Kim*}, journal={Ice},
  volume={12}, month=may, year=2021, doi={10.5555/ice.1}}
@inproceedings{lakes, title={Ice on Lakes}, author={Lind, Hana and Ek, Bo and others}, year=2020,
  booktitle={Proceedings of the Conference on Ice}, selected={true}}
@article{mirror, title={Sand as a mirror}, author={Lind, Hana}, journal={Sand}, year=2020}
@misc{arxiv, title={Rain}, author={Lind, Hana}, year=2021, eprint={2101.00001},
  archiveprefix={arXiv}}
@article{rain, title={Rain}, author={Lind, Hana and Ek, Bo}, journal={Rain Letters}, year=2023}
"""


def work_of(title: str, year: str, *ids: tuple[str, str]) -> dict[str, Any]:
    numbers = [{"external-id-type": kind, "external-id-value": value} for kind, value in ids]
    return {
        "work-summary": [
            {
                "type": "journal-article",
                "title": {"title": {"value": title}},
                "publication-date": {"year": {"value": year}},
                "external-ids": {"external-id": numbers},
            }
        ]
    }


ORCID = json.dumps(
    {
        "orcid-identifier": {"path": "0000-0002-1825-0097"},
        "person": {"name": {"given-names": {"value": "Hana"}, "family-name": {"value": "Lind"}}},
        "activities-summary": {
            "works": {
                "group": [
                    work_of("ICE IN RIVERS", "2021", ("doi", "10.5555/ICE.1")),
                    work_of("Rain", "2023"),
                ]
            }
        },
    }
)


def site_of(folder: Path, name: str, *groups: tuple[str, ...]) -> tuple[list[Any], list[Imported]]:
    """The works after importing groups of files one after another."""
    texts = {"cv.yaml": CV, "p.bib": BIB, "orcid.json": ORCID}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    found = []
    for group in groups:
        found.append(import_files([folder / file for file in group], folder / name))
        replace_files(folder / name, found[-1].texts)
    assert not [each for each in check(folder / name).problems if each.severity == "error"]
    row, _ = read("cv.yaml", (folder / name / "data/cv/hana-lind.yaml").read_bytes())
    assert row is not None
    return json.loads(json.dumps(row["publications"])), found


def test_three_files_give_one_record_per_work(tmp_path: Path) -> None:
    works, (imported,) = site_of(tmp_path, "site", ("cv.yaml", "p.bib", "orcid.json"))
    rivers, lakes, mirror, snow, rain = works
    assert rivers["authors"] == [
        {"as": "Hana Lind", "equal": "true"},
        {"as": "Kim Osei", "equal": "true"},
    ]
    assert (rivers["selected"], rivers["date"], rivers["doi"].lower()) == (
        *("true", "2021-05"),
        "10.5555/ice.1",
    )
    assert (rivers["journal"], rivers["volume"]) == ("Ice", "12")
    assert (lakes["kind"], lakes["moreAuthors"], lakes["selected"]) == ("conference", *["true"] * 2)
    assert lakes["authors"] == ["Hana Lind", "Bo Ek"]
    assert (mirror["title"], mirror["date"]) == ("Sand as a Mirror", "2019")
    assert snow["status"] == "submitted"
    assert (rain["kind"], rain["date"]) == ("journal", "2023")
    assert rain["preprint"] == {"date": "2021", "arxiv": "2101.00001"}
    assert rain["authors"] == ["Hana Lind", "Bo Ek"]
    listed = {f"{each.value}: {each.why}" for each in imported.left}
    assert f"2020: differs from 2019 ({tmp_path}/cv.yaml:9:61), which is kept" in listed
    assert f"Rain: joined with the same work at {tmp_path}/p.bib:7:20" in listed


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize(
    "files",
    [
        each
        for each in permutations(("cv.yaml", "p.bib", "orcid.json"))
        if each[0] != "p.bib"  # it names nobody
    ],
)
def test_one_after_another_is_the_same_as_together(tmp_path: Path, files: tuple[str, ...]) -> None:
    named = sorted(files, key=lambda file: file == "p.bib")  # files that name a person are first
    together, _ = site_of(tmp_path, "together", tuple(files))
    alone, _ = site_of(tmp_path, "alone", *((file,) for file in named))
    assert [same(each) for each in alone] == [same(each) for each in together]
    again, imports = site_of(tmp_path, "alone", *((file,) for file in named))
    assert again == alone
    assert not any(each.shown for each in imports)


def same(work: dict[str, Any]) -> dict[str, Any]:
    return dict(sorted(work.items()))
