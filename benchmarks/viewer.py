"""The time of the viewer's pages with ten years of days, as a ratio to the sample root.

    python benchmarks/viewer.py [--days 3650] [--runs 15] [--root DIR]

The days of the sample root are repeated with other words until there are enough, and compacted offline.
A page's time is the processor time of server and client, which other programs on the machine change
little: the median of requests while no file changes, and the first request after a file was
added. Both are ratios to the same page of the sample root, measured in turn with it. The goal for the first
is 1.5x for every page but recall, where the search itself grows; the second reads the state of every file
again. At last: the time from the end of `lithify log` in another process until a page that is open knows of it,
and until the front page, read again, shows it.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from urllib.request import urlopen

import uvicorn

from lithify.memory import Memory
from lithify.web.app import application, listen
from lithify.web.security import BrowserSession
from lithify.web.view import ViewedRoot

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"
GOAL = 1.5
#: This page costs what the search costs, which benchmarks/recall.py measures by itself.
SEARCH = "/recall"
#: Words that are exchanged for others; labels such as `Decision:` stay.
LONG = re.compile(r"\b[a-z]{7,}\b")


def ten_years(folder: Path, count: int) -> Path:
    """A root with so many days: the sample's over and over, each time with other words and dates."""
    sources = [p.read_text("utf-8") for p in sorted((SAMPLE / "memory").glob("????-??-??.md"))]
    vocabulary = sorted({word for text in sources for word in LONG.findall(text)})
    (folder / "memory").mkdir(parents=True)
    shutil.copy(SAMPLE / "lithify.toml", folder)
    last = date(2026, 3, 31)
    for number in range(count):
        day = last - timedelta(days=count - 1 - number)
        other = random.Random(number // len(sources))
        # Copies of one text would all be near duplicates, which the days of ten years are not.
        changed = dict(zip(vocabulary, other.sample(vocabulary, len(vocabulary)), strict=True))
        text = sources[number % len(sources)]
        text = re.sub(r"\d{4}-\d{2}-\d{2}", str(day), text)
        text = LONG.sub(lambda found, words=changed: words[found[0]], text)
        (folder / "memory" / f"{day}.md").write_text(text, "utf-8")
    return folder


@contextmanager
def served(root: Path) -> Iterator[int]:
    with listen(0) as at:
        port = at.getsockname()[1]
        app = application(
            [ViewedRoot(partial(Memory.open, root))], BrowserSession(changes=False), port
        )
        config = uvicorn.Config(app, log_level="warning", ws="none", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, daemon=True)
        thread.start()
        yield port
        server.should_exit = True
        thread.join()


def seconds(port: int, path: str) -> float:
    start = time.process_time()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, (path, answer.status)
    return time.process_time() - start


def seconds_to_show(root: Path, port: int, words: str) -> tuple[float, float]:
    """Log an entry as a terminal does, and return when an open page is told, and when it shows it."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    answer.readline(), answer.readline()
    command = [sys.executable, "-m", "lithify", "log", "--root", str(root), words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    start = time.perf_counter()
    while answer.readline() != b"data: changed\n":
        pass
    told = time.perf_counter() - start
    connection.close()
    with urlopen(f"http://127.0.0.1:{port}/") as page:
        assert words in page.read().decode(), "the entry is not shown"
    return told, time.perf_counter() - start


def pages(root: Path) -> list[str]:
    week = sorted((root / "memory" / "weekly").iterdir())[-3].stem
    month = sorted((root / "memory" / "monthly").iterdir())[-2].stem
    return [
        *("/", "/timeline", f"/week/{week}", f"/month/{month}", "/day/2026-03-26", "/wisdom"),
        *("/memories", "/review", "/recall?q=when+does+the+portal+launch"),
        *("/gate", "/quarantine", "/cost"),
    ]


def add_day(root: Path, number: int) -> None:
    (root / "memory" / f"2026-03-31-note{number}.md").write_text("- One more entry.\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=3650)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--root", type=Path, help="a root of this many days that is compacted")
    arguments = parser.parse_args()
    worst, number = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "sample"
        shutil.copytree(SAMPLE, small)
        large = arguments.root or ten_years(Path(folder) / "decade", arguments.days)
        for root in (small, large):
            Memory.open(root).compact()
            old = time.time() - 3600
            for path in (root / "memory").rglob("*.md"):
                os.utime(path, (old, old))
        print(f"{arguments.days:,} days against the sample's 63 (median of {arguments.runs}):")
        with served(small) as first, served(large) as second:
            for one, other in zip(pages(small), pages(large), strict=True):
                for port, path in ((first, one), (second, other)):
                    seconds(port, path)
                times = [
                    (seconds(first, one), seconds(second, other)) for _ in range(arguments.runs)
                ]
                ratio = statistics.median(b for _, b in times) / statistics.median(
                    a for a, _ in times
                )
                number += 1
                add_day(small, number)
                add_day(large, number)
                again = seconds(second, other) / seconds(first, one)
                if not other.startswith(SEARCH):
                    worst = max(worst, ratio)
                print(
                    f"  {other.partition('?')[0]:20} {ratio:5.2f}x   after a change {again:6.1f}x",
                    flush=True,
                )
            for name, root, port in (("sample", small, first), ("large root", large, second)):
                told, shown = seconds_to_show(root, port, "Berth 4 is closed until noon.")
                print(
                    f"an entry logged in a terminal, {name}: told {told:.2f} s, shown {shown:.2f} s"
                )
    print(f"worst without {SEARCH}: {worst:.2f}x (goal: {GOAL:g}x)")
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
