"""Doors for plugins: what a package adds by its entry points, and what a broken one does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, version
from pathlib import Path
from textwrap import dedent
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from kg import doors
from kg.cli import main
from tests.conftest import ROOT
from tests.installing import install, new_environment, run
from tests.kinds import starts
from tests.web.serving import KG, WITH_KEY, serving

EXAMPLE = ROOT / "kg" / "example"


@dataclass
class Stranger:
    """A folder on the path with a package of someone else, as an installer leaves it."""

    folder: Path

    def add(self, name: str, groups: Mapping[str, Mapping[str, str]], code: str) -> None:
        (self.folder / f"{name}.py").write_text(dedent(code))
        about = self.folder / f"{name}-1.0.dist-info"
        about.mkdir()
        about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0")
        lines = [
            line
            for group, entries in groups.items()
            for line in (f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()))
        ]
        about.joinpath("entry_points.txt").write_text("\n".join(lines))

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join(filter(None, (str(self.folder), os.environ.get("PYTHONPATH"))))
        return {**os.environ, "PYTHONPATH": path, "COLUMNS": "100"}

    def kg(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [KG, *words], env=self.environment(), capture_output=True, text=True, check=False
        )

    def modules(self, *words: str) -> set[str]:
        """The modules that a command loads."""
        program = (
            "import sys; from kg.cli import main; main(sys.argv[1:], standalone_mode=False); "
            "print(*sys.modules, file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            env=self.environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        return set(done.stderr.split())


@pytest.fixture
@starts("process")
def stranger(tmp_path: Path) -> Stranger:
    (tmp_path / "packages").mkdir()
    return Stranger(tmp_path / "packages")


GREETER = """
    import click
    @click.command()
    @click.argument("name")
    def greet(name):
        "Greet somebody."
        click.echo(f"Hello, {name}!")
    @click.command()
    def check():
        click.echo("not the check")
"""


def test_a_package_adds_a_command(stranger: Stranger) -> None:
    stranger.add("greeter", {"kg.commands": {"greet": "greeter:greet"}}, GREETER)
    shown = stranger.kg("--help").stdout
    assert "\nPlugins:\n  greet       Greet somebody.\n" in shown
    assert stranger.kg("greet", "Ada").stdout == "Hello, Ada!\n"
    assert "Did you mean 'greet'?" in stranger.kg("gret").stderr


def test_a_command_of_the_core_cannot_be_replaced(stranger: Stranger) -> None:
    entries = {"check": "greeter:check", "diff": "greeter:check"}
    stranger.add("greeter", {"kg.commands": entries}, GREETER)
    for name in entries:
        assert "not the check" not in stranger.kg(name, "--help").stdout
        assert "--format" in stranger.kg(name, "--help").stdout


@pytest.mark.proof
def test_a_plugin_that_fails_to_load_is_one_line_and_stops_nothing(stranger: Stranger) -> None:
    entries = {"a": "broken:a", "b": "broken:b"}
    stranger.add("broken", {"kg.commands": entries}, "raise ImportError('no\\nsuch thing')")
    stranger.add("wrong", {"kg.commands": {"c": "wrong:c"}}, "c = 'no command'")
    done = stranger.kg("--help")
    assert done.returncode == 0
    assert "\n  push " in done.stdout
    assert done.stderr.splitlines() == [
        "The plugin a (kg.commands, broken) failed to load: ImportError: no such thing",
        "The plugin b (kg.commands, broken) failed to load: ImportError: no such thing",
        "The plugin c (kg.commands, wrong) failed to load: wrong:c is not a click.core.Command",
    ]
    assert stranger.kg("a").returncode == 2
    assert stranger.kg("who", "Ada Lindqvist", EXAMPLE).stderr == ""


INTERRUPTED = """
class Interrupted:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt

class Made:
    name = Interrupted()
