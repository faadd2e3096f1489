"""Reads people described with schema.org or FOAF, in Turtle, N-Triples, RDF/XML or JSON-LD, also in
the scripts of an HTML page.

Reads what profiles on the web have: the person, their pages, organisations, topics, friends and
works. All other values are listed. The text of a page is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from kg.errors import Place
from kg.facts.values.social_networks import NETWORKS, user_in
from kg.facts.values.text import is_web_address
from kg.plugins.bibliography.work_records import GENRES, status_in
from kg.plugins.exchange.draft import (
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Unplaced,
    Value,
    join_values,
    parse_date,
    without_empty,
)
from kg.plugins.exchange.fields import home_address, host_of, place, private
from kg.plugins.exchange.readers.rdf_tree import (
    ID,
    INVERSE,
    NAMES,
    SYNTAXES,
    TYPE,
    RdfGraph,
    Term,
    is_json,
    json_triples,
    read_graph,
)
from kg.plugins.exchange.source_files import NotImported, SourceFile
from kg.publish.formats.media import JSONLD
from kg.text.html import pieces

PERSON = ("Person", "foaf:Person")
OWNER = "cv:Owner"
ABOUT = ("mainEntity", "foaf:primaryTopic", "about", "foaf:maker")  # from a page to its person
PAGES = ("ProfilePage", "foaf:PersonalProfileDocument", "AboutPage", "WebPage", "WebSite")
FRIENDS = (
    *("foaf:knows", "knows", "colleague", "follows", "rel:friendOf", "rel:colleagueOf"),
    *("rel:worksWith", "rel:acquaintanceOf"),
)
OTHERS = (  # properties that refer to somebody other than the main person
    *(*FRIENDS, "author", "creator", "contributor", "editor", "item", "publisher", "foaf:maker"),
    *("dcterms:creator", "sponsor", "founder", "employee", "member"),
)
# Properties that only identify a person.
IDENTITY = (
    *(TYPE, "name", "url", "sameAs", "identifier", "givenName", "familyName", "email"),
    *("foaf:name", "foaf:homepage", "foaf:givenName", "foaf:familyName", "foaf:mbox"),
)
GIVEN = ("givenName", "foaf:givenName", "foaf:firstName", "foaf:givenname")
FAMILY = ("familyName", "foaf:familyName", "foaf:lastName", "foaf:surname", "foaf:family_name")
TEXTS = {
    **{"givenName": GIVEN, "familyName": FAMILY, "additionalName": ("additionalName",)},
    **{"honorific": ("honorificPrefix", "foaf:title"), "honorificSuffix": ("honorificSuffix",)},
    **{"pronouns": ("pronouns",), "label": ("disambiguatingDescription",)},
    "summary": ("description", "foaf:plan", "dcterms:description", "bio:olb"),
}
ADDRESSES = {"url": ("url", "foaf:homepage"), "image": ("image", "foaf:img", "foaf:depiction")}
PRIVATE = {
    **{"phone": ("telephone", "foaf:phone"), "birthDate": ("birthDate", "foaf:birthday")},
    **{"gender": ("gender", "foaf:gender"), "nationality": ("nationality",)},
}
HOMES = ("homeLocation", "address", "location", "foaf:based_near")
ACCOUNTS = ("foaf:account", "foaf:holdsAccount")
# Pages about the person, with their labels; without one, the network or host is the label.
LINKS = {
    **{"foaf:weblog": "Blog", "foaf:publications": "Publications", "foaf:openid": "OpenID"},
    **{"foaf:workplaceHomepage": "Workplace", "foaf:workInfoHomepage": "Work"},
    "foaf:schoolHomepage": "School",
    **dict.fromkeys(("sameAs", "owl:sameAs", "identifier", "rdfs:seeAlso", "foaf:page"), ""),
    **dict.fromkeys((*ACCOUNTS, "foaf:homepage", "url"), ""),
}
EMPLOYERS = ("worksFor", "affiliation", "vcard:organization-name")
ROLES = ("worksFor", "affiliation", "hasOccupation", "memberOf", "alumniOf")
WORK = ("work", "position", "organization")
# Section of an organisation, and the fields of a role's title and of the organisation.
MEMBERS = {
    "memberOf": ("memberships", "level", "organization"),
    "alumniOf": ("education", "studyType", "institution"),
}
# Properties whose names become entries of a section, and the field for the name.
LISTS = {
    ("foaf:topic_interest", "foaf:interest", "knowsAbout"): ("interests", ""),
    ("skills", "vcard:skill"): ("skills", "name"),
    ("knowsLanguage",): ("languages", "language"),
    ("award",): ("awards", "title"),
}
WORKS = {
    **{"ScholarlyArticle": "journal", "Article": "journal", "Book": "book", "Thesis": "thesis"},
    **{"Chapter": "book-chapter", "Report": "report", "Dataset": "dataset"},
    **{"SoftwareSourceCode": "software", "SoftwareApplication": "software"},
    **{"BlogPosting": "blog", "VideoObject": "video", "foaf:Document": "other"},
    **{"CreativeWork": "other"},
}
CONTAINERS = {"journal": "journal", "book-chapter": "book", "conference": "conference"}
NO_WORKS = ("cv:News", "bibo:Patent", "Periodical", "PublicationVolume", "Review", *PAGES)
SIGNERS = ("author", "creator", "foaf:maker", "dcterms:creator")
ORGANIZATIONS = {
    *("Organization", "foaf:Organization", "foaf:Group", "CollegeOrUniversity", "Corporation"),
    *("GovernmentOrganization", "NGO", "ResearchOrganization", "Project", "ResearchProject"),
}
DERIVED = re.compile(
    r"rdf:type|@id|headline|mainEntityOfPage|additionalType|foaf:isPrimaryTopicOf|rdfs:label"
    r"|foaf:(?:name|familyName|givenName)|dcterms:(?:date|source)"
)
DOI = re.compile(r"(?:doi\.org/|^doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
ORCID = re.compile(r"orcid\.org/((?:\d{4}-){3}\d{3}[\dX])", re.IGNORECASE)
SCHEME = re.compile(r"^(?:mailto|tel):", re.IGNORECASE)
TOPIC = re.compile(
    r"https?://(?:\w+\.)?(?:dbpedia\.org/(?:resource|page)|wikipedia\.org/wiki)/([^#?]+)"
)
BY_USER = [name for name, network in NETWORKS.items() if "{host}" not in network.page]
PEOPLE_SECTION = "People I know"
NO_PERSON = "no person is described with schema.org or FOAF"
UNNAMED = "web address without a name"
SUFFIXES = (".html", ".htm", ".xhtml")
NO_DATA = "no JSON-LD found. From an HTML page, only JSON-LD is imported, not the text"


class DataBlock(NamedTuple):
    """The text of a JSON-LD script, and its line and column in the page, counted from 1."""

    text: str
    line: int
    column: int


def json_ld(html: str) -> list[DataBlock]:
    """The JSON-LD scripts of a page, verbatim."""
    return [
        DataBlock(
            html[tag.end : tag.text_end],
            html.count("\n", 0, tag.end) + 1,
            tag.end - html.rfind("\n", 0, tag.end),
        )
        for tag in pieces(html)
        if tag.name == "script"
        and tag.attributes.get("type", "").partition(";")[0].strip().lower() == JSONLD
    ]


def matches(source: SourceFile) -> bool:
    if source.suffix in SYNTAXES and source.suffix != ".xml":
        return True
    if source.suffix == ".xml":
        return "<rdf:RDF" in source.text[:5000]
    return is_json(source.text) and '"@context"' in source.text[:5000]


def read(source: SourceFile) -> Iterator[Draft]:
    yield from drafts_in(read_graph(source))


def drafts_in(graph: RdfGraph) -> Iterator[Draft]:
    """One draft for each main person of the graph."""
    people = owners(graph)
    if not people:
        raise NotImported(f"{graph.source.name}: {NO_PERSON}.")
    for person in people:
        yield read_person(SourceRecord(graph.tree(person)))


def owners(graph: RdfGraph) -> list[Term]:
    """The main people of a graph.

    In this order: owners of a CV; people a page is about; people who are described and not only
    referred to; the person with the most properties.
    """
    people = graph.of_type(*PERSON)
    pages = [graph.values[each] for each in graph.of_type(*PAGES)]
    main = {each for page in pages for name in ABOUT for each in page.get(name, ())}
    own = [each for each in people if OWNER in graph.types(each)]
    if found := own or [each for each in people if each in main]:
        return found
    details = {each: len({*graph.values[each]} - {*IDENTITY}) for each in people}
    roots = [each for each in people if details[each] and not {*graph.referring[each]} & {*OTHERS}]
    most = [each for each in people if details[each] == max(details.values())]
    return roots or (most if len(most) == 1 else [])


def read_person(person: SourceRecord) -> Draft:
    draft = Draft()
    add_names(draft, person)
    add_contact(draft, person)
    add_links(draft, person)
    add_organizations(draft, person)
    for properties, (section, field) in LISTS.items():
        for name in dict.fromkeys(map(topic_of, names(person, *properties))):
            draft.leave([name] if is_web_address(name) else [], UNNAMED)
            if not is_web_address(name):
                draft.add(section, {field: name} if field else name)
    add_projects(draft, person)
    add_friends(draft, person)
    signed = [INVERSE + name for name in (*SIGNERS, "editor")]
    for each in person.records("foaf:made", *signed):
        if types_of(each) & {*WORKS} and not types_of(each) & {*NO_WORKS}:
            entry = work_of(each)
            others = (*draft.cv.get("publications", ()), *draft.cv.get("projects", ()))
            known = [other.get("title", other.get("name")) for other in others]
            draft.put("publications", entry if entry.get("title") not in known else {})
    for each in person.records("foaf:made", *(INVERSE + name for name in (*ABOUT, *OTHERS))):
        each.skip(*(each if types_of(each) & {*PAGES, *PERSON} else ()))
    draft.cv = without_empty(draft.cv)
    draft.leave(each for each in person.left() if not DERIVED.fullmatch(last_name(each.path)))
    return draft


def last_name(path: str) -> str:
    return re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]


def types_of(record: SourceRecord) -> set[str]:
    return {*record.texts(TYPE)}


def address_of(record: SourceRecord) -> Value | None:
    """The address of a node, or the text of a record without fields."""
    found = record.text(ID) or record.text(UNTITLED)
    return found if found and is_web_address(found) else None


def addresses(person: SourceRecord, *names: str) -> list[Value]:
    return [found for each in person.records(*names) if (found := address_of(each))]


def names(person: SourceRecord, *fields: str) -> list[Value]:
    """The texts in these fields; of a node, its name, or else its address."""
    found = [each.text(*NAMES) or each.text(UNTITLED, ID) for each in person.records(*fields)]
    return [*dict.fromkeys(filter(None, found))]


def first_name(person: SourceRecord, *fields: str) -> Value | None:
    for name in fields:
        for each in person.records(name)[:1]:
            return each.text(*NAMES) or each.text(UNTITLED, ID)
    return None


def add_names(draft: Draft, person: SourceRecord) -> None:
    name = person.text("name", "foaf:name", "rdfs:label", "vcard:fn")
    known = {ours: first_name(person, *theirs) for ours, theirs in TEXTS.items()}
    for ours, theirs in ADDRESSES.items():
        images = [each for holder in person.records(*theirs) for each in addresses(holder, "url")]
        known[ours] = next(iter(images or addresses(person, *theirs)), None)
    parts = filter(None, (known["givenName"], known["familyName"]))
    name = name or (join_values(parts, " ") if known["givenName"] else None)
    others = [each for each in names(person, "alternateName", "foaf:nick") if each != name]
    draft.basics(name=name, **known, alternateNames=others)


def add_contact(draft: Draft, person: SourceRecord) -> None:
    mails = [SCHEME.sub("", each) for each in person.texts("email", "foaf:mbox")]
    digest = person.text("foaf:mbox_sha1sum")
    written = dict(zip(mails, person.texts("email", "foaf:mbox"), strict=True))
    draft.basics(email=[value.with_text(mail) for mail, value in written.items()])
    draft.basics(email={"sha1": digest} if digest else None)
    for ours, theirs in PRIVATE.items():
        value = first_name(person, *theirs)
        value = parse_date(value) if ours == "birthDate" else value
        draft.basics(**{ours: private(value and value.with_text(SCHEME.sub("", value)))})
    for home in person.records(*HOMES):
        at = home.record("address") if "address" in home else home
        parts = [first_name(at, f"address{part}") for part in ("Locality", "Region", "Country")]
        named = place(filter(None, parts)) or home.text(*NAMES, UNTITLED)
        draft.basics(
            location=named and topic_of(named),
            address=home_address(at.text("streetAddress"), at.text("postalCode"), parts[0]),
        )


def add_links(draft: Draft, person: SourceRecord) -> None:
    """Adds online accounts and pages, and the ORCID as an identifier."""
    profiles = list[dict[str, Any]]()
    for account in person.records(*ACCOUNTS):
        user = account.text("foaf:accountName")
        service = next(iter(addresses(account, "foaf:accountServiceHomepage")), None)
        pages = addresses(account, "url", "foaf:accountProfilePage", "foaf:homepage")
        if user and service:
            network = service.with_text(host_of(service).rpartition(".")[0])
            profiles.append({"network": network, "username": user})
            profiles[-1] |= {"url": pages[0]} if pages else {}
        elif page := next(iter(pages), None):
            profiles.append(link_to(page))
        account.skip("name", "rdfs:label")
    for each in person.records("identifier"):
        value, kind = each.text("value"), each.text("propertyID", "name")
        if value and "orcid" in f"{kind}{value}".lower():
            draft.basics(orcid=value.with_text(value.rstrip("/").rpartition("/")[2]))
    known = [draft.cv["basics"].get("url"), *(each.get("url") for each in profiles)]
    for name, label in LINKS.items():
        for address in addresses(person, name):
            if orcid := ORCID.search(address):
                draft.basics(orcid=address.with_text(orcid[1]))
            elif address not in known:
                known.append(address)
                profiles.append(link_to(address, label))
    draft.basics(profiles=profiles)


def add_organizations(draft: Draft, person: SourceRecord) -> None:
    """Adds the employer, memberships and schools, and roles with their dates."""
    named = dict[str, list[Value]]()
    for name in (*ROLES, *EMPLOYERS[2:], "jobTitle"):
        for each in person.records(name):
            types = types_of(each)
            if any(type_.endswith("Role") for type_ in types):
                if not any(type_.startswith("cv:") for type_ in types):  # classes of our own
                    add_role(draft, each, MEMBERS.get(name, WORK))
            elif title := each.text(*NAMES) or each.text(UNTITLED, ID):
                why = [title] if is_web_address(title) else []
                draft.leave(why, UNNAMED)
                named.setdefault(name, []).extend([] if why else [title])
    employers = [*dict.fromkeys(each for name in EMPLOYERS for each in named.get(name, ()))]
    titles = [each for name in ("jobTitle", "hasOccupation") for each in named.get(name, ())]
    known = [each.get("organization") for each in draft.cv.get("work", ())]
    if employers and not known:
        draft.basics(organization=employers[0], position=titles.pop(0) if titles else None)
    for employer in employers[0 if known else 1 :]:
        draft.put_free("Affiliations", employer)
    draft.basics(label=titles.pop(0) if titles else None)
    draft.leave(titles, "a CV has only one position here")
    for name, (section, _, field) in MEMBERS.items():
        there = [each.get(field) for each in draft.cv.get(section, ())]
        for member in dict.fromkeys(named.get(name, ())):
            draft.put(section, {field: member} if member not in there else {})


def add_role(draft: Draft, role: SourceRecord, usual: tuple[str, str, str]) -> None:
    section, title, organization = usual
    entry = {
        title: role.text("roleName", "name", "jobTitle"),
        organization: first_name(role, *ROLES),
        **{name: parse_date(role.text(name)) for name in ("startDate", "endDate")},
        "summary": role.text("description"),
    }
    draft.put(section, entry)


def add_projects(draft: Draft, person: SourceRecord) -> None:
    for each in person.records("foaf:currentProject", "foaf:pastProject"):
        pages, own = addresses(each, "foaf:homepage", "url"), address_of(each)
        page, name = next(iter(pages), own), each.text(*NAMES)
        if name:
            draft.put("projects", {"name": name, "url": page, "summary": each.text("description")})
        elif page:
            draft.cv["basics"].setdefault("profiles", []).append(link_to(page, "Project"))


def add_friends(draft: Draft, person: SourceRecord) -> None:
    for each in person.records(*FRIENDS):
        pages = addresses(each, "foaf:homepage", "url", "foaf:weblog", "rdfs:seeAlso")
        page, name = next(iter(pages), None) or address_of(each), each.text(*NAMES, UNTITLED)
        parts = filter(None, (each.text(*GIVEN), each.text(*FAMILY)))
        if name := name or join_values(parts, " ") or each.text("foaf:nick"):
            draft.put_free(PEOPLE_SECTION, {"name": name, "url": page} if name != page else name)


def work_of(work: SourceRecord) -> dict[str, Any]:
    """The entry of a work; empty if it has no title."""
    by_class = next(kind for each, kind in WORKS.items() if each in types_of(work))
    kind = GENRES.get(str(work.text("genre") or "").lower(), by_class)
    title = work.text("headline", "name", "dcterms:title", "foaf:title")
    if title is None:
        return {}
    first, last = work.text("pageStart"), work.text("pageEnd")
    container = CONTAINERS.get(kind, "venue")
    where = next(iter(names(work, "isPartOf")), None)
    links = [each for each in work.texts("url", ID) if is_web_address(each)]
    numbers = [value for each in work.records("identifier") for value in each.texts("value")]
    dois = [
        each.with_text(found[1])
        for each in (*work.texts("sameAs", "identifier", "bibo:doi"), *numbers)
        if (found := DOI.search(each))
    ]
    status = status_in(work.text("creativeWorkStatus") or "")
    work.skip("name", "headline", *SIGNERS)
    return without_empty(
        {
            "kind": title.with_text(kind),
            "title": title,
            "authors": authors(work),
            "editors": people(work, "editor"),
            "status": title.with_text(status) if status not in ("", "published") else None,
            "date": parse_date(work.text("datePublished", "dateCreated", "dcterms:date")),
            "pages": join_values(filter(None, (first, last)), "-") or work.text("pagination"),
            **{name: first_name(work, name) for name in ("publisher", "abstract", "isbn")},
            "url": next(iter(links), None),
            "doi": next(iter(dois), None),
            "keywords": names(work, "keywords"),
            container: {"title": where} if where and container == "book" else where,
        }
    )


def authors(work: SourceRecord) -> list[Any]:
    """The names of authors, in the order and as printed if the graph says so."""
    items = [each for each in work.records("creator", "author") if "ListItem" in types_of(each)]
    items.sort(key=lambda each: str(each.text("position") or "").zfill(4))
    printed = [each.text("alternateName") or first_name(each, "creator", "item") for each in items]
    groups = {
        name
        for each in (*items, work)
        for one in each.records(*SIGNERS)
        if types_of(one) & ORGANIZATIONS and (name := one.text(*NAMES))
    }
    found = [*dict.fromkeys(filter(None, printed))] or people(work, *SIGNERS)
    return [{"organization": name} if name in groups else name for name in found]


def people(work: SourceRecord, *fields: str) -> list[Value]:
    """The names of people; those without a name are left out."""
    return [name for name in names(work, *fields) if not is_web_address(name)]


def topic_of(value: Value) -> Value:
    """The name of a page of Wikipedia or DBpedia; other values are unchanged."""
    found = TOPIC.fullmatch(value)
    return value.with_text(unquote(found[1]).replace("_", " ")) if found else value


def link_to(address: Value, label: str = "") -> dict[str, Any]:
    """The profile at an address; for an unknown network, the label is the host name."""
    known = next((name for name in BY_USER if user_in(NETWORKS[name], address)), "")
    named = {"network": known} if known and not label else {"label": label or host_of(address)}
    return {name: address.with_text(text) for name, text in named.items()} | {"url": address}


def is_html(source: SourceFile) -> bool:
    return source.suffix in SUFFIXES or source.text[:500].lstrip().lower().startswith(
        ("<!doctype html", "<html")
    )


def read_html(source: SourceFile) -> Iterator[Draft]:
    triples, broken = list[Any](), list[Unplaced]()
    for block in json_ld(source.text):
        try:
            triples += json_triples(source, block.text, block.line)
        except NotImported as error:
            broken.append(Unplaced(first_line(source, block), str(error)))
    if not triples:
        raise NotImported(broken[0].why if broken else f"{source.name}: {NO_DATA}.")
    for draft in drafts_in(RdfGraph(source, triples)):
        draft.left += broken
        broken = []
        yield draft


def first_line(source: SourceFile, block: DataBlock) -> Value:
    text = block.text.strip().partition("\n")[0]
    return Value.of(text[:80], Place(source.name, block.line, block.column), "script")


FORMAT = Format("rdf", "Turtle or JSON-LD", matches, read, priority=100)
HTML = Format("html", "HTML page with JSON-LD", is_html, read_html, priority=90)
