"""How a server behaves: what it says of its answers must hold. A host that only keeps files may do
less, and then says less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.errors import Problem, Severity
from kg.publish.formats.media import HTML
from kg.publish.formats.urls import file_of
from kg.publish.proof.dumps import unpacks_to
from kg.publish.proof.faults import fault
from kg.publish.proof.listing import Listing
from kg.publish.proof.server import Answer, Server

TRIED = 10  # documents
UNKNOWN = "people/nobody-has-this-name-7c1f"
PLAIN = ("", "text/plain", "application/octet-stream")  # what hosts say that do not know a suffix


class Manners:
    """Tries some documents. `shown` is what was seen to work."""

    def __init__(self, server: Server, listing: Listing) -> None:
        self.server, self.listing = server, listing
        self.shown: dict[str, None] = {}

    def document(self, address: str) -> Iterator[Problem]:
        for suffix, media_type in self.listing.suffixes.items():
            file = file_of(address, suffix)
            answer = self.server.ask(file)
            if answer.status != 200:
                continue  # told already
            if answer.media_type == media_type:
                self.shown["media types"] = None
            else:
                severity: Severity = "warning" if answer.media_type in PLAIN else "error"
                message = (
                    f"This is sent as {answer.media_type or 'nothing in particular'}, and should "
                    f"be {media_type}."
                )
                yield fault("media-type", self.server.name(file), message, severity=severity)
            yield from self.file(file, answer)
            yield from self.negotiated(address, media_type, answer)

    def file(self, file: str, answer: Answer) -> Iterator[Problem]:
        name = self.server.name(file)
        head = self.server.ask(file, "HEAD")
        if (
            head.status != 200
            or head.media_type != answer.media_type
            or head.headers.get("etag") != answer.headers.get("etag")
        ):
            yield fault(
                "head",
                name,
                (
                    f"HEAD does not tell what GET gives: it answers {head.status} with "
                    f"{head.media_type or 'no type'}."
                ),
            )
        else:
            self.shown["HEAD"] = None
        if tag := answer.headers.get("etag"):
            again = self.server.ask(file, If_None_Match=tag)
            if again.status == 304 and not again.body:
                self.shown["ETag and 304"] = None
            else:
                yield fault(
                    "etag",
                    name,
                    (
                        f"Who has this already, by its ETag, is answered {again.status} instead "
                        "of 304."
                    ),
                )
        packed = self.server.ask(file, Accept_Encoding="gzip")
        if packed.headers.get("content-encoding") == "gzip":
            if unpacks_to(packed.body, answer.body):
                self.shown["gzip"] = None
            else:
                yield fault("packed", name, "Packed by gzip this is not the same as unpacked.")

    def negotiated(self, address: str, media_type: str, twin: Answer) -> Iterator[Problem]:
        """By its own address a document comes in the form that is asked for, if the server says it
        chooses (Vary: Accept).
        """
        answer = self.server.ask(address, Accept=media_type)
        if "accept" not in [
            each.strip().lower() for each in answer.headers.get("vary", "").split(",")
        ]:
            return
        if (answer.status, answer.media_type, answer.body) == (200, media_type, twin.body):
            self.shown["content negotiation"] = None
        else:
            said = f"{answer.status}, {answer.media_type or 'no type'}" + (
                "" if answer.body == twin.body else ", other bytes"
            )
            yield fault(
                "negotiation",
                self.server.name(address),
                f"Asked for {media_type}, this does not give its twin, but: {said}.",
            )

    def nothing(self) -> Iterator[Problem]:
        answer = self.server.ask(UNKNOWN, Accept=HTML)
        if answer.status == 404:
            self.shown["404"] = None
        else:
            yield fault(
                "not-found",
                self.server.name(UNKNOWN),
                f"Nothing is here, but the answer is {answer.status} instead of 404.",
            )

    def redirect(self) -> Iterator[Problem]:
        """`people` leads to `people/`."""
        for address in (address for address in self.listing.addresses if address.endswith("/")):
            path = address.removesuffix("/")
            answer = self.server.ask(path, follow=False)
            if 300 <= answer.status < 400:
                there = self.server.inside(
                    self.server.name(path), answer.headers.get("location", "")
                )
                if there == f"{self.server.top}{address}":
                    self.shown["redirects"] = None
                else:
                    yield fault(
                        "redirect",
                        self.server.name(path),
                        (
                            f"This leads to {answer.headers.get('location', 'nowhere')!a} "
                            f"instead of {address}."
                        ),
                    )


def checked(
    server: Server, listing: Listing, addresses: Sequence[str]
) -> tuple[tuple[str, ...], list[Problem]]:
    """What was seen to work, and what does not."""
    manners = Manners(server, listing)
    problems = [problem for address in addresses for problem in manners.document(address)]
    problems += [*manners.nothing(), *manners.redirect()]
    return tuple(manners.shown), problems
