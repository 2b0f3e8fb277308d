"""What `watch` shows at a terminal: the board, whose turn it is and how the watching goes, kept below the rulings that scroll by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from web import page_view
from web.cli.board_text import board_lines

ROUND_THE_BOARD = 10
"""Lines of the terminal that are not the board's: the view's other lines and some rulings; lower terminals get no board."""

_CAMERA_STYLES = {"loud": "bold red", "busy": "cyan", "calm": "green", "none": "dim"}


class Screen:
    """The lower part of the terminal, drawn over itself; a context manager. Any thread may call.

    Nothing is asked of the game while drawing: whoever tells of a change brings the state along, so that drawing waits for no one.
    """

    def __init__(self, state: Mapping[str, Any], console: Console | None = None) -> None:
        """Show ``state``, the table's, until told otherwise."""
        self._state = state
        self._camera = page_view.camera({})
        self._progress = ""
        self._console = console or Console(highlight=False)
        self._live = Live(
            console=self._console, get_renderable=self._drawn, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )

    @staticmethod
    def is_possible() -> bool:
        """Whether standard output and standard error are a terminal that can draw over itself."""
        console, errors = Console(), Console(stderr=True)
        return console.is_terminal and errors.is_terminal and not console.is_dumb_terminal

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def print(self, text: str) -> None:
        """A line above the view; it may hold a terminal's colours."""
        self._console.print(Text.from_ansi(text))

    def show(self, state: Mapping[str, Any]) -> None:
        """The table's new state."""
        self._state = state
        self._live.refresh()

    def camera(self, event: Mapping[str, Any]) -> None:
        """How the watching goes, by a ``state`` event."""
        self._camera = page_view.camera({"camera": event})
        self._live.refresh()

    def progress(self, done: int, total: int | None) -> None:
        """How much of a recording has been read."""
        self._progress = f"picture {done} of {total}" if total else f"picture {done}"
        self._live.refresh()

    def _drawn(self) -> RenderableType:
        state = self._state
        high_enough = self._console.size.height >= state["size"] + ROUND_THE_BOARD
        board = [Text.from_ansi("\n".join(board_lines(list(state["grid"]))))] if high_enough else []
        return Group(Text(""), *board, *self._lines(state))

    def _lines(self, state: Mapping[str, Any]) -> Iterator[Text]:
        """What stands below the board, one line each, cut to the terminal's width."""
        banner = page_view.banner(state)
        who = f"{banner.title} ({banner.subtitle})" if banner.subtitle else banner.title
        yield self._line(f"{banner.over}: {who}" if banner.over else who, "bold")
        for matter in (*(state.get("disputes") or ())[:1], *(state.get("questions") or ())[:1]):
            yield self._line(f"! {matter.get('message') or ''}", "bold yellow")
        last = (state.get("last") or {}).get("sentence")
        if last:
            yield self._line(last)
        camera = self._camera
        yield self._line(
            f"{camera.title}: {camera.reason}" if camera.level == "loud" and camera.reason else camera.title, _CAMERA_STYLES[camera.level]
        )
        if self._progress:
            yield self._line(self._progress, "dim")

    def _line(self, text: str, style: str = "") -> Text:
        return Text(text, style=style, no_wrap=True, overflow="ellipsis")
