"""Errors people read. A class is its sentence and its exit code.

The docstring is the message, filled from the keywords given; `hint` says what to do.
"""

from __future__ import annotations


class LithifyError(Exception):
    """Something went wrong: {reason}"""

    exit_code = 1

    def __init__(self, **facts: object) -> None:
        self.facts = facts
        template = type(self).__doc__ or ""
        super().__init__(template.format(**facts))

    @property
    def message(self) -> str:
        return str(self)


class UsageError(LithifyError):
    """{reason}"""

    exit_code = 2


class NoRoot(LithifyError):
    """No memory root {where}. Run `lithify init` there, or name another with --root DIR."""

    exit_code = 2


class ConfigError(LithifyError):
    """{file}: {reason}"""


class StorageError(LithifyError):
    """Cannot {action} {path}: {reason}. Nothing was changed; the last version is kept."""

    @property
    def cause(self) -> str:
        """What failed, without what it means for the whole command."""
        return "cannot {action} {path}: {reason}".format(**self.facts)


class NotWritable(StorageError):
    """Cannot {action} {path}: {reason}. Nothing was changed. A sandbox may forbid this command to write there: hand the summary in with the MCP tool submit_summary if you have it, or ask the person to allow the command or to run it in a terminal."""


class NotShown(LithifyError):
    """What was found is in part from untrusted sources ({sources}), and it cannot be recorded that this session read them: {reason} So nothing of it is shown."""


class NoLocks(LithifyError):
    """The file system of {path} has no file locks ({reason}), and without them two programs could write at once. Keep the root on a local disk."""


class Locked(LithifyError):
    """Another run is working on this root ({holder}). Try again when it is done."""

    exit_code = 5


class OutsideRoot(LithifyError):
    """{path} leads out of the root; it is neither read nor written."""


class ThroughLink(OutsideRoot):
    """{path} is a link or lies behind one; it is neither written nor removed. Put a file or folder in the link's place."""


class UnknownReference(LithifyError):
    """Nothing here is called {ref}. {hint}"""


class NoRun(UnknownReference):
    """No fleet run was started yet. Start one with `lithify fleet run ROOT...`; `lithify fleet --help` lists the commands."""


class NothingToTrace(UnknownReference):
    """{ref} cannot be traced: {reason}"""


class PromptError(LithifyError):
    """{file}: {reason}"""


class ModelError(LithifyError):
    """The model {model} gave no usable reply: {reason}"""


class NeedsTerminal(LithifyError):
    """{action} needs a person: at a terminal, or in the viewer by the link that `lithify serve` prints.{hint}"""

    exit_code = 2

    def __init__(self, action: str, hint: str = "") -> None:
        super().__init__(action=action, hint=hint and f" {hint}")


class Unfinished(StorageError):
    """Cannot {action} {path}: {reason}. The change itself is recorded; the next run puts it in place."""


class PartlyDone(StorageError):
    """Cannot {action} {path}: {reason}. What was done before that is kept; run the command again to do the rest."""


class NotInstalled(LithifyError):
    """{user} needs {what}, which is not installed. Run: {command}"""

    exit_code = 2


class ModelDenied(LithifyError):
    """The model {model} cannot be used: {reason}. Nothing was paid for; what was written is kept."""


class BrokenRun(LithifyError):
    """The run stopped because of a bug in lithify ({reason}). What was finished is kept."""


class BudgetReached(LithifyError):
    """Stopped before a call that could cross the limit of {limit}: {spent} is used, and the call may need up to {next}. What was written is kept; run again with a higher limit to go on."""

    exit_code = 6


# Which command installs an optional part of Lithify into the Python that runs it.


def install_command(extra: str, *beside: str, then: str = "") -> str:
    """Return the command that adds an extra here: by pip, pipx or uv, as Lithify itself was installed.

    Lithify is on no package index yet, so it is run in a clone. `beside` are further packages of the
    clone, `then` is a command that comes after.
    """
    command = pip_install(" ".join([*beside, f"'.[{extra}]'"]))
    return f"{command}{then and ' && '}{then}  # in a clone of Lithify"


def pip_install(what: str) -> str:
    """Return the command that installs `what` beside Lithify."""
    # Loaded late: every start of the command loads this file.
    import os
    import shlex
    import shutil
    import sys

    folders = sys.prefix.replace("\\", "/").split("/")
    python = shlex.quote(sys.executable)
    if "pipx" in folders:
        return f"pipx runpip lithify install {what}"
    if folders[-3:-1] == ["uv", "tools"]:
        return f"uv pip install --python {python} {what}"
    pip = shutil.which("pip")
    if pip and os.path.dirname(os.path.abspath(pip)) == os.path.dirname(sys.executable):
        return f"pip install {what}"
    return f"{python} -m pip install {what}"


def missing(user: str, what: str, extra: str) -> NotInstalled:
    """Make the error for something that needs a package of an extra; `user` begins the sentence."""
    return NotInstalled(user=user, what=what, command=install_command(extra))
