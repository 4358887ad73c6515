"""Models by their strings: how to reach them, what they cost, and what they can do.

No client library is imported, no key looked up and no file opened before the first call, so a
plan for a model can be made on a machine that cannot reach it.
"""
