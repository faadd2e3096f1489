"""A site whose every file is a shard gives the same lines and the same problems as one that is a
single shard of each kind, and as one that is small, and so loaded without shards.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kg.check.check import Checked, check
from kg.check.rules import in_files
from kg.facts.files import sort_out
from kg.files.cache import Cache, cache_folder
from kg.graph.parallel import shards
from kg.graph.parallel.run import Run
from kg.graph.parallel.shards import gather, groups
from tests.cases import CASES, TODAY, site
from tests.conftest import LARGE_SITE
from tests.graph.alone import AloneWorkers

pytestmark = pytest.mark.corpus

# What hangs together across files: names, titles, private documents, mentions, lists, keys. Each
# comes in two files, and so in two shards.
CROSSING = {
    "cv/ada.yaml": (
        "basics: {name: Ada Berg, alternateNames: [A. Berg]}\n"
        "tutorials: [{tutorial: sifting, venue: conf, year: 2020, attendees: 85}]\n"
        "publications: [one-2020, two-2020, dark-2020, alm-2022-silt, ada.bib]\n"
        "awards: [{title: Prize, date: 2021, work: four-2021}]\n"
        "mentoring: [{person: cid, level: doctoral, organization: uni, coAdvisors: [bo]}]\n"
    ),
    "cv/bea.yaml": (
        "basics: {name: Bea Alm, alternateNames: [A. Berg]}\n"
        "tutorials: [{tutorial: sifting, venue: conf, year: 2020, attendees: 90}]\n"
        "publications:\n"
        "  - three-2021\n"
        "  - bea.bib\n"
        "  - lost.bib\n"
        "  - {title: Silt, kind: journal, venue: Mud, authors: [Bea Alm, Ada Berg], year: 2022}\n"
        "  - {title: Loam, kind: report, authors: [A. Berg], year: 2022, key: two-2020}\n"
        "mentoring: [{person: cid, level: doctoral, organization: firm}]\n"
    ),
    "cv/ada.bib": (
        "@article{mud22, title={Mud}, author={Berg, Ada and Alm, Bea}, journal={Mud}, year=2022}\n"
        "@report{two-2020, title={Taken}, author={Ada Berg}, year=2022}\n"
    ),
    "cv/bea.bib": (
        "@article{mud22, title={Mud}, author={Ada Berg and Bea Alm}, journal={Mud}, year=2022}\n"
        "@article{ooze22, title={Ooze}, author={Bea Alm}, journal={Ooze Today}, year=2022\n"
    ),
    "cv/cid.yaml": "work: [{organization: uni, position: Clerk, startDate: 2020, endDate: present}]\n",  # noqa: E501
    "cv/dan.yaml": (
        "basics: {name: Dan Ek, visibility: private}\npublications: [four-2021, dan.bib]\n"
    ),
    "cv/dan.bib": "@article{dan, title={Dun}, author={Dan Ek}, journal={Dunes}, year=2021}\n",
    "cv/eva.yaml": "basics: {name: Eva Ros, visibility: private, nickname: Evi}\n",
    "cv/fay.yaml": "basics: {name: [\n",
    "publications/a.yaml": (
        "one-2020: {title: On Sand, kind: conference, venue: conf, authors: [A. Berg, J. "
        "Müller, K. 冰], year: 2020}\n"
        "two-2020: {title: Gravel, kind: conference, venue: conf, authors: [Ada Berg, Dan "
        "Ek], year: 2020}\n"
        "dark-2020: {title: Dark, kind: report, authors: [Ada Berg], year: 2020, visibility: "
        "private}\n"
    ),
    "publications/b.yaml": (
        "three-2021: {title: On sand, kind: conference, venue: conf, authors: [A. Berg, J. "
        "Muller, K. 火], year: 2020}\n"
        "two-2020: {title: Gravel again, kind: conference, authors: [Ada Berg], year: 2020}\n"
        "five-2021: {title: on SAND, kind: report, authors: [Bea Alm], year: 2021}\n"
        "four-2021: {title: Clay, kind: report, authors: [Dan Ek, Eva Ros], year: 2021, "
        "basedOn: dark-2020, distinctFrom: one-2020}\n"
    ),
    "venues/more.yaml": (
        "conf: {name: Conference, alternateNames: [CONF], kind: conference, editions: {2020: "
        "{editors: [J Muller]}}}\n"
    ),
}


def found_in(folder: Path, size: int) -> Checked:
    """What a check finds, with shards of so many bytes; without shards where that is 0."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "MIN_SHARDED_SIZE", 0 if size else 1 << 30)
        patch.setattr(shards, "SHARD_SIZE", size)
        return check(folder, Run(TODAY, folder / "site" / "addresses.txt", AloneWorkers()))


def same(folder: Path) -> Checked:
    """What is found, which is the same however the site is cut, and where it is not cut at all."""
    parts, *others = (found_in(folder, size) for size in (1, 1 << 30, 0))
    for other in others:
        assert list(map(str, parts.problems)) == list(map(str, other.problems))
        assert parts.problems == other.problems
        assert (parts.graph and parts.graph.nquads) == (other.graph and other.graph.nquads)
        assert (parts.graph and parts.graph.rest) == (other.graph and other.graph.rest)
    return parts


