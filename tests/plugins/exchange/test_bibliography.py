"""BibTeX and CSL-JSON as imports: the parser agrees with bibtexparser, and what cannot be told
apart is.
"""

from __future__ import annotations

import logging
from pathlib import Path

import bibtexparser
import pytest
from bibtexparser import middlewares

from kg.plugins.bibliography.bib_file import BibFile, person
from kg.plugins.exchange.draft import Draft
from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.readers.bibliographies import BIBTEX
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.unsaved import drop_invalid, errors
from kg.text.person_names import BEHALF

FILES = sorted(Path(__file__).parent.glob("cases/bibtex-*/source.bib"))
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)


def source(text: str, name: str = "papers.bib") -> SourceFile:
    return SourceFile(name, name, text.encode())


def text_of(path: Path) -> str:
    return SourceFile(path.name, path.name, path.read_bytes()).text


@pytest.fixture(autouse=True)
def quiet() -> None:
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)


@each_file
def test_the_same_entries_are_read_as_by_bibtexparser(path: Path) -> None:
    library = bibtexparser.parse_string(text_of(path))
    again = [
        block.ignore_error_block.key
        for block in library.failed_blocks
        if hasattr(block, "key") or type(block).__name__ == "DuplicateFieldKeyBlock"
    ]
    theirs = [entry.key for entry in library.entries] + again
    ours = [record.key for record in BibFile(path.name, text_of(path)).reader.read()]
    assert sorted(ours) == sorted(theirs)


@each_file
def test_the_same_blocks_fail_as_with_bibtexparser(path: Path) -> None:
    library = bibtexparser.parse_string(text_of(path))
    theirs = [
        block.start_line + 1
        for block in library.failed_blocks
        if type(block).__name__ == "ParsingFailedBlock"
    ]
    reader = BibFile(path.name, text_of(path)).reader
    read = {record.at[0] + 1 for record in reader.read()}
    starts = [
        number
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if line.startswith("@")
        and not line.lower().startswith(("@string", "@preamble", "@comment"))
    ]
    assert [start for start in starts if start not in read] == theirs


@each_file
def test_names_are_decoded_as_by_bibtexparser(path: Path) -> None:
    layers = [
        middlewares.LatexDecodingMiddleware(),
        middlewares.SeparateCoAuthors(),
        middlewares.SplitNameParts(),
        middlewares.MergeNameParts(style="first"),
    ]
    library = bibtexparser.parse_string(text_of(path), append_middleware=layers)
    file = BibFile(path.name, text_of(path))
    ours = {
        each.key: [*map(person, file.people(each, "author"))]
        for each in file.records()
        if "author" in each.fields
    }
    theirs = {entry.key: entry["author"] for entry in library.entries if "author" in entry}
    divided = {each.message.partition(":")[0] for each in file.problems if "joined" in each.message}
    # bibtexparser puts suffixes first: `Jr. Martin King`
    for key in (ours.keys() & theirs.keys()) - divided:
        words = [{*name.split()} - {"Dr.", "Prof.", "PhD", "MD"} for name in theirs[key]]
        has_behalf = any(map(BEHALF.search, theirs[key]))  # two authors for us
        assert has_behalf or [{*name.split()} for name in ours[key]] == words


def test_a_bibliography_is_recognised_by_its_text() -> None:
    found = detect_format(source("% mine\n@article{a, title={T}}", "papers.bib"))
    assert found is BIBTEX
    assert detect_format(source("\n@article{a, title={T}}", "papers.txt")) is BIBTEX
    assert detect_format(source("mail me @ home{a, b}", "notes.txt")) is not BIBTEX


@pytest.mark.parametrize("type_", ['{"a": 1}', "[1]", "null", "7", '"book-x"'])
def test_what_has_another_type_is_no_csl(type_: str) -> None:
    assert detect_format(source(f'[{{"type": {type_}, "title": "T"}}]', "list.json")) is None


def draft_of(text: str) -> Draft:
    (draft,) = BIBTEX.read(source(text))
    draft.cv = {"basics": {"name": "Ada Berg"}, **draft.cv}
    return draft


def test_a_name_with_other_signs_is_one_person(tmp_path: Path) -> None:
    draft = draft_of(
        "@misc{a, title={One Stone}, author={Ada Berg and Kim L. Osei}}"
        "@misc{b, title={Two Stones}, author={ADA BERG and Kim L Osei}}"
        "@misc{c, title={Three Stones}, author={Ada Berg and Kim L. Osei}}"
    )
    assert not errors(draft)
    assert draft.cv["publications"][1]["authors"] == ["ADA BERG", "Kim L Osei"]


def test_works_that_would_get_one_key_need_none(tmp_path: Path) -> None:
    text = "@misc{{{0}, title={{Stones of {0}}}, author={{Ada Berg}}, year={{2019}}}}\n"
    draft = draft_of("".join(text.format(place) for place in ("Oslo", "Rome", "Bern")))
    assert not errors(draft)
    assert not any("key" in each for each in draft.cv["publications"])


def test_a_work_that_is_there_twice_is_listed_once(tmp_path: Path) -> None:
    text = "@misc{{{0}, title={{Stones}}, author={{Ada Berg}}, year={{2019}}}}\n"
    draft = draft_of("".join(map(text.format, ("a", "b"))))
    drop_invalid(draft)
    assert not errors(draft)
    assert len(draft.cv["publications"]) == 1
    assert "duplicate of" in draft.left[0].why


def test_what_the_check_refuses_is_listed(tmp_path: Path) -> None:
    draft = draft_of("@misc{a, title={One}, author={Ada Berg}, doi={none}, url={www}}")
    drop_invalid(draft)
    assert not errors(draft)
    assert {left.value.path for left in draft.left} == {"@misc{a}.doi", "@misc{a}.url"}
