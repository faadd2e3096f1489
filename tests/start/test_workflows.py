"""The workflows of a new site: they are what their hosts read, and their steps do what they say."""

from __future__ import annotations

import json
import os
import re
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
SYNC = ["github-sync", "gitlab-sync"]
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
    assert all((tmp_path / WORKFLOWS[host]).is_file() for host in HOSTS)
    assert not any((tmp_path / WORKFLOWS[host]).exists() for host in SYNC)
    assert all(path.read_bytes() == text for path, text in before.items())
    assert "has these files already" in CliRunner().invoke(main, both).output


def test_a_monthly_sync_is_added_where_it_is_wanted(tmp_path: Path) -> None:
    write_new(tmp_path, new_site("Hana Lind", HOSTS))
    words = ["new", str(tmp_path), "--github", "--gitlab", "--sync"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "opens a pull request" in result.output
    assert all((tmp_path / WORKFLOWS[host]).is_file() for host in SYNC)
    result = CliRunner().invoke(main, ["new", str(tmp_path / "x"), "--sync"])
    assert result.exit_code == 2
    assert "Use it with --github or --gitlab." in result.output
    assert not (tmp_path / "x").exists()


def sync_scripts(host: str) -> tuple[str, str]:
    """The script that changes files, and the one that opens a request."""
    found = yaml.safe_load(new_site(hosts=[f"{host}-sync"])[WORKFLOWS[f"{host}-sync"]])
    steps = found["jobs"]["sync"]["steps"] if host == "github" else []
    scripts = [each["run"] for each in steps if "run" in each] or found["sync"]["script"]
    assert scripts[0] == "pip install wheels/*.whl"
    return scripts[1], scripts[2]


@pytest.mark.slow
@pytest.mark.parametrize("host", SYNC)
def test_the_workflow_of_a_sync_is_what_its_host_reads(host: str) -> None:
    text = new_site(hosts=[host])[WORKFLOWS[host]]
    found = {"on" if key is True else key: each for key, each in yaml.safe_load(text).items()}
    assert faults(found, stored_schema(SCHEMAS[host.removesuffix("-sync")])) == []
    if host == "github-sync":
        assert found["on"]["schedule"][0]["cron"].split()[2:] == ["3", "*", "*"], "monthly"
        assert found["permissions"] == {"contents": "write", "pull-requests": "write"}
    else:
        assert found["sync"]["rules"] == [{"if": '$CI_PIPELINE_SOURCE == "schedule"'}]
        assert workflow("gitlab")["include"][0]["local"] == WORKFLOWS[host]


@pytest.mark.process
def test_the_commands_of_a_sync_exist(host: str) -> None:
    commands = re.findall(r"^kg (\w+)((?: --[a-z]+)*)", "\n".join(sync_scripts(host)), re.MULTILINE)
    assert [name for name, _ in commands] == ["sync", "check"]
    for name, options in commands:
        shown = CliRunner().invoke(main, [name, "--help"]).output
        assert all(option in shown for option in options.split()), name


@pytest.mark.process
def test_a_sync_opens_a_request_with_its_patch_or_renews_it(host: str, tmp_path: Path) -> None:
    """With `git`, and with stand-ins for the clients of the hosts, which write what they get."""
    write_new(tmp_path / "site", new_site("Ada", (host, f"{host}-sync")))
    tools = tmp_path / "tools"
    tools.mkdir()
    said = {"gh": 'echo "$@" >> ../asked', "curl": 'echo "$@" >> ../asked; printf 201'}
    for name, script in said.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    remote = "https://sync:secret@gitlab.example/ada/cv.git"
    environment = {
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "GITLAB_USER_EMAIL": "ada@example.org",
        **{"SYNC_TOKEN": "secret", "CI_SERVER_HOST": "gitlab.example"},
        **{"CI_PROJECT_PATH": "ada/cv", "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_ID": "7"},
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        **{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": remote},
        "GIT_CONFIG_KEY_0": f"url.{tmp_path / 'remote.git'}.insteadOf",
    }

    def run(script: str) -> str:
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=tmp_path / "site",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        ).stdout

    run(
        "git init -q -b main && git init -q --bare ../remote.git && git remote add origin "
        "../remote.git && git add . && git -c user.name=a -c user.email=a@b.c commit -qm new"
    )
    _, request = sync_scripts(host)
    assert run(request) == "Nothing new.\n"
    assert not (tmp_path / "asked").exists()
    cv = tmp_path / "site" / "data" / "cv" / "ada.yaml"
    cv.write_text(cv.read_text() + "publications: [{title: Fog, year: 2020}]\n")
    (tmp_path / "site" / "summary.md").write_text("One new work, because …")
    run(request)
    run("git checkout -q main")
    cv.write_text(cv.read_text() + "publications: [{title: Rain, year: 2020}]\n")
    run(request)
    asked = (tmp_path / "asked").read_text()
    assert "New at ORCID, Crossref and other sources" in asked
    assert "summary.md" in asked
    pushed = run("git --git-dir ../remote.git show --stat --format=%s kg-sync")
    assert "Update from ORCID" in pushed
    assert "data/cv/ada.yaml" in pushed
    assert "Rain" in run("git --git-dir ../remote.git show kg-sync")
    assert "summary.md" not in pushed, "the reasons are in the request"


def test_an_import_adds_a_workflow(tmp_path: Path) -> None:
    (tmp_path / "resume.json").write_text('{"basics": {"name": "Hana Lind"}}', encoding="utf-8")
    site = tmp_path / "site"
    words = ["import", str(tmp_path / "resume.json"), "--into", str(site), "--github"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert (site / WORKFLOWS["github"]).is_file()
    assert not (site / WORKFLOWS["gitlab"]).exists()
