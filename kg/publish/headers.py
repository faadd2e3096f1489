"""The headers of what is published: the server sends them, and the hosts that serve the folder are told to."""

from __future__ import annotations

POLICY = "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
# The page with the editor runs scripts of this site, which ask this site; the editor writes styles into the page.
EDITOR_POLICY = POLICY.replace("style-src 'self'", "script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'")
POLICY_NAME = "Content-Security-Policy"

SAFE = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")]
OPEN = ("Access-Control-Allow-Origin", "*")  # pages of other sites may read what everybody may


def content_type(media_type: str) -> str:
    """With the charset, where the media type does not say it by itself."""
    return media_type + ("; charset=utf-8" if media_type.startswith(("text/", "application/xml", "image/svg")) else "")
