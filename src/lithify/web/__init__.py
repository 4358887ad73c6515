"""The viewer: a root as pages in a browser, served on this machine only.

Loaded by `lithify serve` alone, because it needs the packages of the extra `web`.
"""
