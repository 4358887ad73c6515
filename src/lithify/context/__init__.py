"""What a session starts with, and single pages as an agent may read them."""
