"""The web application over one graph after another: blueprints, errors, headers."""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from kg.web import answers, console, documents, log, metrics, sparql
from kg.web.options import Options
from kg.web.served import Served, Stage, leave, served

MOST_SENT = 1024 * 1024  # bytes of a request


def create_app(site: Served | Stage, options: Options | None = None) -> Flask:
    options = options or Options()
    app = Flask("kg", static_folder=None)
    stage = app.extensions["kg"] = site if isinstance(site, Stage) else Stage(site)
    app.extensions["kg-metrics"] = metrics.Metrics()
    app.config["MAX_CONTENT_LENGTH"] = MOST_SENT
    app.config["KG_OPEN_CONSOLE"] = options.open_console
    app.config["KG_OPEN_METRICS"] = options.open_metrics
    app.config["KG_PROXIES"] = options.proxies
    app.register_blueprint(sparql.blueprint)
    app.register_blueprint(metrics.blueprint)
    if stage.served.documents.graph:  # a site, which has problems to show
        app.register_blueprint(console.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    log.install(app, options.log)
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
