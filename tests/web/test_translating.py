"""The page in other languages: every text is translated, placeholders stay, and rulings are said in the language of whoever listens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from referee.describe import REMEDIES
from referee.events import HOW_WORDS, KIND_WORDS
from referee.options import GameOptions
from referee.practice import DEMONSTRATIONS
from referee.puzzle import SHIPPED, shipped_puzzle
from referee.sheet import Sheet
from referee.table import Table
from tests.web.conftest import Visitor
from vision import phone
from vision.colourless import GREY_CAMERA
from vision.watch import _REASONS
from vision.wrapping import PAUSED
from web import texts, translating
from web.sheets import sheet_html
from web.spoken import spoken
from web.translating import FOLDER, LANGUAGES, in_language, tr

OTHERS = [code for code in LANGUAGES if code != "en"]
PLACEHOLDER = re.compile(r"\{\w*\}")


def strings(value: object) -> Iterator[str]:
    """Every text with a letter within a table of texts."""
    if isinstance(value, str):
        if re.search(r"[A-Za-z]", value):
            yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from strings(item)


def keys() -> set[str]:
    """The English texts that the page may show: those in its templates and code, and the tables of the catalogue."""
    found = extract_from_dir(
        Path(translating.__file__).parent,
        method_map=[("templates/**.html", "jinja2"), ("**.py", "python")],
        keywords={
            "_": None,
            "tr": None,
            "Refused": None,
            "DeskError": None,
            "DecisionError": None,
            "ntr": (1, 2),
            "pgettext": ((1, "c"), 2),
        },
    )
    of_code = {message[0] if isinstance(message, tuple) else message for _, _, message, _, _ in found}
    of_code -= {"rank"}  # contexts, not texts
    levels = {level for level, _ in texts.CAMERA.values()}
    tables = {text for name in dir(texts) if name.isupper() for text in strings(getattr(texts, name))} - levels
    rules = {*KIND_WORDS.values(), *HOW_WORDS.values(), *strings(REMEDIES)}
    lessons = {text for one in DEMONSTRATIONS for text in (one.title, one.lesson)}
    return of_code | tables | rules | lessons


def catalogue_file(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def parts(text: object) -> tuple[str, ...]:
    """A text, or all forms of one that depends on a number."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text or ""),)


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_page_is_translated(language: str) -> None:
    catalogue = catalogue_file(language)
    assert len(keys()) > 300
    assert sorted(keys() - {part for message in catalogue for part in parts(message.id)}) == []
    assert [message.id for message in catalogue if message.id and not all(parts(message.string))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_fills_in_what_the_english_text_does(language: str) -> None:
    for message in catalogue_file(language):
        wanted = sorted(PLACEHOLDER.findall(parts(message.id)[-1]))
        assert [sorted(PLACEHOLDER.findall(text)) for text in parts(message.string)] == [wanted] * len(parts(message.string)), message.id


def test_a_text_that_no_catalogue_has_stays_english() -> None:
    with in_language("de"):
        assert tr("Something new that nobody has translated") == "Something new that nobody has translated"


PLACED = {"event": "placement", "color": "red", "piece": "W", "cells": [[0, 0]], "sentence": "Red W is legal."}
DISPUTED = {"event": "dispute", "color": "blue", "piece": "I3", "kinds": ["edge_contact"], "sentence": "Blue's I3 shares a side."}


@pytest.mark.parametrize(
    ("language", "placed", "disputed"),
    [
        ("en", "Red W is legal.", "Blue's I3 shares a side."),
        ("de", "Rot W ist gültig.", "Blau I3: er teilt eine Seite mit einem Stein der eigenen Farbe."),
        ("fr", "Rouge W : coup valable.", "Bleu I3 : elle partage un côté avec une pièce de sa couleur."),
        ("es", "Rojo W: jugada válida.", "Azul I3: comparte un lado con una pieza de su color."),
    ],
)
def test_a_ruling_is_said_in_the_language(language: str, placed: str, disputed: str) -> None:
    with in_language(language):
        assert (spoken(PLACED), spoken(DISPUTED)) == (placed, disputed)


def test_the_winners_are_named_in_the_language_and_people_keep_their_names() -> None:
    def over(*winners: str) -> str:
        return spoken({"event": "game_over", "scores": {"winners": list(winners)}, "sentence": "x"})

    with in_language("de"):
        assert over("Blue") == "Das Spiel ist zu Ende. Blau gewinnt."
        assert over("Blue and Red", "Ann McDonald") == "Das Spiel ist zu Ende. Blau und Rot und Ann McDonald teilen sich den Sieg."


def test_an_event_without_words_of_its_own_keeps_its_english_sentence() -> None:
    with in_language("fr"):
        assert spoken({"event": "preview", "sentence": "Nothing would change."}) == "Nothing would change."


def small_words(html: str) -> set[str]:
    """The words of a page that are no names: those that begin small."""
    return set(re.findall(r"\b[a-z]{4,}\b", re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)))


def test_the_score_sheet_speaks_the_language_of_whoever_prints_it() -> None:
    table = Table(GameOptions(touch="strict", order=("blue", "yellow", "red", "green")))
    table.decide({"decision": "place", "color": "blue", "cells": [[0, 0]]})
    table.decide({"decision": "place", "color": "yellow", "cells": [[0, 19], [0, 18]]})
    table.decide({"decision": "place", "color": "blue", "cells": [[0, 1]]})
    sheet = Sheet.of_table(table)
    made = {}
    for language in LANGUAGES:
        with in_language(language):
            made[language] = sheet_html(sheet, table.state())
    assert "1 piece placed" not in made["de"]
    for words in ("Blokus-Spielbericht", "Reihenfolge Blau, Gelb, Rot, Grün", "Hausregel", "Blau 1", "Streitfälle", "offen"):
        assert words in made["de"], words
    for language, shared in (("de", set()), ("es", {"legal"})):  # French shares too many words with English
        assert small_words(made["en"]) & small_words(made[language]) <= shared, language
    assert sheet_html(sheet, table.state()) == made["en"], "the command line speaks English"


def test_what_seeing_says_of_its_troubles_is_in_the_catalogue() -> None:
    said = {*_REASONS.values(), GREY_CAMERA, PAUSED, phone.WAITED_FOR, phone.SILENT, phone.FROZEN, phone.NEXT_PHOTO}
    assert sorted(said - {*texts.REASONS}) == []


def test_the_puzzles_that_come_along_have_their_names_in_the_catalogue() -> None:
    assert tuple(shipped_puzzle(number).title for number in range(1, SHIPPED + 1)) == texts.PUZZLES


def test_refusals_are_told_in_the_page_s_language(browser: Visitor) -> None:
    browser.client.set_cookie(translating.COOKIE, "de")
    said = browser.client.get("/api/no/such/page").get_json()["message"]
    assert said == "Diese Seite gibt es nicht."
    assert browser.post("/api/session", ["no object"]).get_json()["message"].startswith("Der Inhalt muss ein JSON-Objekt sein")


def test_several_pieces_are_called_so() -> None:
    with in_language("de"):
        assert spoken({"event": "dispute", "kinds": ["piece_removed"], "sentence": "Several pieces."}).startswith("Mehrere Steine")
        assert spoken({"event": "dispute", "kinds": ["unexplained"], "sentence": "Some squares."}).startswith("Einige Felder")
