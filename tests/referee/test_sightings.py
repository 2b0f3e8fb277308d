"""Changes, sightings and events as values and as JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from referee.events import Event
from referee.sightings import Change, Sighting

CELL = st.tuples(st.integers(0, 19), st.integers(0, 19))
BOARD = st.dictionaries(CELL, st.sampled_from(["blue", "yellow", "red", "green"]), max_size=30)


@given(BOARD, BOARD)
def test_a_change_turns_one_board_into_the_other(before: dict[tuple[int, int], str], after: dict[tuple[int, int], str]) -> None:
    change = Change.between(before, after)
    assert change.apply(before) == after
    assert change.is_empty == (before == after)
    assert change.cells == {cell for cell in before.keys() | after.keys() if before.get(cell) != after.get(cell)}


def test_a_recoloured_cell_is_both_added_and_removed() -> None:
    change = Change.between({(0, 0): "blue"}, {(0, 0): "red"})
    assert change == Change(frozenset({((0, 0), "red")}), frozenset({((0, 0), "blue")}))


@given(BOARD, BOARD, st.frozensets(CELL, max_size=5), st.none() | st.integers(0, 999), st.floats(0, 1))
def test_a_sighting_survives_json(
    before: dict[tuple[int, int], str], after: dict[tuple[int, int], str], unsure: frozenset[tuple[int, int]], frame: int | None, p: float
) -> None:
    change = Change.between(before, after)
    sighting = Sighting(((change, p), (Change(), 1 - p)), unsure, frame, frame, 0.5, ("a", "b"))
    assert Sighting.from_json(json.loads(json.dumps(sighting.as_json()))) == sighting


def test_an_event_survives_json() -> None:
    event = Event("resolved", "Settled.", {"id": 3, "how": "undo"}, 7, 5, 0.7)
    assert event.as_json() == {
        "event": "resolved",
        "id": 3,
        "how": "undo",
        "frame": 7,
        "time_s": 0.7,
        "seen_frame": 5,
        "sentence": "Settled.",
    }
    assert Event.from_json(json.loads(json.dumps(event.as_json()))) == event
    assert "frame" not in Event("turn", "Red is on turn.", {"color": "red"}).as_json()
