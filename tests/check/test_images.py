"""Images are published without what a camera wrote into them, upright, no larger than needed."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageCms, ImageSequence, PngImagePlugin

from kg.check.check import check, good
from kg.check.images import (
    LONGEST_SIDE,
    MAX_PIXELS,
    ImageFile,
    encode,
    encode_once,
    shown_size,
)
from kg.errors import Problem
from kg.publish.export.export import export
from kg.publish.export.reuse import TraceCache
from kg.publish.site import Documents

SECRET = b"Secret Street 17"
FORMATS = {"jpg": "JPEG", "JPG": "JPEG", "jpeg": "JPEG", "png": "PNG", "webp": "WEBP"}
SIDEWAYS = 6  # of EXIF: the top of the picture is on its right
PAGE = "people/ada-lindqvist.html"


def photograph(suffix: str, size: tuple[int, int] = (2000, 1500)) -> bytes:
    """As a camera writes it: lying, its top red, and telling all that it knows."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 4, size[1]))
    exif = Image.Exif()
    exif[0x0112] = SIDEWAYS
    exif[0x013B] = SECRET.decode()
    exif.get_ifd(0x8825).update({1: "N", 2: (69.0, 39.0, 7.0), 3: "E", 4: (18.0, 57.0, 19.0)})
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Author", SECRET.decode())
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    output = BytesIO()
    image.save(
        output,
        FORMATS[suffix],
        exif=exif,
        xmp=b"<x:xmpmeta>" + SECRET + b"</x:xmpmeta>",
        comment=SECRET,
        pnginfo=texts,
        icc_profile=profile,
    )
    body = output.getvalue()
    if FORMATS[suffix] == "JPEG":  # IPTC
        part = b"Photoshop 3.0\0" + SECRET
        body = body[:2] + b"\xff\xed" + struct.pack(">H", len(part) + 2) + part + body[2:]
    return body


def put(site: Path, name: str, body: bytes, is_named: bool = True) -> Path:
    file = site / "static" / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(body)
    if is_named:
        (cv,) = (site / "data" / "cv").glob("ada-*.yaml")
        text = cv.read_text(encoding="utf-8")
        cv.write_text(text.replace("basics:\n", f"basics:\n  image: {name}\n"), encoding="utf-8")
    return file


def published(site: Path, name: str) -> bytes:
    document = Documents(good(site)).get(f"static/{name}")
    assert document
    assert document.media_type == f"image/{FORMATS[name.rpartition('.')[2]].lower()}"
    return document.body


def problems(site: Path) -> Iterator[Problem]:
    return (each for each in check(site).problems if each.rule == "bad-picture")


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "not named"])
@pytest.mark.parametrize("suffix", FORMATS)
def test_nothing_that_a_camera_wrote_is_published(site: Path, suffix: str, is_named: bool) -> None:
    name, original = f"photo.{suffix}", photograph(suffix)
    put(site, name, original, is_named)
    body = published(site, name)
    assert SECRET in original
    for mark in (SECRET, b"Exif", b"EXIF", b"eXIf", b"xmp", b"XMP", b"iCCP", b"ICC", b"Photoshop"):
        assert mark not in body
    with Image.open(BytesIO(body)) as image:
        assert image.format == FORMATS[suffix]
        assert dict(image.getexif()) == {}
        assert image.info.keys().isdisjoint({"exif", "xmp", "comment", "icc_profile", "photoshop"})
        assert image.size == ((900, 1200) if is_named else (1500, 2000))
        pixels = image.convert("RGB")
        top, bottom = pixels.getpixel((450, 20)), pixels.getpixel((450, 1100))
    assert isinstance(top, tuple) and isinstance(bottom, tuple)
    assert top[0] > 240 and top[2] < 20, "it is upright"
    assert min(bottom) > 240


