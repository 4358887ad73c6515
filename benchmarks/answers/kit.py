"""How well somebody answers questions about a memory with `grep`, and how well with `lithify recall`.

    python benchmarks/answers/kit.py write FOLDER ROOT... [-n N] [--seed 1] [--vectors]
    (two answerers work in FOLDER/grep and FOLDER/recall, as the README.md there says)
    python benchmarks/answers/kit.py sheet FOLDER
    (somebody else scores FOLDER/judge/sheet.jsonl, as the README.md there says)
    python benchmarks/answers/kit.py table FOLDER

A ROOT holds days in `memory/` and `questions.jsonl` beside it. README.md explains each step.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from lithify import Memory
from lithify.bench.corpus import json_lines, read_days, read_questions

WAYS = ("grep", "recall")
#: The most characters that a call gives back, as in the shells of most agents.
MOST = 20_000
HERE = Path(__file__).resolve()
ANSWERER = """# Answer {count} questions with {way}

`questions.jsonl` has a question on each line, with its `id`, the memory it is about and the last day
of that memory, which is today. Answer them one after the other, from the memory alone, with as few calls
and as little reading as a careful person needs:

{use}
    ./read ID FILE FROM TO   lines of a day; FILE as a search names it

ID is the question's. Every call is counted for its question, with the characters that it gives back
(at most {most:,}). Look at nothing else: not at other folders, not at the days by another way, and not at
what was found for an earlier question.

Write `answers.jsonl`, a line for each question:

    {{"id": "q01", "answer": "On 3 May, with her mother."}}

An answer is one or two plain sentences, or a list. It does not say how it was found. If the memory does not
say it, the answer is "The memory does not say."
"""
USE = {
    "grep": "    ./search ID [--head N] ARGUMENTS   grep -rn ARGUMENTS over the days of that memory,\n"
    "                             N lines of it (-i, -E, -C 2, --include '2026-03-*' and so on)",
    "recall": "    ./search ID 'QUESTION' [OPTIONS]   lithify recall (--budget, --after, --from, --to)",
}
JUDGE = """# Score the answers

Each line of `sheet.jsonl` has a question, the answer that is expected, and the answers of two people, `first`
and `second`, in random order. Score each answer from 0 to 100 by what it says of the expected answer: 100
for all of it, 50 for half, 0 for nothing or something else. More that is true costs nothing; what contradicts
the expected answer costs half. Where the expected answer is empty or says that it is not known, only an answer
that says so gets 100. Look at nothing else. Write `scores.jsonl`:

    {"id": "q01", "first": 100, "second": 50}
