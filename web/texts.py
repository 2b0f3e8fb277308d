"""The page's words that depend on data: one catalogue, so that a translation has one place to go.

Sentences about the game (rulings, disputes, remedies) come from the referee; words that never change stand in the templates.
"""

from __future__ import annotations

from referee.scoring import Span
from web.translating import language, tr

VARIANTS = {
    "classic": "Classic, four colours",
    "two_player": "Two players, two colours each",
    "three_player": "Three players, one colour shared",
    "partners": "Partners, two teams",
    "duo": "Duo",
    "junior": "Junior",
}
"""Names of the variants as people choose them."""

KINDS = {
    "not_a_piece": "Not a piece",
    "piece_already_used": "Piece used twice",
    "off_board": "Off the grid",
    "overlap": "On top of another piece",
    "edge_contact": "Side touches its own colour",
    "no_corner_contact": "No corner contact",
    "start_not_covered": "Start corner not covered",
    "out_of_turn": "Out of turn",
    "color_retired": "This colour is out",
    "game_over": "The game is over",
    "piece_moved": "A piece has moved",
    "piece_removed": "A piece is gone",
    "two_pieces": "Several pieces at once",
    "unexplained": "Something unexplained",
}
"""Headings of the violations of RULES.md sections 2 and 6."""

CAMERA = {
    "ready": ("calm", "Watching"),
    "motion": ("busy", "Watching: something moves"),
    "settling": ("busy", "Watching: looking closely"),
    "hidden": ("busy", "Watching: a hand is in the way"),
    "dark": ("loud", "Not watching: too dark"),
    "blurred": ("loud", "Not watching: the picture is blurred"),
    "no_board": ("loud", "Not watching: no board in sight"),
    "lost": ("loud", "Not watching: camera lost"),
    "paused": ("loud", "Not watching: paused"),
    "ended": ("none", "The recording has ended"),
    None: ("none", "No camera: pieces are entered by hand"),
}
"""Loudness and heading of the camera's states (CONTRACT.md ``state`` events); None when no camera was ever connected."""

REASONS = (
    "watching",
    "something moves over the board",
    "waiting for the board to be still",
    "a hand or something else lies over the board",
    "too dark to see the board",
    "the board has moved and is being searched for",
    "the board cannot be read clearly yet",
    "No picture has come for some seconds.",
    "The program that watches with the camera has fallen silent.",
    "The people have paused the watching.",
    "the camera's picture has no colours: turn its night vision or black-and-white mode off, and add light",
    "no phone sends pictures yet: open the page /phone on it and start its camera",
    "the phone stopped sending pictures: wake it, and look whether its page is still open",
    "the phone's picture stands still to the last dot: stop its camera on the page and start it again",
    "the photo has been looked at: take the next one after the next move",
    "the watching is busy and has not come to the other camera: try again in a moment",
    "four points of two numbers are wanted: top left, top right, bottom right, bottom left of the grid",
    "the points are not the corners of a board: they must go round it without crossing",
)
"""Why nothing is watched or can be set up, as seeing says it; words about a camera or picture in particular stay English."""

REFUSALS = {404: "There is no such page.", 405: "This address does not take that kind of request.", 413: "The request is too large."}
"""What is wrong with a request, by its HTTP status."""

PUZZLES = (
    "Two friends",
    "Round the bend",
    "Three steps",
    "Past the hedge",
    "The long way",
    "Three islands",
    "Harbour lights",
    "Between the walls",
    "Crossroads",
    "The last bridge",
)
"""Names of the puzzles that come along."""

GAME_STATES = {
    "waiting": "Not begun",
    "playing": "Being played",
    "left": "Left for another game",
    "unfinished": "Stopped early",
    "over": "Game over",
    "abandoned": "Abandoned",
}
"""How a game stands, in the list of all games; `left`: unfinished, and another one was begun at its table."""

RETIRED = {"blocked": "Blocked", "finished": "All placed"}
"""Badges of colours that are never on turn again."""

RULINGS = {"legal": "", "illegal": "disputed", "let_stand": "let stand"}
"""Marks in the list of moves."""

LOG = {
    "legal": "legal",
    "illegal": "disputed",
    "let_stand": "let stand by the table",
    "found": "lay there at the beginning",
    "skipped": "skipped",
    "lost": "turn lost",
    "blocked": "blocked",
    "finished": "all placed",
}
"""Rulings, and what else stands in a log, in words."""

