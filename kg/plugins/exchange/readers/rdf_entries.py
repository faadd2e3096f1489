"""Converts people and works described with schema.org, FOAF or Dublin Core into entries."""

from __future__ import annotations

import re
from typing import Any

from kg.facts.bibliography.work_records import GENRES, status_in
from kg.facts.values.social_networks import NETWORKS, user_in
from kg.facts.values.text import is_web_address
from kg.plugins.exchange.draft import Draft, Value, parse_date, without_empty
from kg.plugins.exchange.fields import place, private
from kg.plugins.exchange.readers.rdf_nodes import RdfNode, RdfNodes

PERSON = ("Person", "foaf:Person")
OWNER = "cv:Owner"
ABOUT = ("mainEntity", "foaf:primaryTopic", "about", "foaf:maker")  # from a page to its person
PAGES = ("ProfilePage", "foaf:PersonalProfileDocument", "AboutPage", "WebPage", "WebSite")
OTHERS = (  # properties that refer to somebody other than the main person
    *("knows", "foaf:knows", "colleague", "author", "creator", "contributor", "editor", "item"),
    *("publisher", "foaf:maker", "dcterms:creator", "sponsor", "founder", "employee", "member"),
)
# Properties that only identify a person.
IDENTITY = (
    *("rdf:type", "name", "url", "sameAs", "identifier", "givenName", "familyName", "email"),
    *("foaf:name", "foaf:homepage", "foaf:givenName", "foaf:familyName", "foaf:mbox"),
)
TEXTS = {
    "givenName": ("givenName", "foaf:givenName", "foaf:firstName", "foaf:givenname"),
    "familyName": (
        "familyName",
        "foaf:familyName",
        "foaf:lastName",
        "foaf:surname",
        "foaf:family_name",
    ),
    "additionalName": ("additionalName",),
    "honorific": ("honorificPrefix", "foaf:title"),
    "honorificSuffix": ("honorificSuffix",),
    "pronouns": ("pronouns",),
    "label": ("disambiguatingDescription",),
    "summary": ("description", "foaf:plan", "dcterms:description"),
    "url": ("url", "foaf:homepage", "foaf:weblog"),
    "image": ("image", "foaf:img", "foaf:depiction"),
    "position": ("jobTitle",),
}
PRIVATE = {
    "phone": ("telephone", "foaf:phone"),
    "birthDate": ("birthDate", "foaf:birthday"),
    "gender": ("gender", "foaf:gender"),
    "nationality": ("nationality",),
}
ORCID = re.compile(r"orcid\.org/((?:\d{4}-){3}\d{3}[\dX])", re.IGNORECASE)
MAIL = re.compile(r"^mailto:", re.IGNORECASE)
BY_USER = [name for name, network in NETWORKS.items() if "{host}" not in network.page]
WORKS = {
    **{"ScholarlyArticle": "journal", "Article": "journal", "Book": "book", "Thesis": "thesis"},
    **{"Chapter": "book-chapter", "Report": "report", "Dataset": "dataset"},
    **{"SoftwareSourceCode": "software", "SoftwareApplication": "software"},
    **{"BlogPosting": "blog", "VideoObject": "video", "foaf:Document": "other"},
    **{"CreativeWork": "other"},
}
CONTAINERS = {
    **{"journal": "journal", "magazine": "journal", "editorial": "journal", "review": "journal"},
    **{"conference": "conference", "poster": "conference", "workshop": "venue"},
}
DOI = re.compile(r"(?:doi\.org/|^doi:\s*)?(10\.\d{4,9}/\S+)$", re.IGNORECASE)
SIGNERS = ("author", "creator", "foaf:maker", "dcterms:creator")


def owners(nodes: RdfNodes) -> list[RdfNode]:
    """The main people of a graph.

    In this order: owners of a CV; people a page is about; people who are described and not only
    referred to; the person with the most properties.
    """
    people = nodes.of_type(*PERSON)
    if found := [each for each in people if OWNER in each.types]:
        return found
    main = [each for page in nodes.of_type(*PAGES) for each in page.nodes_at(*ABOUT)]
    if found := [each for each in people if each in main]:
        return [*dict.fromkeys(found)]
    details = {each: len({*nodes.values[each.term]} - {*IDENTITY}) for each in people}
    roots = [
        each
        for each in people
        if details[each] and all(name not in OTHERS for _, name in nodes.referring[each.term])
    ]
    most = [each for each in people if details[each] == max(details.values())]
    return roots or (most if len(most) == 1 else [])


def add_basics(person: RdfNode, draft: Draft) -> None:
    """Adds names, contact details and accounts of a person."""
    name = person.text("name", "foaf:name", "rdfs:label", "vcard:fn")
    for ours, theirs in TEXTS.items():
        draft.basics(**{ours: person.text(*theirs)})
    known = draft.cv.setdefault("basics", {})
    given, family = known.get("givenName"), known.get("familyName")
    if name is None and given:
        name = given.with_text(f"{given} {family}" if family else str(given))
    draft.cv["basics"] = without_empty({"name": name, **known})
    person.skip("foaf:name", "rdfs:label", "foaf:homepage")
    others = person.texts("alternateName", "foaf:nick")
    draft.basics(alternateNames=[each for each in others if each != name])
    draft.basics(organization=employer(person))
    draft.basics(
        email=[
            each.with_text(MAIL.sub("", each)) for each in person.texts("email", "foaf:mbox")[:1]
        ]
    )
    person.skip("email", "foaf:mbox")
    if "email" not in draft.cv["basics"] and (digest := person.text("foaf:mbox_sha1sum")):
        draft.basics(email={"sha1": digest})
    for ours, theirs in PRIVATE.items():
        value = person.text(*theirs)
        value = value and (parse_date(value) if ours == "birthDate" else value)
        bare = value and value.with_text(re.sub(r"^tel:", "", value))
        draft.basics(**{ours: private(bare)})
    add_home(person, draft)
    add_accounts(person, draft)