"""


def write(folder: Path, roots: Sequence[Path], count: int, seed: int, vectors: bool) -> None:
    """Draw questions from every root alike, and write the folders of both answerers."""
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    drawn: list[dict[str, Any]] = []
    for number, root in enumerate(roots):
        there = folder / "roots" / root.name
        shutil.copytree(root / "memory", there / "memory")
        memory = Memory.init(there)
        if vectors:
            memory.index.search.embed()
        else:
            memory.index.update()
        today = str(read_days(there)[-1].day)
        questions = read_questions(root / "questions.jsonl")
        share = count // len(roots) + (number < count % len(roots))
        for asked in random.Random(f"{seed} {root.name}").sample(questions, share):
            known = {"memory": root.name, "today": today, "question": asked.question}
            drawn.append({**known, "answer": "" if asked.absent else asked.answer})
    rows = [{"id": f"q{number:02}", **row} for number, row in enumerate(drawn, 1)]
    _write(folder / "private/key.jsonl", rows)
    for way in WAYS:
        _write(folder / way / "questions.jsonl", [_without(row, "answer") for row in rows])
        text = ANSWERER.format(count=len(rows), way=way, use=USE[way], most=MOST)
        (folder / way / "README.md").write_text(text, encoding="utf-8")
        for task in ("search", "read"):
            script = folder / way / task
            command = f'exec "{sys.executable}" "{HERE}" {task} "{folder.resolve()}" {way} "$@"'
            script.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
            script.chmod(0o755)
    (folder / "judge").mkdir()
    (folder / "judge/README.md").write_text(JUDGE, encoding="utf-8")
    print(f"{len(rows)} questions of {len(roots)} memories: {folder}")


def found(folder: Path, way: str, task: str, id: str, arguments: Sequence[str]) -> str:
    """Carry out one call for a question, and count it with the characters that it gives back."""
    asked = {row["id"]: row for _, row in json_lines(folder / way / "questions.jsonl")}
    if id not in asked:
        sys.exit(f"{id} is no question: {', '.join(asked)}")
    root = folder / "roots" / asked[id]["memory"]
    if task == "read":
        name, first, last = arguments
        day = root / "memory" / Path(name).name
        text = "".join(islice(day.open(encoding="utf-8"), int(first) - 1, int(last)))
    elif way == "recall":
        command = [sys.executable, "-m", "lithify", "recall", *arguments]
        text = _output([*command, "--root", str(root), "--as-of", asked[id]["today"]], folder)
    else:
        head = int(arguments[1]) if arguments[:1] == ["--head"] else None
        command = ["grep", "-rn", *arguments[2 if head else 0 :]]
        lines = _output(command, root / "memory").splitlines(keepends=True)
        text = "".join(sorted(lines[:head], key=lambda line: line[:10]))
    text = text if len(text) <= MOST else text[:MOST] + "\n… cut here\n"
    with (folder / way / "calls.jsonl").open("a", encoding="utf-8") as calls:
        row = {"id": id, "task": task, "arguments": arguments, "characters": len(text)}
        calls.write(json.dumps(row, ensure_ascii=False) + "\n")
    return text


def _output(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout or done.stderr


def sheet(folder: Path, seed: int) -> None:
    """Write both answers to each question in random order, for somebody who does not know whose they are."""
    chance = random.Random(seed)
    answers = {way: _by_id(folder / way / "answers.jsonl") for way in WAYS}
    rows, order = [], []
    for _, asked in json_lines(folder / "private/key.jsonl"):
        first, second = chance.sample(WAYS, 2)
        given = {
            place: answers[way].get(asked["id"], {}).get("answer", "")
            for place, way in (("first", first), ("second", second))
        }
        known = {"id": asked["id"], "question": asked["question"], "expected": asked["answer"]}
        rows.append({**known, **given})
        order.append({"id": asked["id"], "first": first, "second": second})
    _write(folder / "judge/sheet.jsonl", rows)
    _write(folder / "private/order.jsonl", order)
    print(f"{len(rows)} questions to score: {folder / 'judge/sheet.jsonl'}")


def table(folder: Path) -> None:
    """Print the mean score, calls and characters of each way, in all and by memory."""
    scores = _by_id(folder / "judge/scores.jsonl")
    order = _by_id(folder / "private/order.jsonl")
    calls = {way: [row for _, row in json_lines(folder / way / "calls.jsonl")] for way in WAYS}
    memory = {row["id"]: row["memory"] for _, row in json_lines(folder / "private/key.jsonl")}
    groups = {"all": set(memory)} | {
        name: {id for id, of in memory.items() if of == name} for name in memory.values()
    }
    print(f"{'':28}{'questions':>10}{'score':>8}{'calls':>8}{'characters':>12}")
    for group, ids in groups.items():
        asked = sorted(ids & scores.keys())
        for way in WAYS if asked else ():
            place = {id: "first" if order[id]["first"] == way else "second" for id in asked}
            score = sum(scores[id][place[id]] for id in asked) / len(asked)
            made = [row for row in calls[way] if row["id"] in asked]
            read = sum(row["characters"] for row in made) / len(asked)
            print(
                f"{group + ', ' + way:28.28}{len(asked):10}{score:8.1f}"
                f"{len(made) / len(asked):8.2f}{read:12,.0f}"
            )
    if left := sorted(memory.keys() - scores.keys()):
        print(f"without a score: {', '.join(left)}")


def _by_id(path: Path) -> dict[str, Mapping[str, Any]]:
    return {row["id"]: row for _, row in json_lines(path)}


def _without(row: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_text("".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    for name in ("write", "sheet", "table", "search", "read"):
        task = tasks.add_parser(name)
        task.add_argument("folder", type=Path)
        if name == "write":
            task.add_argument("roots", type=Path, nargs="+")
            task.add_argument("-n", type=int, default=40, help="so many questions in all")
            task.add_argument("--vectors", action="store_true", help="recall with vectors")
        if name in ("write", "sheet"):
            task.add_argument("--seed", type=int, default=1)
        if name in ("search", "read"):
            task.add_argument("way", choices=WAYS)
            task.add_argument("id")
            task.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if given.task == "write":
        write(given.folder, given.roots, given.n, given.seed, given.vectors)
    elif given.task == "sheet":
        sheet(given.folder, given.seed)
    elif given.task == "table":
        table(given.folder)
    else:
        print(found(given.folder, given.way, given.task, given.id, given.arguments), end="")


if __name__ == "__main__":
    main()
