"""A real `kg serve` in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
KG = Path(sys.executable).with_name("kg")
KEY = "a-key-that-only-tests-know"
WITH_KEY = {"Authorization": f"Bearer {KEY}"}


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[str]
    address: str
    said: str = ""  # before it served

    def interrupt(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Ends the server as Ctrl-C would; gives its exit code and what it still had to say."""
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=120)
        return self.process.returncode, said


@contextmanager
def serving(
    site: Path, kg: Path = KG, command: Sequence[str | Path] = (), **environment: str
) -> Iterator[Server]:
    """Serves a site on a free port for as long as the block lasts."""
    command = command or [kg, "serve", site, "--port", "0"]
    environment = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "KG_SERVE_LOG": "none",
        "KG_SERVE_KEY": KEY,
        **environment,
    }  # nobody reads the log
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=site,
    ) as process:
        try:
            yield Server(process, *address(process))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=120)


def watching(site: Path) -> AbstractContextManager[Server]:
    """The same, checking the site again after each save."""
    return serving(
        site, command=[sys.executable, "-m", "tests.web.watching", site], PYTHONPATH=str(ROOT)
    )


def address(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Waits for the line that says where; and what was said before."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(r"Serving (http://\S+/)", line):
            return found[1], "".join(said[:-1])
    raise AssertionError("kg serve ended: " + "".join(said))
