"""`puzzle`: one-player mini-games: check one, solve one, make one."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli.options import json_option
from web.cli.puzzle_text import count_line, describe_check, describe_made, describe_solvable, head, solution_lines
from web.cli.writing import check_place, write_whole

if TYPE_CHECKING:
    from referee.puzzle import Puzzle
    from referee.puzzle_check import Laid
    from referee.puzzle_solve import Outcome, Solution

WORK = 300_000
"""Positions searched before the answer is "not all of it was searched": about ten seconds. `--all` and `--count` search to the end."""

SEEDS = 1_000_000
"""A seed that is not given is one of these: short enough to be typed again."""

MOST_LISTED = 10_000
"""Most solutions that `--limit` may ask for: they are gathered before they are printed, those of `--all` are not."""

puzzle_argument = click.argument("wanted", metavar="FILE|NUMBER")


@click.group(short_help="Check, solve and make one-player puzzles.")
def puzzle() -> None:
    """One-player puzzles: place the given green pieces so that all green pieces hang together by corners and no two share a side.

    FILE is a JSON object: "rows", "cols", "grid" (a list of texts: G green, O orange, . free) and "pieces" (a list of names).
    NUMBER, 1 to 10, is one of the puzzles that come along, in rising difficulty.
    """


@puzzle.command(short_help="Is it solved, or solvable?")
@puzzle_argument
@click.argument("solution", required=False, type=click.Path(path_type=Path))
@json_option
def check(wanted: str, solution: Path | None, *, as_json: bool) -> None:
    """Say whether SOLUTION solves the puzzle, or name everything that is wrong or still to do. Without SOLUTION: can it be solved at all?

    SOLUTION is a JSON file: a list of {"piece": name, "cells": [[row, col], ...]} (the name may be left out), or a drawing: a list of texts
    like the puzzle's grid, with one small letter for the squares of each piece laid. What `solve --json` prints will do.

    The exit status is 0 whatever the verdict; 3 when a file cannot be read.

    \b
    blokus-referee puzzle check 3
    blokus-referee puzzle check mine.json laid.json --json
    """
    chosen = _puzzle(wanted)
    if solution is None:
        _check_solvable(wanted, chosen, as_json=as_json)
    else:
        _check_laid(wanted, chosen, _laid(chosen, solution), as_json=as_json)


@puzzle.command(short_help="Show a solution, or count them.")
@puzzle_argument
@click.option("--all", "every", is_flag=True, help="Every solution.")
@click.option("--count", is_flag=True, help="Only how many solutions there are.")
@click.option("--limit", metavar="N", type=click.IntRange(1, MOST_LISTED), help="The first N solutions; stop there.")
@json_option
def solve(wanted: str, *, every: bool, count: bool, limit: int | None, as_json: bool) -> None:
    """Show a solution, and say how many there are. Two solutions are different when the squares of their pieces are.

    Without an option the search ends after some seconds, and says so when there may be more. `--all` and `--count` search to the end.

    \b
    blokus-referee puzzle solve 3
    blokus-referee puzzle solve mine.json --count --json
    """
    from referee.puzzle_solve import solve as search

    if every + count + (limit is not None) > 1:
        raise click.UsageError("--all, --count and --limit exclude each other")
    chosen = _puzzle(wanted)
    if every:
        _print_all(wanted, chosen, as_json=as_json)
        return
    outcome = search(chosen, limit=limit, keep=limit or 1, budget=None if count or limit else WORK)
    if as_json:
        listed = {"all": [_solution_json(chosen, found) for found in outcome.found]} if limit else {}
        click.echo(json.dumps({**listed, **_outcome_json(wanted, chosen, outcome)}))
    else:
        shown = () if count else outcome.found
        click.echo("\n".join([*head(wanted, chosen), *solution_lines(chosen, shown), count_line(outcome)]))


@puzzle.command(short_help="Make a new puzzle.")
@click.option("--level", metavar="N", type=click.IntRange(1, 10), default=3, show_default=True, help="How hard, 1 to 10.")
@click.option("--seed", metavar="N", type=click.IntRange(0), help="The same level and seed give the same puzzle; by lot when left out.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write it there as JSON.")
@json_option
def make(*, level: int, seed: int | None, out: Path | None, as_json: bool) -> None:
    """Make a puzzle that can be laid with the children's set, with at least one solution and few. Hard ones take some seconds.

    \b
    blokus-referee puzzle make --level 5 --out new.json
    """
    from referee.puzzle_make import make as made_of

    if out is not None:
        check_place(out)
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    made = made_of(level, chosen)
    told = {**made.puzzle.as_json(), "level": level, "seed": chosen, "solutions": made.outcome.solutions}
    if out is not None:
        write_whole(out, puzzle_file(told).encode())
    click.echo(json.dumps(told) if as_json else describe_made(made, level, chosen))


def puzzle_file(told: Mapping[str, Any]) -> str:
    """The JSON of a puzzle with one row of the board a line, so that people can read and change it."""
    rows = ",\n".join(f"    {json.dumps(row)}" for row in told["grid"])
    lines = [f'  "{key}": [\n{rows}\n  ]' if key == "grid" else f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in told.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _puzzle(wanted: str) -> Puzzle:
    """The puzzle of a number or a file; a file whose name is a number is told by its folder, like ./3."""
    from referee.puzzle import SHIPPED, read_puzzle, shipped_puzzle

    if not wanted.isdecimal():
        return read_puzzle(Path(wanted))
    if wanted not in map(str, range(1, SHIPPED + 1)):
        raise click.BadParameter(f"the puzzles that come along are numbered 1 to {SHIPPED}", param_hint="NUMBER")
    return shipped_puzzle(int(wanted))


def _laid(chosen: Puzzle, path: Path) -> tuple[Laid, ...]:
    from referee.puzzle import PuzzleError, read_json
    from referee.puzzle_solution import parse_solution

    try:
        return parse_solution(chosen, read_json(path))
    except PuzzleError as error:
        raise PuzzleError(f"{path}: {error}") from None


def _check_solvable(wanted: str, chosen: Puzzle, *, as_json: bool) -> None:
    from referee.puzzle_solve import Search

    search = Search(chosen, WORK)
    is_solved = any(True for _ in search.families())
    solvable = True if is_solved else None if search.is_cut else False
    told = {"puzzle": wanted, "solvable": solvable, "nodes": search.nodes, **chosen.as_json()}
    click.echo(json.dumps(told) if as_json else describe_solvable(wanted, chosen, solvable))


def _check_laid(wanted: str, chosen: Puzzle, laid: tuple[Laid, ...], *, as_json: bool) -> None:
    from referee.events import cell_list
    from referee.puzzle_check import check as judged

    found = judged(chosen, laid)
    if not as_json:
        click.echo(describe_check(wanted, chosen, laid, found))
        return
    faults = [{"kinds": [fault.kind], "cells": cell_list(fault.cells), "message": fault.message} for fault in found.violations]
    click.echo(json.dumps({"puzzle": wanted, "solved": found.is_solved, "violations": faults, "left": found.left}))


def _print_all(wanted: str, chosen: Puzzle, *, as_json: bool) -> None:
    """Print each solution as it is found: there may be more than the memory holds."""
    from referee.puzzle_solve import Outcome, Search

    search, count, first = Search(chosen), 0, tuple["Solution", ...]()
    click.echo('{"all": [' if as_json else "\n".join(head(wanted, chosen)), nl=not as_json)
    for count, found in enumerate(search.solutions(), 1):
        first = first or (found,)
        if as_json:
            click.echo((", " if count > 1 else "") + json.dumps(_solution_json(chosen, found)), nl=False)
        else:
            click.echo("\n".join(solution_lines(chosen, [found])))
    outcome = Outcome(count, complete=True, nodes=search.nodes, found=first)
    click.echo("], " + json.dumps(_outcome_json(wanted, chosen, outcome))[1:] if as_json else count_line(outcome))


def _outcome_json(wanted: str, chosen: Puzzle, outcome: Outcome) -> dict[str, Any]:
    told = {"puzzle": wanted, "solutions": outcome.solutions, "complete": outcome.complete, "nodes": outcome.nodes}
    return {**told, **(_solution_json(chosen, outcome.found[0]) if outcome.found else {"solution": None, "drawing": None})}


def _solution_json(chosen: Puzzle, found: Solution) -> dict[str, Any]:
    from referee.puzzle_solution import drawing

    placed = [placement.as_json() for placement in found]
    return {"solution": placed, "drawing": drawing(chosen, (placement.cells for placement in found))}
