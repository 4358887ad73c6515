"""`python -m lithify.cli`."""

from lithify.cli import main

main()
