"""What a page of the site may load and run, as browsers read it (Content-Security-Policy). In a
folder only a page itself can say it.
"""

from __future__ import annotations

PAGE = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src "
    "'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# The editor writes styles into its page.
EDITOR = PAGE.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
# A copy in a folder answers by itself, with an engine in WebAssembly that runs in a worker.
WASM = "script-src 'self' 'wasm-unsafe-eval'"
FOLDER = EDITOR.replace("script-src 'self'", f"{WASM}; worker-src 'self'")
WORKER = f"default-src 'none'; {WASM}; connect-src 'self'"

OWN = {
    "sparql.html": FOLDER,
    "static/engine.js": WORKER,
}  # path -> where it is not that of all pages


def within(policy: str) -> str:
    """As a page may say it of itself: who frames it is then too late to say."""
    return policy.replace("; frame-ancestors 'none'", "")
