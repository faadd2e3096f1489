"""Turns CVs in YAML into web pages and a knowledge graph.

import kg
kg.open(".")               open a site: its people, its questions, its graph
kg.check(".")              list the problems of a site
kg.load("."), kg.build(…)  load the facts of a site, and build their graph
kg.export(".", "site")     write the whole site into a folder
kg.blueprint(".")          mount the site in a Flask application
"""

from __future__ import annotations

import kg.check  # noqa: F401  first, so that the name of the package does not replace the function
from kg.api import blueprint, build, check, export, load, open
from kg.errors import (
    BadQuery,
    BadValue,
    KgError,
    Problem,
    ProblemsFound,
    QueryError,
    SiteNotFound,
    UnknownName,
)

__all__ = [
    "BadQuery",
    "BadValue",
    "KgError",
    "Problem",
    "ProblemsFound",
    "QueryError",
    "SiteNotFound",
    "UnknownName",
    "__version__",
    "blueprint",
    "build",
    "check",
    "export",
    "load",
    "open",
]
__version__: str


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module 'kg' has no attribute '{name}'")
    from importlib.metadata import version  # noqa: PLC0415  reads files

    return version("cv-kg")


def __dir__() -> list[str]:
    return __all__
