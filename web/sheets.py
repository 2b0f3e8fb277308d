"""Score sheets to keep: a CSV table for spreadsheets and an HTML page for the printer.

Both are texts made of a `Sheet`. Names come from people who may have typed anything: in HTML every value is escaped and nothing is
loaded or run, in CSV no text can be taken for a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from flask import Flask

from referee.pieces import PIECES
from referee.scoring import Span
from referee.sheet import LogLine, Sheet
from referee.tally import ColorLine, is_plain
from web import sheet_words, tally_words, texts
from web.board_view import BoardView, State, board_view
from web.spoken import color_word, person_word, pieces_left_words
from web.translating import install, tr
from web.tray import Tray, lay_out, shapes

CSV_COLUMNS = (
    "Row",
    "Game",
    "Date",
    "Player",
    "Colour",
    "Place",
    "Score",
    "Squares left",
    "Pieces left",
    "Basic",
    "Advanced",
    "Turn",
    "Piece",
    "Squares",
    "Ruling",
    "Note",
)
"""One header for all kinds of rows, so that the sheets of several games can be put below each other and filtered by the first column."""

BYTE_ORDER_MARK = "\ufeff"
"""Without it Excel takes UTF-8 for the encoding of its country."""

FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Spreadsheets take a text that begins so for a formula, the wide forms of East Asian keyboards included."""

Row = Mapping[str, int | str]


# -- CSV


def sheet_csv(sheet: Sheet, name: str = "") -> str:
    """The sheet as CSV: a row for each player, best first, each colour, each line of the log, each dispute and each remark.

    `name` says which game it is; columns that do not concern a row are empty. Lines end as RFC 4180 wants, the text begins with a
    byte order mark.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, restval="")
    writer.writeheader()
    game: Row = {"Game": name or sheet.about.event or sheet.tally.options.rules.title, "Date": sheet.about.date}
    for row in (*_players(sheet), *_colors(sheet), *_remarks(sheet), *_moves(sheet), *_matters(sheet)):
        writer.writerow({column: _harmless(value) for column, value in {**game, **row}.items()})
    return BYTE_ORDER_MARK + out.getvalue()


def _harmless(value: int | str) -> int | str:
    """A text that no spreadsheet takes for a formula, on one line: an apostrophe before it is a spreadsheet's own sign for text."""
    if isinstance(value, int):
        return value
    line = " ".join(value.split())
    return f"'{line}" if line.startswith(FORMULA_STARTS) else line


def _number(span: Span) -> int | str:
    """A number as such, so that it can be summed; what is not known in words, in brackets where a minus would begin them."""
    return span.low if span.low == span.high else f"({span})" if span.low < 0 else str(span)


def _players(sheet: Sheet) -> Iterator[Row]:
    tally = sheet.tally
    for player in tally.places:
        place = player.place if tally.has_places and player.place else ""
        note = "" if tally.is_final else "not final"
        colors = " + ".join(player.colors)
        yield {"Row": "player", "Player": player.name, "Colour": colors, "Place": place, "Score": _number(player.score), "Note": note}


def _colors(sheet: Sheet) -> Iterator[Row]:
    for line in sheet.tally.colors:
        yield {
            "Row": "colour",
            "Player": sheet.tally.owner(line.color),
            "Colour": line.color,
            "Score": _number(line.score.by(sheet.tally.scores.scoring)),
            "Squares left": _number(line.score.squares_left),
            "Pieces left": " ".join(line.pieces_left),
            "Basic": _number(line.score.basic),
            "Advanced": _number(line.score.advanced),
            "Note": texts.PLAY[line.play],
        }


def _remarks(sheet: Sheet) -> Iterator[Row]:
    yield from ({"Row": "note", "Note": sentence} for sentence in (*sheet.tally.sentences, *sheet.agreed))


def _moves(sheet: Sheet) -> Iterator[Row]:
    for line in sheet.log:
        row: Row = {
            "Row": "event" if line.turn is None else "move",
            "Player": line.person,
            "Colour": line.color,
            "Piece": line.piece,
            "Squares": line.squares,
        }
        turn = "" if line.turn is None else line.turn
        yield {**row, "Turn": turn, "Ruling": texts.LOG[line.ruling or line.what], "Note": line.rules}


def _matters(sheet: Sheet) -> Iterator[Row]:
    for matter in sheet.matters:
        yield {"Row": "dispute" if matter.end else "correction", "Turn": matter.after_turn, "Ruling": matter.end, "Note": matter.words}


