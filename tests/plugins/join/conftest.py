"""Hosts of generated sites."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.kinds import starts
from tests.plugins.join.member_sites import Host, hosted, join, publish, write_site


class Members:
    """Sites of people with overlapping papers, each on its own host."""

    def __init__(self, folder: Path, count: int, stack: ExitStack) -> None:
        self.folder, self.count, self.hosts = folder / "now", count, list[Host]()
        self.first = folder / "first"
        for number in range(count):
            public = self.folder / f"public-{number}"
            public.mkdir(parents=True)
            self.hosts.append(stack.enter_context(hosted(public)))
            self.publish(number)
        shutil.copytree(self.folder, self.first)

    def publish(self, number: int, more: str = "") -> None:
        site = self.folder / f"site-{number}"
        write_site(site, number, self.count, self.hosts[number].url, more)
        publish(site, self.hosts[number].public)

    def reset(self) -> None:
        """Makes the sites and their hosts as they were first."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.first, self.folder)
        for host in self.hosts:
            host.forget()

    @property
    def urls(self) -> list[str]:
        return [each.url for each in self.hosts]


@contextmanager
def members_of(folder: Path, count: int) -> Iterator[Members]:
    with ExitStack() as stack:
        yield Members(folder, count, stack)


@pytest.fixture(scope="package")
@starts("server")
def three_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    with members_of(tmp_path_factory.mktemp("three"), 3) as found:
        yield found


@pytest.fixture(scope="package")
@starts("server")
def four_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Members]:
    with members_of(tmp_path_factory.mktemp("four"), 4) as found:
        yield found


@pytest.fixture(scope="package")
def four_joined(four_hosts: Members, tmp_path_factory: pytest.TempPathFactory) -> Path:
    four_hosts.reset()
    folder = tmp_path_factory.mktemp("four-joined") / "union"
    done = join(folder, *four_hosts.urls)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def three(three_hosts: Members) -> Members:
    """Three sites."""
    three_hosts.reset()
    return three_hosts


@pytest.fixture
def members(four_hosts: Members) -> Members:
    """Four sites."""
    four_hosts.reset()
    return four_hosts


@pytest.fixture
def union(four_joined: Path, members: Members, tmp_path: Path) -> Path:
    """A copy of the site that has joined the four sites."""
    return Path(shutil.copytree(four_joined, tmp_path / "union"))
