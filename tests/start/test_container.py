"""The container file: what it copies is there, and what it starts runs as a user without rights
where nothing can be written but /tmp. There is no container runtime here: a sandbox stands in.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from kg.cli.new_site import new_site, write_new
from tests.conftest import ROOT
from tests.start.sandbox import need_sandbox, sandbox

TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
STAGES = [
    re.findall(r"^([A-Z]+) (.*)$", stage, re.MULTILINE)
    for stage in re.split(r"^(?=FROM )", TEXT, flags=re.MULTILINE)[1:]
]
LAST = dict(STAGES[-1])
START = [*json.loads(LAST["ENTRYPOINT"]), *json.loads(LAST["CMD"])]
HEALTH = json.loads(LAST["HEALTHCHECK"].partition("CMD ")[2])
# As a container does: starts it, asks for its health until it is well, and ends it.
LIFE = """
{start} & server=$!
for _ in $(seq 240); do {health} 2>/dev/null && break; sleep 0.25; done
{health} && echo healthy
id -u
touch /opt/x /site/x 2>/dev/null || echo read-only
kill -TERM $server; wait $server; echo "ended $?"
"""


def quoted(words: list[str]) -> str:
    return " ".join(f'"{word}"' for word in words)


def test_all_that_is_copied_is_there() -> None:
    copied = [
        (stage, words.split())
        for stage, steps in enumerate(STAGES)
        for name, words in steps
        if name == "COPY"
    ]
    assert len(copied) >= 8
    for _, (*sources, _target) in copied:
        assert sources[0].startswith("--from=") or all((ROOT / path).exists() for path in sources)
    named = {words.partition(" AS ")[2] for stage in STAGES for name, words in stage[:1]}
    taken = set(re.findall(r"--from=(\w+)", TEXT))
    assert taken == named - {""}


def test_the_images_below_are_named_by_digest() -> None:
    images = [re.findall(r"\S+/\S+", stage[0][1])[0] for stage in STAGES]
    assert all(
        re.fullmatch(r"[\w.]+/library/[\w:.-]+@sha256:[0-9a-f]{64}", each) for each in images
    )
    assert {each.partition("@")[0].rpartition("/")[2] for each in images} == {
        *("node:22-slim", "python:3.13-slim")
    }
    assert len(set(images)) == 2, "what is built by one Python runs by the same"


def test_it_runs_as_nobody_special_and_tells_its_health() -> None:
    assert [name for name, _ in STAGES[-1]].count("USER") == 1
    assert int(LAST["USER"].partition(":")[0]) > 1000
    assert f"127.0.0.1:{LAST['EXPOSE']}/" in HEALTH[-1]
    assert "--host 0.0.0.0" in " ".join(START)


def test_the_documentation_has_the_same_commands() -> None:
    commands = re.findall(r"^#   (podman .+)$", TEXT, re.MULTILINE)
    assert len(commands) == 3
    text = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
    assert [command for command in commands if f"\n{command}\n" not in text] == []


@pytest.mark.process
@pytest.mark.proof
def test_it_serves_on_a_read_only_file_system_and_ends_when_asked(tmp_path: Path) -> None:
    need_sandbox()
    write_new(tmp_path / "mine", new_site("Ada"))
    user, group = LAST["USER"].split(":")
    assert user == group
    life = LIFE.format(start=quoted(START), health=quoted(HEALTH))
    done = subprocess.run(
        [*sandbox(tmp_path / "mine", "/site", user), life],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout.splitlines() == ["healthy", user, "read-only", "ended 0"], done.stderr
    assert "Serving http://0.0.0.0:8000/" in done.stderr
