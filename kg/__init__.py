"""CV facts in YAML -> a checked knowledge graph, published.

import kg
kg.open(".")               a site to ask: its people, its questions, its graph
kg.check(".")              the problems of a site
kg.load("."), kg.build(…)  facts, and the graph of them
kg.export(".", "site")     the whole site as a folder
kg.blueprint(".")          the site, to mount in a Flask application
"""

from __future__ import annotations

import kg.check  # noqa: F401  first, so that the name of the package does not replace the function
from kg.api import blueprint, build, check, export, load, open

__all__ = ["blueprint", "build", "check", "export", "load", "open"]
