"""`kg drift` with services on loopback: what profiles have wrong, and the files that correct it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.plugins.sync.services import ORCID, Work, session
from tests.plugins.sync.test_sync import ICE, MINE

KNOWN = f"""basics:
  name: Hana Lind
  orcid: {ORCID}
  identifiers: {{openalex: A1, wikidata: Q42, dblp: pid/1/2}}
sync: {{sources: [orcid, crossref, openalex]}}
"""


def test_a_work_that_orcid_lacks_is_bibtex(tmp_path: Path) -> None:
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, sources=("crossref",))], MINE) as each:
        found = each.drift()["orcid"]
        assert found.lines == ["Loud ice: missing"]
        assert found.name == "hana-lind-orcid.bib"
        assert "@article{" in found.text
        assert "10.5555/ice.1" in found.text


def test_a_work_that_orcid_has_is_not_missing(tmp_path: Path) -> None:
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021)], MINE) as each:
        assert each.drift() == {}


def test_works_of_others_and_missing_ones_are_corrections_for_openalex(tmp_path: Path) -> None:
    mine = Work(ICE.doi, ICE.title, 2021, sources=("crossref", "orcid", "openalex"))
    hidden = {"openalex": {"is_listed": False}}
    works = [
        Work(mine.doi, mine.title, 2021, sources=mine.sources, instead=hidden),
        Work("10.5555/moth.9", "Moths", authors=(("Hana", "Lind", ""),), sources=("openalex",)),
    ]
    with session(tmp_path, works, MINE, KNOWN) as each:
        (moths,) = [one for one in each.sync(write=True).open if one.title == "Moths"]
        assert "openalex" not in each.drift() or "Moths" not in str(each.drift()["openalex"].lines)
        each.sync(refuse={moths.key})
        found = each.drift()["openalex"]
        assert found.lines == ["Loud ice: missing", "Moths: not yours"]
        requests = json.loads(found.text)
        assert {one["value"] for one in requests} == {"https://openalex.org/A1"}
        assert [(one["action"], one["property"]) for one in requests] == [
            ("replace", 'authorships[raw_author_name="Hana Lind"].author.id'),
            ("remove", "authorships.author.id"),
        ]


def test_identifiers_that_wikidata_lacks_are_quickstatements(tmp_path: Path) -> None:
    with session(tmp_path, [], "", KNOWN) as each:
        found = each.drift()["wikidata"]
    assert found.lines == ["dblp: 1/2 is missing", "openalex: A1 is missing"]
    assert found.text == 'Q42\tP2456\t"1/2"\nQ42\tP10283\t"A1"\n'


def test_a_value_is_wrong_elsewhere_only_after_the_author_confirmed_it(tmp_path: Path) -> None:
    with session(tmp_path, [ICE], MINE) as each:
        each.sync(write=True)
        assert each.drift() == {}
        (question,) = each.sync().open
        each.sync(refuse={question.key})
        found = each.drift()
        assert found["crossref"].lines == ["Loud ice: year 2023; you say 2021"]
