"""The command line: one file per noun, each loaded only when it is called.

Nothing is loaded here, so that whoever is stopped while the rest loads leaves in order.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lithify.cli.commands import COMMANDS, lithify

__all__ = ["COMMANDS", "lithify", "main"]


def main() -> None:
    """Run the command and leave with a documented exit code."""
    try:
        from lithify.cli.commands import run

        run()
    except KeyboardInterrupt:
        import signal

        # Once is enough: who is impatient does not see where Python was.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("lithify: interrupted; what was finished is in force\n")
        # Python remembers an interrupt that came while it ran a text, and would die by the signal.
        exec("")
        sys.exit(130)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lithify.cli import commands

    return getattr(commands, name)
