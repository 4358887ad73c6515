"""Drives the real agent clients against a scripted model. `make live` runs it; see `live/__main__.py`."""
