"""The production server on a real socket, over http and over https."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from referee.table import Table
from web import create_app
from web.certificate import Certificate, kept_certificate
from web.live import LiveGame
from web.server import Server, ServerError, _beside, _room_for, serve
from web.settings import WebSettings


@pytest.fixture
def live() -> LiveGame:
    return LiveGame(Table())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return kept_certificate(tmp_path_factory.mktemp("keys") / "https.pem", ("192.0.2.7",))


@pytest.fixture(params=["http", "https"])
def tls(request: pytest.FixtureRequest, certificate: Certificate) -> ssl.SSLContext | None:
    return certificate.context() if request.param == "https" else None


@pytest.fixture
def server(live: LiveGame, tls: ssl.SSLContext | None) -> Iterator[Server]:
    running = serve(create_app(live), port=0, tls=tls).start()
    yield running
    running.stop()


def connection_to(server: Server, context: ssl.SSLContext | None = None) -> http.client.HTTPConnection:
    """A connection to a server; over https its certificate is only looked at when a context is given."""
    if server.scheme == "http":
        return http.client.HTTPConnection(server.host, server.port, timeout=30)
    if context is None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return http.client.HTTPSConnection(server.host, server.port, timeout=30, context=context)


@contextmanager
def asking(server: Server, path: str) -> Iterator[http.client.HTTPResponse]:
    """The answer to a request, open while the block runs."""
    connection = connection_to(server)
    with closing(connection):
        connection.request("GET", path)
        with closing(connection.getresponse()) as answer:
            yield answer


def test_the_address_is_known_before_the_server_runs(live: LiveGame) -> None:
    server = serve(create_app(live), port=0)
    assert server.url == f"http://127.0.0.1:{server.port}/"
    assert server.port > 0
    server.stop()


def test_the_page_is_served(server: Server) -> None:
    with asking(server, "/") as answer:
        assert answer.status == 200
        assert b"Blokus referee" in answer.read()
        assert answer.getheader("Server") is None


def test_events_arrive_while_the_stream_is_open(server: Server, live: LiveGame) -> None:
    with asking(server, "/api/events") as answer:
        assert answer.readline() == b"retry: 500\n"
        live.camera("dark", "The lamp went out.")
        lines = iter(answer.readline, b"")
        said = json.loads(next(line for line in lines if line.startswith(b"data: "))[6:])
    assert (said["event"], said["state"]) == ("state", "dark")


def test_browsers_that_keep_six_connections_each_leave_room_for_everybody(tls: ssl.SSLContext | None) -> None:
    server = serve(create_app(LiveGame(Table(), settings=WebSettings(max_listeners=50))), port=0, tls=tls).start()
    with ExitStack() as stack:
        for _ in range(6 * 50):
            stack.enter_context(closing(socket.create_connection((server.host, server.port))))
        with asking(server, "/api/state") as answer:
            assert answer.status == 200
    server.stop()


def test_a_connection_that_nobody_uses_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.server._CLEANUP_S", 1)
    server = serve(create_app(LiveGame(Table(), settings=WebSettings(idle_s=1))), port=0).start()
    with closing(socket.create_connection((server.host, server.port), timeout=30)) as idle:
        assert idle.recv(1) == b""
    server.stop()


def test_there_are_no_more_connections_than_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    for limits, room in (((1024, 1024), 824), ((256, 256), 128), ((1024, 4096), 1420), ((-1, -1), 1420)):
        monkeypatch.setattr("resource.getrlimit", lambda _, limits=limits: limits)
        assert _room_for(1420) == room


@pytest.mark.parametrize(("room", "left"), [(1420, 1200), (824, 604), (128, 64)])
def test_streams_take_their_share_of_the_connections(room: int, left: int) -> None:
    assert _beside(220, room) == left


def test_stopping_ends_open_streams_and_frees_the_port(live: LiveGame, tls: ssl.SSLContext | None) -> None:
    server = serve(create_app(live), port=0, tls=tls).start()
    with asking(server, "/api/events") as answer:
        answer.readline()
        server.stop()
        assert b"data" not in answer.read()
    again = serve(create_app(LiveGame(Table())), port=server.port)
    again.stop()
    server.stop()


def test_a_server_that_was_never_run_can_be_stopped(live: LiveGame) -> None:
    server = serve(create_app(live), port=0)
    server.stop()
    server.stop()
    serve(create_app(live), port=server.port).stop()


def test_a_taken_port_is_told_in_one_line(server: Server, live: LiveGame) -> None:
    with pytest.raises(ServerError, match=f"port {server.port}: address already in use"):
        serve(create_app(live), port=server.port)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("127.0.0.1", 70000), ("no such host", 0), ("\x00", 0), ("127.0.0.1", -1)])
def test_an_impossible_address_is_told_in_one_line(live: LiveGame, host: str, port: int) -> None:
    with pytest.raises(ServerError) as refused:
        serve(create_app(live), host=host, port=port)
    assert "\n" not in str(refused.value)


def test_a_loopback_of_the_newer_kind_is_written_in_brackets(live: LiveGame) -> None:
    if not _has_ipv6():
        with pytest.raises(ServerError):
            serve(create_app(live), host="::1", port=0)
        return
    server = serve(create_app(live), host="::1", port=0)
    assert server.url == f"http://[::1]:{server.port}/"
    server.stop()


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_an_oversized_request_is_refused_by_the_server(server: Server) -> None:
    connection = connection_to(server)
    with closing(connection):
        connection.putrequest("POST", "/api/decisions")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(10**9))
        connection.endheaders()
        with closing(connection.getresponse()) as answer:
            assert answer.status == 413


def test_garbage_on_the_socket_disturbs_nobody(server: Server) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nHost: " + b"a" * 60_000 + b"\r\n\r\n", b"\x00" * 1000):
        # Whoever sends too much is cut off, at once or a little later.
        with contextlib.suppress(OSError), socket.create_connection((server.host, server.port), timeout=30) as raw:
            raw.sendall(garbage)
            raw.shutdown(socket.SHUT_WR)
            raw.recv(4096)
    test_the_page_is_served(server)


def test_readers_that_have_left_give_their_seats_to_others(tls: ssl.SSLContext | None) -> None:
    live = LiveGame(Table(), settings=replace(WebSettings(), max_listeners=2, kept_seats=0, poll_s=0.01))
    server = serve(create_app(live), port=0, tls=tls).start()
    for _ in range(5):
        with ExitStack() as readers:
            assert all(seated(server, readers) for _ in range(2))
    server.stop()


def seated(server: Server, readers: ExitStack) -> bool:
    """Listen once there is a seat; the server takes a moment to notice that a reader has left."""
    for _ in range(1000):
        answer = readers.enter_context(asking(server, "/api/events"))
        if answer.status == 200:
            return True
    return False


def test_several_threads_may_stop_it_at_once(live: LiveGame) -> None:
    server = serve(create_app(live), port=0).start()
    stoppers = [threading.Thread(target=server.stop) for _ in range(4)]
    for stopper in stoppers:
        stopper.start()
    for stopper in stoppers:
        stopper.join(30)
    assert not any(stopper.is_alive() for stopper in stoppers)


def test_ctrl_c_ends_the_server_quietly(live: LiveGame, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    server = serve(create_app(live), port=0)
    monkeypatch.setattr("web.server.wasyncore.loop", interrupted)
    server.run()
    assert live.feed.closed
    serve(create_app(LiveGame(Table())), port=server.port).stop()


# Over https


@pytest.fixture
def https(live: LiveGame, certificate: Certificate) -> Iterator[Server]:
    running = serve(create_app(live, lan=True, pin="271828"), port=0, tls=certificate.context()).start()
    yield running
    running.stop()


def test_a_client_that_knows_the_certificate_is_sure_whom_it_talks_to(https: Server, certificate: Certificate) -> None:
    assert https.url == f"https://127.0.0.1:{https.port}/"
    connection = connection_to(https, ssl.create_default_context(cafile=certificate.file))
    with closing(connection):
        connection.request("GET", "/api/state")
        with closing(connection.getresponse()) as answer:
            assert answer.status == 200


def test_a_client_that_does_not_know_it_breaks_off_and_disturbs_nobody(https: Server, tmp_path: Path) -> None:
    stranger = kept_certificate(tmp_path / "other.pem", ())
    for context in (ssl.create_default_context(), ssl.create_default_context(cafile=stranger.file)):
        with pytest.raises(ssl.SSLCertVerificationError):
            connection_to(https, context).request("GET", "/")
    test_the_page_is_served(https)


def test_whoever_asks_in_plain_http_is_sent_to_https(https: Server) -> None:
    connection = http.client.HTTPConnection(https.host, https.port, timeout=30)
    with closing(connection):
        connection.request("GET", "/api/state")
        with closing(connection.getresponse()) as answer:
            assert (answer.status, answer.getheader("Location"), answer.read()) == (307, https.url, b"")


def test_its_cookies_never_travel_in_plain_and_browsers_are_not_bound_to_https(https: Server) -> None:
    with asking(https, "/") as answer:
        assert "Secure" in str(answer.getheader("Set-Cookie"))
        # Browsers let nobody past a certificate that they do not know once they are told to insist on https.
        assert answer.getheader("Strict-Transport-Security") is None


def test_many_talk_at_once_while_some_never_finish_their_greeting(https: Server, live: LiveGame) -> None:
    with ExitStack() as stack:
        for sent in (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00"):
            stack.enter_context(socket.create_connection((https.host, https.port), timeout=30)).sendall(sent)
        streams = [stack.enter_context(asking(https, "/api/events")) for _ in range(20)]
        for stream in streams:
            assert stream.readline() == b"retry: 500\n"
        live.camera("dark", "The lamp went out.")
        for stream in streams:
            said = json.loads(next(line for line in iter(stream.readline, b"") if line.startswith(b"data: "))[6:])
            assert said["state"] == "dark"


@pytest.mark.parametrize("size", [1, 16_383, 16_384, 16_385, 60_000])
def test_a_body_of_any_size_arrives_whole(https: Server, size: int) -> None:
    connection = connection_to(https)
    with closing(connection):
        body = json.dumps({"pin": "x" * size})
        connection.request("POST", "/api/session", body, {"Content-Type": "application/json"})
        with closing(connection.getresponse()) as answer:
            assert (answer.status, json.loads(answer.read())["message"]) == (403, "That is not the table PIN.")


def test_an_answer_that_is_read_slowly_arrives_whole(https: Server, live: LiveGame) -> None:
    connection = connection_to(https)
    with closing(connection):
        for _ in range(30):  # more than the system's buffers hold, for nothing is read meanwhile
            connection.send(b"GET /static/page.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert live.state()["status"] == "waiting"
        raw = connection.sock.makefile("rb")
        sizes = set()
        for _ in range(30):
            head = dict(line.rstrip().split(b": ", 1) for line in iter(raw.readline, b"\r\n") if b": " in line)
            sizes.add(len(raw.read(int(head[b"Content-Length"]))))
        assert len(sizes) == 1
        assert sizes.pop() > 20_000


class Waiting:
    """A request that no thread has taken when the server stops."""

    is_cancelled = False

    def service(self) -> None:
        raise AssertionError("a stopping server takes no more requests")

    def cancel(self) -> None:
        self.is_cancelled = True


def test_requests_given_up_at_the_end_are_not_told_at_the_terminal(live: LiveGame, caplog: pytest.LogCaptureFixture) -> None:
    running = serve(create_app(live), port=0).start()
    waiting, dispatcher = Waiting(), running._server.task_dispatcher
    dispatcher.shutdown(cancel_pending=False)  # no thread is left that could take it
    dispatcher.queue.append(waiting)
    running.stop()
    assert waiting.is_cancelled
    assert not [record for record in caplog.records if record.name.startswith("waitress")]
