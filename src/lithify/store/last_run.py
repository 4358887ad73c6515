"""How the last automatic run (`watch` or `schedule`) ended, in `.lithify/last-run.json`."""

from __future__ import annotations

import contextlib
import json
from datetime import date
from typing import NamedTuple

from lithify.errors import LithifyError
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.places import Root

_NAME = "last-run.json"
#: The first word of the commands that belong to a daily schedule, and the days it may skip: a
#: machine may be off.
_SCHEDULE, _DAILY = "schedule", 2
#: What is kept as the last run where a schedule is new and has not run yet.
INSTALLED = f"{_SCHEDULE} install"


class LastRun(NamedTuple):
    """When a run ended, which command made it, and why it failed; empty where it did not."""

    time: str = ""
    command: str = ""
    failure: str = ""


def silent_days(run: LastRun, today: date) -> int:
    """For how many days a schedule has not run, if that is longer than it should be."""
    if not run.command.startswith(_SCHEDULE):
        return 0
    days = (today - date.fromisoformat(run.time[:10])).days
    return days if days > _DAILY else 0


def last_run(root: Root) -> LastRun:
    """The last automatic run; an empty one where there was none."""
    try:
        data = json.loads(disk.read(places.state(root, _NAME)))
        date.fromisoformat(data["time"][:10])
        return LastRun(str(data["time"]), str(data["command"]), str(data["failure"]))
    except (LithifyError, ValueError, KeyError, TypeError):
        return LastRun()


def save_run(root: Root, run: LastRun) -> None:
    """Keep how a run ended; a root that cannot be written does without."""
    with contextlib.suppress(LithifyError), locked(places.lock(root)):
        data = json.dumps(run._asdict(), ensure_ascii=False).encode("utf-8", "replace")
        disk.put(root, places.state(root, _NAME), data)


def clear_run(root: Root) -> None:
    """Forget the last run, because nothing runs automatically any more."""
    with contextlib.suppress(LithifyError):
        disk.remove(places.state(root, _NAME))
