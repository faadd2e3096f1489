"""Reads Word and OpenDocument files as Markdown, by way of HTML.

Word is converted by `mammoth`, with the headers and footers of pages, which it leaves out. The XML
of OpenDocument is read like HTML, so that entities are never expanded.
"""

from __future__ import annotations

import re
import zipfile
from html import escape, unescape
from io import BytesIO
from typing import Any

from kg.plugins.documents.markdown_lines import append_marked, emphasized, linked, tidy
from kg.plugins.exchange.source_files import BROKEN_ZIP, NotImported
from kg.text.html import pieces

MOST_XML = 3_000_000  # bytes; mammoth takes some five seconds for a million
WORD = "word/document.xml"
HEADER = re.compile(r"word/(?:header|footer)\d*\.xml")
STYLE_MAP = """
p[style-name='Title'] => h1:fresh
p[style-name='Name'] => h1:fresh
p[style-name^='Section'] => h2:fresh
""" + "\n".join(
    f"p[style-name='{heading} {level}'] => h{level + 1}:fresh"
    for heading in ("Heading", "heading")
    for level in (1, 2, 3, 4, 5)
)
NAMED = re.compile(r"(?i)title|name")
LARGE = 14  # points
MARKS = {"strong": "**", "em": "*"}
REOPENED = re.compile(r"</(em|strong)>(\s*)<\1>")  # the same emphasis goes on
ODF_TAGS = {
    **{"text:p": "p", "text:list": "ul", "text:list-item": "li", "text:tab": "\t", "text:s": " "},
    **{"table:table-row": "tr", "table:table-cell": "td", "text:line-break": "<br>"},
}
ODF_HIDDEN = (
    *("office:annotation", "text:tracked-changes", "svg:title", "svg:desc"),
    *("text:page-number", "text:page-count"),
)
DEEPEST = 100


