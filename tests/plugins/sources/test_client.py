"""The HTTP client of the sources: pace, repeats, limits, redirects, keys and kept answers."""

from __future__ import annotations

import gzip
import logging
import time
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.plugins.sources import client as client_module
from kg.plugins.sources.answers import Answers, read_answer
from kg.plugins.sources.client import Client, Service, waiting_time
from kg.plugins.sources.found import NotFetched
from tests.plugins.sources.conftest import TODAY
from tests.plugins.sources.recorded_server import RECORDED, RecordedServer, Reply

SERVICE = Service("Crossref", ("api.crossref.org",), ("key", "CROSSREF_KEY"))
ADDRESS = "https://api.crossref.org/works/10.5555/x"
OK = Reply(body=b'{"a": 1}')


def refusal(client: Client, address: str = ADDRESS) -> str:
    with pytest.raises(NotFetched) as found:
        client.json(SERVICE, address)
    message = str(found.value)
    assert "\n" not in message
    assert message.startswith("Crossref (api.crossref.org) ")
    return message


def test_it_says_who_asks_and_how_to_reach_them(server: RecordedServer, client: Client) -> None:
    server.reply("10.5555/x", OK)
    assert client.json(SERVICE, ADDRESS)[0] == {"a": 1}
    ((_, _, headers),) = server.asked
    assert headers["User-Agent"].startswith("cv-kg/")
    assert "mailto:lab@example.org" in headers["User-Agent"]


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again(server: RecordedServer, client: Client, status: int) -> None:
    server.reply("10.5555/x", Reply(status, headers=(("Retry-After", "1"),)), OK)
    begun = time.monotonic()
    assert client.json(SERVICE, ADDRESS)[0] == {"a": 1}
    assert time.monotonic() - begun >= 1, "it waits as long as the service asks"
    assert len(server.asked) == 2


def test_a_service_that_stays_busy_is_left_alone(server: RecordedServer, client: Client) -> None:
    server.reply("10.5555/x", Reply(429, headers=(("Retry-After", "3600"),)))
    assert "is busy and asks to wait 3,600 s. Try again later" in refusal(client)
    assert len(server.asked) == 1
    server.reply("10.5555/x", Reply(500))
    assert "has a fault (500)" in refusal(client)
    assert len(server.asked) == 1 + client_module.TRIES


def test_a_service_with_a_fault_is_asked_again_after_a_growing_pause(
    server: RecordedServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client_module.RETRY_WAIT < 0.1, "only in tests"
    monkeypatch.setattr(client_module, "RETRY_WAIT", 0.1)
    server.reply("10.5555/x", Reply(500))
    assert "has a fault (500)" in refusal(client)
    first, second, third = (at for at, _, _ in server.asked)
    assert second - first >= 0.1
    assert third - second >= 0.2


def test_a_wait_can_be_a_date() -> None:
    assert 50 < waiting_time(formatdate(time.time() + 60, usegmt=True)) < 61
    assert [waiting_time(each) for each in ("", "soon", "Mon, 99", "7")] == [0, 0, 0, 7]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (Reply(403), "answered with HTTP status 403"),
        (Reply(200, b"<html>", "text/html"), "answered with a web page instead of data"),
        (Reply(200, b'{"a": '), "sent broken data"),
        (Reply(200, b"hello", "text/plain"), "did not send JSON"),
        (Reply(200, b"[" * 100_000), "sent broken data"),
        (Reply(200, b'{"a": 1}', promised=99), "cannot be reached: the response was cut off"),
        (Reply(302, headers=(("Location", "https://evil.example/"),)), "redirects to another serv"),
        (Reply(302, headers=(("Location", "http://api.crossref.org/"),)), "redirects to another"),
        (Reply(302, headers=(("Location", "file:///etc/passwd"),)), "redirects to another server"),
        (Reply(302, headers=(("Location", "//127.0.0.1:1/"),)), "redirects to another server"),
        (Reply(302, headers=(("Location", "https://[x"),)), "redirects to another server"),
        (Reply(302, headers=(("Location", ADDRESS),)), "redirects too often"),
    ],
)
def test_a_wrong_answer_is_one_sentence(
    server: RecordedServer, client: Client, reply: Reply, message: str
) -> None:
    server.reply("10.5555/x", reply)
    assert message in refusal(client)
    assert all("api.crossref.org" in address for address in server.addresses())


def test_it_follows_redirects_of_the_service(server: RecordedServer, client: Client) -> None:
    server.reply("10.5555/x", Reply(301, headers=(("Location", "/works/10.5555/y"),)))
    server.reply("10.5555/y", OK)
    assert client.json(SERVICE, ADDRESS)[0] == {"a": 1}


