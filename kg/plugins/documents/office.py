"""Reads Word and OpenDocument files as Markdown, by way of HTML.

Word is converted by `mammoth`, with the headers and footers of pages, which it leaves out.
"""

from __future__ import annotations

import re
import zipfile
from html import escape, unescape
from io import BytesIO

from kg.facts.yaml.rows import Spot
from kg.plugins.documents.markdown_lines import append_marked, emphasized, linked, tidy
from kg.plugins.exchange.source_files import BROKEN_ZIP, NotImported
from kg.plugins.exchange.xml_rows import local, parse_events
from kg.text.html import pieces

MOST_XML = 8_000_000  # bytes of XML that are parsed
WORD, WORD_LINKS = "word/document.xml", "word/_rels/document.xml.rels"
HEADER = re.compile(r"word/(header|footer)\d*\.xml")
ODF = ("styles.xml", "content.xml")
STYLE_MAP = """
p[style-name='Title'] => h1:fresh
p[style-name='Name'] => h1:fresh
p[style-name^='Section'] => h2:fresh
p[style-name^='Heading'] => h3:fresh
"""
MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*"}
ODF_TAGS = {"p": "p", "a": "a", "list": "ul", "list-item": "li", "table-row": "tr", "table-cell": "td"}
ODF_SIGNS = {"tab": "\t", "line-break": "<br>", "s": " "}
ODF_STYLED = ("p", "h", "span", "a")
ODF_TEXTS = ("header", "footer", "text")
ODF_HIDDEN = ("annotation", "tracked-changes", "sequence-decls", "note-citation", "desc", "title")


class Package:
    """The XML parts of a zip file, within limits."""

    def __init__(self, data: bytes) -> None:
        try:
            self.zip = zipfile.ZipFile(BytesIO(data))
            self.names = self.zip.namelist()
        except BROKEN_ZIP as error:
            raise NotImported(f"cannot open it: {error}. Save it again") from error
        sizes = (each.file_size for each in self.zip.infolist() if is_xml(each.filename))
        if sum(sizes) > MOST_XML:
            raise NotImported(
                f"its text is too large (limit: {MOST_XML // 1_000_000} MB of XML). Remove other "
                "content, and save it again"
            )

    def read(self, name: str) -> bytes:
        """A part; empty if it is missing."""
        try:
            data = self.zip.read(name) if name in self.names else b""
        except BROKEN_ZIP as error:
            raise NotImported(f"cannot read {name} in it: {error}. Save it again") from error
        if b"<!ENTITY" in data:
            raise NotImported("XML entities are not supported. Save it again")
        return data


def is_xml(name: str) -> bool:
    return name.endswith((".xml", ".rels"))


def read_docx(data: bytes) -> str:
    import mammoth

    package = Package(data)
    if WORD not in package.names:
        raise NotImported("it is not a Word document. Save it as .docx")
    parts = {name: package.read(name) for name in package.names if is_xml(name)}
    pages = [name for name in sorted(parts) if HEADER.fullmatch(name)]
    heads = [name for name in pages if "header" in name]
    feet = [name for name in pages if name not in heads]
    texts = list[str]()
    for name in (*heads, WORD, *feet):
        file = BytesIO(as_document(parts, name))
        image = mammoth.images.img_element(lambda _: {})
        found = mammoth.convert_to_html(
            file, style_map=STYLE_MAP, convert_image=image, ignore_empty_paragraphs=False
        )
        texts.append(html_markdown(found.value))
    return tidy("\n\n".join(dict.fromkeys(texts)))


def as_document(parts: dict[str, bytes], name: str) -> bytes:
    """A Word file whose text is that of a part, such as the header of its pages."""
    body = parts[name]
    if name != WORD:
        body = re.sub(rb"<w:(?:hdr|ftr)\b([^>]*)>", rb"<w:document\1><w:body>", body)
        body = re.sub(rb"</w:(?:hdr|ftr)>", b"</w:body></w:document>", body)
    links = f"word/_rels/{name.removeprefix('word/')}.rels"
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for other in parts.keys() - {WORD, WORD_LINKS}:
            packed.writestr(other, parts[other])
        packed.writestr(WORD, body)
        if links in parts:
            packed.writestr(WORD_LINKS, parts[links])
    return file.getvalue()


def read_odt(data: bytes) -> str:
    package = Package(data)
    if "content.xml" not in package.names:
        raise NotImported("it is not an OpenDocument text. Save it as .odt")
    reader = OdfReader()
    for name in ODF:
        if part := package.read(name):
            parse_events(name, part, reader.start, reader.end, reader.data)
    return tidy(html_markdown("".join(reader.head + reader.body)))


