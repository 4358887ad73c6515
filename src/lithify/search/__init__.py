"""From a question to the lines that answer it, and from a root to the start of a session."""
