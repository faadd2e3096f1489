"""The networks that people have accounts at, and the address of a user's page there."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic_core import PydanticCustomError

from kg.facts.values.text import WebAddress, closest, is_web_address, require, slugify


class Network(NamedTuple):
    """`page` has `{}` for the user's name; of a network on many hosts, `{user}` and `{host}`."""

    title: str
    home: str
    page: str


# key, title, page of a user
TABLE = """
academia        | Academia.edu     | https://independent.academia.edu/{}
acm             | ACM              | https://dl.acm.org/profile/{}
arxiv           | arXiv            | https://arxiv.org/a/{}
bitbucket       | Bitbucket        | https://bitbucket.org/{}
bluesky         | Bluesky          | https://bsky.app/profile/{}
codeberg        | Codeberg         | https://codeberg.org/{}
facebook        | Facebook         | https://www.facebook.com/{}
flickr          | Flickr           | https://www.flickr.com/people/{}
github          | GitHub           | https://github.com/{}
gitlab          | GitLab           | https://gitlab.com/{}
google-scholar  | Google Scholar   | https://scholar.google.com/citations?user={}
hal             | HAL              | https://cv.hal.science/{}
huggingface     | Hugging Face     | https://huggingface.co/{}
ieee            | IEEE Xplore      | https://ieeexplore.ieee.org/author/{}
inspire         | INSPIRE          | https://inspirehep.net/authors/{}
instagram       | Instagram        | https://www.instagram.com/{}/
kaggle          | Kaggle           | https://www.kaggle.com/{}
linkedin        | LinkedIn         | https://www.linkedin.com/in/{}/
mastodon        | Mastodon         | https://{host}/@{user}
matrix          | Matrix           | https://matrix.to/#/@{user}:{host}
medium          | Medium           | https://medium.com/@{}
openreview      | OpenReview       | https://openreview.net/profile?id={}
orcid           | ORCID            | https://orcid.org/{}
osf             | OSF              | https://osf.io/{}
reddit          | Reddit           | https://www.reddit.com/user/{}/
repec           | RePEc            | https://ideas.repec.org/{}.html
researchgate    | ResearchGate     | https://www.researchgate.net/profile/{}
semantic-scholar| Semantic Scholar | https://www.semanticscholar.org/author/{}
soundcloud      | SoundCloud       | https://soundcloud.com/{}
ssrn            | SSRN             | https://ssrn.com/author={}
stackoverflow   | Stack Overflow   | https://stackoverflow.com/users/{}
substack        | Substack         | https://substack.com/@{}
telegram        | Telegram         | https://t.me/{}
threads         | Threads          | https://www.threads.net/@{}
tiktok          | TikTok           | https://www.tiktok.com/@{}
twitter         | Twitter          | https://twitter.com/{}
vimeo           | Vimeo            | https://vimeo.com/{}
wikipedia       | Wikipedia        | https://en.wikipedia.org/wiki/User:{}
xing            | XING             | https://www.xing.com/profile/{}
youtube         | YouTube          | https://www.youtube.com/@{}
zotero          | Zotero           | https://www.zotero.org/{}
"""
OTHER_NAMES = {"x": "twitter", "scholar": "google-scholar", "stack-overflow": "stackoverflow"}
HOMES = {"mastodon": "https://joinmastodon.org/", "matrix": "https://matrix.org/"}
AT_A_HOST = re.compile(r"@?([\w.+=/-]+)[@:]([\w-]+(?:\.[\w-]+)+)")


def networks() -> dict[str, Network]:
    rows = ([cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines())
    return {
        key: Network(title, HOMES.get(key) or f"https://{page.split('/')[2]}/", page)
        for key, title, page in rows
    }


NETWORKS = networks()


def network_of(name: str) -> Network | None:
    """The network of a name, which may be written as it writes itself: `Google Scholar`."""
    key = slugify(name)
    return NETWORKS.get(OTHER_NAMES.get(key, key))


def page_of(name: str, user: str) -> WebAddress:
    """The page of a user at a network."""
    network = network_of(name)
    if network is None:
        near = closest(slugify(name), NETWORKS, most=1, cutoff=0.7)
        hint = f"Did you mean '{near[0]}'? Else give" if near else "Give"
        message = f"The pages at {name!r} are not known by user names. {hint} the 'url' of yours."
        raise PydanticCustomError("bad-profile", message, {"field": "network"})
    if "://" in user or user.lower().startswith(network.home.partition("://")[2]):
        name_there = user_in(network, user)
        hint = f"Write {name_there!r}, or give it as 'url'" if name_there else "Give it as 'url'"
        require(False, "bad-profile", f"{user!r} is a web address. {hint}.", "username")
    if "{host}" in network.page:
        found = AT_A_HOST.fullmatch(user)
        message = f"{user!r} names no host. Write it as @ada@example.org, or give 'url'."
        require(found, "bad-profile", message, "username")
        address = network.page.format(user=found[1], host=found[2]) if found else ""
    else:
        address = network.page.format(user if network.title == "Wikipedia" else user.lstrip("@"))
    message = f"{user!r} cannot be a part of an address. Write the name alone, or give 'url'."
    require(is_web_address(address), "bad-profile", message, "username")
    return WebAddress(address)


def user_in(network: Network, address: str) -> str:
    """The name of the user whose page at a network this is; empty where it cannot be told."""
    page = re.escape(re.sub(r"^https?://(www\.)?", "", network.page))
    for name in ("", "user", "host"):
        piece = r"[\w.-]+" if name == "host" else "[^/?&#]+"
        page = page.replace(re.escape(f"{{{name}}}"), f"(?P<{name or 'user'}>{piece})")
    found = re.match(rf"(?:https?://)?(?:www\.)?{page.removesuffix('/')}", address, re.IGNORECASE)
    if not found:
        return ""
    return f"@{found['user']}@{found['host']}" if "{host}" in network.page else found["user"]
