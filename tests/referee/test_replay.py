"""Judging recorded games anew: as they were played, to the end or to the first dispute that nobody settled."""

from __future__ import annotations

from referee.game import Game
from referee.record import Record
from referee.replay import replay
from tests.referee.boards import played
from tests.referee.watched import FIRST_ROUND, FOUL, RED, SECOND_ROUND, YELLOW, Watched, told


def judged(watched: Watched) -> list[str]:
    return told(replay(Record.of(watched.table)).events)


def test_a_recorded_game_tells_what_it_told_when_it_was_played() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.take(FOUL)
    watched.play(*SECOND_ROUND)
    assert judged(watched)[:-1] == told(watched.table.events)
    assert judged(watched)[-1] == "unfinished blue,yellow,red,green"


def test_frames_and_times_are_left_out() -> None:
    watched = Watched()
    watched.touch(put=["blue a20"])
    watched.look(frame=7)
    assert watched.table.events[-1].frame == 7
    for event in replay(Record.of(watched.table)).events:
        assert not {"frame", "seen_frame", "time_s"} & event.as_json().keys()


def test_a_game_that_was_said_to_be_unfinished_is_so_once() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.table.finish(frame=9)
    assert [line for line in judged(watched) if line.startswith("unfinished")] == ["unfinished blue,yellow,red,green"]


def test_a_dispute_that_was_settled_ends_nothing() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    watched.play(YELLOW)
    lines = judged(watched)
    assert lines[5:7] == ["dispute 1 blue I3: edge_contact", "resolved 1 let_stand"]
    assert lines[7] == "placement 6 yellow I3"


def test_judging_ends_with_the_first_dispute_that_nobody_settled() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.decide("resolve", id=1, how="let_stand")
    watched.put("yellow r20 q20 p20")
    watched.put(RED)
    found = replay(Record.of(watched.table))
    assert told(found.events)[-1] == "dispute 2 yellow I3: edge_contact no_corner_contact"
    assert (found.dispute, found.unplayed) == (found.events[-1], 1)
    assert len(found.table.pieces_on_board()) == 6


def test_counts_are_those_before_each_placement() -> None:
    watched = Watched().play(*FIRST_ROUND, SECOND_ROUND[0])
    events = replay(Record.of(watched.table), counts=True).events
    counts = [event.fields["legal_count"] for event in events if event.name == "placement"]
    opening = played(Game.new(watched.table.options), *FIRST_ROUND)
    assert counts == [232, 58, 58, 58, opening.legal_count("blue")]
    assert not any("legal_count" in event.fields for event in replay(Record.of(watched.table)).events)
