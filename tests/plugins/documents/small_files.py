"""Small documents with invented people, written without the programs that usually make them."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ODF = "urn:oasis:names:tc:opendocument:xmlns"
TYPES = f"""<Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/></Types>"""
LINKS = f"""<Relationships xmlns="{PACKAGE}/relationships"><Relationship
Id="a" Type="{RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>"""
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="H{level}"><w:name w:val="heading {level}"/></w:style>'
    for level in (1, 2)
)


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, part in parts.items():
            zipped.writestr(name, part)
    return file.getvalue()


def docx(body: str, **parts: str | bytes) -> bytes:
    """A Word file; `header1="…"` adds the header of its pages."""
    xml = {
        f"word/{name}.xml": f'<w:hdr xmlns:w="{WORD}">{text}</w:hdr>'
        for name, text in parts.items()
    }
    return packed(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": LINKS,
            "word/styles.xml": f'<w:styles xmlns:w="{WORD}">{STYLES}</w:styles>',
            "word/document.xml": (
                f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
            ),
            **xml,
        }
    )


def paragraph(*runs: str, style: str = "") -> str:
    """A paragraph; runs that begin with `**` are bold, a tab is a tab."""
    parts = [
        f"<w:r>{'<w:rPr><w:b/></w:rPr>' * run.startswith('**')}"
        f'<w:t xml:space="preserve">{run.removeprefix("**")}</w:t></w:r>'
        if run != "\t"
        else "<w:r><w:tab/></w:r>"
        for run in runs
    ]
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{''.join(parts)}</w:p>"


def odt(body: str, styles: str = "") -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "text", "style", "table")
    )
    others = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:fo="urn:fo"'
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {spaces} {others}>"
            f"<office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
        }
    )


class Words(NamedTuple):
    """Words at a position of a page, from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 10
    bold: bool = False


def pdf(*pages: list[Words], catalog: str = "", link: str = "") -> bytes:
    """A PDF with Helvetica; `link` is the target of the words at the top left."""
    fonts = "<< /F0 3 0 R /F1 4 0 R >>"
    objects = {
        1: f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    }
    numbers = list[int]()
    note = f"<< /Subtype /Link /Rect [0 760 300 780] /A << /S /URI /URI ({link}) >> >>"
    for number, page in enumerate(pages):
        content = "\n".join(
            f"BT /F{int(each.bold)} {each.size} Tf {each.x} {each.y} Td ({each.text}) Tj ET"
            for each in page
        )
        at = 5 + 2 * number
        numbers.append(at)
        objects[at] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] /Contents {at + 1} 0 R "
            f"/Resources << /Font {fonts} >> /Annots [{note if link else ''}] >>"
        )
        objects[at + 1] = f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"
    body, places = b"%PDF-1.4\n", dict[int, int]()
    for number in sorted(objects):
        places[number] = len(body)
        body += f"{number} 0 obj\n{objects[number]}\nendobj\n".encode("cp1252")
    table = "".join(f"{places[number]:010d} 00000 n \n" for number in sorted(objects))
    trailer = (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    )
    return body + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{trailer}".encode()
