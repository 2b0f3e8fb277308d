"""The page in other languages: English texts are the keys of gettext catalogues, one `languages/<code>.po` each.

A text that a catalogue lacks is shown in English rather than not at all.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Fran\u00e7ais", "es": "Espa\u00f1ol"}
"""Languages of the page by code, each with its own name for itself."""

COOKIE = "language"
"""Name of the cookie that holds a device's choice."""

FOLDER = Path(__file__).with_name("languages")


_spoken: ContextVar[str] = ContextVar("spoken", default="")


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The translations into a language of `LANGUAGES`; English needs none."""
    if language == "en":
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with (FOLDER / f"{language}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def language() -> str:
    """The language to speak: the one of `in_language`, else the device's choice, else what its browser asks for, else English."""
    if spoken_here := _spoken.get():
        return spoken_here
    # Loaded here, for the commands share these words and start without it.
    from flask import has_request_context, request

    if not has_request_context():
        return "en"
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(list(LANGUAGES)) or "en"


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Speak a language where no request says which, as in a stream that outlives its request."""
    token = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(token)


def tr(text: str) -> str:
    """A text in the language of the present request."""
    return catalogue(language()).gettext(text) if text else ""


def number(value: int) -> str:
    """A whole number as it is written in the language of the present request, its thousands set apart."""
    from babel.numbers import format_decimal

    return format_decimal(value, locale=language())


def ptr(context: str, text: str) -> str:
    """A text that means different things in English, in the language of the present request."""
    return catalogue(language()).pgettext(context, text)


def ntr(one: str, many: str, number: int) -> str:
    """A text that depends on a number, in the language of the present request."""
    return catalogue(language()).ngettext(one, many, number)


def install(templates: Environment) -> None:
    """Let templates say `_("...")`, and know the language and those to choose from."""
    templates.add_extension("jinja2.ext.i18n")
    # The extension adds this method to the environment.
    templates.install_gettext_callables(tr, ntr, pgettext=ptr)  # type: ignore[attr-defined]
    templates.globals.update(language=language, languages=LANGUAGES)
