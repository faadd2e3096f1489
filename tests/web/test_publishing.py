"""What docs/publish.md tells is done: a real nginx, a real git, and systemd's own check."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from kg.cli import main
from tests.conftest import ROOT, skip
from tests.kinds import starts
from tests.web.serving import KEY, KG, WITH_KEY, Server, serving, watching
from tests.web.test_console import NAMES

TEXT = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
HOSTS = [
    "GitHub Pages",
    "GitLab Pages",
    "Netlify",
    "Cloudflare Pages",
    "University home pages",
    "nginx",
    "S3",
    "kg serve behind nginx or Caddy",
]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


STATIC, PROXY = blocks("nginx")
[UNIT] = blocks("ini")


@contextmanager
def nginx(folder: Path, servers: str) -> Iterator[str]:
    """The address of an nginx with these servers, for as long as the block lasts."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        skip("there is no nginx")
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    temporary = " ".join(
        f"{name}_temp_path {folder}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ access_log off; {temporary}\n"
        f"{servers.replace('listen 80;', f'listen 127.0.0.1:{port};')}}}\n"
    )
    with subprocess.Popen([program, "-p", folder, "-c", config], stderr=subprocess.PIPE) as process:
        try:
            for _ in range(200):
                with socket.socket() as tried:
                    if tried.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, process.communicate()[1].decode()
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="module")
@starts("process")
def below_a_path(
    renamed_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    folder = renamed_folder
    place = tmp_path_factory.mktemp("nginx")
    with nginx(place, STATIC.replace("/srv/www", str(folder.parent))) as address:
        yield f"{address}cv/", folder


def test_every_host_has_its_lines() -> None:
    assert re.findall(r"^## (.+)", TEXT, re.MULTILINE)[2 : 2 + len(HOSTS)] == HOSTS


@pytest.mark.process
@pytest.mark.proof
def test_the_commands_are_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [steps] = blocks("console")
    for command in re.findall(r"^\$ kg (.+)$", steps, re.MULTILINE):
        result = CliRunner().invoke(main, command.split())
        assert (result.exit_code, result.output) == (0, ""), command
    remote, script = tmp_path / "remote.git", blocks("sh")[0]
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
    who = "-c user.name=Ada -c user.email=ada@example.org"
    script = script.replace("git@github.com:YOU/REPO.git", str(remote))
    script = script.replace("git commit", f"git {who} commit")
    subprocess.run(["bash", "-e", "-c", script], check=True)
    listed = subprocess.run(
        ["git", "-C", remote, "ls-tree", "-r", "--name-only", "gh-pages"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert {"index.html", ".nojekyll", "_redirects", "_headers", "404.html"} <= {*listed}


@pytest.mark.proof
def test_nginx_below_a_path_is_proved_with_its_manners(below_a_path: tuple[str, Path]) -> None:
    result = CliRunner().invoke(main, ["verify", below_a_path[0], "--sample", "4"])
    assert result.exit_code == 0, result.output
    for manner in ("content negotiation", "media types", "addresses", "404", "gzip", "redirects"):
        assert manner in result.stderr, result.stderr


@pytest.mark.proof
def test_nginx_below_a_path_leads_on_what_moved(below_a_path: tuple[str, Path]) -> None:
    address, _ = below_a_path
    moved = httpx.get(f"{address}people/n-haddad", timeout=60)
    assert 'href="../people/noor-haddad.html"' in moved.text
    turtle = httpx.get(
        f"{address}people/noor-haddad", headers={"Accept": "text/turtle"}, timeout=60
    )
    assert turtle.headers["content-type"] == "text/turtle; charset=utf-8"
    assert turtle.headers["vary"] == "Accept"
    missing = httpx.get(f"{address}people/nobody", timeout=60)
    assert missing.status_code == 404
    assert 'href="/cv/' in missing.text


@pytest.mark.process
def test_nginx_at_the_top_of_a_host(built: Path, tmp_path: Path) -> None:
    config = STATIC.replace("/cv/", "/").replace("/srv/www", str(built))
    with nginx(tmp_path, config) as address:
        result = CliRunner().invoke(main, ["verify", address, "--sample", "2"])
        assert result.exit_code == 0, result.output
        assert httpx.get(address, headers={"Accept": "text/html"}, timeout=60).status_code == 200
        assert httpx.get(f"{address}nobody", timeout=60).status_code == 404


@pytest.mark.process
def test_nginx_as_it_comes_shows_every_page(built: Path, tmp_path: Path) -> None:
    with nginx(tmp_path, f"server {{ listen 80; root {built.parent}; }}") as address:
        page = httpx.get(f"{address}lab/people/ada-lindqvist", follow_redirects=True, timeout=60)
        assert page.status_code == 200
        assert "ada-lindqvist.html" in page.text


@pytest.mark.server
@pytest.mark.proof
def test_kg_serve_behind_nginx(built: Path, tmp_path: Path) -> None:
    command = [KG, "serve", built, "--port", "0", "--proxies", "1"]
    with serving(tmp_path, command=command) as server:
        config = PROXY.replace("http://127.0.0.1:8000", server.address.rstrip("/"))
        with nginx(tmp_path, config) as address:
            turtle = httpx.get(
                f"{address}people/ada-lindqvist", headers={"Accept": "text/turtle"}, timeout=60
            )
            assert turtle.headers["content-type"].startswith("text/turtle")
            answer = httpx.get(f"{address}sparql", params={"query": "ASK {?s ?p ?o}"}, timeout=30)
            assert "true" in answer.text
            assert httpx.get(f"{address}console", timeout=60).status_code in (403, 404)
            long = {"query": "ASK {}" + " " * 2_000_000}
            assert httpx.post(f"{address}sparql", data=long, timeout=60).status_code == 413


BARE = "server { listen 80; location / { proxy_pass http://127.0.0.1:8000; } }"


def test_a_proxy_that_does_not_name_itself_opens_nothing(server: Server, tmp_path: Path) -> None:
    """To the server all its clients are on this machine, and mean this machine."""
    config = BARE.replace("http://127.0.0.1:8000", server.address.rstrip("/"))
    with nginx(tmp_path, config) as address, httpx.Client(base_url=address) as client:
        for path in ("console", "console.json", "metrics", "live"):
            for name in (*NAMES, "Accept"):
                found = client.get(path, headers={name: "127.0.0.1"}).status_code
                assert found == 404, (path, name)
        assert client.get("metrics", headers=WITH_KEY).status_code == 200
        assert client.get("console.json", params={"key": KEY}).json()["served"]


@pytest.mark.proof
@pytest.mark.server
def test_pages_that_follow_the_files_do_not_take_the_clients_of_a_proxy_for_the_author(
    example: Path, tmp_path: Path
) -> None:
    visit = {"Accept": "text/html", "Sec-Fetch-Dest": "document", "Connection": "keep-alive"}
    with watching(example) as server:
        assert "Set-Cookie" in httpx.get(server.address, headers=visit, timeout=60).headers
        config = BARE.replace("http://127.0.0.1:8000", server.address.rstrip("/"))
        for added in ("", "proxy_http_version 1.1; proxy_set_header Connection '';"):
            with nginx(tmp_path, config.replace("proxy_pass", f"{added} proxy_pass")) as address:
                found = httpx.get(address, headers=visit, timeout=60)
                assert found.status_code == 200
                assert "/live.js" in found.text
                assert "Set-Cookie" not in found.headers


@pytest.mark.process
def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        skip("there is no systemd-analyze")
    unit = tmp_path / "kg.service"
    unit.write_text(UNIT.replace("/usr/local/bin/kg", str(KG)))
    for command, says in ((["verify", unit], ""), (["security", "--offline=yes", unit], "OK")):
        run = subprocess.run(
            ["systemd-analyze", *command], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        assert run.stderr == "" and says in run.stdout
