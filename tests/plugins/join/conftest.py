"""Hosts of generated sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.kinds import starts
from tests.plugins.join.member_sites import Host, hosted, publish, write_site


class Members:
    """Sites of people with overlapping papers, each on its own host."""

    def __init__(self, folder: Path, count: int, stack: ExitStack) -> None:
        self.folder, self.count, self.hosts = folder, count, list[Host]()
        for number in range(count):
            public = folder / f"public-{number}"
            public.mkdir()
            self.hosts.append(stack.enter_context(hosted(public)))
            self.publish(number)

    def publish(self, number: int, more: str = "") -> None:
        site = self.folder / f"site-{number}"
        write_site(site, number, self.count, self.hosts[number].url, more)
        publish(site, self.hosts[number].public)

    @property
    def urls(self) -> list[str]:
        return [each.url for each in self.hosts]


@contextmanager
def members_of(folder: Path, count: int) -> Iterator[Members]:
    with ExitStack() as stack:
        yield Members(folder, count, stack)


@pytest.fixture
@starts("server")
def members(tmp_path: Path) -> Iterator[Members]:
    """Four sites."""
    with members_of(tmp_path, 4) as found:
        yield found
