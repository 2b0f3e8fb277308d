"""From one look at the board to a ranked list of what may have happened since the last one.

Every explanation is a set of steps (a piece came, went, moved); its score is the evidence of all cells that it changes
minus the costs of its steps. "Nothing happened" scores 0. Probabilities are kept: it is the table that decides or asks.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from referee.cells import Cell, Cells, components, corner_neighbors, side_neighbors
from referee.pieces import identify
from referee.sightings import Change
from vision.odds import CellOdds
from vision.steps import Step, StepSettings, all_steps


@dataclass(frozen=True)
class InferSettings:
    """How explanations are searched and weighed; costs and scores in nats.

    Attributes:
        steps: costs of single steps.
        further: cost of each step after the first: people do one thing at a time.
        unexplained: cost of taking the board just as it is read, whatever that may be.
        speck: cost of each block of it after the first, so that flickering cells are not taken for events.
        width: explanations kept while searching.
        depth: most steps of one explanation.
        many: cells that differ above which no steps are searched: the board is being cleared or has been carried off.
        share: part of the evidence that counts: neighbouring cells share light and pose, and so their errors.
        kept: candidates given.
        clearly: lead of a cell's best label from which no step is looked for that gives the cell another one.
    """

    steps: StepSettings = field(default_factory=StepSettings)
    further: float = 3.0
    unexplained: float = 9.0
    speck: float = 4.0
    width: int = 8
    depth: int = 6
    many: int = 60
    share: float = 0.7
    kept: int = 6
    clearly: float = 6.0


@dataclass(frozen=True)
class Inference:
    """What may have happened.

    Attributes:
        candidates: changes with probabilities, likeliest first; they sum to at most 1. Never empty.
        hidden: cells that could not be seen.
    """

    candidates: tuple[tuple[Change, float], ...]
    hidden: Cells

    @property
    def best(self) -> Change:
        """The likeliest change."""
        return self.candidates[0][0]

    @property
    def p(self) -> float:
        """Its probability."""
        return self.candidates[0][1]

    @property
    def is_odd(self) -> bool:
        """Whether the likeliest change leaves a block that is no piece of the set: a rare foul, or a grid out of place."""
        return bool(self.odd_cells)

    @property
    def odd_cells(self) -> Cells:
        """The cells that come in such blocks."""
        came: dict[str, set[Cell]] = {}
        for cell, color in self.best.added:
            came.setdefault(color, set()).add(cell)
        blocks = (block for cells in came.values() for block in components(cells) if identify(block) is None)
        return frozenset[Cell]().union(*blocks)

    def agreed(self, sure: float) -> tuple[Change, Cells] | None:
        """What happened for sure although something elsewhere is in doubt, and the cells in doubt.

        None when nothing is sure, or when something probably happened in those cells too: then it belongs together.
        """
        total = sum(p for _, p in self.candidates)
        added: set[tuple[Cell, str]] = set()
        removed: set[tuple[Cell, str]] = set()
        doubtful: set[Cell] = set()
        for place in _places(cell for change, _ in self.candidates for cell in change.cells):
            local: dict[Change, float] = {}
            for change, p in self.candidates:
                part = Change(_within(change.added, place), _within(change.removed, place))
                local[part] = local.get(part, 0.0) + p / total
            likeliest = max(local, key=lambda part: local[part])
            if local[likeliest] >= sure:
                added, removed = added | likeliest.added, removed | likeliest.removed
            elif likeliest.is_empty:
                doubtful |= place
            else:
                return None
        change = Change(frozenset(added), frozenset(removed))
        return None if change.is_empty else (change, frozenset(doubtful))

    def open_cells(self, best: Change, least: float) -> Cells:
        """The cells of which another candidate says otherwise than ``best``, with a probability of ``least`` or more altogether."""
        mass: dict[Cell, float] = {}
        for change, p in self.candidates:
            for cell in {cell for cell, _ in (change.added ^ best.added) | (change.removed ^ best.removed)}:
                mass[cell] = mass.get(cell, 0.0) + p
        return frozenset(cell for cell, p in mass.items() if p >= least)

    def weighed(self, covered: Cells) -> Cells:
        """The hidden cells of the candidates that nothing covers: what may lie there is in the probabilities already."""
        return frozenset(cell for change, _ in self.candidates for cell in change.cells) - covered

    def near_hidden(self, change: Change) -> bool:
        """Whether a cell of the change is hidden or has a hidden neighbour."""
        return any(({cell} | side_neighbors(cell) | corner_neighbors(cell)) & self.hidden for cell in change.cells)


def infer(
    odds: CellOdds,
    pieces: Sequence[tuple[str, Cells]] = (),
    on_turn: str | None = None,
    settings: InferSettings | None = None,
) -> Inference:
    """Ranks the explanations of a look.

    Args:
        odds: the evidence of its cells.
        pieces: colour and cells of each piece that should lie on the board; blocks of one colour when empty.
        on_turn: the colour expected to play, a weak prior.
        settings: costs.
    """
    s = settings or InferSettings()
    found: dict[frozenset[tuple[int, int]], float] = {frozenset(): 0.0}
    differing = int((odds.best != odds.expected).sum())
    if differing <= s.many:
        steps = all_steps(_without_outdone(odds, s), pieces or standing_blocks(odds), on_turn, s.steps)
        for labels, score in _search(odds, steps, s):
            key = frozenset(labels.items())
            found[key] = max(found.get(key, -np.inf), score)
    raw, score = _as_read(odds, s)
    found[raw] = max(found.get(raw, -np.inf), score)
    ranked = heapq.nlargest(s.kept, found.items(), key=lambda item: item[1])
    weight = np.exp(s.share * (np.array(list(found.values())) - ranked[0][1]))
    candidates = tuple((_change(odds, dict(key)), float(np.exp(s.share * (value - ranked[0][1])) / weight.sum())) for key, value in ranked)
    hidden = frozenset(odds.cell(number) for number in np.flatnonzero(odds.hidden).tolist())
    return Inference(candidates, hidden)


def _without_outdone(odds: CellOdds, s: InferSettings) -> CellOdds:
    """The evidence without that for labels which another clearly outdoes in the same cell: a piece of that colour explains it better."""
    outdone = (odds.gain > 0) & (odds.gain < odds.gain.max(1, keepdims=True) - s.clearly)
    return replace(odds, gain=np.where(outdone, 0.0, odds.gain))


def _places(cells: Iterable[Cell]) -> Iterator[Cells]:
    """Groups of cells that touch, corners included."""
    left = set(cells)
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            group.add(cell)
            near = (side_neighbors(cell) | corner_neighbors(cell)) & left
            left -= near
            edge += near
        yield frozenset(group)


def _within(colored: frozenset[tuple[Cell, str]], place: Cells) -> frozenset[tuple[Cell, str]]:
    return frozenset((cell, color) for cell, color in colored if cell in place)


def standing_blocks(odds: CellOdds) -> list[tuple[str, Cells]]:
    """Blocks of one colour that should lie on the board: stands in for its pieces when nobody knows them."""
    out = []
    for label in range(1, len(odds.labels)):
        cells = [odds.cell(number) for number in np.flatnonzero(odds.expected == label).tolist()]
        out += [(odds.labels[label], group) for group in components(cells)]
    return out


def _search(odds: CellOdds, steps: list[Step], s: InferSettings) -> list[tuple[dict[int, int], float]]:
    """Explanations of up to ``depth`` steps in the order of ``steps``, by beam search: new labels and score."""
    best: list[tuple[dict[int, int], float]] = []
    beam: list[tuple[float, int, dict[int, int]]] = [(0.0, -1, {})]
    for depth in range(s.depth):
        grown = []
        for score, last, labels in beam:
            for k in range(last + 1, len(steps)):
                more = _extended(odds, labels, steps[k])
                if more is not None:
                    total = score + more[1] - steps[k].cost - (s.further if depth else 0.0)
                    grown.append((total, k, more[0]))
        if not grown:
            break
        beam = heapq.nlargest(s.width, grown, key=lambda item: item[0])
        best += [(labels, score) for score, _, labels in beam]
    return best


def _extended(odds: CellOdds, labels: dict[int, int], step: Step) -> tuple[dict[int, int], float] | None:
    """The labels with one more step and what its cells gain; None when it contradicts the steps before.

    A piece may come to lie on cells that another one left, in that order only.
    """
    gained = 0.0
    for cell, label in step.labels.items():
        if cell in labels:
            if labels[cell] != 0 or label == 0:
                return None
            gained -= odds.gain[cell, 0]
        gained += odds.gain[cell, label]
    return labels | step.labels, float(gained)


def _as_read(odds: CellOdds, s: InferSettings) -> tuple[frozenset[tuple[int, int]], float]:
    """The board taken just as it is read, and its score."""
    cells = np.flatnonzero(odds.best != odds.expected).tolist()
    labels = frozenset((cell, int(odds.best[cell])) for cell in cells)
    if not labels:
        return labels, 0.0
    blocks = components(odds.cell(cell) for cell in cells)
    gain = float(odds.gain[cells, odds.best[cells]].sum())
    return labels, gain - s.unexplained - s.speck * (len(blocks) - 1)


def _change(odds: CellOdds, labels: Mapping[int, int]) -> Change:
    """The change that these labels make of what should lie on the board."""
    added: set[tuple[Cell, str]] = set()
    removed: set[tuple[Cell, str]] = set()
    for number, label in labels.items():
        was = int(odds.expected[number])
        if label != was:
            cell = odds.cell(number)
            added |= {(cell, odds.labels[label])} if label else set()
            removed |= {(cell, odds.labels[was])} if was else set()
    return Change(frozenset(added), frozenset(removed))
