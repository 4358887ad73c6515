"""The search index: which entry holds which terms. It is derived from the files and can be rebuilt."""
