"""What is served: the documents of a graph, and the endpoint that answers questions about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import current_app

from kg.engine.store import Endpoint
from kg.publish.site import Documents


@dataclass(frozen=True)
class Served:
    documents: Documents
    endpoint: Endpoint


def served() -> Served:
    """What the application serves whose request is being answered."""
    return cast(Served, current_app.extensions["kg"])