PLAY = {"blocked": "blocked", "finished": "all placed", "can move": "can still move", "unknown": "perhaps blocked"}
"""Whether a colour may play on (`referee.tally.Play`)."""

SCORING = {"basic": "basic scoring, fewest squares left wins", "advanced": "advanced scoring, most points win"}
"""How the winner is found."""


ABANDONED = ("", "Game abandoned", "No winner. Start a new game when the table is ready.")
WHO_PLAYS = ("", "Who plays next?", "The next piece shows it, or say it under \u201cCorrect\u201d.")
FIRST_PIECE = ("", "Place the first piece", "Whoever places it starts.")
TURN_AFTER_DISPUTE = ("", "Settle the dispute first", "Then it is clear who plays.")
TURN_AFTER_QUESTION = ("", "Answer the question first", "Then it is clear who plays.")
"""The biggest line while no colour is on turn: what stands over it, itself, what stands under it."""

TO_PLAY = {
    "playing": "To play",
    "unfinished": "Unfinished, still to play",
    "dispute": "Next, if it stands",
    "question": "Next, as it seems",
}
"""What stands over the colour on turn."""

MISREAD_OTHERWISE = ("It was another piece", "The camera misread: say which it was, and where.")
"""The remedy of a dispute that asks for the right piece: label and effect."""

OF_SEVERAL = {
    "A piece is gone": "Pieces are gone",
    "Put it back": "Put them back",
    "The piece goes back to where it lay.": "The pieces go back to where they lay.",
}
"""What a dispute about several pieces taken off at once says instead."""

RESULT = {"final": "Final scores", "so far": "Scores so far"}
"""What a table of scores is called."""

BONUS = {15: "+15 for placing everything", 20: "+15 for placing everything, +5 for the single square last"}
"""Why a colour without squares left has its points."""

DOWNLOADS = {
    "html": ("Score sheet", "a page to keep and print"),
    "png": ("Picture", "the board"),
    "gif": ("Time-lapse", "turn by turn"),
    "csv": ("Table", "for a spreadsheet"),
    "blksgf": ("Record", "for Pentobi"),
    "json": ("Everything", "as JSON"),
}
"""Kinds of files to take along: label and what they are for."""

COLORS = {
    "blue": "Blue",
    "yellow": "Yellow",
    "red": "Red",
    "green": "Green",
    "orange": "Orange",
    "purple": "Purple",
}
"""The colours as words."""

SCRIPT = {
    **{f"color.{name}": word for name, word in COLORS.items()},
    "color.empty": "Empty",
    **{f"kind.{kind}": words[0].lower() + words[1:] for kind, words in KINDS.items()},
    "and": " and ",
    "piece": "Piece {name}",
    "piece.used": "Piece {name}, placed already",
    "squares.one": "{n} square",
    "squares.many": "{n} squares",
    "about": "Turn {turn}, {squares}: {ruling}{why}.",
    "ruling.legal": "legal",
    "ruling.illegal": "disputed",
    "ruling.let_stand": "against the rules, but the table let it stand",
    "ruling.found": "it lay there at the beginning",
    "photo.before": "Before",
    "photo.after": "After",
    "photo.alt": "Photograph of the board, {when}",
    "editor.place": "Enter a placement",
    "editor.place.done": "Place it",
    "editor.place.anyway": "Place it all the same",
    "editor.place.hint": "Choose a piece, then tap the board.",
    "editor.ask": "Is this legal?",
    "editor.ask.done": "",
    "editor.ask.hint": "Choose a piece, then tap the board: nothing is placed.",
    "editor.correct": "Turn {turn}: {piece}",
    "editor.correct.done": "Correct it",
    "editor.correct.hint": "Wrong? Move it, choose another piece or colour, or set its squares.",
    "editor.right": "It is right",
    "editor.insert": "A piece was missed",
    "editor.insert.done": "Put it in",
    "editor.insert.hint": "Choose when, then the piece, then tap the board.",
    "editor.before": "Before turn {turn}, {piece}",
    "editor.misread": "What was it really?",
    "editor.misread.done": "That was it",
    "editor.misread.hint": "Move the piece, choose another, or set its squares.",
    "editor.cells": "Fix squares",
    "editor.cells.done": "Correct them",
    "editor.cells.hint": "Choose what really lies there, then tap the squares.",
    "editor.fine": "Legal, and every other move stays as it is.",
    "delete.title": "Delete this placement?",
    "rejudged.title": "Later moves are judged anew.",
    "abandon.effect": "The game ends without a winner.",
    "swap.title": "Swap the two colours?",
    "lost.title": "{piece} is lost?",
    "lost.effect": "The game goes on without it, and its squares count no more.",
    "finish.title": "Stop here?",
    "finish.effect": "The scores will be those of the board as it lies. A further piece opens the game again.",
    "claim.title": "Is {color} blocked?",
    "claim.yes": "Yes",
    "claim.no": "No",
    "claim.finished": "No: every piece is placed",
    "claim.example": "{piece} fits here. That was advice.",
    "past": "After turn {turn} of {last}: {what}",
    "past.plain": "After turn {turn} of {last}",
    "past.now": "Now, after turn {turn}. Slide to look back.",
    "past.empty": "Before the first turn",
    "puzzle.hint": "Choose a piece, then tap the board or drag the piece there.",
    "puzzle.solved": "Solved.",
    "puzzle.looking": "Looking at the board …",
    "practice.hint": "Tap squares to try a piece.",
    "undo": "Undo",
    "undo.done": "Taken back.",
    "redo": "Redo",
    "pin.right": "This device may now change the game.",
    "no.answer": "The program does not answer. Is it still running?",
    "answered": "The program answered {status}.",
}
"""The words of the page's script, by key; `{name}` is filled in there."""

