"""What memory gives back: the words of the days, and the block a session starts with."""
