"""Typed links of a document: to its other formats, its address, its authors, its list and licence.

The same links are written in three ways: the Link header, elements in the head of the page, and a
document of its own, the linkset (RFC 9264). The relations are those of FAIR signposting
(https://signposting.org/FAIR/): a page is the landing page of its subject, and the data formats are
its metadata. Header and elements have relative addresses, which RFC 8288 resolves against the
request, so that they work behind any proxy and in any folder. A linkset can be copied to other
places, so its addresses are absolute.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from kg.graph.describe import Description
from kg.mapping import iris
from kg.publish.formats.jsonld import Json
from kg.publish.formats.media import (
    ATOM,
    DATA_SUFFIXES,
    DUMP_SUFFIXES,
    HTML,
    JSON,
    LINKSET,
    LINKSET_SUFFIX,
    PAGE_SUFFIXES,
    TURTLE,
    name_of,
)
from kg.publish.formats.urls import TypedLink, ascii_url, file_of, relative
from kg.settings import Site
from kg.vocab import cv, rdf, schema

MAX_HEADER_BYTES = 4000  # bytes; the linkset has all links
FEED = "feed.xml"
ABSOLUTE_RELATIONS = ("canonical", "cite-as")  # identify the document wherever it is served
DESCRIBING = ("describedby", "describes")
PAGE_ONLY_RELATION = "meta"  # for FOAF autodiscovery; not registered for headers
DOI = "https://doi.org/"
ABOUT_PAGE = "https://schema.org/AboutPage"  # links to schema.org pages use https
FAMILIES = {
    schema.CreativeWork,
    schema.Event,
    schema.ItemList,
    schema.Organization,
}  # too general if there is a more specific class


def of_form(
    site: Site,
    description: Description,
    form: str,
    suffixes: Mapping[str, str] = PAGE_SUFFIXES,
    added: Collection[str] = (),
) -> Iterator[TypedLink]:
    """The links of one format of a document, most important first; `suffixes` are the available
    formats, `added` the files of plugins.
    """
    address = iris.path_of(site.base, description.document) or ""
    page = description.canonical(site.base) if form == HTML else description.document
    yield TypedLink("canonical", page)
    for suffix, media_type in suffixes.items():
        if media_type != form:
            is_data = form == HTML and suffix in DATA_SUFFIXES
            rel = "describes" if media_type == HTML else "describedby" if is_data else ""
            yield TypedLink(
                f"alternate {rel}".strip(),
                site.base + file_of(address, suffix),
                media_type,
                name_of(media_type, suffix),
            )
    yield TypedLink("linkset", site.base + file_of(address, LINKSET_SUFFIX), LINKSET)
    if licence := licence_of(site, description):
        yield TypedLink("license", licence)
    if form == HTML:
        yield from of_page(site, description, suffixes, added)


def of_page(
    site: Site, description: Description, suffixes: Mapping[str, str], added: Collection[str]
) -> Iterator[TypedLink]:
    """A DOI is `related`: it identifies the work, while this page about it is cited by its own
    address.
    """
    document, base = description.document, site.base
    kinds = description.values(rdf.type, document)
    is_list = schema.CollectionPage in kinds
    yield TypedLink("cite-as", document)
    yield TypedLink("type", "https://schema.org/CollectionPage" if is_list else ABOUT_PAGE)
    if document == base:
        yield from of_dataset(site, added)
        return
    things = description.values(rdf.type)
    for kind in [] if is_list else [kind for kind in things if kind not in FAMILIES] or things:
        if kind.startswith(str(schema)):
            yield TypedLink("type", kind.replace("http:", "https:", 1))
    if cv.Owner in things:
        if ".ttl" in suffixes:
            yield TypedLink(PAGE_ONLY_RELATION, f"{document}.ttl", TURTLE, "FOAF")
        yield TypedLink("author", document)
    if document == f"{base}publications/":
        yield feed(site)
    if description.value(schema.mainEntity, document) and not is_list:
        yield TypedLink("collection", document.rpartition("/")[0] + "/")
    yield from (
        TypedLink("related", address)
        for address in description.values(schema.sameAs)
        if address.startswith(DOI)
    )
    yield from (TypedLink("author", iris.document_of(person)) for person in authors(description))
    yield from (
        TypedLink("item", iris.document_of(thing))
        for thing in description.values(schema.itemListElement)
        if is_list
    )


def of_dataset(site: Site, added: Collection[str]) -> Iterator[TypedLink]:
    """The home page is also the landing page of the dataset; the dumps are its content."""
    yield TypedLink("type", "https://schema.org/Dataset")
    if "openapi.json" in added:
        yield TypedLink("service-desc", f"{site.base}openapi.json", JSON, "OpenAPI")
        yield TypedLink("service-doc", f"{site.base}api.html", HTML, "API")
    yield feed(site)
    yield from (
        TypedLink("item", f"{site.base}dump{suffix}", media_type)
        for suffix, media_type in DUMP_SUFFIXES.items()
    )
    yield TypedLink("describedby", f"{site.base}void.ttl", TURTLE, "VoID and DCAT")


def of_dump(site: Site) -> list[TypedLink]:
    licence = [TypedLink("license", site.license)] if site.license else []
    return [
        TypedLink("collection", site.base, HTML),
        TypedLink("describedby", f"{site.base}void.ttl", TURTLE),
        *licence,
    ]


def feed(site: Site) -> TypedLink:
    return TypedLink("alternate", site.base + FEED, ATOM, f"New works · {site.title}")


def licence_of(site: Site, description: Description) -> str | None:
    return description.value(schema.license, description.document) or site.license


def authors(description: Description) -> list[str]:
    """The authors of a work, in order."""
    found = {
        term.value: int(node[schema.position][0].value)
        for node in description.nodes.values()
        if schema.creator in node and schema.position in node
        for term in node[schema.creator]
    }
    return sorted(
        description.values(schema.author),
        key=lambda person: (found.get(person, len(found) + 1), person),
    )


def of_file(
    site: Site,
    path: str,
    origin: str,
    form: str = "",
    description: Description | None = None,
    suffixes: Mapping[str, str] = PAGE_SUFFIXES,
    added: Collection[str] = (),
) -> list[TypedLink]:
    """The links of the file at a path, for its header or the head of its page: a format of a
    document, a dump, or a description of the dataset.
    """
    found: Iterable[TypedLink] = ()
    if description:
        found = of_form(site, description, form, suffixes, added)
    elif origin == "dump":
        found = of_dump(site)
    elif origin == "void":
        found = [TypedLink("describes", site.base, HTML)]
    return seen_from(site, path, found)


def seen_from(site: Site, path: str, links: Iterable[TypedLink]) -> list[TypedLink]:
    """Links relative to the file at a path; a document is linked as its page."""
    return [
        link
        if link.rel in ABSOLUTE_RELATIONS
        else replace(link, target=relative(site.base, link.target, path))
        for link in within_header(links)
    ]


def in_linkset(linkset: Json, iri: str) -> Iterator[TypedLink]:
    """The links of one file in a linkset, without titles. A target that is both an alternate and
    the description of the page is one link.
    """
    contexts = (each for each in linkset["linkset"] if each["anchor"] == ascii_url(iri))
    relations = dict(next(contexts, {"anchor": iri}))
    del relations["anchor"]
    others = {link["href"]: rel for rel in DESCRIBING for link in relations.get(rel, ())}
    alternates = {link["href"] for link in relations.get("alternate", ())}
    for rel, links in sorted(relations.items(), key=lambda item: item[0] in DESCRIBING):
        for link in links:
            target, media_type = link["href"], link.get("type", "")
            if rel == "alternate":
                yield TypedLink(f"{rel} {others.get(target, '')}".strip(), target, media_type)
            elif rel not in DESCRIBING or target not in alternates:
                yield TypedLink(rel, target, media_type)


def within_header(links: Iterable[TypedLink]) -> list[TypedLink]:
    """As many links as fit into a header. A relation is complete or left out: half of the authors
    would be wrong.
    """
    groups: dict[str, list[TypedLink]] = defaultdict(list)
    for link in links:
        groups[link.rel].append(link)
    taken: list[TypedLink] = []
    for group in groups.values():
        if len(header([*taken, *group])) <= MAX_HEADER_BYTES:
            taken += group
    return taken


def header(links: Iterable[TypedLink]) -> str:
    """Without titles, which can contain characters that a header does not allow."""
    return ", ".join(
        f'<{ascii_url(link.target)}>; rel="{link.rel}"'
        + (f'; type="{link.type}"' if link.type else "")
        for link in links
        if link.rel != PAGE_ONLY_RELATION
    )


def linkset(base: str, contexts: Mapping[str, Iterable[TypedLink]]) -> bytes:
    """The links of a document in all formats, as a linkset; one line per context."""
    found = []
    for context, links in contexts.items():
        by_relation: dict[str, list[dict[str, str]]] = defaultdict(list)
        for link in links:
            for rel in link.rel.split() if link.rel != PAGE_ONLY_RELATION else ():
                by_relation[rel].append(
                    {"href": ascii_url(link.target), **({"type": link.type} if link.type else {})}
                )
        found.append(
            json.dumps({"anchor": ascii_url(base + context), **by_relation}, separators=(",", ":"))
        )
    return ('{"linkset":[\n' + ",\n".join(found) + "\n]}\n").encode()
