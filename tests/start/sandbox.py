"""A file system that is read-only but for /tmp, and a network of its own: as a container
and a unit of systemd have it, made with bubblewrap.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT, skip

TMP = Path("/", "tmp")


def need_sandbox() -> None:
    if not shutil.which("bwrap") or os.geteuid() != 0:
        skip("there is no bwrap (Debian: bubblewrap), or not the right to become another user")


def sandbox(site: Path, place: str, user: str) -> Iterator[str]:
    """The words before a shell's commands, which a user without rights will run, with a site at a
    place.
    """
    yield from ("bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--die-with-parent")
    yield from ("--clearenv", "--setenv", "PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin")
    yield from ("--setenv", "PYTHONPATH", str(ROOT))
    yield from ("--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", str(TMP))
    places = {Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), ROOT, Path(sys.prefix)}
    places -= {path for path in places if ROOT in path.parents}  # as it is there, also as a link
    system = {path for name in ("usr", "etc", "lib", "lib64", "bin") for path in [Path("/", name)]}
    for parent in sorted({above for here in places for above in here.parents} - {Path("/")}):
        yield from () if parent in system else ("--perms", "0755", "--dir", str(parent))
    for here in sorted({*places, *(path for path in system if path.exists())}):
        yield from ("--ro-bind", str(here), str(here))
    for parent in sorted(set(Path(place).parents) - {Path("/")}):
        yield from ("--perms", "0755", "--dir", str(parent))
    yield from ("--ro-bind", str(site), place, "--chdir", place, "--remount-ro", "/")
    yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--")
    yield from ("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs")
    yield from ("bash", "-c")
