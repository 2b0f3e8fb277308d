"""Names and comments from elsewhere: kept as far as they can be shown."""

import pytest

from referee.plain_text import plain_line, plain_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t Lee\n", "Ann Lee"),
        ("Zo\u00eb \u5f20\u4e09 \u0645\u0631\u064a\u0645", "Zo\u00eb \u5f20\u4e09 \u0645\u0631\u064a\u0645"),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),  # a family, joined
        ("a\x1b[31mb\x00c\x7f", "a[31mbc"),
        ("\ud800x\udfff", "x"),
        ("\u202enna", "nna"),
        ("\x00", ""),
    ],
)
def test_a_line_keeps_what_can_be_shown(text: str, shown: str) -> None:
    assert plain_line(text) == shown


def test_lines_stay_apart() -> None:
    assert plain_lines(" one\x00\x1f\r\n\n two  three\n") == " one\n\n two  three\n"
