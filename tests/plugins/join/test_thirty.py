"""Thirty sites with overlapping people, of which three lie, two withdraw and five change."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.plugins.join.conftest import members_of
from tests.plugins.join.member_sites import (
    BASE,
    Handler,
    full_name,
    join,
    key,
    people,
    select,
    works,
)
from tests.plugins.join.test_hostile import TYPE, liar, person

pytestmark = [pytest.mark.server, pytest.mark.proof]
COUNT = 27  # and three that lie
MEDAL = "awards: [{title: Medal of Patience, year: 2024}]\n"


def test_thirty_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    union = tmp_path / "union"
    names = [full_name(number) for number in range(COUNT)]
    ada = f"<{{}}people/{key(0)}#it>"
    with members_of(tmp_path, COUNT) as members:
        ada = ada.format(members.urls[0])
        lies = (
            person() + f'{ada} <http://schema.org/award> "Fraud of the year" .\n',
            "".join(person(f"P {number}", slug=f"p-{number}") for number in range(100_000)),
            f"<BASEpeople/x#it> {TYPE} <broken",
        )
        with (
            liar(tmp_path / "1", lies[0]) as one,
            liar(tmp_path / "2", lies[1]) as two,
            liar(tmp_path / "3", lies[2]) as three,
        ):
            hosts = [*members.hosts, one, two, three]
            started = time.monotonic()
            done = join(union, *(host.url for host in hosts))
            seconds = time.monotonic() - started
            sent = sum(sum(host.requests.values()) for host in hosts)
            assert "28 new, 2 not read" in done.output
            assert people(union) == sorted([*names, "Mallory"])
            assert works(union) == sorted(f"Results of experiment {n}" for n in range(COUNT))
            assert len(select(union, "SELECT ?o { ?o a schema:CollegeOrUniversity }")) == 1
            assert len(select(union, "SELECT ?v { ?v a schema:Periodical }")) == 1
            assert len(select(union, "SELECT ?p { ?p a cv:Owner }")) == COUNT
            assert "Fraud" not in "".join(file.read_text() for file in union.glob("data/*.ttl"))

            for number in (3, 4):
                members.hosts[number].answers["*"] = gone
            for number in range(10, 15):
                members.publish(number, MEDAL)
            for host in hosts:
                host.requests.clear()
            started = time.monotonic()
            done = join(union)
            again = time.monotonic() - started
            sent_again = sum(sum(host.requests.values()) for host in hosts)
            assert "5 changed, 21 unchanged, 2 not read, 2 withdrawn" in done.output
            assert [sum(host.requests.values()) for host in members.hosts] == [
                3 if number in range(10, 15) else 1 for number in range(COUNT)
            ]
            owners = {each for (each,) in select(union, "SELECT ?p { ?p a cv:Owner }")}
            assert owners == {f"{BASE}people/{key(n)}#it" for n in range(COUNT) if n not in (3, 4)}
            medals = select(
                union,
                "SELECT ?p { ?p schema:hasCredential ?m . ?m schema:name 'Medal of Patience' }",
            )
            assert medals == sorted((f"{BASE}people/{key(n)}#it",) for n in range(10, 15))
            # Co-authors still name the two. Site 2 has no identifier of person 4 and shares no
            # paper of this person with the sites that are left, so this is another entry now.
            assert people(union) == sorted([*names, "Mallory", full_name(4)])
            assert len(works(union)) == COUNT
    with capsys.disabled():
        sys.stdout.write(
            f"\n30 sites: {sent} requests, {seconds:.1f} s; again: {sent_again}, {again:.1f} s\n"
        )


def gone(handler: Handler) -> None:
    handler.answer(410)
