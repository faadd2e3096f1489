"""Digests of the samples of themes, from files that are not part of the repository:
`python -m tests.plugins.exchange.theme_samples FOLDER > kg/plugins/exchange/theme-samples.txt`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from kg.plugins.exchange.draft import Draft, Value, values_in
from kg.plugins.exchange.formats import detect_format
from kg.plugins.exchange.samples import (
    CONTACTS,
    FEWEST,
    LONG,
    UNSAID,
    details_of,
    digest,
    digests,
    letters_of,
)
from kg.plugins.exchange.source_files import NotImported, SourceFile

FEWEST_LETTERS = 8  # of a contact


def drafts_of(path: Path) -> Iterator[Draft]:
    source = SourceFile(str(path), "/".join(path.parts[2:]), path.read_bytes())
    try:
        found = detect_format(source)
        yield from found.read(source) if found else ()
    except NotImported as error:
        sys.stderr.write(f"{error}\n")


def lines_of(draft: Draft) -> Iterator[str]:
    cv = {"basics": {}, **draft.cv}
    lists = [each for name, each in cv.items() if isinstance(each, list) and name not in UNSAID]
    lists += [section["entries"] for section in cv.get("sections", ())]
    names = [each for each in lists if all(isinstance(item, Value) for item in each)]
    texts = [cv["basics"].get("summary"), *(each.value for each in draft.left)]
    entries = [*names, *(entry for each in lists if each not in names for entry in each), *texts]
    for entry in entries:
        found = sorted(digests(entry))
        is_long = any(len(letters_of(each)) >= LONG for each in values_in(entry))
        if len(found) >= FEWEST or is_long:
            yield " ".join(["=", *found])
    for name in CONTACTS:
        found = cv["basics"].get(name, [])
        contacts = found if isinstance(found, list) else [found]
        for value in (text for each in contacts for text in details_of(each)):
            if len(letters_of(value)) >= FEWEST_LETTERS:
                yield f"@ {digest(value)}"
    if draft.name:
        yield f"~ {digest(draft.name)}"


if __name__ == "__main__":
    files = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.is_file())
    found = {line for path in files for draft in drafts_of(path) for line in lines_of(draft)}
    sys.stdout.write("".join(f"{line}\n" for line in sorted(found)))
