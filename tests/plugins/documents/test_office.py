"""Word and OpenDocument as Markdown."""

from __future__ import annotations

import pytest

from kg.plugins.documents.office import MOST_XML, html_markdown, read_docx, read_odt
from kg.plugins.exchange.source_files import NotImported
from tests.plugins.documents.small_files import docx, odt, packed, paragraph


def lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def test_headings_bold_tabs_and_headers_of_word() -> None:
    body = (
        paragraph("Work", style="H1")
        + paragraph("**Lectu", "**rer", "\t", "2019")
        + paragraph("• Sand")
    )
    data = docx(body, header1=paragraph("Hana Lind"), footer1=paragraph("Page 1 of 2"))
    assert lines(read_docx(data)) == ["Hana Lind", "## Work", "**Lecturer** | 2019", "- Sand"]


def test_styles_lists_links_and_tables_of_opendocument() -> None:
    styles = (
        '<style:style style:name="P"><style:text-properties fo:font-weight="bold"/></style:style>'
        '<style:style style:name="T"><style:text-properties fo:font-weight="normal"/></style:style>'
        '<style:style style:name="Q" style:parent-style-name="P" style:default-outline-level="2"/>'
    )
    body = (
        '<text:h text:outline-level="1">Hana Lind</text:h><text:p text:style-name="Q">Work</text:p>'
        '<text:p text:style-name="P">Lecturer<text:span text:style-name="T"><text:tab/>2019'
        '<text:line-break/><text:a xlink:href="https://example.org">Delta</text:a></text:span></text:p>'
        "<text:list><text:list-item><text:p>Sand</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>"
        "<table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>"
        "<office:annotation><text:p>hidden</text:p></office:annotation>"
    )
    assert lines(read_odt(odt(body, styles))) == [
        *(
            "# Hana Lind",
            "## Work",
            "**Lecturer** | 2019",
            "[Delta](https://example.org)",
            "- Sand",
        ),
        "A | B",
    ]


def test_a_table_for_layout_is_read_cell_by_cell() -> None:
    html = "<table><tr><td><p>A</p><p>B</p></td><td><ul><li>C</li><li>D</li></ul></td></tr></table>"
    assert lines(html_markdown(html)) == ["A", "B", "- C", "- D"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 broken", "cannot open it"),
        (packed({"x.xml": ""}), "not such a document"),
        (packed({"word/document.xml": b" " * (MOST_XML + 1), "content.xml": ""}), "too large"),
        (
            packed({"word/document.xml": "<!DOCTYPE x [<!ENTITY a 'b'>]><x/>"}),
            "not such a document",
        ),
        (odt("<text:p>" * 200 + "</text:p>" * 200), "not such a document|nested too deeply"),
    ],
)
def test_hostile_files_are_refused_in_words(data: bytes, message: str) -> None:
    for read in (read_docx, read_odt):
        with pytest.raises(NotImported, match=message):
            read(data)


def test_the_largest_type_is_the_name_and_other_headings_are_sections() -> None:
    def large(text: str, size: int) -> str:
        return f'<w:p><w:r><w:rPr><w:sz w:val="{2 * size}"/></w:rPr><w:t>{text}</w:t></w:r></w:p>'

    body = large("Oslo", 11) + large("Hana Lind", 18) + paragraph("Work", style="H1")
    assert lines(read_docx(docx(body + large("Guide", 11)))) == [
        *("Oslo", "# Hana Lind", "## Work", "Guide"),
    ]
    found = read_docx(docx(large("Hana Lind", 18) + large("Guide ……………… 2019", 11)))
    assert lines(found) == ["# Hana Lind", "Guide | 2019"]


def test_headers_of_pages_do_not_repeat_the_text() -> None:
    header = paragraph("Hana Lind", "\t", "May 2019")
    data = docx(paragraph("Hana Lind"), header1=header, header2=header)
    assert lines(read_docx(data)) == ["May 2019", "Hana Lind"]


def test_rows_of_a_table_pair_the_lines_of_their_cells() -> None:
    html = (
        "<table><tr><td><p>A</p><p>B</p><p>C</p></td><td><p>1</p><p>2</p><p>3</p></td></tr></table>"
    )
    assert lines(html_markdown(html)) == ["A | 1", "B | 2", "C | 3"]


def test_addresses_are_not_emphasized() -> None:
    body = paragraph("**www.example.org/hana") + paragraph("**github.com/hana", "**, Oslo")
    assert lines(read_docx(docx(body))) == ["www.example.org/hana", "**github.com/hana, Oslo**"]


def test_a_reference_with_a_hanging_indent_is_one_line() -> None:
    def hanging(*lines: str) -> str:
        runs = "<w:br/>".join(f"<w:t>{line}</w:t>" for line in lines)
        indent = '<w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr>'
        return f"<w:p>{indent}<w:r>{runs}</w:r></w:p>"

    body = (
        hanging("Sand, L. (2020). Stones.", "Rivers, 2, 1–4.")
        + hanging("Berg, A. (2019). Ice.")
        + hanging("2018</w:t><w:tab/><w:t>Engineer", "Delta Works")
    )
    assert lines(read_docx(docx(body))) == [
        *("Sand, L. (2020). Stones. Rivers, 2, 1–4.", "Berg, A. (2019). Ice."),
        *("2018 | Engineer", "Delta Works"),
    ]
