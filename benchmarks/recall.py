"""What recall costs, as ratios to plain SQLite FTS5 on the same text in the same run.

    python benchmarks/recall.py [--days 180 1000 10000] [--entries 20] [--queries 60] [--quick]

Days grow by generation: words by Zipf's law, names, figures, versions, lines that come again on
later days; the same on every run. FTS5 is a table of one column with an entry's date, headings
and text, asked `MATCH "w1" OR "w2" … ORDER BY bm25(…) LIMIT 20` with every word of the question,
and once more with the words of content alone. All times are the processor's: steadier than the
clock. A query's is the best of several turns, ours and FTS5's taken one after the other, ours
with the look at the files for changes; peak memory is that of a process of its own. An update is
the second of two in a process, with the look for what has changed, which FTS5 is told. Last, the
cold start of `lithify recall` against `python -c pass`.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from bisect import bisect
from collections.abc import Callable
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path

from lithify import Memory
from lithify.markdown.parse import parse
from lithify.text.words import is_empty

START = date(1995, 1, 1)
TURNS = 9
EMPTY = [
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "that",
    "for",
    "it",
    "as",
    "was",
    "with",
    "be",
    "by",
    "on",
    "not",
    "he",
    "his",
    "but",
    "at",
    "are",
    "this",
    "have",
    "from",
    "or",
    "had",
    "an",
    "they",
    "which",
    "one",
    "you",
    "were",
    "all",
    "her",
    "she",
    "there",
    "would",
    "their",
    "we",
    "him",
    "been",
    "has",
    "when",
    "who",
    "will",
    "no",
    "more",
    "if",
    "out",
    "so",
    "what",
    "up",
    "said",
    "about",
    "than",
    "into",
    "them",
    "can",
    "only",
    "other",
    "time",
    "new",
    "some",
    "could",
    "these",
    "two",
    "may",
    "first",
    "then",
    "do",
    "any",
    "like",
    "my",
    "now",
    "over",
    "such",
    "our",
    "man",
    "me",
    "even",
    "most",
    "made",
    "after",
    "also",
    "did",
    "many",
    "off",
    "before",
    "must",
    "well",
    "back",
    "through",
    "years",
    "where",
    "much",
    "your",
    "way",
    "down",
    "should",
    "because",
]
ASKS = ("What did {} say about the {}", "When was the {} {} decided", "Which {} has the {} in it")


class Language:
    """Invented words, the frequent ones short and real, and sentences made of them."""

    def __init__(self, size: int = 30_000) -> None:
        source = random.Random(7)
        syllables = [c + v + e for c in "bdfgklmnprstvz" for v in "aeiou" for e in ("", "n", "r")]
        made = {
            "".join(source.choices(syllables, k=source.choice((2, 2, 3, 3, 4))))
            for _ in range(size)
        }
        self.words = [*EMPTY, *sorted(made, key=lambda word: (len(word), word))]
        self.names = [word.title() for word in source.sample(sorted(made), 400)]
        self.weights = list(accumulate(1 / (rank + 2) for rank in range(len(self.words))))

    def draw(self, source: random.Random, count: int) -> list[str]:
        total = self.weights[-1]
        return [self.words[bisect(self.weights, source.random() * total)] for _ in range(count)]

    def entry(self, source: random.Random) -> str:
        words = self.draw(source, source.randrange(8, 26))
        for _ in range(source.randrange(3)):
            words[source.randrange(len(words))] = source.choice(
                (
                    source.choice(self.names),
                    f"${source.randrange(1, 900)}M",
                    f"v{source.randrange(9)}.{source.randrange(30)}.{source.randrange(9)}",
                    f"{source.choice(self.names).upper()[:4]}-{source.randrange(4000)}",
                    f"{source.randrange(2, 98)} %",
                )
            )
        return f"{source.choice(self.names)} {' '.join(words)}."


def write_root(root: Path, days: int, entries: int, language: Language) -> None:
    """A root of so many days; a line in five was on an earlier day already."""
    source = random.Random(days)
    memory = root / "memory"
    memory.mkdir(parents=True)
    recent: list[str] = []
    for number in range(days):
        day = START + timedelta(days=number)
        lines = [f"# {day}", ""]
        for place in range(entries):
            if place % 7 == 0:
                lines += [
                    "",
                    f"## {source.choice(language.names)} {source.choice(language.names)}",
                    "",
                ]
            again = recent and source.random() < 0.2
            text = source.choice(recent) if again else language.entry(source)
            recent = [*recent[-300:], text]
            lines.append(f"- {text}")
        (memory / f"{day}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    old = time.time() - 3600
    for path in memory.iterdir():
        os.utime(path, (old, old))


def questions(root: Path, count: int) -> list[str]:
    """Questions in words that stand together in some entry, frequent and rare ones mixed."""
    source = random.Random(3)
    files = sorted((root / "memory").glob("*.md"))
    found: list[str] = []
    while len(found) < count:
        lines = [x for x in source.choice(files).read_text("utf-8").splitlines() if x[:2] == "- "]
        words = re.findall(r"[\w$%.-]+", source.choice(lines)[2:].rstrip("."))
        some = source.sample(words[1:], min(len(words) - 1, source.randrange(3, 9)))
        found.append(source.choice(ASKS).format(words[0], " ".join(some)) + "?")
    return found


# Plain FTS5


def rows_of(path: Path) -> list[str]:
    day = date.fromisoformat(path.stem)
    found = parse(path.read_bytes(), label=path.stem, day=day).entries
    return [f"{day} {' '.join(entry.headings)} {entry.text}" for entry in found]


def fts_build(root: Path) -> None:
    """Every entry read, parsed and put into one FTS5 table."""
    with sqlite3.connect(root / "plain.sqlite") as base:
        base.execute("CREATE VIRTUAL TABLE plain USING fts5(text)")
        base.execute("CREATE TABLE of_day(day TEXT, first INTEGER, last INTEGER)")
        rows = 0
        for path in sorted((root / "memory").glob("*.md")):
            texts = rows_of(path)
            numbered = [(rows + at, text) for at, text in enumerate(texts, 1)]
            base.executemany("INSERT INTO plain(rowid, text) VALUES (?, ?)", numbered)
            base.execute(
                "INSERT INTO of_day VALUES (?, ?, ?)", (path.stem, rows + 1, rows + len(texts))
            )
            rows += len(texts)
    base.close()


def fts_update(root: Path, path: Path) -> None:
    """One day's rows replaced."""
    with sqlite3.connect(root / "plain.sqlite") as base:
        first, last = base.execute(
            "SELECT first, last FROM of_day WHERE day = ?", (path.stem,)
        ).fetchone()
        base.execute("DELETE FROM plain WHERE rowid BETWEEN ? AND ?", (first, last))
        base.executemany("INSERT INTO plain(text) VALUES (?)", [(text,) for text in rows_of(path)])
    base.close()


