"""The web application over one graph after another: blueprints, errors, headers."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from kg.web import answers, console, documents, sparql
from kg.web.served import Served, Stage, leave, served


def create_app(site: Served | Stage, open_console: bool = False) -> Flask:
    app = Flask("kg", static_folder=None)
    stage = app.extensions["kg"] = site if isinstance(site, Stage) else Stage(site)
    app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024
    app.config["KG_OPEN_CONSOLE"] = open_console
    app.register_blueprint(sparql.blueprint)
    if stage.served.documents.graph:  # a site, which has problems to show
        app.register_blueprint(console.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    app.after_request(answers.guard)
    app.teardown_appcontext(leave)
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