"""


def test_ctrl_c_while_a_plugin_loads_is_no_fault_of_the_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python raises a RuntimeError for it in the middle of a class."""
    (tmp_path / "stopped_by_us.py").write_text(INTERRUPTED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        doors.loaded(EntryPoint("stopped", "stopped_by_us:Made", "kg.commands"), type)


@pytest.mark.proof
def test_a_command_loads_no_plugin_that_it_does_not_need(stranger: Stranger) -> None:
    stranger.add("greeter", {"kg.commands": {"greet": "greeter:greet"}}, GREETER)
    site = str(EXAMPLE)
    for words in (["schema", "cv"], ["dump", site]):
        loaded = stranger.modules(*words)
        assert "kg.facts.load" in loaded or words[0] == "schema"
        plugins = {name for name in loaded if name.startswith(("kg.plugins.", "greeter"))}
        plugins -= {"kg.plugins.sync", "kg.plugins.sync.watch"}
        assert {name for name in plugins if "plugins.checks" not in name} == set(), "but its rules"
    plugins = {name for name in stranger.modules("why", "ada-lindqvist", site) if "plugins" in name}
    assert {name.split(".")[2] for name in plugins if name.startswith("kg.plugins.")} == {"why"}


RULE = """
    from kg.check.report.explain import Explanation
    from kg.check.rules import PluginRule
    from kg.errors import Problem
    from kg.facts.models.activities import Award

    def find(facts, today):
        for each, award in facts.of(Award):
            if "Best" in str(award.title):
                message = f"{each.row.path}: 'Best' is a big word."
                yield Problem(each.row.at("title"), "warning", message, "whatever")

    MODESTY = PluginRule(Explanation("Modest people are liked. Even by referees."), find)
"""


@pytest.mark.proof
def test_a_package_adds_a_rule(stranger: Stranger, tmp_path: Path) -> None:
    stranger.add("modest", {"kg.checks": {"big-word": "modest:MODESTY"}}, RULE)
    site = tmp_path / "site"
    assert stranger.kg("new", site, "--example").returncode == 0
    cv = site / "data" / "cv" / "ada-lindqvist.yaml"
    place = next(
        f"{cv}:{number}:"
        for number, line in enumerate(cv.read_text().splitlines(), 1)
        if "Best Paper" in line
    )
    [line] = stranger.kg("check", "-q", site).stdout.splitlines()
    assert line.startswith(place)
    assert line.endswith("'Best' is a big word.  [big-word]")
    found = stranger.kg("check", "--explain", "big-word", site)
    assert found.stdout == "big-word: Modest people are liked. Even by referees.\n"
    assert "\nbig-word  " in stranger.kg("check", "--explain", "--site", site).stdout
    assert "Closest: big-word" in stranger.kg("check", "--explain", "big-words", site).stderr
    text = cv.read_text()
    cv.write_text(text.replace("{title: Best", "{accept: {big-word: it was}, title: Best"))
    assert text != cv.read_text()
    assert stranger.kg("check", "-q", site).stdout == ""
    shutil.rmtree(stranger.folder / "modest-1.0.dist-info")
    assert "[unknown-rule]" in stranger.kg("check", "-q", site).stdout


def test_a_rule_that_fails_is_named(stranger: Stranger) -> None:
    broken = RULE.replace('"Best" in str(award.title)', "award.wrong")
    stranger.add("modest", {"kg.checks": {"big-word": "modest:MODESTY"}}, broken)
    done = stranger.kg("check", "-q", EXAMPLE)
    assert done.returncode == 2
    assert done.stderr.startswith("The plugin rule big-word failed with Attribute")
    assert "Traceback" not in done.stderr


def test_cached_results_are_of_the_plugins_that_are_installed(stranger: Stranger) -> None:
    program = "from kg.files.cache import program; print(program())"

    def digest() -> str:
        return subprocess.run(
            [sys.executable, "-c", program],
            env=stranger.environment(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    before = digest()
    stranger.add("modest", {"kg.checks": {"big-word": "modest:MODESTY"}}, RULE)
    assert digest() != before


ROUTES = """
    from kg.web.answers import build_reply
    from kg.web.extensions import Route
    from kg.web.request import Refusal

    async def respond(request, state, client, threads):
        if request.field("name") == "nobody":
            raise Refusal(404, "Nobody is here.")
        words = f"{request.method} {state.documents.pages.site.base}"
        return build_reply(request, words.encode(), "text/plain")

    HELLO = Route(frozenset({"/hello", "/form"}), respond, posted=frozenset({"/form"}))
    SECRET = Route(frozenset({"/secret"}), respond, is_private=True)
"""


def answer(address: str, **headers: str) -> tuple[int, str]:
    data = b"a=b" if headers.pop("method", "GET") == "POST" else None
    try:
        with urlopen(Request(address, data, headers), timeout=20) as found:
            return found.status, found.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.server
def test_a_package_adds_paths_to_the_server(stranger: Stranger) -> None:
    entries = {"hello": "hello:HELLO", "secret": "hello:SECRET", "broken": "hello:GONE"}
    stranger.add("hello", {"kg.routes": entries}, ROUTES)
    with serving(EXAMPLE, **stranger.environment()) as server:
        assert "The plugin broken (kg.routes, hello) failed to load" in server.said
        root = server.address
        base = answer(f"{root}hello")[1].removeprefix("GET ")
        assert base.startswith("http")
        assert answer(f"{root}form", method="POST") == (200, f"POST {base}")
        assert answer(f"{root}hello", method="POST")[0] == 405
        assert answer(f"{root}hello?name=nobody") == (404, "Nobody is here.\n")
        assert answer(f"{root}secret")[0] == 404
        assert answer(f"{root}secret", **WITH_KEY) == (200, f"GET {base}")
        assert "manifest" not in answer(f"{root}reconcile")[1]
        assert answer(f"{root}reconcile")[0] == 200, "ours are there, too"


EXPORTER = """
    from kg.plugins.exchange.writers.public_cv import ExportFormat

    def write(cv):
        return f"{cv.slug}\\n".encode()

    def leak(cv):
        return b"ada@private.example"

    SLUG = ExportFormat("a slug", write)
    LEAK = ExportFormat("a leak", leak)
"""


def test_a_package_adds_a_format_to_export_and_cannot_leak(stranger: Stranger, site: Path) -> None:
    entries = {"slug": "slug:SLUG", "leak": "slug:LEAK"}
    stranger.add("slug", {"kg.exporters": entries}, EXPORTER)
    assert stranger.kg("export", "ada-berg", site, "--to", "slug").stdout == "ada-berg\n"
    cv = site / "data" / "cv" / "ada-berg.yaml"
    text = cv.read_text()
    cv.write_text(
        re.sub(
            r"(?m)^(basics:\n)",
            r"\1  email: {value: ada@private.example, visibility: private}\n",
            text,
        )
    )
    assert text != cv.read_text()
    done = stranger.kg("export", "ada-berg", site, "--to", "leak")
    assert (done.returncode, done.stdout) == (1, "")
    assert "[leak]" in done.stderr


BACKEND = """
    import click
    from kg.errors import KgError
    from kg.web.extensions import Backend

    class Mirror:
        def __init__(self, address):
            self.address = address
        def open(self, base, limits):
            raise KgError(f"{self.address} holds nothing of {base}")
        def version(self, base):
            return ""
        def close(self):
            click.echo("closed", err=True)

    MIRROR = Backend(
        (click.Option(["--mirror"], metavar="URL", help="Where a copy is."),),
        lambda values: values["mirror"] and Mirror(values["mirror"]),
    )
"""


@pytest.mark.proof
def test_a_package_adds_a_server_that_answers_queries(stranger: Stranger, built: Path) -> None:
    stranger.add("mirror", {"kg.backends": {"mirror": "mirror:MIRROR"}}, BACKEND)
    assert "--mirror URL  " in stranger.kg("serve", "--help").stdout
    done = stranger.kg("serve", built, "--mirror", "http://mirror.example/")
    assert done.returncode == 2
    assert "http://mirror.example/ holds nothing of " in done.stderr
    assert done.stderr.startswith("closed\n")
    done = stranger.kg("serve", EXAMPLE, "--mirror", "http://mirror.example/")
    assert "--mirror works only with a built folder." in done.stderr


def test_installed_plugins_are_listed(stranger: Stranger) -> None:
    here = CliRunner().invoke(main, ["plugins"])
    assert here.exit_code == 0
    rows = [line.split() for line in here.stdout.splitlines()]
    assert ["kg.importers", "orcid", "cv-kg", version("cv-kg"), "ok"] in rows
    assert {row[0] for row in rows} == doors.GROUPS.keys()
    entries = {
        "kg.commands": {"greet": "greeter:greet", "check": "greeter:check", "why": "greeter:check"},
        "kg.importers": {"gone": "no_such_module:FORMAT"},
        "kg.theme": {"dark": "greeter:greet"},
    }
    stranger.add("greeter", entries, GREETER)
    done = stranger.kg("plugins", "--json")
    assert done.returncode == 1
    faults = {
        each["name"]: each["fault"] for each in json.loads(done.stdout) if each["version"] == "1.0"
    }
    assert faults.pop("dark").startswith("unknown group. Known: kg.commands, ")
    assert faults == {
        "greet": "",
        "check": "not used: kg has its own command of this name",
        "why": "not used: cv-kg has the same name",
        "gone": "failed to load: ModuleNotFoundError: No module named 'no_such_module'",
    }


@pytest.mark.proof
def test_the_core_is_installed_checks_builds_and_serves_without_plugins(tmp_path: Path) -> None:
    """A package without `kg/plugins` and without its entry points."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("kg", "shapes", "queries"):
        leave = shutil.ignore_patterns("plugins", "__pycache__")
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    for name in ("README.md", "LICENSE", "sbom.cdx.json"):
        shutil.copy(ROOT / name, copy)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    alone = re.sub(r'\[project\.entry-points\."kg\.\w+"\]\n(?:[\w-]+ = .*\n)+', "", project)
    assert "kg.plugins" not in re.sub(r"#.*", "", alone).replace("kg/plugins", "")
    (copy / "pyproject.toml").write_text(alone, encoding="utf-8")
    environment = new_environment(tmp_path)
    kg = install(environment, "pip install .", copy)
    assert not [*environment.glob("lib/*/site-packages/kg/plugins")]
    assert run([kg, "plugins"], tmp_path) == ""
    shown = run([kg, "--help"], tmp_path)
    assert ("\n  import " in shown, "\n  build " in shown) == (False, True)
    run([kg, "new", "site", "--example"], tmp_path)
    assert " triples" in run([kg, "check", "site"], tmp_path)
    assert "no private data" in run([kg, "build", "site", "-o", "public"], tmp_path)
    assert "no private data" in run(
        [kg, "build", "site", "-o", "public", "--previous", "public"], tmp_path
    )
    for place in ("site", "public"):
        with serving(tmp_path / place, kg, PYTHONPATH="") as server:
            assert answer(f"{server.address}people/ada-lindqvist")[0] == 200
            query = "sparql?query=ASK%20%7B%7D"
            assert "true" in answer(server.address + query, Accept="text/csv, */*")[1]
            assert answer(f"{server.address}reconcile")[0] == 404


def test_each_of_our_plugins_loads() -> None:
    for group in doors.GROUPS:
        for entry in doors.installed(group).values():
            assert doors.distribution(entry) == "cv-kg"
            assert doors.load(entry, object) is not None
