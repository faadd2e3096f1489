"""`kg sync` with services on loopback: what is proposed, what is written, and what is not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kg.check.check import check
from kg.errors import errors_in
from kg.plugins.sources.found import NotFetched
from kg.plugins.sync.people import NotSynced
from kg.plugins.sync.proposals import WORK
from kg.publish.site import Documents
from tests.cli.test_cli import run
from tests.plugins.sources.recorded_server import Reply
from tests.plugins.sync.services import ORCID, OWNER, TODAY, Session, Work, session, write_site

ICE = Work("10.5555/ice.1", "Loud ice")
RIVER = Work("10.5555/river.2", "Rivers that listen", 2022)
SAID = ("crossref",)
MINE = """
# My works
publications:
  - title: Loud ice       # the first one
    kind: journal
    authors: [Hana Lind, Kim Osei]
    year: 2021
    journal: Journal of Ice
    doi: 10.5555/ice.1
"""


def changes(session: Session) -> dict[str, str]:
    return {each.change: each.reason for each in session.sync().open}


def test_a_new_work_has_a_reason_and_is_written(tmp_path: Path) -> None:
    with session(tmp_path, [ICE, RIVER]) as each:
        assert changes(each) == {
            "+ Loud ice (2023)": "Crossref and ORCID list it.",
            "+ Rivers that listen (2022)": "Crossref and ORCID list it.",
        }
        each.sync(write=True)
        assert each.text.count("title:") == 2
        assert not errors_in(check(tmp_path).problems)


def test_a_second_run_finds_nothing(tmp_path: Path) -> None:
    with session(tmp_path, [ICE, RIVER], MINE) as each:
        each.sync(write=True)
        before = each.text
        (question,) = each.sync(write=True).open
        assert question.change == "year: 2021 -> 2023"
        each.sync(refuse={question.key})
        assert each.sync(write=True).open == []
        assert each.text == before


def test_an_edit_stays_byte_for_byte(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.sync(write=True)
        edited = each.text.replace("2023", "2020  # printed").replace("Loud ice", "'Loud  ice'")
        each.cv.write_text(edited)
        assert each.sync(write=True).open == []
        assert each.text == edited


def test_a_work_that_was_removed_does_not_come_back(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.sync(write=True)
        write_site(tmp_path)
        assert each.sync(write=True).open == []


def test_a_value_of_the_author_is_changed_only_if_that_line_is_accepted(tmp_path: Path) -> None:
    openalex = Work(ICE.doi, ICE.title, sources=("crossref", "openalex"))
    basics = f"basics: {{name: Hana Lind, orcid: {ORCID}}}\nsync: {{sources: [crossref, openalex]}}"
    with session(tmp_path, [openalex], MINE, basics) as each:
        report = each.sync(write=True)
        (question,) = report.open
        assert question.reason == "Crossref and OpenAlex say 2023; you say 2021."
        assert "year: 2021" in each.text
        assert report.comparison.differed == {"crossref": 1, "openalex": 1}
        each.sync(accept={question.key})
        assert "    year: 2023\n    journal" in each.text
        assert "# the first one" in each.text


def test_sources_that_disagree_are_told_apart(tmp_path: Path) -> None:
    instead = {"openalex": {"year": 2021, "volume": "7"}}
    work = Work(ICE.doi, ICE.title, sources=("crossref", "orcid", "openalex"), instead=instead)
    with session(tmp_path, [work], MINE) as each:
        found = changes(each)
    assert "year: 2021 -> 2023" not in found  # one source agrees with the author
    assert found["+ volume: 12"] == "Crossref says 12; OpenAlex says 7."


def test_a_refusal_ends_if_the_source_says_something_new(tmp_path: Path) -> None:
    with session(tmp_path, [ICE], MINE) as each:
        each.sync(write=True)
        (question,) = each.sync().open
        each.sync(refuse={question.key})
        assert each.sync().open == []
        each.services.works = [Work(ICE.doi, ICE.title, 2024)]
        assert [one.change for one in each.sync().open] == ["year: 2021 -> 2024"]


def test_not_mine_is_remembered(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        (work,) = each.sync().open
        each.sync(refuse={work.key})
        each.services.works = [Work(ICE.doi, "Loud ice, revised", 2025)]
        assert each.sync(write=True).open == []
        assert "Loud ice" not in each.text
        assert "answer: no" in (tmp_path / "data/.sync/hana-lind.yaml").read_text()


def test_works_of_a_namesake_are_not_written(tmp_path: Path) -> None:
    other = Work("10.5555/x.9", "Insects", authors=(("Hanna", "Lindgren", ""),))
    alone = Work("10.5555/y.9", "Moths", authors=(("Hana", "Lind", ""),), sources=("openalex",))
    with session(tmp_path, [other, alone]) as each:
        report = each.sync(write=True)
        assert {one.change: one.reason for one in report.open} == {
            "+ Insects (2023)": "Crossref and ORCID list it. Is it yours? None of its authors is "
            "called Hana Lind.",
            "+ Moths (2023)": "OpenAlex lists it. Is it yours? OpenAlex also lists works of people "
            "with the same name.",
        }
        assert "title" not in each.text


def test_a_source_that_is_down_is_one_sentence_and_the_rest_is_written(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.services.down = {"pub.orcid.org"}
        report = each.sync(write=True)
        assert len(report.survey.messages) == 1
        assert report.survey.messages[0].startswith("ORCID (pub.orcid.org) has a fault (500).")
        assert "Loud ice" in each.text


def test_nothing_is_written_if_no_source_answers(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.services.down = {"pub.orcid.org", "api.crossref.org", "api.datacite.org"}
        each.services.down.add("api.openalex.org")
        with pytest.raises(NotFetched, match="ORCID"):
            each.sync(write=True)
        assert not (tmp_path / "data/.sync").exists()


def test_a_lie_about_a_doi_is_not_another_work(tmp_path: Path) -> None:
    lie = {"crossref": {"title": "Beetles of the south", "authors": (("Bo", "Ek", ""),)}}
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, instead=lie)], MINE) as each:
        report = each.sync(write=True)
        assert "Beetles" not in each.text
        assert [one.field for one in report.open if one.field == WORK] == []


def test_a_retraction_is_asked_and_a_note_of_the_check(tmp_path: Path) -> None:
    notice = {"DOI": "10.5555/r.1", "type": "retraction", "source": "retraction-watch"}
    notice |= {"updated": {"date-parts": [[2024, 3, 5]]}}
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, updates=(notice,))], MINE) as each:
        (question,) = each.sync(write=True).open
        assert question.change == "+ status: retracted"
        notes = [one for one in check(tmp_path).problems if one.rule == "watch"]
        assert [one.severity for one in notes] == ["warning"]
        assert notes[0].message == (
            "publications[0]: retraction of 2024-03-05, https://doi.org/10.5555/r.1, according to "
            f"Crossref (retraction-watch). Write 'status: retracted'. (asked on {TODAY})"
        )
        each.sync(accept={question.key})
        assert "status: retracted" in each.text
        assert not [one for one in check(tmp_path).problems if one.rule == "watch"]


@pytest.mark.parametrize(
    ("licence", "is_offered"),
    [("https://creativecommons.org/licenses/by/4.0/", True), ("https://ice.example/tdm", False)],
)
def test_a_free_copy_is_offered_if_its_licence_says_so(
    tmp_path: Path, licence: str, is_offered: bool
) -> None:
    work = Work(ICE.doi, ICE.title, 2021, pdf=("https://ice.example/1.pdf", licence))
    with session(tmp_path, [work], MINE) as each:
        each.sync(write=True)
        assert ("pdf: https://ice.example/1.pdf" in each.text) == is_offered


def test_a_doi_that_does_not_exist_is_a_note(tmp_path: Path) -> None:
    with session(tmp_path, [RIVER], MINE) as each:
        each.sync(write=True)
        notes = [one.message for one in check(tmp_path).problems if one.rule == "watch"]
        assert notes == [
            "publications[0]: doi.org does not know the DOI 10.5555/ice.1. Correct it. (asked on "
            f"{TODAY})"
        ]


def test_a_preprint_that_became_a_paper(tmp_path: Path) -> None:
    cv = MINE.replace("kind: journal", "kind: preprint").replace(
        "    journal: Journal of Ice\n", ""
    )
    cv = cv.replace("doi: 10.5555/ice.1", "arxiv: 2101.00001")
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2022)], cv) as each:
        (question,) = each.sync(write=True).open
        assert question.change == "preprint -> paper in Journal of Ice"
        assert "kind: preprint" in each.text
        each.sync(accept={question.key})
        assert "kind: journal" in each.text
        assert "arxiv: 2101.00001" in each.text
        assert not errors_in(check(tmp_path).problems)
        assert each.sync(write=True).open == []


def test_the_patch_has_reasons_and_can_be_applied(tmp_path: Path) -> None:
    with session(tmp_path, [ICE, RIVER], MINE) as each:
        patch = each.sync().preview.patch(tmp_path)
        assert "@@ Crossref says so. Crossref and ORCID list it.\n" in patch
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        subprocess.run(["git", "apply"], cwd=tmp_path, input=patch.encode(), check=True)
        applied = each.text
        write_site(tmp_path, MINE)
        each.sync(write=True)
        assert each.text == applied


def test_private_works_are_not_asked_about(tmp_path: Path) -> None:
    cv = f"{MINE}    visibility: private\n"
    with session(tmp_path, [], cv) as each:
        each.sync()
        assert not [one for one in each.services.addresses() if "ice.1" in one]


def test_offline_uses_the_answers_of_before(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        online = [one.change for one in each.sync().open]
        count = len(each.services.asked)
        assert [one.change for one in each.sync(is_offline=True).open] == online
        assert len(each.services.asked) == count


@pytest.mark.proof
def test_two_thousand_works(tmp_path: Path) -> None:
    works = [Work(f"10.5555/w.{number}", f"Ice number {number}") for number in range(2000)]
    with session(tmp_path, works) as each:
        assert len(each.sync().open) == 2000
        assert len(each.services.asked) < 100


def test_a_source_that_lies_about_its_form_is_one_sentence(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.services.reply("api.crossref.org", Reply(200, b'{"message": {"items": "no"}}'))
        report = each.sync(write=True)
        assert report.survey.messages == [
            "Crossref (api.crossref.org) no longer sends the field 'message.items' as expected. "
            "Update cv-kg, or report this."
        ]
        assert "Loud ice" in each.text


def test_a_slow_source_is_one_sentence(tmp_path: Path) -> None:
    with session(tmp_path, [ICE]) as each:
        each.services.reply("api.crossref.org", Reply(200, pause=1.0))
        report = each.sync(write=True, seconds=0.3)
        assert [one.partition(".")[0] for one in report.survey.messages] == ["Crossref (api"]
        assert "did not answer within 0.3 s" in report.survey.messages[0]
        assert "Loud ice" in each.text


def test_works_of_a_bibliography_are_shown_and_not_edited(tmp_path: Path) -> None:
    with session(tmp_path, [ICE, RIVER], "publications: papers.bib\n") as each:
        bib = tmp_path / "data/cv/papers.bib"
        bib.write_text(
            "@article{ice, title={Loud ice}, author={Lind, Hana and Osei, Kim}, year=2021, "
            "journal={Journal of Ice}, doi={10.5555/ice.1}}\n"
        )
        before = bib.read_bytes()
        report = each.sync(write=True)
        assert "year: 2021 -> 2023" in [one.change for one in report.open]
        assert bib.read_bytes() == before
        assert "Rivers that listen" in each.text
        assert "papers.bib" in each.text
        assert not errors_in(check(tmp_path).problems)


def test_works_of_the_registry_are_edited_there(tmp_path: Path) -> None:
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021)], "publications: [ice]\n") as each:
        registry = tmp_path / "data/publications.yaml"
        registry.write_text(
            "ice: {title: Loud ice, kind: journal, authors: [Hana Lind, Kim Osei], year: 2021, "
            "journal: Journal of Ice, doi: 10.5555/ice.1}\n"
        )
        each.sync(write=True)
        assert "volume: 12" in registry.read_text()
        assert each.text.endswith("publications: [ice]\n")
        assert each.sync().open == []


def test_files_of_sync_are_not_published(tmp_path: Path) -> None:
    with session(tmp_path / "site", [ICE], MINE) as each:
        each.sync(write=True)
        (tmp_path / "site/data/.sync/other.yaml").write_text("junk: [")
        assert not errors_in(check(tmp_path / "site").problems)
        result = run("build", str(tmp_path / "site"), "-o", str(tmp_path / "out"))
        assert result.exit_code == 0, result.output
        names = [path.name for path in (tmp_path / "out").rglob("*")]
        assert ".sync" not in names
        assert "notes.json" not in names


def test_a_retraction_is_on_the_page(tmp_path: Path) -> None:
    write_site(tmp_path / "site", f"{MINE}    status: retracted\n")
    documents = Documents(check(tmp_path / "site").good_graph(tmp_path / "site"))
    for page in ("people/hana-lind.html", "publications/lind-2021-loud.html"):
        found = documents.get(page)
        assert found
        text = html_text(found.body.decode())
        assert "retracted" in text.lower(), page


def html_text(page: str) -> str:
    return re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)


def watched(site: Path) -> list[str]:
    return [each.message for each in check(site).problems if each.rule == "watch"]


def test_the_orcid_of_a_co_author_is_a_note_until_it_is_written(tmp_path: Path) -> None:
    peer = ("Kim", "Osei", "0000-0001-5109-3700")
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, authors=(OWNER, peer))], MINE) as each:
        each.sync(write=True)
        assert watched(tmp_path) == [
            "publications[0]: Kim Osei has the ORCID iD 0000-0001-5109-3700, according to "
            f"Crossref. (asked on {TODAY})"
        ]
        known = each.text.replace("Kim Osei]", "{as: Kim Osei, orcid: 0000-0001-5109-3700}]")
        each.cv.write_text(known)
        assert watched(tmp_path) == []


def test_the_orcid_of_another_author_is_no_note(tmp_path: Path) -> None:
    authors = (OWNER, ("Karl", "Osei", "0000-0001-5109-3700"), ("Kim", "Osei", ""))
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, authors=authors)], MINE) as each:
        each.sync(write=True)
        assert watched(tmp_path) == []


def test_a_retraction_of_the_paper_is_none_of_its_preprint(tmp_path: Path) -> None:
    cv = MINE.replace("kind: journal", "kind: preprint").replace(
        "journal: Journal of Ice", "url: https://ice.example/"
    )
    cv = cv.replace("doi: 10.5555/ice.1", "arxiv: 2101.00001")
    notice = {"DOI": "10.5555/r.1", "type": "retraction", "updated": {"date-parts": [[2024]]}}
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021, updates=(notice,))], cv) as each:
        each.sync(write=True)
        assert [one for one in watched(tmp_path) if "retract" in one] == []


def test_a_note_keeps_its_date(tmp_path: Path) -> None:
    with session(tmp_path, [RIVER], MINE) as each:
        each.sync(write=True)
        notes = tmp_path / "data/.sync/notes.json"
        before = notes.read_text().replace(TODAY, "2026-01-01")
        notes.write_text(before)
        each.sync(write=True)
        assert notes.read_text() == before


def test_each_line_can_be_answered_on_a_terminal(tmp_path: Path) -> None:
    answers = iter(["yes", "skip", "quit"])
    with session(tmp_path, [ICE, RIVER], MINE) as each:
        report = each.sync(write=False, ask=lambda proposal: next(answers))
        assert len(report.written.proposals) == 1
        assert len(report.open) == 3
        assert next(answers, "") == ""


def test_two_works_with_one_doi_are_questions(tmp_path: Path) -> None:
    lie = {"crossref": {"title": "Beetles of the south", "authors": (("Bo", "Ek", ""), OWNER)}}
    with session(tmp_path, [Work(ICE.doi, ICE.title, instead=lie)]) as each:
        report = each.sync(write=True)
        assert sorted(one.title for one in report.open) == ["Beetles of the south", "Loud ice"]
        assert "title" not in each.text


def test_two_people_with_one_work(tmp_path: Path) -> None:
    peer = ("Kim", "Osei", "0000-0001-5109-3700")
    work = Work(ICE.doi, ICE.title, authors=(OWNER, peer), sources=("crossref",))
    with session(tmp_path, [work]) as each:
        kim = tmp_path / "data/cv/kim-osei.yaml"
        kim.write_text("basics: {name: Kim Osei, orcid: 0000-0001-5109-3700}\n")
        each.sync_all()
        assert "title: Loud ice" in each.text
        assert "Loud ice" not in kim.read_text()  # Kim is an author of the work in Hana's file
        assert not errors_in(check(tmp_path).problems)
        before = each.text, kim.read_text()
        assert [one.open for one in each.sync_all()] == [[], []]
        assert (each.text, kim.read_text()) == before


@pytest.mark.parametrize("text", ["[[1, [[]], 2, 3, 4, 5, 6]]", '[["a", 1]]', "{", "[1]", "\xff"])
def test_damaged_notes_are_no_notes(tmp_path: Path, text: str) -> None:
    write_site(tmp_path, MINE)
    (tmp_path / "data/.sync").mkdir()
    (tmp_path / "data/.sync/notes.json").write_text(text, encoding="latin-1")
    assert watched(tmp_path) == []


@pytest.mark.parametrize("text", ["[", "- a", "- {work: Ice}", "a: b", "- {ids: 1, field: [}"])
def test_damaged_answers_are_one_sentence_and_stay(tmp_path: Path, text: str) -> None:
    with session(tmp_path, [ICE]) as each:
        answers = tmp_path / "data/.sync/hana-lind.yaml"
        answers.parent.mkdir()
        answers.write_text(text)
        with pytest.raises(NotSynced, match="Fix it, or delete it to be asked"):
            each.sync(write=True)
        assert answers.read_text() == text
        assert "Loud ice" not in each.text


def test_a_doi_that_the_resolver_cannot_describe_is_no_note(tmp_path: Path) -> None:
    with session(tmp_path, [RIVER], MINE) as each:
        each.services.reply("doi.org/10.5555/ice.1", Reply(406))
        each.sync(write=True)
        assert watched(tmp_path) == []


def test_a_notice_is_not_added_and_its_work_gets_a_note(tmp_path: Path) -> None:
    notice = Work("10.5555/ice.1.r", "Correction to: Loud ice", amends=ICE.doi)
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021), notice], MINE) as each:
        (question,) = each.sync(write=True).open
        assert question.change == "+ Correction to: Loud ice (2023)"
        assert "It is a notice about 10.5555/ice.1 (correction)." in question.reason
        assert "title: Correction" not in each.text
        assert watched(tmp_path) == [
            "publications[0]: correction of https://doi.org/10.5555/ice.1.r, according to "
            f"Crossref (publisher). (asked on {TODAY})"
        ]


def test_a_preprint_that_crossref_names_is_added(tmp_path: Path) -> None:
    paper = Work(ICE.doi, ICE.title, 2021, preprint="10.48550/arXiv.2101.00001")
    with session(tmp_path, [paper], MINE) as each:
        each.sync(write=True)
        assert "preprint:\n      arxiv: 2101.00001\n" in each.text
        assert not errors_in(check(tmp_path).problems)
        assert each.sync().open == []


def test_a_preprint_with_another_title_is_the_paper_that_crossref_names(tmp_path: Path) -> None:
    early = Work("10.5555/pre.1", "Does ice make noise?", 2020, kind="posted-content", sources=SAID)
    paper = Work(ICE.doi, ICE.title, 2022, preprint=early.doi)
    with session(tmp_path, [early, paper]) as each:
        each.sync(write=True)
        assert each.text.count("title:") == 1
        assert "title: Loud ice" in each.text
        assert "doi: 10.5555/pre.1" in each.text
        assert each.sync().open == []


def test_dead_links_are_notes_until_they_are_corrected(tmp_path: Path) -> None:
    cv = f"{MINE}    url: https://ice.example/gone\n    pdf: http://ice.example/there.pdf\n"
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021)], cv) as each:
        each.services.reply("ice.example/there.pdf", Reply(200, b"%PDF"))
        each.sync(write=True)
        assert not [one for one in each.services.addresses() if "ice.example" in one]
        assert watched(tmp_path) == []
        each.sync(write=True, has_links=True)
        message = "https://ice.example/gone does not exist any more (HTTP 404 or 410). Correct it."
        assert watched(tmp_path) == [f"publications[0]: {message} (asked on {TODAY})"]
        each.sync(write=True)
        assert len(watched(tmp_path)) == 1, "the note stays as long as links are not requested"
        each.cv.write_text(each.text.replace("/gone", "/new"))
        assert watched(tmp_path) == []


@pytest.mark.parametrize("reply", [Reply(403), Reply(500), Reply(301), Reply(200, pause=1.0)])
def test_a_server_that_refuses_has_no_dead_link(tmp_path: Path, reply: Reply) -> None:
    cv = f"{MINE}    url: https://ice.example/1\n"
    with session(tmp_path, [Work(ICE.doi, ICE.title, 2021)], cv) as each:
        each.services.reply("ice.example", reply)
        each.sync(write=True, has_links=True, seconds=0.5)
        assert watched(tmp_path) == []


def test_the_year_in_print_is_as_good_as_that_online(tmp_path: Path) -> None:
    with session(
        tmp_path, [Work(ICE.doi, ICE.title, 2020, printed=2021, sources=SAID)], MINE
    ) as each:
        report = each.sync(write=True)
        assert [one.field for one in report.open] == []
        assert report.comparison.agreed == {"crossref": 1}
        each.cv.write_text(each.text.replace("year: 2021", "year: 2022"))
        assert [one.change for one in each.sync().open] == ["year: 2022 -> 2020"]
