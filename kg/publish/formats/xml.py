"""XML, written by hand: elements as text, and what may not stand in them left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
UNSAYABLE = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # in no XML, not even escaped


def element(name: str, content: str | Iterable[str] = "", **attributes: str) -> str:
    """An element with a text, or with elements, each on a line of its own."""
    opened = name + "".join(
        f" {key}={quoteattr(sayable(value))}" for key, value in attributes.items()
    )
    if isinstance(content, str):
        return f"<{opened}>{escape(sayable(content))}</{name}>" if content else f"<{opened}/>"
    return f"<{opened}>\n" + "".join(f"{each}\n" for each in content) + f"</{name}>"


def sayable(text: str) -> str:
    return UNSAYABLE.sub("", text)


def document(root: str) -> bytes:
    return f"{HEAD}{root}\n".encode()
