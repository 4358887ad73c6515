"""Recall beside the search of two other memory tools, each through its own interface.

    python benchmarks/memory_tools.py CORPUS [--qmd qmd] [--mem0 PYTHON] [--words] [--every 3]

CORPUS is a folder with `memory/` (a file per day) and `questions.jsonl`. The tools are installed by
whoever runs this, each in a place of its own; neither needs a network:

- qmd (npm install @tobilu/qmd bun): its keyword search, `qmd search --json`, which needs no model. A
  result names lines of a file; they are shown whole, as `qmd get FILE:LINE` gives them.
- mem0 (pip install mem0ai, in a virtual environment whose Python is given): every entry added as it
  is (`infer=False`), its search with the encoder of our extra `vectors`, served on loopback by the
  wire format of the tool's own client.

All are asked the same questions and read, best first, until 1,000 tokens are spent.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from comparison.questions import Sample, dated, rows_of
from comparison.rankers import simple
from comparison.recall_metrics import measures
from comparison.standings import standings

from lithify import Memory
from lithify.bench.corpus import Day, read_days
from lithify.bench.recall import Ask, Corpus, Shown, score
from lithify.search import vectors
from lithify.text.tokens import estimate

SHOWN = ("evidence@10", "evidence in 1000", "words in 1000", "specifics in 1000")
SILENCE = ("true silence", "false silence")

#: What runs in the virtual environment of mem0: a line in, a line out.
MEM0 = """
import json, sys
from mem0 import Memory
folder, url = sys.argv[1:]
openai = {"api_key": "none", "openai_base_url": url}
memory = Memory.from_config({
    "llm": {"provider": "openai", "config": openai},
    "embedder": {"provider": "openai", "config": {**openai, "model": "local", "embedding_dims": 384}},
    "vector_store": {"provider": "qdrant", "config": {
        "path": folder + "/qdrant", "on_disk": True, "embedding_model_dims": 384}},
    "history_db_path": folder + "/history.db",
})
for line in sys.stdin:
    given = json.loads(line)
    if "add" in given:
        memory.add(given["add"], user_id="u", infer=False, metadata={"day": given["day"]})
        found = []
    else:
        found = memory.search(given["ask"], filters={"user_id": "u"}, top_k=100)["results"]
        found = [[one["memory"], one["metadata"]["day"]] for one in found]
    print(json.dumps(found), flush=True)
"""


def inside(found: Sequence[tuple[tuple[str, ...], date | None]], budget: int) -> list[Shown]:
    """What is shown of a ranking until the budget is spent."""
    shown = []
    for units, day in found:
        tokens = sum(map(estimate, units))
        if tokens > budget:
            break
        budget -= tokens
        shown.append(Shown(units, day, tokens))
    return shown


def asking(rank: Callable[[str], list[tuple[tuple[str, ...], date | None]]]) -> Ask:
    """A tool as it is asked: once for each question, cut to each budget."""
    last: dict[str, list[tuple[tuple[str, ...], date | None]]] = {}

    def ask(question: str, budget: int) -> list[Shown]:
        if question not in last:
            last.clear()
            last[question] = rank(question)
        return inside(last[question], budget)

    return ask


@contextmanager
def qmd(command: str, folder: Path) -> Iterator[Ask]:
    """The keyword search of qmd over the files of a folder."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home}

        def run(*words: str) -> str:
            done = subprocess.run([command, *words], env=env, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"qmd: {done.stderr.strip()}")
            return done.stdout

        run("collection", "add", str(folder), "--name", "days", "--mask", "**/*.md")

        def rank(question: str) -> list[tuple[tuple[str, ...], date | None]]:
            said = run("search", question, "--json", "-n", "50", "-c", "days")
            found = []
            for one in json.loads(said) if said.lstrip().startswith("[") else []:
                name = one["file"].rsplit("/", 1)[1]
                start, count = map(int, re.findall(r"@@ -(\d+),(\d+)", one["snippet"])[0])
                lines = (folder / name).read_text(encoding="utf-8").splitlines()
                own = tuple(line for line in lines[start - 1 : start - 1 + count] if line.strip())
                found.append((own, date.fromisoformat(name[:10])))
            return found

        yield asking(rank)