@pytest.mark.sample(test=0.015, proof=0.2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_in_shards(case: Path, tmp_path: Path) -> None:
    same(site(case, tmp_path / "site"))


def test_what_hangs_together_across_shards(tmp_path: Path) -> None:
    folder = site(tmp_path / "none", tmp_path / "site")
    for name, text in CROSSING.items():
        path = folder / "data" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = same(folder)
    rules = {problem.rule for problem in found.problems}
    assert {
        "duplicate-key",
        "same-title",
        "unknown-name",
        "contradiction",
        "unknown-field",
        "yaml",
        "award-of-others",
    } <= rules
    (name,) = (problem for problem in found.problems if problem.rule == "unknown-name")
    assert (str(name.place), name.message) == (
        "data/publications/b.yaml:1:91",
        "three-2021: 'K. 火' and 'K. 冰' would get the same address. Add both to data/people.yaml.",
    )
    assert found.graph is not None
    assert b"people/dan" not in found.graph.nquads
    named = re.findall(
        r"j-muller#it> <http://schema.org/name> (\S+ \S+)", found.graph.nquads.decode()
    )
    assert named == ['"J Muller"']  # the first of those that are equally frequent


SAME_KEYS = {
    "cv/ada.yaml": (
        "basics: {name: Ada Berg}\npublications:\n"
        "  - {title: Sand at Rest, kind: report, authors: [Ada Berg], year: 2020}\n"
        "  - {title: Sand on the Move, kind: report, authors: [Ada Berg], year: 2020}\n"
        "  - ada.bib\n"
        "talks:\n  - {title: Sand, venue: conf, year: 2021}\n"
        "  - {title: Water, venue: conf, year: 2021}\n"
    ),
    "cv/bea.yaml": (
        "basics: {name: Bea Berg}\npublications:\n"
        "  - {title: Sandstone, kind: report, authors: [Bea Berg], year: 2020}\n"
        "  - {title: Sand and Silt, kind: report, authors: [Bea Berg], year: 2020}\n"
        "  - bea.bib\n"
        "  - {key: b1, selected: true}\n"
    ),
    "cv/ada.bib": "@misc{b1, title={Clay}, author={Ada Berg}, year={2019}}\n",
    "cv/bea.bib": "@misc{b1, title={Gravel}, author={Bea Berg}, year={2019}}\n",
}


def test_distinct_addresses_are_the_same_in_shards(tmp_path: Path) -> None:
    folder = site(tmp_path / "none", tmp_path / "site")
    for name, text in SAME_KEYS.items():
        (folder / "data" / name).write_text(text, encoding="utf-8")
    found = same(folder)
    assert [str(each) for each in found.problems if each.severity == "error"] == []
    assert found.graph is not None
    listed = re.findall(r"publications/(\S+)#it> <http://schema.org/name>", str(found.graph.nquads))
    assert sorted(listed) == [
        *("b1", "b1-gravel", "berg-2020-sand", "berg-2020-sand-move", "berg-2020-sand-silt"),
        "berg-2020-sandstone",
    ]
    assert b"people/ada#talk-conf-2021-water" in found.graph.nquads


NAMED = [case for case in CASES if case.name.startswith("named-")]


@pytest.mark.sample(test=0.1)
@pytest.mark.parametrize("case", NAMED, ids=lambda case: case.name)
def test_names_in_place_across_shards(case: Path, tmp_path: Path) -> None:
    folder = site(case, tmp_path / "site")
    (folder / "data" / "cv" / "bea.yaml").write_text(
        "basics: {name: Bea Alm}\n"
        "work:\n"
        "  - {organization: CU, unit: Department of Physics, position: Clerk, dates: 2019/2020}\n"
        "  - {organization: Arctic Museum, position: Guide, dates: 2020/2021}\n"
        "  - {organization: Firm, position: Guide, dates: 2021/2022, visibility: private}\n"
        "mentoring: [{person: J. Novák}, {person: Kim Osei}]\n"
        "service: [{venue: Journal of Ice, year: 2020}]\n",
        encoding="utf-8",
    )
    same(folder)


@pytest.mark.proof
def test_the_site_of_this_repository_in_shards(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "data").symlink_to(LARGE_SITE / "data")
    same(tmp_path / "site")


def test_the_example_in_shards(example: Path) -> None:
    assert same(example).publishable


def test_a_small_site_is_neither_cut_nor_cached(example: Path) -> None:
    facts, parts = gather(example, Run(TODAY, cache=Cache(example)), in_files)
    assert parts == []
    assert not cache_folder(example).exists()
    assert {"people", "publications"} <= {each.kind for each in facts.loaded}


def test_a_small_site_is_one_shard_of_each_kind() -> None:
    found = shards.cut(LARGE_SITE, sort_out(LARGE_SITE)[1])
    assert [shard.kind for shard in found] == ["cv", "publications", "patents", "press"]


def test_an_edit_moves_no_file_to_another_shard() -> None:
    names = [f"data/cv/person-{number}.yaml" for number in range(200)]
    sizes = dict.fromkeys(names, 1000)
    before = list(groups(names, sizes, 10000))
    assert [name for group in before for name in group] == names
    assert 8 <= len(before) <= 100
    assert max(map(len, before)) <= 16
    assert list(groups(names, {**sizes, names[7]: 5000}, 10000)) == before
    without = list(groups([*names[:50], *names[51:]], sizes, 10000))
    assert len(set(before) - set(without)) <= 4, "those around a file that is gone"
    assert list(groups(names, sizes, 1)) == [(name,) for name in names]
    assert list(groups([], {}, 1)) == []
