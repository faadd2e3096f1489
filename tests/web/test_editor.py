"""The editor in a real browser: it asks, completes, draws, and shares; and it speaks with nobody
else.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from kg.publish.questions import editor
from tests.conftest import skip
from tests.plugins.figures.test_series import CASES
from tests.web.browsing import Noise, follow
from tests.web.serving import Server, serving

pytestmark = pytest.mark.proof

PREFIX = "PREFIX schema: <http://schema.org/>"
YEARS = "How many works appeared each year?"
PAIRS = f"""{PREFIX}
SELECT ?one ?oneName ?other ?otherName {{
  ?work schema:author ?one, ?other . ?one schema:name ?oneName . ?other schema:name ?otherName
  FILTER(STR(?one) < STR(?other))
}} LIMIT 40"""


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    if not editor.files():
        skip("the editor is not installed; `make editor` does it where there is npm")


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that makes no noise and asks nobody else."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(10_000)
    page, noise = context.new_page(), Noise()
    noise.listen(page)
    yield page
    assert (noise.console, noise.failed) == ([], [])
    assert [url for url in noise.asked if not url.startswith(server.address)] == [], (
        "nothing is fetched from elsewhere"
    )
    context.close()


def address(server: Server, query: str) -> str:
    return f"{server.address}sparql?{urlencode({'query': query, 'format': 'html'})}"


def write(page: Page, query: str) -> None:
    """Puts a question into the editor; `|` is where the cursor stays."""
    before, _, after = query.partition("|")
    page.evaluate(
        """([before, after]) => {
          const editor = document.querySelector(".CodeMirror").CodeMirror;
          editor.setValue(before + after);
          editor.setCursor(editor.posFromIndex(before.length));
          editor.focus();
        }""",
        [before, after],
    )


def written(page: Page) -> str:
    return str(page.evaluate("document.querySelector('.CodeMirror').CodeMirror.getValue()"))


def rows(page: Page) -> list[list[str]]:
    page.locator(".yasr tbody tr").first.wait_for()
    return [row.locator("td").all_inner_texts() for row in page.locator(".yasr tbody tr").all()]


def test_a_question_in_words_is_answered_in_the_same_page(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    page.get_by_role("link", name=YEARS).click()
    found = rows(page)
    assert len(found) > 5
    assert {len(row) for row in found} == {2}
    assert written(page).startswith(f"#+ summary: {YEARS}")
    assert page.locator(".yasr_response_chip").inner_text().startswith(f"{len(found)} results")


def test_the_address_is_the_question_and_opens_it_again(
    page: Page, server: Server, browser: Browser
) -> None:
    page.goto(f"{server.address}sparql")
    write(page, f"{PREFIX}\nSELECT ?name {{ <people/alvar-jarl#it> schema:name ?name }} # & + %")
    page.get_by_role("button", name="Run").click()
    assert rows(page) == [["Alvar Jarl"]]
    query, shared = written(page), page.url
    page.get_by_role("button", name="Copy link").click()
    assert page.evaluate("navigator.clipboard.readText()") == shared
    page.goto("about:blank")
    page.goto(shared)
    assert rows(page) == [["Alvar Jarl"]]
    assert written(page) == query
    without = browser.new_context(java_script_enabled=False).new_page()
    without.goto(shared)
    assert without.locator("td").all_inner_texts() == ["Alvar Jarl"]
    assert without.get_by_label("Query", exact=True).input_value().replace("\r", "") == query
    without.context.close()


@pytest.mark.parametrize(
    ("typed", "offered", "taken"),
    [
        ("SELECT * { ?work |}", "schema:author", "schema:auth"),
        ("SELECT * { ?work a |}", "schema:ScholarlyArticle", "scholarly"),
        ("SELECT * { ?work ?by |}", "<people/alvar-jarl#it>", "<Alvar"),
        ("SELECT * { ?role a |}", "cv:Employment", "employ"),
    ],
)
def test_the_graphs_own_terms_are_offered(
    page: Page, server: Server, typed: str, offered: str, taken: str
) -> None:
    page.goto(f"{server.address}sparql")
    write(page, typed)
    page.keyboard.type(taken, delay=20)
    hint = page.locator(".CodeMirror-hint", has_text=offered).first
    hint.click()
    assert offered in written(page)
    if ":" in offered and not offered.startswith("<"):
        prefix = offered.partition(":")[0]
        expect(page.locator(".CodeMirror-code")).to_contain_text(f"PREFIX {prefix}: <")


def test_the_prefixes_are_those_of_the_site(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    write(page, "PREFIX |")
    page.keyboard.type("c")
    hints = page.locator(".CodeMirror-hint")
    hints.first.wait_for()
    assert hints.all_inner_texts() == ["cv: <https://w3id.org/cv-kg/terms#>"]


def test_things_lead_to_their_pages(page: Page, server: Server) -> None:
    page.goto(
        address(
            server,
            (
                f"{PREFIX}\nSELECT ?who ?elsewhere {{ ?who schema:name 'Alvar Jarl' "
                f"BIND(<https://example.org/x> AS ?elsewhere) }}"
            ),
        )
    )
    outside = page.locator(".yasr td a", has_text="example.org/x").first
    assert (outside.get_attribute("href"), outside.get_attribute("rel")) == (
        "https://example.org/x",
        "nofollow noreferrer",
    )
    page.locator(".yasr td a", has_text="Alvar Jarl").first.click()
    expect(page.locator("h1")).to_have_text("Dr. Alvar Jarl")


def test_numbers_are_drawn_as_a_chart(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    page.get_by_role("link", name=YEARS).click()
    found = rows(page)
    page.get_by_role("button", name="Shows Chart view").click()
    chart = page.locator("svg.chart")
    expect(chart.locator("rect")).to_have_count(len(found))
    assert all(
        f"{year}: {works}" in (chart.get_attribute("aria-label") or "") for year, works in found
    )
    assert not page.get_by_role("button", name="Shows Network view").is_visible(), (
        "nothing is joined here"
    )


def test_what_would_mislead_is_not_drawn(page: Page, server: Server) -> None:
    """As in the pages of questions, which are drawn on the server."""
    page.goto(f"{server.address}sparql")
    found = page.evaluate(
        """async (cases) => {
          const { series } = await import("./static/chart.js");
          const datatype = "http://www.w3.org/2001/XMLSchema#integer";
          const term = (value) => {
            if (typeof value === "number") return { type: "literal", value: `${value}`, datatype };
            const isIri = value.startsWith("<");
            return { type: isIri ? "uri" : "literal", value: value.replace(/^<|>$/g, "") };
          };
          const bound = (vars, row) => Object.fromEntries(
            vars.flatMap((name, at) => (row[at] === null ? [] : [[name, term(row[at])]])),
          );
          const text = (each) => each?.value ?? "";
          return cases.map(({ vars, rows }) =>
            series(vars, rows.map((row) => bound(vars, row)), text));
        }""",
        CASES,
    )
    shown = [
        each and (each.get("why") or {name: part for name, part in each.items() if part})
        for each in found
    ]
    assert shown == [case["found"] for case in CASES]


def test_a_bar_for_a_pair_has_both_names_and_a_missing_year_its_place(
    page: Page, server: Server
) -> None:
    page.goto(
        address(
            server,
            'SELECT * { VALUES (?who ?where ?works) { (<people/alvar-jarl#it> "OSU" 3) '
            '(<people/mirela-zemann#it> "OSU" 12) } }',
        )
    )
    page.get_by_role("button", name="Shows Chart view").click()
    expect(page.locator("svg.chart")).to_have_attribute(
        "aria-label", "Works by who and where. Alvar Jarl · OSU: 3; Mirela Zemann · OSU: 12"
    )
    page.goto(address(server, "SELECT * { VALUES (?year ?works) { (2019 3) (2021 2) } }"))
    page.get_by_role("button", name="Shows Chart view").click()
    expect(page.locator("svg.chart")).to_have_attribute(
        "aria-label", "Works by year. 2019: 3; 2020: none; 2021: 2"
    )


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (
            'SELECT * { VALUES (?who ?works) { ("Ada" 3) ("Ada" 2) } }',
            "Several rows have the same label, “Ada”.",
        ),
        (
            f"{PREFIX} SELECT ?name (COUNT(?work) AS ?works) {{ ?work schema:author ?who . ?who "
            "schema:name ?name } GROUP BY ?name LIMIT 5",
            "LIMIT without ORDER BY returns arbitrary rows. Add ORDER BY.",
        ),
    ],
)
def test_a_chart_that_would_mislead_tells_why(
    page: Page, server: Server, query: str, why: str
) -> None:
    page.goto(address(server, query))
    page.get_by_role("button", name="Shows Chart view").click()
    expect(page.locator(".yasr_results .hint")).to_have_text(f"No chart: {why}")


def test_a_network_tells_equal_names_apart_and_is_whole_or_not_drawn(
    page: Page, server: Server
) -> None:
    same = "(<urn:a> 'Kim' <urn:b> 'Kim') (<urn:a> 'Kim' <urn:c> 'Lin')"
    page.goto(
        address(server, f"SELECT * {{ VALUES (?one ?oneName ?other ?otherName) {{ {same} }} }}")
    )
    page.get_by_role("button", name="Shows Network view").click()
    assert page.locator("svg.network a > title").all_text_contents() == [
        "Kim (urn:a)",
        "Kim (urn:b)",
        "Lin",
    ]
    many = "SELECT DISTINCT ?one ?other { ?one ?by ?other FILTER(isIRI(?other)) } LIMIT 900"
    page.goto(address(server, many))
    page.get_by_role("button", name="Shows Network view").click()
    expect(page.locator(".yasr_results .hint")).to_contain_text(
        "too many for a network (at most 300)"
    )


def test_pairs_are_drawn_as_a_network(page: Page, server: Server) -> None:
    page.goto(address(server, PAIRS))
    found = rows(page)
    page.get_by_role("button", name="Shows Network view").click()
    drawing = page.locator("svg.network")
    expect(drawing.locator("line")).to_have_count(len({(one, other) for one, _, other, _ in found}))
    names = {name for _, one, _, other in found for name in (one, other)}
    assert set(drawing.locator("a > title").all_text_contents()) == names
    box = drawing.bounding_box()
    places = [circle.bounding_box() for circle in drawing.locator("circle").all()]
    assert box
    assert all(
        place and box["x"] <= place["x"] and place["x"] + place["width"] <= box["x"] + box["width"]
        for place in places
    )
    assert len({(place["x"], place["y"]) for place in places if place}) == len(names), (
        "nothing covers another"
    )
    texts = [text.bounding_box() for text in drawing.locator("text:not(.quiet)").all()]
    assert len(texts) > 5
    assert all(
        text and box["x"] <= text["x"] and text["x"] + text["width"] <= box["x"] + box["width"]
        for text in texts
    )
    assert not [
        (one, other)
        for one, other in combinations(filter(None, texts), 2)
        if abs(one["y"] - other["y"]) < 12
        and one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
    ]


def test_a_description_is_a_network_too(page: Page, server: Server) -> None:
    page.goto(address(server, "DESCRIBE <people/alvar-jarl#it>"))
    assert len(rows(page)) > 20
    page.get_by_role("button", name="Shows Network view").click()
    expect(page.locator("svg.network line").nth(10)).to_be_attached()


@pytest.mark.parametrize("name", ["curl", "Python", "pandas"])
def test_a_question_is_taken_elsewhere(
    page: Page, server: Server, tmp_path: Path, name: str
) -> None:
    quotes = """'it''s' "so" \\\\ & + % $HOME `x`"""
    page.goto(f"{server.address}sparql")
    write(
        page,
        (
            f'{PREFIX}\n# {quotes} """ é\nSELECT ?name {{ <people/alvar-jarl#it> schema:name '
            f'?name }} # ends with "'
        ),
    )
    page.get_by_role("button", name=f"Copy as {name}").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    snippet = page.evaluate("navigator.clipboard.readText()")
    assert page.locator(".take + pre").inner_text().strip() == snippet.strip()
    file = tmp_path / "snippet"
    file.write_text(snippet, encoding="utf-8")
    done = subprocess.run(
        ["sh" if name == "curl" else sys.executable, file],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Alvar Jarl" in done.stdout


def test_what_a_stranger_sends_stays_text_in_the_editor(page: Page, server: Server) -> None:
    markup = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)>"
    page.goto(
        address(
            server,
            (
                f'SELECT * {{ VALUES ?x {{ "{markup}" <javascript:alert(3)> "{markup}"@en '
                f'"{{{{x}}}} &amp;" }} }}'
            ),
        )
    )
    assert rows(page) == [[markup], ["javascript:alert(3)"], [markup], ["{{x}} &amp;"]]
    assert page.locator("td a, td img, main script").count() == 0


