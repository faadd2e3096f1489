"""The web application over one graph after another: the endpoint, and the pages by blueprints;
errors, headers.
"""

from __future__ import annotations

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from kg.web import answers, console, documents, metrics, search
from kg.web.call import MOST_SENT
from kg.web.log import Log
from kg.web.options import Options
from kg.web.sparql import Sparql
from kg.web.state import Served, Stage, leave, served


def create_app(site: Served | Stage, options: Options | None = None) -> Flask:
    options = options or Options()
    app = Flask("kg", static_folder=None)
    stage = app.extensions["kg"] = site if isinstance(site, Stage) else Stage(site)
    figures = app.extensions["kg-metrics"] = metrics.Metrics()
    log = app.extensions["kg-log"] = Log(figures, options.proxies, options.log)
    app.config["MAX_CONTENT_LENGTH"] = MOST_SENT
    app.config["KG_OPEN_CONSOLE"] = options.open_console
    app.config["KG_OPEN_METRICS"] = options.open_metrics
    app.register_blueprint(metrics.blueprint)
    if stage.served.documents.graph:  # a site, which has problems to show
        app.register_blueprint(console.blueprint)
    if stage.served.documents.finder:
        app.register_blueprint(search.blueprint)
    app.register_blueprint(documents.blueprint)
    app.register_error_handler(HTTPException, on_error)
    log.install(app)
    app.after_request(answers.guard)
    app.teardown_appcontext(leave)
    app.wsgi_app = Sparql(app.wsgi_app, stage, log)  # type: ignore[method-assign, assignment]
    return app


def on_error(error: HTTPException) -> Response:
    status = error.code or 500
    title, message = error.name, error.description or error.name
    path, shown, near = request.path.lstrip("/"), served().documents, []
    if status == 404:
        title, message, near = "Not here", f"There is nothing at /{path}.", shown.near(path)
    closest = (
        f" Closest: {', '.join(f'{request.script_root}/{address}' for address in near)}."
        if near
        else ""
    )
    response = answers.problem(
        request, status, message + closest, lambda: shown.pages.error(path, title, message, near)
    )
    for name in ("Allow", "Retry-After"):
        if said := error.get_response().headers.get(name):
            response.headers[name] = said
    return response
