"""What people choose for a new game on the page, checked before anything begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.errors import DecisionError, RefereeError
from referee.options import GameOptions, parse_missing
from referee.requests import LONGEST_NAME
from referee.variants import VARIANTS
from web import texts
from web.translating import tr


def read_options(decision: Mapping[str, Any]) -> GameOptions:
    """The options of a ``new_game`` decision, given beside it or under ``options``; texts as on the command line are understood too.

    Raises:
        DecisionError: an unknown or contradictory option.
    """
    values = {key: value for key, value in decision.items() if key != "decision"}
    nested = values.pop("options", None) or {}
    try:
        wanted = {key: value for key, value in _spelled_out({**values, **nested}).items() if value is not None}
        _check_names(wanted.get("players", ()))
        return GameOptions.from_json(wanted)
    except RefereeError as error:
        raise DecisionError(str(error)) from error
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise DecisionError(f"these game options cannot be read: {error}") from error


def _check_names(names: Sequence[object]) -> None:
    """Refuse names that no page and no score sheet could show."""
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise DecisionError(tr("a player's name has 1 to {n} printable characters").format(n=LONGEST_NAME))


def _spelled_out(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options with the command line's short forms written out."""
    plain = dict(values)
    for key in ("order", "players"):
        if isinstance(plain.get(key), str):
            plain[key] = [part.strip() for part in plain[key].split(",") if part.strip()]
    if "set" in plain:
        plain["missing"] = parse_missing(str(plain.pop("set")))
    return plain


def variant_choices() -> list[dict[str, Any]]:
    """The variants to choose from: the data of each, and its ``label`` for people."""
    return [{**vars(one), "label": tr(texts.VARIANTS.get(one.name, one.title))} for one in VARIANTS.values()]
