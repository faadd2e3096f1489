"""Who asks: the address of a client, so that one does not crowd out the others; and whether it sits
at this machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from flask import Request

SENT_ON = (
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Real-IP",
)
HOUSEHOLD = 64  # bits of an IPv6 address that one client cannot choose freely


def client(environ: Mapping[str, Any], proxies: int) -> str:
    """The address of who asks, as the last trusted proxy saw it; of IPv6 the network, for a client
    has many addresses in it.

    Each proxy adds whom it heard from at the end of X-Forwarded-For; what stands before those of
    ours anybody may have written.
    """
    peer = environ.get("REMOTE_ADDR", "")
    hops = (
        [hop.strip() for hop in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
        if proxies
        else []
    )
    return known(hops[-proxies:][0] if hops else peer, peer)


@lru_cache(maxsize=4096)
def known(address: str, peer: str) -> str:
    """An address as the name of a client, or that of the peer where it is none."""
    found = parsed(address) or parsed(peer)
    if isinstance(found, IPv6Address):
        return str(ip_network((found, HOUSEHOLD), strict=False))
    return str(found or "")


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address.strip("[]"))
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def is_at_home(request: Request) -> bool:
    """Whether the client is on this machine and means this machine; a name that a stranger had
    resolved to us is not ours.
    """
    named = urlsplit(f"//{request.host}").hostname or ""
    sent_on = any(name in request.headers for name in SENT_ON)
    return (
        not sent_on
        and is_loopback(request.environ.get("REMOTE_ADDR", ""))
        and (named == "localhost" or is_loopback(named))
    )


def is_loopback(address: str) -> bool:
    found = parsed(address)
    return found is not None and found.is_loopback