def fts_ask(base: sqlite3.Connection, question: str, content: bool = False) -> int:
    words = re.findall(r"\w+", question)
    if content:
        words = [word for word in words if not is_empty(word.lower())]
    match = " OR ".join(f'"{word}"' for word in words)
    sql = "SELECT rowid, text FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 20"
    return len(base.execute(sql, (match,)).fetchall())


# What is measured, each in a process of its own


def job(name: str, root: Path, count: int) -> dict[str, object]:
    began = time.process_time()
    found: dict[str, object] = {}
    if name == "build":
        Memory.open(root).index.update()
    elif name == "fts-build":
        fts_build(root)
    elif name == "update":
        memory = Memory.open(root)
        for path in sorted((root / "memory").glob("*.md"))[-3:-1]:
            with path.open("a", encoding="utf-8") as file:
                file.write("- Another line that came late.\n")
            began = time.process_time()
            memory.index.update()
    elif name == "fts-update":
        for path in sorted((root / "memory").glob("*.md"))[-3:-1]:
            began = time.process_time()
            fts_update(root, path)
    elif name == "ask":
        memory = Memory.open(root)
        for question in questions(root, count):
            memory.recall(question, vectors=False)
    elif name == "fts-ask":
        base = sqlite3.connect(root / "plain.sqlite")
        for question in questions(root, count):
            fts_ask(base, question)
    elif name == "times":
        found = times(root, count)
    found["seconds"] = time.process_time() - began
    found["peak"] = _peak()
    return found


