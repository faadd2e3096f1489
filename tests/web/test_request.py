"""The client of a request: the address that counts, however many proxies stand between."""

from __future__ import annotations

import pytest

from kg.web.request import client_of


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "expected"),
    [
        ("192.0.2.1", [], 0, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], 0, "192.0.2.1"),
        ("192.0.2.1", ["198.51.100.7"], 1, "198.51.100.7"),
        ("192.0.2.1", ["203.0.113.9, 198.51.100.7"], 1, "198.51.100.7"),
        ("192.0.2.1", ["203.0.113.9", "198.51.100.7"], 2, "203.0.113.9"),
        ("192.0.2.1", ["203.0.113.9, 198.51.100.7, 192.0.2.3"], 2, "198.51.100.7"),
        ("192.0.2.1", ["198.51.100.7"], 3, "198.51.100.7"),
        ("192.0.2.1", [], 1, "192.0.2.1"),
        ("192.0.2.1", ["rubbish\x01"], 1, "192.0.2.1"),
        ("192.0.2.1", [" , ,"], 1, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", [], 0, "2001:db8:1:2::/64"),
        ("192.0.2.1", ["[2001:db8::1]"], 1, "2001:db8::/64"),
        ("::ffff:192.0.2.1", [], 0, "192.0.2.1"),
        ("", [], 0, ""),
    ],
)
def test_a_client_is_known_by_what_the_last_trusted_proxy_saw(
    peer: str, forwarded: list[str], proxies: int, expected: str
) -> None:
    assert client_of(peer, ",".join(forwarded), proxies) == expected
