"""What `write next` and `write submit` cost on a long log, as ratios to a tenth of it.

    python benchmarks/orders.py [--days 60] [--tokens 20000] [--runs 3]

The log is made: sentences of a chain over the words of the sample root, from a fixed seed, under
headings, as list items and paragraphs, hardly one of them marked, and each day some pages from the
web, which nothing else may repeat. The tenth is its first days. Costs are the processor time of the
command and its children, user and system, as medians of runs in turn.

`cold` is the first `write next`, which reads the log. `next` asks again when nothing has changed,
`logged` after an entry was added to the newest day, `submit` hands in a reply to the first order.
Each submit works on a copy of the root as it was, with the times of its files.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path

from lithify.memory import Memory
from lithify.text.tokens import estimate

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "examples" / "sample" / "memory"
LITHIFY = str(Path(sys.executable).parent / "lithify")
#: A Monday, so that the tenth holds most of the first week.
FIRST = date(2025, 3, 3)
#: The most bullets of a reply.
BULLETS = 12
#: Entries a day that were captured from the web.
WEB = 3
#: What `write next` and `write submit` may cost on the log, of what they cost on its tenth.
GOAL = 1.5


class Prose:
    """Sentences that nobody wrote: each word follows one that it follows in the sample's days."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._after: dict[str, list[str]] = {}
        for path in sorted(SAMPLE.glob("*.md")):
            words = re.findall(r"[A-Za-z][\w'.-]*\w|\d[\d.,:%]*\w?", path.read_text())
            for word, following in pairwise(words):
                self._after.setdefault(word, []).append(following)
        self._words = sorted(self._after)

    def sentence(self) -> str:
        word = self._random.choice(self._words)
        words = [word]
        for _ in range(self._random.randint(8, 22)):
            word = self._random.choice(self._after.get(word) or self._words)
            words.append(word)
        # A number of its own keeps sentences apart, as ticket numbers do.
        words.insert(self._random.randrange(len(words)), f"#{self._random.randrange(10**6)}")
        text = " ".join(words)
        return f"{text[0].upper()}{text[1:]}."

    def day(self, tokens: int) -> str:
        """A day of about so many tokens."""
        lines: list[str] = []
        count = 0
        while count < tokens:
            if not lines or self._random.random() < 0.05:
                lines += ["", f"## {' '.join(self.sentence().split()[:4])}", ""]
            said = " ".join(self.sentence() for _ in range(self._random.randint(1, 3)))
            kind = self._random.random()
            if kind < 0.0001:
                said = f"- Rule: {said}"
            elif kind < 0.7:
                said = f"- {self._random.randint(8, 19):02}:{self._random.randint(0, 59):02} {said}"
            else:
                said = f"{said}\n"
            lines.append(said)
            count += estimate(said)
        return "\n".join(lines).lstrip() + "\n"


def cpu_seconds(argv: Sequence[str], text: str = "") -> tuple[float, str]:
    """What a command costs the processor with its children, and what it printed."""
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as given:
        given.write(text)
        given.seek(0)
        process = subprocess.Popen(argv, stdin=given, stdout=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        printed = said.read()
    if process.returncode not in (0, 4):
        sys.exit(f"{' '.join(argv)}: exit {process.returncode}\n{printed}")
    return usage.ru_utime + usage.ru_stime, printed


def make(root: Path, days: Mapping[date, str], web: Mapping[date, Sequence[str]]) -> None:
    (root / "memory").mkdir(parents=True)
    (root / "lithify.toml").write_text('model = "agent"\n')
    memory = Memory.open(root)
    for day, text in days.items():
        path = root / "memory" / f"{day}.md"
        path.write_text(text)
        for said in web[day]:
            memory.log(said, at=datetime.combine(day, time(20)), origin="web")
        # Old enough that their times can be trusted: a file written just now is read again.
        os.utime(path, (1_700_000_000, 1_700_000_000))


def copied(root: Path, place: Path) -> Path:
    """A copy of a root whose digests are known: the copy's files have inodes of their own."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(root, place)
    cpu_seconds([LITHIFY, "write", "next", "--root", str(place)])
    return place


def reply_to(prompt: str) -> str:
    """A page that the verifier takes: lines of the order in their own words, with their labels."""
    lines = re.findall(r"(?m)^(?:- )?\[(e\d+)\] (?:\d\d:\d\d )?(.+)$", prompt)
    bullets = [f"- {text} [{label}]" for label, text in lines[:BULLETS]]
    sections = re.findall(r"(?m)^### .+$", prompt)
    return "\n".join([sections[-1] if sections else "### Context", *bullets, "", "NONE"]) + "\n"


def measured(root: Path, place: Path) -> dict[str, float]:
    """What each command costs on this root; the root itself is only read, once it is warm."""
    ask = [LITHIFY, "write", "next", "--json", "--root"]
    here = copied(root, place)
    costs = {"next": cpu_seconds([*ask, str(here)])[0]}
    cpu_seconds([LITHIFY, "log", "Nothing much happened.", "--root", str(here)])
    costs["logged"], said = cpu_seconds([*ask, str(here)])
    order = json.loads(said)["order"]
    submit = [LITHIFY, "write", "submit", order["id"], "--json", "--root", str(here)]
    costs["submit"], said = cpu_seconds(submit, reply_to(order["prompt"]))
    done = json.loads(said)
    if done["state"] not in ("committed", "part", "sent back"):
        sys.exit(f"the reply was {done['state']}: {done.get('reason')}")
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder to keep the two roots in")
    given = parser.parse_args()
    prose = Prose(seed=7)
    days = {FIRST + timedelta(n): prose.day(given.tokens) for n in range(given.days)}
    web = {day: [prose.sentence() for _ in range(WEB)] for day in days}
    tenth = dict(list(days.items())[: max(1, given.days // 10)])
    with tempfile.TemporaryDirectory() as folder:
        base = given.keep or Path(folder)
        roots = {"log": base / "log", "tenth": base / "tenth"}
        costs: dict[str, dict[str, list[float]]] = {name: {} for name in roots}
        for name, root in roots.items():
            make(root, days if name == "log" else tenth, web)
            argv = [LITHIFY, "write", "next", "--root", str(root)]
            costs[name]["cold"] = [cpu_seconds(argv)[0]]
        for _ in range(given.runs):
            for name, root in roots.items():
                for command, cost in measured(root, Path(folder) / "copy").items():
                    costs[name].setdefault(command, []).append(cost)
        bare = statistics.median(cpu_seconds([sys.executable, "-c", "pass"])[0] for _ in range(5))
    print(f"{given.days} days of {given.tokens:,} tokens, and the first {len(tenth)} of them")
    print(f"{'':8} {'log / tenth':>12} {'tenth / python -c pass':>24} {'log / python -c pass':>22}")
    for command in costs["log"]:
        log, part = (statistics.median(costs[name][command]) for name in ("log", "tenth"))
        goal = f"   (goal {GOAL})" if command in ("next", "submit") else ""
        print(f"{command:8} {log / part:11.2f}x {part / bare:23.1f}x {log / bare:21.1f}x{goal}")


if __name__ == "__main__":
    main()
