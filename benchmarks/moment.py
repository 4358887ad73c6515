"""Measures what is shown at the moment it matters: python benchmarks/moment.py [tuned|blind] [--curve] [--cost]

Each half holds the memories of four kinds of agents, and prompts and tool calls that say which of them
should be shown. `tuned.json` was written beside the code, and every number in it was chosen on this
half. `blind.json` was written by someone who had not seen the code, and is measured and not tuned on.

Every memory is remembered in a root of its agent, and what is shown comes from the files that the hooks
read. BM25 is what plain ranking by words shows at a margin of the same precision.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from lithify.hooks.install import hook_command
from lithify.memory import Memory
from lithify.moment import prompts, ruling
from lithify.moment.patterns import call_of, matches, pattern_of
from lithify.text.likeness import content_stems

DATA = Path(__file__).parent / "moment"
#: A Wednesday at noon, where a call does not say when it is made.
_DAY = "2026-11-18T12:00"


class Moment(NamedTuple):
    """A prompt or a call: the memories of its agent, those to show, and what each scores."""

    given: dict[str, Any]
    known: Sequence[dict[str, Any]]
    wanted: frozenset[str]
    scores: Sequence[float]

    def shown(self, margin: float) -> list[Any]:
        """Return what is shown at a margin: with a prompt only what is about as near as the nearest."""
        return prompts.near(self.scores, self.known, margin)


def moments(half: str, score: Callable[[str, Sequence[Any]], Sequence[float]]) -> Iterator[Moment]:
    """Yield every prompt of a half with the scores of its agent's memories, and every call."""
    for agent in json.loads((DATA / f"{half}.json").read_text("utf-8"))["agents"]:
        known, names = compiled(agent["memories"])
        for one in agent["moments"]:
            wanted = frozenset(names[name] for name in one["show"])
            scores = score(one["text"], known) if one["kind"] == "prompt" else named(one, known)
            yield Moment(one, known, wanted, scores)


def compiled(memories: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Remember the memories of an agent in a root; return what the hooks read, and each name's key."""
    from lithify.compact.standing import words_key

    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.init(folder)
        for one in sorted(memories, key=lambda one: str(one["date"])):
            memory.remember(
                one["text"],
                type=one["type"],
                why=one.get("why") or "",
                when=[one["when"]] if one["when"] else [],
                at=datetime.fromisoformat(f"{one['date']}T12:00"),
                origin="user" if one["by"] == "person" else "agent",
            )
        memory.renew_moments()
        known = ruling.read_memories(folder)["memories"]
    return known, {one["name"]: words_key(one["text"]) for one in memories}


def named(one: dict[str, Any], known: Sequence[dict[str, Any]]) -> list[float]:
    """Return 1 for each memory whose triggers name a call."""
    call, now = call_of(one["tool"], one["input"]), datetime.fromisoformat(one.get("at", _DAY))
    return [
        float(any(matches(pattern_of(when), call, lambda: now) for when in memory["when"]))
        for memory in known
    ]


def bm25(prompt: str, known: Sequence[Any]) -> list[float]:
    """Rank the memories by plain BM25 over their stems."""
    docs = [[*content_stems(one["text"])] for one in known]
    mean = sum(map(len, docs)) / len(docs)
    found = [0.0] * len(docs)
    for stem in content_stems(prompt):
        holding = sum(stem in doc for doc in docs)
        weight = math.log(1 + (len(docs) - holding + 0.5) / (holding + 0.5))
        for number, doc in enumerate(docs):
            if stem in doc:
                found[number] += weight * 2.2 / (1 + 1.2 * (0.25 + 0.75 * len(doc) / mean))
    return found


def with_vectors(prompt: str, known: Sequence[Any]) -> list[float]:
    """Add the similarity of vectors to the score by words."""
    from lithify.search.vectors import embedded

    asked, *texts = embedded([prompt, *(one["text"] for one in known)])
    words = prompts.scored(prompt, known)
    return [
        word + 2.0 * max(0.0, float(asked @ text) - 0.25)
        for word, text in zip(words, texts, strict=True)
    ]


class Figures(NamedTuple):
    """What a margin shows: how much of it rightly, of what there was, and how many others get anything."""

    shown: int
    right: int
    wanted: int
    others: int
    disturbed: int

    @property
    def precision(self) -> float:
        return self.right / self.shown if self.shown else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f} ({self.right} of {self.shown})  recall {self.recall:.3f} "
            f"(of {self.wanted})  others that get anything {self.disturbed} of {self.others} "
            f"({self.disturbed / max(1, self.others):.3f})"
        )


def figures(found: Sequence[Moment], margin: float) -> Figures:
    """Count what is shown at a margin."""
    shown = right = wanted = others = disturbed = 0
    for one in found:
        keys = {memory["key"] for memory in one.shown(margin)}
        shown, right = shown + len(keys), right + len(keys & one.wanted)
        wanted += len(one.wanted)
        others += not one.wanted
        disturbed += not one.wanted and bool(keys)
    return Figures(shown, right, wanted, others, disturbed)


def best_at(found: Sequence[Moment], precision: float) -> Figures:
    """Return the figures of the lowest margin that is still as precise as asked."""
    margins = sorted({score for one in found for score in one.scores if score > 0}, reverse=True)
    kept = [f for m in margins if (f := figures(found, m)).precision >= precision]
    return max(kept, key=lambda one: one.recall, default=figures(found, math.inf))


