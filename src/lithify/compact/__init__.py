"""Compaction: plan what is due, show it to a writer, have it verified, commit it."""
