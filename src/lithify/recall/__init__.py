"""Recall: the passages of the days that answer a query, and the context a session starts with."""