def main() -> None:
    """Print the figures of a half."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("half", choices=("tuned", "blind"), default="tuned", nargs="?")
    parser.add_argument("--curve", action="store_true", help="precision and recall by margin")
    parser.add_argument(
        "--misses", action="store_true", help="what was shown wrongly or not at all"
    )
    parser.add_argument("--cost", action="store_true", help="what the hooks take")
    args = parser.parse_args()
    if args.cost:
        cost()
        return
    every = list(moments(args.half, prompts.scored))
    asked = [one for one in every if one.given["kind"] == "prompt"]
    calls = [one for one in every if one.given["kind"] == "call"]
    print(f"{args.half}: {len(asked)} prompts, {len(calls)} calls")
    ours = figures(asked, prompts.MARGIN)
    print(f"prompts, at the margin       {ours}")
    others = [("BM25", bm25)] + [("words and vectors", with_vectors)] * has_vectors()
    for name, score in others:
        ranked = [m for m in moments(args.half, score) if m.given["kind"] == "prompt"]
        print(f"{name + ', same precision':28} {best_at(ranked, min(ours.precision, 0.9))}")
        if args.curve:
            curve(ranked)
    print(f"calls                        {figures(calls, 1)}")
    print(f"calls that triggers name     {figures(list(map(by_trigger, calls)), 1)}")
    if args.curve:
        curve(asked)
    if args.misses:
        for one in every:
            keys = {m["key"]: m for m in one.known}
            margin = prompts.MARGIN if one.given["kind"] == "prompt" else 1
            got = {memory["key"] for memory in one.shown(margin)}
            for key in sorted(got ^ one.wanted):
                score = next(
                    s for m, s in zip(one.known, one.scores, strict=True) if m["key"] == key
                )
                told = one.given.get("text") or json.dumps(one.given["input"])[:90]
                print(
                    f"{'WRONG' if key in got else 'lacks'} {score:.2f} {told!r} | {keys[key]['text'][:90]}"
                )


def cost() -> None:
    """Print what hooks take, as ratios of one run: a prompt, and a tool call with and without a trigger."""
    with tempfile.TemporaryDirectory() as folder:
        sample, years = Path(folder) / "sample", Path(folder) / "years"
        shutil.copytree(DATA.parent.parent / "examples" / "sample", sample)
        (years / "memory").mkdir(parents=True)
        (years / "lithify.toml").write_text("")
        for number in range(1826):
            day = date(2021, 11, 1) + timedelta(days=number)
            lines = (
                f"- Task {number}-{n} of the harbour log was done and noted.\n" for n in range(8)
            )
            (years / "memory" / f"{day}.md").write_text(f"# {day}\n\n{''.join(lines)}")
        plain = Path(folder) / "plain"
        shutil.copytree(sample, plain)
        for root in (sample, years):
            memory = Memory.open(root)
            agents = json.loads((DATA / "tuned.json").read_text("utf-8"))["agents"]
            for one in (one for agent in agents for one in agent["memories"]):
                memory.log(f"Rule: {one['text']}", origin="user")
            memory.renew_moments()
        prompt = {"session_id": "s", "prompt": "Bring the payments module to its public interface."}
        call = {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls -la src"}}
        named = {**call, "tool_input": {"command": "git push"}}
        lines = {
            "python": (f"{sys.executable} -I -c pass", {}),
            "prompt, as it was": (hook_command(str(plain), event="UserPromptSubmit"), prompt),
            "prompt, sample": (hook_command(str(sample), event="UserPromptSubmit"), prompt),
            "prompt, five years": (hook_command(str(years), event="UserPromptSubmit"), prompt),
            "call, no memory": (hook_command(str(plain)), call),
            "call, no trigger matches": (hook_command(str(sample)), call),
            "call, one matches": (hook_command(str(sample)), named),
        }
        took: dict[str, list[float]] = {name: [] for name in lines}
        for turn in range(25):  # in turn, so that what else the machine does falls on all
            for name, (line, event) in lines.items():
                event = (
                    {**event, "prompt": f"{event['prompt']} {turn}"} if "prompt" in event else event
                )
                begun = time.perf_counter()
                subprocess.run(
                    ["sh", "-c", line], input=json.dumps(event).encode(), capture_output=True
                )
                took[name].append(time.perf_counter() - begun)
    found = {name: sorted(times)[len(times) // 2] * 1000 for name, times in took.items()}
    for name, base, most in (
        ("prompt, sample", "prompt, as it was", 2.0),
        ("prompt, five years", "prompt, sample", 1.2),
        ("call, no memory", "python", 0.3),
        ("call, no trigger matches", "python", 0.3),
        ("call, one matches", "python", 3.0),
    ):
        ratio = found[name] / found[base]
        print(f"{name:26} {found[name]:7.1f} ms, {ratio:5.2f} of {base} (at most {most})")


def has_vectors() -> bool:
    """Tell whether the extra is installed."""
    from lithify.search.vectors import installed

    return installed()


def by_trigger(one: Moment) -> Moment:
    """Return a call with those of its memories that have a trigger."""
    keys = {memory["key"] for memory in one.known if memory["when"]}
    return one._replace(wanted=one.wanted & keys)


def curve(found: Sequence[Moment]) -> None:
    """Print precision and recall by margin."""
    top = max(score for one in found for score in one.scores)
    for step in range(1, 20):
        print(f"  margin {top * step / 20:.2f}  {figures(found, top * step / 20)}")


if __name__ == "__main__":
    main()
