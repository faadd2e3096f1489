"""The site as a folder for any web host: written, proved, and only then put in the place of the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.engine.body import pack
from kg.errors import KgError, Problem, ProblemsFound, tidy
from kg.publish.document import Document
from kg.publish.folder import MARKER, Folder, renewed
from kg.publish.leaks import own_part, search
from kg.publish.proof.dumps import PACKED
from kg.publish.proof.prove import Proof, prove
from kg.publish.proof.source import Directory
from kg.publish.site import Documents

SMALLEST_WORTH_PACKING = 1024
TEXT = ("text/", "application/", "image/svg")  # all that we write but pictures
Counted = Callable[[int, int], None]


@dataclass(frozen=True)
class Written:
    """So many files are in the folder now, so many of them new or changed, and this was proved of them."""

    files: int
    changed: int
    proof: Proof


def silent(done: int, total: int) -> None:
    """Nobody waits."""


def export(documents: Documents, target: Path, progress: Counted = silent, sample: int = 0, proving: Counted = silent) -> Written:
    """Writes all documents into a folder. What was there before stays whole until the end, and for good where the new one is not right.

    `sample` proves so many documents instead of all. `progress` is told of files that are written, `proving` of documents that are proved.
    """
    try:
        with renewed(target) as folder:
            files = write(documents, folder, progress)
            proof = prove(Directory(folder.beside, Path()), sample, proving)
            if not proof.good:
                raise ProblemsFound(list(proof.problems), target)
            folder.finish()
            return Written(files, len([path for path in folder.changed if path != MARKER]), proof)
    except OSError as error:
        at = f" ({error.filename})" if error.filename else ""
        raise KgError(f"{target} cannot be written: {error.strerror or error}{at}. What was there is there still.") from error


def write(documents: Documents, folder: Folder, progress: Counted) -> int:
    """All files, and the list of them; gives their number. Nothing private may be in any."""
    leaks: list[Problem] = []
    written: list[str] = []
    for number, path in enumerate(documents.files, 1):
        document = documents.make(path)
        assert document is not None  # noqa: S101
        leaks += search(path, own_part(documents, path, document.body), documents.graph.secrets)
        for name, body in copies(document, documents):
            folder.put(name, body)
            written.append(name)
        progress(number, len(documents.files))
    marker = "".join(f"{path}\n" for path in written).encode()
    leaks += search(MARKER, marker, documents.graph.secrets)
    if leaks:
        raise ProblemsFound(tidy(leaks), documents.graph.site.folder)
    folder.put(MARKER, marker)
    return len(written)


def copies(document: Document, documents: Documents) -> Iterator[tuple[str, bytes]]:
    """A file, and beside it the same packed, for hosts that send that to who can unpack it."""
    yield document.path, document.body
    packed = document.path + PACKED
    is_text = document.media_type.startswith(TEXT) and not document.path.endswith(PACKED)
    if is_text and packed not in documents.files and len(document.body) >= SMALLEST_WORTH_PACKING:
        yield packed, pack(document.body)
