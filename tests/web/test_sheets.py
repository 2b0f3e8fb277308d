"""Score sheets: what stands in the CSV and the HTML, and that nobody's name does harm in either."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest

from referee.record import About
from referee.sheet import Sheet
from referee.table import Table
from tests.referee.test_tally import NAMES, played_out
from tests.referee.watched import FIRST_ROUND, FOUL, Watched
from web.sheets import BYTE_ORDER_MARK, CSV_COLUMNS, sheet_csv, sheet_html

HOSTILE = ("=1+1", "<script>alert(1)</script>", "@SUM(A1)\n-2", '"><img src=x onerror=alert(1)>')


def rows(table: Table, name: str = "") -> list[dict[str, str]]:
    text = sheet_csv(Sheet.of_table(table), name)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BYTE_ORDER_MARK), newline="")))


def html(table: Table, about: About | None = None) -> str:
    return sheet_html(Sheet.of_table(table, about), table.state())


def of(found: list[dict[str, str]], kind: str) -> list[dict[str, str]]:
    return [row for row in found if row["Row"] == kind]


@pytest.fixture(scope="module")
def finished() -> Table:
    return played_out("classic", players=list(NAMES))


@pytest.fixture
def fouled() -> Watched:
    watched = Watched(players=list(NAMES)).play(*FIRST_ROUND)
    watched.put(FOUL)
    return watched


# -- CSV


def test_the_csv_is_what_excel_reads_as_utf_8(finished: Table) -> None:
    data = sheet_csv(Sheet.of_table(finished)).encode()
    assert data.startswith(b"\xef\xbb\xbfRow,Game,")
    assert data.endswith(b"\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_every_row_has_every_column(finished: Table) -> None:
    assert {frozenset(row) for row in rows(finished)} == {frozenset(CSV_COLUMNS)}


def test_a_row_for_each_player_with_place_and_score_best_first(finished: Table) -> None:
    scores = finished.state()["scores"]["players"]
    found = [(row["Player"], int(row["Place"]), int(row["Score"])) for row in of(rows(finished), "player")]
    assert found == sorted(((player["name"], player["place"], player["score"]) for player in scores), key=lambda player: player[1])


def test_a_row_for_each_colour_counts_its_squares(finished: Table) -> None:
    scores = finished.state()["scores"]["colors"]
    for row in of(rows(finished), "colour"):
        wanted = scores[row["Colour"]]
        assert [int(row[name]) for name in ("Squares left", "Basic", "Advanced")] == [*wanted.values()]
        assert row["Pieces left"].split() == finished.state()["colors"][row["Colour"]]["pieces_left"]


def test_a_row_for_each_move(finished: Table) -> None:
    moves = of(rows(finished), "move")
    placements = finished.state()["placements"]
    assert [(int(row["Turn"]), row["Colour"], row["Piece"]) for row in moves] == [(p["turn"], p["color"], p["piece"]) for p in placements]
    assert {row["Ruling"] for row in moves} == {"legal"}


def test_skipped_turns_stand_between_the_moves(finished: Table) -> None:
    told = [event.fields["color"] for event in finished.events if event.name == "skipped"]
    assert [row["Colour"] for row in of(rows(finished), "event") if row["Ruling"] == "skipped"] == told


def test_the_sheets_of_several_games_can_be_put_below_each_other(finished: Table) -> None:
    assert {row["Game"] for row in rows(finished, "table 1")} == {"table 1"}


def test_a_name_that_looks_like_a_formula_is_a_text() -> None:
    found = rows(Table({"players": list(HOSTILE)}))
    names = {row["Player"] for row in of(found, "player")}
    assert "'=1+1" in names
    assert "'@SUM(A1) -2" in names
    assert not [value for row in found for value in row.values() if value.startswith(("=", "+", "@", "\t"))]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "\uff1d"])
def test_no_cell_begins_like_a_formula(start: str) -> None:
    found = rows(Table({"variant": "duo", "players": [f"{start}cmd|' /C calc'!A0", "Bea"]}))
    cells = [value for row in found for value in row.values() if "cmd" in value]
    assert cells
    assert all(value.startswith("'") or value[0].isalpha() for value in cells)


def test_numbers_stay_numbers_however_negative() -> None:
    found = rows(played_out("duo"))
    assert all(re.fullmatch(r"-?\d+", row["Advanced"]) for row in of(found, "colour"))


def test_what_is_not_known_is_said_in_words() -> None:
    table = Table({"variant": "duo"})
    table.start(played_out("duo_complete20").state()["grid"], start_anywhere=True)
    assert "15 or 20" in [row["Advanced"] for row in of(rows(table), "colour")]


def test_scores_that_are_not_final_say_so_in_their_own_rows(fouled: Watched) -> None:
    found = rows(fouled.table)
    assert {row["Note"] for row in of(found, "player")} == {"not final"}
    assert any("1 dispute is open" in row["Note"] for row in of(found, "note"))
    assert [row["Ruling"] for row in of(found, "dispute")] == ["open"]


def test_an_abandoned_game_has_no_places(fouled: Watched) -> None:
    fouled.decide("abandon")
    assert {row["Place"] for row in of(rows(fouled.table), "player")} == {""}


# -- HTML


class Page(HTMLParser):
    """Tags with their attributes, and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def test_the_page_loads_and_runs_nothing(finished: Table) -> None:
    page = Page(html(finished))
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "image", "iframe", "object", "embed", "base", "form"}
    attributes = {(name, value or "") for _, attrs in page.tags for name, value in attrs.items()}
    assert not [name for name, _ in attributes if name.startswith("on") or name in ("src", "srcset", "action", "style")]
    assert all(value.startswith("#") for name, value in attributes if name in ("href", "xlink:href"))
    style = html(finished).split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in attributes


