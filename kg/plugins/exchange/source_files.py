"""Reads the files to import: single files, folders and zip files.

Each file is read once, with limits on size and depth. Files and addresses that it refers to are
never opened, except parts of a LaTeX document in its own folder.
"""

from __future__ import annotations

import json
import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from yaml.events import MappingEndEvent

from kg.errors import KgError, Problem
from kg.facts.yaml.reader import UNPRINTABLE, Unreadable, YamlReader, decode, paired, parse
from kg.facts.yaml.rows import Row, Rows, Spot
from kg.files.disk import fault_of, read_bytes, unreadable, walk

MOST_BYTES = 10_000_000  # per file, or unpacked zip file
MOST_FILES = 2_000  # per folder or zip file
PACKAGES = (".docx", ".odt", ".ott", ".pages", ".xlsx", ".pptx", ".ods", ".epub")  # zip files, too
JSON, YAML = (".json", ".jsonld", ".json-ld"), (".yaml", ".yml", ".cff")
# Exceptions that zipfile raises; only the first is documented.
BROKEN_ZIP = (
    *(zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, ValueError),
    *(struct.error, zlib.error, lzma.LZMAError),
)


class NotImported(KgError):
    """The import failed and nothing was written."""


@dataclass(frozen=True)
class SourceFile:
    """The name and content of a file to import.

    `name` is shown in messages. `path` is relative to the folder or zip file that contains it, and
    `siblings` are all its files by path.
    """

    name: str
    path: str
    data: bytes
    siblings: dict[str, SourceFile] = field(default_factory=dict, compare=False, repr=False)

    @property
    def suffix(self) -> str:
        return Path(self.path).suffix.lower()

    @cached_property
    def text(self) -> str:
        """Decoded as UTF-8, or else as UTF-16 or Windows-1252."""
        try:
            return decode(self.data)
        except Unreadable:
            wide = self.data[:2] in (b"\xff\xfe", b"\xfe\xff")
            return self.data.decode("utf-16" if wide else "cp1252", errors="replace")

    @cached_property
    def tree(self) -> Any:
        """The parsed JSON or YAML, as rows; None for other files."""
        if self.suffix not in (*JSON, *YAML) and not self.text.lstrip().startswith(("{", "[")):
            return None
        text = UNPRINTABLE.sub(" ", self.text)  # control characters cannot be published
        value, problems = read_foreign(self.name, text.encode())
        if value is None and problems and self.suffix in (*JSON, *YAML):
            raise NotImported(f"{problems[0].place}: {problems[0].message}")
        return value

    @property
    def root(self) -> Row:
        """The top-level mapping of a JSON or YAML file."""
        if not isinstance(self.tree, Row):
            raise NotImported(
                f"{self.name}: not a JSON or YAML file with named fields, which this format "
                "requires. Export the data as JSON, or choose another format with --from."
            )
        return self.tree


def sources(path: Path) -> Iterator[SourceFile]:
    """The file at a path, or all files of a folder or zip file."""
    siblings = dict[str, SourceFile]()
    for each in found_at(path):
        siblings[each.path] = replace(each, siblings=siblings)
    yield from siblings.values()


def found_at(path: Path) -> Iterator[SourceFile]:
    if path.is_dir():
        found = walk(path, MOST_BYTES)
        if len(found.files) > MOST_FILES:
            raise NotImported(
                f"{path} has {len(found.files):,} files (limit: {MOST_FILES:,}). Pass only the "
                "files to import."
            )
        for name in found.files:
            yield SourceFile(str(path / name), name, read_content(path / name))
        return
    data = read_content(path)
    if path.suffix.lower() not in PACKAGES and zipfile.is_zipfile(BytesIO(data)):
        yield from zip_members(path, data)
    else:
        yield SourceFile(str(path), path.name, data)


def read_content(path: Path) -> bytes:
    if fault := fault_of(path, MOST_BYTES):
        raise NotImported(f"{path}: {fault}")
    data = read_bytes(path)
    if isinstance(data, OSError):
        raise NotImported(f"{path}: {unreadable(data)}")
    return data


def zip_members(path: Path, data: bytes) -> Iterator[SourceFile]:
    """The files in a zip file, read in memory."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            infos = [info for info in packed.infolist() if not info.is_dir()]
            if len(infos) > MOST_FILES or sum(info.file_size for info in infos) > MOST_BYTES:
                raise NotImported(
                    f"{path} is too large (limit when unpacked: {MOST_FILES:,} files, "
                    f"{MOST_BYTES // 1_000_000} MB). Unpack it and pass only the files to import."
                )
            for info in infos:
                with packed.open(info) as file:
                    yield SourceFile(
                        f"{path}/{info.filename}", info.filename, file.read(MOST_BYTES)
                    )
    except BROKEN_ZIP as error:
        raise NotImported(
            f"{path}: cannot read the zip file: {error}. Unpack it and pass the files to import."
        ) from error


class ForeignReader(YamlReader):
    """Reads foreign files by the YAML standard, without looking for typical mistakes of authors.

    Merge keys (`<<`) add missing keys. A value with a duplicate key is kept as `key (2)`.
    """

    def item(self, event: Any) -> tuple[Any, Spot]:
        return self.value(event, spot := (event.start_mark.line, event.start_mark.column)), spot

    def mapping(self, spot: Spot) -> Row:
        row, repeated = Row(self.file, spot), Counter[str]()
        while type(event := self.next()) is not MappingEndEvent:
            key, key_at = self.item(event)
            value, value_at = self.item(self.next())
            if key == "<<":
                for above in value if isinstance(value, Rows) else [value]:
                    if isinstance(above, Row):
                        row.copy_keys(above, [each for each in above if each not in row])
                continue
            name = key if isinstance(key, str) else json.dumps(key)
            while name in row:
                repeated[name] += 1
                name = f"{name} ({repeated[name] + 1})"
            row.put(name, value, key_at, value_at)
        return row


def read_foreign(file: str, data: bytes) -> tuple[Any, list[Problem]]:
    """Parses a JSON or YAML file of another format."""
    return parse(file, paired(data), lambda reader: reader.content()[0], ForeignReader)
