"""A citation beside a page of Hugo Blox, and the page, are one work."""

from __future__ import annotations

from pathlib import Path

from tests.plugins.exchange.readers.reading import imported

OWNER = "---\ntitle: Mira Sand\nsuperuser: true\nrole: Geologist\n---\n"


def site(page: str, cited: str = "") -> dict[str, str]:
    files = {"content/authors/admin/_index.md": OWNER}
    files["content/publication/ice/index.md"] = f"---\ntitle: Ice of 3 $μ$m\n{page}\n---\n"
    return files | ({"content/publication/ice/cite.bib": cited} if cited else {})


def test_one_author_and_the_day_of_the_page(tmp_path: Path) -> None:
    page = "authors: []\nauthor: Mira Sand\ndate: 2019-04-05\npublication_types: ['2']"
    cited = "@article{a, title={Ice of 3 $μ$m}, author={Sand, Mira}, journal={Ice}, volume={n/a}}"
    for files in (site(page, cited), site(page + "\npublication: Ice")):
        cv, left = imported(tmp_path, files)
        assert cv["publications"] == [
            {
                **{"kind": "journal", "title": "Ice of 3 μm", "date": "2019-04-05"},
                **{"authors": ["Mira Sand"], "journal": "Ice"},
            }
        ]
        assert not left


def test_the_owner_in_a_citation_is_the_owner_of_the_page(tmp_path: Path) -> None:
    page = "authors: [me, Bo Ek]\ndate: 2019-04-05\npublication_types: ['2']\npublication: Ice"
    cited = "@article{a, title={Ice of 3 $μ$m}, author={Mira Sand and Ek, Bo}, journal={Ice}}"
    cv, left = imported(tmp_path, site(page, cited))
    assert cv["publications"][0]["authors"] == ["Mira Sand", "Bo Ek"]
    assert not left


def test_an_article_of_both_is_one_without_a_journal(tmp_path: Path) -> None:
    page = "authors: [me, Bo Ek]\ndate: 2019-04-05\npublication_types: ['article-journal']"
    cited = "@article{a, title={Ice of 3 $μ$m}, author={Mira Sand and Ek, Bo}}"
    cv, left = imported(tmp_path / "both", site(page, cited))
    assert cv["publications"][0]["kind"] == "journal"
    assert not left
    cv, left = imported(tmp_path / "page", site(page))
    assert cv["publications"][0]["kind"] == "other"
    assert left == {"publication_types[0]": "no journal"}
    cv, left = imported(tmp_path / "misc", site(page, cited.replace("@article", "@misc")))
    assert cv["publications"][0]["kind"] == "other"
    assert left == {"publication_types[0]": "no journal"}


def test_the_short_name_of_a_venue_is_listed_and_has_the_year(tmp_path: Path) -> None:
    page = "authors: [me]\ndate: 2019-04-05\npublication_types: ['1']\npublication: "
    page += "{}\npublication_short: In *KILN2018*"
    cv, left = imported(tmp_path / "listed", site(page.format("Conference on Kilns")))
    (work,) = cv["publications"]
    assert (work["conference"], work["year"]) == ("Conference on Kilns", "2018")
    assert left == {"publication_short": "short name of the venue"}
    cv, left = imported(tmp_path / "same", site(page.format("Conference on Kilns (KILN 2018)")))
    assert not left
