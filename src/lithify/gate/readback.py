"""What a session is told of a job: the last summary whole, the older ones rolled up."""

from __future__ import annotations

from collections.abc import Sequence

from lithify.gate.jobs import Summary, in_view
from lithify.gate.submission import NOTHING, bodies
from lithify.gate.texts import LIMIT, count_of, shortened, summary_text

#: A summary gets at least this many characters, or is only counted.
_LEAST = 200


def read_back(job: str, chain: Sequence[Summary], limit: int = LIMIT) -> str:
    """The job's chain in fewer than `limit` characters, oldest first; empty where there is none."""
    if not chain:
        return ""
    view = in_view(chain)
    last = [one for one in view if one is _newest_of(view, one.topic)]
    older = [one for one in view if one not in last]
    # With many topics the last of each may not fit; the newest of all does.
    kept: list[tuple[int, str]] = []
    room = limit - 200
    for number, one in enumerate(reversed(last)):
        text = summary_text(one)
        if number == 0:
            text = shortened(text, room)
        elif len(text) > room:
            older.append(one)
            continue
        kept.append((one.seq, text))
        room -= len(text) + 2
    older.sort(key=lambda one: one.seq)
    rolled, counted = _rolled(older, room)
    lines = [text for _, text in sorted([*kept, *rolled])]
    if counted:
        when = dict.fromkeys(one.time[:10] for one in (counted[0], counted[-1]))
        older_ones = count_of(len(counted), "older summary", "older summaries")
        lines.insert(0, f"[{older_ones}, {' to '.join(when)}: lithify gate chain --job {job}]")
    return "\n\n".join(lines)


def rolled_up(one: Summary, room: int) -> str:
    """The gist of a summary: the beginning of each of its sections."""
    topic = f", topic {one.topic}" if one.topic else ""
    head = f"[summary {one.seq}{topic}, {one.time[:10]}, rolled up]"
    parts = [(name, " ".join(body.split())) for name, body in bodies(one.text) if body != NOTHING]
    left = room - len(head)
    lines = [head]
    for number, (name, body) in enumerate(parts):
        share = left // (len(parts) - number) - len(name) - 4
        if share < 20:
            break
        line = f"\n{name}: {_begin(body, share)}"
        lines.append(line)
        left -= len(line)
    return "".join(lines)


def _newest_of(view: Sequence[Summary], topic: str) -> Summary:
    return [one for one in view if one.topic == topic][-1]


def _rolled(older: Sequence[Summary], room: int) -> tuple[list[tuple[int, str]], list[Summary]]:
    """The newest of them with the most room, and those there was no room for."""
    fit = min(len(older), room // _LEAST)
    chosen = older[len(older) - fit :]
    weights = [1 / (age + 1) for age in range(fit)][::-1]
    spare = room - fit * _LEAST
    rolled = []
    for one, weight in zip(chosen, weights, strict=True):
        share = _LEAST + int(spare * weight / sum(weights)) - 2
        rolled.append((one.seq, rolled_up(one, share)))
    return rolled, list(older[: len(older) - fit])


def _begin(text: str, room: int) -> str:
    """As many whole sentences as fit, else as many words."""
    if len(text) <= room:
        return text
    cut = text[:room]
    for mark in (". ", "! ", "? ", "; "):
        end = cut.rfind(mark)
        if end > room // 3:
            return cut[: end + 1]
    return cut[: max(cut.rfind(" "), room // 2) - 1].rstrip() + "…"
