r"""The grammar of `.blksgf` records: from text to the nodes of the main line and back. What the properties mean is not known here.

    file = ws tree ws        tree = "(" ws { node | tree } ")"        node = ";" { property }
    property = ident "[" value "]" { "[" value "]" }

In a value `\` takes the next character as it is. The main line is each node's first child; variations are read over. A text that breaks
off or goes wrong somewhere keeps the nodes before that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from referee.errors import RecordError

LARGEST_BYTES = 2**20
"""Records hold a few kilobytes, with many variations and comments a hundred."""

_BLANK = re.compile(r"\s*")
_IDENT = re.compile(r"[A-Za-z0-9]+")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_-]{1,20})\s*\]")
_WESTERN = frozenset({"iso-8859-1", "iso8859-1", "latin-1", "latin1"})


@dataclass(frozen=True)
class Node:
    """One node of the main line.

    Attributes:
        line: the line of the text it begins in, from 1.
        properties: the values of each property, escapes resolved.
    """

    line: int
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The first value of a property, stripped; empty when it is not there."""
        return next(iter(self.properties.get(name, ())), "").strip()


@dataclass(frozen=True)
class MainLine:
    """The nodes of the main line, root first; `damage` says in words where and why the text could not be read further."""

    nodes: tuple[Node, ...]
    damage: str = ""


def decoded(data: bytes) -> str:
    """The text of a record: UTF-8, or Latin-1 where its CA property says so.

    Raises:
        RecordError: it is too large, or no text of these.
    """
    if len(data) > LARGEST_BYTES:
        raise RecordError(f"{len(data)} bytes are too many for a recorded game; {LARGEST_BYTES} are read")
    charset = _CHARSET.search(data)
    try:
        return data.decode("latin-1" if charset and charset[1].decode().lower() in _WESTERN else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"it is no UTF-8 text (byte {error.start}); save it as UTF-8") from error


def main_line(text: str) -> MainLine:
    """The main line of a text.

    Raises:
        RecordError: it does not begin like a record, or holds more than one game.
    """
    return _Reader(text.replace("\r\n", "\n").replace("\r", "\n")).read()


class _DamageError(Exception):
    """The text cannot be read further."""


class _Reader:
    """Reads one text from its beginning to its end, or to where it is damaged."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.counted, self.lines = 0, 1
        self.nodes: list[Node] = []
        self.has_child: list[bool] = []
        self.current = _OUTSIDE
        self.stack: list[int] = []

    def read(self) -> MainLine:
        self._skip_blanks()
        if not self.text.startswith("(", self.place):
            raise RecordError('it is no .blksgf record: that begins with "("')
        try:
            self._read_tree()
        except _DamageError as error:
            return MainLine(tuple(self.nodes), f"line {self._line()}: {error}")
        return MainLine(tuple(self.nodes))

    def _read_tree(self) -> None:
        """Read the whole tree, deep ones without recursion."""
        is_done = False
        while not is_done:
            mark = self._next_mark("a node, a variation or the end of the game is missing: the text breaks off")
            if mark == "(":
                self.stack.append(self.current)
            elif mark == ")":
                self.current = self.stack.pop()
                is_done = not self.stack
            elif mark == ";" and self.stack:
                self._read_node()
            else:
                self.place -= 1
                raise _DamageError(f"{mark!r} is not expected here")
        self._skip_blanks()
        if self.text.startswith("(", self.place):
            raise RecordError(_SEVERAL)
        if self.place < len(self.text):
            raise _DamageError("there is text after the end of the game")

    def _next_mark(self, missing: str) -> str:
        self._skip_blanks()
        if self.place >= len(self.text):
            raise _DamageError(missing)
        self.place += 1
        return self.text[self.place - 1]

    def _read_node(self) -> None:
        """Read a node; it is on the main line when it is the first child of one there."""
        number, parent = len(self.has_child), self.current
        if parent == _OUTSIDE and number:
            raise RecordError(_SEVERAL)
        is_main = parent == _OUTSIDE or (parent >= 0 and not self.has_child[parent])
        line, properties = self._line(), self._read_properties()
        if not is_main:
            self.current = _ASIDE
            return
        if parent >= 0:
            self.has_child[parent] = True
        self.has_child.append(False)
        self.current = number
        self.nodes.append(Node(line, properties))

    def _read_properties(self) -> dict[str, tuple[str, ...]]:
        properties = dict[str, tuple[str, ...]]()
        self._skip_blanks()
        while ident := _IDENT.match(self.text, self.place):
            self.place = ident.end()
            values = tuple(self._read_values(ident[0]))
            if ident[0] in properties:
                raise _DamageError(f"{ident[0]} stands twice in one node")
            properties[ident[0]] = values
        return properties

    def _read_values(self, ident: str) -> Iterator[str]:
        self._skip_blanks()
        if not self.text.startswith("[", self.place):
            raise _DamageError(f"{ident} has no value")
        while self.text.startswith("[", self.place):
            value = _VALUE.match(self.text, self.place)
            if value is None:
                raise _DamageError(f"the value of {ident} has no end")
            self.place = value.end()
            yield _unescaped(value[1])
            self._skip_blanks()

    def _skip_blanks(self) -> None:
        blank = _BLANK.match(self.text, self.place)
        self.place = blank.end() if blank else self.place

    def _line(self) -> int:
        self.lines += self.text.count("\n", self.counted, self.place)
        self.counted = self.place
        return self.lines


_SEVERAL = "it holds more than one game; put each into a file of its own"

_OUTSIDE = -1
"""Where the reader is before the root."""

_ASIDE = -2
"""Where the reader is when it is not on the main line: what follows a node of a variation belongs to the variation."""


def _unescaped(value: str) -> str:
    plain = value.replace("\t", " ").replace("\v", " ").replace("\f", " ")
    return _ESCAPE.sub(r"\1", plain)


def written(nodes: Iterable[Iterable[tuple[str, Iterable[str]]]]) -> str:
    """The text of a game without variations; each node is its properties in order, each a name and its values."""
    lines = [";" + "".join(name + "".join(f"[{_escaped(value)}]" for value in values) for name, values in node) for node in nodes]
    return "\n".join(("(", *lines, ")", ""))


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")
