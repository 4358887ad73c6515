"""Sentences into a page: near-duplicates folded, the most telling chosen, bullets packed."""