def test_a_large_answer_is_refused(
    server: RecordedServer, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "MOST_BYTES", 1_000_000)
    bomb = Reply(body=b" " * 2_000_000)
    assert len(gzip.compress(bomb.body)) < 10_000
    server.reply("10.5555/x", bomb)
    assert refusal(client).endswith("sent more than 1 MB.")
    server.reply("10.5555/x", bomb._replace(promised=len(bomb.body)))
    assert refusal(client).endswith("sent more than 1 MB.")


def test_a_slow_service_is_given_up(server: RecordedServer, tmp_path: Path) -> None:
    with closing(Client(TODAY, seconds=0.2)) as client:
        server.reply("10.5555/x", Reply(pause=0.6))
        begun = time.monotonic()
        assert "did not answer within 0.2 s" in refusal(client)
        assert time.monotonic() - begun < 3


def test_a_service_that_is_down_is_one_sentence(
    server: RecordedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Client(TODAY, variables={"KG_SOURCES": "http://127.0.0.1:1"})) as client:
        assert "cannot be reached: " in refusal(client)


def test_requests_keep_the_pace_of_each_service(server: RecordedServer, client: Client) -> None:
    """Crossref's polite pool has three requests a second; without a contact, it is slower."""
    assert client_module.PAUSES["api.crossref.org"] == pytest.approx(1 / 3)
    client.pauses = {"api.crossref.org": 0.2}
    server.reply("10.5555/", OK)
    begun = time.monotonic()
    for number in range(4):
        client.json(SERVICE, f"{ADDRESS}{number}")
    *_, (last, _, _) = server.asked
    assert last - begun >= 3 * 0.2
    with closing(Client(TODAY, variables={})) as stranger:
        assert stranger.pauses
        assert stranger.pauses["api.crossref.org"] == 1.0


def test_a_key_is_sent_and_never_kept_or_logged(
    server: RecordedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    record, variables = tmp_path / "record", {"KG_SOURCES": server.root, "CROSSREF_KEY": "geheim"}
    server.reply("10.5555/x", OK)
    server.reply("10.5555/y", Reply(403))
    with closing(Client(TODAY, record=record, variables=variables)) as client:
        client.json(SERVICE, ADDRESS)
        assert "geheim" not in refusal(client, ADDRESS.replace("/x", "/y"))
    assert server.addresses()[0].endswith("?key=geheim")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 2, "kept and recorded"
    assert all(b"geheim" not in path.read_bytes() for path in files)
    assert "geheim" not in caplog.text


def test_answers_are_kept_with_their_date_and_used_offline(
    server: RecordedServer, client: Client
) -> None:
    server.reply("10.5555/x", OK)
    client.json(SERVICE, ADDRESS)
    with closing(Client("2027-01-01", is_offline=True)) as later:
        found, answer = later.json(SERVICE, ADDRESS)
        assert (found, answer.asked) == ({"a": 1}, TODAY)
        message = refusal(later, ADDRESS.replace("/x", "/new"))
        assert "was not asked this before. Leave out --offline." in message
    assert len(server.asked) == 1


def test_a_damaged_file_of_an_answer_is_not_used(server: RecordedServer, client: Client) -> None:
    server.reply("10.5555/x", OK)
    client.json(SERVICE, ADDRESS)
    path = Answers().path(ADDRESS)
    for damaged in (path.read_bytes() + b" ", b"", b"\xff\n1 x\n2\n\n{}", b"a\nb\nc\n\n{}"):
        path.write_bytes(damaged)
        assert Answers().find(ADDRESS) is None


def test_a_folder_of_records_that_cannot_be_written_is_reported(
    server: RecordedServer, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    words = ["import", "doi:10.5555/ice.1", "--into", str(tmp_path), "--record"]
    found = CliRunner().invoke(main, [*words, str(tmp_path / "file" / "folder")])
    assert found.exit_code == 2
    assert "Cannot write to " in found.output


def test_recorded_answers_answer_without_a_network(server: RecordedServer, tmp_path: Path) -> None:
    """`--record` writes what tests use; the answers of these tests are such files."""
    words = ["import", "orcid:0000-0002-1825-0097", "--into"]
    folder = tmp_path / "answers"
    CliRunner().invoke(main, [*words, str(tmp_path / "one"), "--record", str(folder)])
    written = {path.name: path.read_bytes() for path in folder.rglob("*.txt")}
    assert len(written) >= 5
    recorded = {path.name: path.read_bytes() for path in RECORDED.rglob("*.txt")}
    for name, data in written.items():
        mine, theirs = read_answer(data), read_answer(recorded[name])
        assert mine and theirs and (mine.address, mine.body) == (theirs.address, theirs.body)
    server.replies, server.answers = {"": [Reply(500)]}, {}
    found = CliRunner().invoke(main, [*words, str(tmp_path / "two"), "--offline"])
    assert found.exit_code == 0, found.output
    one, two = ((tmp_path / name / "data/cv/hana-lind.yaml") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
