"""The HTTP client: only the named server is asked, and no answer takes for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kg.plugins.remote.retrying import Retry, RetryingClient, Unanswered
from kg.web.http_client import RemoteResponse, TooLarge

pytestmark = pytest.mark.server

ONCE = Retry(seconds=5, tries=1)


@contextmanager
def running(answer: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), answer) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a body need not wait until headers are confirmed

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def get(client: RetryingClient, limit: int = 1000, retry: Retry = ONCE) -> RemoteResponse:
    return client.call("GET", client.root, retry=retry, limit=limit)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    visits: list[str] = []

    class Canary(Handler):
        def do_GET(self) -> None:
            visits.append(self.path)
            self.reply(200)

    with running(Canary) as other:

        class Moved(Handler):
            def do_GET(self) -> None:
                self.reply(status, Location=other)

        with (
            running(Moved) as root,
            closing(RetryingClient(root)) as client,
            pytest.raises(Unanswered, match=f"returned HTTP {status}"),
        ):
            get(client)
    assert visits == []


def test_no_cookie_is_sent_back_and_the_connection_is_used_twice() -> None:
    seen: list[tuple[str | None, int]] = []

    class Baker(Handler):
        def do_GET(self) -> None:
            seen.append((self.headers["Cookie"], self.client_address[1]))
            self.reply(200, b"x", Set_Cookie="a=b; Path=/")

    with running(Baker) as root, closing(RetryingClient(root)) as client:
        get(client)
        get(client)
    assert [cookie for cookie, _ in seen] == [None, None]
    assert len({port for _, port in seen}) == 1


def test_the_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")

    class Fine(Handler):
        def do_GET(self) -> None:
            self.reply(200, b"fine")

    with running(Fine) as root, closing(RetryingClient(root)) as client:
        assert get(client).body == b"fine"


def test_a_large_answer_is_cut_off() -> None:
    class Large(Handler):
        def do_GET(self) -> None:
            self.reply(200, b"x" * 100_000)

    with running(Large) as root, closing(RetryingClient(root)) as client, pytest.raises(TooLarge):
        get(client)


def test_a_packed_answer_is_not_unpacked() -> None:
    class Packed(Handler):
        def do_GET(self) -> None:
            assert self.headers["Accept-Encoding"] == "identity"
            self.reply(200, b"\x1f\x8bbomb", Content_Encoding="gzip")

    with running(Packed) as root, closing(RetryingClient(root)) as client:
        assert get(client).body == b"\x1f\x8bbomb"


def test_an_answer_that_drips_has_a_deadline() -> None:
    class Dripping(Handler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            for _ in range(1000):
                self.wfile.write(b"x")
                time.sleep(0.05)

    began = time.monotonic()
    with (
        running(Dripping) as root,
        closing(RetryingClient(root)) as client,
        pytest.raises(Unanswered, match=r"within 0\.4 s") as error,
    ):
        get(client, retry=Retry(0.4, 1))
    assert error.value.is_late
    assert time.monotonic() - began < 15


def test_a_connection_that_was_closed_meanwhile_is_replaced() -> None:
    class Closing(Handler):
        requests = 0

        def do_GET(self) -> None:
            Closing.requests += 1
            if Closing.requests == 2:  # hangs up without an answer
                self.close_connection = True
                return
            self.reply(200, b"fine")

    with running(Closing) as root, closing(RetryingClient(root)) as client:
        assert [get(client).body, get(client).body] == [b"fine", b"fine"]
    assert Closing.requests == 3


def test_a_digest_is_answered_before_a_body_is_sent() -> None:
    seen: list[tuple[str, int, bool]] = []

    class Guarded(Handler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            signed = self.headers.get("Authorization", "").startswith("Digest ")
            seen.append((self.command, len(body), signed))
            challenge = 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5'
            self.reply(200) if signed else self.reply(401, WWW_Authenticate=challenge)

        do_PUT = do_GET  # noqa: N815

    with (
        running(Guarded) as root,
        closing(RetryingClient(root, "digest", "me", "secret")) as client,
    ):
        for _ in range(2):
            client.call("PUT", root, b"x" * 50, retry=ONCE, signed=True)
    assert seen == [("GET", 0, False), ("GET", 0, True), ("PUT", 50, True), ("PUT", 50, True)]
