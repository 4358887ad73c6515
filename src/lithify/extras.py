"""Which command installs an optional part of Lithify into the Python that runs it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from lithify.errors import NotInstalled


def install_command(extra: str) -> str:
    """The command that adds an extra here: by pip, pipx or uv, as Lithify itself was installed."""
    return pip_install(f"'lithify[{extra}]'")


def pip_install(what: str) -> str:
    """The command that installs `what` beside Lithify."""
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
    """The error for something that needs a package of an extra; `user` begins the sentence."""
    return NotInstalled(user=user, what=what, command=install_command(extra))
