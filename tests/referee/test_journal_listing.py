"""What a database holds over all its tables, and the words of its cameras."""

from __future__ import annotations

import re

from referee.journal import Journal
from referee.journal_listing import earlier_games, last_games, one_game
from referee.options import GameOptions
from referee.table import Table
from tests.databases import connected, is_file
from tests.referee.first_journal import make_first_journal

OPTIONS = GameOptions().as_json()


def begun(db: str, *tables: str) -> Journal:
    """A database with a game at each of some tables, in order; gives the journal of the last one."""
    journal = Journal(db)
    for table in tables:
        journal = Journal(db, table=table)
        journal.new_game(OPTIONS)
    return journal


def test_the_last_game_of_each_table_and_the_earlier_ones_are_told_apart(db: str) -> None:
    journal = begun(db, "hall", "window", "hall", "", "hall")
    assert [(game.number, game.table, game.is_last) for game in journal.ask(last_games)] == [
        (5, "hall", True),
        (4, "", True),
        (2, "window", True),
    ]
    assert [(game.number, game.table, game.is_last) for game in journal.ask(lambda base: earlier_games(base, None, 20))] == [
        (3, "hall", False),
        (1, "hall", False),
    ]
    assert [game.number for game in journal.ask(lambda base: earlier_games(base, 3, 20))] == [1]
    assert [game.number for game in journal.ask(lambda base: earlier_games(base, None, 1))] == [3]


def test_a_game_says_when_it_began_and_what_was_written_last(db: str) -> None:
    journal = begun(db, "hall")
    before = journal.ask(lambda base: one_game(base, 1))
    assert before is not None
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", before.begun)
    assert (before.last_input, before.is_recording) == (0, False)
    decision = {"decision": "abandon"}
    journal.append("decision", decision, Table().decide(decision))
    after = journal.ask(lambda base: one_game(base, 1))
    assert after is not None
    assert after.last_input == 1
    assert journal.ask(lambda base: one_game(base, 2)) is None


def test_a_recording_is_told_as_one(db: str) -> None:
    journal = Journal(db)
    journal.new_game(OPTIONS, from_recording=True)
    assert [game.is_recording for game in journal.ask(last_games)] == [True]


def test_the_journal_of_another_table_is_opened_beside_this_one(db: str) -> None:
    journal = begun(db, "hall", "window")
    other = journal.beside("hall")
    assert (journal.table, journal.game_number) == ("window", 2)
    assert (other.table, other.game_number) == ("hall", 1)


def test_a_camera_s_word_is_heard_at_its_own_table_by_every_program(db: str) -> None:
    begun(db, "hall", "window")
    journal, elsewhere, window = (Journal(db, table=name) for name in ("hall", "hall", "window"))
    assert elsewhere.camera_word() is None
    journal.say_camera("dark", "too dark to see the board")
    word = elsewhere.camera_word()
    assert word is not None
    assert (word.state, word.reason) == ("dark", "too dark to see the board")
    assert -2 < word.age_s < 60
    assert window.camera_word() is None
    journal.say_camera("ready", "")
    word = elsewhere.camera_word()
    assert word is not None
    assert word.state == "ready"
    journal.say_camera(None)
    assert elsewhere.camera_word() is None


def test_a_camera_that_fell_silent_gets_old(db: str) -> None:
    journal = begun(db, "hall")
    journal.say_camera("ready")
    with connected(db) as other:
        earlier = "datetime(said_at, '-90 seconds')" if is_file(db) else "said_at - interval '90 seconds'"
        other.exec_driver_sql(f"UPDATE cameras SET said_at = {earlier}")
    word = journal.camera_word()
    assert word is not None
    assert 85 < word.age_s < 200


def test_a_camera_s_word_is_no_news_of_the_game(db: str) -> None:
    journal = begun(db, "hall")
    other = journal.beside("hall")
    journal.say_camera("ready")
    assert other.news() is None


def test_a_database_of_the_first_version_hears_cameras_too(db: str) -> None:
    make_first_journal(db)
    journal = Journal(db, table="")
    journal.say_camera("ready")
    assert journal.camera_word() is not None
    assert [game.number for game in journal.ask(last_games)] == [1]