class Embeddings(BaseHTTPRequestHandler):
    """`POST /v1/embeddings` by the installed encoder."""

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [given["input"]] if isinstance(given["input"], str) else given["input"]
        rows = [
            {"object": "embedding", "index": at, "embedding": [float(x) for x in row]}
            for at, row in enumerate(map(vectors.embedder().vector, texts))
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        body = json.dumps({"object": "list", "data": rows, "model": "local", "usage": usage})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def mem0(python: str, days: Sequence[Day]) -> Iterator[Ask]:
    """The search of mem0 over every entry."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Embeddings)
        ends.callback(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        env = {**os.environ, "MEM0_TELEMETRY": "False", "MEM0_DIR": folder}
        there = subprocess.Popen(
            [python, "-c", MEM0, folder, f"http://127.0.0.1:{server.server_port}/v1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env,
        )  # fmt: skip
        ends.callback(there.kill)

        def answer(**given: str) -> list[list[str]]:
            assert there.stdin and there.stdout
            there.stdin.write(json.dumps(given) + "\n")
            there.stdin.flush()
            line = there.stdout.readline()
            if not line:
                raise SystemExit("mem0 ended; its message is above")
            found: list[list[str]] = json.loads(line)
            return found

        entries = [entry for day in days for entry in day.entries]
        for number, entry in enumerate(entries, 1):
            answer(add=entry.text, day=str(entry.day))
            if number % 200 == 0:
                print(f"mem0: {number} of {len(entries)} entries", file=sys.stderr)
        yield asking(
            lambda question: [
                ((text,), date.fromisoformat(day)) for text, day in answer(ask=question)
            ]
        )


def ours(memory: Memory, last: date, with_vectors: bool) -> Ask:
    def ask(question: str, budget: int) -> list[Shown]:
        found = memory.recall(question, budget=budget, as_of=last, vectors=with_vectors)
        return [
            Shown(tuple(one.text.split("\n")), one.date, one.tokens, one.also_on)
            for one in found.passages
        ]

    return ask


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--qmd", help="the command, if it is to be measured")
    parser.add_argument("--mem0", help="the Python of the environment that has mem0ai")
    parser.add_argument("--words", action="store_true", help="leave our vectors out")
    parser.add_argument("--every", type=int, default=1, help="ask every so many questions")
    args = parser.parse_args()
    path = args.corpus / "questions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()[:: args.every]
    rows = rows_of(path, ((f"line {n}", json.loads(line)) for n, line in enumerate(lines, 1)))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        memory = Memory.init(folder)
        for file in (args.corpus / "memory").glob("*.md"):
            (Path(folder) / "memory" / file.name).write_bytes(file.read_bytes())
        days = read_days(memory.root, memory.settings.folders)
        memory.index.update()
        last = days[-1].day
        methods: dict[str, Ask] = {"recall": ours(memory, last, False)}
        if vectors.installed() and not args.words:
            methods["recall, vectors"] = ours(memory, last, True)
        entries = [entry for day in days for entry in day.entries]
        methods["passages"] = simple(entries)["passages"]
        if args.qmd:
            methods["qmd"] = ends.enter_context(qmd(args.qmd, Path(folder) / "memory"))
        if args.mem0:
            methods["mem0"] = ends.enter_context(mem0(args.mem0, days))
        asked = dated(Sample(args.corpus.name, rows), days[0].day)
        found = standings(score([Corpus(days, asked, methods)], measure=measures))
    print(f"{args.corpus.name}: {len(asked)} questions")
    print("| | " + " | ".join((*SHOWN, *SILENCE)) + " |")
    print("|---|" + "---:|" * (len(SHOWN) + len(SILENCE)))
    for name, own in found.overall.items():
        cells = [f"{own[m].value:.3f}" if m in own else "-" for m in (*SHOWN, *SILENCE)]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
