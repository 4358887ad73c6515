"""Lithify inside other tools: one file for each."""
