"""Who asks: the address of a client, so that one does not crowd out the others; and whether it sits at this machine."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from flask import Request

SENT_ON = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")
HOUSEHOLD = 64  # bits of an IPv6 address that one client cannot choose freely


def client(request: Request, proxies: int) -> str:
    """The address of who asks, as the last trusted proxy saw it; of IPv6 the network, for a client has many addresses in it.

    Each proxy adds whom it heard from at the end of X-Forwarded-For; what stands before those of ours anybody may have written.
    """
    seen = [request.environ.get("REMOTE_ADDR", "")]
    if proxies:
        hops = [hop.strip() for hop in ",".join(request.headers.getlist("X-Forwarded-For")).split(",") if hop.strip()]
        seen = [*hops[-proxies:], *seen]
    found = parsed(seen[0]) or parsed(seen[-1])
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
    """Whether the client is on this machine and means this machine; a name that a stranger had resolved to us is not ours."""
    named = urlsplit(f"//{request.host}").hostname or ""
    sent_on = any(name in request.headers for name in SENT_ON)
    return not sent_on and is_loopback(request.environ.get("REMOTE_ADDR", "")) and (named == "localhost" or is_loopback(named))


def is_loopback(address: str) -> bool:
    found = parsed(address)
    return found is not None and found.is_loopback
