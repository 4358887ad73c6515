"""`python -m lithify` is the command `lithify`."""

try:
    from lithify.cli import main
except KeyboardInterrupt:
    raise SystemExit(130) from None

if __name__ == "__main__":
    main()
