"""Verifies a published site from its files alone: a folder or a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from pydantic import ValidationError
from pyoxigraph import RdfFormat, Triple, parse

from kg.errors import Problem
from kg.graph.describe import Description
from kg.plugins.changes.change_log import LOG, RELEASES, still_true
from kg.plugins.verify.server import (
    CONNECTIONS,
    TESTED_DOCUMENTS,
    HttpBehaviour,
    SiteServer,
    unpacks_to,
)
from kg.publish.document import ABOUT, ALL, DUMP, WELL_KNOWN
from kg.publish.formats.media import (
    DUMP_SUFFIXES,
    LINKSET_SUFFIX,
)
from kg.publish.formats.urls import file_of
from kg.publish.hosting.built_folder import about_lines, questions_in
from kg.publish.pages.question_page import ANSWER_SUFFIXES, LIST, suffixes
from kg.publish.questions.questions import SiteAnswers, answer_file
from kg.publish.verify.graphs import (
    PACKED,
    Triples,
    dump_faults,
    fault,
    short,
)
from kg.publish.verify.judge import DOCUMENT_LISTS, DocumentVerification, Judge
from kg.publish.verify.listing import SiteListing
from kg.publish.verify.source import Evidence, SiteSource
from kg.publish.verify.verify import Verification, choose, conclude, wrong_between

OTHERS = (
    "format.html",
    "sparql.html",
    "queries/index.html",
    "404.html",
)  # without a list of files


READ_AHEAD = 64  # documents to read ahead


def verify_site(
    source: SiteSource,
    sample: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
    besides: Callable[[SiteSource], Iterable[Problem]] = lambda source: (),
) -> Verification:
    """`sample` verifies that many documents, always the same ones; 0 means all. `besides` adds
    further problems.
    """
    listing = SiteListing(source)
    judge, chosen = Judge(listing), choose(listing.addresses, sample)
    is_complete = len(chosen) == len(listing.addresses)
    problems: list[Problem] = []
    evidence: dict[str, Evidence] = {}
    facts, rest, lost = set[Triple](), set[Triple](), set[Triple]()
    for read, found in enumerate(judged(judge, chosen), 1):
        problems += found.faults
        evidence |= found.evidence
        facts |= found.own - found.rest
        rest |= found.own & found.rest
        lost |= found.lost
        progress(read, len(chosen))
    problems += wrong_whole(listing)
    problems += wrong_description(source)
    if is_complete:
        problems += wrong_dumps(source, listing.base, frozenset(facts), frozenset(lost))
    graph = frozenset(facts | rest)
    problems += wrong_copies(listing, is_complete)
    for file in other_files(listing):
        if (body := source.get(file)) is not None:
            evidence[file], faults = judge.file(file, body)
            problems += faults
    manners: dict[str, None] = {}
    if isinstance(source, SiteServer):
        tried = HttpBehaviour(source, listing)
        problems += tried.faults(choose(chosen, TESTED_DOCUMENTS))
        manners = tried.shown
    problems += wrong_between(judge, evidence, graph)
    if is_complete and not any(problem.severity == "error" for problem in problems):
        problems += wrong_answers(listing)
        problems += wrong_changes(listing)
    problems += besides(source)
    return conclude(listing, len(chosen), evidence, problems, tuple(manners))


def judged(judge: Judge, addresses: list[str]) -> Iterator[DocumentVerification]:
    """Reads ahead with a few threads; verifies in this one."""
    listing, source = judge.listing, judge.source
    listed = frozenset(listing.files)

    def files(address: str) -> dict[str, bytes | None]:
        has_linkset = file_of(address, LINKSET_SUFFIX) in listed
        suffixes = [*listing.suffixes, *([LINKSET_SUFFIX] if has_linkset else [])]
        return {suffix: source.get(file_of(address, suffix)) for suffix in suffixes}

    waiting = iter(addresses)
    with ThreadPoolExecutor(1 if listed else CONNECTIONS) as pool:
        while portion := list(islice(waiting, READ_AHEAD)):
            for address, bodies in zip(portion, pool.map(files, portion), strict=True):
                found = judge.document(address, bodies)
                judge.markdown(found, bodies)
                yield found


def other_files(listing: SiteListing) -> list[str]:
    """Pages that are not documents, such as the query form, and files that list documents for
    programs.
    """
    documents = {file_of(address, ".html") for address in listing.addresses}
    pages = [path for path in listing.files or OTHERS if path.endswith(".html")]
    return [*(path for path in pages if path not in documents), *DOCUMENT_LISTS]


def wrong_answers(listing: SiteListing) -> Iterator[Problem]:
    """Answer files that differ from the answer over the dump."""
    source, base = listing.source, listing.base
    quads = list(parse(source.get(ABOUT) or b"", RdfFormat.TURTLE, base_iri=base))
    number = len(listing.addresses)
    dump = listing.dump
    answers = SiteAnswers(base, lambda: (dump.facts.nquads, dump.rest.nquads + listing.about))
    for question in questions_in(Description(f"{base}void#it", quads, {}), base):
        for suffix in () if question.needed else suffixes(question, is_served=False):
            path = f"{LIST}{question.name}{suffix}"
            body = source.get(path)
            if body is None:  # large sites have none
                continue
            if body != answer_file(answers.ask, question, ANSWER_SUFFIXES[suffix], base, number):
                message = f"This answer to the question {question.name} does not match {DUMP}."
                yield fault("answer", source.name(path), message)


def wrong_whole(listing: SiteListing) -> Iterator[Problem]:
    """A file with everything whose facts or description differ from their own files."""
    source, name = listing.source, listing.source.name(ALL)
    if not source.has(ALL):
        yield fault("missing", name, f"This dump is missing: {source.why(ALL)}.")
        return
    if not listing.is_whole:
        yield fault("dump", name, f"The facts in this file differ from {DUMP}.")
    about = source.get(ABOUT)
    try:
        quads = parse(about or b"", RdfFormat.TURTLE, base_iri=listing.base)
        described = {*about_lines(quads, listing.base).splitlines()}
    except (SyntaxError, ValueError):
        return  # reported as a file
    if about is not None and described != {*listing.about.splitlines()}:
        yield fault("dump", name, f"The description in this file differs from {ABOUT}.")


def wrong_description(source: SiteSource) -> Iterator[Problem]:
    """The copy of the description where `kg join` and other programs look for it."""
    name, found = source.name(WELL_KNOWN), source.get(WELL_KNOWN)
    if found is None:
        message = (
            f"The description of the site is missing: {source.why(WELL_KNOWN)}. Upload hidden "
            "files (their names start with a dot), too."
        )
        yield fault("missing", name, message)
    elif found != source.get(ABOUT):
        yield fault("description", name, f"This is not the description in {ABOUT}.")


def wrong_changes(listing: SiteListing) -> Iterator[Problem]:
    """Lines of the change log that the dump does not support."""
    body = listing.source.get(LOG) if LOG in listing.files else None
    if body is None:
        return
    name = listing.source.name(LOG)
    try:
        releases = RELEASES.validate_json(body)
    except ValidationError:
        yield fault("changes", name, "This is not a change log written by kg build.")
        return
    for release, true in zip(
        releases, still_true(releases, listing.dump.facts.nquads), strict=True
    ):
        for line in release.lines:
            if line not in true.lines:
                message = f"'{short(line.text)}' ({release.date}) does not match {DUMP}."
                yield fault("changes", name, message)


def wrong_dumps(source: SiteSource, base: str, facts: Triples, lost: Triples) -> Iterator[Problem]:
    """Dumps that differ from the facts of all documents. (The N-Quads were compared with each
    document; whether their `lost` triples are facts is unknown.)
    """
    for suffix, media_type in DUMP_SUFFIXES.items():
        path = f"dump{suffix}"
        if path == DUMP:
            continue
        body = source.get(path)
        if body is None:
            message = f"This dump is missing: {source.why(path)}."
            yield fault("missing", source.name(path), message)
        else:
            yield from dump_faults(base, source.name(path), media_type, body, facts, lost)


def wrong_copies(listing: SiteListing, is_complete: bool) -> Iterator[Problem]:
    """Compressed copies that differ from their originals."""
    source, copies = listing.source, [path for path in listing.files if path.endswith(PACKED)]
    if is_complete and not copies:
        copies = [f"dump{suffix}{PACKED}" for suffix in DUMP_SUFFIXES]
    for path in copies:
        copy, original = source.get(path), source.get(path.removesuffix(PACKED))
        # missing files are reported elsewhere
        if copy is not None and original is not None and not unpacks_to(copy, original):
            message = (
                f"This is not a compressed copy of {path.rpartition('/')[2].removesuffix(PACKED)}."
            )
            yield fault("packed", source.name(path), message)
