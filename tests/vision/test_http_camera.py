"""Pictures over HTTP from a real server on this machine: whole and damaged parts, silence, a connection that ends and comes again."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
import pytest

from vision import http_camera
from vision.camera import LiveSettings, LiveSource
from vision.cameras import StreamCamera
from vision.frames import Frame, Lost, SourceError
from vision.http_camera import HttpPictures, _decoded, parts

LONG_S = 60.0


def jpeg(level: int) -> bytes:
    """A picture of one colour, told apart by its blue."""
    image = np.random.default_rng(level).normal((level, 90, 160), 3, (96, 128, 3)).clip(0, 255).astype(np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


def level_of(image: np.ndarray | None) -> int:
    assert image is not None
    return 40 * round(float(image[..., 0].mean()) / 40)


def part(data: bytes, length: bool = True) -> bytes:
    head = b"--frame\r\nContent-Type: image/jpeg\r\n" + (b"Content-Length: %d\r\n" % len(data) if length else b"")
    return head + b"\r\n" + data + b"\r\n"


Answer = Callable[[BaseHTTPRequestHandler, int], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """A server whose n-th request gets ``answer(handler, n)``; gives its address."""
    requests = iter(range(10_000))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self, next(requests))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/video"
    finally:
        server.shutdown()
        server.server_close()


def stream(*chunks: bytes, content: str = "multipart/x-mixed-replace; boundary=frame", then: Callable[[], object] = lambda: None) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, _request: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", content)
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(chunk)
        handler.wfile.flush()
        then()

    return answer


def endless(data: bytes) -> Answer:
    """A camera that sends one picture for ever, thirty times a second."""
    pace = threading.Event()

    def answer(handler: BaseHTTPRequestHandler, request: int) -> None:
        def on() -> None:
            try:
                while not pace.wait(1 / 30):
                    handler.wfile.write(part(data))
            except OSError:
                return

        stream(part(data), then=on)(handler, request)

    return answer


def levels(url: str) -> list[int]:
    """The pictures of one connection; of those that come faster than they are read, the newest."""
    camera = HttpPictures(url)
    assert camera.open()
    found = []
    while (image := camera.read()) is not None:
        found.append(level_of(image))
    camera.close()
    return found


def read_from(data: bytes, boundary: bytes = b"frame") -> list[int]:
    """The pictures of a stream's bytes."""
    images = [_decoded(one) for one in parts(io.BytesIO(data), boundary)]
    return [level_of(image) for image in images if image is not None]


@pytest.mark.parametrize("length", [True, False])
@pytest.mark.parametrize("boundary", [b"frame", b"--frame", b""])
def test_each_part_is_a_picture(length: bool, boundary: bytes) -> None:
    assert read_from(b"".join(part(jpeg(k), length) for k in (40, 80, 120)), boundary) == [40, 80, 120]


BAD = {
    "cut short": jpeg(80)[:-500],
    "no beginning": jpeg(80)[300:],
    "empty": b"",
    "text": b"hello",
    "mark only": b"\xff\xd8\xff",
    "zeros": bytes(100),
    "half": jpeg(80)[: len(jpeg(80)) // 2],
}


@pytest.mark.parametrize("bad", BAD)
def test_damaged_parts_are_left_out(bad: str) -> None:
    assert read_from(part(jpeg(40)) + part(BAD[bad]) + part(jpeg(120))) == [40, 120]
    with serving(stream(part(BAD[bad]), part(jpeg(120)))) as url:
        assert levels(url) == [120]


def test_a_part_of_wrong_length_costs_no_other_picture() -> None:
    lying = part(jpeg(80)).replace(b"Content-Length: ", b"Content-Length: 1")
    assert read_from(part(jpeg(40)) + lying + part(jpeg(120)) * 30)[-1] == 120


def test_only_the_newest_picture_is_decoded() -> None:
    """Pictures that come while nobody reads are passed over: the reader's own buffers must not hold old ones."""
    sent, hold = threading.Event(), threading.Event()

    def then() -> None:
        sent.set()
        hold.wait(LONG_S)

    with serving(stream(*(part(jpeg(40)) for _ in range(50)), part(jpeg(200)), then=then)) as url:
        camera = HttpPictures(url)
        assert camera.open()
        sent.wait(LONG_S)
        seen = [level_of(camera.read())]
        while seen[-1] != 200:
            seen.append(level_of(camera.read()))
        hold.set()
        camera.close()
    assert len(seen) < 50


def test_a_picture_is_there_before_the_next_one_comes() -> None:
    hold = threading.Event()
    with serving(stream(part(jpeg(40)), then=lambda: hold.wait(LONG_S))) as url:
        camera = HttpPictures(url)
        assert camera.open()
        assert level_of(camera.read()) == 40
        hold.set()
        camera.close()


def test_silence_ends_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_camera, "TIMEOUT_S", 0.05)
    hold = threading.Event()
    with serving(stream(part(jpeg(40)), then=lambda: hold.wait(LONG_S))) as url:
        assert levels(url) == [40]
        hold.set()


