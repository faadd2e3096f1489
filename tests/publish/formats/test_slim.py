"""The JSON-LD in pages: small, plain, of the right types, and only what the page shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import lxml.html
import pytest

from kg.check.check import good
from kg.plugins.verify.published_site import verify_site
from kg.publish.export.export import export
from kg.publish.formats.slim import MOST_BYTES, items, lacking, size
from kg.publish.site import Documents
from kg.publish.verify.source import Directory
from tests.publish.reading import READERS, embedded

PAGES = {  # address -> the class of its page, and of what it is about
    "people/alvar-jarl": ("ProfilePage", "Person"),
    "people/halvor-sundquist": ("WebPage", "Person"),
    "publications/jarl-2020-lagoons": ("WebPage", "ScholarlyArticle"),
    "publications/jarl-2022-phd-thesis": ("WebPage", "Thesis"),
    "software/lbarn": ("WebPage", "CreativeWork"),
    "orgs/osu": ("WebPage", "CollegeOrUniversity"),
    "venues/sc": ("WebPage", "Series"),
    "venues/concurrency-and-computation": ("WebPage", "Periodical"),
    "topics/hpc": ("WebPage", None),
    "places/columbus-oh-us": ("WebPage", None),
    "people/": ("CollectionPage", "ItemList"),
    "topics/": ("CollectionPage", "ItemList"),
    "terms/cv": ("WebPage", None),
    "": ("WebSite", "ItemList"),
}
ONE = """\
basics:
  name: Ida Berg
  label: Hydrologist
  summary: Counts *drops* in the [Nor](https://nor.example.org/).
work:
  - {organization: Nor Institute, position: Reader, startDate: 2020, endDate: present}
publications:
  - {title: Drops of H<sub>2</sub>O, authors: [Ida Berg], year: 2021, kind: journal, journal: Drops}
  - {title: Many Drops, year: 2022, kind: journal, journal: Drops, authors: [AUTHORS]}
  - {title: Drops by day, authors: [Ida Berg], year: 2023, kind: dataset}
  - title: Drops by hour
    authors: [Ida Berg]
    year: 2024
    kind: dataset
    abstract: The drops of every hour of the years from 2020 to 2024, as they were counted.
teaching:
  - {course: Counting, organization: Nor Institute, role: Lecturer, dates: [2022]}
layout: {hide: [teaching]}
"""


@pytest.fixture(scope="module")
def embeds(documents: Documents) -> dict[str, Any]:
    return {address: embedded(documents, address) for address in PAGES}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    """A site with one CV, and a work of very many authors."""
    folder = tmp_path_factory.mktemp("one")
    (folder / "data" / "cv").mkdir(parents=True)
    names = ["Ida Berg", *(f"Ada{chr(97 + n % 26)} Lind{chr(97 + n // 26)}" for n in range(150))]
    cv = ONE.replace("AUTHORS", ", ".join(names))
    (folder / "data" / "cv" / "ida-berg.yaml").write_text(cv, encoding="utf-8")
    site = "base: https://berg.example.org/\ntitle: Ida's site\n"
    (folder / "data" / "site.yaml").write_text(site, encoding="utf-8")
    return Documents(good(folder))


@pytest.mark.parametrize("address", PAGES)
def test_a_page_has_its_class_and_that_of_its_thing(
    address: str, embeds: dict[str, Any], documents: Documents
) -> None:
    page = embeds[address]
    assert (page["@type"], page.get("mainEntity", {}).get("@type")) == PAGES[address]
    assert page["@id"] == page["url"] == documents.base + address


@pytest.mark.parametrize("address", PAGES)
def test_it_is_one_plain_object_of_complete_items(address: str, embeds: dict[str, Any]) -> None:
    page = embeds[address]
    assert size(page) <= MOST_BYTES
    assert page.pop("@context")["@vocab"] == "http://schema.org/"
    for item in items(page):
        assert item["@id"].startswith("https://")
        assert not {"@value", "@list", "@graph", "@language"} & item.keys()
        assert not lacking(item, item.get("@type", ""))
        assert not any(":" in key for key in item)
        assert not str(item.get("@type")).endswith(("Event", "Role"))


@pytest.mark.process
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
def test_every_reader_reads_the_same(documents: Documents) -> None:
    found = {address: embedded(documents, address) for address in PAGES}
    first, *others = (read(found) for read in READERS.values())
    assert all(first.values())
    assert others == [first] * len(others)


def test_a_person_is_told_in_the_order_of_the_page(embeds: dict[str, Any]) -> None:
    page = embeds["people/alvar-jarl"]
    person = page["mainEntity"]
    assert (person["name"], person["honorificPrefix"]) == ("Alvar Jarl", "Dr.")
    assert (person["jobTitle"], person["worksFor"]["name"]) == ("Senior Researcher", "Meridian")
    assert person["alumniOf"][0]["name"] == "The Orla State University"
    assert "Deep learning" in person["knowsAbout"]
    assert len(page["hasPart"]) == 5
    assert page["hasPart"][0] == {
        "@type": "ScholarlyArticle",
        "@id": f"{page['@id'].replace('people/alvar-jarl', 'publications/jarl-2022-keel')}#it",
        "headline": "Hy-Fi: Hybrid Five-Spring Parallel DNN Training on High-Performance GPU "
        "Gauges",
        "url": page["@id"].replace("people/alvar-jarl", "publications/jarl-2022-keel"),
        "author": {"@id": person["@id"]},
    }


def test_a_work_names_its_authors_in_order(embeds: dict[str, Any]) -> None:
    work = embeds["publications/jarl-2020-lagoons"]["mainEntity"]
    assert [author["name"] for author in work["author"]][:3] == [
        "Alvar Jarl",
        "Almar Aksel Arvik",
        "A. Alboruve",
    ]
    assert work["author"][0]["url"] == work["author"][0]["@id"].removesuffix("#it")
    assert (work["datePublished"], work["isPartOf"]["name"]) == (
        "2020-11",
        "Proceedings of SC 2020",
    )


@pytest.mark.parametrize("address", [address for address in PAGES if address])
def test_every_page_below_the_start_has_breadcrumbs(address: str, embeds: dict[str, Any]) -> None:
    page = embeds[address]
    trail = page["breadcrumb"]
    assert (trail["@type"], trail["@id"]) == ("BreadcrumbList", f"{page['@id']}#breadcrumb")
    crumbs = trail["itemListElement"]
    assert [crumb["position"] for crumb in crumbs] == list(range(1, len(crumbs) + 1))
    way = [(crumb["name"], crumb["item"]) for crumb in crumbs]
    assert way[-1] == (page["name"], page["@id"])
    assert len(way) == (2 if address.endswith("/") or address.startswith("terms/") else 3)


@pytest.mark.parametrize(("address", "above"), [("orgs/osu", []), ("venues/icml", ["Venues"])])
def test_the_masthead_shows_the_breadcrumbs_and_a_line_those_it_lacks(
    documents: Documents, address: str, above: list[str]
) -> None:
    document = documents.get(f"{address}.html")
    assert document is not None
    page = lxml.html.fromstring(document.body)
    crumbs = embedded(documents, address)["breadcrumb"]["itemListElement"]
    links = page.xpath("//*[contains(@class, 'masthead') or @class='above']//a[not(@aria-label)]")
    shown = {link.text_content(): link.get("href") for link in links}
    assert [shown[crumb["name"]] for crumb in crumbs[:-1]] == [
        "../",
        f"../{address.split('/', maxsplit=1)[0]}/",
    ]
    assert page.xpath("//p[@class='above']/span[1]/a/text()") == above
    assert page.xpath("//header//a[@aria-current]/text()") == ([] if above else ["Organisations"])


def test_the_start_of_many_names_their_people_and_the_dumps(embeds: dict[str, Any]) -> None:
    page = embeds[""]
    assert "breadcrumb" not in page
    assert len(page["mainEntity"]["itemListElement"]) == 3
    data = page["hasPart"]
    assert (data["@type"], data["name"]) == ("Dataset", page["name"])
    assert f"{page['@id']}dump.nq" in [file["contentUrl"] for file in data["distribution"]]


def test_the_start_of_one_is_that_persons_profile(one: Documents) -> None:
    page = embedded(one, "")
    assert (page["@type"], page["@id"]) == ("ProfilePage", f"{one.base}people/ida-berg")
    assert page["mainEntity"]["name"] == "Ida Berg"
    assert "breadcrumb" not in page


def test_prose_and_titles_are_plain(one: Documents) -> None:
    person = embedded(one, "people/ida-berg")["mainEntity"]
    assert person["description"] == "Counts drops in the Nor."
    parts = [work["headline"] for work in embedded(one, "people/ida-berg")["hasPart"]]
    assert "Drops of H2O" in parts
    [work] = [each for each in sorted(one.addresses) if each.startswith("publications/berg-2021")]
    assert embedded(one, work)["mainEntity"]["headline"] == "Drops of H2O"


def test_what_a_cv_hides_is_not_told(one: Documents) -> None:
    assert "Counting" not in json.dumps(embedded(one, "people/ida-berg"))


def test_a_dataset_is_one_where_it_is_described(one: Documents) -> None:
    kinds = {
        year: embedded(one, address)["mainEntity"]["@type"]
        for year in ("2023", "2024")
        for address in one.addresses
        if address.startswith(f"publications/berg-{year}")
    }
    assert kinds == {"2023": "CreativeWork", "2024": "Dataset"}
    [course] = [each for each in one.addresses if each.startswith("courses/") and each[8:]]
    assert embedded(one, course)["mainEntity"]["@type"] == "LearningResource"


def test_very_many_authors_are_cut(one: Documents) -> None:
    [work] = [each for each in sorted(one.addresses) if each.startswith("publications/berg-2022")]
    page = embedded(one, work)
    assert MOST_BYTES - 300 < size(page) <= MOST_BYTES
    names = [author["name"] for author in page["mainEntity"]["author"]]
    assert names[:2] == ["Ida Berg", "Adaa Linda"]
    assert len(names) > 20


@pytest.mark.proof
def test_the_proof_holds_for_it(one: Documents, tmp_path: Path) -> None:
    export(one, tmp_path / "out")
    assert verify_site(Directory(tmp_path / "out")).problems == ()
