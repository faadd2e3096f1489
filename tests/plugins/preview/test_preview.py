"""Preview images, vCards and PDFs beside pages."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path

import lxml.html
import pytest
import vobject
import yaml
from click.testing import CliRunner
from PIL import Image

from kg.check.check import good
from kg.cli import main
from kg.plugins.preview.lettering import Lettering, can_write
from kg.publish.site import Documents
from tests.conftest import ROOT, skip
from tests.web.browsing import CHROMIUM

EXAMPLE = ROOT / "kg" / "example"
ADA = "people/ada-lindqvist"


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents(good(EXAMPLE))


def site(folder: Path, **settings: object) -> Path:
    shutil.copytree(EXAMPLE, folder / "site")
    file = folder / "site" / "data" / "site.yaml"
    if settings:
        file.write_text(file.read_text() + yaml.safe_dump(settings))
    return folder / "site"


def head(documents: Documents, address: str) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(documents.get(f"{address}.html").body.decode()).head


def meta(documents: Documents, address: str, name: str) -> list[str]:
    return head(documents, address).xpath(f"//meta[@property='{name}' or @name='{name}']/@content")


@pytest.mark.parametrize("address", [ADA, "publications/lindqvist-2024-sand"])
def test_a_page_has_an_image_for_links_to_it(documents: Documents, address: str) -> None:
    assert meta(documents, address, "og:image") == [f"{documents.base}{address}.png"]
    assert meta(documents, address, "twitter:card") == ["summary_large_image"]
    file = documents.get(f"{address}.png")
    with Image.open(BytesIO(file.body)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
        shades = image.convert("L").point(lambda shade: 255 * (shade < 128))
        assert shades.crop((100, 60, 1100, 200)).getbbox()  # the title
    assert len(file.body) < 30_000
    assert Documents(documents.graph).get(f"{address}.png").body == file.body


def test_pages_without_an_image_have_a_small_card(documents: Documents) -> None:
    assert meta(documents, "orgs/northfjord", "twitter:card") == ["summary"]
    assert not meta(documents, "orgs/northfjord", "og:image")


def test_a_name_that_the_font_cannot_write_has_no_image(tmp_path: Path) -> None:
    (tmp_path / "data" / "cv").mkdir(parents=True)
    (tmp_path / "data" / "site.yaml").write_text("base: https://cv.example.org/\ntitle: CV\n")
    (tmp_path / "data" / "cv" / "wang.yaml").write_text("basics: {name: 王小明}\n")
    documents = Documents(good(tmp_path))
    assert "people/wang.html" in documents.files
    assert "people/wang.png" not in documents.files
    assert can_write("Ada Lindqvist") and not can_write("王小明")


def test_long_titles_end_in_an_ellipsis() -> None:
    lettering = Lettering(58)
    lines = lettering.lines("A very long title of a work " * 20, 1000, 4)
    assert len(lines) == 4
    assert lines[-1].endswith("…")
    assert all(lettering.width(line) <= 1000 for line in lines)


def test_a_site_can_leave_out_images_and_vcards(tmp_path: Path) -> None:
    documents = Documents(good(site(tmp_path, files={"preview": False, "vcard": False})))
    assert not [path for path in documents.files if re.search(r"^people/.*\.(png|vcf)$", path)]
    assert meta(documents, ADA, "twitter:card") == ["summary"]


@pytest.mark.process
def test_unknown_files_are_errors(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["check", str(site(tmp_path, files={"vcards": True}))]).stdout
    assert "files: there is no plugin 'vcards'. Did you mean 'vcard'?" in found


def test_the_vcard_is_linked_and_the_same_as_the_exported_one(documents: Documents) -> None:
    links = head(documents, ADA).xpath("//link[@type='text/vcard']/@href")
    assert links == ["../people/ada-lindqvist.vcf"]
    body = documents.get(f"{ADA}.vcf").body.decode()
    assert vobject.readOne(body).fn.value == "Ada Lindqvist"
    command = ["export", "ada-lindqvist", str(EXAMPLE), "--to", "vcard"]
    exported = CliRunner().invoke(main, command).stdout
    assert sorted(body.split()) == sorted(exported.split())


def test_the_vcard_has_only_public_values(tmp_path: Path) -> None:
    folder = site(tmp_path)
    cv = folder / "data" / "cv" / "ada-lindqvist.yaml"
    content = yaml.safe_load(cv.read_text())
    content["basics"] |= {
        "email": {"value": "ada@shown.example", "visibility": "public"},
        "phone": "+47 555 01 234",
    }
    cv.write_text(yaml.safe_dump(content, sort_keys=False))
    body = Documents(good(folder)).get(f"{ADA}.vcf").body.decode()
    assert "EMAIL:ada@shown.example" in body
    assert "555" not in body


def test_a_server_has_no_pdf_but_a_button_to_print(tmp_path: Path) -> None:
    documents = Documents(good(site(tmp_path, files={"pdf": True})))
    assert f"{ADA}.pdf" not in documents.files
    assert b"Save as PDF" in documents.get(f"{ADA}.html").body


@pytest.mark.process
def test_a_build_without_a_browser_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = site(tmp_path, files={"pdf": True})
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(main, ["build", str(folder), "-o", str(tmp_path / "out")])
    assert done.exit_code != 0
    assert "asks for PDF files, but Chromium or Chrome is missing" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.proof
@pytest.mark.browser
def test_a_build_has_a_pdf_of_each_cv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if CHROMIUM is None:
        skip("no Chromium was found")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "chromium").symlink_to(CHROMIUM)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    folder = site(tmp_path, files={"pdf": True})
    done = CliRunner().invoke(main, ["build", str(folder), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    body = (tmp_path / "out" / f"{ADA}.pdf").read_bytes()
    assert b"file://" not in body
    assert b"https://lab.example.org/orgs/northfjord.html" in body
    assert b"CreationDate" not in body
    assert (
        b"/Author <%s>" % "\ufeffAda Lindqvist".encode("utf-16-be").hex().upper().encode()
    ) in body
    page = lxml.html.parse(tmp_path / "out" / f"{ADA}.html")
    assert page.xpath("//head/link[@type='application/pdf']/@href") == [
        "../people/ada-lindqvist.pdf"
    ]
    assert page.xpath("//p[@class='do']/a[text()='PDF']/@href") == ["../people/ada-lindqvist.pdf"]
    assert '"contentUrl":"https://lab.example.org/people/ada-lindqvist.pdf"' in page.xpath(
        "string(//script[@type='application/ld+json'])"
    ).replace('": "', '":"')
