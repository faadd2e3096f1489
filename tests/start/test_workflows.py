"""The workflows of a new site: they are what their hosts read, and their steps do what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from kg.cli import main
from kg.cli.new_site import WORKFLOWS, new_site, write_new
from tests.kinds import starts
from tests.schemas import faults, stored_schema

SCHEMAS = {
    "github": "https://json.schemastore.org/github-workflow.json",
    "gitlab": "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/"
    "schema/ci.json",
}
HOSTS: list[str] = ["github", "gitlab"]
BUILT = {"github": "site", "gitlab": "public"}


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


def workflow(host: str) -> Any:
    """As its host reads it: `on` is a word, which PyYAML takes for a truth."""
    found = yaml.safe_load(new_site(hosts=[host])[WORKFLOWS[host]])
    return {"on" if key is True else key: value for key, value in found.items()}


def steps(host: str) -> list[str]:
    """The scripts of the job that checks, without what installs."""
    check = workflow(host)["check" if host == "gitlab" else "jobs"]
    if host == "gitlab":
        scripts = ["\n".join(line for line in check["script"] if not line.startswith("pip "))]
    else:
        scripts = [step["run"] for step in check["check"]["steps"] if "run" in step]
    return [script for script in scripts if not script.startswith("pip ")]


def run_steps(host: str, site: Path) -> tuple[int, str]:
    """The exit code of the first that fails, or 0; and what all of them print."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "https_proxy": "http://127.0.0.1:9/",  # nothing is asked of the network
        "GITHUB_REPOSITORY": "ada/cv",
        "GITHUB_REPOSITORY_OWNER": "ada",
        "CI_PAGES_URL": "https://ada.gitlab.io/cv",
    }
    printed = ""
    for script in steps(host):
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=site,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        printed += done.stdout
        if done.returncode:
            return done.returncode, printed
    return 0, printed


@pytest.fixture
@starts("server")
def published(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that is online, and its address."""
    (tmp_path / "online").mkdir()
    handler = partial(Silent, directory=str(tmp_path / "online"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path / "online", f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> str:
    host: str = request.param
    return host


@pytest.mark.slow
def test_a_workflow_is_what_its_host_reads(host: str) -> None:
    schema = stored_schema(SCHEMAS[host])
    found = workflow(host)
    assert faults(found, schema) == []
    job = found["jobs"]["check"] if host == "github" else found["check"]
    job["steps" if host == "github" else "script"] = "3"
    job["tiemout"] = [3]
    assert len(faults(found, schema)) >= 1


def test_a_workflow_installs_the_wheels_of_its_repository(host: str) -> None:
    files = new_site(hosts=[host])
    assert "pip install wheels/*.whl" in files[WORKFLOWS[host]]
    assert "copy the wheels from its `dist/` to `wheels/`" in files["README.md"]


def test_only_what_reaches_the_main_branch_is_published() -> None:
    publish = workflow("github")["jobs"]["publish"]
    assert publish["needs"] == "check"
    assert "default_branch" in publish["if"]
    assert workflow("github")["permissions"] == {"contents": "read"}
    pages = workflow("gitlab")["pages"]
    assert pages["stage"] == "deploy"
    assert "CI_DEFAULT_BRANCH" in pages["rules"][0]["if"]


@pytest.mark.proof
def test_the_steps_check_and_build(host: str, tmp_path: Path, published: tuple[Path, str]) -> None:
    online, base = published
    site = tmp_path / "site of mine"
    write_new(site, new_site("Ada", (host,)))
    settings = site / "data" / "site.yaml"
    settings.write_text(settings.read_text().replace("https://cv.example.org/", base))
    code, printed = run_steps(host, site)
    assert code == 0, printed
    assert "to the address of the site" not in printed
    built = site / BUILT[host]
    assert (built / "people" / "ada.html").is_file()

    # The next time somebody else is there: whose address was published may not vanish.
    (online / "addresses.txt").write_bytes((built / "addresses.txt").read_bytes())
    (site / "data" / "cv" / "ada.yaml").rename(site / "data" / "cv" / "eve.yaml")
    code, printed = run_steps(host, site)
    report = json.loads((site / "problems.json").read_text()) if host == "gitlab" else []
    assert code == 1, printed
    assert "address-gone" in (report[0]["check_name"] if report else printed)
    assert not (built / "people" / "eve.html").exists()


@pytest.mark.process
@pytest.mark.proof
def test_a_mistake_is_marked_at_its_line_and_an_invented_address_is_noticed(
    host: str, tmp_path: Path
) -> None:
    write_new(tmp_path / "s", new_site("Ada", (host,)))
    cv = tmp_path / "s" / "data" / "cv" / "ada.yaml"
    cv.write_text(cv.read_text().replace("name:", "nmae:", 1))
    code, printed = run_steps(host, tmp_path / "s")
    assert code == 1
    assert {"github": "https://ada.github.io/cv/", "gitlab": "https://ada.gitlab.io/cv/"}[
        host
    ] in printed
    if host == "github":
        assert "::error file=data/cv/ada.yaml,line=5," in printed
    else:
        report = json.loads((tmp_path / "s" / "problems.json").read_text())
        assert {"path": "data/cv/ada.yaml", "lines": {"begin": 5}} in [
            each["location"] for each in report
        ]


def test_workflows_are_added_to_a_site_that_exists(tmp_path: Path) -> None:
    write_new(tmp_path, new_site("Hana Lind"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    both = ["new", str(tmp_path), "--github", "--gitlab"]
    result = CliRunner().invoke(main, both)
    assert result.exit_code == 0, result.output
    assert all((tmp_path / path).is_file() for path in WORKFLOWS.values())
    assert all(path.read_bytes() == text for path, text in before.items())
    assert "has these files already" in CliRunner().invoke(main, both).output


def test_an_import_adds_a_workflow(tmp_path: Path) -> None:
    (tmp_path / "resume.json").write_text('{"basics": {"name": "Hana Lind"}}', encoding="utf-8")
    site = tmp_path / "site"
    words = ["import", str(tmp_path / "resume.json"), "--into", str(site), "--github"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert (site / WORKFLOWS["github"]).is_file()
    assert not (site / WORKFLOWS["gitlab"]).exists()
