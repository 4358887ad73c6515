"""Pages that are longer than the ceiling of their tier, with the command that shortens each.

A ceiling can be lowered after a page was written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from lithify.settings import Settings
from lithify.values import Task

#: The length that a page of ours records of itself, and how far into the file it is looked for.
_RECORDED = re.compile(rb"^tokens: \{in: \d+, out: (\d+)\}\r?$", re.MULTILINE)
_HEAD = 1 << 14
#: The verifier leaves headings and list marks out of a short page's length, the record does not:
#: up to so many tokens over its ceiling, such a page would be written the same again.
_SHORT, _MARKS = 850, 50


class LongPage(NamedTuple):
    """A page over its ceiling; `setting` is the ceiling's name in `lithify.toml`."""

    path: str
    tokens: int
    ceiling: int
    setting: str
    command: str

    def __str__(self) -> str:
        return f"{self.tokens:,} tokens, over the {self.ceiling:,} of {self.setting}"


def long_pages(
    root: str | os.PathLike[str], folder: str, tasks: Iterable[Task], settings: Settings
) -> tuple[LongPage, ...]:
    """The pages that are over their ceiling and that only `--rewrite` writes again.

    `folder` is the memory folder under the root. Pages of others stay as they are, and what is
    due or stale is written again anyway: neither is in the answer.
    """
    found = []
    for task in tasks:
        if task.state != "current" or task.tier not in ("week", "month"):
            continue
        kind = "weekly" if task.tier == "week" else "monthly"
        ceiling = (settings.weekly if task.tier == "week" else settings.monthly).max_tokens
        path = "/".join([*([folder] if folder else []), kind, f"{task.period}.md"])
        tokens = _length(os.path.join(root, path))
        if tokens > ceiling + (_MARKS if tokens <= _SHORT else 0):
            command = f"lithify compact {task.tier} --period {task.period} --rewrite"
            found.append(LongPage(path, tokens, ceiling, f"{kind}.max_tokens", command))
    return tuple(found)


def _length(path: str) -> int:
    """The tokens of a page as its front matter records them, else by an estimate of its body."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            if recorded := _RECORDED.search(head):
                return int(recorded[1])
            rest = file.read()
    except OSError:
        # Another run replaces the page at this moment: it is measured next time.
        return 0
    from lithify.markdown.pages import body_of
    from lithify.text.tokens import estimate

    return estimate(body_of(head + rest))
