"""Reads `data/site.yaml`: address, title and settings of the site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from kg import doors
from kg.advice.explain import problems_of, unknown_sections
from kg.errors import Place, Problem
from kg.facts.models.base import EMPTY, Short
from kg.facts.values.dates import Date
from kg.facts.values.identifiers import License, check_address
from kg.facts.values.languages import Tag
from kg.facts.values.prose import Prose
from kg.facts.values.terms import term, unmapped, withheld
from kg.facts.values.text import INVALID_IN_IRI, Listed, Text, WebAddress
from kg.facts.yaml.reader import faults_in, read
from kg.facts.yaml.rows import Row
from kg.files.disk import fault_of
from kg.settings import SITE_FILE, Joined, Moved, Site, Vocabulary, Withdrawn, site_file
from kg.text.nearest import did_you_mean
from kg.vocab import ALL_PREFIXES, LOCAL, schema

PREFIX = re.compile(r"[A-Za-z](?:[\w.-]*[\w-])?", re.ASCII)
REPOSITORY = re.compile(
    r"https?://(?:www\.)?(github|gitlab)\.com/([^/]+)/?(?:([^/]+?)(?:\.git)?(?:/.*)?)?$",
    re.IGNORECASE,
)
NAMESPACE = re.compile(
    r"""https?://[^/#\s<>"{}|\\^`]+(?:[/#?][^\s<>"{}|\\^`]*)?(?<=[/#])|urn:[^\s<>"{}|\\^`]+[:/#]"""
)


def check_base(address: WebAddress) -> WebAddress:
    if repository := REPOSITORY.match(address):
        forge, owner, name = repository.groups()
        host = f"{owner.lower()}.{forge}.io"
        folder = "" if name is None or name.lower() == host else f"{name}/"
        raise PydanticCustomError(
            "bad-base",
            f"{address!r} is the address of a repository. Its site has the address of its pages, "
            f"e.g. https://{host}/{folder}.",
        )
    if not address.endswith("/") or "?" in address or "#" in address:
        raise PydanticCustomError(
            "bad-base",
            f"{address!r} is not a base address. It must end in '/' and have no '?' or '#', e.g. "
            "https://cv.example.org/.",
        )
    return address


class Withdrawal(Short):
    """An address that was published and is gone for good. Its reason and date are published."""

    short = "address"

    address: Annotated[
        str, AfterValidator(check_address), unmapped("requests for it get the status 410")
    ]
    reason: Annotated[Text | None, unmapped("published with the status")] = None
    date: Annotated[Date | None, unmapped("published with the status")] = None


class JoinedSite(Short):
    """A site whose facts `kg join` adds to this one."""

    short = "site"

    site: Annotated[Text, unmapped("its address, a built folder, or a dump")]
    base: Annotated[
        WebAddress | None,
        AfterValidator(check_base),
        "The base of its addresses, if they begin with another address.",
        unmapped("its entries have addresses below it"),
    ] = None
    trusted: Annotated[
        list[Text],
        Listed,
        "The kinds of entries it is trusted for: [people, publications]. Default: all.",
        unmapped("of other entries only the names and identifiers are used"),
    ] = EMPTY
    consent: Annotated[
        Text | None, "How and when it agreed.", unmapped("a note that is not published")
    ] = None


class VocabularyEntry(Short):
    """A vocabulary for the site's own Turtle. Without `terms`, all of its terms can be used."""

    short = "namespace"

    namespace: Annotated[
        Text | None,
        "The namespace, e.g. http://purl.org/ontology/bibo/; optional for schema, foaf and "
        "other known prefixes.",
        unmapped("the beginning of all its terms"),
    ] = None
    terms: Annotated[
        list[Text],
        Listed,
        "The properties and classes that you use, without prefix: [doi, Article].",
        unmapped("other terms are reported"),
    ] = EMPTY


FormerAddress = Annotated[str, AfterValidator(check_address)]


