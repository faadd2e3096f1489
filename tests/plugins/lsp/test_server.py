"""An editor and `kg lsp`, as two processes that talk over standard input and output."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.settings import shipped

pytestmark = pytest.mark.process
CV = "data/cv/ada-lindqvist.yaml"
START = "from kg.cli import main; main()"
TICKS = 100  # per second, in /proc


class Editor:
    """A client that speaks JSON-RPC, as editors do."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.number, self.version = folder, 0, 1
        self.problems: dict[str, list[Any]] = {}
        self.versions: dict[str, int] = {}
        command = [sys.executable, "-c", START, "lsp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
        self.abilities = self.ask("initialize", root)["capabilities"]
        self.tell("initialized", {})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout
        size = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                size = int(line.partition(b":")[2])
        found: dict[str, Any] = json.loads(self.process.stdout.read(size))
        if found.get("method") == "textDocument/publishDiagnostics":
            params = found["params"]
            if params.get("version") in (None, self.versions.get(params["uri"])):
                self.problems[params["uri"]] = params["diagnostics"]
        return found

    def tell(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (found := self.receive()).get("id") != self.number:
            pass
        assert "error" not in found, found
        return found["result"]

    def uri(self, file: str) -> str:
        return (self.folder / file).as_uri()

    def open(self, file: str) -> str:
        text = (self.folder / file).read_text(encoding="utf-8")
        self.versions[self.uri(file)] = 1
        document = {"uri": self.uri(file), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return text

    def type(self, file: str, text: str) -> None:
        self.version += 1
        self.versions[self.uri(file)] = self.version
        document = {"uri": self.uri(file), "version": self.version}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.tell("textDocument/didChange", change)

    def published(self, file: str) -> list[Any]:
        """The next problems of a file."""
        self.problems.pop(self.uri(file), None)
        while self.uri(file) not in self.problems:
            self.receive()
        return self.problems[self.uri(file)]

    def at(self, file: str, text: str, words: str, shift: int = 0) -> dict[str, Any]:
        """A position in a text: at the start of some words."""
        before = text[: text.index(words) + shift]
        line = before.count("\n")
        column = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
        return {
            "textDocument": {"uri": self.uri(file)},
            "position": {"line": line, "character": column},
        }

    def seconds(self) -> float:
        """The CPU time of the server."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        return sum(map(int, stat.rpartition(")")[2].split()[11:13])) / TICKS

    def close(self) -> None:
        with self.process as process:
            self.ask("shutdown", None)
            self.tell("exit", None)
            assert process.wait(10) == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lsp") / "lab"
    shutil.copytree(shipped("example"), folder, ignore=shutil.ignore_patterns(".*"))
    return folder


@pytest.fixture(scope="module")
def editor(site: Path) -> Iterator[Editor]:
    found = Editor(site)
    yield found
    found.close()


@pytest.fixture(scope="module")
def text(editor: Editor) -> str:
    found = editor.open(CV)
    assert [each for each in editor.published(CV) if each["severity"] == 1] == []
    return found


def labels(found: dict[str, Any]) -> list[str]:
    return [each["label"] for each in found["items"]]


def test_problems_appear_while_typing_and_their_fix_can_be_applied(
    editor: Editor, text: str
) -> None:
    wrong = text.replace("position: Lecturer", "postion: Lecturer")
    editor.type(CV, wrong)
    [problem] = [each for each in editor.published(CV) if each["code"] == "unknown-field"]
    place = editor.at(CV, wrong, "postion")
    assert problem["range"]["start"] == place["position"]
    assert problem["range"]["end"]["character"] == place["position"]["character"] + 7
    context = {"diagnostics": [problem]}
    document, where = place["textDocument"], problem["range"]
    [fix] = editor.ask(
        "textDocument/codeAction", {"textDocument": document, "range": where, "context": context}
    )
    assert fix["isPreferred"]
    [edit] = fix["edit"]["changes"][editor.uri(CV)]
    assert (edit["range"], edit["newText"]) == (where, "position")
    editor.type(CV, text)
    assert not any(each["code"] == "unknown-field" for each in editor.published(CV))


def test_the_file_on_disk_is_not_what_counts(editor: Editor, text: str, site: Path) -> None:
    assert (site / CV).read_text(encoding="utf-8") == text
    editor.type(CV, text.replace("  name: Ada Lindqvist\n", "  name:Ada Lindqvist\n"))
    assert any(each["code"] == "yaml" for each in editor.published(CV))
    editor.type(CV, text)
    assert not any(each["code"] == "yaml" for each in editor.published(CV))


def test_fields_values_keys_and_names_are_completed(editor: Editor, text: str) -> None:
    start = text + "volunteer:\n  - {organization: Rowing Club, "
    editor.type(CV, start)
    place = editor.at(CV, start, "Rowing Club, ", len("Rowing Club, "))
    fields = labels(editor.ask("textDocument/completion", place))
    assert "position" in fields
    assert "organization" not in fields
    value = text + "volunteer:\n  - {visibility: p"
    editor.type(CV, value)
    place = editor.at(CV, value, "{visibility: p", len("{visibility: p"))
    assert {"public", "private"} <= {*labels(editor.ask("textDocument/completion", place))}
    name = text + "volunteer:\n  - organization: \n"
    editor.type(CV, name)
    place = editor.at(CV, name, "  - organization: \n", len("  - organization: "))
    offered = labels(editor.ask("textDocument/completion", place))
    assert "northfjord" in offered
    assert "noor-haddad" not in offered
    topic = text.replace("  - field-measurement\n", "  - field-measurement\n  - sed\n")
    editor.type(CV, topic)
    place = editor.at(CV, topic, "  - sed\n", len("  - sed"))
    assert "sediment-transport" in labels(editor.ask("textDocument/completion", place))
    editor.type(CV, text)


def test_hover_explains_fields_and_names(editor: Editor, text: str) -> None:
    field = editor.ask("textDocument/hover", editor.at(CV, text, "startDate", 2))
    assert "The beginning" in field["contents"]["value"]
    name = editor.ask("textDocument/hover", editor.at(CV, text, "unit: northfjord-rivers", 9))
    assert "**River Laboratory** (organisation)" in name["contents"]["value"]
    assert "data/organizations.yaml" in name["contents"]["value"]


def test_a_key_leads_to_its_entry(editor: Editor, text: str) -> None:
    place = editor.at(CV, text, "unit: northfjord-rivers", 9)
    [found] = editor.ask("textDocument/definition", place)
    assert found["uri"] == editor.uri("data/organizations.yaml")
    lines = (editor.folder / "data/organizations.yaml").read_text(encoding="utf-8").split("\n")
    assert "northfjord-rivers" in lines[found["range"]["start"]["line"]]


def test_columns_are_counted_as_the_editor_counts_them(editor: Editor, text: str) -> None:
    wrong = text.replace("position: Lecturer", "note: 😀😀, postion: Lecturer")
    editor.type(CV, wrong)
    [problem] = [each for each in editor.published(CV) if each["code"] == "unknown-field"]
    assert problem["range"]["start"] == editor.at(CV, wrong, "postion")["position"]
    editor.type(CV, text)


@pytest.mark.parametrize("text", ["", "basics:\n", "basics:\r\n  nam", '\ufeffbasics: {name: "é😀'])
def test_a_new_file_is_helped_at_its_end(editor: Editor, text: str) -> None:
    file = "data/cv/new-person.yaml"
    document = {"uri": editor.uri(file), "languageId": "yaml", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": document})
    place = editor.at(file, text + "|", "|")
    editor.ask("textDocument/hover", place)
    editor.ask("textDocument/definition", place)
    found = labels(editor.ask("textDocument/completion", place))
    assert ("basics" in found) == (not text)
    editor.tell("textDocument/didClose", {"textDocument": {"uri": editor.uri(file)}})


def test_a_file_outside_of_sites_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    place = {"textDocument": {"uri": (tmp_path / "x.yaml").as_uri()}}
    position = {"line": 0, "character": 0}
    assert editor.ask("textDocument/hover", {**place, "position": position}) is None


@pytest.mark.proof
def test_a_keystroke_costs_little(editor: Editor, text: str) -> None:
    time.sleep(2)  # checks that wait
    before, strokes = editor.seconds(), 10
    for number in range(strokes):
        editor.type(CV, text + "\n" * number)
        editor.published(CV)
    assert (editor.seconds() - before) / strokes <= 0.2
