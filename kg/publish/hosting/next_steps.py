"""What to do with a built folder: how to look at it, and how to bring it to the host that the base
names.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

INVENTED = (".example", "example.org", "example.com", "example.net")
WORKFLOW = "push the site with the workflow that `kg new --{} FOLDER` writes"
# How the name of a host ends -> who that is, and the command that brings the folder there.
HOSTS = {
    ".github.io": ("GitHub Pages", WORKFLOW.format("github")),
    ".gitlab.io": ("GitLab Pages", WORKFLOW.format("gitlab")),
    ".netlify.app": ("Netlify", "npx netlify-cli deploy --prod --dir {folder}"),
    ".pages.dev": ("Cloudflare Pages", "npx wrangler pages deploy {folder}"),
}
OTHERS = "GitHub Pages, GitLab Pages, Netlify, nginx and others: docs/publish.md"


def next_steps(folder: str, base: str) -> Iterator[str]:
    """One or two lines."""
    place = shlex.quote(folder)
    yield f"Look at it: kg serve {place}"
    parts = urlsplit(base)
    host = parts.hostname or ""
    if host.endswith(INVENTED):
        yield (
            f"{base} is an example. Write the address that the site will have as 'base' in "
            f"data/site.yaml, and build again. {OTHERS}."
        )
        return
    for ending, (name, command) in HOSTS.items():
        if host.endswith(ending):
            yield f"Put it on {name}: {command.format(folder=place)}"
            return
    if parts.path.startswith("/~"):
        user, _, below = parts.path[2:].partition("/")
        yield (f"Put it into your folder: rsync -r {place}/ {user}@{host}:public_html/{below}")
        return
    yield f"Put it at {base}: any web host will do. {OTHERS}."
