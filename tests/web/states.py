"""Small states in the JSON of `LiveGame.state`, for what is drawn from them."""

from __future__ import annotations

from typing import Any

from referee.table import Table


def state_of(grid: dict[tuple[int, int], str] | None = None, **changes: Any) -> dict[str, Any]:
    """The state of a new classic game with letters put into its grid and some fields changed."""
    state: dict[str, Any] = {**Table().state(), "camera": {"state": None, "reason": ""}, "event_id": 0, "game_number": 1}
    rows = [list(row) for row in state["grid"]]
    for (row, col), letter in (grid or {}).items():
        rows[row][col] = letter
    state["grid"] = ["".join(row) for row in rows]
    return {**state, **changes}


def move(turn: int, color: str, piece: str, cells: list[list[int]], **more: Any) -> dict[str, Any]:
    """One entry of `placements`."""
    return {"turn": turn, "color": color, "piece": piece, "cells": cells, "ruling": "legal", "dispute": None, "kinds": [], **more}


def dispute(**more: Any) -> dict[str, Any]:
    """One entry of `disputes`: a red domino that touches red's side."""
    return {
        "id": 1,
        "color": "red",
        "piece": "2",
        "cells": [[5, 5], [5, 6]],
        "offending_cells": [[5, 6], [5, 7]],
        "from_cells": [],
        "kinds": ["edge_contact"],
        "message": "Red 2 shares a side with red at h15.",
        "evidence": ["before", "after"],
        "remedies": [{"how": "return", "label": "Take it back", "effect": "Red plays again."}],
        **more,
    }