def employer(person: RdfNode) -> Value | None:
    """The current employer, unless it is described as a Role."""
    for name in ("worksFor", "affiliation", "vcard:organization-name"):
        for node in person.nodes_at(name):
            if not is_role(node):
                return node.text("name", "foaf:name", "rdfs:label")
        plain = [each for each in person.texts(name) if not is_web_address(each)]
        if plain and not person.nodes_at(name):
            return plain[0]
    return None


def add_home(person: RdfNode, draft: Draft) -> None:
    found = person.nodes_at("homeLocation", "address", "location", "foaf:based_near")
    for node in found:
        address = next(iter(node.nodes_at("address")), node)
        parts = [address.text(f"address{part}") for part in ("Locality", "Region", "Country")]
        named = node.text("name", "foaf:name", "rdfs:label")
        draft.basics(location=place(part for part in parts if part) or named)
    if not found:
        draft.basics(location=person.text("homeLocation", "address"))


def add_accounts(person: RdfNode, draft: Draft) -> None:
    """Adds online profiles, and the ORCID as an identifier."""
    basics, profiles = draft.cv["basics"], []
    for account in person.nodes_at("foaf:account", "foaf:holdsAccount"):
        url = account.text("url", "foaf:accountProfilePage")
        username = account.text("foaf:accountName")
        service = account.text("foaf:accountServiceHomepage", "name", "rdfs:label")
        account.skip("foaf:accountServiceHomepage", "name")
        if url is None and username and service:
            url = service if is_web_address(service) and str(username) in service else None
            network = service.with_text(re.sub(r"^https?://(www\.)?|\.\w+/?$", "", service))
            profiles.append(without_empty({"network": network, "username": username, "url": url}))
        elif url:
            profiles.append(account_at(url))
    for node in person.nodes_at("identifier"):
        value, kind = node.text("value"), node.text("propertyID", "name")
        if value and "orcid" in f"{kind}{value}".lower():
            draft.basics(orcid=value.with_text(value.rstrip("/").rpartition("/")[2]))
    for address in person.texts("sameAs", "owl:sameAs", "identifier"):
        if orcid := ORCID.search(address):
            draft.basics(orcid=address.with_text(orcid[1]))
        elif is_web_address(address) and address not in (
            basics.get("url"),
            *map(url_of, profiles),
        ):
            profiles.append(account_at(address))
    draft.basics(profiles=profiles)
    if "position" in basics and "organization" not in basics:
        draft.basics(label=basics.pop("position"))


def account_at(address: Value) -> dict[str, Any]:
    """The profile at an address; for an unknown network, the label is the host name."""
    known = next((name for name in BY_USER if user_in(NETWORKS[name], address)), "")
    host = re.sub(r"^https?://(www\.)?|[/?#].*$", "", address)
    label = {"network": known} if known else {"label": host}
    return {name: address.with_text(text) for name, text in label.items()} | {"url": address}


def is_role(node: RdfNode) -> bool:
    return any(each.endswith("Role") for each in node.types)


def url_of(profile: dict[str, Any]) -> str:
    return str(profile.get("url", ""))


def work_of(node: RdfNode) -> dict[str, Any]:
    """The entry of a work; empty if it has no title."""
    genre = str(node.text("genre") or "").lower()
    by_class = next((kind for each, kind in WORKS.items() if each in node.types), "other")
    kind = GENRES.get(genre, by_class)
    title = node.text("headline", "name", "dcterms:title", "foaf:title")
    if title is None:
        return {}
    field = CONTAINERS.get(kind)
    first, last = node.text("pageStart"), node.text("pageEnd")
    entry: dict[str, Any] = {
        "kind": title.with_text(kind),
        "title": title,
        "authors": authors(node),
        "editors": node.texts("editor"),
        "date": parse_date(node.text("datePublished", "dateCreated", "dcterms:date")),
        "pages": first.with_text(f"{first}-{last}") if first and last else node.text("pagination"),
        "publisher": node.text("publisher"),
        "abstract": node.text("abstract"),
        "url": next((each for each in node.texts("url") if is_web_address(each)), None),
        "doi": doi_of(node),
        "isbn": node.text("isbn"),
        "license": node.text("license"),
        "keywords": node.texts("keywords"),
    }
    if field:
        entry[field] = node.text("cv:venue", "isPartOf")
    state = node.text("creativeWorkStatus")
    if state and (status := status_in(state)) and status != "published":
        entry["status"] = state.with_text(status)
    node.skip("name", "headline", *SIGNERS, "creativeWorkStatus")
    return without_empty(entry)


def doi_of(node: RdfNode) -> Value | None:
    numbers = [value for each in node.nodes_at("identifier") for value in each.texts("value")]
    for each in (*node.texts("sameAs", "identifier", "bibo:doi"), *numbers):
        if found := DOI.search(each):
            return each.with_text(found[1])
    return None


def authors(node: RdfNode) -> list[Value]:
    """The names of authors in order, as printed if the graph says so."""
    signatures = [each for each in node.nodes_at("creator", "author") if "ListItem" in each.types]
    signatures.sort(key=lambda each: list_position(each.text("position")))
    printed = [each.text("alternateName", "creator", "item") for each in signatures]
    for each in signatures:
        each.skip("creator", "item", "roleName", "alternateName", "position")
    names = printed or node.texts(*SIGNERS)
    return [*dict.fromkeys(name for name in names if name and not is_web_address(name))]


def list_position(position: Value | None) -> int:
    return int(position) if position and position.isdecimal() else 0
