"""Links: all are relative, so that a page works at any address, live or from a folder."""

from __future__ import annotations

from dataclasses import dataclass

from kg.publish.document import root_of


@dataclass(frozen=True)
class Link:
    """A text that leads somewhere. Where it would lead to the page it is on, `href` is empty."""

    text: str
    href: str


Cell = str | Link


def href(base: str, iri: str, path: str) -> str:
    """The way from the page at a path to a thing, as a relative address; things elsewhere keep
    theirs.
    """
    document, _, fragment = iri.partition("#")
    if not iri.startswith(base):
        return iri
    target = document[len(base) :]
    if target == path:
        return f"#{fragment}" if fragment not in ("", "it") else ""
    page = target if not target or target.endswith("/") else f"{target}.html"
    folder, _, name = page.rpartition("/")
    is_near = bool(name) and path.count("/") == 1 and folder == path.partition("/")[0]
    return (name if is_near else root_of(path) + page) + (
        f"#{fragment}" if fragment and fragment != "it" else ""
    )


def contact(text: str | None) -> Cell | None:
    """Whom to write to: an address one can click, where it is one."""
    if not text or " " in text:
        return text
    if text.startswith(("https://", "http://", "mailto:")):
        return Link(text.removeprefix("mailto:"), text)
    return Link(text, f"mailto:{text}") if "@" in text else text
