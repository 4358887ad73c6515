"""The command line: a file for each subject, loaded only when one of its commands is called.

Nothing is imported here, so that Ctrl-C while the rest loads ends with exit code 130.
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
        from lithify.platform import set_up_streams

        set_up_streams()
        run()
    except KeyboardInterrupt as interrupt:
        import signal

        # A second Ctrl-C must not print a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        said = interrupt.args[0] if interrupt.args else "interrupted; what was finished is kept"
        sys.stderr.write(f"lithify: {said}\n")
        # Python remembers an interrupt raised inside exec() and would end by the signal: clear it.
        exec("")
        sys.exit(130)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lithify.cli import commands

    return getattr(commands, name)
