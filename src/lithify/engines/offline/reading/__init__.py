"""Entries read into sentences: their words, labels, headings, dates and specifics."""
