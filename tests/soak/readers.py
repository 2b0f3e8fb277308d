"""Spectators of a live page: each holds its stream of events open and fetches the part of the page that changed, as the page's script does.

Run as a program of its own, so that their work is not the server's: prints a line when all of them listen, reads until its standard
input is closed, then prints when each placement had come and was shown, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

ALL_LISTEN = "all listen"


@dataclass
class Reader:
    """One spectator.

    Attributes:
        heard_s: when the event of each placement came, on the machine's steady clock.
        shown_s: for as many of them, when a part of the page that was asked for afterwards had come.
    """

    url: str
    heard_s: list[float] = field(default_factory=list)
    shown_s: list[float] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _tag: str = ""

    async def listen(self, listening: asyncio.Event) -> None:
        """Read the stream to its end."""
        lines, writer = await self._connected()
        writer.write(self._request("/api/events"))
        async for line in lines:
            listening.set()
            if line.startswith(b"data: "):
                if json.loads(line[6:])["event"] == "placement":
                    self.heard_s.append(time.monotonic())
                self._news.set()

    async def follow(self) -> None:
        """Fetch what changed after each event; what comes meanwhile leads to one more fetch."""
        lines, writer = await self._connected()
        while True:
            await self._news.wait()
            self._news.clear()
            heard = len(self.heard_s)
            writer.write(self._request("/live", f"Accept-Encoding: gzip\r\nIf-None-Match: {self._tag}\r\n"))
            head = (await lines.readuntil(b"\r\n\r\n")).decode("latin-1")
            fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.split("\r\n"))}
            assert head.split()[1] in ("200", "304"), head
            await lines.readexactly(int(fields.get("content-length", 0)))
            self.shown_s += [time.monotonic()] * (heard - len(self.shown_s))
            self._tag = fields.get("etag", "")
            if fields.get("connection") == "close":  # as after an answer without a body
                writer.close()
                lines, writer = await self._connected()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.url)
        context = None
        if parts.scheme == "https":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return await asyncio.open_connection(parts.hostname, parts.port, ssl=context, limit=2**20)

    def _request(self, path: str, more: str = "") -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: {urlsplit(self.url).netloc}\r\n{more}\r\n".encode()


async def read(url: str, number: int) -> None:
    """Let so many readers read until nobody wants to know more."""
    readers, tasks = [Reader(url) for _ in range(number)], []
    for reader in readers:
        listening = asyncio.Event()
        tasks += [asyncio.create_task(reader.listen(listening)), asyncio.create_task(reader.follow())]
        await listening.wait()
    print(ALL_LISTEN, flush=True)  # noqa: T201 - its only outlet
    await asyncio.to_thread(sys.stdin.read)
    broken = sorted({repr(task.exception()) for task in tasks if task.done()})
    print(json.dumps([broken, [[reader.heard_s, reader.shown_s] for reader in readers]]), flush=True)  # noqa: T201 - its only outlet
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(read(sys.argv[1], int(sys.argv[2])))
