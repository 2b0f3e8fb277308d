"""`python -m web.cli` is the console script where none is installed."""

from __future__ import annotations

from web.cli import main

if __name__ == "__main__":
    main(prog_name="blokus-referee")
