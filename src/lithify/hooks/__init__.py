"""Harness events in, decisions out: `python -m lithify.hooks EVENT`. Standard library only."""
