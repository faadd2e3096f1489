"""The head of a person's page: names, positions, topics, contact and profiles. The graph has only
public values, so all are shown.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pyoxigraph import Literal

from kg.facts.values.person_identifiers import SCHEMES, title_of
from kg.facts.values.social_networks import NETWORKS
from kg.facts.values.text import mail_link
from kg.graph.describe import Description, has_language
from kg.publish.formats.urls import Cell, Link, cell_text
from kg.store.protocol import Term
from kg.text import dates, wording
from kg.text.normalize import words
from kg.vocab import cv, foaf, schema

ToCell = Callable[[Term], Cell]
ADDRESS = (
    schema.streetAddress,
    schema.postalCode,
    schema.addressLocality,
    schema.addressRegion,
    schema.addressCountry,
)
FEWEST_LETTERS = 4  # of a word that two titles share
MOST_TOPICS = 6  # in the head; more are a section
# The general icon of a profile without a mark by its network or register; `link` for all others.
ICONS = {
    name: icon
    for icon, names in {
        "orcid": "ORCID",
        "scholar": "Google Scholar, Semantic Scholar, ResearchGate, Academia.edu, OpenReview, "
        "DBLP, ACM, IEEE Xplore, INSPIRE, RePEc, SSRN",
        "paper": "arXiv, HAL, OSF, Zotero, Medium, Substack",
        "code": "GitHub, GitLab, Codeberg, Bitbucket, Stack Overflow, Hugging Face, Kaggle",
        "people": "LinkedIn, XING, Facebook",
        "talk": "Mastodon, Bluesky, X, Threads, Telegram, Matrix, Reddit",
        "film": "YouTube, Vimeo, TikTok, Instagram, Flickr, SoundCloud",
        "number": "Wikidata, Scopus, ResearcherID, ISNI, VIAF, GND, OpenAlex, Lattes, zbMATH",
    }.items()
    for name in names.split(", ")
}


@cache
def marks() -> dict[str, str]:
    """The drawn path of each network's mark by name, if they were built (`style/marks.mjs`)."""
    file = Path(__file__).parent.parent / "style" / "marks.json"
    paths = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    schemes = {title_of(key): path for key, path in paths.items() if key in SCHEMES}
    return schemes | {NETWORKS[key].title: paths[key] for key in paths if key in NETWORKS}


class Foreign(str):
    """A text in another language."""

    lang: str


@dataclass(frozen=True)
class ContactLine:
    """A contact or a profile: its icon, its name, its target, and the text for print; `mark` is
    drawn instead of the icon.
    """

    icon: str
    text: str
    href: str = ""
    paper: str = ""
    is_profile: bool = False
    mark: str = ""


@dataclass(frozen=True)
class PersonHead:
    """`before` and `after` surround the name: `Dr.` and `(she/her)`; `native` are names in other
    languages; `names` is a line about the name; a post has title, unit and employer.
    """

    before: str
    after: str
    native: list[Cell]
    names: list[Cell]
    posts: list[list[Cell]]
    topics: list[Cell]
    contacts: list[ContactLine]
    facts: list[tuple[str, list[Cell]]]
    has_cv: bool

    @property
    def cells(self) -> list[Cell]:
        """All cells that can link to pages of the site."""
        lines = [*self.posts, self.topics, *(cells for _, cells in self.facts)]
        places = [Link(each.text, each.href) for each in self.contacts if not each.is_profile]
        return [*(cell for line in lines for cell in line), *places]


def person_head(
    description: Description,
    base: str,
    cell: ToCell,
    posts: list[list[Cell]],
    hidden: Set[str],
) -> PersonHead:
    """`hidden` are sections of the CV that are not shown. If there is a label, only positions that
    it names are shown; if there are none, the label is shown as a position.
    """
    former = description.values(cv.formerName)
    others = [term for term in description.terms(schema.alternateName) if term.value not in former]
    labels: list[Cell] = [
        foreign(term)
        for term in sorted(description.terms(schema.disambiguatingDescription), key=has_language)
    ]
    posts = named_by(labels, posts) if labels else posts
    if labels and not posts:
        posts, labels = [labels[:1]], labels[1:]
    prefix, suffix, pronouns = (
        description.values(term)
        for term in (schema.honorificPrefix, schema.honorificSuffix, schema.pronouns)
    )
    facts: dict[str, list[Cell]] = {
        "Born": [
            dates.unbroken(wording.value(term)) for term in description.terms(schema.birthDate)
        ],
        "Nationality": [*named(description, schema.nationality)],
        "Gender": [*description.values(schema.gender)],
        "Middle name": [*description.values(schema.additionalName)],
        "Languages": []
        if "languages" in hidden
        else [spoken(term, description, cell) for term in description.terms(schema.knowsLanguage)],
        **metrics(description),
        "Identifiers": list(numbers(description)),
    }
    interests = description.terms(foaf.topic_interest)
    is_titled = len(prefix) == 1  # the order of several is not known
    return PersonHead(
        before=prefix[0] if is_titled else "",
        after=f"({', '.join(pronouns)})" if pronouns else "",
        native=[foreign(term) for term in others if has_language(term)],
        names=[
            *(label for label in labels if not is_implied(label, posts)),
            *([] if is_titled else prefix),
            *suffix,
            *spelled("formerly", former),
            *spelled("publishes as", [each.value for each in others if not has_language(each)]),
        ],
        posts=posts,
        topics=[]
        if "interests" in hidden or len(interests) > MOST_TOPICS
        else [cell(term) for term in interests],
        contacts=[*contact_lines(description, cell), *profiles(description, base)],
        facts=[(word, cells) for word, cells in facts.items() if cells],
        has_cv=cv.Owner in description.kinds,
    )


