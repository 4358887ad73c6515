"""`python -m lithify` is the command `lithify`."""

from lithify.cli import main

if __name__ == "__main__":
    main()