SETUP = {
    "player": "Player {n}",
    "order.first": "First",
    "order.then": "then",
    "setup.looking": "Taking a picture and looking for the board \u2026",
    "setup.reading": "Reading the board at these corners \u2026",
    "setup.keeping": "Keeping these corners \u2026",
    "setup.changing": "Changing the camera \u2026",
    "setup.found": "The board was found. Look whether the lines lie on those of the board.",
    "setup.hand": "These corners were set by hand and moved onto the lines. Look whether they lie on those of the board.",
    "setup.none": "The board was not found by itself: {doubt}. Or drag the rings onto its corners.",
    "setup.moved": "Moved by hand: try these corners.",
}
"""Further words of the set-up page's script."""

CHECKS = {
    "board": "Board",
    "cell_size": "Size of a square",
    "angle": "Angle",
    "rim": "Rim",
    "brightness": "Brightness",
    "glare": "Glare",
    "sharpness": "Sharpness",
    "colour": "Colour",
    "gaps": "Gaps",
    "noise": "Noise",
    "flicker": "Flicker",
    "frame_rate": "Pictures a second",
    "steadiness": "Steadiness",
    "unread": "Squares",
    "colours": "Colours of the pieces",
}
"""What is checked of camera, light and place (`vision.check`)."""

VERDICTS = {
    "ok": "It will do.",
    "warn": "It will do, and could be better.",
    "bad": "It will not do yet.",
}
"""What the checks come to."""

PHONE = {
    "sent": "Sending pictures.",
    "camera.refused": "The browser was not allowed to use the camera: allow it for this page, then start it again.",
    "camera.none": "This device has no camera that the browser can use.",
    "camera.busy": "The camera does not open: does another app use it? It is tried again by itself.",
    "camera.stalled": "The camera gives no pictures; it is opened again.",
    "photo.sending": "Sending the photo ...",
    "photo.sent": "The photo has arrived.",
    "photo.unreadable": "This browser cannot read that file as a picture.",
    "no.answer": SCRIPT["no.answer"],
    "answered": SCRIPT["answered"],
}
"""The words of the phone's page, which needs no others."""


def title(kind: str) -> str:
    """Heading of a violation; an unknown kind is shown as it is rather than hidden."""
    return KINDS.get(kind, kind.replace("_", " ").capitalize())


def likely(p: float) -> str:
    """A probability as people say it; nothing that is offered is impossible."""
    return tr("{p} % likely").format(p=round(100 * p)) if p >= 0.01 else tr("hardly likely")


def ordinal(place: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th`` ...; other languages write `2.` or `2`."""
    if language() != "en":
        return tr("{n}th").format(n=place)
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def points(span: Span, scoring: str) -> str:
    """Points as people write them: signed where more is better."""
    if span.low == span.high and scoring == "advanced" and span.low:
        return f"{span.low:+d}".replace("-", "\u2212")
    return str(span).replace("-", "\u2212")
