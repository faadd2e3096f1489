"""HTTP headers of published files: our server sends them, and other hosts are configured to.

The Content-Security-Policy says what a page may load and run. In a folder only the page itself can
state it.
"""

from __future__ import annotations

POLICY_NAME = "Content-Security-Policy"
SAFE = [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")]
OPEN = ("Access-Control-Allow-Origin", "*")  # pages of other sites may read what everybody may

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src "
    "'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The editor writes styles into its page.
EDITOR_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
# A copy in a folder answers by itself, with an engine in WebAssembly that runs in a worker.
WASM = "script-src 'self' 'wasm-unsafe-eval'"
FOLDER_POLICY = EDITOR_POLICY.replace("script-src 'self'", f"{WASM}; worker-src 'self'")
WORKER_POLICY = f"default-src 'none'; {WASM}; connect-src 'self'"
OWN_POLICIES = {"sparql.html": FOLDER_POLICY, "static/engine.js": WORKER_POLICY}  # by path


def policy_element(policy: str) -> str:
    """The policy for a <meta> element, where frame-ancestors is not allowed."""
    return policy.replace("; frame-ancestors 'none'", "")


def content_type(media_type: str) -> str:
    """With the charset, where the media type does not imply it."""
    is_text = media_type.startswith(("text/", "application/xml", "image/svg"))
    return media_type + ("; charset=utf-8" if is_text else "")
