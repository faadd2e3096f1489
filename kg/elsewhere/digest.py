"""Digest authentication (RFC 7616), answered before it is asked for where the server's challenge is
known.

A server may hang up on a large body that comes without it, so a challenge is got first, with an
empty request.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from threading import Lock
from urllib.request import parse_http_list, parse_keqv_list

HASHES: dict[str, Callable[[bytes], str]] = {
    "MD5": lambda text: hashlib.md5(text, usedforsecurity=False).hexdigest(),
    "SHA-256": lambda text: hashlib.sha256(text).hexdigest(),
}


class Digest:
    """What one user answers to the challenges of one server."""

    def __init__(self, user: str, password: str) -> None:
        self.user, self.password = user, password
        self.challenge: dict[str, str] = {}
        self.count = 0
        self.lock = Lock()

    def hear(self, header: str) -> bool:
        """Takes a challenge (`WWW-Authenticate`); False where it is none that can be answered."""
        scheme, _, rest = header.partition(" ")
        found = parse_keqv_list(parse_http_list(rest)) if scheme.lower() == "digest" else {}
        if "nonce" not in found or found.get("algorithm", "MD5").upper() not in HASHES:
            return False
        with self.lock:
            self.challenge, self.count = found, 0
        return True

    def answer(self, method: str, target: str) -> str:
        """The header (`Authorization`) of a request."""
        with self.lock:
            self.count += 1
            count, challenge = f"{self.count:08x}", self.challenge
        made = HASHES[challenge.get("algorithm", "MD5").upper()]
        realm, nonce = challenge.get("realm", ""), challenge["nonce"]
        who, what = (
            made(f"{self.user}:{realm}:{self.password}".encode()),
            made(f"{method}:{target}".encode()),
        )
        said = {"username": self.user, "realm": realm, "nonce": nonce, "uri": target}
        words = {name: f'"{value}"' for name, value in said.items()}
        if "auth" in challenge.get("qop", "").split(","):
            mine = secrets.token_hex(8)
            words |= {"response": f'"{made(f"{who}:{nonce}:{count}:{mine}:auth:{what}".encode())}"'}
            words |= {"qop": "auth", "nc": count, "cnonce": f'"{mine}"'}
        else:
            words["response"] = f'"{made(f"{who}:{nonce}:{what}".encode())}"'
        if "opaque" in challenge:
            words["opaque"] = f'"{challenge["opaque"]}"'
        if "algorithm" in challenge:
            words["algorithm"] = challenge["algorithm"]
        return "Digest " + ", ".join(f"{name}={value}" for name, value in words.items())