def test_pages_tell_the_size_of_an_image(example: Path) -> None:
    file = put(example, "ada.jpg", photograph("jpg"))
    documents = Documents(good(example))
    for path, start in ((PAGE, '"photo" src="../'), ("index.html", '"face" src="./')):
        page = documents.get(path)
        assert page
        image = f'<img class={start}static/ada.jpg" width="900" height="1200" alt='
        assert image in page.body.decode()
    with Image.open(BytesIO(published(example, "ada.jpg"))) as image:
        assert image.size == shown_size(file)


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize("size", [(4001, 3003), (1201, 17), (1, 5000), (1200, 900), (20, 30)])
def test_the_size_that_pages_tell_is_the_size_of_the_file(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    file = put(tmp_path, "ada.jpg", photograph("jpg", size), is_named=False)
    with Image.open(BytesIO(encode(ImageFile(file, is_named=True)).body)) as image:
        assert image.size == shown_size(file)
        assert max(image.size) == min(max(size), LONGEST_SIDE)


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize(
    ("mode", "kind"),
    [*((mode, "PNG") for mode in ("1", "L", "LA", "P", "RGBA", "I;16")), ("CMYK", "JPEG")],
)
@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_an_image_of_any_mode_and_format_gets_the_format_of_its_name(
    tmp_path: Path, mode: str, kind: str, suffix: str
) -> None:
    file = tmp_path / f"ada.{suffix}"
    Image.new(mode, (1600, 400)).save(file, kind)
    with Image.open(BytesIO(encode(ImageFile(file, is_named=True)).body)) as found:
        assert (found.format, found.size) == (FORMATS[suffix], (1200, 300))


@pytest.mark.parametrize("suffix", ["png", "webp"])
def test_a_moving_image_moves(tmp_path: Path, suffix: str) -> None:
    frames = [Image.new("RGB", (30, 20), colour) for colour in ("red", "white", "blue")]
    output = BytesIO()
    frames[0].save(
        output,
        FORMATS[suffix],
        save_all=True,
        append_images=frames[1:],
        duration=[90, 200, 50],
        xmp=SECRET,
        exif=b"Exif\0\0" + SECRET,
        icc_profile=SECRET,
    )
    file = put(tmp_path, f"ada.{suffix}", output.getvalue(), is_named=False)
    body = encode(ImageFile(file, is_named=True)).body
    for mark in (SECRET, b"eXIf", b"EXIF", b"XMP", b"iCCP", b"ICC"):
        assert mark not in body
    with Image.open(BytesIO(body)) as image:
        durations = []
        for frame in ImageSequence.Iterator(image):
            frame.load()
            durations.append(int(frame.info["duration"]))
    assert durations == [90, 200, 50]


def test_other_files_are_published_as_they_are(site: Path) -> None:
    drawing = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    put(site, "ada.svg", drawing)
    document = Documents(good(site)).get("static/ada.svg")
    assert document and document.body == drawing


def huge(width: int, height: int) -> bytes:
    """The head of a PNG that would take all memory."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", content) + chunk(b"IEND", b"")
    )


LARGE = f"the maximum is {MAX_PIXELS:,} pixels. Replace static/ada.jpg, or remove it."
UNREADABLE = (
    "This file is not a valid JPEG, PNG or WebP image. Replace static/ada.jpg, or remove it."
)


BROKEN = {
    "empty": (lambda: b"", UNREADABLE),
    "a text": (lambda: b"a picture", UNREADABLE),
    "another format": (lambda: b"GIF89a", UNREADABLE),
    "half a JPEG": (lambda: photograph("jpg")[:9000], UNREADABLE),
    "half a PNG": (lambda: photograph("png")[:3000], UNREADABLE),
    "half a WebP": (lambda: photograph("webp")[:3000], UNREADABLE),
    "large": (lambda: huge(9000, 9000), f"This image is too large (9000 × 9000): {LARGE}"),
    "larger": (lambda: huge(10_000, 10_000), f"This image is too large: {LARGE}"),
    "a bomb": (lambda: huge(60_000, 60_000), f"This image is too large: {LARGE}"),
}


@pytest.mark.sample(test=0.2)
@pytest.mark.parametrize(("body", "says"), BROKEN.values(), ids=BROKEN)
def test_an_image_that_cannot_be_read_is_a_problem_where_it_is_named(
    site: Path, body: Callable[[], bytes], says: str
) -> None:
    put(site, "ada.jpg", body())
    (problem,) = problems(site)
    assert (str(problem.place), problem.severity) == ("data/cv/ada-berg.yaml:5:10", "error")
    assert problem.message == says


def test_an_image_that_nothing_names_is_a_problem_of_its_file(site: Path) -> None:
    put(site, "ada.jpg", b"a picture", is_named=False)
    (problem,) = problems(site)
    assert (problem.place.file, problem.message) == ("static/ada.jpg", UNREADABLE)


def test_formats_whose_metadata_stay_are_warned_of(site: Path) -> None:
    put(site, "ada.HEIC", b"\0\0\0 ftypheic", is_named=False)
    (problem,) = problems(site)
    assert (problem.place.file, problem.severity) == ("static/ada.HEIC", "warning")
    assert "Save it as JPEG, PNG or WebP." in problem.message


@pytest.mark.proof
def test_what_is_served_is_what_is_built_and_is_encoded_once(example: Path, tmp_path: Path) -> None:
    put(example, "ada.jpg", photograph("jpg"))
    put(example, "lab.png", photograph("png"), is_named=False)
    names, folder = ("static/ada.jpg", "static/lab.png"), tmp_path / "out"
    export(Documents(good(example)), folder, cache=TraceCache(tmp_path))
    built = [(folder / name).read_bytes() for name in names]
    encode_once.cache_clear()
    assert built == [published(example, name.rpartition("/")[2]) for name in names]
    assert encode_once.cache_info().misses == 2
    cv = example / "data" / "cv" / "ada-lindqvist.yaml"
    text = cv.read_text(encoding="utf-8")
    cv.write_text(text.replace("Measures how", "Studies how"), encoding="utf-8")
    documents = Documents(good(example))
    assert encode_once.cache_info().misses == 2, "a save encodes nothing again"
    encode_once.cache_clear()
    export(documents, folder, cache=TraceCache(tmp_path))
    # The changed page states the size of its picture.
    assert encode_once.cache_info().misses <= 1, "nor does another build"
    assert "Studies how" in (folder / PAGE).read_text(encoding="utf-8")
    assert built == [(folder / name).read_bytes() for name in names]


@pytest.mark.process
def test_a_site_without_images_loads_no_library_for_them(site: Path) -> None:
    code = (
        "import sys; from pathlib import Path; import kg.cli; from kg.check.check import good; "
        "good(Path(sys.argv[1])); sys.exit('PIL' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, site], env=os.environ, check=False)
    assert done.returncode == 0