def parts_of(data: bytes, needed: str) -> dict[str, str]:
    """The XML parts of a document, within limits."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as zipped:
            parts = [at for at in zipped.infolist() if at.filename.endswith((".xml", ".rels"))]
            if sum(each.file_size for each in parts) > MOST_XML:
                raise NotImported(
                    f"its text is too large (limit: {MOST_XML // 1_000_000} MB of XML). Import "
                    "only the CV part"
                )
            found = {each.filename: zipped.read(each).decode("utf-8", "replace") for each in parts}
    except BROKEN_ZIP as error:
        raise NotImported(f"cannot open it: {error}. Save it again as .docx") from error
    if needed not in found or any("<!ENTITY" in part for part in found.values()):
        raise NotImported("it is not such a document, or a broken one. Save it as .docx")
    return found


def read_docx(data: bytes) -> str:
    import mammoth

    parts = parts_of(data, WORD)
    texts = dict[str, None]()  # headers of different pages are often the same
    for name in (*sorted(filter(HEADER.fullmatch, parts)), WORD):
        found = mammoth.convert_to_html(
            BytesIO(as_document(parts, name)),
            style_map=STYLE_MAP,
            convert_image=mammoth.images.img_element(lambda _: {}),
            ignore_empty_paragraphs=False,
            transform_document=lambda document: with_name(with_whole_references(document)),
        )
        text = promoted(html_markdown(found.value))
        if "footer" not in name or "@" in text:  # others have page numbers
            texts[text] = None
    return tidy("\n\n".join(without_running_heads([*texts])))


def with_whole_references(document: Any) -> Any:
    """Joins the lines of paragraphs with a hanging indent and no tab before it, as references."""
    from mammoth import documents, transforms

    def joined(found: Any) -> Any:
        is_line = isinstance(found, documents.Break) and found.break_type == "line"
        return documents.text(" ") if is_line else found

    def whole(paragraph: Any) -> Any:
        has_tab = transforms.get_descendants_of_type(paragraph, documents.Tab)
        if not paragraph.indent.hanging or paragraph.numbering or has_tab:
            return paragraph
        return transforms.element_of_type(documents.Break, joined)(paragraph)

    return transforms.paragraph(whole)(document)


def with_name(document: Any) -> Any:
    """Gives the only paragraph in the largest type the style of a name."""
    from mammoth import documents, transforms

    sizes = dict[int, float]()  # of paragraphs
    found = transforms.get_descendants_of_type(document, documents.Paragraph)
    for at, each in enumerate(found):
        for run in transforms.get_descendants_of_type(each, documents.Run):
            if transforms.get_descendants_of_type(run, documents.Text):
                sizes[at] = max(run.font_size or 0, sizes.get(at, 0))
    largest = [at for at, size in sizes.items() if size == max(sizes.values()) >= LARGE]
    if len(largest) != 1 or any(NAMED.match(each.style_name or "") for each in found):
        return document
    name = found[largest[0]]
    rename = transforms.paragraph(lambda at: at.copy(style_name="Name") if at == name else at)
    return rename(document)


def without_running_heads(texts: list[str]) -> list[str]:
    """The headers of pages without what the text repeats, and the text."""
    *headers, body = texts
    parts = [[at for at in each.split(" | ") if at.strip() not in body] for each in headers]
    return [*dict.fromkeys(" | ".join(each).strip() for each in parts), body]


def promoted(text: str) -> str:
    """Makes the only heading of its level at the top the name, and raises the others."""
    is_name = text.lstrip().startswith("## ") and text.count("\n## ") == 1 and "\n### " in text
    return re.sub(r"^##(?=#* )", "#", text, flags=re.MULTILINE) if is_name else text


def as_document(parts: dict[str, str], name: str) -> bytes:
    """A Word file whose text is that of a part, such as the header of its pages."""
    body = re.sub(r"<w:(?:hdr|ftr)\b([^>]*)>", r"<w:document\1><w:body>", parts[name])
    body = re.sub(r"</w:(?:hdr|ftr)>", "</w:body></w:document>", body)
    links = parts.get(name.replace("word/", "word/_rels/") + ".rels")
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as zipped:
        for other in parts.keys() - {WORD, "word/_rels/document.xml.rels"}:
            zipped.writestr(other, parts[other])
        zipped.writestr(WORD, body)
        if links:
            zipped.writestr("word/_rels/document.xml.rels", links)
    return file.getvalue()


def read_odt(data: bytes) -> str:
    parts = parts_of(data, "content.xml")
    styles = dict[str, dict[str, bool]]()  # whether a style turns each tag on or off
    texts = [odf_html(parts.get(name, ""), styles) for name in ("styles.xml", "content.xml")]
    return tidy(promoted(html_markdown("".join(texts))))


def odf_html(xml: str, styles: dict[str, dict[str, bool]]) -> str:
    """The text as HTML. Styles come before the text that uses them."""
    html, style = list[str](), dict[str, bool]()
    opened: list[tuple[str, dict[str, bool]]] = []  # ends of the open elements, and their styles
    for piece in pieces(xml):
        name, opening, closing, own = piece.name, "", "", dict[str, bool]()
        if not name:
            tags = {tag: is_on for _, each in opened for tag, is_on in each.items()}
            on = [tag for tag in MARKS if tags.get(tag) and piece.written.strip()]
            text = "" if tags.get("hidden") else piece.written
            html += [*(f"<{tag}>" for tag in on), text, *(f"</{tag}>" for tag in on[::-1])]
            continue
        if name[0] == "/":
            html.append(opened.pop()[0] if opened else "")
            continue
        found = piece.attributes
        if name == "style:style":
            level = found.get("style:default-outline-level", "")[:1]
            style = {**styles.get(found.get("style:parent-style-name", ""), {}), f"h{level}": True}
            styles[found.get("style:name", "")] = style
        elif name == "style:text-properties":
            for tag, key in (("strong", "fo:font-weight"), ("em", "fo:font-style")):
                style |= {tag: found[key] != "normal"} if key in found else {}
        elif name == "text:a":
            opening, closing = f'<a href="{escape(found.get("xlink:href", ""))}">', "</a>"
        elif name in ODF_HIDDEN:
            own = {"hidden": True}
        else:
            own = styles.get(found.get("text:style-name", ""), {})
            by_style = max((tag[1:] for tag in own if tag[0] == "h"), default="")
            level = found.get("text:outline-level", by_style)[:1]
            is_heading = name == "text:h" or (name == "text:p" and level)
            tag = f"h{int(level or 1) + 1}" if is_heading else ODF_TAGS.get(name, "")
            opening, closing = (f"<{tag}>", f"</{tag}>") if tag.isalnum() else (tag, "")
        html.append("\t" if len(found.get("text:c", "")) > 1 else opening)
        if piece.written.endswith("/"):
            html.append(closing)
        else:
            opened.append((closing, own))
        if len(opened) > DEEPEST:
            raise NotImported("its XML is nested too deeply. Save it as .docx")
    return "".join(html)


def html_markdown(html: str) -> str:
    """Converts HTML to Markdown, with headings, lists, tables and tabs as ` | `."""
    stack: list[list[str]] = [[]]  # the open elements that change their text
    links, cells, lists = list[str](), list[list[str]](), 0
    for piece in pieces(REOPENED.sub(r"\2", REOPENED.sub(r"\2", html))):
        name, parts = piece.name, stack[-1]
        if not name:
            text = unescape(piece.written).replace("*", "\\*").replace("\n", " ")
            text = re.sub(r"\s*\t\s*|[ \xa0]{4,}", " | ", text)
            parts.append(re.sub(r"\s+", " ", text))
        elif name in ("a", "td", "th", *MARKS):
            links += [piece.attributes.get("href", "")] if name == "a" else []
            stack.append([])
        elif name in ("/a", "/td", "/th", "/strong", "/em") and len(stack) > 1:
            text = "".join(stack.pop())
            if name == "/a" and links:
                stack[-1].append(linked(text, links.pop()) if text.strip() else text)
            elif name[1:] in MARKS:
                append_marked(stack[-1], emphasized(text, MARKS[name[1:]]))
            elif cells:
                cells[-1].append(text.strip())
        elif name in ("tr", "/tr"):
            parts.append(row_text(cells.pop()) if name == "/tr" and cells else "")
            cells += [[]] if name == "tr" else []
        elif name in ("ul", "ol", "/ul", "/ol"):
            lists += -1 if name[0] == "/" else 1
            parts.append("\n")
        elif name == "li":
            parts.append("\n" + "  " * (lists - 1) + "- ")
        elif re.fullmatch(r"h[1-6]", name):
            parts.append(f"\n\n{'#' * int(name[1])} ")
        elif name in ("p", "br") or re.fullmatch(r"/h[1-6]|/?table", name):
            is_in_item = name == "p" and parts and parts[-1].endswith("- ")
            parts.append("" if is_in_item else "\n")
    return "".join(text for part in stack for text in part)


def row_text(cells: list[str]) -> str:
    """A row of a table on one line; cells with several lines one after the other."""
    found = [cell for cell in cells if cell]
    lines = [[line for line in cell.split("\n") if line] for cell in found]
    sizes = {len(each) for each in lines}
    if len(lines) > 1 and len(sizes) == 1 and min(sizes) > 2 and "\n- " not in "\n".join(found):
        return "\n" + "\n".join(map(" | ".join, zip(*lines, strict=True))) + "\n\n"
    is_short = all("\n" not in cell for cell in found)
    return "\n" + (" | " if is_short else "\n\n").join(found) + "\n" * (1 if is_short else 2)
