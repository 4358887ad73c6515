"""What became of a matter: settled, still open, changed, counted up, told on over the weeks."""
