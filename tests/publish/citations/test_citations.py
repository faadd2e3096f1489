"""Citations: every work and all works of a person as BibTeX and CSL-JSON, read back by a strict
reader.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.check.check import good
from kg.publish.citations.citation import OTHERS, CitedWork, parts_of
from kg.publish.citations.writers import bibtex, bibtex_name, csl_item, csl_name, plain_text, ris
from kg.publish.site import Documents
from kg.text.person_names import PersonName
from tests.cases import CASES, site
from tests.conftest import ROOT
from tests.facts import site_with
from tests.publish.citations.bibtex_reader import Entry, plain, read

WORK = CitedWork(
    "berg-2021-dunes",
    "article",
    "Dunes",
    (PersonName("Berg", "Ada"),),
    "2021-03",
)
NEEDED = {
    "article": {"author", "title", "journal"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "phdthesis": {"author", "title", "school"},
    "mastersthesis": {"author", "title", "school"},
    "techreport": {"author", "title", "institution", "year"},
    "patent": {"author", "title", "number", "year"},
    "misc": {"author", "title"},
}
CSL_TYPES = {
    "paper-conference",
    "article-journal",
    "thesis",
    "report",
    "patent",
    "article",
    "document",
}
CSL_TEXTS = {
    *(
        "id",
        "type",
        "title",
        "container-title",
        "event-title",
        "publisher",
        "genre",
        "volume",
        "issue",
        "number",
        "page",
    ),
    *("ISBN", "ISSN", "DOI", "URL", "status", "keyword"),
}


@pytest.fixture(scope="module")
def example() -> Documents:
    return Documents(good(ROOT / "kg" / "example"))


def body(documents: Documents, path: str) -> str:
    document = documents.get(path)
    assert document is not None, path
    return document.body.decode()


def items(documents: Documents, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(body(documents, path))
    return found


def check_item(item: dict[str, Any]) -> None:
    """The essentials of the schema of CSL data."""
    assert item["type"] in CSL_TYPES
    assert item.keys() <= CSL_TEXTS | {"author", "editor", "issued"}
    assert all(isinstance(item[name], str) and item[name] for name in CSL_TEXTS & item.keys())
    for name in (*item["author"], *item.get("editor", [])):
        assert name.keys() in ({"literal"}, {"family", "given"}, {"family", "given", "suffix"})
    if "issued" in item:
        (date,) = item["issued"]["date-parts"]
        assert 1 <= len(date) <= 3
        assert all(isinstance(part, int) for part in date)


def test_every_work_and_every_author_has_citations(documents: Documents) -> None:
    works = {
        path
        for path in documents.addresses
        if path.startswith(("publications/", "patents/")) and not path.endswith("/")
    }
    cited = {address for path, (address, _) in documents.files.items() if path.endswith(".bib")}
    assert works <= cited
    assert {address.partition("/")[0] for address in cited} == {"publications", "patents", "people"}
    lists = {address: f"{address}index" for address in cited if address.endswith("/")}
    assert {f"{lists.get(address, address)}.csl.json" for address in cited} == {
        path for path in documents.files if path.endswith(".csl.json")
    }


@pytest.mark.proof
def test_all_of_them_can_be_read_and_say_the_same(documents: Documents) -> None:
    kinds: set[str] = set()
    for path in [path for path in documents.files if path.endswith(".bib")]:
        entries, listed = (
            read(body(documents, path)),
            items(documents, path.removesuffix(".bib") + ".csl.json"),
        )
        assert [entry.key for entry in entries] == [item["id"] for item in listed]
        assert len({entry.key for entry in entries}) == len(entries) > 0, path
        for entry, item in zip(entries, listed, strict=True):
            check_item(item)
            assert NEEDED[entry.kind] <= entry.fields.keys(), entry.key
            assert plain(entry.fields["title"]) == item["title"]
            assert len(entry.names()) == len(item["author"])
            kinds.add(entry.kind)
    assert kinds == NEEDED.keys()


def test_a_person_has_all_their_works_the_latest_first(documents: Documents) -> None:
    entries = read(body(documents, "people/alvar-jarl.bib"))
    years = [int(entry.fields["year"]) for entry in entries if "year" in entry.fields]
    assert len(entries) == 23
    assert years == sorted(years, reverse=True)
    assert all(any(name.startswith("Jarl, A") for name in entry.names()) for entry in entries)


def test_a_work_is_the_same_wherever_it_is_cited(documents: Documents) -> None:
    assert body(documents, "publications/jarl-2020-lagoons.bib") in body(
        documents, "people/alvar-jarl.bib"
    )


def test_a_paper_in_proceedings(documents: Documents) -> None:
    (entry,) = read(body(documents, "publications/arvik-2020-delta-ledger.bib"))
    assert entry == Entry(
        "inproceedings",
        "arvik-2020-delta-ledger",
        {
            "author": (
                "Arvik, A. A. and Jarl, A. and Alrinsen, Q. and Sundquist, H. and Palme, D. K."
            ),
            "title": (
                "{HyDelta-Ledger}: Damming {MPI} and Glaciers for Fjord Hybrid-Parallel {DNN} "
                "Training with {TensorFlow}"
            ),
            "booktitle": "High Performance Computing",
            "editor": "Suvelisvik, P. and Cobobonel, B. L. and Jesilenru, G. and Lamarli, H.",
            "publisher": "Springer",
            "pages": "83--103",
            "year": "2020",
            "month": "jul",
            "isbn": "9783030507435",
        },
    )
    (item,) = items(documents, "publications/arvik-2020-delta-ledger.csl.json")
    assert (item["type"], item["page"], item["event-title"]) == (
        "paper-conference",
        "83-103",
        "ISC 2020",
    )
    assert item["issued"] == {"date-parts": [[2020, 7]]}
    assert item["editor"][0] == {"family": "Suvelisvik", "given": "P."}


def test_the_series_is_named_where_the_proceedings_have_no_name_of_their_own(
    documents: Documents,
) -> None:
    (entry,) = read(body(documents, "publications/jarl-2020-lagoons.bib"))
    series = (
        "International Conference for High Performance Computing, Networking, Storage and Analysis"
    )
    assert entry.fields["booktitle"] == f"Proceedings of the {series} (SC 2020)"


def test_a_preprint_is_known_by_its_number(documents: Documents) -> None:
    (entry,) = read(body(documents, "publications/rudorrinle-2022-deepwater-moe.bib"))
    assert entry.kind == "misc"
    wanted = {"eprint": "2201.99996", "archiveprefix": "arXiv"}
    assert wanted.items() <= entry.fields.items()
    assert (entry.fields["year"], entry.fields["month"]) == ("2022", "jan")  # as its page has
    (item,) = items(documents, "publications/rudorrinle-2022-deepwater-moe.csl.json")
    assert (item["type"], item["number"], item["genre"]) == (
        "article",
        "arXiv:2201.99996",
        "Preprint",
    )


@pytest.mark.parametrize(
    ("path", "kind", "fields"),
    [
        (
            "publications/lindqvist-2024-sand",
            "article",
            {"journal": "Journal of Sand", "volume": "12", "number": "3", "pages": "101--119"},
        ),
        (
            "publications/lindqvist-2022-thesis",
            "phdthesis",
            {"school": "Northfjord University", "year": "2022"},
        ),
        (
            "publications/haddad-2020-stations",
            "techreport",
            {"institution": "Delta Works", "number": "DW-20-7"},
        ),
        (
            "patents/gravel-microphone",
            "patent",
            {"number": "NO20240001A1", "note": "Published application"},
        ),
    ],
)
def test_other_kinds_of_work(
    example: Documents, path: str, kind: str, fields: dict[str, str]
) -> None:
    (entry,) = read(body(example, f"{path}.bib"))
    assert entry.kind == kind
    assert fields.items() <= entry.fields.items()


def test_a_patent_and_a_paper_of_one_slug_have_two_keys(tmp_path: Path) -> None:
    work = "{title: Sand, kind: %s, authors: [Ada Berg], year: 2020%s}"
    site = site_with(
        tmp_path,
        cv="basics: {name: Ada Berg}\npublications: [sand]\npatents: [sand]\n",
        publications=f"sand: {work % ('preprint', '')}\n",
        patents=f"sand: {work % ('patent', ', numbers: {docket: X1}')}\n",
    )
    assert sorted(entry.key for entry in read(body(Documents(good(site)), "people/ada.bib"))) == [
        "patents/sand",
        "sand",
    ]


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Plain Words in a Title", "Plain Words in a Title"),
        ("A DNN on 100% of V100s", "A {DNN} on 100\\% of {V100s}"),
        ("R & D for C++ at $5_000 #1", "{R} \\& {D} for {C}++ at \\$5\\_000 \\#1"),
        ("Hy-Fi: Mixture-of-Experts", "{Hy-Fi}: Mixture-of-Experts"),
        ("Bamboo: a tale", "Bamboo: a tale"),
        (
            "{\\it x}^2~y",
            (
                "{\\textbraceleft}{\\textbackslash}it "
                "x{\\textbraceright}{\\textasciicircum}2{\\textasciitilde}y"
            ),
        ),
        ("Ünïcode stäys", "Ünïcode stäys"),
        ("ÅNGSTRÖM", "{ÅNGSTRÖM}"),
        ("研究 について", "研究 について"),
        ("two\nlines", "two lines"),
    ],
)
def test_titles_mean_in_latex_what_they_say(title: str, written: str) -> None:
    (entry,) = read(bibtex([replace(WORK, title=title)]).decode())
    assert entry.fields["title"] == written
    assert plain(entry.fields["title"]) == " ".join(title.split())


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@pytest.mark.fuzz
@given(TEXT, TEXT, TEXT)
def test_no_text_breaks_the_file(title: str, family: str, given: str) -> None:
    work = replace(
        WORK,
        title=title,
        authors=(PersonName(family, given), PersonName("Berg", "Ada")),
        container=title,
        number=family,
    )
    entries = read(bibtex([work, WORK]).decode())
    assert [entry.key for entry in entries] == [WORK.key, WORK.key]
    assert len(entries[0].names()) == 2


@pytest.mark.parametrize(
    ("name", "written", "item"),
    [
        (PersonName("van Dijk", "Zoë"), "van Dijk, Zoë", {"family": "van Dijk", "given": "Zoë"}),
        (
            PersonName("King", "Martin", "Jr."),
            "King, Jr., Martin",
            {"family": "King", "given": "Martin", "suffix": "Jr."},
        ),
        (PersonName("李珊"), "{李珊}", {"literal": "李珊"}),
        (
            PersonName("Simon and Schuster"),
            "{Simon and Schuster}",
            {"literal": "Simon and Schuster"},
        ),
        (
            PersonName("Sand and Sons", "Ada"),
            "{Sand and Sons}, Ada",
            {"family": "Sand and Sons", "given": "Ada"},
        ),
    ],
)
def test_people_are_written_so_that_nobody_is_two(
    name: PersonName, written: str, item: dict[str, str]
) -> None:
    assert bibtex_name(name) == written
    assert csl_name(name) == item


@pytest.mark.parametrize(
    ("degree", "kind", "type"),
    [
        ("Ph.D.", "phdthesis", None),
        ("Doctor of Science", "phdthesis", None),
        ("M.Tech.", "mastersthesis", None),
        ("Master of Arts", "mastersthesis", None),
        ("Bachelor", "mastersthesis", "Bachelor thesis"),
        ("", "thesis", "Thesis"),
    ],
)
def test_a_thesis_is_what_its_degree_says(degree: str, kind: str, type: str | None) -> None:
    (entry,) = read(bibtex([replace(WORK, kind="thesis", degree=degree)]).decode())
    assert (entry.kind, entry.fields.get("type")) == (kind, type)


@pytest.mark.parametrize(
    ("date", "parts"),
    [
        ("2020", [2020]),
        ("2020-11", [2020, 11]),
        ("2020-11-09", [2020, 11, 9]),
        ("2020-22", [2020]),
        ("", []),
    ],
)
def test_a_date_is_as_precise_as_it_is_known(date: str, parts: list[int]) -> None:
    assert parts_of(date) == parts


def test_books_datasets_and_others_keep_what_was_written(tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == "works-of-many-kinds")
    documents = Documents(good(site(case, tmp_path)))

    def entry(key: str) -> Entry:
        document = documents.get(f"publications/{key}.bib")
        assert document is not None
        (found,) = read(document.body.decode())
        return found

    chapter = entry("berg-2022-mirror")
    assert chapter.kind == "incollection"
    assert chapter.fields["booktitle"] == "Handbook of Ice"
    assert chapter.fields["editor"] == "Ek, B."
    assert chapter.fields["isbn"] == "9783161484100"
    assert chapter.fields["series"] == "Ice Books"
    assert entry("albedo").kind == "dataset"
    assert entry("albedo").fields["version"] == "1.2"
    assert entry("blanc-2018-snow").fields["translator"] == "Berg, A."
    article = entry("berg-2023-thin").fields
    assert article["journal"] == "Annals of Ice"
    assert article["eid"] == "e12"
    assert article["pdf"] == "https://ada.example.org/thin-ice.pdf"
    assert "publisher" not in article
    assert entry("handbook-of-ice").kind == "book"


NAMES = (PersonName("Berg", "Ada Maria"), PersonName("Ek", "B.K."), PersonName("林美"))


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (WORK, "Berg, A. (2021). Dunes."),
        (
            replace(WORK, authors=(PersonName("Liang", "Yun (Eric)"),)),
            "Liang, Y. (2021). Dunes.",
        ),
        (replace(WORK, authors=(), editors=NAMES[:1]), "Berg, A. M. (ed.) (2021). Dunes."),
        (replace(WORK, date="", status="Submitted"), "Berg, A. (submitted). Dunes."),
        (
            replace(
                WORK,
                authors=NAMES,
                title="What Moves?",
                container="Journal of Sand",
                volume="7",
                issue="2",
                pages=("101", "119"),
                doi="10.1/x",
            ),
            "Berg, A. M., Ek, B. K., & 林美 (2021). What Moves? Journal of Sand, 7(2), 101–119. "
            "https://doi.org/10.1/x",
        ),
        (
            replace(WORK, authors=(*NAMES[:2], OTHERS)),
            "Berg, A. M., Ek, B. K., et al. (2021). Dunes.",
        ),
    ],
)
def test_a_work_is_cited_in_words(work: CitedWork, text: str) -> None:
    assert plain_text(work) == text


def test_a_work_is_cited_as_ris() -> None:
    work = replace(WORK, contained_in="journal", container="Journal of Sand", pages=("1", "9"))
    assert ris(work).splitlines() == [
        *("TY  - JOUR", "AU  - Berg, Ada", "TI  - Dunes", "JO  - Journal of Sand"),
        *("SP  - 1", "EP  - 9", "PY  - 2021", "DA  - 2021/03", "ER  - "),
    ]


def test_only_bibtex_has_a_word_for_unnamed_authors() -> None:
    work = replace(WORK, authors=(*NAMES[:1], OTHERS))
    assert "author = {Berg, Ada Maria and others}" in bibtex([work]).decode()
    assert csl_item(work)["author"] == [{"family": "Berg", "given": "Ada Maria"}]
    assert [line for line in ris(work).splitlines() if "AU" in line] == ["AU  - Berg, Ada Maria"]
