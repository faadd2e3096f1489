"""The pages of questions: the list of all questions with forms, and a page per question with its
answer.

The page of a question is the same on a server and in a folder. It has the answer that needs no
values. Its form submits to itself: a server answers or, in a folder, a script with the engine of
the SPARQL editor.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlencode

from kg.errors import BadValue
from kg.publish.figures import ANSWER, AnswerPicture, draw
from kg.publish.formats.media import DATA_SUFFIXES, TABLE_SUFFIXES
from kg.publish.formats.urls import Link, query_page
from kg.publish.questions.answer_words import blanks, headings, in_words, sentence
from kg.publish.questions.evidence import Source
from kg.publish.questions.results import (
    CellMaker,
    QueryResult,
    ResultCell,
    heading,
    numeric_columns,
    things_in,
)
from kg.sparql.reading.parameters import THINGS, Parameter
from kg.sparql.reading.questions import Question
from kg.text.dates import date
from kg.vocab import ALL_PREFIXES

if TYPE_CHECKING:
    from kg.publish.pages.frame import Frame

ROOT = "../"
LIST = "queries/"
TABLES = {".csv": "CSV", ".json": "JSON", ".tsv": "TSV", ".xml": "XML"}
GRAPHS = {".ttl": "Turtle", ".jsonld": "JSON-LD", ".nt": "N-Triples", ".rdf": "RDF/XML"}
WRITTEN = {"select": (".csv", ".json"), "ask": (".json",)}  # formats in a folder; Turtle for graphs
ANSWER_SUFFIXES = {**DATA_SUFFIXES, **TABLE_SUFFIXES}
UNTAGGED = "other"
MAX_ROWS = 250  # rows of a page; the files have all
MAX_RELATED = 6  # related questions on a page


@dataclass(frozen=True)
class ParameterField:
    """A field of a form. `value` is the displayed text, `given` the submitted value; `near` links
    to the same question with a suggested value.
    """

    id: str
    parameter: Parameter
    value: str
    given: str
    hint: str
    folder: str = ""
    problem: str = ""
    near: Sequence[Link] = ()

    @property
    def placeholder(self) -> str:
        """What to fill in; no value."""
        kind = self.parameter.type
        if not self.parameter.is_required:
            return {"person": "anyone", "date": "any date", "number": "any"}.get(
                kind, f"any {kind}"
            )
        return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


class ExampleLink(NamedTuple):
    """The names of example values, and the query of an address with them."""

    text: str
    query: str


def suffixes(question: Question, is_served: bool = True) -> dict[str, str]:
    """The formats of an answer; in a folder, only the written ones."""
    forms = TABLES if question.is_table else GRAPHS
    if question.form == "ask":
        forms = {suffix: forms[suffix] for suffix in (".json", ".xml", ".csv", ".tsv")}
    written = WRITTEN.get(question.form, (".ttl",))
    return {suffix: name for suffix, name in forms.items() if is_served or suffix in written}


def by_tag(questions: Iterable[Question]) -> list[tuple[str, str, list[Question]]]:
    """All questions, grouped by their first tag."""
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.tags[0] if question.tags else UNTAGGED, []).append(question)
    ordered = sorted(found.items(), key=lambda item: (item[0] == UNTAGGED, item[0]))
    return [(tag, heading(tag), each) for tag, each in ordered]


def question_list(pages: Frame) -> bytes:
    """The list of all questions."""
    return pages.rendered(
        "questions.html",
        tags=by_tag(pages.questions),
        total=len(pages.questions),
        example=next(filter(None, (known_example(pages, each) for each in pages.questions)), ""),
        root=ROOT,
    )


def known_example(pages: Frame, question: Question) -> str:
    """The address of an answer with values of this site; empty if an example is not from
    this site.
    """
    given = {each.name: each.example for each in question.needed}
    names = names_of_values(pages, [question])
    known = [thing(pages, THINGS.get(each.type, ""), each.example) for each in question.needed]
    is_known = given and all(each in names for each in known)
    return f"{LIST}{question.name}.csv?{urlencode(given)}" if is_known else ""


def question_page(
    pages: Frame,
    question: Question,
    given: Mapping[str, str],
    query: str = "",
    result: QueryResult | None = None,
    message: str = "",
    fault: BadValue | None = None,
    sources: Sequence[Source] = (),
    loads: Mapping[str, str] | None = None,
) -> bytes:
    """`query` is the question with the `given` values, `fault` an invalid one, `message` the reason
    for a missing answer, `sources` the documents that the answer rests on. In a folder (`loads` is
    not None), the browser answers other values with the loaded files, if any.
    """
    base = pages.site.base
    names = pages.names_of(things_in(result.rows, base)) if result else {}
    cells = CellMaker(base, lambda iri: ROOT + link_to(pages, iri), names, pages.now)
    rows: list[list[ResultCell]] = []
    picture = None
    if result:
        result, rows = in_words(question, result, cells, partial(page_from, pages))
        found = draw(ANSWER, question.picture, result, cells, question.summary)
        picture = found or AnswerPicture()
        result, rows = replace(result, rows=result.rows[:MAX_ROWS]), rows[:MAX_ROWS]
    is_served = loads is None
    called = names_of_values(pages, [question], given)
    form = fields(pages, question, given, called, fault if message else None)
    values = [(each.parameter.name, each.value) for each in form if each.given]
    said = {
        each.parameter.name: Link(
            each.value, page_from(pages, thing(pages, each.folder, each.given))
        )
        if each.folder and each.value
        else date(each.value)
        for each in form
    }
    address = f"{base}{LIST}{question.name}"
    sent = urlencode(given, quote_via=quote, safe="")
    has_files = is_served or not question.needed
    return pages.rendered(
        "question.html",
        question=question,
        fields=form,
        values=values,
        has_values=bool(given),
        message="" if any(each.problem for each in form) else message,
        result=result,
        sources=[Link(each.name, page_from(pages, each.iri)) for each in sources],
        rows=rows,
        numeric=numeric_columns(rows),
        headings=headings(question, result.columns) if result else [],
        sentence=sentence(question, result, rows, said) if result else [],
        blanks=blanks(question),
        example=example_of(question, form),
        tags=by_tag(pages.questions),
        picture=picture,
        downloads=[
            (name, f"{question.name}{suffix}{f'?{sent}' if sent else ''}")
            for suffix, name in suffixes(question, is_served).items()
        ]
        if has_files and not message
        else [],
        snippets=snippets(question, address, given) if has_files and not message else {},
        query=query or question.text,
        editor=ROOT + query_page(query or question.text),
        next=related_questions(pages.questions, question),
        loads={name: ROOT + path for name, path in (loads or {}).items()},
        parts=json.dumps(
            [parts(each) for each in (question, question.linked, question.evidence)],
            ensure_ascii=False,
        ),
        words=json.dumps(answer_words(question), ensure_ascii=False),
        prefixes=ALL_PREFIXES,
        is_served=is_served,
        root=ROOT,
    )


def link_to(pages: Frame, iri: str) -> str:
    """The page of a resource, or a query that describes it; from the root of the site."""
    return pages.page_of(iri) or query_page(f"DESCRIBE <{iri}>")


def fields(
    pages: Frame,
    question: Question,
    given: Mapping[str, str],
    names: Mapping[str, str],
    fault: BadValue | None = None,
) -> list[ParameterField]:
    found = []
    for parameter in question.parameters:
        value = given.get(parameter.name, "")
        sent = value or parameter.default
        folder, example = THINGS.get(parameter.type, ""), parameter.example
        wrong = fault if fault and fault.parameter == parameter.name else None
        found.append(
            ParameterField(
                f"{question.name}-{parameter.name}",
                parameter,
                names.get(thing(pages, folder, sent), sent),
                sent,
                names.get(thing(pages, folder, example), "" if folder else example),
                folder,
                str(wrong or ""),
                [
                    Link(
                        names.get(thing(pages, folder, each), each),
                        f"{question.name}.html?{urlencode({**given, parameter.name: each})}",
                    )
                    for each in (wrong.nearest if wrong else ())
                ],
            )
        )
    return found


def thing(pages: Frame, folder: str, value: str) -> str:
    """The IRI for a slug or an address, if it has a page; else empty."""
    slug = value.removeprefix(pages.site.base).removeprefix(f"{folder}/").removesuffix("#it")
    document = f"{pages.site.base}{folder}/{slug}"
    return f"{document}#it" if folder and slug and document in pages.documents else ""


def names_of_values(
    pages: Frame, questions: Iterable[Question], given: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """The names of given values, defaults and examples."""
    found = {
        thing(pages, THINGS.get(each.type, ""), value)
        for question in questions
        for each in question.parameters
        for value in (each.default, each.example, (given or {}).get(each.name, ""))
    }
    return pages.names_of(sorted(filter(None, found)))


def example_of(question: Question, form: Sequence[ParameterField]) -> ExampleLink | None:
    """A link with the example values of the required parameters, if this site has them."""
    given = {each.parameter.name: each.parameter.example for each in form if not each.given}
    needed = [each for each in form if each.parameter.is_required]
    if not needed or not all(each.hint for each in needed):
        return None
    query = urlencode(
        {
            each.parameter.name: given[each.parameter.name]
            for each in needed
            if each.parameter.name in given
        }
    )
    said = (date(each.hint) if each.parameter.type == "date" else each.hint for each in needed)
    return ExampleLink(", ".join(said), query) if query else None


def page_from(pages: Frame, iri: str) -> str:
    """The link to the page of a resource; empty if it has none."""
    page = pages.page_of(iri) if iri else ""
    return ROOT + page.removeprefix("./") if page else ""


def answer_words(question: Question) -> dict[str, object]:
    """What the browser needs to say an answer in words."""
    columns = {
        each.name: [each.head or heading(each.name), each.address, each.is_share]
        for each in question.columns
    }
    return {"answer": question.answer, "most": question.most, "columns": columns}


def related_questions(questions: Sequence[Question], question: Question) -> list[Link]:
    """Related questions, most shared tags first."""
    others = [
        (-len({*each.tags} & {*question.tags}), place, each)
        for place, each in enumerate(questions)
        if each.name != question.name and {*each.tags} & {*question.tags}
    ]
    return [Link(each.summary, f"{each.name}.html") for *_, each in sorted(others)[:MAX_RELATED]]


def parts(question: Question) -> list[str | dict[str, str]]:
    """The query as texts, with descriptions of its parameters between them."""
    found: list[str | dict[str, str]] = []
    end = 0
    for name, slot in sorted(question.slots.items(), key=lambda item: item[1][0].start):
        found.append(question.text[end : slot[0].start])
        parameter = question.parameter(name)
        assert parameter is not None  # noqa: S101
        rest = "".join(token.text for token in slot[1:])
        found.append(
            {
                "name": name,
                "type": parameter.type,
                "folder": THINGS.get(parameter.type, ""),
                "present": question.text[slot[0].start : slot[-1].end],
                "suffix": "" if slot[0].word == "UNDEF" else rest,
                "is_text": "yes" if slot[0].kind == "string" and not rest else "",
            }
        )
        end = slot[-1].end
    return [*found, question.text[end:]]


def snippets(question: Question, address: str, given: Mapping[str, str]) -> dict[str, str]:
    """The question as code for other programs."""
    sent = urlencode(given, quote_via=quote, safe="")
    query = f"?{sent}" if sent else ""
    options = "".join(f" --{name} {in_shell(value)}" for name, value in given.items())
    command = {"kg": f"kg query {question.name}{options}"}
    if question.form != "select":
        suffix = ".json" if question.form == "ask" else ".ttl"
        return {"curl": f"curl --silent --location '{address}{suffix}{query}'", **command}
    csv = f"{address}.csv{query}"
    return {
        "curl": f"curl --silent --location '{csv}'",
        "pandas": f'import pandas\n\npandas.read_csv("{csv}")',
        "R": f'read.csv("{csv}")',
        **command,
    }


def in_shell(text: str) -> str:
    quoted = text.replace("'", "'\\''")
    return text if text.replace("-", "").isalnum() and text.isascii() else f"'{quoted}'"
