"""The answers of questions that a site publishes as files: what its dump gives when it is asked the
same.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import RdfFormat, parse

from kg.errors import Problem
from kg.publish.document import ABOUT, DUMP, PAGES
from kg.publish.formats.media import TABLE_SUFFIXES, TURTLE
from kg.publish.hosting.built_folder import about_lines, questions_in
from kg.publish.pages.question_page import LIST, suffixes
from kg.publish.proof.graphs import fault
from kg.publish.proof.listing import SiteListing
from kg.publish.queries.site_answers import SiteAnswers, answer_as
from kg.store.describe import Description

FORMS = {**TABLE_SUFFIXES, ".ttl": TURTLE}


def wrong_answers(listing: SiteListing) -> Iterator[Problem]:
    """Files that hold another answer than the dump gives."""
    source, base = listing.source, listing.base
    quads = list(parse(source.get(ABOUT) or b"", RdfFormat.TURTLE, base_iri=base))
    facts = (source.get(DUMP) or b"") + about_lines(quads, base)
    answers = SiteAnswers(base, lambda: facts, source.get(PAGES) or b"")
    for question in questions_in(Description(f"{base}void#it", quads, {}), base):
        for suffix in () if question.needed else suffixes(question, is_served=False):
            path = f"{LIST}{question.name}{suffix}"
            body = source.get(path)
            if body is None:  # a large site has none
                continue
            if body != answer_as(FORMS[suffix], question, answers.ask(question.text), base):
                message = f"This is not what {DUMP} answers to the question {question.name}."
                yield fault("answer", source.name(path), message)
