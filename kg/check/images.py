"""Encodes images for publication: without metadata, upright, and no larger than needed.

A photograph reveals where and when it was taken, with which camera, and often by whom. So each
JPEG, PNG and WebP file in `static/` is decoded and encoded again without EXIF, XMP, IPTC, comments
and colour profile (colours are converted to sRGB). An image that an entry uses is scaled down to
1200 pixels on its longer side: more than any screen or paper needs for the box on the page, and
enough for programs that read `schema:image`. Other images keep their size.
"""

from __future__ import annotations

import hashlib
import warnings
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kg.settings import query

if TYPE_CHECKING:  # Pillow is imported only if there is an image
    from PIL.Image import Image

    from kg.store.protocol import Store

FORMATS = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP"}
LONGEST_SIDE = 1200  # pixels, for images that an entry uses
MAX_PIXELS = 80_000_000  # about 240 MB when decoded
QUALITY = 85
ORIENTATION, SIDEWAYS = 0x0112, (5, 6, 7, 8)
ICC, TRANSPARENCY = "icc_profile", "transparency"


class Size(NamedTuple):
    width: int
    height: int


class ImageFile(NamedTuple):
    """An image in `static/`; `is_named` if an entry uses it, so that pages show it."""

    path: Path
    is_named: bool

    def inputs(self) -> bytes:
        """Everything that the published image depends on."""
        content = hashlib.blake2b(self.path.read_bytes(), digest_size=16).hexdigest()
        return f"{version('pillow')} {self.path.suffix.lower()} {self.is_named} {content}".encode()


class EncodedImage(NamedTuple):
    """The file to publish, or the reason why it cannot be published."""

    body: bytes
    fault: str = ""


def is_image(path: Path) -> bool:
    return path.suffix.lower() in FORMATS


def named_images(store: Store, base: str) -> dict[str, str]:
    """The files in `static/` that entries use as an image, each with one of these entries."""
    top = f"{base}static/"
    return {
        row["image"].value.removeprefix(top): row["thing"].value
        for row in store.select(query("site/images"))
        if row["image"].value.startswith(top)
    }


def encode(image: ImageFile) -> EncodedImage:
    """The image as it is published; the same bytes for the same file and version of Pillow."""
    return encode_once(image, image.inputs())


@lru_cache(maxsize=32)
def encode_once(image: ImageFile, inputs: bytes) -> EncodedImage:
    """Encodes an image, once per process while its `inputs` are the same."""
    from PIL import Image  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(image.path, formats=[*FORMATS.values(), "MPO"]) as opened:
                if opened.width * opened.height * frame_count(opened) > MAX_PIXELS:
                    return EncodedImage(b"", too_large(opened.width, opened.height))
                return EncodedImage(written(opened, image))
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return EncodedImage(b"", too_large())
    except Exception:  # decoders raise many kinds of exceptions for broken files
        return EncodedImage(b"", "This file is not a valid JPEG, PNG or WebP image.")


def too_large(width: int = 0, height: int = 0) -> str:
    size = f" ({width} × {height})" if width else ""
    return f"This image is too large{size}: the maximum is {MAX_PIXELS:,} pixels."


def written(opened: Image, image: ImageFile) -> bytes:
    file_format = FORMATS[image.path.suffix.lower()]
    output = BytesIO()
    if frame_count(opened) > 1 and opened.format == file_format:
        write_animation(opened, output, file_format)
        return output.getvalue()
    shown = upright(opened, image.is_named)
    if file_format == "JPEG" and shown.mode not in ("L", "RGB"):
        shown = shown.convert("RGB")
    # Other keys of `info` could be written to the file, too.
    shown.info = {name: shown.info[name] for name in (TRANSPARENCY,) if name in shown.info}
    shown.save(output, file_format, quality=QUALITY, progressive=True)
    return output.getvalue()


def frame_count(opened: Image) -> int:
    """The number of frames of an animation. Additional images that cameras put into a JPEG do not
    count.
    """
    return getattr(opened, "n_frames", 1) if opened.format in ("PNG", "WEBP") else 1


def write_animation(opened: Image, output: BytesIO, file_format: str) -> None:
    """Writes all frames in their original size."""
    from PIL import ImageSequence  # noqa: PLC0415

    durations = []
    for frame in ImageSequence.Iterator(opened):
        frame.load()
        durations.append(frame.info.get("duration", 0))
    loop = opened.info.get("loop", 0)
    opened.seek(0)
    opened.save(
        output,
        file_format,
        save_all=True,
        duration=durations,
        loop=loop,
        quality=QUALITY,
        icc_profile=None,
    )


def upright(opened: Image, is_named: bool) -> Image:
    """The image rotated as the camera was held, in sRGB, and scaled."""
    from PIL import Image, ImageOps  # noqa: PLC0415

    size = upright_size(opened)
    if is_named:  # a JPEG can be decoded at a smaller size
        width, height = scaled(*opened.size)
        opened.draft("RGB", (2 * width, 2 * height))
    image = in_srgb(ImageOps.exif_transpose(opened))
    if is_named and size != scaled(*size):
        if image.mode not in ("L", "LA", "RGB", "RGBA"):
            has_alpha = TRANSPARENCY in image.info or "A" in image.getbands()
            image = image.convert("RGBA" if has_alpha else "RGB")
        image = image.resize(scaled(*size), Image.Resampling.LANCZOS)
    return image


def in_srgb(image: Image) -> Image:
    """The image with the colours that a browser shows without a profile."""
    from PIL import ImageCms  # noqa: PLC0415

    profile = image.info.get(ICC)
    if profile and image.mode in ("RGB", "CMYK"):
        with suppress(ImageCms.PyCMSError, OSError):  # ignore a broken profile
            return (
                ImageCms.profileToProfile(
                    image,
                    ImageCms.ImageCmsProfile(BytesIO(profile)),
                    ImageCms.createProfile("sRGB"),
                    outputMode="RGB",
                )
                or image
            )
    return image


def upright_size(image: Image) -> Size:
    width, height = image.size
    is_sideways = image.getexif().get(ORIENTATION) in SIDEWAYS
    return Size(height, width) if is_sideways else Size(width, height)


def scaled(width: int, height: int) -> Size:
    """The published size of an image that an entry uses."""
    factor = min(1.0, LONGEST_SIDE / max(width, height))
    return Size(max(1, round(width * factor)), max(1, round(height * factor)))


def shown_size(path: Path) -> Size | None:
    """The published size of an image file that an entry uses; None if unknown."""
    if not is_image(path):
        return None
    from PIL import Image  # noqa: PLC0415

    unreadable = (OSError, SyntaxError, ValueError, Image.DecompressionBombError)
    with suppress(*unreadable), Image.open(path) as image:
        return scaled(*upright_size(image))
    return None


def find_fault(image: ImageFile) -> str:
    return encode(image).fault
