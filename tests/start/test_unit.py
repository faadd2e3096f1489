"""The unit for systemd: the server works as it confines it, as a user without rights, on a
read-only file system, with few system calls; and what it forbids is refused.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from kg.cli.new_site import new_site, write_new
from tests.conftest import ROOT, skip
from tests.start.sandbox import need_sandbox, sandbox

[UNIT] = re.findall(
    r"```ini\n(.*?)```", (ROOT / "docs" / "publish.md").read_text(encoding="utf-8"), re.DOTALL
)
[START] = re.findall(r"^ExecStart=\S+/(kg .*)$", UNIT, re.MULTILINE)
USER = "61184"  # the first of those that DynamicUser=yes takes
ADDRESS = "http://127.0.0.1:8000/"
# Starts it, asks it a page and a query, tries what is forbidden, ends it.
LIFE = """
confined() {{ exec python -m tests.start.confine /tmp/kg.service "$@"; }}
cat > /tmp/kg.service <<'EOF'
{unit}EOF
confined {start} & server=$!
for _ in $(seq 400); do
  curl -sf {address}robots.txt >/dev/null && break
  kill -0 $server || break
  sleep 0.25
done
curl -sf -o /dev/null -w '%{{http_code}} ' {address}people/ada
curl -sf --data-urlencode 'query=ASK {{?s a <http://schema.org/Person>}}' \\
  -H 'Accept: text/csv' {address}sparql
echo
id -u
touch /srv/x /srv/www/cv/x /usr/x 2>/dev/null || echo read-only
(confined python -c '
import ctypes, mmap, os, socket
def attempt(name, action):
    try:
        action()
    except OSError as error:
        print(name, error.strerror)
attempt("code", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC))
attempt("packets", lambda: socket.socket(17, socket.SOCK_RAW))
attempt("user", lambda: os.setuid(0))
attempt("host", lambda: socket.sethostname("x"))
libc = ctypes.CDLL(None, use_errno=True)
print("namespace", os.strerror(libc.unshare(0x10000000) and ctypes.get_errno()))
print("mount", os.strerror(libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) and ctypes.get_errno()))
')
kill -TERM $server; wait $server; echo "ended $?"
"""
FORBIDDEN = ("code", "packets", "user", "host", "namespace", "mount")


def test_the_unit_has_its_sandbox_on() -> None:
    lines = UNIT.splitlines()
    for line in (
        "DynamicUser=yes",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "MemoryDenyWriteExecute=yes",
        "CapabilityBoundingSet=",
        "SystemCallFilter=~@privileged",
        "IPAddressDeny=any",
        "ExecReload=/bin/kill -HUP $MAINPID",
    ):
        assert line in lines
    assert lines.index("SystemCallFilter=@system-service") < lines.index(
        "SystemCallFilter=~@privileged"
    )


@pytest.mark.process
@pytest.mark.proof
def test_the_server_works_within_the_unit_and_what_it_forbids_is_refused(tmp_path: Path) -> None:
    need_sandbox()
    if not shutil.which("systemd-analyze") or not shutil.which("curl"):
        skip("there is no systemd-analyze, which knows the sets of system calls, or no curl")
    write_new(tmp_path / "mine", new_site("Ada"))
    life = LIFE.format(unit=UNIT, start=START, address=ADDRESS)
    done = subprocess.run(
        [*sandbox(tmp_path / "mine", "/srv/www/cv", USER), life],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    refused = [f"{name} Operation not permitted" for name in FORBIDDEN]
    said = [line for line in done.stdout.splitlines() if line.strip('"')]
    assert said == ["200 true", USER, "read-only", *refused, "ended 0"], done.stderr