# -- HTML


@dataclass(frozen=True)
class ColorView:
    """One colour as the page draws it: its tray as `drawing.html` wants it, and the sum of its unused squares piece by piece."""

    line: ColorLine
    owner: str
    tray: Tray
    sum: str

    @property
    def color(self) -> str:
        """Its name."""
        return self.line.color

    @property
    def left_words(self) -> str:
        """The tray in words."""
        return pieces_left_words(self.line.color, self.pieces_left)

    @property
    def pieces_left(self) -> tuple[str, ...]:
        """The pieces left, copies repeated."""
        return self.line.pieces_left

    @property
    def left(self) -> frozenset[tuple[str, int]]:
        """The sockets of the tray that are full."""
        return frozenset((name, copy) for name in set(self.pieces_left) for copy in range(self.pieces_left.count(name)))


@dataclass(frozen=True)
class LogView:
    """One line of the printed log: a move, or what came between two of them in one sentence."""

    turn: int | None
    color: str
    words: str
    squares: str
    mark: str


def sheet_html(sheet: Sheet, state: State) -> str:
    """The sheet as one HTML page that needs nothing else and prints on A4; `state` is the table's, for the drawn board.

    It is in the language of the request that asks for it, and in English where none does.
    """
    tally = sheet.tally
    page = _flask().jinja_env.get_template("sheet.html")
    return page.render(
        sheet=sheet,
        tally=tally,
        rules=tally.options.rules,
        title=sheet.about.event or tr("Blokus score sheet"),
        scoring=tr(texts.SCORING[tally.scores.scoring]),
        sentences=tally_words.sentences(tally),
        agreed=sheet_words.agreed(sheet),
        matters=[(line, *sheet_words.matter(line)) for line in sheet.matters],
        board=_board(sheet, state),
        colors=[_color_view(sheet, line) for line in tally.colors],
        log=list(_log(sheet.log, tally.options.shared_used)),
        shapes=shapes(),
        points=texts.points,
        ordinal=texts.ordinal,
        play={play: tr(words) for play, words in texts.PLAY.items()},
        color_word=color_word,
        person_word=person_word,
        is_plain=is_plain,
    )


@cache
def _flask() -> Flask:
    """The templates with their escaping; no request is ever answered here."""
    app = Flask("web")
    install(app.jinja_env)
    return app


def _board(sheet: Sheet, state: State) -> BoardView:
    """The board as it lies; which piece came last is no matter on a sheet, and house decisions are."""
    view = board_view(state)
    stands = {line.turn for line in sheet.log if line.ruling == "let_stand"}
    pieces = [replace(piece, mark="let_stand" if piece.turn in stands else "") if piece.mark == "last" else piece for piece in view.pieces]
    return replace(view, pieces=tuple(pieces), starts=(), was=())


def _color_view(sheet: Sheet, line: ColorLine) -> ColorView:
    return ColorView(line, sheet_words.owner(sheet.tally.owner(line.color)), _tray(sheet.tally.options.rules.pieces), unused_sum(line))


_BEYOND = "on the board beyond the set"


def unused_sum(line: ColorLine) -> str:
    """The unused squares piece by piece, equal pieces together: `I3 (3) + 2 × O (8) = 11`."""
    if not line.pieces_left:
        return tr("every piece placed")
    parts = [_part(name, len(list(copies))) for name, copies in groupby(line.pieces_left)]
    excess = f" \u2212 {line.excess} ({tr(_BEYOND)})" if line.excess else ""
    return f"{' + '.join(parts)}{excess} = {line.score.squares_left}"


def _part(name: str, copies: int) -> str:
    squares = PIECES[name].squares
    return f"{name} ({squares})" if copies == 1 else f"{copies} \u00d7 {name} ({copies * squares})"


def _log(lines: tuple[LogLine, ...], shared: str | None) -> Iterator[LogView]:
    """The log for the eye: all turns skipped between two moves in one line, and who moved the shared colour."""
    for what, group in sheet_words.grouped(lines):
        if what in ("move", "found"):
            for line in group:
                words = sheet_words.moved(line, line.person if line.color == shared else "")
                yield LogView(line.turn, line.color, words, line.squares, sheet_words.mark(line))
        else:
            yield LogView(None, "", sheet_words.between(group), "", "")


@cache
def _tray(pieces: tuple[str, ...]) -> Tray:
    return lay_out(pieces, {name: PIECES[name].orientations[0] for name in pieces})
