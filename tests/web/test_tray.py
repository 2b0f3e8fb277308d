"""Where the pieces lie in a colour's tray."""

import pytest

from referee.pieces import PIECES
from referee.variants import VARIANTS, Variant
from web.tray import Slot, lay_out

SHAPES = {name: piece.orientations[0] for name, piece in PIECES.items()}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda variant: variant.name)
def test_every_piece_of_a_set_has_a_socket_within_the_tray(variant: Variant) -> None:
    pieces = variant.pieces
    tray = lay_out(pieces, SHAPES)
    assert sorted(slot.piece for slot in tray.slots) == sorted(pieces)
    assert len({(slot.piece, slot.copy) for slot in tray.slots}) == len(pieces)
    assert len({(slot.x, slot.y) for slot in tray.slots}) == len(pieces)
    assert all(0 <= slot.x < tray.width and 0 <= slot.y < tray.height for slot in tray.slots)


def test_pieces_lie_down_and_rows_do_not_touch() -> None:
    tray = lay_out(["I5", "1", "X"], SHAPES)
    assert [(slot.piece, slot.x, slot.y) for slot in tray.slots] == [("1", 0, 0), ("I5", 2, 0), ("X", 0, 2)]
    assert tray.height == 5


def test_copies_are_told_apart() -> None:
    slots = lay_out(["1", "1"], SHAPES).slots
    assert [(slot.copy, slot.x) for slot in slots] == [(0, 0), (1, 2)]
    assert isinstance(slots[0], Slot)
