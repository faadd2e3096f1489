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

__all__ = ["blueprint", "build", "check", "export", "load", "open"]
