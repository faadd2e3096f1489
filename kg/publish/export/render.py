"""Makes the files of one document after another: written, searched for what is private, proved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kg.errors import Problem
from kg.facts.secrets import Secrets
from kg.publish.document import Document
from kg.publish.export.folder import Folder
from kg.publish.export.leaks import own_part, plain, told
from kg.publish.export.trace import Made
from kg.publish.export.tracing_store import Asked, digest
from kg.publish.proof.built import Prover
from kg.publish.proof.dumps import PACKED
from kg.publish.site import Documents
from kg.sparql.cached_body import pack

SMALLEST_WORTH_PACKING = 1024
TEXT = ("text/", "application/", "image/svg")  # all that we write but pictures


class Result(NamedTuple):
    """What was made, what of it is another than before, what is wrong with it, and what of it is
    private.
    """

    made: Made
    changed: list[str]
    problems: list[Problem]
    leaks: list[Problem]


class Maker:
    """`proved` are the addresses of the documents that are proved, of all that there are."""

    def __init__(
        self,
        documents: Documents,
        asked: Asked,
        folder: Folder,
        prover: Prover,
        proved: Iterable[str],
    ) -> None:
        self.documents, self.asked, self.folder, self.prover = documents, asked, folder, prover
        self.proved = frozenset(proved)
        self.paths: dict[str, list[str]] = defaultdict(list)
        for path, (origin, _) in documents.files.items():
            if origin in documents.addresses:
                self.paths[origin].append(path)

    def make(self, address: str, before: Made | None = None) -> Result:
        """All files of a document; `before` is what was made of it earlier."""
        # or a work that another document asked for would not be asked for again
        self.documents.citations.known.clear()
        self.asked.taken()
        made = Made(address)
        bodies, changed, leaks = self.put(made, self.paths[address], before)
        made.notes = self.asked.taken()
        return Result(
            made, changed, self.prover.prove(made, bodies) if address in self.proved else [], leaks
        )

    def put(
        self, made: Made, paths: Sequence[str], before: Made | None
    ) -> tuple[dict[str, bytes], list[str], list[Problem]]:
        """Gives what was made of the files, the paths of those that are others than before, and
        what of them is private.
        """
        bodies: dict[str, bytes] = {}
        changed: list[str] = []
        leaks: list[Problem] = []
        for path in paths:
            document = self.documents.make(path)
            assert document is not None  # noqa: S101
            bodies[path] = document.body
            leaks += self.search(made, path, document.body)
            is_new = self.folder.put(path, document.body)
            changed += [path] if is_new else []
            made.files[path] = self.folder.stamp(path)
            if is_worth_packing(document, self.documents):
                packed = path + PACKED
                stamp = before.files.get(packed) if before and not is_new else None
                file = self.folder.found(packed, stamp) if stamp else None
                if file:
                    self.folder.keep(packed, file)
                else:
                    bodies[packed] = pack(document.body)
                    changed += [packed] if self.folder.put(packed, bodies[packed]) else []
                made.files[packed] = self.folder.stamp(packed)
        return bodies, changed, leaks

    def search(self, made: Made, path: str, body: bytes) -> Iterator[Problem]:
        """Nothing private may be in any file; what is public too is noted, for it may not be so for
        ever.
        """
        secrets: Secrets = self.documents.graph.secrets
        for secret in secrets.standing_in(
            plain(own_part(self.documents, path, body).decode("utf-8", "replace"))
        ):
            if secrets.is_public(secret):
                made.secrets = sorted({*made.secrets, digest([secret.text])})
            else:
                yield told(path, secret)


def is_worth_packing(document: Document, documents: Documents) -> bool:
    """Whether the same is put beside a file packed, for hosts that send that to who can unpack
    it.
    """
    is_text = document.media_type.startswith(TEXT) and not document.path.endswith(PACKED)
    return (
        is_text
        and document.path + PACKED not in documents.files
        and len(document.body) >= SMALLEST_WORTH_PACKING
    )
