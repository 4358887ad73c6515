"""Find credentials and words in texts, and take them out of a root."""
