"""Answers the events of agent harnesses: `python -m lithify.hooks EVENT`. Standard library only."""
