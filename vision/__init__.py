"""Reading a board in pictures and watching a game through them; no web, no terminal, no database."""
