"""Converts Word and PDF files in a process of their own, with limits on time and memory.

The libraries for these formats can loop on hostile files, and cannot be interrupted.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from contextlib import suppress

from kg.plugins.exchange.source_files import NotImported

MOST_WORK = 18  # seconds of one processor
TIMEOUT = 60  # seconds, if the machine is busy
MOST_MEMORY = 1_000_000_000  # bytes of address space, of which about half is used
REFUSED = 3  # exit code; the reason is on standard output
SCANNED = (
    "it has no text, only images, like a scan. Recognise the text first, for example with "
    "'ocrmypdf cv.pdf text.pdf', and import the result"
)
ENCRYPTED = "it needs a password. Save it without one, for example with 'qpdf --decrypt'"
LOCKED = ("PDFEncryptionError", "PDFPasswordIncorrect")
BROKEN = "it cannot be read: {}. Print or export it as PDF again, or as .docx"
TOO_SLOW = "it takes too much time or memory to read. "
INSTEAD = {
    "pdf": "Save its text with 'pdftotext -layout'",
    "docx": "Import only the CV part, or save it as .odt",
}


def convert(kind: str, data: bytes) -> str:
    """The Markdown of a `docx` or `pdf` file."""
    command = [sys.executable, "-P", "-m", __name__, kind]
    try:
        done = subprocess.run(  # noqa: S603
            command, input=data, capture_output=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotImported(TOO_SLOW + INSTEAD[kind]) from error
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise NotImported(text if done.returncode == REFUSED else TOO_SLOW + INSTEAD[kind])
    return text


def main() -> None:
    """Converts standard input; the kind of file is the argument."""
    with suppress(ImportError):  # on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_WORK, MOST_WORK))
    gc.disable()
    data, code = sys.stdin.buffer.read(), 0
    try:
        if sys.argv[1] == "docx":
            from kg.plugins.documents.office import read_docx as read
        else:
            from kg.plugins.documents.pdf import read_pdf as read
        text = read(data)
        if not text.strip():
            raise NotImported(SCANNED)
    except NotImported as error:
        text, code = str(error), REFUSED
    except Exception as error:  # broken files raise anything
        name = type(error).__name__
        text, code = BROKEN.format(name) if name not in LOCKED else ENCRYPTED, REFUSED
    sys.stdout.buffer.write(text.encode())
    sys.exit(code)


if __name__ == "__main__":
    main()
