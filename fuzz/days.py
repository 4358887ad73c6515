"""Feed whole days to a root: `python fuzz/days.py [--minutes 10] [--seed 1]`, or `make fuzz MINUTES=10`.

Days are made of what Markdown is made of, whole and broken: comments, links, fences, tables, boxes,
citations, marks, very long lines, then some bytes are changed. Each root is compacted offline and by
a model that repeats what it is shown, then searched, opened for a session and checked. Found is a
traceback, a period that content made fail, a day whose bytes changed, a check that is not clean, and
time far out of proportion to the size. What is found is written to `fuzz/found/`, a root each.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parent.parent / "tests"))

from run import HERE, mutated

from lithify.memory import CompactOptions, Memory
from roots import Careful

NOW = datetime(2026, 5, 4, 2, 0, tzinfo=UTC)
#: Seconds of the processor from which on a root is tried again at twice its size, and how many times
#: longer that may take.
SLOW, TIMES = 4.0, 3.0

_WORDS = re.split(
    " ",
    "release login Priya queue restart invoice staging certificate Tomasz export nightly batch 2.4.1 "
    "1,240 rows minute $420M 14:30 2026-04-02 yesterday Tuesday never always PR #318 src/app.py:12 "
    "`rows()` ERR_42 not about the a of because and März Überweisung 决定 队列 решение ثمانية é e\u0301 "
    "\u200b \u202e \ufeff \0 \x1b[31m 🚧 ✅ ... — - – ( ) [ ] ** __ ~~ \" ' “ ” « » : ; \\ & &amp; <br> "
    "https://example.com/a?b=c#d user@example.com 2026-W14 Q1 12h30 50% ½ ² 1e309 0x1F ⅔ ٣ 99999999999999999999",
)
_LABELS = re.split(
    " ",
    "Decision Blocked Remember Rule Preference Lesson Reference Note Shipped Why Topic Until Ada",
)
Make = Callable[[random.Random], str]


def words(chance: random.Random, most: int = 14) -> str:
    """Some words; now and then very many, or one very long."""
    kind = chance.randrange(40)
    if kind == 0:
        return chance.choice(_WORDS) * chance.choice((400, 4000))
    if kind == 1:
        return " ".join(chance.choices(_WORDS, k=chance.choice((500, 2000))))
    end = chance.choice((".", ".", "!", "?", ":", "", ";", "…"))
    return " ".join(chance.choices(_WORDS, k=chance.randint(1, most))) + end


def _citation(chance: random.Random) -> str:
    day = f"2026-04-{chance.randint(0, 32):02}"
    return chance.choice((f"{day}~{chance.getrandbits(48):012x}", day, "WISDOM~00", "~", "e12"))


def _comment(chance: random.Random) -> str:
    inside = (
        words(chance, 700),
        " ".join(_citation(chance) for _ in range(chance.randint(1, 160))),
    )
    return f"<!--{chance.choice((*inside, '', '-', '>'))}{chance.choice(('-->', '-->', '', '--', '->'))}"


def _inline(chance: random.Random) -> str:
    link = f"[{words(chance)}]({chance.choice(('https://example.com', words(chance), ''))})"
    some = (
        words(chance),
        words(chance),
        link,
        f"[[{words(chance, 4)}]]",
        f"![{words(chance)}](x.png)",
    )
    more = (
        f"`{words(chance)}`",
        f"**{words(chance)}**",
        _comment(chance),
        f"[{_citation(chance)}]",
    )
    return " ".join(chance.choices((*some, *more), k=chance.randint(1, 4)))


def _item(chance: random.Random) -> str:
    mark = chance.choice(("-", "*", "+", "1.", "- [ ]", "- [x]", "- ☐", "- ✅", "> -", "-\t", "–"))
    clock = chance.choice(("", "", "09:30 ", "[14:05] ", "9:00 am - 10:30: ", "**08:15** "))
    label = f"{chance.choice(_LABELS)}: " if chance.random() < 0.3 else ""
    rest = "".join(f"\n  {_inline(chance)}" for _ in range(chance.choice((0, 0, 0, 1, 3))))
    return f"{' ' * chance.choice((0, 0, 2, 4, 40))}{mark} {clock}{label}{_inline(chance)}{rest}"


def _table(chance: random.Random) -> str:
    width = chance.randint(1, 6)
    rows = [[words(chance, 4).replace("\n", " ") for _ in range(width)] for _ in range(5)]
    rows[1] = [
        chance.choice(("---", ":-:", "--", "")) for _ in range(width + chance.randint(-1, 1))
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _fence(chance: random.Random) -> str:
    mark = chance.choice(("```", "~~~", "````", "``"))
    return f"{mark}{chance.choice(('', 'python', 'typed_memory', 'diff'))}\n{_inline(chance)}\n{mark[: chance.randint(0, 4)]}"


_PIECES: tuple[Make, ...] = (
    *(_item,) * 6,
    lambda chance: (
        f"{'#' * chance.randint(1, 7)} {chance.choice((words(chance, 5), 'Decisions', 'Open', ''))}"
    ),
    _inline,
    _comment,
    _table,
    _fence,
    lambda chance: f"> {_inline(chance)}\n{chance.choice(('> ', '', '>> '))}{words(chance)}",
    lambda chance: f"{chance.choice(_LABELS)}:",
    lambda chance: (
        "From: Ada <ada@example.com>\nSubject: " + words(chance) + "\n\n" + words(chance)
    ),
    lambda chance: f"---\n{words(chance, 3)}: {words(chance, 3)}\n---",
    lambda chance: chance.choice(
        ("", "---", "***", "===", "\t", "\u2028", "\x0c", "<details>", "|")
    ),
)


def day(chance: random.Random) -> bytes:
    """A day of pieces; some of them stand there many times."""
    parts: list[str] = []
    for _ in range(chance.choice((0, 1, 3, 12, 30))):
        piece = chance.choice(_PIECES)(chance)
        times = chance.choice((1,) * 12 + (2, 30, 400))
        if len(piece) * times > 40_000:
            times = 1
        numbered = chance.random() < 0.5
        parts += [f"{piece} {n}" if numbered and times > 1 else piece for n in range(times)]
        parts += [""] * chance.choice((0, 0, 1))
    data = "\n".join(parts).encode("utf-8", "surrogatepass")
    if chance.random() < 0.2:
        data = data.replace(b"\n", b"\r\n")
    if chance.random() < 0.3 and data:
        at = chance.randint(0, len(data))
        data = data[:at] + mutated(data[at : at + 200], chance, [data]) + data[at + 200 :]
    return data + chance.choice((b"", b"\n"))


def days_of(chance: random.Random) -> dict[str, bytes]:
    """Some days of a month."""
    start = datetime(2026, 4, 1)
    found = {
        str((start + timedelta(chance.randrange(28))).date()) for _ in range(chance.randint(1, 5))
    }
    return {f"memory/{label}.md": day(chance) for label in sorted(found)}


def tried(folder: Path, days: dict[str, bytes]) -> tuple[str, float]:
    """Take a root of these days through its commands: what is wrong, in one line, and how long it took."""
    (folder / "memory").mkdir(parents=True)
    (folder / "lithify.toml").write_text('zone = "UTC"\n')
    for path, data in days.items():
        (folder / path).write_bytes(data)
    memory = Memory.open(folder, clock=lambda: NOW)
    text = b" ".join(days.values()).decode("utf-8", "replace").split() or ["queue"]
    chance = random.Random(len(text))
    begun = time.process_time()
    for writer in (None, Careful()):
        report = memory.compact(CompactOptions(model=writer, rewrite=writer is not None))
        for result in report.results:
            # A writer of this kind is refused for good reasons; only the program's own are wrong.
            if result.status == "failed" and (writer is None or "rror" in result.reason):
                return f"{result.task.key} failed: {result.reason}", 0
    for query in (" ".join(chance.choices(text, k=4))[:2000], "what was decided about the queue"):
        memory.fenced(memory.recall(query))
    memory.context()
    memory.status()
    # What a day holds may be worth a note; a day that is no text is named, and left as it is.
    problems = [one for one in memory.check() if one.severity == "error" and one.kind != "refused"]
    took = time.process_time() - begun
    changed = [path for path, data in days.items() if (folder / path).read_bytes() != data]
    wrong = f"the bytes of {changed[0]} have changed" if changed else ""
    return f"check: {problems[0]}" if problems else wrong, took


def wrong_with(folder: Path, days: dict[str, bytes]) -> str:
    """What is wrong with a root of these days, in one line, or nothing."""
    try:
        wrong, took = tried(folder, days)
        if wrong or took < SLOW:
            return wrong
        longer = {path: data + b"\n# Again\n\n" + data for path, data in days.items()}
        _, twice = tried(folder / "twice", longer)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"
    return f"slow: {took:.1f} s, twice as much {twice:.1f} s" if twice > TIMES * took else ""


def fuzz(minutes: float, seed: int) -> tuple[int, list[str]]:
    """Try roots for so long; how many, and what was found."""
    end, count, found = time.monotonic() + 60 * minutes, 0, list[str]()
    while time.monotonic() < end:
        days = days_of(random.Random(f"{seed}.{count}"))
        folder = Path(tempfile.mkdtemp(prefix="lithify-days-")) / "root"
        wrong = wrong_with(folder, days)
        count += 1
        if wrong:
            print(f"    {seed}.{count - 1}: {wrong[:200]}", flush=True)
            found.append(wrong)
            shutil.copytree(folder / "memory", HERE / "found" / f"days-{seed}.{count - 1}")
        shutil.rmtree(folder.parent)
    return count, found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    count, found = fuzz(args.minutes, args.seed)
    print(f"days: {count} roots, {len(found)} found")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
