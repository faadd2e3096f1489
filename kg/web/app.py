"""The web application over one graph: blueprints, errors, headers."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from kg.web import answers, documents, sparql
from kg.web.served import Served, served


def create_app(site: Served) -> Flask:
    app = Flask("kg", static_folder=None)
    app.extensions["kg"] = site
    app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024
    app.register_blueprint(sparql.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    app.after_request(answers.guard)
    return app


def on_error(error: HTTPException) -> Response:
    status = error.code or 500
    title, message = error.name, error.description or error.name
    if status == 404:
        title, message = "Not here", f"There is nothing at /{request.path.lstrip('/')}."
    html = served().documents.pages.error(request.path.lstrip("/"), title, message)
    response = answers.problem(request, status, message, html)
    if error.get_response().headers.get("Allow"):
        response.headers["Allow"] = error.get_response().headers["Allow"]
    return response
