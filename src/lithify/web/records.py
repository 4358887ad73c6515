"""Recall, the gate's live record, quarantine, cost, and the status of a fleet."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from lithify.calendar import parse_day
from lithify.errors import LithifyError
from lithify.gate import files
from lithify.gate.jobs import JobState
from lithify.store.places import STATE
from lithify.values import Passage, Recall, Usage
from lithify.web import markup
from lithify.web.periods import address
from lithify.web.view import HtmlPage, PageRequest, View, window

#: The most passages that are shown for one question.
PASSAGES = 24

# Recall


class ShownPassage(NamedTuple):
    """A passage with the words of the query marked, and why it was found."""

    passage: Passage
    href: str
    html: Markup
    words: Sequence[str]
    steps: Sequence[tuple[str, str, Markup]]
    newer: int


def recall(view: View, asked: PageRequest) -> HtmlPage:
    """What the days say about a query."""
    query = asked.query.get("q", "").strip()
    given = {name: asked.query.get(name, "") for name in ("as_of", "from", "to")}
    problem, answer = "", None
    if query:
        days = {name: parse_day(value) for name, value in given.items()}
        try:
            answer = view.memory.recall(
                query,
                k=PASSAGES,
                after=asked.query.get("after", ""),
                as_of=days["as_of"],
                since=days["from"],
                until=days["to"],
            )
        except LithifyError as error:
            problem = error.message
    facts = {
        "query": query,
        "given": given,
        "problem": problem,
        "answer": answer,
        "found": _found(view, answer) if answer else (),
    }
    return HtmlPage("recall.html", "Recall", facts)


def _found(view: View, answer: Recall) -> list[ShownPassage]:
    shown = []
    for passage in answer.passages:
        steps = []
        for step in passage.through:
            label = view.snapshot.tree.layout.name(step.path).label
            name = {"typed": "memory", "wisdom": "wisdom"}.get(step.tier, f"{step.tier} {label}")
            href = address(view, step.path, step.line)
            steps.append((name, href, markup.found(step.text, answer.query)))
        # The passage that gives the newer value, if it is among those found.
        newer = next(
            (n for n, one in enumerate(answer.passages, 1) if one.date == passage.superseded), 0
        )
        html = markup.found(_as_written(view, passage), answer.query)
        words = markup.matched(passage.text, answer.query)
        href = address(view, passage.path, passage.line) if passage.date else ""
        after = newer if passage.superseded else 0
        shown.append(ShownPassage(passage, href, html, words, steps, after))
    return shown


def _as_written(view: View, passage: Passage) -> str:
    """The entries of a passage as they stand in their file, each table under its header row."""
    known = view.snapshot.lookup(passage.entries)
    parts: list[str] = []
    lines, before = passage.text.split("\n"), ""
    for entry in map(known.get, passage.entries):
        if entry is None or view.snapshot.file(entry.path) is None:
            return "\n\n".join(lines)
        said = view.snapshot.as_written(entry)
        if entry.kind == "row" and before != "row" and entry.text in lines[1:]:
            header = lines[lines.index(entry.text, 1) - 1]
            said = f"{header}\n{markup.rule_below(header)}\n{said}"
        nested = before == "item" and (entry.kind == "item" or said[:1].isspace())
        if nested or before == entry.kind == "row":
            parts[-1] += f"\n{said}"
        else:
            parts.append(said)
        before = entry.kind
    return "\n\n".join(map(markup.outdented, parts))


# The gate


def gate(view: View, asked: PageRequest) -> HtmlPage:
    """The jobs of the gate, the newest first."""
    keeper = view.memory.gate
    names = files.jobs(keeper.root)[::-1]
    shown = window(names, asked.page, 30)
    states = [(keeper.full_state(job), keeper.first_prompt(job)) for job in shown.rows]
    states.sort(key=lambda one: (one[0].demand is None, not one[0].active))
    facts = {
        "window": shown,
        "jobs": [(state, view.clean(prompt), _fill(view, state)) for state, prompt in states],
        "on": keeper.settings.on,
    }
    return HtmlPage("gate.html", "Gate", facts, extra=_gate_stamp(view, shown.rows))


def job(view: View, asked: PageRequest) -> HtmlPage:
    """The live record of one job: its summaries, and what none of them covers."""
    keeper, name = view.memory.gate, asked.named["job"]
    state = keeper.full_state(keeper.require_job(name))
    shown = window(state.chain[::-1], asked.page, 20)
    facts = {
        "state": state,
        "fill": _fill(view, state),
        "window": shown,
        "rules": keeper.rules(name),
        "on": keeper.settings.on,
        "pending": [one._replace(text=view.clean(one.text)) for one in state.pending],
        "prompt": view.clean(keeper.first_prompt(name)),
    }
    return HtmlPage("job.html", f"Job {name}", facts, extra=_gate_stamp(view, [name]))


class Fill(NamedTuple):
    """How full the record of a job is, of what closes its gate."""

    fresh: int
    threshold: int
    share: float


def _fill(view: View, state: JobState) -> Fill:
    threshold = view.memory.gate.rules(state.job).threshold
    return Fill(state.fresh, threshold, min(100.0, 100 * state.fresh / threshold))


def _gate_stamp(view: View, jobs: Sequence[str]) -> str:
    """The state of the jobs' files, which grow without the rest of the root."""
    sizes = [
        (name, *(files.size(view.memory.gate.root, name, log) for log in ("interactions", "chain")))
        for name in jobs
    ]
    return hashlib.blake2b(repr(sizes).encode(), digest_size=8).hexdigest()


