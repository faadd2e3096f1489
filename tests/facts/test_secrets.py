"""What must never be published is collected, and found where it would be."""

from pathlib import Path

from kg.check.check import check
from kg.facts.load import load
from kg.publish.verify.private import search
from tests.facts import site_with


def texts(folder: Path, cv: str) -> set[str]:
    """What is secret and not public as well."""
    found = load(site_with(folder, cv=cv)).notes.secrets()
    return {secret.text for secret in found if not found.is_public(secret)}


def test_notes_disputes_contacts_and_private_entries_are_secret(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg, email: ada@example.org, phone: +46 70 123 45 67, note: "
        "likes gravel}\n"
        "work:\n  - {organization: firm, position: Gravedigger, dates: 2018, visibility: private}\n"
        "  - {organization: firm, position: Clerk, dates: 2019, disputed: {position: [Chief "
        "Clerk]}}\n"
        "references: [{person: bo, relation: Former superior}]\n"
    )
    assert {
        "ada@example.org",
        "+46 70 123 45 67",
        "likes gravel",
        "Gravedigger",
        "Chief Clerk",
        "Former superior",
    } <= texts(tmp_path, cv)


def test_the_contacts_of_a_public_reference_are_secret(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg}\nreferences: [{person: bo, visibility: public, "
        "email: bo@example.org, phone: +46 70 123 45 67, text: Write to bo@example.org.}]\n"
    )
    assert texts(tmp_path, cv) == {"bo@example.org", "+46 70 123 45 67"}


def test_private_entries_of_free_sections_are_secret(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg}\nsections:\n"
        "  - {title: Exhibitions, entries: [White sand, {text: Black sand, visibility: private}]}\n"
        "  - {title: Quiet hobbies, entries: [Humming], visibility: private}\n"
    )
    assert texts(tmp_path, cv) == {"Black sand", "Quiet hobbies", "Humming"}


def test_the_reason_of_an_acceptance_is_secret(tmp_path: Path) -> None:
    cv = "basics: {name: Ada Berg, accept: {owner: between two jobs}}\n"
    assert texts(tmp_path, cv) == {"between two jobs"}
    leaking = (
        "basics: {name: Ada Berg, accept: {owner: between two jobs}}\nwork: [{organization: "
        "firm, position: Clerk, dates: 2019}]\n"
    )
    graph = check(site_with(tmp_path / "whole", cv=leaking)).graph
    assert graph is not None
    assert b"between two jobs" not in graph.nquads


def test_what_is_public_elsewhere_is_no_secret(tmp_path: Path) -> None:
    work = "[{organization: firm, position: Clerk, dates: 2019, note: Chief Clerk}]"
    cv = f"basics: {{name: Ada Berg, summary: Chief Clerk of many}}\nwork: {work}\n"
    assert texts(tmp_path, cv) == set()


def test_a_text_we_make_ourselves_is_no_secret(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg}\nreferences: [{person: bo, relation: Doctoral advisor}]\n"
        "education: [{institution: uni, studyType: Ph.D., level: doctoral, startDate: 2010, "
        "endDate: 2014, advisor: bo}]\n"
    )
    assert texts(tmp_path, cv) == set()


def test_public_contacts_are_no_secret(tmp_path: Path) -> None:
    contacts = (
        'phone: {value: "+46 70 123 45 67", visibility: public}, email: {value: ada@example.org, '
        "visibility: public}"
    )
    cv = f"basics: {{name: Ada Berg, {contacts}}}\n"
    assert texts(tmp_path, cv) == set()


def test_a_leak_is_found_however_it_is_written(tmp_path: Path) -> None:
    cv = "basics: {name: Ada Berg, phone: 070-123 45 67, note: \"says <so> & 'so'\"}\n"
    found = load(site_with(tmp_path, cv=cv)).notes.secrets()
    for body in (
        b"call (070) 1234567",
        b"<p>says &lt;so&gt; &amp; &#39;so&#39;</p>",
        b"\"says \\u003cso\\u003e \\u0026 'so'\"",
    ):
        assert [problem.rule for problem in search("x.html", body, found)] == ["leak"], body
    assert search("x.html", b"nothing of the kind, 070 only", found) == []


def test_a_private_value_in_the_graph_stops_the_check(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg, note: Secret Hobby}\n")
    (folder / "data" / "extra.ttl").write_text(
        '<people/ada#it> <http://schema.org/award> "Secret Hobby of the year" .', encoding="utf-8"
    )
    assert [problem.rule for problem in check(folder).problems if problem.severity == "error"] == [
        "leak"
    ]


def test_every_line_of_a_private_text_is_a_secret_of_its_own(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg}\nextracurricular:\n- organization: firm\n  position: Cox\n "
        " visibility: private\n"
        "  summary: |\n    rowed by night\n    won a cup\n"
    )
    found = load(site_with(tmp_path, cv=cv)).notes.secrets()
    assert {"rowed by night", "won a cup"} <= {secret.text for secret in found}
    assert [problem.rule for problem in search("x.nt", b'"in short:\\nwon a cup"', found)] == [
        "leak"
    ]


def test_what_is_inside_something_private_stays_private_whatever_it_says(tmp_path: Path) -> None:
    profile = "{network: elsewhere, url: https://example.org/ada-in-private, visibility: public}"
    cv = f"basics: {{name: Ada Berg, visibility: private, profiles: [{profile}]}}\n"
    assert "https://example.org/ada-in-private" in texts(tmp_path, cv)


def test_a_cv_that_is_left_out_makes_nothing_public(tmp_path: Path) -> None:
    cv = (
        "basics: {name: Ada Berg, visibility: private, summary: Gravedigger}\n"
        "work: [{organization: firm, position: Gravedigger, dates: 2018}]\n"
    )
    assert "Gravedigger" in texts(tmp_path, cv)


def test_words_that_every_site_has_are_no_secrets(tmp_path: Path) -> None:
    private = "{organization: firm, position: Mentor, dates: 2018, visibility: private}"
    service = "[{venue: sand, year: 2020, role: Volunteer, visibility: private}]"
    cv = (
        f"basics: {{name: Ada Berg}}\nwork: [{private}]\nservice: {service}\nvolunteer: "
        f"[{{venue: sand, year: 2021}}]\n"
    )
    assert [
        problem for problem in check(site_with(tmp_path, cv=cv)).problems if problem.rule == "leak"
    ] == []


def test_a_private_address_in_a_link_stops_the_check(tmp_path: Path) -> None:
    folder = site_with(tmp_path, cv="basics: {name: Ada Berg, email: ada@example.org}\n")
    (folder / "data" / "extra.ttl").write_text(
        "<people/ada#it> <http://xmlns.com/foaf/0.1/mbox> <mailto:ada@example.org> .",
        encoding="utf-8",
    )
    assert [problem.rule for problem in check(folder).problems if problem.severity == "error"] == [
        "leak"
    ]


def test_the_words_of_two_values_are_not_read_as_one_text(tmp_path: Path) -> None:
    found = load(site_with(tmp_path, cv="basics: {name: Ada Berg, note: Room under 1}\n")).notes
    for body, leaks in (
        (b'["Room under", 1]', 0),
        (b'[["The room under"],1]', 0),
        (b'{"Room under": "1"}', 0),
        (b'["room (under) 1"]', 1),
        (b'<a title="Room">under 1</a> Room, under: 1', 1),
    ):
        assert len(search("x.json", body, found.secrets())) == leaks, body
