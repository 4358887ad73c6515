"""Measures what is shown at the moment it matters: python benchmarks/moment.py [HALF] [--misses] [--cost]

Each half holds the memories of four kinds of agents, and prompts and tool calls that say which of them
should be shown. `tuned.json` was written beside the code, `blind.json` by someone who had not seen it;
both have been looked at since. `patterns.json` has the patterns of each memory of both, as an agent
gives them who sees the memories and what `remember` tells of patterns, and no moments.

Other data is measured with `--data FILE --patterns FILE`; `--check` reads the moments of neither and only
says which patterns `remember` refuses, so that their writer can put them right as an agent would. What is
refused is left out when it is measured.

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from lithify.compact.standing import words_key
from lithify.hooks.install import hook_command
from lithify.memory import Memory
from lithify.moment import prompts, ruling
from lithify.moment.compiled import fault_of, too_broad
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

    def shown(self, margin: float) -> set[str]:
        """Return the keys of what scores so much."""
        pairs = zip(self.known, self.scores, strict=True)
        return {memory["key"] for memory, score in pairs if score >= margin}


def moments(
    agents: Sequence[Mapping[str, Any]],
    patterns: Mapping[str, Sequence[str]] | None,
    score: Callable[..., Sequence[float]],
) -> Iterator[Moment]:
    """Yield every prompt and call with the scores of its agent's memories.

    Without patterns the memories have none, and their own words name their calls.
    """
    for agent in agents:
        known, names = compiled(agent["memories"], patterns)
        for one in agent["moments"]:
            wanted = frozenset(names[name] for name in one["show"])
            yield Moment(one, known, wanted, score(one, known))


def given(
    one: Mapping[str, Any], patterns: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the patterns of a memory, each with what is wrong with it."""
    for pattern in (*([one["when"]] if one["when"] else []), *patterns.get(one["name"], ())):
        yield pattern, fault_of(pattern) or (pattern != one["when"] and too_broad(pattern)) or ""


def compiled(
    memories: Sequence[dict[str, Any]], patterns: Mapping[str, Sequence[str]] | None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Remember the memories of an agent in a root; return what the hooks read, and each name's key."""
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.init(folder)
        for one in sorted(memories, key=lambda one: str(one["date"])):
            when = () if patterns is None else given(one, patterns)
            memory.remember(
                one["text"],
                type=one["type"],
                why=one.get("why") or "",
                when=[pattern for pattern, fault in when if not fault],
                at=datetime.fromisoformat(f"{one['date']}T12:00"),
                origin="user" if one["by"] == "person" else "agent",
            )
        memory.renew_moments()
        known = ruling.read_memories(folder)["memories"]
    return known, {one["name"]: words_key(one["text"]) for one in memories}


def by_patterns(one: dict[str, Any], known: Sequence[dict[str, Any]]) -> list[float]:
    """Return 1 for each memory with a pattern that names a prompt or a call."""
    now = datetime.fromisoformat(one.get("at", _DAY))
    if one["kind"] == "prompt":
        return [float(bool(when)) for when in prompts.named(one["text"], known, lambda: now)]
    call = call_of(one["tool"], one["input"])
    return [
        float(any(matches(pattern_of(when), call, lambda: now) for when in memory["when"]))
        for memory in known
    ]


def bm25(one: dict[str, Any], known: Sequence[dict[str, Any]]) -> list[float]:
    """Rank the memories by plain BM25 over their stems; calls have no words."""
    docs = [[*content_stems(one["text"])] for one in known]
    mean = sum(map(len, docs)) / len(docs)
    found = [0.0] * len(docs)
    for stem in content_stems(one.get("text", "")):
        holding = sum(stem in doc for doc in docs)
        weight = math.log(1 + (len(docs) - holding + 0.5) / (holding + 0.5))
        for number, doc in enumerate(docs):
            if stem in doc:
                found[number] += weight * 2.2 / (1 + 1.2 * (0.25 + 0.75 * len(doc) / mean))
    return found


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
        keys = one.shown(margin)
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
    parser.add_argument("half", default="tuned", nargs="?", help="tuned or blind")
    parser.add_argument("--data", type=Path, help="another file of the form of a half")
    parser.add_argument("--patterns", type=Path, help="the patterns of each memory by its name")
    parser.add_argument("--check", action="store_true", help="only tell which patterns are refused")
    parser.add_argument(
        "--misses", action="store_true", help="what was shown wrongly or not at all"
    )
    parser.add_argument("--cost", action="store_true", help="what the hooks take")
    args = parser.parse_args()
    if args.cost:
        cost()
        return
    agents = json.loads((args.data or DATA / f"{args.half}.json").read_text("utf-8"))["agents"]
    if args.patterns:
        patterns = json.loads(args.patterns.read_text("utf-8"))
    else:
        patterns = json.loads((DATA / "patterns.json").read_text("utf-8"))[args.half]
    for memory in (memory for agent in agents for memory in agent["memories"]):
        for pattern, fault in given(memory, patterns):
            if fault:
                print(f"refused, {memory['name']}: {fault}" + f" ({pattern})" * args.check)
    if args.check:
        return
    every = list(moments(agents, patterns, by_patterns))
    asked = [one for one in every if one.given["kind"] == "prompt"]
    calls = [one for one in every if one.given["kind"] == "call"]
    print(f"{args.data or args.half}: {len(asked)} prompts, {len(calls)} calls")
    ours = figures(asked, 1)
    print(f"prompts                      {ours}")
    ranked = [m for m in moments(agents, patterns, bm25) if m.given["kind"] == "prompt"]
    print(f"BM25, same precision         {best_at(ranked, min(ours.precision, 0.9))}")
    print(f"calls                        {figures(calls, 1)}")
    bare = [m for m in moments(agents, None, by_patterns) if m.given["kind"] == "call"]
    print(f"calls, by rules' own words   {figures(bare, 1)}")
    if args.misses:
        for one in every:
            texts, got = {m["key"]: m["text"] for m in one.known}, one.shown(1)
            told = one.given.get("text") or json.dumps(one.given["input"])[:90]
            for key in sorted(got ^ one.wanted):
                print(f"{'WRONG' if key in got else 'lacks'} {told!r} | {texts[key][:90]}")


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


if __name__ == "__main__":
    main()
