"""The headers of what is published: the server sends them, and the hosts that serve the folder are
told to.
"""

from __future__ import annotations

POLICY_NAME = "Content-Security-Policy"

SAFE = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")]
OPEN = ("Access-Control-Allow-Origin", "*")  # pages of other sites may read what everybody may


def content_type(media_type: str) -> str:
    """With the charset, where the media type does not say it by itself."""
    return media_type + (
        "; charset=utf-8"
        if media_type.startswith(("text/", "application/xml", "image/svg"))
        else ""
    )
