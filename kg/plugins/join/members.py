"""The sites that a site joins: `joined` in its `data/site.yaml`, in the order of trust."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from kg.errors import KgError, ProblemsFound, errors_in
from kg.facts.site_file import read_site
from kg.facts.values.text import slugify
from kg.facts.yaml.rows import flow
from kg.files.atomic import replace_files
from kg.settings import SITE_FILE, Joined, Site

KEY = "joined"


def open_site(folder: Path) -> Site:
    """The settings of the site. Raises KgError if `data/site.yaml` is invalid."""
    site, problems = read_site(folder)
    if site is None or errors_in(problems):
        raise ProblemsFound(problems, folder)
    return site


def is_address(site: str) -> bool:
    return site.startswith(("http://", "https://"))


def host_of(address: str) -> str:
    """The host with its port, in lower case; empty for a file or an invalid address."""
    try:
        parts = urlsplit(address)
        return f"{parts.hostname or ''}:{parts.port}" if parts.port else parts.hostname or ""
    except ValueError:
        return ""


def is_literal_address(host: str) -> bool:
    """Whether a host was named by its IP address, or as localhost."""
    if host == "localhost":
        return True
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def name_of(member: Joined) -> str:
    """A short name for files and addresses: `lab-a-example-org`."""
    if is_address(member.site):
        parts = urlsplit(member.site)
        return slugify(f"{parts.netloc} {parts.path}") or "site"
    return slugify(member.site.rpartition("..")[2]) or "site"


def names_of(members: Sequence[Joined]) -> dict[str, str]:
    """The name of each site, made unique by a number."""
    found: dict[str, str] = {}
    for member in members:
        name, number = name_of(member), 1
        while name in found.values():
            number += 1
            name = f"{name_of(member)}-{number}"
        found[member.site] = name
    return found


def given(place: str, folder: Path) -> str:
    """What to write for a site that was named on the command line: its address, or the path of a
    folder or a file, relative to the folder of the site.
    """
    if is_address(place):
        if not host_of(place):
            raise KgError(f"'{place}' has no host. Write an address such as https://lab.example/.")
        return place
    if not Path(place).exists():
        raise KgError(
            f"'{place}' is neither an address nor a file. Write the address of a site, "
            "such as https://lab.example/, a built folder, or a dump."
        )
    return Path(os.path.relpath(place, folder)).as_posix()


def add(folder: Path, site: Site, places: Iterable[str]) -> bool:
    """Adds sites to `joined`. Returns whether the file has changed."""
    known = {each.site for each in site.joined}
    new = list(dict.fromkeys(given(place, folder) for place in places))
    new = [each for each in new if each not in known]
    if new:
        path = folder / SITE_FILE
        text = with_items(path.read_text(encoding="utf-8"), KEY, map(flow, new))
        replace_files(folder, {str(SITE_FILE): text})
    return bool(new)


def with_items(text: str, key: str, items: Iterable[str]) -> str:
    """A YAML file with more items at the end of one of its lists, each on its line. Raises KgError
    if the list is not written with one item per line.
    """
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if re.match(rf"{key}\s*:", line)), None)
    if start is None:
        return "\n".join([*lines, f"{key}:", *(f"  - {item}" for item in items), ""])
    if not re.fullmatch(rf"{key}\s*:\s*(#.*)?", lines[start]):
        raise KgError(
            f"data/site.yaml: '{key}' is written on one line. Write each item on its own line, "
            "beginning with '- ', and run the command again."
        )
    end, indent = start + 1, "  "
    for number in range(start + 1, len(lines)):
        if found := re.match(r"(\s*)- ", lines[number]):
            end, indent = number + 1, found[1]
        elif lines[number].strip() and not lines[number].startswith((" ", "#")):
            break
        elif lines[number].startswith(" "):
            end = number + 1
    lines[end:end] = [f"{indent}- {item}" for item in items]
    return "\n".join([*lines, ""])
