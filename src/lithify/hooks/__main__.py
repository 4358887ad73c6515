"""`python -m lithify.hooks EVENT [--harness NAME] [--root DIR]`: JSON in, the answer out.

Exit code 0 whatever was decided; 3 when this program itself broke, which no harness reads as a
decision of its own; 130 when it was stopped. 1 comes from Python alone: the package is not there.
"""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Answers one event; no call is ever blocked by an exit code of ours."""
    try:
        from lithify.hooks.events import answer

        named = dict(zip(argv[1::2], argv[2::2], strict=False))
        said = answer(
            named.get("--harness", "claude"),
            argv[0] if argv else "",
            sys.stdin.buffer.read(),
            named.get("--root", ""),
        )
        if said:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()
    except Exception as error:
        sys.stderr.write(f"lithify: the hook broke ({type(error).__name__}: {error})\n")
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