def spelled(word: str, names: list[str]) -> list[str]:
    return [f"{word} {', '.join(names)}"] if names else []


def named_by(labels: list[Cell], posts: list[list[Cell]]) -> list[list[Cell]]:
    """The positions that a label names: all of the title, else of the label, else a word of the
    place, else of the title, if the first position has one, too.
    """
    known = [set(words(cell_text(label))) for label in labels]
    titles = [post for post in posts if any({*words(cell_text(post[0]))} <= each for each in known)]
    whole = [post for post in posts if any(is_implied(label, [post]) for label in labels)]
    shared = {word for each in known for word in each if len(word) >= FEWEST_LETTERS}
    places, near = (
        [
            post
            for post in posts
            if not shared.isdisjoint(words(" ".join(map(cell_text, post[at:]))))
        ]
        for at in (1, 0)
    )
    return titles or whole or places or (near if near[:1] == posts[:1] else [])


def is_implied(label: Cell, posts: list[list[Cell]]) -> bool:
    """Whether a position contains all words of a label: `Researcher, Tide Lab` adds nothing to
    `Researcher · Waves · Tide Lab`.
    """
    wanted = set(words(cell_text(label)))
    return any(wanted.issubset(words(" ".join(map(cell_text, post)))) for post in posts)


def contact_lines(description: Description, cell: ToCell) -> Iterator[ContactLine]:
    """Mail, telephone and places, then websites."""
    for email in labelled(description, schema.email):
        yield ContactLine("mail", email.text, mail_link(email.href))
    for number in labelled(description, schema.telephone):
        yield ContactLine("phone", number.text, f"tel:{re.sub(r'[^+0-9]', '', number.href)}")
    for place in [*named(description, schema.workLocation), *addresses(description)]:
        yield ContactLine("pin", place)
    for term in description.terms(schema.homeLocation):
        home = cell(term)
        yield (
            ContactLine("pin", home.text, home.href)
            if isinstance(home, Link)
            else ContactLine("pin", home)
        )
    for site in labelled(description, schema.url):
        yield ContactLine("web", site.text, site.href, is_profile=True)


def labelled(description: Description, predicate: str) -> list[Link]:
    """The values of a property, with the labels of contact points that have the same value."""
    points = description.values(schema.contactPoint)
    labels = {
        value: label
        for point in points
        if (label := description.value(schema.contactType, point))
        for value in description.values(predicate, point)
    }
    return [
        Link(f"{shown(value)}{f' ({labels[value]})' if value in labels else ''}", value)
        for value in description.values(predicate)
    ]


def profiles(description: Description, base: str) -> Iterator[ContactLine]:
    """Profiles and identifiers by name, ORCID first; other equivalent pages by address."""
    names = {}
    for node in description.values(foaf.account):
        for address in description.values(schema.url, node):
            names[address] = description.value(schema.name, node) or shown(address)
    for node in description.values(schema.identifier):
        for address in description.values(schema.url, node):
            names[address] = title_of(scheme_of(description, node))
    known = description.values(schema.url)
    same = [
        address
        for address in description.values(schema.sameAs)
        if address not in known and not address.startswith(base)  # a former address of this page
    ]
    order = sorted(names, key=lambda address: names[address] != "ORCID")
    for address in sorted(same, key=lambda each: order.index(each) if each in names else len(same)):
        name = names.get(address, shown(address))
        icon, mark = ICONS.get(name, "link"), marks().get(name, "")
        is_one = [names.get(each) for each in same].count(name) <= 1
        text = name if is_one else shown(address)
        yield ContactLine(icon, text, address, shown(address), is_profile=True, mark=mark)


def scheme_of(description: Description, identifier: str) -> str:
    return (description.value(schema.propertyID, identifier) or "").rpartition("/")[2]


def numbers(description: Description) -> Iterator[Cell]:
    """Identifiers without a web page."""
    for node in description.values(schema.identifier):
        if not description.value(schema.url, node):
            title = title_of(scheme_of(description, node))
            yield f"{title} {description.value(schema.value, node)}"


def spoken(language: Term, description: Description, cell: ToCell) -> Cell:
    """A language and its level."""
    known = [
        ", ".join(filter(None, [level, description.value(schema.description, role)]))
        for role in description.values(schema.skills)
        if language.value in description.values(schema.skills, role)
        and (level := description.value(schema.roleName, role))
    ]
    link = cell(language)
    if not known or not isinstance(link, Link):
        return link
    return Link(f"{link.text} ({known[0]})", link.href)


def shown(address: str) -> str:
    return re.sub(r"^https?://(www\.)?|/$", "", address)


def foreign(term: Term) -> str:
    if not isinstance(term, Literal) or not has_language(term):
        return term.value
    text = Foreign(term.value)
    text.lang = str(term.language)
    return text


def named(description: Description, predicate: str) -> list[str]:
    """The names of parts of the document."""
    parts = description.values(predicate)
    return [name for part in parts if (name := description.value(schema.name, part))]


def addresses(description: Description) -> Iterator[str]:
    for term in description.terms(schema.address):
        parts = [description.value(part, term.value) for part in ADDRESS]
        yield ", ".join(filter(None, parts)) or term.value


def metrics(description: Description) -> dict[str, list[Cell]]:
    person, found = f"{description.document}#it", defaultdict[str, list[Cell]](list)
    for node in description.nodes:
        name, value = description.value(schema.name, node), description.value(schema.value, node)
        if name and value and person in description.values(schema.observationAbout, node):
            date = dates.date(description.value(schema.observationDate, node) or "")
            text = f"{value}{f' ({date})' if date else ''}"
            url = description.value(schema.url, node)
            found[name].append(Link(text, url) if url else text)
    return found
