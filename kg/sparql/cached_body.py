"""Bytes that are sent more than once, with their validator and their packed copy."""

from __future__ import annotations

import gzip
import hashlib
from functools import cached_property


class CachedBody(bytes):
    @cached_property
    def tag(self) -> str:
        return hashlib.sha256(self).hexdigest()[:32]

    @cached_property
    def packed(self) -> bytes:
        return pack(self)


def pack(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)
