"""An open root: where it is, its settings, its time, its snapshot and its lock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from lithify import config
from lithify.calendar import Clock, system_clock, zone
from lithify.errors import NoRoot, UsageError
from lithify.secrets.state import RootKey
from lithify.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from lithify.compact.plan import Ask
    from lithify.compact.snapshot import Snapshot
    from lithify.engines.base import Engine


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


def chosen_root(named: str | os.PathLike[str] | None = None) -> str:
    """The root that is meant: the one named, `$LITHIFY_ROOT`, or the nearest one upwards."""
    if named is None:
        named = os.environ.get("LITHIFY_ROOT")
    if not named:
        return nearest_root(here())
    place = placed(named)
    if not is_root(place):
        missing = "" if os.path.isdir(place) else ": there is no such folder"
        raise NoRoot(where=f"at {place}{missing}")
    return place


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


def here() -> str:
    """The current folder; a shell may be in one that has been deleted."""
    try:
        return os.getcwd()
    except OSError:
        raise UsageError(
            reason="the current folder was deleted; change to another one, or give --root an absolute path"
        ) from None


def placed(path: str | os.PathLike[str]) -> str:
    """An absolute path; the current folder is read only for a relative one."""
    path = os.fspath(path)
    return path if os.path.isabs(path) else os.path.join(here(), path)


class OpenRoot:
    """A root with its settings and clock: what every operation on a memory starts from."""

    def __init__(
        self, root: str | os.PathLike[str], settings: Settings, clock: Clock = system_clock
    ) -> None:
        self._place = os.fspath(root)
        # The marks for secrets are those of this root.
        redact = settings.redact._replace(key=RootKey(self._place))
        self.settings = settings._replace(redact=redact)
        self._clock = clock

    @cached_property
    def root(self) -> Path:
        """The folder of this memory."""
        # `pathlib` is loaded late: recall does without it and starts sooner.
        from pathlib import Path

        return Path(self._place)

    def now(self) -> datetime:
        """The present moment in the root's zone."""
        return self._clock().astimezone(zone(self.settings.zone))

    def today(self) -> date:
        return self.now().date()

    def snapshot(self) -> Snapshot:
        """The root as it is now."""
        # Loaded late: recall answers without reading pages or planning.
        from lithify.compact.snapshot import Snapshot
        from lithify.store.recover import finish_rewrite

        finish_rewrite(self.root)
        return Snapshot(self.root, self.settings)

    def ask(
        self, engine: Engine | None = None, *, include_current: bool = False, retry: bool = False
    ) -> Ask:
        """The conditions of a plan; without an engine, the failures of every engine count."""
        from lithify.compact.plan import Ask

        mark = engine.mark if engine else None
        return Ask(self.today(), mark, include_current, retry)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the root against other writers, and finish or undo what a crash interrupted."""
        from lithify.store import places
        from lithify.store.commit import in_steps, recover
        from lithify.store.lock import locked

        with locked(places.compact_lock(self.root), wait=False):
            recover(self.root)
            with in_steps(self.root):
                yield
