"""A game as a file for other programs, for a spreadsheet, for the printer or to look at: the same for the page and the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from referee.record import Record
from referee.table import Table

if TYPE_CHECKING:
    from referee.sheet import Sheet


@dataclass(frozen=True)
class Exported:
    """What is written: a record, the table after it, and what the game is called in a table of several."""

    record: Record
    table: Table
    title: str = ""

    @property
    def sheet(self) -> Sheet:
        """The score sheet."""
        from referee.sheet import Sheet, remarks_on

        return Sheet.of_table(self.table, self.record.about, remarks_on(self.record))


def _blksgf(game: Exported) -> bytes:
    from referee.blksgf_writing import write_blksgf

    return write_blksgf(game.record, f"blokus-referee:{version('blokus-referee')}").encode()


def _json(game: Exported) -> bytes:
    from referee.record_json import record_as_text

    return record_as_text(game.record).encode()


def _csv(game: Exported) -> bytes:
    from web.sheets import sheet_csv

    return sheet_csv(game.sheet, game.title).encode()


def _html(game: Exported) -> bytes:
    from web.sheets import sheet_html

    return sheet_html(game.sheet, game.table.state()).encode()


def _png(game: Exported) -> bytes:
    from vision.board_picture import draw_board
    from vision.pictures import png

    sheet = game.sheet
    return png(draw_board(game.record.options.rules.size, sheet.pieces, disputed=sheet.disputed))


def _gif(game: Exported) -> bytes:
    from web.timelapse import time_lapse

    return time_lapse(game, "gif")


def _mp4(game: Exported) -> bytes:
    from web.timelapse import time_lapse

    return time_lapse(game, "mp4")


MAKERS: dict[str, Callable[[Exported], bytes]] = {
    "blksgf": _blksgf,
    "json": _json,
    "csv": _csv,
    "html": _html,
    "png": _png,
    "gif": _gif,
    "mp4": _mp4,
}
"""How each kind of file is made."""
