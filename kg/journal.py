"""Changes of a site's files by one command at a time, each as a whole.

What a change of several files leads to is noted in a journal first. If the command is killed
between two of the files, whoever reads the site next finishes the change: so nobody sees an entry
in two files that moved from one to the other.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import TypeAdapter

from kg.disk import fault_of, leads_out
from kg.drafts import lock, replace_files
from kg.errors import KgError

DATA = "data"
JOURNAL = f"{DATA}/.journal.kg~"
NOTED = re.compile(rf"{DATA}/.+\.(?:yaml|json)")
ABSENT = ""  # the digest of a file that is not there
NOTES = TypeAdapter(dict[str, tuple[str, str]])


@contextmanager
def changing(site: Path, tell: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """While others who change the files of a site wait: so each reads what the other wrote. Who
    waits is told. A folder that is not there yet is made, and goes if nothing is written into it.
    """
    data = site / DATA
    new = [folder for folder in (data, *data.parents) if not folder.exists()]
    handle = lock_folder(data, tell)
    try:
        with suppress(KgError, OSError):  # which the change itself will meet, too
            settle(site)
        yield
    finally:
        for folder in new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()
        os.close(handle)


def lock_folder(data: Path, tell: Callable[[str], None]) -> int:
    """The handle that locks it until it is closed."""
    while True:
        data.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            handle = os.open(data, os.O_RDONLY)
            with suppress(OSError):  # a file system without locks
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    tell(f"Another command changes {data}/. This one goes on when that has ended.")
                    fcntl.flock(handle, fcntl.LOCK_EX)
            if data.exists() and os.path.samestat(os.fstat(handle), data.stat()):
                return handle
            os.close(handle)  # who had the lock removed it


def change_files(site: Path, texts: Mapping[str, str]) -> None:
    """As `replace_files`, within `changing`, and as a whole: first what is no data, which can be
    written once more.
    """
    others = {name: text for name, text in texts.items() if not NOTED.fullmatch(name)}
    data = {name: text for name, text in texts.items() if name not in others}
    replace_files(site, others)
    if len(data) > 1:
        noted = {name: (digest(site / name), text) for name, text in data.items()}
        replace_files(site, {JOURNAL: json.dumps(noted)}, mode=0o600)  # a CV may be private
    try:
        replace_files(site, data)
    finally:
        settle(site)


def finish_change(site: Path) -> None:
    """What a killed command began, unless another is at work, or nothing may be written here."""
    if not os.path.lexists(site / JOURNAL):
        return
    with suppress(KgError, OSError):
        handle = os.open(site / DATA, os.O_RDONLY)
        try:
            if lock(handle):
                settle(site)
        finally:
            os.close(handle)


def settle(site: Path) -> None:
    """Finishes the change in the journal where some files are new and the others as they were. An
    author who wrote into one since had seen the rest: then the files stay, as they do where none is
    new yet. The journal goes. That of another user stays, for new files would be ours.
    """
    journal = site / JOURNAL
    if not os.path.lexists(journal) or journal.lstat().st_uid != os.getuid():
        return
    changes = read_journal(site)
    now = {name: digest(site / name) for name in changes}
    new = [name for name, (_, text) in changes.items() if now[name] == digest_of(text)]
    rest = {name: text for name, (_, text) in changes.items() if name not in new}
    if new and all(now[name] == changes[name][0] for name in rest):
        replace_files(site, rest)
    journal.unlink(missing_ok=True)


def read_journal(site: Path) -> dict[str, tuple[str, str]]:
    """The digest and the new text of each file, by its path in the site. A journal may come with
    the site of a stranger: one that names anything but data of the site, as one that is damaged,
    says nothing.
    """
    journal = site / JOURNAL
    if journal.is_symlink() or fault_of(journal):
        return {}
    try:
        found = NOTES.validate_json(journal.read_bytes())
        is_data = all(NOTED.fullmatch(name) and not leads_out(site / name, site) for name in found)
    except (OSError, RuntimeError, ValueError):  # names that no file can have, links in a circle
        return {}
    return found if is_data else {}


def digest(path: Path) -> str:
    return digest_of(path.read_bytes()) if path.is_file() else ABSENT


def digest_of(text: str | bytes) -> str:
    """Of a text that a file has; one without any is removed."""
    body = text.encode() if isinstance(text, str) else text
    return hashlib.sha256(body).hexdigest() if text else ABSENT