def test_one_picture_a_request() -> None:
    def answer(handler: BaseHTTPRequestHandler, request: int) -> None:
        if request < 3:
            stream(jpeg(40 + 40 * request), content="image/jpeg")(handler, request)
        else:
            handler.send_error(503)

    with serving(answer) as url:
        assert levels(url) == [40, 80, 120]


@pytest.mark.parametrize(("status", "words"), [(401, "password"), (404, "404 Not Found"), (410, "address")])
def test_a_refusal_says_what_to_do(status: int, words: str) -> None:
    with serving(lambda handler, _: handler.send_error(status)) as url, pytest.raises(SourceError, match=words):
        HttpPictures(url).open()


def test_a_web_page_is_no_stream() -> None:
    with serving(stream(b"<html></html>", content="text/html")) as url, pytest.raises(SourceError, match="web page"):
        HttpPictures(url).open()


def test_name_and_password_are_given_when_asked_for() -> None:
    def answer(handler: BaseHTTPRequestHandler, request: int) -> None:
        if handler.headers.get("Authorization") == "Basic " + base64.b64encode(b"ann:secret").decode():
            stream(part(jpeg(40)))(handler, request)
            return
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="camera"')
        handler.end_headers()

    with serving(answer) as url:
        assert levels(url.replace("http://", "http://ann:secret@")) == [40]


def test_nobody_there_is_a_failure_that_may_pass() -> None:
    with serving(stream()) as url:
        pass
    camera = StreamCamera(url)
    assert not camera.open()
    assert "same network? (Connection refused)" in camera.advice


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(SourceError, match="no address"):
        HttpPictures("http://192.0.2.1/a b").open()


def test_a_film_is_not_taken_for_a_live_stream(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("film") / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (128, 96))
    for k in range(5):
        writer.write(np.full((96, 128, 3), (40 * k, 90, 160), np.uint8))
    writer.release()
    with serving(stream(path.read_bytes(), content="video/x-msvideo")) as url, pytest.raises(SourceError, match="film"):
        StreamCamera(url).open()


def test_a_stream_that_ends_and_comes_again_goes_on_by_itself() -> None:
    """The second connection fails, the third gives pictures again."""
    hold = threading.Event()

    def answer(handler: BaseHTTPRequestHandler, request: int) -> None:
        if request == 1:
            handler.send_error(503)
        elif request == 0:
            stream(part(jpeg(40)))(handler, request)
        else:
            stream(part(jpeg(120)), then=lambda: hold.wait(LONG_S))(handler, request)

    settings = LiveSettings(warm_up_s=0, lost_after_s=0.02, retry_s=0.001, retry_most_s=0.002, farewell_s=0.01)
    words: list[str] = []
    with serving(answer) as url:
        source = LiveSource(StreamCamera(url), settings, clock=iter(range(10_000)).__next__, warn=words.append)
        seen: list[int] = []
        for thing in source:
            if isinstance(thing, Lost):
                continue
            assert isinstance(thing, Frame)
            seen.append(level_of(thing.image_bgr))
            if seen[-1] == 120:
                source.close()
        hold.set()
    assert seen[-1] == 120
    assert words[-1].endswith("/video is back")
