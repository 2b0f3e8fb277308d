"""Bad decisions: hostile JSON is refused in one line and changes nothing."""

from typing import Any

import pytest

from referee.errors import DecisionError
from tests.referee.watched import FIRST_ROUND, FOUL, Watched

CELLS = [[0, 0], [0, 1]]
BAD: list[Any] = [
    None,
    [],
    "undo",
    {},
    {"decision": None},
    {"decision": ["undo"]},
    {"decision": "fly"},
    {"decision": "x" * 10_000},
    {"decision": "resolve"},
    {"decision": "resolve", "id": 1},
    {"decision": "resolve", "id": "1", "how": "undo"},
    {"decision": "resolve", "id": True, "how": "undo"},
    {"decision": "resolve", "id": 1, "how": "restored"},
    {"decision": "resolve", "id": 1, "how": ["undo"]},
    {"decision": "resolve", "id": 10**40, "how": "undo"},
    {"decision": "resolve", "id": 99, "how": "undo"},
    {"decision": "resolve", "id": 1, "how": "undo", "now": {"color": "blue", "cells": CELLS}},
    {"decision": "resolve", "id": 1, "how": "misread", "now": {"color": "blue"}},
    {"decision": "answer", "id": 1, "choice": 0},
    {"decision": "answer", "id": 1},
    {"decision": "correct", "turn": 0, "now": None},
    {"decision": "correct", "turn": 99, "now": None},
    {"decision": "correct", "turn": 1},
    {"decision": "correct", "turn": 1, "now": "W"},
    {"decision": "correct", "turn": 1, "now": {"color": "blue", "cells": [[0, 0], [0, 1]]}},
    {"decision": "resolve", "id": 1, "how": "undo", "who": 3},
    {"decision": "resolve", "id": 1, "how": "undo", "who": "A" * 61},
    {"decision": "resolve", "id": 1, "how": "undo", "who": "A\nB"},
    {"decision": "undo", "who": ["Ann"]},
    {"decision": "place", "color": "pink", "cells": CELLS},
    {"decision": "place", "color": {}, "cells": CELLS},
    {"decision": "place", "color": "blue"},
    {"decision": "place", "color": "blue", "cells": []},
    {"decision": "place", "color": "blue", "cells": "a1"},
    {"decision": "place", "color": "blue", "cells": [[0]]},
    {"decision": "place", "color": "blue", "cells": [[0, 0.5]]},
    {"decision": "place", "color": "blue", "cells": [[0, float("nan")]]},
    {"decision": "place", "color": "blue", "cells": [[0, True]]},
    {"decision": "place", "color": "blue", "cells": [[0, 10**30]]},
    {"decision": "place", "color": "blue", "cells": [[-1, -1]]},
    {"decision": "place", "color": "blue", "cells": [[0, 0], [0, 0]]},
    {"decision": "place", "color": "blue", "cells": [[0, 0]] * 10_000},
    {"decision": "place", "color": "blue", "cells": CELLS, "turn": 77},
    {"decision": "place", "color": "blue", "cells": CELLS, "preview": "yes"},
    {"decision": "set_cells", "cells": [[20, 0]], "color": None},
    {"decision": "set_cells", "cells": [[5, 5]]},
    {"decision": "set_cells", "cells": [[5, 5]], "color": None},
    {"decision": "swap_colors", "colors": ["red", "red"]},
    {"decision": "swap_colors", "colors": "red"},
    {"decision": "swap_colors", "colors": ["red", None]},
    {"decision": "set_turn", "color": "yellow"},
    {"decision": "declare_missing", "color": "red", "pieces": ["W\nX"]},
    {"decision": "declare_missing", "color": "red", "pieces": [None]},
    {"decision": "declare_missing", "pieces": ["W"]},
    {"decision": "claim_blocked", "color": "orange"},
    {"decision": "claim_blocked", "color": "blue", "show": 1},
    {"decision": "new_game"},
]


@pytest.mark.parametrize("decision", BAD, ids=lambda decision: str(decision)[:60])
def test_a_bad_decision_is_refused_in_one_line_and_changes_nothing(decision: Any) -> None:
    game = Watched().play(*FIRST_ROUND)
    game.put(FOUL)
    before = game.table.state()
    with pytest.raises(DecisionError) as refusal:
        game.table.decide(decision)
    assert "\n" not in str(refusal.value)
    assert 10 < len(str(refusal.value)) < 250
    assert game.table.state() == before
