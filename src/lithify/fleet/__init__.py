"""Compaction of many roots: each root a durable workflow, each call and each commit a step of it.

DBOS keeps the workflows in one database, SQLite for one machine and PostgreSQL for many. The files
of a root stay the truth: a workflow that is taken over starts from what they say.
"""
