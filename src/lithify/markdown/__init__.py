"""Markdown in and out: bytes to entries and back, byte for byte."""
