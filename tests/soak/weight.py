"""What the pages weigh, and when a phone of the middle class first shows something of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}
CPU_SLOWER = 4
"""A phone of the middle class against this machine, as Lighthouse has it."""

NETWORKS: dict[str, dict[str, float]] = {
    "loopback": {},
    "fast 4G": {"latency": 165.0, "downloadThroughput": 9e6 * 0.9 / 8, "uploadThroughput": 1.5e6 * 0.9 / 8},
    "slow 4G": {"latency": 562.5, "downloadThroughput": 1.6e6 * 0.9 / 8, "uploadThroughput": 0.75e6 * 0.9 / 8},
}
"""Networks as the browser's own tools imitate them: milliseconds of each request, bytes a second."""

TRIES = 5


@dataclass
class Weight:
    """What a page loads: files, bytes as they are and as they were transferred, headers included."""

    files: int = 0
    raw: int = 0
    transferred: int = 0
    _streams: set[str] = field(default_factory=set)

    def hear(self, session: CDPSession) -> None:
        """Count what a browser loads from now on; streams of events are not counted, which have no end."""

        def came(part: Mapping[str, Any]) -> None:
            if part["requestId"] not in self._streams:
                self.raw += part["dataLength"]

        def ended(part: Mapping[str, Any]) -> None:
            self.files += 1
            self.transferred += part["encodedDataLength"]

        session.on("Network.eventSourceMessageReceived", lambda part: self._streams.add(part["requestId"]))
        session.on("Network.dataReceived", came)
        session.on("Network.loadingFinished", ended)
        session.send("Network.enable")


@contextmanager
def phone_page(browser: Browser, language: str) -> Iterator[tuple[Page, CDPSession]]:
    """A page on a phone that has never been here."""
    context = browser.new_context(viewport=PHONE, device_scale_factor=2, is_mobile=True, locale=language, ignore_https_errors=True)
    context.set_default_timeout(120_000)
    page = context.new_page()
    try:
        yield page, context.new_cdp_session(page)
    finally:
        context.close()


def weighed(browser: Browser, url: str, language: str = "en") -> Weight:
    """What a page loads when it is opened for the first time."""
    found = Weight()
    with phone_page(browser, language) as (page, session):
        found.hear(session)
        page.goto(url, wait_until="load")
        page.wait_for_timeout(1500)
    return found


def first_paint_s(browser: Browser, url: str, network: str) -> float:
    """Seconds until a slow phone shows the first words or pictures of a page that it has never seen; the median of some tries."""
    tries = []
    for _ in range(TRIES):
        with phone_page(browser, "en") as (page, session):
            session.send("Network.enable")
            session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWER})
            if NETWORKS[network]:
                session.send("Network.emulateNetworkConditions", {"offline": False, **NETWORKS[network]})
            page.goto(url, wait_until="load")
            page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
            tries.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000)
    return float(median(tries))
