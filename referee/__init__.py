"""The rules of Blokus and the state of a refereed game; no pictures, no clock, no network."""
