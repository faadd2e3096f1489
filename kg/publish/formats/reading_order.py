"""The order in which people read triples: a thing from its name down, then its parts as a CV lists
them, and the document last.

The orders are tables of terms. What is in no table is sorted by name, so any graph has exactly one
order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from pyoxigraph import Quad

from kg.mapping.iris import resolve
from kg.vocab import cut, cv, foaf, names, rdf, schema

# Names, texts, present facts, dates, identifiers and links, credentials, people, knowledge. Others
# of schema.org follow by name, then those of other vocabularies, our own, and FOAF's.
PREDICATES = """
    rdf:type
    schema:name schema:roleName schema:headline schema:honorificPrefix schema:givenName
    schema:additionalName schema:familyName schema:honorificSuffix schema:pronouns
    schema:alternateName cv:formerName rdfs:label dcterms:title
    schema:disambiguatingDescription schema:description rdfs:comment dcterms:description
    schema:position schema:jobTitle schema:worksFor schema:affiliation
    schema:startDate schema:endDate schema:datePublished schema:dateCreated schema:dateModified
    dcterms:date dcterms:modified
    schema:identifier schema:propertyID schema:value schema:contactType schema:email
    schema:telephone schema:contactPoint schema:address schema:workLocation schema:url
    schema:sameAs schema:image
    schema:hasCredential schema:award schema:alumniOf
    schema:author schema:editor schema:creator schema:contributor schema:performer
    schema:colleague schema:knows
    schema:knowsAbout schema:knowsLanguage schema:skills schema:about schema:keywords
    cv:employer cv:institution cv:earliest cv:latest cv:year cv:ongoing
    foaf:name foaf:title foaf:givenName foaf:familyName
"""

# Superclasses, the wider the later. Our own classes come first, then narrower ones; those of FOAF
# are last.
GENERAL = """
    cv:Study cv:Section
    schema:OrganizationRole schema:PublicationVolume schema:WebPage schema:DefinedTerm
    schema:Event schema:Grant schema:ItemList schema:Organization schema:CreativeWork
    schema:ListItem schema:Role dcterms:Location
"""

# The sections of a CV, a line each, by the classes of their entries. A degree is a credential of
# that category, as awards are of others.
SECTIONS = """
    cv:Employment cv:Postdoc cv:Assistantship cv:Internship cv:Founder cv:SelfEmployment
    cv:Visiting cv:Honorary
    cv:CareerBreak
    cv:Study
    degree
    cv:Advisor cv:CommitteeMember cv:Mentor
    cv:Funding
    cv:Teaching
    cv:Mentee
    cv:Membership
    cv:Service
    schema:Event
    cv:Volunteering
    cv:LanguageSkill cv:Skill
    schema:EducationalOccupationalCredential
    cv:Extracurricular
    foaf:Project
    cv:Contribution
    cv:Referee
    cv:MediaAppearance
    cv:KeyContribution
    cv:Section
    cv:Entry
    cv:Affiliation
    schema:ContactPoint
    foaf:OnlineAccount
"""

TYPE = rdf.type
CLASSES = (TYPE, schema.additionalType, schema.credentialCategory)
DIGITS = re.compile(r"\d+", re.ASCII)
LAST = 1000  # the place of terms in no table
Key = tuple[object, ...]


def reading_order(base: str, quads: Iterable[Quad]) -> list[Quad]:
    """Each quad once: subject by subject, and in each property by property."""
    rows = [
        (str(quad.subject), quad.predicate.value, str(quad.object), quad) for quad in set(quads)
    ]
    orders = Orders(base)
    subjects = orders.of_subjects(rows)
    predicates = numbered({row[1] for row in rows}, orders.of_predicate)
    classes = numbered({row[2] for row in rows if row[1] == TYPE}, orders.of_class)
    last = len(rows)

    def place(row: tuple[str, str, str, Quad]) -> Key:
        """Objects: parts in their own order, texts before those in other languages."""
        subject, predicate, value, _ = row
        order = classes if predicate == TYPE else subjects
        is_other = value[-1] != '"'
        return subjects[subject], predicates[predicate], order.get(value, last), is_other, value

    return [row[3] for row in sorted(rows, key=place)]


def numbered(names: Iterable[str], key: Callable[[str], Key]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(names, key=key))}


@cache
def ranks(base: str, table: str, separator: str | None = None) -> Mapping[str, int]:
    """The address of each term of a table -> its place. Terms that nothing separates share one."""
    spaces = names(base)
    found = {}
    for place, together in enumerate(table.split(separator)):
        for term in together.split():
            prefix, _, local = term.partition(":")
            found[spaces.get(prefix, prefix) + local] = place
    return found


class Orders:
    """What the tables say, for the addresses of one site."""

    def __init__(self, base: str) -> None:
        self.own = names(base)["cv"]
        self.earliest = resolve(base, cv.earliest)
        self.predicates = ranks(base, PREDICATES)
        self.general = ranks(base, GENERAL)
        self.sections = ranks(base, SECTIONS, "\n")

    def of_predicate(self, predicate: str) -> Key:
        space, _ = cut(predicate)
        rank = self.predicates.get(predicate, LAST)
        other = 0 if space == str(schema) or rank < LAST else 1
        return {self.own: 2, str(foaf): 3}.get(space, other), rank, predicate

    def of_class(self, term: str) -> Key:
        name = term[1:-1]
        space, _ = cut(name)
        group = 2 if space == str(foaf) else 0 if space == self.own else 1
        return group, self.general.get(name, -1), name

    def of_subjects(self, rows: Iterable[tuple[str, str, str, Quad]]) -> dict[str, int]:
        """Document by document: the thing, its parts, the document itself."""
        section: dict[str, int] = {}
        begins: dict[str, str] = {}
        for subject, predicate, value, _ in rows:
            rank = section.setdefault(subject, LAST)
            if predicate in CLASSES:
                section[subject] = min(rank, self.sections.get(value[1:-1], rank))
            elif predicate == self.earliest:
                begins[subject] = max(begins.get(subject, ""), value)

        def of_part(subject: str) -> Key:
            """The section, the latest first, the name. What is in no section follows the part that
            its own address begins with.
            """
            latest_first = [-ord(letter) for letter in begins.get(subject, "")] or [0]
            name = DIGITS.sub(lambda digits: digits[0].zfill(12), subject)
            own = (section[subject], latest_first, name, subject)
            enclosing = subject[:-1]
            while section[subject] == LAST and "-" in enclosing.partition("#")[2]:
                enclosing = enclosing.rpartition("-")[0]
                if f"{enclosing}>" in section:
                    return *of_part(f"{enclosing}>"), *own
            return own

        def of_subject(subject: str) -> Key:
            document, _, fragment = subject.strip("<>").partition("#")
            rank = 0 if fragment == "it" else 1 if fragment else 2
            return document, rank, of_part(subject)

        return numbered(section, of_subject)
