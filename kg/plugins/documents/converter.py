"""Converts Word and PDF files in a process of their own, with limits on time and memory.

The libraries for these formats can loop on hostile files, and cannot be interrupted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from kg.plugins.exchange.source_files import NotImported

TIMEOUT = 20  # seconds
MOST_MEMORY = 1_000_000_000  # bytes of address space, of which about half is used
REFUSED = 3  # exit code; the reason is on standard output
SCANNED = (
    "it has no text, only images, like a scan. Recognise the text first, for example with "
    "'ocrmypdf cv.pdf text.pdf', and import the result"
)
ENCRYPTED = "it needs a password. Save it without one, for example with 'qpdf --decrypt'"
BROKEN = "it cannot be read: {}. Print or export it as PDF again, or as .docx"
TOO_SLOW = "it takes too much time or memory to read. Save its text with 'pdftotext -layout'"


def convert(kind: str, data: bytes) -> str:
    """The Markdown of a `docx` or `pdf` file."""
    command = [sys.executable, "-P", "-m", __name__, kind]
    try:
        done = subprocess.run(  # noqa: S603
            command, input=data, capture_output=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotImported(TOO_SLOW) from error
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode == REFUSED:
        raise NotImported(text)
    if done.returncode:
        raise NotImported(TOO_SLOW)
    return text


def converted(kind: str, data: bytes) -> str:
    """The Markdown of a file; errors of the libraries are raised as NotImported."""
    if kind == "docx":
        from kg.plugins.documents.office import read_docx

        return guarded(read_docx, data)
    from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect

    from kg.plugins.documents.pdf import read_pdf

    try:
        text = guarded(read_pdf, data)
    except (PDFEncryptionError, PDFPasswordIncorrect) as error:
        raise NotImported(ENCRYPTED) from error
    if not text:
        raise NotImported(SCANNED)
    return text


def guarded(read: Callable[[bytes], str], data: bytes) -> str:
    try:
        return read(data)
    except (NotImported, MemoryError):
        raise
    except Exception as error:  # broken files raise anything
        if type(error).__name__ in ("PDFEncryptionError", "PDFPasswordIncorrect"):
            raise
        raise NotImported(BROKEN.format(type(error).__name__)) from error


def main() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except ImportError:
        pass  # not on Windows
    try:
        text, code = converted(sys.argv[1], sys.stdin.buffer.read()), 0
    except NotImported as error:
        text, code = str(error), REFUSED
    sys.stdout.buffer.write(text.encode())
    sys.exit(code)


if __name__ == "__main__":
    main()
