"""From a question to the lines that answer it."""
