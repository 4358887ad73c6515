"""Runs without a person: watching a root, and the schedulers of the machine."""