class OdfReader:
    """Converts OpenDocument to HTML. Styles come before the text that uses them."""

    def __init__(self) -> None:
        self.styles: dict[str, dict[str, bool]] = {}  # whether a style turns each tag on or off
        self.style: dict[str, bool] = {}  # the one that is being read
        self.tags: list[str] = []  # of the open elements
        self.open_styles: list[dict[str, bool]] = []
        self.head: list[str] = []  # headers of pages
        self.body: list[str] = []
        self.parts: list[str] | None = None  # where text goes
        self.hidden = 0

    def start(self, name: str, attributes: dict[str, str], _: Spot) -> None:
        name, found = local(name), {local(key): value for key, value in attributes.items()}
        self.hidden += name in ODF_HIDDEN or bool(self.hidden)
        if name in ODF_TEXTS:
            self.parts = self.body if name == "text" else self.head
        if name == "style":
            parent = self.styles.get(found.get("parent-style-name", ""), {})
            level = found.get("default-outline-level") or ""
            self.style = {**parent, f"h{level[:1]}": True} if level else {**parent}
            self.styles[found.get("name", "")] = self.style
        elif name == "text-properties":
            for tag, value in (("strong", "font-weight"), ("em", "font-style")):
                if value in found:
                    self.style[tag] = found[value] != "normal"
        style = self.styles.get(found.get("style-name", ""), {}) if name in ODF_STYLED else {}
        self.open_styles.append(style)
        level = found.get("outline-level") or "".join(tag[1:] for tag in style if tag[0] == "h")
        is_heading = name == "h" or (name == "p" and level)
        self.tags.append(f"h{level[:1] or 2}" if is_heading else ODF_TAGS.get(name, ""))
        link = f' href="{escape(found.get("href", ""))}"' if name == "a" else ""
        self.write(f"<{self.tags[-1]}{link}>" if self.tags[-1] else "")
        count = found.get("c", "1")
        self.write(ODF_SIGNS.get(name, "") * (int(count) if count.isdigit() and len(count) < 3 else 1))

    def end(self, name: str) -> None:
        tag = self.tags.pop()
        self.write(f"</{tag}>" if tag else "")
        self.open_styles.pop()
        self.hidden -= bool(self.hidden)
        if local(name) in ODF_TEXTS:
            self.parts = None

    def data(self, text: str) -> None:
        style = {tag: is_on for style in self.open_styles for tag, is_on in style.items()}
        text = escape(text)
        for tag in ("em", "strong"):
            text = f"<{tag}>{text}</{tag}>" if style.get(tag) else text
        self.write(text)

    def write(self, text: str) -> None:
        if self.parts is not None and not self.hidden:
            self.parts.append(text)


def html_markdown(html: str) -> str:
    """Converts HTML to Markdown, with headings, lists, tables and tabs as ` | `."""
    stack: list[list[str]] = [[]]  # the open elements that change their text
    links, cells, lists = list[str](), list[list[str]](), 0
    for piece in pieces(html):
        name = piece.name
        if not name:
            text = unescape(piece.written).replace("*", "\\*")
            text = re.sub(r"\s*\t\s*|[ \xa0]{4,}", " | ", text.replace("\n", " "))
            stack[-1].append(re.sub(r"\s+", " ", text))
        elif name == "a":
            links.append(piece.attributes.get("href", ""))
            stack.append([])
        elif name in (*MARKS, "td", "th"):
            stack.append([])
        elif name == "tr":
            cells.append([])
        elif name in ("ul", "ol", "/ul", "/ol"):
            lists += 1 if name[0] != "/" else -1
            stack[-1].append("\n")
        elif name == "li":
            stack[-1].append("\n" + "  " * (lists - 1) + "- ")
        elif re.fullmatch(r"h[1-6]", name):
            stack[-1].append(f"\n\n{'#' * int(name[1])} ")
        elif name == "/a" and links and len(stack) > 1:
            text = "".join(stack.pop())
            stack[-1].append(linked(text, links.pop()) if text.strip() else text)
        elif name.removeprefix("/") in MARKS and len(stack) > 1:
            text = "".join(stack.pop())
            append_marked(stack[-1], emphasized(text, MARKS[name[1:]]))
        elif name in ("/td", "/th") and cells and len(stack) > 1:
            cells[-1].append("".join(stack.pop()).strip())
        elif name == "/tr" and cells:
            stack[-1].append(row_text(cells.pop()))
        elif name in ("p", "/p", "br", "table", "/table") or re.fullmatch(r"/h[1-6]", name):
            is_in_item = name == "p" and stack[-1] and stack[-1][-1].endswith("- ")
            stack[-1].append("" if name == "/p" or is_in_item else "\n")
    return "".join(text for part in stack for text in part)


def row_text(cells: list[str]) -> str:
    """A row of a table on one line; cells with several lines one after the other."""
    found = [cell for cell in cells if cell]
    is_short = all("\n" not in cell for cell in found)
    return "\n" + (" | " if is_short else "\n\n").join(found) + "\n" * (1 if is_short else 2)
