"""Numbers of the search for a board, and by which of them something seen is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.extent import Candidate


@dataclass(frozen=True)
class LocateSettings:
    """Numbers of the board search.

    Attributes:
        quick_px: longer side of the picture looked at first: enough for a clear board.
        quick_parts: shares of its width and height in which lines are looked for: a few cells in the middle lead to the rest.
        quick_grown: lattices followed over that picture at the most.
        enough_strength: agreement of the lines with a period at which no further directions are looked for then.
        clear_strength: strength of a lattice followed over that picture at which no others are: other lattices give up to 0.2.
        least_strength: strength under which a second board is not looked for more closely.
        same_cells: farthest apart that two findings of one board lie.
        search_px: longer side of the picture searched; cells of 12 px in a 1280 px picture keep 9.
        shortest_segment: least segment length in units of the longer side: half a cell of a board that fills a third.
        fitted: how many possible boards of one kind are fitted, best first.
        grown: how many lattices are followed over the picture for that.
        clear_quality: quality with which a possible board is fitted at once, before others are looked at.
        good_score, good_margin, good_weakest: contrast inside, lead of the border strips over those outside, and contrast of the
            weakest lines, with which the search ends; fits one cell off or half way between two planes stay under one of them.
        good_share: the same lead as a share of the contrast inside: where that is 0.9, one more row of squares still leads by 0.1.
        least_score, least_margin: the same without which there is no board.
        close_margin: margin that is still taken when the lines fit well and all neighbours fit much worse.
        loose_margin: margin without which there is no board when the lines fit less than well.
        least_weakest: contrast of the weakest lines without which there is no board: boards of other games lie under 0.08.
        good_misfit_cells: misfit above which the search does not end.
        most_misfit_cells: misfit above which there is no board: lines at random give 0.13 to 0.15.
        plain_misfit_cells, plain_margin, plain_weakest: misfit that is still taken where the border is that plain, no line is missing,
            and the neighbours were looked at: at 60 degrees the true grid itself may give 0.1.
        clean_cells: misfit under which a fit is taken as it is, and faint lines are forgiven.
        least_lead: quality by which a board must beat others that lie half a cell and more from it.
        most_doubt: doubt of the border above which there is no board: windows of other games' boards and grids half a cell off have 0.2
            and more, those a cell off 0.9.
        sure_doubt: doubt up to which the border alone tells that the grid is in its place.
        likely_doubt, likely_margin: doubt up to which it tells so together with the lead of the border strips: windows of other games'
            boards reach 0.09 and 0.
        faint_score: line contrast up to which that is so: where lines are clearer, those of the border strips must be clear as well.
        plain_doubt: doubt up to which a fit at a slant need not be compared with its neighbours.
        bordered_score, bordered_weakest, bordered_misfit_cells: score, weakest lines and misfit without which there is no board where
            the border is sure: in the dark and at 60 degrees lines are faint and badly measured.
        exact_px: longer side of the largest picture in which the grid is measured.
        exact_cell_px: size of the far cells from which a smaller one will do: lines are measured in fourteenths of a cell.
        fine_search_px: longer side for the second search, of small boards in large pictures.
        outside_cells: how far a corner of the grid may lie outside the picture.
        second_cell_px: size of the cells of the board found from which a second one's lines are looked for in a smaller picture.
        beside_score: line contrast from which a grid like the board found, on its plane and with a plain border, is a second board.
        second_room: radius of the free room, in sides of the board found, in which a second board is looked for.
        thorough: whether to go on to faint lines and bent lenses.
        bent: radial terms tried when straight lines lead nowhere.
        follow_score: line contrast under which a lattice is dropped before its fit.
        steep_deg: tilt from which the tops of pieces lean by a fifth of a cell and more.
    """

    quick_parts: tuple[float, ...] = (0.35, 1.0)
    quick_px: int = 640
    quick_grown: int = 4
    enough_strength: float = 0.35
    clear_strength: float = 0.2
    least_strength: float = 0.15
    same_cells: float = 0.3
    exact_px: int = 1280
    exact_cell_px: float = 14.0
    search_px: int = 960
    shortest_segment: float = 0.012
    fitted: int = 4
    grown: int = 10
    clear_quality: float = 0.75
    good_score: float = 0.4
    good_margin: float = 0.1
    good_share: float = 0.2
    good_weakest: float = 0.2
    least_score: float = 0.28
    least_margin: float = 0.1
    close_margin: float = 0.06
    loose_margin: float = 0.15
    least_weakest: float = 0.12
    most_misfit_cells: float = 0.09
    good_misfit_cells: float = 0.075
    plain_misfit_cells: float = 0.105
    plain_margin: float = 0.2
    plain_weakest: float = 0.2
    clean_cells: float = 0.06
    least_lead: float = 0.1
    most_doubt: float = 0.2
    sure_doubt: float = 0.06
    likely_doubt: float = 0.2
    likely_margin: float = 0.03
    faint_score: float = 0.6
    plain_doubt: float = 0.02
    bordered_score: float = 0.24
    bordered_weakest: float = 0.06
    bordered_misfit_cells: float = 0.1
    steep_deg: float = 35.0
    fine_search_px: int = 1600
    outside_cells: float = 0.5
    follow_score: float = 0.15
    bent: tuple[float, ...] = (-0.15, 0.12)
    second_room: float = 0.4
    second_cell_px: float = 12.0
    beside_score: float = 0.2
    thorough: bool = True

    def is_good(self, candidate: Candidate) -> bool:
        """Whether the search can end with this board; at a slant, where a line is easily lost, only a clean fit needs no comparison."""
        lines = candidate.score >= self.good_score and candidate.weakest >= self.good_weakest
        steep = candidate.pose.tilt_deg > self.steep_deg and not candidate.doubt <= self.plain_doubt
        fits = candidate.pose.residual_cells <= (self.clean_cells if steep else self.good_misfit_cells)
        return lines and fits and self.is_bounded(candidate) and self.is_board(candidate)

    def is_bounded(self, candidate: Candidate) -> bool:
        """Whether the lines end at the border beyond doubt."""
        return candidate.margin >= max(self.good_margin, self.good_share * candidate.score) or candidate.doubt <= self.plain_doubt

    def is_board(self, candidate: Candidate) -> bool:
        """Whether this is a board at all."""
        if candidate.doubt > self.most_doubt:
            return False
        misfit, compared = candidate.pose.residual_cells, np.isfinite(candidate.lead)
        if self.is_bordered(candidate):
            weakest = self.bordered_weakest if misfit <= self.good_misfit_cells else self.least_weakest
            lines = candidate.score >= self.bordered_score and candidate.weakest >= weakest
            return lines and misfit <= self.bordered_misfit_cells
        clean = misfit < self.clean_cells and candidate.margin >= self.good_margin
        weakest = self.least_weakest / 2 if clean else self.least_weakest
        lines = candidate.score >= self.least_score and candidate.weakest >= weakest and candidate.lead >= self.least_lead
        if misfit > self.most_misfit_cells:
            plain = candidate.margin >= self.plain_margin and candidate.weakest >= self.plain_weakest
            return lines and compared and plain and misfit <= self.plain_misfit_cells
        if misfit > self.good_misfit_cells:
            return lines and candidate.margin >= self.loose_margin
        alone = compared and candidate.lead >= 2 * self.least_lead
        return lines and candidate.margin >= (self.close_margin if alone else self.least_margin)

    def is_bordered(self, candidate: Candidate) -> bool:
        """Whether what lies across the sides of this board tells that it is in its place."""
        if candidate.score > self.faint_score:
            plain = candidate.doubt <= self.plain_doubt
            return candidate.doubt <= self.sure_doubt and candidate.margin >= (self.likely_margin if plain else self.close_margin)
        likely = candidate.doubt <= self.likely_doubt and candidate.margin >= self.likely_margin
        return likely or candidate.doubt <= self.sure_doubt


DEFAULT_LOCATE = LocateSettings()
