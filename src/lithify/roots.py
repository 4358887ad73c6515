"""Find the root that is meant: the one named, `$LITHIFY_ROOT`, or the nearest one upwards."""

from __future__ import annotations

import os

from lithify import config
from lithify.errors import NoRoot, UsageError


def nearest_root(start: str) -> str:
    """The nearest folder, from `start` upwards, that holds `lithify.toml` or `memory/`."""
    folder, above = start, os.path.dirname(start)
    while not (
        os.path.isfile(os.path.join(folder, config.NAME))
        or os.path.isdir(os.path.join(folder, "memory"))
    ):
        if folder == above:
            raise NoRoot(where=f"at {start} or above it")
        folder, above = above, os.path.dirname(above)
    return folder


def find_root(named: str | os.PathLike[str] | None = None) -> str:
    """The root that is meant: the one named, `$LITHIFY_ROOT`, or the nearest one upwards."""
    if named is None:
        named = os.environ.get("LITHIFY_ROOT")
    if not named:
        return nearest_root(current_folder())
    place = absolute(named)
    if not is_root(place):
        missing = "" if os.path.isdir(place) else ": there is no such folder"
        raise NoRoot(where=f"at {place}{missing}")
    return place


def personal_root() -> str:
    """The root of the person's own memory, or "": `$LITHIFY_PERSONAL`, else as their settings say."""
    named = os.environ.get("LITHIFY_PERSONAL")
    if named is None:
        try:
            with open(user_settings(), "rb") as file:
                named = config.personal_in(file.read(), file.name)
        except OSError:
            named = ""
    place = os.path.expanduser(named)
    return absolute(place) if place and is_root(place) else ""


def user_settings() -> str:
    """The file of a person's settings that hold for all roots."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join("~", ".config")
    return os.path.expanduser(os.path.join(home, "lithify", config.NAME))


def usual_personal_root() -> str:
    """The folder that becomes the person's own memory where none is named."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join("~", ".local", "share")
    return os.path.expanduser(os.path.join(home, "lithify", "personal"))


def is_root(folder: str) -> bool:
    """Whether a folder holds a memory: settings, state, dated files, or files of tools like ours.

    Any other folder is refused, so that a mistyped `--root` does not become a root by itself.
    """
    usual = (config.NAME, ".lithify", "memory")
    if any(os.path.exists(os.path.join(folder, name)) for name in usual):
        return True
    if not os.path.isdir(folder):
        return False
    from lithify.store.days import unmatched
    from lithify.store.names import fold, name_file

    try:
        names = os.listdir(folder)
    except OSError:  # whoever reads it next says why it cannot be read
        return True
    return any(
        fold(name) in ("memory", "weekly", "monthly") or name_file(name, flat=True).role != "other"
        for name in names
    ) or bool(unmatched(folder).total)


def current_folder() -> str:
    """The current folder; a shell may be in one that has been deleted."""
    try:
        return os.getcwd()
    except OSError:
        raise UsageError(
            reason="the current folder was deleted; change to another one, or give --root an absolute path"
        ) from None


def absolute(path: str | os.PathLike[str]) -> str:
    """An absolute path; the current folder is read only for a relative one."""
    path = os.fspath(path)
    return path if os.path.isabs(path) else os.path.join(current_folder(), path)
