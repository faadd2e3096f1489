"""Social networks (`social-networks.tsv`), and the address of a user's page on each."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic_core import PydanticCustomError

from kg.errors import fix
from kg.facts.values.regions import read_table
from kg.facts.values.text import WebAddress, is_web_address, require, slugify
from kg.text.nearest import closest


class Network(NamedTuple):
    """`page` has `{}` for the user name, or `{user}` and `{host}` if the network has many hosts."""

    title: str
    home: str
    page: str


OTHER_NAMES = {"x": "twitter", "scholar": "google-scholar", "stack-overflow": "stackoverflow"}
HOMES = {"mastodon": "https://joinmastodon.org/", "matrix": "https://matrix.org/"}
AT_A_HOST = re.compile(r"@?([\w.+=/-]+)[@:]([\w-]+(?:\.[\w-]+)+)")


def networks() -> dict[str, Network]:
    return {
        key: Network(title, HOMES.get(key) or f"https://{page.split('/')[2]}/", page)
        for key, title, page in read_table("social-networks")
    }


NETWORKS = networks()
# A host with a network of its own, whose pages of users can look like those of Mastodon.
OWN_HOST = re.compile(
    "|".join(rf"{re.escape(each)}\.(?:com|net|org)" for each in NETWORKS if each not in HOMES)
)


def network_of(name: str) -> Network | None:
    """Finds a network by key or name: `Google Scholar`."""
    key = slugify(name)
    return NETWORKS.get(OTHER_NAMES.get(key, key))


def page_of(name: str, user: str) -> WebAddress:
    """The address of a user's page."""
    network = network_of(name)
    if network is None:
        near = closest(slugify(name), NETWORKS, most=1, cutoff=0.7)
        hint = f"Did you mean '{near[0]}'? Otherwise add" if near else "Add"
        message = f"unknown network {name!r}. {hint} the 'url' of your page."
        raise PydanticCustomError("bad-profile", message, {"field": "network"})
    if "://" in user or user.lower().startswith(network.home.partition("://")[2]):
        name_there = user_in(network, user)
        hint = f"Write {name_there!r}, or move it to 'url'" if name_there else "Move it to 'url'"
        message = f"{user!r} is a web address, not a user name. {hint}."
        remedy = fix(user, name_there) if name_there else None
        require(False, "bad-profile", message, "username", remedy)
    if "{host}" in network.page:
        found = AT_A_HOST.fullmatch(user)
        message = f"{user!r} has no host. Write it as @ada@example.org, or add 'url'."
        require(found, "bad-profile", message, "username")
        address = network.page.format(user=found[1], host=found[2]) if found else ""
    else:
        address = network.page.format(user if network.title == "Wikipedia" else user.lstrip("@"))
    message = f"{user!r} is not a user name. Write the name alone, or add 'url'."
    require(is_web_address(address), "bad-profile", message, "username")
    return WebAddress(address)


def user_in(network: Network, address: str) -> str:
    """The user name in the address of a page; empty if the address does not match."""
    page = re.escape(re.sub(r"^https?://(www\.)?", "", network.page))
    for name in ("", "user", "host"):
        piece = r"[\w.-]+" if name == "host" else "[^/?&#]+"
        page = page.replace(re.escape(f"{{{name}}}"), f"(?P<{name or 'user'}>{piece})")
    found = re.match(rf"(?:https?://)?(?:www\.)?{page.removesuffix('/')}", address, re.IGNORECASE)
    if not found:
        return ""
    if "{host}" not in network.page:
        return found["user"]
    host = found["host"].lower().removeprefix("www.")
    return "" if OWN_HOST.fullmatch(host) else f"@{found['user']}@{found['host']}"
