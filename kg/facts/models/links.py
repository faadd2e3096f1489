"""Models of links from works and talks: files, slides, recordings, code, data and pages. Each can
be written as its address alone.
"""

import re
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ValidationInfo

from kg.facts.models.base import Short
from kg.facts.values.references import WorkRef
from kg.facts.values.terms import Fact, computed, term, unmapped
from kg.facts.values.text import FileAddress, Text, WebAddress, is_web_address
from kg.vocab import foaf, schema

# file extension -> media type; other files get none
MEDIA_TYPES = {
    "csv": "text/csv",
    "epub": "application/epub+zip",
    "json": "application/json",
    "nc": "application/netcdf",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "xml": "application/xml",
    "zip": "application/zip",
}


def media_type(written: str) -> str:
    """`csv`, `.csv` -> `text/csv`"""
    return MEDIA_TYPES.get(written.lstrip(".").lower(), written)


class Pdf(Short, Fact):
    """The full text as PDF."""

    types = (schema.MediaObject, schema.CreativeWork)
    fixed = {schema.name: "PDF", schema.encodingFormat: "application/pdf"}
    key = "{within}-pdf"
    short = "url"

    url: Annotated[FileAddress, term(schema.contentUrl)]


class Slides(Short, Fact):
    types = (schema.PresentationDigitalDocument, schema.CreativeWork, foaf.Document)
    fixed = {schema.name: "Slides"}
    key = "{within}-slides"
    short = "url"

    url: Annotated[FileAddress, term(schema.url)]


class PosterFile(Short, Fact):
    """A poster."""

    types = (schema.DigitalDocument, schema.CreativeWork, foaf.Document)
    fixed = {schema.name: "Poster"}
    key = "{within}-poster"
    short = "url"

    url: Annotated[FileAddress, term(schema.url)]


class Video(Short, Fact):
    types = (schema.VideoObject, schema.CreativeWork)
    fixed = {schema.name: "Video"}
    key = "{within}-video"
    short = "url"

    url: Annotated[WebAddress, term(schema.url)]


class RelatedPage(Short, Fact):
    """A page about the work: project page, demo, blog post, supplement."""

    types = (schema.WebPage, schema.CreativeWork, foaf.Document)
    key = "{within}-link-{position}"
    short = "url"

    kind: Annotated[
        Literal["website", "demo", "blog", "supplement"],
        unmapped("becomes the name, if there is no label"),
    ] = "website"
    url: Annotated[WebAddress, term(schema.url)]
    label: Annotated[Text | None, "The text of the link.", unmapped("becomes the name")] = None

    @computed(term(schema.name), field="label")
    def name(self) -> str:
        return self.label or self.kind.capitalize()


class DataFile(Short, Fact):
    """A file of a dataset."""

    types = (schema.DataDownload, schema.CreativeWork)
    key = "{within}-download-{position}"
    short = "url"

    url: Annotated[FileAddress, term(schema.contentUrl)]
    format: Annotated[
        Text | None, "`csv`, `nc`, or a media type.", unmapped("becomes the media type")
    ] = None

    @computed(term(schema.encodingFormat), field="format")
    def encoding(self) -> str | None:
        ending = re.search(r"\.(\w+)$", self.url)
        written = self.format or (ending[1] if ending and ending[1] in MEDIA_TYPES else None)
        return media_type(written) if written else None


class Code(Fact):
    """The code of a work, in a repository."""

    types = (schema.SoftwareSourceCode, schema.CreativeWork)
    fixed = {schema.name: "Code"}
    key = "{within}-code"

    url: Annotated[WebAddress, term(schema.codeRepository)]


class Data(Fact):
    """The data of a work, on the web."""

    types = (schema.Dataset, schema.CreativeWork)
    fixed = {schema.name: "Data"}
    key = "{within}-data"

    url: Annotated[WebAddress, term(schema.url)]


class LinkedRef(WorkRef):
    """A web address, or the key of an entry."""

    part: ClassVar[type[Fact]]
    otherwise = "Write a web address or a key."

    @classmethod
    def check(cls, value: object, info: ValidationInfo) -> Any:
        if isinstance(value, str) and is_web_address(value):
            return cls.part.unchecked(url=WebAddress(value))
        return super().check(value, info)


class CodeRef(LinkedRef):
    part = Code


class DataRef(LinkedRef):
    part = Data
