"""JSON read strictly: every reason for refusing it is one plain line."""

import pytest

from referee.json_text import JsonTextError, parse_json


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no JSON: Expecting value"),
        (b"{'a': 1}", "no JSON: Expecting property name"),
        (b"\xff\xfe{}", "no UTF-8 text \\(byte 0\\)"),
        (b"[NaN]", "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[1e999]", "1e999 is too large a number"),
        (b"[-1e999]", "-1e999 is too large a number"),
        (b"9" * 5000, "a number in it is too long"),
        (b'{"a": 1, "b": 2, "a": 1}', '"a" stands twice'),
        (b'[{"a": {"b": 1, "b": 2}}]', '"b" stands twice'),
    ],
)
def test_what_is_no_plain_json_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(JsonTextError, match=reason) as refusal:
        parse_json(data)
    assert "\n" not in str(refusal.value)
    assert "sys." not in str(refusal.value)


def test_a_byte_order_mark_is_read_over() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": [1, 2.5, null, "\xc3\xa4"]}') == {"a": [1, 2.5, None, "\xe4"]}


def test_large_numbers_are_read_as_they_are() -> None:
    assert parse_json(b"[1e308, -2.5E-3, 123456789012345678901]") == [1e308, -0.0025, 123456789012345678901]
