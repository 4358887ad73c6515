"""What a text says: its tokens, stems, dates, specifics and credentials. Pure functions of strings."""