def test_hostile_names_are_text() -> None:
    about = About("<b>today</b>", "<i>here</i>", "</title><script>alert(2)</script>", "<u>x</u>")
    page = Page(html(Table({"players": list(HOSTILE)}), about))
    assert not {tag for tag, _ in page.tags} & {"script", "img", "b" * 2, "i", "u"}
    for name in HOSTILE:
        assert " ".join(name.split()) in page.words


def test_the_page_tells_who_won_with_places_and_scores(finished: Table) -> None:
    words = Page(html(finished, About("2026-11-30", "Hall", "League"))).words
    winner = finished.state()["scores"]["winners"][0]
    assert f"The game is over. {winner} wins." in words
    assert "League 2026-11-30 · Hall · Blokus · basic scoring" in words
    for player in finished.state()["scores"]["players"]:
        assert re.search(rf"{player['place']}(st|nd|rd|th) {player['name']} \w+ {player['score']}\b", words)


def test_unused_squares_are_counted_piece_by_piece(finished: Table) -> None:
    words = Page(html(finished)).words
    for facts in finished.state()["colors"].values():
        assert f"= {facts['squares_left']}" in words
        assert f"{facts['pieces_left'][-1]} (" in words


def test_two_copies_of_a_piece_are_counted_together() -> None:
    assert "2 × I5 (10)" in Page(html(played_out("junior", 1))).words


def test_squares_beyond_the_set_are_taken_off_in_sight() -> None:
    words = Page(html(played_out("junior", 1, missing={"green": ["1"]}))).words
    assert "− 1 (on the board beyond the set) = 40" in words


def test_the_log_shows_every_move_and_skips_together(finished: Table) -> None:
    text = html(finished)
    for placement in finished.state()["placements"]:
        name = f"{placement['color'].capitalize()} {placement['piece']} "
        assert re.search(rf'<span class="turn">{placement["turn"]}</span>(?:(?!<li).)*?{name}', text, re.DOTALL), name
    assert text.count('class="turn"') == len(finished.state()["placements"])
    assert "Red, Green and Blue: skipped" in Page(html(played_out("classic_complete"))).words


def test_a_house_decision_is_marked_and_the_dispute_is_told_with_its_end(fouled: Watched) -> None:
    fouled.decide("resolve", id=1, how="let_stand")
    text = html(fouled.table)
    assert "let stand by the table: it shares a side with a piece of its own colour" in text
    assert "<strong>the table lets it stand</strong>" in text
    assert 'class="piece let_stand"' in text


@pytest.mark.parametrize(("disputes", "place"), [(2, "below the board"), (9, "below the moves")])
def test_disputes_stand_where_there_is_room_for_them(disputes: int, place: str) -> None:
    watched = Watched().play(*FIRST_ROUND)
    for _ in range(disputes):
        watched.put(FOUL)
        watched.take(FOUL)
    text = html(watched.table)
    assert text.count("Disputes and corrections") == 1
    assert text.count("the piece went back to its owner") == disputes
    is_above = text.index("Disputes and corrections") < text.index("<h2>Moves")
    assert is_above == (place == "below the board")


def test_provisional_scores_are_framed_and_nobody_is_the_winner(fouled: Watched) -> None:
    text = html(fouled.table)
    assert 'class="verdict open"' in text
    assert "Score so far" in text
    assert 'class="winner"' not in text


def test_every_piece_on_the_board_is_drawn(finished: Table) -> None:
    text = html(finished)
    assert len(re.findall(r'<g class="piece *"', text)) == len(finished.state()["placements"])


def test_a_sheet_can_be_made_of_a_game_that_has_not_begun() -> None:
    words = Page(html(Table())).words
    assert "No piece has been played yet." in words
    assert "none Blue" in words, "no places"
