"""What a process may still do that has files to read: open no sockets, start no programs, see one
folder. Linux only.

Two locks, for either has gaps: a filter of system calls (seccomp) and rules about files (Landlock).
Both hold for threads that are begun later, so a process locks itself up first, and opens its store
then.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from pathlib import Path

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
LOAD, EQUALS, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # instructions of the filter
NUMBER, MACHINE = 0, 4  # where a call's number and the machine's stand in what it looks at

# socket, socketpair, bind, listen, accept, connect, accept4, execve, execveat, ptrace,
# io_uring_setup
MACHINES = {
    "aarch64": (0xC00000B7, (198, 199, 200, 201, 202, 203, 242, 221, 281, 117, 425)),
    "x86_64": (0xC000003E, (41, 53, 49, 50, 43, 42, 288, 59, 322, 101, 425)),
}
OTHER_NUMBERS = 0x40000000  # on x86_64 the same calls have a second number each, from here on

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH, VERSION = 1, 1
EVERYTHING = (1 << 13) - 1  # all that the first version of Landlock knows of files
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3


def is_possible() -> bool:
    """Whether this machine has both locks."""
    return (
        platform.system() == "Linux"
        and platform.machine() in MACHINES
        and syscall(CREATE_RULESET, None, 0, VERSION) > 0
    )


def lock(folder: Path) -> None:
    """From here on: only this folder, only to read, no sockets but those that are open, no
    programs. Raises OSError.
    """
    done(ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    see_only(folder)
    filter_calls()


def see_only(folder: Path) -> None:
    rules = done(
        syscall(CREATE_RULESET, ctypes.create_string_buffer(struct.pack("=Q", EVERYTHING), 8), 8, 0)
    )
    place = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        done(
            syscall(
                ADD_RULE,
                rules,
                PATH_BENEATH,
                ctypes.create_string_buffer(struct.pack("=Qi", READ_FILE | READ_FOLDER, place), 12),
                0,
            )
        )
        done(syscall(RESTRICT_SELF, rules, 0))
    finally:
        os.close(place)
        os.close(rules)


def filter_calls() -> None:
    machine, refused = MACHINES[platform.machine()]
    steps = [
        (LOAD, 0, 0, MACHINE),
        (EQUALS, 1, 0, machine),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    steps += [(AT_LEAST, 0, 1, OTHER_NUMBERS), (RETURN, 0, 0, REFUSE)]
    for number in refused:
        steps += [(EQUALS, 0, 1, number), (RETURN, 0, 0, REFUSE)]
    steps.append((RETURN, 0, 0, ALLOW))
    text = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(text)))
    done(
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)
    )


def syscall(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(number, *arguments))


def done(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
