"""Writes small files of every import format: the jobs or the works of Hana Lind.

A format of bibliographies has works with a title and a year, all others have jobs with a position
and a year; the employer or journal of each is `PLACE`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.plugins.documents.small_files import Words, docx, odt, packed, paragraph, pdf

NAME, PLACE = "Hana Lind", "Delta University"
Entries = list[tuple[str, int]]


def lines(head: str, each: str, entries: Entries, tail: str = "") -> bytes:
    found = (each.format(what=what, year=year, place=PLACE) for what, year in entries)
    return (head + "".join(found) + tail).encode()


def as_json(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def json_resume(entries: Entries) -> bytes:
    jobs = [
        {"name": PLACE, "position": what, "startDate": str(year), "endDate": str(year + 1)}
        for what, year in entries
    ]
    return as_json({"basics": {"name": NAME}, "work": jobs})


def reactive_resume(entries: Entries) -> bytes:
    jobs = [
        {"visible": True, "company": PLACE, "position": what, "date": f"{year} - {year + 1}"}
        for what, year in entries
    ]
    sections = {"experience": {"visible": True, "items": jobs}}
    return as_json({"basics": {"name": NAME}, "sections": sections, "metadata": {}})


def orcid(entries: Entries) -> bytes:
    jobs = [
        {
            "employment-summary": {
                "put-code": number,
                "role-title": what,
                "start-date": {"year": {"value": str(year)}},
                "end-date": {"year": {"value": str(year + 1)}},
                "organization": {"name": PLACE},
            }
        }
        for number, (what, year) in enumerate(entries)
    ]
    group = [{"summaries": [job]} for job in jobs]
    name = {"given-names": {"value": "Hana"}, "family-name": {"value": "Lind"}}
    record = {
        "orcid-identifier": {"path": "0000-0002-1825-0097", "host": "orcid.org"},
        "person": {"name": name},
        "activities-summary": {"employments": {"affiliation-group": group}},
    }
    return as_json(record)


def linked_data(entries: Entries) -> dict[str, Any]:
    jobs = [
        {
            "@type": "EmployeeRole",
            "roleName": what,
            "startDate": str(year),
            "endDate": str(year + 1),
            "worksFor": {"@type": "Organization", "name": PLACE},
        }
        for what, year in entries
    ]
    person = {"@type": "Person", "name": NAME, "worksFor": jobs}
    return {"@context": "https://schema.org/", **person}


def europass(entries: Entries) -> bytes:
    head = (
        '<Candidate xmlns="http://www.europass.eu/1.0"><CandidatePerson><PersonName>'
        "<GivenName>Hana</GivenName><FamilyName>Lind</FamilyName></PersonName></CandidatePerson>"
        "<CandidateProfile><EmploymentHistory>"
    )
    date = "<{0}><FormattedDateTime>{{year}}</FormattedDateTime></{0}>"
    job = (
        "<EmployerHistory><OrganizationName>{place}</OrganizationName><PositionHistory>"
        f"<PositionTitle>{{what}}</PositionTitle><EmploymentPeriod>{date.format('StartDate')}"
        f"{date.format('EndDate')}</EmploymentPeriod></PositionHistory></EmployerHistory>"
    )
    tail = "</EmploymentHistory></CandidateProfile></Candidate>"
    return lines(head, job, entries, tail)


def linkedin(entries: Entries) -> bytes:
    head = "Company Name,Title,Description,Location,Started On,Finished On\n"
    row = "{place},{what},,,Jan {year},Mar {year}\n"
    names = "First Name,Last Name,Maiden Name,Headline,Summary,Industry\nHana,Lind,,,,\n"
    return packed({"Profile.csv": names, "Positions.csv": lines(head, row, entries)})


def word(entries: Entries) -> bytes:
    jobs = [paragraph(f"**{what}", f", {PLACE}, {year}") for what, year in entries]
    heads = [paragraph(NAME, style="H1"), paragraph("Experience", style="H2")]
    return docx("".join([*heads, *jobs]))


def opendocument(entries: Entries) -> bytes:
    heads = ["Experience"]
    head = f'<text:h text:outline-level="1">{NAME}</text:h>'
    head += "".join(f'<text:h text:outline-level="2">{each}</text:h>' for each in heads)
    return odt(head + "".join(f"<text:p>{w}, {PLACE}, {year}</text:p>" for w, year in entries))


def page(entries: Entries) -> bytes:
    jobs = [
        Words(60, 700 - 30 * number, f"{what}, {PLACE}, {year}")
        for number, (what, year) in enumerate(entries)
    ]
    return pdf([Words(60, 800, NAME, 20, True), Words(60, 740, "Experience", 14, True), *jobs])


def rendered(entries: Entries) -> bytes:
    script = json.dumps(linked_data(entries))
    return f'<script type="application/ld+json">{script}</script>'.encode()


MARKDOWN = f"# {NAME}\n\n## Experience\n\n"
JOB = "- {what}, {place}, {year}\n"
WORKS = ("bibtex", "cff", "csl", "dblp", "nbib", "ris", "scholar")
FILES: dict[str, tuple[str, Callable[[Entries], bytes]]] = {
    "al-folio": ("cv.yml", lambda entries: lines(
        f"- {{title: General, type: map, contents: [{{name: Full Name, value: {NAME}}}]}}\n"
        "- title: Experience\n  type: time_table\n  contents:\n",
        "  - {{title: {what}, institution: {place}, year: {year}}}\n", entries)),
    "bibtex": ("works.bib", lambda entries: lines("",
        "@article{{k{year},\n title = {{{what}}}, author = {{Lind, Hana}}, year = {year},\n"
        " journal = {{{place}}} }}\n", entries)),
    "cff": ("CITATION.cff", lambda entries: lines(
        "cff-version: 1.2.0\nmessage: Cite it\n"
        "authors: [{given-names: Hana, family-names: Lind}]\n",
        "title: {what}\ndate-released: {year}-05-01\n", entries[:1])),
    "csl": ("works.json", lambda entries: as_json([
        {"id": f"k{year}", "type": "article-journal", "title": what, "container-title": PLACE,
         "author": [{"given": "Hana", "family": "Lind"}], "issued": {"date-parts": [[year]]}}
        for what, year in entries])),
    "dblp": ("person.xml", lambda entries: lines(
        f'<dblpperson name="{NAME}" pid="1/1" n="2"><person key="homepages/1/1">'
        f'<author pid="1/1">{NAME}</author></person>\n',
        '<r><article key="journals/x/{year}"><author>Hana Lind</author><title>{what}.</title>'
        "<year>{year}</year><journal>{place}</journal></article></r>\n", entries,
        "</dblpperson>")),
    "docx": ("cv.docx", word),
    "europass": ("europass.xml", europass),
    "html": ("page.html", rendered),
    "hugo-blox": ("authors/admin/_index.md", lambda entries: lines(
        f"---\ntitle: {NAME}\nsuperuser: true\nhighlight_name: true\nwork:\n",
        "- {{position: {what}, company_name: {place}, date_start: {year}-01-01, "
        "date_end: {year}-12-31}}\n", entries, "---\n")),
    "jsonresume": ("resume.json", json_resume),
    "linkedin": ("export.zip", linkedin),
    "markdown": ("cv.md", lambda entries: lines(MARKDOWN, JOB, entries)),
    "nbib": ("works.nbib", lambda entries: lines("",
        "PMID- {year}\nTI  - {what}.\nFAU - Lind, Hana\nDP  - {year}\nJT  - {place}\n"
        "PT  - Journal Article\n\n", entries)),
    "odt": ("cv.odt", opendocument),
    "orcid": ("orcid.json", orcid),
    "pdf": ("cv.pdf", page),
    "rdf": ("person.jsonld", lambda entries: as_json(linked_data(entries))),
    "reactive-resume": ("reactive.json", reactive_resume),
    "rendercv": ("cv.yaml", lambda entries: lines(
        f"cv:\n  name: {NAME}\n  sections:\n    experience:\n",
        "    - {{company: {place}, position: {what}, start_date: {year}, end_date: {year}}}\n",
        entries)),
    "ris": ("works.ris", lambda entries: lines("",
        "TY  - JOUR\nTI  - {what}\nAU  - Lind, Hana\nT2  - {place}\nPY  - {year}\nER  -\n\n",
        entries)),
    "scholar": ("citations.csv", lambda entries: lines(
        "Authors,Title,Publication,Volume,Number,Pages,Year,Publisher\n",
        '"Lind, Hana; ",{what},Journal of {place},,,,{year},\n', entries)),
    "tex": ("cv.tex", lambda entries: lines(
        "\\documentclass{article}\n\\begin{document}\n\\section*{Hana Lind}\n"
        "\\section{Experience}\n\\begin{itemize}\n",
        "\\item {what}, {place}, {year}\n", entries, "\\end{itemize}\n\\end{document}\n")),
    "text": ("cv.txt", lambda entries: lines(
        f"{NAME}\n\nEXPERIENCE\n\n", JOB, entries, "\nEDUCATION\n\nMSc, Gamma University, 1999\n")),
    "yamlresume": ("yamlresume.yaml", lambda entries: lines(
        f"content:\n  basics: {{name: {NAME}}}\n  work:\n",
        "  - {{name: {place}, position: {what}, startDate: 'Jan 1, {year}', "
        "endDate: 'Feb 1, {year}'}}\n", entries, "locale: {language: en}\n")),
}  # fmt: skip
