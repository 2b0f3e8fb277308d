"""Options that several commands share: how the game is played, where it is kept, where the page is served."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from web.cli.program import Misuse

if TYPE_CHECKING:
    from referee.options import GameOptions

F = TypeVar("F", bound=Callable[..., Any])

VARIANTS = ("classic", "two_player", "three_player", "partners", "duo", "junior")
"""The variants by name; a test holds them to `referee.variants`, which need not be loaded for a help text."""

LONGEST_TABLE = 60
"""Characters of a table's name; the database has room for no more."""

COLORS = ("blue", "yellow", "red", "green", "orange", "purple")


class VariantName(click.Choice[str]):
    """A variant; games of other kinds are refused in one line."""

    name = "variant"

    def __init__(self) -> None:
        """The known variants."""
        super().__init__(VARIANTS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The variant's name.

        Raises:
            Misuse: there is none of that name.
        """
        if value not in VARIANTS:
            raise Misuse(f"no rules for the variant {value!r}: {', '.join(VARIANTS)} are played; Trigon, 3D, XL and others are not")
        return str(super().convert(value, param, ctx))


variant_option = click.option("--variant", type=VariantName(), default="classic", show_default=True, help="Which game is played.")


def _game_options(*, is_recorded: bool) -> tuple[Callable[[F], F], ...]:
    """The options of a game. Those of a recorded game have no usual values: what is left out is as the record says."""

    def usual(text: str) -> str:
        return "" if is_recorded else f" [default: {text}]"

    variant = click.option("--variant", type=VariantName(), help="Which game is played.") if is_recorded else variant_option
    first_plays = usual("the first piece's colour starts, then clockwise by start corners")
    return (
        variant,
        click.option("--scoring", type=click.Choice(["basic", "advanced"]), help=f"How it is scored{usual('as the variant is')}."),
        click.option("--order", metavar="COLOR,...", help=f"Turn order, the starter first{first_plays}."),
        click.option(
            "--starts",
            type=click.Choice(["seated", "free"]),
            default=None if is_recorded else "seated",
            show_default=not is_recorded,
            help="seated: the first piece fixes whose corner is whose, clockwise; free: any free corner.",
        ),
        click.option("--players", metavar="NAME,...", help="Names of the players, in the order of their colours."),
        click.option(
            "--touch",
            type=click.Choice(["lenient", "strict"]),
            default=None if is_recorded else "lenient",
            show_default=not is_recorded,
            help="Whether a legal piece may still be shifted until the next colour plays.",
        ),
        click.option("--set", "missing", metavar="COLOR:-PIECE,...", help="Pieces missing from a set, for example blue:-W,red:-I5."),
        click.option(
            "--shared", type=click.Choice(COLORS[:4]), metavar="COLOR", help=f"The colour that three players share{usual('green')}."
        ),
        click.option("--mirrored", is_flag=True, help="The picture is a mirror image (some front cameras)."),
    )


_NAMES = ("variant", "scoring", "order", "starts", "players", "touch", "missing", "shared", "mirrored")


def game_options(command: F) -> F:
    """Add the game options; the command gets them as one argument `game: GameOptions`."""

    @functools.wraps(command)
    def wrapped(**values: Any) -> Any:
        game = to_game(**{name: values.pop(name) for name in _NAMES})
        return command(game=game, **values)

    return _with(_game_options(is_recorded=False), wrapped)


def given_options(command: F) -> F:
    """Add the game options; the command gets those that were given, and no usual ones, as one argument `given`.

    For recorded games, which bring their own options: `given` maps names of `GameOptions` to the values to use instead.
    """

    @functools.wraps(command)
    def wrapped(**values: Any) -> Any:
        return command(given=_given({name: values.pop(name) for name in _NAMES}), **values)

    return _with(_game_options(is_recorded=True), wrapped)


def _with(options: tuple[Callable[[F], F], ...], command: Callable[..., Any]) -> F:
    for option in reversed(options):
        command = option(command)
    return command  # type: ignore[return-value]  # click's decorators keep what they decorate


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """The values that were given, read."""
    from referee.options import parse_missing

    readers: dict[str, Callable[[str], Any]] = {"order": _split, "players": _split, "missing": parse_missing}
    given = {name: value for name, value in values.items() if value not in (None, False)}
    return {name: readers[name](value) if name in readers else value for name, value in given.items()}


def to_game(*, order: str | None, players: str | None, missing: str | None, **rest: Any) -> GameOptions:
    """The options of one game from the command line's texts.

    Raises:
        OptionsError, UnknownNameError: they contradict each other or name what does not exist.
    """
    from referee.options import GameOptions, parse_missing

    return GameOptions(order=_split(order) if order else None, players=_split(players or ""), missing=parse_missing(missing or ""), **rest)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


KEEP_NOTHING = ":memory:"


@dataclass(frozen=True)
class Keeping:
    """Where a game is kept and how long its evidence.

    Attributes:
        db: an SQLite file, a database URL, or `:memory:` to keep nothing.
        table: which of several tables; None: the one that the database has.
        evidence_days: how long pictures are kept; None: as was said before.
    """

    db: str
    table: str | None = None
    evidence_days: float | None = None


def db_option(command: F) -> F:
    """Add `--db` and `--table`, where games are kept."""
    for option in (
        click.option(
            "--table",
            metavar="NAME",
            callback=_table_name,
            envvar="BLOKUS_REFEREE_TABLE",
            help="Which of several tables, when their games are kept together [default: the only one].",
        ),
        click.option(
            "--db",
            metavar="FILE|URL",
            default=default_db,
            callback=_some_database,
            envvar="BLOKUS_REFEREE_DB",
            show_default="games.db in the user's data folder",
            help="Where games are kept: an SQLite file, a database URL, or :memory: to keep nothing.",
        ),
    ):
        command = option(command)
    return command


def keeping_options(command: F) -> F:
    """Add `--db`, `--table` and `--keep-evidence`; the command gets them as one argument `keep: Keeping`."""

    @functools.wraps(command)
    def wrapped(*, db: str, table: str | None, keep_evidence: float | None, **values: Any) -> Any:
        return command(keep=Keeping(db, table, keep_evidence), **values)

    evidence_option = click.option(
        "--keep-evidence",
        type=click.FloatRange(0, 36500),
        metavar="DAYS",
        help="For how long the pictures of disputes are kept; 0: until they are settled [default: as said before, at first 30 days].",
    )
    return db_option(evidence_option(wrapped))  # type: ignore[return-value]  # click's decorators keep what they decorate


def _some_database(_context: click.Context, _option: click.Parameter, db: str) -> str:
    if not db.strip():
        raise Misuse("--db names no database: give a file, a database URL, or :memory: to keep nothing")
    return db


def _table_name(_context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    if name is not None and not (name.isprintable() and len(name.strip()) == len(name) <= LONGEST_TABLE):
        raise Misuse(f"--table: the name of a table has up to {LONGEST_TABLE} printable characters")
    return name


def data_folder() -> Path:
    """The user's data folder, where everything is kept for which no other place is named."""
    return Path(click.get_app_dir("blokus-referee"))


def default_db() -> str:
    """The file in the user's data folder in which games are kept."""
    return str(data_folder() / "games.db")


@dataclass(frozen=True)
class Serving:
    """Where and how the page is served.

    Attributes:
        host, port: None for the usual ones.
        lan: to the local network, with a PIN.
        https: over https, with this computer's own certificate.
    """

    host: str | None = None
    port: int | None = None
    lan: bool = False
    https: bool = False


def page_options(command: F) -> F:
    """Add where and how the page is served; the command gets it as one argument `serving: Serving`."""

    @functools.wraps(command)
    def wrapped(*, host: str | None, port: int | None, lan: bool, https: bool, **values: Any) -> Any:
        return command(serving=Serving(host, port, lan, https), **values)

    decorated: Callable[..., Any] = wrapped
    for option in (
        click.option("--https", is_flag=True, help="Serve over https, with a certificate made here: phones film for no other page."),
        click.option("--lan", is_flag=True, help="Serve to the local network, with a PIN, so that phones can open the page."),
        click.option("--port", type=click.IntRange(0, 65535), help="Port of the page [default: 8000, or any free one]."),
        click.option("--host", metavar="ADDRESS", help="Address the page is served at [default: this machine only]."),
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[return-value]  # click's decorators keep what they decorate


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON Lines on standard output and nothing else there.")
