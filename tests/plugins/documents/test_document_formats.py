"""Documents are detected, imported as CVs, or refused in words."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kg.plugins.documents import converter, document_formats
from kg.plugins.documents.document_formats import DOCX, ODT, PDF, TEX
from kg.plugins.exchange.draft import Format
from kg.plugins.exchange.formats import unknown_format
from kg.plugins.exchange.source_files import NotImported, SourceFile, sources
from tests.plugins.documents.small_files import Words, docx, odt, packed, paragraph, pdf

TEXT = r"\documentclass{article}\begin{document}{\Huge Hana Lind}\section{Awards}\input{more}"
FILES = {
    "cv.docx": docx(
        paragraph("Hana Lind", style="H1")
        + paragraph("Awards", style="H2")
        + paragraph("• Prize, 2020")
    ),
    "cv.odt": odt("<text:h>Hana Lind</text:h><text:h>Awards</text:h><text:p>Prize, 2020</text:p>"),
    "cv.pdf": pdf(
        [
            Words(50, 800, "Hana Lind", 20),
            Words(50, 700, "Awards", 14),
            Words(50, 680, "Prize, 2020"),
        ]
    ),
    "cv.tex": TEXT.encode() + rb"\begin{itemize}\item Prize, 2020\end{itemize}\end{document}",
}
FORMATS = {"cv.docx": DOCX, "cv.odt": ODT, "cv.pdf": PDF, "cv.tex": TEX}


@pytest.mark.process
@pytest.mark.parametrize("name", FILES)
def test_each_format_is_detected_and_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    (source,) = sources(path)
    assert [each.name for each in FORMATS.values() if each.matches(source)] == [FORMATS[name].name]
    (draft,) = FORMATS[name].read(source)
    assert draft.name == "Hana Lind"
    assert "Prize" in str(draft.cv)


def test_files_that_a_cv_includes_are_read_or_listed(tmp_path: Path) -> None:
    tmp_path.joinpath("cv.tex").write_bytes(FILES["cv.tex"])
    (alone,) = (found for found in sources(tmp_path) if found.path == "cv.tex")
    (draft,) = TEX.read(alone)
    assert [(str(each.value), each.why) for each in draft.left] == [
        (r"\input{more}", document_formats.NOT_FOUND)
    ]
    tmp_path.joinpath("more.tex").write_text("Medal, 2021")
    both = {found.path: found for found in sources(tmp_path)}
    (draft,) = TEX.read(both["cv.tex"])
    assert "Medal" in str(draft.cv) and not draft.left
    (single,) = sources(tmp_path / "cv.tex")
    (draft,) = TEX.read(single)
    assert "Medal" in str(draft.cv) and not draft.left
    tmp_path.joinpath("more.tex").unlink()
    tmp_path.joinpath("more.tex").symlink_to("/etc/hostname")
    (draft,) = TEX.read(single)
    assert len(draft.left) == 1
    assert not TEX.matches(both["more.tex"])


def test_a_letter_is_no_cv() -> None:
    text = rb"\documentclass{letter}\begin{document}\opening{Dear}\end{document}"
    assert not TEX.matches(SourceFile("a.tex", "a.tex", text))


def refusal(found: Format, data: bytes) -> str:
    with pytest.raises(NotImported) as refused:
        list(found.read(SourceFile("cv.x", "cv.x", data)))
    assert str(refused.value).startswith("cv.x: ")
    return str(refused.value)


@pytest.mark.process
def test_documents_that_cannot_be_read_are_refused_with_a_way() -> None:
    assert "ocrmypdf" in refusal(PDF, pdf([]))
    locked = pdf([Words(1, 1, "x")]).replace(
        b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /X >>"
    )
    assert "password" in refusal(PDF, locked)
    assert "export it as PDF again" in refusal(PDF, b"%PDF-1.4\n" + b"1 0 obj " * 100)
    assert "save it as .docx" in refusal(DOCX, packed({"x": ""})).lower()
    nested = "<w:tbl><w:tr><w:tc>" * 2000 + paragraph("x") + "</w:tc></w:tr></w:tbl>" * 2000
    assert "cannot be read" in refusal(DOCX, docx(nested))


@pytest.mark.process
def test_a_document_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converter, "TIMEOUT", 0.01)
    start = time.monotonic()
    assert "too much time or memory" in refusal(PDF, FILES["cv.pdf"])
    assert time.monotonic() - start < 5


def test_without_the_extra_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_formats, "find_spec", lambda _: None)
    assert "cv-kg[documents]" in refusal(PDF, FILES["cv.pdf"])


@pytest.mark.parametrize(
    ("name", "way"),
    [("cv.doc", ".docx"), ("cv.rtf", "pandoc cv.rtf"), ("cv.pages", "Export To"), ("me.png", "OCR"),
     ("cv.typ", "pandoc cv.typ"), ("x.bbl", "Google Scholar"), ("x.abc", "dblp")],
)  # fmt: skip
def test_other_formats_are_refused_with_a_way(name: str, way: str) -> None:
    assert way in unknown_format(Path(name), 1)
