"""The grammar of `.blksgf` texts: what is read, where reading stops, and that writing and reading agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.blksgf_text import LARGEST_BYTES, decoded, main_line, written
from referee.errors import RecordError


def properties(text: str) -> list[dict[str, tuple[str, ...]]]:
    line = main_line(text)
    assert not line.damage
    return [dict(node.properties) for node in line.nodes]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(;GM[Blokus])", [{"GM": ("Blokus",)}]),
        (" \r\n( ; GM [Blokus] \t;1[a1]\n)\n ", [{"GM": ("Blokus",)}, {"1": ("a1",)}]),
        ("(;C[a\\]b\\\\c\\d])", [{"C": ("a]b\\cd",)}]),
        ("(;C[a\tb\vc\fd])", [{"C": ("a b c d",)}]),
        ("(;C[one\r\ntwo\rthree])", [{"C": ("one\ntwo\nthree",)}]),
        ("(;C[(;B[a1\\])])", [{"C": ("(;B[a1])",)}]),
        ("(;A1[a1] [b2]\n[c3]PL[2])", [{"A1": ("a1", "b2", "c3"), "PL": ("2",)}]),
        ("(;B[])", [{"B": ("",)}]),
        ("(;GM[Blokus];)", [{"GM": ("Blokus",)}, {}]),
    ],
)
def test_a_text_is_read_to_its_end(text: str, wanted: list[dict[str, tuple[str, ...]]]) -> None:
    assert properties(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(;N[0](;N[1];N[2])(;N[x];N[y]))", "012"),
        ("(;N[0];N[1](;N[2](;N[3])(;N[x]))(;N[y]))", "0123"),
        ("(;N[0](;N[1]);N[x])", "01"),
        ("(;N[0](;N[1](;N[2])));", "012"),
        ("(;N[0]((;N[1])))", "01"),
    ],
)
def test_the_main_line_is_each_node_s_first_child(text: str, wanted: str) -> None:
    assert "".join(node.text("N") for node in main_line(text).nodes) == wanted


@pytest.mark.parametrize(
    ("text", "nodes", "damage"),
    [
        ("(;N[0];N[1]", 2, "line 1: a node, a variation or the end of the game is missing: the text breaks off"),
        ("(;N[0]\n;N[1]\n;N[2", 2, "line 3: the value of N has no end"),
        ("(;N[0]\n;N", 1, "line 2: N has no value"),
        ("(;N[0]\n\n;N[1]N[2])", 1, "line 3: N stands twice in one node"),
        ("(;N[0] ! ;N[1])", 1, "line 1: '!' is not expected here"),
        ("(;N[0]) and more", 1, "line 1: there is text after the end of the game"),
        ("()", 0, ""),
        ("(;N[0]\0)", 1, "line 1: '\\x00' is not expected here"),
    ],
)
def test_a_damaged_text_keeps_the_nodes_before_the_damage(text: str, nodes: int, damage: str) -> None:
    line = main_line(text)
    assert (len(line.nodes), line.damage) == (nodes, damage)


@pytest.mark.parametrize("text", ["(;N[0])(;N[1])", "(;N[0])\n ( ;N[1]\n)", "((;N[0])(;N[1]))"])
def test_two_games_in_one_file_are_refused(text: str) -> None:
    with pytest.raises(RecordError, match="more than one game"):
        main_line(text)


@pytest.mark.parametrize("text", ["", "  ", ";GM[Blokus]", "{}", "hello"])
def test_what_does_not_begin_with_a_parenthesis_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match=r"no \.blksgf record"):
        main_line(text)


def test_lines_are_counted_from_one() -> None:
    assert [node.line for node in main_line("(\n;A[1]\n;B[2\n3]\n\n;C[4])").nodes] == [2, 3, 6]


def test_nesting_of_any_depth_is_read() -> None:
    depth = 100_000
    assert len(main_line("(;" * depth + ")" * depth).nodes) == depth


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("(;C[Zoë])".encode(), "(;C[Zoë])"),
        ("\ufeff(;C[Zoë])".encode(), "(;C[Zoë])"),
        ("(;CA[ISO-8859-1]C[Zoë])".encode("latin-1"), "(;CA[ISO-8859-1]C[Zoë])"),
    ],
)
def test_texts_are_utf_8_unless_they_say_latin_1(data: bytes, wanted: str) -> None:
    assert decoded(data) == wanted


@pytest.mark.parametrize("data", ["(;C[Zoë])".encode("latin-1"), "(;C[Zoë])".encode("utf-16"), b"(" * (LARGEST_BYTES + 1)])
def test_other_bytes_and_huge_files_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        decoded(data)


NAMES = st.text("ABCXYZ129", min_size=1, max_size=3)
VALUES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\t\v\f"), max_size=20)
NODES = st.lists(st.dictionaries(NAMES, st.lists(VALUES, min_size=1, max_size=3).map(tuple), max_size=3), min_size=1, max_size=6)


@given(NODES)
def test_what_is_written_is_read_back(nodes: list[dict[str, tuple[str, ...]]]) -> None:
    assert properties(written(node.items() for node in nodes)) == nodes


def test_a_game_is_written_as_a_parenthesis_alone_and_a_node_a_line() -> None:
    assert written([[("GM", ["Blokus"]), ("C", ["]\\"])], [("1", ["a20"])]]) == "(\n;GM[Blokus]C[\\]\\\\]\n;1[a20]\n)\n"
