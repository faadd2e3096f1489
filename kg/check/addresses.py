"""Checks that published addresses stay valid.

Each build lists all addresses that were ever published; the next check compares its addresses with
that list. People and works that are missing must have been renamed (`was`) or withdrawn. Other
entries come and go with what mentions them. An old address must not be in use, and is claimed only
once.

The address of an inline name is made from the name, so correcting the name changes the address.
Only the author knows whether a new name is the same entity, so no successor is guessed: the author
writes 'moved' in data/site.yaml. Redirects of the last build stay in force without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from urllib.parse import urlsplit

from pyoxigraph import Literal

from kg.check.images import ImageFile, find_fault, is_image, named_images
from kg.check.places import locate, place_of
from kg.check.redirects import REDIRECTS, Redirects, is_example, is_list, permanent
from kg.errors import Place, Problem
from kg.facts.models import REGISTRIES
from kg.files.cache import Cache
from kg.files.disk import leads_out, walk
from kg.graph.build import Graph, Publishable
from kg.mapping import iris, origins
from kg.settings import FOLDERS, Moved, Site
from kg.store.protocol import Store
from kg.text.markdown import links_in
from kg.text.nearest import closest_are
from kg.vocab import schema

# Formats of cameras and scanners, which are published unchanged.
WITH_METADATA = (".heic", ".heif", ".avif", ".tif", ".tiff", ".jxl", ".dng")
MAX_LISTED = 20  # addresses in one message
LASTING = ("people", "publications", "patents")  # losing one of these is probably a mistake


def document_paths(graph: Publishable) -> set[str]:
    """The paths of all documents of the site."""
    return {iris.path_of(graph.site.base, document) or "" for document in graph.memory.documents()}


def find_redirects(site: Site, store: Store, living: Set[str]) -> Redirects:
    """The redirects in the graph, where an entry is schema:sameAs its old address; private entries
    are not in the graph. `living` are the existing documents.
    """
    moved = {}
    query = f"""SELECT ?new ?old WHERE {{
        ?new <{schema.sameAs}> ?old
        FILTER(STRSTARTS(STR(?old), {Literal(site.base)}) && STRENDS(STR(?old), "#it"))
    }} ORDER BY DESC(STR(?new))"""
    for row in store.select(query):
        new, old = (iris.path_of(site.base, row[name].value) or "" for name in ("new", "old"))
        if old not in living:
            moved[old] = new
    further = {each.old: each.new for each in site.moved}
    for old, target in further.items():
        new = target
        for _ in further:  # follow chains of redirects
            if new not in further:
                break
            new = further[new]
        if old not in living and new in living:
            moved[old] = new
    withdrawn = {each.address: each for each in site.withdrawn if each.address not in living}
    return Redirects(dict(sorted(moved.items())), withdrawn)


def problems(graph: Graph) -> Iterator[Problem]:
    """Old addresses that are still in use or claimed twice."""
    living = document_paths(graph)
    known = graph.facts.notes.addresses
    entries = {f"{kind}/{slug}": entry.place for (kind, slug), entry in known.items()}
    claimed: dict[str, Place] = {}

    def claim(address: str, place: Place, statement: str, use: Place | None) -> Iterator[Problem]:
        if use:
            message = f"{statement}, but it is in use ({use}). Remove this line, or that entry."
            yield Problem(place, "error", message, "address-in-use", (use,))
        if other := claimed.get(address):
            yield Problem(
                place,
                "error",
                f"{statement}, but {other} also claims it. Remove one of the two.",
                "address-twice",
                (other,),
            )
        claimed.setdefault(address, place)

    for entry in known.values():
        for iri, place in entry.was:
            address = iris.document_of(iri)
            use = entries.get(address) or (
                place_of_document(graph, address) if address in living else None
            )
            statement = f"{entry.label}: 'was' says that the old address was {address}"
            yield from claim(address, place, statement, use)
    for gone in graph.site.withdrawn:  # a private entry may keep the key
        use = place_of_document(graph, gone.address) if gone.address in living else None
        yield from claim(gone.address, gone.place, f"'withdrawn' lists {gone.address}", use)
    redirects = find_redirects(graph.site, graph.memory, living)
    for old, new, place in graph.site.moved:
        use = place_of_document(graph, old) if old in living else None
        yield from claim(old, place, f"'moved' says that {old} is now {new}", use)
        if not use and old not in redirects.moved:
            message = f"'moved' says that {old} is now {new}, which does not exist. Correct it."
            yield Problem(place, "error", message, "address-gone")


def missing_files(graph: Graph) -> Iterator[Problem]:
    """Files in `static/` that facts refer to and that do not exist."""
    top = f"{graph.site.base}static/"
    rows = graph.memory.select(f"""SELECT DISTINCT ?thing ?path ?file WHERE {{
        VALUES ?path {{ <{schema.image}> <{schema.contentUrl}> <{schema.url}> }}
        ?thing ?path ?file FILTER(STRSTARTS(STR(?file), {Literal(top)}))
    }} ORDER BY ?thing ?file""")
    for row in rows:
        thing, name = row["thing"].value, row["file"].value.removeprefix(top)
        if not (graph.site.folder / "static" / name).is_file():
            found = locate(graph, thing, row["path"].value, row["file"].value)
            place = found[0] if found else place_of_document(graph, iris.document_of(thing))
            message = f"static/{name} does not exist. Add the file, or correct its name."
            yield Problem(place, "warning", message, "missing-file")


def unfit_images(graph: Graph, cache: Cache) -> Iterator[Problem]:
    """Images in `static/` that cannot be published, and images whose metadata would be
    published.
    """
    folder = graph.site.folder / "static"
    files = [folder / name for name in walk(folder, sys.maxsize).files if "/" not in name]
    named = named_images(graph.memory, graph.site.base) if any(map(is_image, files)) else {}
    images = [
        ImageFile(each, each.name in named)
        for each in files
        if is_image(each) and not leads_out(each, graph.site.folder)
    ]
    for image, fault in zip(images, cache.map(find_fault, images), strict=True):
        if fault:
            name = image.path.name
            address, thing = f"{graph.site.base}static/{name}", named.get(name)
            found = locate(graph, thing, schema.image, address) if thing else None
            place = found[0] if found else Place(f"static/{name}")
            message = f"{fault} Replace static/{name}, or remove it."
            yield Problem(place, "error", message, "bad-picture")
    for file in files:
        if file.suffix.lower() in WITH_METADATA:
            message = (
                "An image in this format is published with its metadata, which may include the "
                "GPS position. Save it as JPEG, PNG or WebP."
            )
            yield Problem(Place(f"static/{file.name}"), "warning", message, "bad-picture")


def dead_links(graph: Graph) -> Iterator[Problem]:
    """Links in prose to documents or `static/` files that do not exist."""
    base, living = graph.site.base, document_paths(graph)
    rows = graph.memory.select(f"""SELECT DISTINCT ?thing ?path ?text WHERE {{
        VALUES ?path {{ <{schema.description}> <{schema.abstract}> }}
        ?thing ?path ?text FILTER(CONTAINS(STR(?text), "]("))
    }} ORDER BY ?thing ?text""")
    for row in rows:
        thing = row["thing"].value
        for link in links_in(row["text"].value):
            address = link.removeprefix(base).partition("#")[0]
            top = address.partition("/")[0]
            is_file = top in FOLDERS and (graph.site.folder / address).is_file()
            if ":" in top or address in living or is_file or address.endswith(".html"):
                continue
            hint = closest_are(address, living, "Correct it.")
            path = row["path"].value
            found = origins.locate_value(
                graph.origins, base, thing, address, path, part=True
            ) or locate(graph, thing, path, row["text"].value)
            place = found[0] if found else place_of_document(graph, iris.document_of(thing))
            message = f"The link to {address} is broken: this site has no such page. {hint}"
            yield Problem(place, "error", message, "dead-link", part=address)


def place_of_document(graph: Graph, address: str) -> Place:
    """The place that describes a document."""
    return place_of(graph, f"{graph.site.base}{address}#it")


def published(previous: Path) -> list[str]:
    """The addresses in the list of an earlier build; empty if there is no list."""
    if not previous.is_file():
        return []
    return previous.read_text(encoding="utf-8", errors="replace").splitlines()


def missing_addresses(graph: Graph, previous: Path) -> Iterator[Problem]:
    """Addresses that are in the list of an earlier build but not in this one."""
    lines = published(previous)
    living = document_paths(graph)
    left = permanent(living, find_redirects(graph.site, graph.memory, living))
    base, file = graph.site.base, os.path.relpath(previous, graph.site.folder)
    if lines and lines[0] != base:
        if not is_example(lines[0]):
            message = (
                f"The previous build has the base {lines[0]}, this one has {base}. If the site "
                f"has moved, redirect {lines[0]} there. If not, correct 'base' in data/site.yaml."
            )
            yield Problem(Place(file), "warning", message, "address-gone")
        return
    renamed = {
        iris.document_of(iri): (key, entry.place)
        for key, entry in graph.facts.notes.addresses.items()
        for iri, _ in entry.was
    }
    gone = {
        line.removeprefix(base): Place(file, number)
        for number, line in enumerate(lines, 1)
        if line.removeprefix(base) not in left
    }
    passing = [each for each in gone if each not in renamed and is_passing(each)]
    if passing:
        message = (
            f"Addresses that are no longer in use: {listed(passing)}. If one was renamed, write "
            f"e.g. 'moved: {{{passing[0]}: {passing[0].partition('/')[0]}/KEY}}' in data/site.yaml."
        )
        yield Problem(gone[passing[0]], "info", message, "address-withdrawn")
    for address in [each for each in gone if each not in passing]:
        kind, _, slug = address.partition("/")
        if address in renamed:
            key, place = renamed[address]
            remedy = (
                f"It is now {'/'.join(key)} ({place}), but that is private, or nothing refers to "
                "it."
            )
        else:
            remedy = (
                f"If it was renamed, write 'was: {slug}' in its entry, or, if it has none, "
                f"'moved: {{{address}: {kind}/KEY}}' in data/site.yaml."
            )
        message = (
            f"{address} was published and is missing now. {remedy} If you removed it on purpose, "
            f"add {address} to 'withdrawn' in data/site.yaml."
        )
        yield Problem(gone[address], "error", message, "address-gone")


def is_passing(address: str) -> bool:
    """Whether an entry exists only as long as something mentions it."""
    kind = address.partition("/")[0]
    return kind in REGISTRIES and kind not in LASTING


def listed(addresses: Sequence[str]) -> str:
    more = f", and {len(addresses) - MAX_LISTED} more" if len(addresses) > MAX_LISTED else ""
    return ", ".join(addresses[:MAX_LISTED]) + more


def previous_redirects(graph: Graph, previous: Path) -> Iterator[Moved]:
    """The redirects of the last build whose old address is used nowhere now. `previous` is the
    list of addresses in the folder of that build.
    """
    path, base = previous.with_name(REDIRECTS), graph.site.base
    if not path.is_file():
        return
    living, root = document_paths(graph), urlsplit(base).path
    current = find_redirects(graph.site, graph.memory, living)
    gone = {line.removeprefix(base) for line in published(previous)} - permanent(living, current)
    file = os.path.relpath(path, graph.site.folder)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.endswith((" 301", " 302")):
            continue
        old, new = (each.removeprefix(root) for each in line.split()[:2])
        target = current.moved.get(new, new)
        if old in gone and target in living:
            yield Moved(old, target, Place(file, number))


def report_previous(kept: Sequence[Moved]) -> Iterator[Problem]:
    """One problem with the lines to write for all redirects of the last build; those to lists need
    none.
    """
    kept = [each for each in kept if not is_list(each.new)]
    if kept:
        pairs = listed([f"{each.old}: {each.new}" for each in kept])
        message = (
            "Addresses redirect as in the previous build. To keep the redirects without that "
            f"build, write 'moved: {{{pairs}}}' in data/site.yaml."
        )
        yield Problem(kept[0].place, "warning", message, "address-moved")
