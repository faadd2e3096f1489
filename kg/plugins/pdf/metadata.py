"""Title and author of a PDF, and no time of printing, so that the same page gives the same bytes.

The entries are appended as an incremental update (ISO 32000, 7.5.6): a new information object with
the number of the old one.
"""

from __future__ import annotations

import re

from kg.errors import KgError

DATE = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")
TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$", re.DOTALL)
INFO = re.compile(rb"/Info (\d+) 0 R")


def with_metadata(body: bytes, title: str, author: str = "") -> bytes:
    """A PDF of Chromium with this title and author, without dates."""
    trailer = TRAILER.search(body)
    info = INFO.search(trailer[1]) if trailer else None
    if not trailer or not info:
        raise KgError("The browser wrote a PDF without information about itself. Use Chromium.")
    plain = DATE.sub(lambda date: b" " * len(date[0]), body)
    fields = {b"Title": title, b"Author": author, b"Producer": "Chromium, cv-kg"}
    entries = b" ".join(b"/%s <%s>" % (name, text(each)) for name, each in fields.items() if each)
    update = b"%s 0 obj\n<<%s>>\nendobj\n" % (info[1], entries)
    table = b"xref\n%s 1\n%010d 00000 n \n" % (info[1], len(plain))
    end = b"trailer\n<<%s\n/Prev %s>>\nstartxref\n%d\n%%%%EOF\n"
    return plain + update + table + end % (trailer[1].strip(), trailer[2], len(plain + update))


def text(value: str) -> bytes:
    """A text string in UTF-16, in hexadecimal."""
    return f"\ufeff{value}".encode("utf-16-be").hex().upper().encode()
