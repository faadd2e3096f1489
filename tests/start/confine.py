"""Runs a command with the system calls that a unit of systemd leaves it, and no other:
`python -m tests.start.confine UNIT COMMAND...`.

The filter is made from the unit as systemd makes it, by libseccomp: SystemCallFilter,
RestrictAddressFamilies, RestrictNamespaces and MemoryDenyWriteExecute. It stays with all that the
command starts.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

ALLOW, REFUSE = 0x7FFF0000, 0x00050000  # SCMP_ACT_ALLOW, SCMP_ACT_ERRNO
EQUAL, MASKED = 4, 7  # SCMP_CMP_EQ, SCMP_CMP_MASKED_EQ
WRITE, EXECUTE, SHM_EXEC = 2, 4, 0o100000
NAMESPACES = 0x7E020080  # all flags CLONE_NEW*
NAMESPACES_AT, PROTECTION_AT, FLAGS_AT = 0, 2, 2  # places among the arguments


class Comparison(ctypes.Structure):
    """scmp_arg_cmp: an argument, and what it is compared with."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def lacks(argument: int, bits: int) -> Comparison:
    return Comparison(argument, MASKED, bits, 0)


def settings(unit: Path) -> dict[str, list[str]]:
    """A setting -> its values, in their order; systemd adds up those of several lines."""
    found: dict[str, list[str]] = {}
    for line in unit.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        found.setdefault(name, []).append(value)
    return found


def calls(name: str) -> set[str]:
    """The system calls in a set of systemd's (@privileged), with those of the sets within it."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True
    ).stdout.splitlines()[1:]
    words = {word for line in listed if (word := line.strip()) and not word.startswith("#")}
    return {call for word in words for call in calls(word)}


def allowed(filters: list[str]) -> set[str]:
    left: set[str] = set()
    for line in filters:
        named = {call for word in line.lstrip("~").split() for call in calls(word)}
        left = left - named if line.startswith("~") else left | named
    return left


def confine(unit: Path) -> None:
    seccomp, unit_settings = ctypes.CDLL("libseccomp.so.2"), settings(unit)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(REFUSE | errno.EPERM)))

    def rule(call: str, *comparisons: Comparison, action: int = ALLOW) -> None:
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:  # it is one of this machine
            made = (Comparison * len(comparisons))(*comparisons)
            done = seccomp.seccomp_rule_add_array(
                context, ctypes.c_uint32(action), number, len(comparisons), made
            )
            assert done == 0, (call, done)

    left = allowed(unit_settings["SystemCallFilter"])
    assert unit_settings["MemoryDenyWriteExecute"] == unit_settings["RestrictNamespaces"] == ["yes"]
    judged = {"mmap", "mprotect", "shmat", "socket", "clone", "clone3"}
    assert judged <= left and "pkey_mprotect" not in left
    for call in sorted(left - judged - {"unshare", "setns"}):
        rule(call)
    for bit in (WRITE, EXECUTE):  # never both
        rule("mmap", lacks(PROTECTION_AT, bit))
    rule("mprotect", lacks(PROTECTION_AT, EXECUTE))
    rule("shmat", lacks(FLAGS_AT, SHM_EXEC))
    rule("clone", lacks(NAMESPACES_AT, NAMESPACES))
    rule("clone3", action=REFUSE | errno.ENOSYS)  # its flags cannot be seen; libc then takes clone
    for family in unit_settings["RestrictAddressFamilies"][0].split():
        rule("socket", Comparison(0, EQUAL, getattr(socket, family), 0))
    assert seccomp.seccomp_load(context) == 0


if __name__ == "__main__":
    confine(Path(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606
