"""Shows a rule before the tool call that its trigger names, and has guards ask or refuse."""
