"""Reads people described with schema.org or FOAF, in Turtle, N-Triples, RDF/XML or JSON-LD.

Also reads back what cv-kg itself publishes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.facts.bibliography.bib_file import SEASON_NAMES
from kg.facts.values.text import address_slug, is_web_address
from kg.plugins.exchange.draft import Draft, Format, Value, parse_date, without_empty
from kg.plugins.exchange.readers.rdf_entries import (
    OWNER,
    PAGES,
    PERSON,
    SIGNERS,
    WORKS,
    add_basics,
    is_role,
    owners,
    work_of,
)
from kg.plugins.exchange.readers.rdf_nodes import (
    SYNTAXES,
    RdfNode,
    RdfNodes,
    is_json,
    read_nodes,
)
from kg.plugins.exchange.source_files import NotImported, SourceFile

JOBS = {
    **{"Employment": "", "Postdoc": "postdoc", "Assistantship": "assistantship"},
    **{"Internship": "internship", "Founder": "founder", "Visiting": "visiting"},
    **{"Honorary": "honorary", "SelfEmployment": "self-employed"},
}
SERVICE = {
    **{"Reviewing": "reviewing", "Editing": "editor", "ProgramCommittee": "program-committee"},
    **{"Chairing": "chair", "Organizing": "organizer", "Committee": "committee", "Panel": "panel"},
    **{"Board": "board", "Examination": "examiner", "Outreach": "outreach"},
}
TALKS = {"InvitedTalk": "invited", "Keynote": "keynote"}
STUDIES = {"DoctoralStudy": "doctoral", "MasterStudy": "master", "BachelorStudy": "bachelor"}
DERIVED = (
    *("cv:earliest", "cv:latest", "cv:year", "cv:ongoing", "additionalType", "dcterms:source"),
    *("mainEntityOfPage", "foaf:isPrimaryTopicOf", "foaf:publications", "cv:tookPartIn", "genre"),
    *("dcterms:date", "foaf:familyName", "foaf:givenName", "foaf:name", "headline", "position"),
)
SEASON = re.compile(r"(\d{4})-(2[1-4])")
NO_WORKS = ("cv:News", "Periodical", "PublicationVolume", "PublicationIssue", "Review")
PATENT = ("title", "authors", "date", "url", "abstract", "doi", "keywords")
NO_PERSON = "no person is described with schema.org or FOAF"


def matches(source: SourceFile) -> bool:
    if source.suffix in SYNTAXES and source.suffix != ".xml":
        return True
    if source.suffix == ".xml":
        return "<rdf:RDF" in source.text[:5000]
    return is_json(source.text) and '"@context"' in source.text[:5000]


def read(source: SourceFile) -> Iterator[Draft]:
    yield from drafts_in(read_nodes(source))


def drafts_in(nodes: RdfNodes) -> Iterator[Draft]:
    """One draft for each main person of the graph."""
    people = owners(nodes)
    if not people:
        raise NotImported(f"{nodes.file}: {NO_PERSON}.")
    for person in people:
        yield PersonReader(nodes, person).draft


class PersonReader:
    """Reads one person into a draft."""

    def __init__(self, nodes: RdfNodes, person: RdfNode) -> None:
        self.nodes, self.person, self.draft = nodes, person, Draft()
        add_basics(person, self.draft)
        for role in person.nodes_at("affiliation", "hasOccupation", "worksFor", "memberOf"):
            self.add_role(role)
        if "work" in self.draft.cv:  # which has the same with dates
            for name in ("position", "organization"):
                self.draft.cv["basics"].pop(name, None)
        for node in self.about_the_person("contributor", "performer"):
            self.add_activity(node)
        self.add_skills()
        self.add_grants()
        for credential in person.nodes_at("hasCredential"):
            self.add_credential(credential)
        self.add_awards()
        self.add_schools()
        for work in self.works():
            if "bibo:Patent" in work.types:
                self.add_patent(work)
            else:
                self.draft.put("publications", work_of(work))
        person.skip(*DERIVED, "knows", "foaf:knows", "colleague", "foaf:made", "rdf:type")
        person.skip("foaf:currentProject", "foaf:pastProject", "knowsAbout", "knowsLanguage")
        for term in list(nodes.visited):
            node = RdfNode(nodes, term)
            node.skip(*DERIVED)
            if node == person or not node.types & {*PERSON}:
                self.draft.leave(node.left())

    def add_role(self, node: RdfNode) -> None:
        """Adds a position, study, membership or service, by the class of the Role."""
        if not is_role(node):
            return
        own = {each.removeprefix("cv:") for each in node.types if each.startswith("cv:")}
        title = node.text("roleName", "name", "jobTitle")
        whole = node.text("cv:employer", "cv:institution")
        part = node.text("affiliation", "worksFor", "memberOf", "alumniOf", "hasOccupation")
        entry: dict[str, Any] = {
            "organization": whole or part,
            "unit": part if whole and part != whole else None,
            "summary": node.text("description"),
            **self.period(node),
            "location": node.text("dcterms:spatial"),
        }
        if "CareerBreak" in own:
            self.draft.put("breaks", {"reason": title, **self.period(node)})
        elif own & {*STUDIES, "Study"}:
            self.add_study(node, own, title, entry)
        elif "Membership" in own:
            self.draft.put("memberships", {"level": title, **entry, "unit": None, "location": None})
        elif own & {*SERVICE}:
            kind = next(SERVICE[each] for each in own if each in SERVICE)
            self.draft.put("service", {**entry, "kind": kind, "role": title, "location": None})
        elif "Extracurricular" in own:
            self.draft.put("extracurricular", {"position": title, **entry, "location": None})
        elif "Volunteering" in own:
            self.draft.put(
                "volunteer", {"position": title, **entry, "unit": None, "location": None}
            )
        elif title or entry["organization"]:
            kind = next((JOBS[each] for each in own if each in JOBS), "")
            if kind == "self-employed":
                entry["organization"] = None
            self.draft.put("work", {"position": title, "kind": kind, **entry})

    def add_study(
        self, node: RdfNode, own: set[str], title: Value | None, entry: dict[str, Any]
    ) -> None:
        level = next((STUDIES[each] for each in own if each in STUDIES), "")
        degree = next(
            (
                each
                for each in self.person.nodes_at("hasCredential")
                if node in each.nodes_at("dcterms:relation")
            ),
            None,
        )
        area = node.text("dcterms:subject")
        called = degree.text("name") if degree else title
        if degree:
            degree.skip(*self.nodes.values[degree.term])
        if called and area and called.endswith(f" in {area}"):
            called = called.with_text(called.removesuffix(f" in {area}"))
        node.skip("dcterms:relation")
        where = {"institution": entry["organization"], "unit": entry["unit"]}
        self.draft.put(
            "education",
            {**where, "studyType": called, "level": level, "area": area, **self.period(node)},
        )

    def period(self, node: RdfNode) -> dict[str, Value]:
        season = SEASON.fullmatch(str(node.text("dcterms:date") or ""))
        start, end = parse_date(node.text("startDate")), parse_date(node.text("endDate"))
        if season and start:
            start = end = start.with_text(f"{SEASON_NAMES[season[2]]} {season[1]}")
        if start and end is None and node.text("cv:ongoing"):
            end = start.with_text("present")
        return without_empty({"startDate": start, "endDate": end})

    def add_activity(self, node: RdfNode) -> None:
        """Adds a talk, or a Role at a venue or in a course."""
        own = {each.removeprefix("cv:") for each in node.types if each.startswith("cv:")}
        title, venue = node.text("roleName", "name"), node.text("cv:venue", "superEvent")
        date = parse_date(node.text("startDate"))
        if own & {*SERVICE} and venue:
            kind = next(SERVICE[each] for each in own if each in SERVICE)
            dates = self.period(node)
            if dates.get("startDate") == dates.get("endDate"):
                dates = without_empty({"year": dates.get("startDate")})
            self.draft.put("service", {"venue": venue, "role": title, "kind": kind, **dates})
        elif "Teaching" in own and node.nodes.referring[node.term]:
            (term, _), *_ = node.nodes.referring[node.term]
            course = RdfNode(node.nodes, term).text("name")
            self.draft.put("teaching", {"course": course, "role": title, **self.period(node)})
        elif OWNER in self.person.types and "Talk" not in own:
            return
        elif {"Event", "EducationEvent"} & node.types and title:
            called = next((TALKS[each] for each in own if each in TALKS), "presentation")
            self.draft.put("talks", {"title": title, "kind": called, "date": date, "venue": venue})
            node.skip("keywords", "performer")

    def add_skills(self) -> None:
        for skill in self.person.nodes_at("skills"):
            name, level = skill.text("skills", "name"), skill.text("roleName")
            if "cv:LanguageSkill" in skill.types:
                self.draft.put("languages", {"language": name, "level": level})
            elif name:
                level = level if level != "Skill" else None
                self.draft.put("skills", {"name": name, "level": level})
        plain = [
            each for each in self.person.texts("skills", "vcard:skill") if not is_web_address(each)
        ]
        known = [each.get("name") for each in self.draft.cv.get("skills", ())]
        self.draft.cv.setdefault("skills", []).extend(
            {"name": each} for each in plain if each not in known
        )
        spoken = [each.get("language") for each in self.draft.cv.get("languages", ())]
        for each in self.person.texts("knowsLanguage"):
            if each not in spoken:
                self.draft.put("languages", {"language": each})
        topics = self.person.texts("foaf:topic_interest", "foaf:interest")
        has_skills = any(each.types & {"cv:Skill"} for each in self.person.nodes_at("skills"))
        topics += [] if has_skills else self.person.texts("knowsAbout")
        named = [each for each in dict.fromkeys(topics) if not is_web_address(each)]
        self.draft.leave(each for each in topics if is_web_address(each))
        self.draft.cv.setdefault("interests", []).extend(named)
        self.draft.cv = without_empty(self.draft.cv)

    def add_credential(self, node: RdfNode) -> None:
        title, kind = node.text("name"), str(node.text("credentialCategory") or "")
        by = node.text("recognizedBy")
        date = parse_date(node.text("datePublished", "dateCreated", "validFrom"))
        if kind == "degree" or title is None:
            if not self.draft.cv.get("education") and title:
                self.draft.put(
                    "education", {"studyType": title, "institution": by, "endDate": date}
                )
        elif kind in ("award", "fellowship", "prize", "honor"):
            fellow = kind if kind == "fellowship" else None
            self.draft.put("awards", {"title": title, "kind": fellow, "awarder": by, "date": date})
        else:
            self.draft.put("certificates", {"name": title, "issuer": by, "date": date})

    def add_schools(self) -> None:
        for school in self.person.texts("alumniOf"):
            known = [each.get("institution") for each in self.draft.cv.get("education", ())]
            if is_web_address(school):
                self.draft.leave([school], "web address without a name")
            elif school not in known:
                self.draft.put("education", {"institution": school})

    def add_awards(self) -> None:
        known = [str(each.get("title")) for each in self.draft.cv.get("awards", ())]
        for each in self.person.texts("award"):
            if each not in known:
                self.draft.put("awards", {"title": each})

    def works(self) -> list[RdfNode]:
        made = self.person.nodes_at("foaf:made")
        signed = self.about_the_person(*SIGNERS, "editor")
        projects = self.person.nodes_at("foaf:pastProject", "foaf:currentProject")
        return [
            each
            for each in dict.fromkeys([*made, *signed])
            if each.types & {*WORKS}
            and not each.types & {*PAGES, *NO_WORKS}
            and not is_role(each)
            and each not in projects
        ]

    def add_patent(self, node: RdfNode) -> None:
        entry = {name: each for name, each in work_of(node).items() if name in PATENT}
        number = next((each.text("value") for each in node.nodes_at("identifier")), None)
        entry["numbers"] = without_empty({"publication": number})
        key = address_slug(entry.get("title", ""))
        if key:
            self.draft.entries.setdefault("patents", {})[key] = without_empty(
                {**entry, "kind": "patent"}
            )
            self.draft.cv.setdefault("patents", []).append(entry["title"].with_text(key))

    def add_grants(self) -> None:
        for role in self.person.nodes_at("funding"):
            grant = next(iter(role.nodes_at("funding")), role)
            entry = {
                "title": grant.text("name"),
                "funder": grant.text("funder", "sponsor"),
                "number": next((each.text("value") for each in grant.nodes_at("identifier")), None),
                "role": role.text("roleName"),
                **self.period(role),
            }
            self.draft.put("grants", entry)

    def about_the_person(self, *names: str) -> list[RdfNode]:
        """The nodes that refer to the person in one of these fields."""
        found = self.nodes.referring[self.person.term]
        return [RdfNode(self.nodes, term) for term, name in found if name in names]


FORMAT = Format("rdf", "Turtle or JSON-LD", matches, read, priority=100)
