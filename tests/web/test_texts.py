"""The catalogue of words: everything that the page's script says is in it, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import web
from web import texts

SCRIPTS = "\n".join(path.read_text("utf-8") for path in sorted(Path(web.__file__).parent.joinpath("static").glob("*.js")))
KEY = r"[a-z.]+"
WORDS = {**texts.SCRIPT, **texts.SETUP, **texts.PHONE}  # every page has the first, and its own


def said() -> set[str]:
    """Keys that stand in the script whole, as arguments of ``say`` and ``counted``, in a choice between two or in a table."""
    calls = re.findall(r"(?:say|counted)\(((?:[^()`]|\([^()]*\))*)\)", SCRIPTS)
    tables = re.findall(r"const [A-Z_]+ = (\{[^}]*\});", SCRIPTS)
    return {key for call in (*calls, *tables) for key in re.findall(rf'"({KEY})"', call)}


def prefixes() -> set[str]:
    """What keys begin with that are put together in the script."""
    return set(re.findall(rf"say\([^`)]*`({KEY})\$", SCRIPTS)) | set(re.findall(rf": `({KEY})\$", SCRIPTS))


def test_everything_the_script_says_is_in_the_catalogue() -> None:
    known = {*WORDS, *(key.removesuffix(".one") for key in WORDS)}
    assert {key for key in said() if key not in known} == set()
    assert {prefix for prefix in prefixes() if not any(key.startswith(prefix) for key in WORDS)} == set()


def test_the_catalogue_has_nothing_that_nobody_says() -> None:
    whole = {*said(), *(f"{key}.{number}" for key in said() for number in ("one", "many"))}
    unused = {key for key in WORDS if key not in whole and not key.startswith(tuple(prefixes()))}
    assert unused == set()


def test_the_script_holds_no_sentences_of_its_own() -> None:
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", SCRIPTS, flags=re.DOTALL)
    assert re.findall(r'"[A-Z][a-z]+ [a-z]+[^"]*"', code) == []
