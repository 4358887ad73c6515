"""Answers the events of agent clients: `python -m lithify.hooks EVENT`. Standard library only."""