class SiteFile(BaseModel):
    """Address, title and settings of the site."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    base: Annotated[
        WebAddress,
        AfterValidator(check_base),
        unmapped("the address of the site, with which all its addresses begin"),
    ]
    title: Annotated[Text, term(schema.name)]
    description: Annotated[Prose | None, term(schema.description)] = None
    language: Annotated[
        Tag | None,
        "The language tag of the CVs, e.g. en.",
        unmapped("pages show texts in this language first"),
    ] = None
    modified: Annotated[Date | None, term(schema.dateModified)] = None
    license: Annotated[License | None, term(schema.license)] = None
    contact: Annotated[Text | None, unmapped("where to send corrections; shown on every page")] = (
        None
    )
    visibility: Annotated[
        dict[str, Literal["public", "private"]],
        unmapped("the visibility of sections in all CVs: `{talks: private}`"),
    ] = {}
    withdrawn: Annotated[
        list[Withdrawal],
        Listed,
        unmapped("addresses that are gone for good: `people/ada`, or `{address, reason, date}`"),
    ] = []
    moved: Annotated[
        dict[FormerAddress, FormerAddress],
        unmapped(
            "redirects from corrected addresses of inline entities: "
            "`{orgs/charls-university: orgs/charles-university}`"
        ),
    ] = {}
    vocabularies: Annotated[
        dict[str, VocabularyEntry],
        unmapped(
            "additional terms for the site's own Turtle, by prefix: `{geo: "
            "http://www.w3.org/2003/01/geo/wgs84_pos#, schema: {terms: [latitude]}}`"
        ),
    ] = {}
    joined: Annotated[
        list[JoinedSite],
        Listed,
        withheld("sites whose facts `kg join` adds, the most trusted first"),
    ] = []
    files: Annotated[
        dict[str, bool],
        unmapped(
            "files beside pages: `{pdf: true}` adds a PDF of each CV to a build, "
            "`{preview: false}` leaves out the images that other sites show with links, and "
            "`{vcard: false}` the vCards"
        ),
    ] = {}


def read_site(
    folder: Path, unsaved: Row | bytes | None = None
) -> tuple[Site | None, list[Problem]]:
    """Reads and validates `data/site.yaml`. `unsaved` replaces the content on disk."""
    name = str(SITE_FILE)
    row: Row | None
    if isinstance(unsaved, Row):
        row, problems = unsaved, faults_in(unsaved)
    elif unsaved is None and (fault := fault_of(path := site_file(folder))):
        return None, [Problem(Place(name), "error", fault, "unreadable-file")]
    else:
        row, problems = read(name, path.read_bytes() if unsaved is None else unsaved)
    if row is None:
        return None, problems
    try:
        content = SiteFile.model_validate(row)
    except ValidationError as error:
        return None, problems + problems_of(error, row, SiteFile)
    problems += unknown_sections(row)
    vocabularies, wrong = read_vocabularies(content, row)
    problems += wrong
    withdrawn = tuple(
        Withdrawn(
            each.address,
            each.reason,
            each.date.iso if each.date else None,
            row.at("withdrawn", number),
        )
        for number, each in enumerate(content.withdrawn)
    )
    site = Site(
        folder,
        content.base,
        content.title,
        content.description or "",
        modified=content.modified.iso if content.modified else None,
        license=content.license,
        contact=content.contact,
        visibility=content.visibility,
        withdrawn=withdrawn,
        language=content.language,
        moved=tuple(Moved(old, new, row.at("moved", old)) for old, new in content.moved.items()),
        vocabularies=tuple(vocabularies),
        files=content.files,
        joined=tuple(
            Joined(each.site, each.base or "", tuple(each.trusted), each.consent or "")
            for each in content.joined
        ),
    )
    return site, problems + sorted(unknown_files(content, row))


def unknown_files(content: SiteFile, row: Row) -> Iterator[Problem]:
    known = doors.installed("kg.page_files")
    for name in content.files.keys() - known.keys():
        hint = did_you_mean(name, known, f"Known: {', '.join(sorted(known))}.")
        message = f"files: there is no plugin '{name}'. {hint}"
        yield Problem(row.at("files", name), "error", message, "unknown-field")


def read_vocabularies(content: SiteFile, row: Row) -> tuple[list[Vocabulary], list[Problem]]:
    """Returns the valid vocabularies, and the problems of the others."""
    found: list[Vocabulary] = []
    problems: list[Problem] = []
    known = dict(ALL_PREFIXES)
    for prefix, entry in content.vocabularies.items():
        namespace = entry.namespace or known.get(prefix, "")
        if wrong := wrong_namespace(prefix, namespace, known):
            place = row.at("vocabularies", prefix)
            problems.append(Problem(place, "error", f"vocabularies.{wrong}", "bad-vocabulary"))
            continue
        known[prefix] = namespace
        found.append(Vocabulary(prefix, namespace, tuple(entry.terms)))
        for number, name in enumerate(entry.terms):
            if not LOCAL.fullmatch(name):
                last = re.split(r"[:/#]", name)[-1]
                hint = f"Write '{last}'." if LOCAL.fullmatch(last) else "Write e.g. 'doi'."
                place = row.at("vocabularies", prefix, "terms", number)
                message = (
                    f"vocabularies.{prefix}: {name!r} is not a term without its prefix. {hint}"
                )
                problems.append(Problem(place, "error", message, "bad-vocabulary"))
    return found, problems


def wrong_namespace(prefix: str, namespace: str, known: Mapping[str, str]) -> str:
    """Why a prefix cannot be used for a namespace; `known` has those in use."""
    other = next((each for each, taken in known.items() if taken == namespace), prefix)
    if not PREFIX.fullmatch(prefix):
        return f"{prefix}: this is not a valid prefix. Use letters and digits, e.g. 'geo'."
    if prefix in known and namespace != known[prefix]:
        return f"{prefix}: this prefix is already used for {known[prefix]}. Choose another one."
    if not namespace:
        hint = did_you_mean(prefix, known, f"Write '{prefix}: http://…'.")
        return f"{prefix}: the namespace is missing. {hint}"
    if not NAMESPACE.fullmatch(namespace) or INVALID_IN_IRI.search(namespace):
        return (
            f"{prefix}: {namespace!r} is not a namespace. Write an address that ends in '#' or "
            "'/', e.g. http://purl.org/ontology/bibo/."
        )
    if other != prefix:
        return f"{prefix}: {namespace} already has the prefix '{other}'. Use '{other}'."
    is_secure = namespace == "https://schema.org/"
    return (
        (f"{prefix}: terms of schema.org begin with {schema}. Write http instead of https.")
        if is_secure
        else ""
    )
