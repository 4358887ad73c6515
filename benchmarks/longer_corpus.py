"""A corpus several times as long: its days again, earlier, with other names and dates.

    python benchmarks/longer_corpus.py CORPUS TARGET [--times 3]

CORPUS is a folder with `memory/` (a file per day) and `questions.jsonl`. TARGET gets the same days and
questions, and before them copies in which every name is another one, always the same within a copy,
and every date lies as much earlier as the copy does, by whole weeks. So the answers are where they
were, among two or more times as much that is told in the same words of other people and days. The
same files come out on every run.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
_WORD = re.compile(r"[^\W\d_]+")
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")
_DAY = re.compile(rf"\b({'|'.join(f'{m}|{m[:3]}' for m in MONTHS)})\b(\.? )(\d{{1,2}})\b(?!:)")


def names(texts: list[str]) -> list[str]:
    """The words that stand inside sentences with a capital, at least ten times as often as without."""
    inside: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for text in texts:
        for found in _WORD.finditer(text):
            word, before = found[0], text[: found.start()].rstrip(" ")[-1:]
            if word[0].islower():
                small[word] += 1
            elif word[1:].islower() and (before.isalnum() or before in ",;"):
                inside[word] += 1
    calendar = {*MONTHS, *(month[:3] for month in MONTHS)}
    days = {f"{date(2024, 1, 1 + n):%A}" for n in range(7)}
    calendar |= days | {day[:3] for day in days}
    return sorted(
        word
        for word, count in inside.items()
        if count >= 10 * small[word.lower()] and word not in calendar
    )


def renamed(known: list[str], chance: random.Random) -> dict[str, str]:
    """For each name an invented one of about its length."""
    taken: set[str] = set()
    found = {}
    for name in known:
        while True:
            pairs = max(2, len(name) // 2)
            made = "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(pairs))
            if made not in taken:
                break
        taken.add(made)
        found |= {name: made.capitalize(), name.lower(): made}
    return found


def moved(text: str, year: int, back: timedelta) -> str:
    """A text with its dates earlier; a date without a year is of the given one."""

    def iso(found: re.Match[str]) -> str:
        try:
            return str(date.fromisoformat(found[1]) - back)
        except ValueError:
            return found[0]

    def named(found: re.Match[str]) -> str:
        month = [one[:3] for one in MONTHS].index(found[1][:3]) + 1
        try:
            day = date(year, month, int(found[3])) - back
        except ValueError:
            return found[0]
        name = MONTHS[day.month - 1]
        return f"{name if len(found[1]) > 3 else name[:3]}{found[2]}{day.day}"

    return _DAY.sub(named, _ISO.sub(iso, text))


def copied(days: Mapping[date, str], copy: int, known: list[str]) -> dict[date, str]:
    span = (max(days) - min(days)).days + 1
    back = timedelta(days=copy * -(-span // 7) * 7)
    other = renamed(known, random.Random(copy))
    return {
        day - back: moved(
            _WORD.sub(lambda found: other.get(found[0], found[0]), text), day.year, back
        )
        for day, text in days.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--times", type=int, default=3)
    args = parser.parse_args()
    files = sorted((args.corpus / "memory").glob("*.md"))
    days = {date.fromisoformat(f.stem): f.read_text(encoding="utf-8") for f in files}
    known = names(list(days.values()))
    folder = args.target / "memory"
    folder.mkdir(parents=True)
    written = dict(days)
    for copy in range(1, args.times):
        written |= copied(days, copy, known)
    for day, text in written.items():
        (folder / f"{day}.md").write_text(text, encoding="utf-8")
    shutil.copy(args.corpus / "questions.jsonl", args.target / "questions.jsonl")
    print(f"{len(written)} days, {len(known)} names changed: {args.target}")


if __name__ == "__main__":
    main()
