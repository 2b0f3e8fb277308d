"""JSON that people or other programs wrote: read strictly, so that nothing in it is silently taken otherwise than meant."""

from __future__ import annotations

import json
import math
from typing import Any

from referee.errors import RefereeError


class JsonTextError(RefereeError):
    """A text is no JSON; the message says in one line why."""


def parse_json(data: bytes) -> Any:
    """The value of a JSON text in UTF-8; a byte order mark may lead it.

    Python's reader takes the last of two values of one name, and numbers that JSON does not have or that are too large; here all of them
    are refused. Not checked: whether a text holds halves of characters, which `plain_text` takes out of names.

    Raises:
        JsonTextError: it is none.
    """
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise JsonTextError(f"it is no UTF-8 text (byte {error.start})") from error
    except RecursionError as error:
        raise JsonTextError("it is no JSON that can be read: it is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise JsonTextError(f"it is no JSON: {error}") from error
    except JsonTextError:
        raise
    except ValueError as error:
        raise JsonTextError("it is no JSON that can be read: a number in it is too long") from error


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise JsonTextError(f"it is no JSON that can be read: {number[:20]} is too large a number")
    return value


def _refuse_constant(name: str) -> Any:
    raise JsonTextError(f"it is no JSON: {name} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in value if names.count(name) > 1)
        raise JsonTextError(f'"{twice[:40]}" stands twice in one JSON object')
    return value
