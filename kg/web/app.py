"""The web application over one graph: blueprints, errors, headers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from kg.engine.store import Endpoint
from kg.publish.site import Documents
from kg.web import answers, documents, sparql


@dataclass(frozen=True)
class Served:
    """What is served: the documents of a graph, and the endpoint that answers questions about it."""

    documents: Documents
    endpoint: Endpoint


def create_app(served: Served) -> Flask:
    app = Flask("kg", static_folder=None)
    app.extensions["kg"] = served
    app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024
    app.register_blueprint(sparql.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    app.after_request(answers.guard)
    return app


def on_error(error: HTTPException) -> Response:
    served = cast(Served, current_app.extensions["kg"])
    status = error.code or 500
    title, message = error.name, error.description or error.name
    if status == 404:
        title, message = "Not here", f"There is nothing at /{request.path.lstrip('/')}."
    html = served.documents.pages.error(request.path.lstrip("/"), title, message)
    response = answers.problem(request, status, message, html)
    if error.get_response().headers.get("Allow"):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response