def test_nothing_found_is_an_answer(page: Page, server: Server) -> None:
    for query, status in (
        ("SELECT * { ?s <urn:none> ?o }", "0 results"),
        ("CONSTRUCT WHERE { ?s <urn:none> ?o }", "0 results"),
        ("ASK {}", ""),
    ):
        page.goto(address(server, query))
        expect(page.locator(".yasr_results")).to_contain_text("No data" if status else "True")
        assert page.locator(".yasr_response_chip").inner_text().startswith(status or "Response")


def test_a_slip_is_told_where_the_answer_would_be(browser: Browser, server: Server) -> None:
    page = (
        browser.new_context().new_page()
    )  # a browser says on its console that a request was refused
    page.goto(f"{server.address}sparql")
    write(page, "SELECT ?a WHERE {\n  ?a ?b\n}")
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".yasr .errorResult")).to_contain_text("line 2")
    page.context.close()


def test_every_page_leads_to_a_question_about_it(page: Page, server: Server) -> None:
    page.goto(f"{server.address}people/alvar-jarl")
    follow(page.get_by_role("link", name="SPARQL", exact=True))
    assert len(rows(page)) > 10
    assert written(page).startswith("# Who are the co-authors of Alvar Jarl?\n")


def test_a_typo_shows_its_hint(page: Page, server: Server) -> None:
    page.goto(f"{server.address}sparql")
    write(page, f"{PREFIX}\nSELECT * {{ ?work schema:autor <people/alvar-jare#it> }}")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("status").filter(has_text="did you mean")).to_contain_text(
        "schema:author"
    )


