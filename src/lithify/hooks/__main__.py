"""`python -m lithify.hooks EVENT [--harness NAME] [--root DIR]`: JSON in, the answer out.

The exit code is 0 whatever was decided, 3 if this program broke (no client takes that for a
decision) and 130 if it was interrupted. Python itself exits with 1 if the package is missing.

Users' settings hold this command line: the module, the events and the options must not change.
"""

from __future__ import annotations

import sys


def main(argv: list[str]) -> int:
    """Answer one event. The exit code never blocks a call."""
    try:
        from lithify.hooks.events import answer
        from lithify.limits import HOOK_EVENT

        named = dict(zip(argv[1::2], argv[2::2], strict=False))
        said = answer(
            named.get("--harness", "claude"),
            argv[0] if argv else "",
            sys.stdin.buffer.read(HOOK_EVENT + 1),
            named.get("--root", ""),
        )
        if said:
            # The clients read UTF-8, whatever the console's encoding is.
            sys.stdout.buffer.write(f"{said}\n".encode("utf-8", "replace"))
            sys.stdout.flush()
    except Exception as error:
        from lithify.secrets.redact import redact

        said = redact(f"{type(error).__name__}: {error}")
        sys.stderr.write(f"lithify: the hook broke ({said})\n")
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
