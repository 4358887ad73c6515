"""Print the retention table of a memory folder, with the command that gives it again.

python benchmarks/retention.py MEMORY [--questions Q.jsonl] [--sessions-per-week 7]
                               [--ceilings 4000,3000] [--json] [--plot out.svg]

Without `--ceilings` no page has one: a week is 30 % of its days, a month 30 % of its weeks.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from comparison.plot import svg
from comparison.retention import as_json, curves, run, table

from lithify.bench.corpus import Question, read_days, read_questions
from lithify.bench.retention import Lengths
from lithify.engines.offline import Offline


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("memory", type=Path, help="a folder of days")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--sessions-per-week", type=int, default=0)
    parser.add_argument("--ceilings", default="0,0", help="most tokens of a week and of a month")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args(arguments)
    days = read_days(options.memory)
    questions: tuple[Question, ...] = ()
    if options.questions:
        questions = tuple(one for one in read_questions(options.questions) if not one.absent)
    week, month = map(int, options.ceilings.split(","))
    rows = run(
        days,
        questions,
        engine=Offline(),
        sessions=options.sessions_per_week,
        lengths=Lengths(week=week, month=month),
    )
    if options.json:
        print(json.dumps(as_json(rows), indent=2))
    else:
        print("$ python benchmarks/retention.py " + shlex.join(arguments))
        print(table(rows))
        for row in rows:
            print(f"{row.tier} {row.method}: {row.seconds:.1f} s", file=sys.stderr)
    if options.plot:
        drawn = curves(days, questions, engine=Offline(), sessions=options.sessions_per_week)
        what = "best unit" if questions else "specifics"
        options.plot.write_text(svg(drawn, f"Weeks: {what} kept against length"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