def test_it_works_again_from_what_the_browser_has(page: Page, server: Server) -> None:
    for _ in range(2):
        page.goto(f"{server.address}sparql")
        expect(page.locator(".editor .CodeMirror")).to_be_visible()
        page.goto(f"{server.address}people/")


def test_only_the_page_of_the_editor_may_be_given_styles_by_scripts(
    page: Page, server: Server
) -> None:
    policies = {
        path: page.request.get(server.address + path).headers["content-security-policy"]
        for path in ("", "sparql", "static/editor.js")
    }
    assert policies[""] == policies["static/editor.js"]
    assert "unsafe" not in policies[""]
    added = set(policies["sparql"].split("; ")) - set(policies[""].split("; "))
    assert added == {"style-src 'self' 'unsafe-inline'"}


def test_plain_files_have_the_editor_too(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(
        "<http://e.example/a> a <http://e.example/Cat> ; <http://e.example/likes> "
        "<http://e.example/b> ."
    )
    with serving(
        tmp_path, command=[Path(sys.executable).with_name("kg"), "serve", "a.ttl", "--port", "0"]
    ) as server:
        page, noise = browser.new_context().new_page(), Noise()
        noise.listen(page)
        page.goto(f"{server.address}sparql")
        page.get_by_role("link", name="Which classes are used").click()
        assert rows(page) == [["e.example/Cat", "1"]]
        write(page, "SELECT * { ?cat |}")
        page.keyboard.type("lik", delay=20)
        page.locator(".CodeMirror-hint", has_text="<http://e.example/likes>").click()
        assert (noise.console, noise.failed) == ([], [])
        page.context.close()