# What was refused, and what was spent


def quarantine(view: View, asked: PageRequest) -> HtmlPage:
    """What the verifier refused, with its reasons."""
    shown = window(view.refused, asked.page)
    return HtmlPage("quarantine.html", "Quarantine", {"window": shown})


class Spending(NamedTuple):
    """What one model used, and what that costs by today's prices."""

    engine: str
    what: str
    number: int
    usage: Usage
    cost: float | None


def cost(view: View, asked: PageRequest) -> HtmlPage:
    """What models were asked, by page and by reply, and by month."""
    spent, bought = view.memory.usage()
    pages = [Spending(s.engine, s.tier, s.pages, s.usage, _price(view, s)) for s in spent]
    replies = [Spending(b.engine, "", b.replies, b.usage, _price(view, b)) for b in bought]
    known = [one.cost for one in replies or pages if one.cost is not None]
    facts = {
        "pages": pages,
        "replies": replies,
        "total": sum(known) if known else None,
        "months": _by_month(view),
        "model": view.memory.settings.model,
        "offline": sum(c.engine == "offline" for c in view.snapshot.ledger.pages.commits.values()),
    }
    return HtmlPage("cost.html", "Cost", facts)


def _price(view: View, one: Any) -> float | None:
    price = view.memory.facts(one.engine).price if ":" in one.engine else None
    return price.of(one.usage) if price else None


def _by_month(view: View) -> list[tuple[str, int, float]]:
    """The tokens of accepted pages by the month they were written in, the newest last."""
    used: dict[str, int] = {}
    for record in view.snapshot.journal.records:
        usage = record.data.get("usage")
        if record.kind == "commit" and isinstance(usage, dict):
            count = sum(int(usage.get(key, 0)) for key in ("input", "output"))
            used[record.time[:7]] = used.get(record.time[:7], 0) + count
    most = max(used.values(), default=0) or 1
    return [(month, count, 100 * count / most) for month, count in sorted(used.items())[-24:]]


# The fleet


def fleet(view: View, asked: PageRequest) -> HtmlPage:
    """The status that a fleet has left for this root, if there is one."""
    path = os.path.join(view.memory.root, STATE, "fleet", "status.json")
    rows: list[tuple[str, str]] = []
    problem = ""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(1 << 20))
        for key, value in found.items():
            said = (
                value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
            )
            rows.append((view.clean(str(key)), view.clean(said)))
    except FileNotFoundError:
        pass
    except (OSError, ValueError, AttributeError) as error:
        problem = f"The status file cannot be read: {error}"
    return HtmlPage("fleet.html", "Fleet", {"rows": rows, "problem": problem})