def _peak() -> float:
    """Peak memory of this process in MB; what Linux kept of the parent's is not counted."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def times(root: Path, count: int) -> dict[str, object]:
    """Milliseconds of each question, the best of several turns, the methods taken one by one."""
    memory = Memory.open(root)
    base = sqlite3.connect(root / "plain.sqlite")
    asked = questions(root, count)
    methods: dict[str, Callable[[str], object]] = {
        "recall": lambda question: memory.recall(question, vectors=False),
        "fts": lambda question: fts_ask(base, question),
        "fts-content": lambda question: fts_ask(base, question, content=True),
    }
    for method in methods.values():
        method(asked[0])
    best = {name: [float("inf")] * count for name in methods}
    for _ in range(TURNS):
        for at, question in enumerate(asked):
            for name, method in methods.items():
                began = time.process_time()
                method(question)
                best[name][at] = min(best[name][at], 1000 * (time.process_time() - began))
    silent = sum(not memory.recall(question, vectors=False).passages for question in asked)
    return {"best": best, "silent": silent}


def run(name: str, root: Path, count: int) -> dict[str, object]:
    argv = [sys.executable, __file__, "--job", name, "--root", str(root), "--queries", str(count)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    found: dict[str, object] = json.loads(done.stdout)
    return found


def _size(root: Path, *patterns: str) -> int:
    return sum(path.stat().st_size for pattern in patterns for path in root.glob(pattern))


def _part(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def grown(folder: Path, days: int, entries: int, count: int, language: Language) -> None:
    root = folder / f"days-{days}"
    write_root(root, days, entries, language)
    bytes_ = _size(root, "memory/*.md")
    ours, plain = run("build", root, count), run("fts-build", root, count)
    sizes = _size(root, ".lithify/index*"), _size(root, "plain.sqlite")
    asked = run("times", root, count)
    memory = run("ask", root, count), run("fts-ask", root, count)
    updates = run("update", root, count), run("fts-update", root, count)
    best = asked["best"]
    assert isinstance(best, dict)
    print(f"{days:,} days, {days * entries:,} entries, {bytes_ / 1e6:.1f} MB of text:")
    _line("build", _ratio(ours["seconds"], plain["seconds"]), f"{ours['seconds']:.1f} s")
    _line("build, peak memory", _ratio(ours["peak"], plain["peak"]), f"{ours['peak']:.0f} MB")
    _line("index size", sizes[0] / sizes[1], f"{sizes[0] / bytes_:.1f}x the text")
    for share in (0.5, 0.95):
        own, all_, content = (_part(best[name], share) for name in ("recall", "fts", "fts-content"))
        note = f"{own:.1f} ms; {own / content:.1f}x with content words alone"
        _line(f"query p{share * 100:.0f}", own / all_, note)
    _line(
        "queries, peak memory",
        _ratio(memory[0]["peak"], memory[1]["peak"]),
        f"{memory[0]['peak']:.0f} MB",
    )
    note = f"{1000 * float(str(updates[0]['seconds'])):.0f} ms"
    _line("update after one day", _ratio(updates[0]["seconds"], updates[1]["seconds"]), note)
    if asked["silent"]:
        print(f"  {asked['silent']} of {count} questions were answered with nothing")


def _ratio(one: object, other: object) -> float:
    return float(str(one)) / float(str(other))


def _line(what: str, ratio: float, note: str) -> None:
    print(f"  {what:22} {ratio:6.1f}x FTS5   ({note})")


def cold(root: Path, runs: int) -> None:
    """Processor time of the command against a bare interpreter, runs interleaved."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    compileall.compile_dir(str(Path(__file__).resolve().parent.parent / "src"), quiet=2)
    lithify = str(Path(sys.executable).parent / "lithify")
    question = questions(root, 1)[0]
    # A file written a moment ago is read again, lest a change within one tick go unseen.
    time.sleep(3)
    cases = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "lithify recall": [lithify, "recall", question, "--root", str(root)],
    }
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(runs + 2):
        for name, argv in cases.items():
            with open(os.devnull, "w") as nowhere:
                process = subprocess.Popen(argv, env=env, stdout=nowhere)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise SystemExit(f"{name} ended with {process.returncode}")
            if turn > 1:
                taken[name].append(usage.ru_utime + usage.ru_stime)
    bare, own = (statistics.median(seconds) for seconds in taken.values())
    days = len(list((root / "memory").glob("*.md")))
    print(f"cold start of lithify recall, {days} days: {own / bare:.1f}x python -c pass")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--days", type=int, nargs="+", default=[180, 1000, 10_000])
    parser.add_argument("--entries", type=int, default=20, help="entries a day")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--runs", type=int, default=11, help="cold starts")
    parser.add_argument("--quick", action="store_true", help="180 and 1,000 days, fewer questions")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        print(json.dumps(job(options.job, options.root, options.queries)))
        return
    if options.quick:
        options.days, options.queries, options.runs = [180, 1000], 20, 5
    language = Language()
    with tempfile.TemporaryDirectory() as folder:
        for days in options.days:
            grown(Path(folder), days, options.entries, options.queries, language)
        cold(Path(folder) / f"days-{options.days[0]}", options.runs)
    print("goals: query p95 <= 2x FTS5 at any size, cold start <= 8x")


if __name__ == "__main__":
    main()
