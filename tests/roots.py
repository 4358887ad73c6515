"""Small roots for tests, and a model that answers every stage as a careful one would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lithify.engines.base import VERDICTS, Call, Completion, attentive
from lithify.memory import CompactOptions, Memory
from lithify.text.tokens import estimate
from lithify.values import Task, Usage

NOW = datetime(2026, 4, 20, 2, 0, tzinfo=UTC)

#: What a run may change besides the pages it writes.
OWN = (
    "journal.jsonl",
    "digests.json",
    "entries.sqlite",
    "lock",
    "replies/",
    "quarantine/",
    "staged/",
    "compact.lock",
)

#: Two weeks of March and April 2026 with decisions, figures, a rule and an open item.
DAYS: Mapping[str, tuple[str, ...]] = {
    "2026-03-31": (
        "Decided to move the invoice export to a nightly batch because the live one times out.",
        "The importer handles 1,240 rows a minute on the test machine.",
    ),
    "2026-04-02": (
        "Shipped release 2.4.1 of the login page; Priya signed it off.",
        "Never restart the queue by hand: it loses the jobs in flight.",
        "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    ),
    "2026-04-08": (
        "Merged PR 318, the importer now handles 2,900 rows a minute.",
        "Always run the migration on a copy first, because a failed one locks the table.",
    ),
}

#: The same days with their rules marked.
MARKED: Mapping[str, tuple[str, ...]] = {
    day: tuple(f"Rule: {line}" if line.startswith(("Never", "Always")) else line for line in lines)
    for day, lines in DAYS.items()
}


def day(*lines: str, title: str = "Notes of the day") -> str:
    """The text of a day: a heading and one item a line."""
    return f"# {title}\n\n" + "".join(f"- {line}\n" for line in lines)


def make(
    folder: Path, days: Mapping[str, Iterable[str] | str] | None = None, toml: str = ""
) -> Path:
    """A root with these days; a value that is one text is the file's bytes."""
    (folder / "memory").mkdir(parents=True)
    (folder / "lithify.toml").write_text(f'zone = "UTC"\n{toml}')
    for name, lines in (DAYS if days is None else days).items():
        put(folder, name, lines)
    return folder


def put(root: Path, name: str, lines: Iterable[str] | str) -> None:
    """Write a day."""
    text = lines if isinstance(lines, str) else day(*lines)
    (root / "memory" / f"{name}.md").write_text(text)


def opened(root: Path, now: datetime | str = NOW) -> Memory:
    """The root at a fixed moment."""
    moment = datetime.fromisoformat(f"{now}T02:00:00+00:00") if isinstance(now, str) else now
    return Memory.open(root, clock=lambda: moment)


def made(
    tmp_path: Path, days: Mapping[str, Iterable[str] | str] | None = None, toml: str = ""
) -> Memory:
    """A new root, opened."""
    return opened(make(tmp_path / "root", days, toml))


def task(memory: Memory, key: str, **ask: Any) -> Task | None:
    """The task called `week:2026-W14`, as the plan sees it."""
    return next((t for t in memory.plan(**ask) if t.key == key), None)


def state(memory: Memory, key: str, **ask: Any) -> str:
    """Where a task stands; `absent` if the plan does not know it."""
    found = task(memory, key, **ask)
    return found.state if found else "absent"


def written(memory: Memory, **options: Any) -> list[str]:
    """Compact, and say which tasks were carried out."""
    return [
        r.task.key
        for r in memory.compact(CompactOptions(**options)).results
        if r.status != "adopted"
    ]


def text(memory: Memory, path: str) -> str:
    """A file of the root."""
    return (memory.root / path).read_text()


def pages(root: Path) -> dict[str, bytes]:
    """Every file outside of the program's own folder."""
    return {
        path: data for path, data in everything(root).items() if not path.startswith(".lithify")
    }


def everything(root: Path) -> dict[str, bytes]:
    """Every file of a root, but for what any run may touch."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.removeprefix(".lithify/").startswith(OWN):
            found[name] = path.read_bytes()
    return found


def bullets(page: str) -> list[str]:
    """The bullets of a page without their provenance."""
    lines = [line for line in page.splitlines() if line.startswith("- ")]
    return [line.partition(" <!--")[0] for line in lines]


_LABELLED = re.compile(
    r"^(?:- )?\[([ebm]\d+)\] (?:\(\d{4}-\d\d-\d\d(?:;[^()]*)?\) |\(quoted\) )?(.+)$", re.MULTILINE
)
_RULE = re.compile(r"\b(always|never)\b", re.IGNORECASE)


#: What only a prompt that sends something back says.
SENT_BACK = "What you wrote before is kept"


def stage_of(prompt: str) -> str:
    """Which stage a prompt is of; `combined` asks for a week and its memories."""
    if SENT_BACK in prompt:
        return "repair"
    if "\n<VERDICTS>\n" in prompt:
        return "reader"
    if "\n<DECISIONS>\n" in prompt:
        return "wisdom"
    if "\n<MEMORY_TYPES>\n" in prompt:
        return "combined" if "```typed_memory" in prompt else "typed"
    return "monthly" if "<WEEKLY_SUMMARIES>" in prompt else "weekly"


def shown(prompt: str) -> list[tuple[str, str]]:
    """The labels and texts of a prompt's material."""
    # A section's tag stands on a line of its own; the rules name it in passing.
    material = prompt.partition("\n<MARKED_ENTRIES>\n")[0].partition("\n<COMPRESSION_RULES>\n")[0]
    found = _LABELLED.findall(material)
    return [pair for pair in found if pair[1] != "is no label that you were shown."]


def summary(prompt: str) -> str:
    """A faithful summary: every line of the material under the section it fits."""
    tail = prompt.rpartition("<OUTPUT_FORMAT>")[2].partition("<MEMORY_TYPES>")[0]
    sections = re.findall(r"^### (.+)$", tail, re.MULTILINE)
    lines = [f"- {line} [{label}]" for label, line in shown(prompt)]
    return "\n".join([*(f"### {s}" for s in sections[:-1]), f"### {sections[-1]}", *lines])


def typed(prompt: str) -> str:
    """A memory for each rule of the material, its topic taken from its words."""
    return json.dumps(
        [memory_of(label, line) for label, line in shown(prompt) if _RULE.search(line)]
    )


def memory_of(
    label: str, line: str, *, filename: str = "", kind: str = "feedback", name: str = ""
) -> dict[str, str]:
    """One object of a reply with typed memories."""
    topic = "-".join(re.findall(r"[a-z]+", line.lower())[:4])
    front = (
        f"---\nname: {name or topic.replace('-', ' ')}\ndescription: {topic}\n"
        f"type: {kind}\nsources: [{label}]\n---\n"
    )
    body = f"{line}\n\n**Why:** not stated\n\n**How to apply:** not stated\n"
    return {"filename": filename or f"{kind}_{topic}.md", "content": front + body}


def decisions(prompt: str) -> str:
    """Every rule added, everything else dropped."""
    found = []
    for label, line in shown(prompt):
        one = {"item": label, "decision": "DROP", "reason": "no rule"}
        if _RULE.search(line):
            line = line.partition(" Why:")[0]
            title = " ".join(line.split()[:5]).strip(".,:;")
            one = {
                "item": label,
                "decision": "ADD",
                "title": title,
                "text": line,
                "reason": "a rule",
            }
        found.append(one)
    return json.dumps(found)


def mended(prompt: str) -> str:
    """The words of the entries that a send-back shows, in place of what was refused."""
    if "\n<MEMORY_FORMAT>\n" in prompt or "\n<MEMORY_ARRAY>\n" in prompt:
        return "NONE" if "```typed_memory" in prompt else "[]"
    if "\n<DECISION_FORMAT>\n" in prompt:
        return decisions(prompt)
    return summary(prompt) if shown(prompt) else "NONE"


def verdicts(prompt: str) -> str:
    """What a reader says who finds a claim in the words of the entries it cites, or not at all."""
    material = prompt.partition("<CLAIMS>\n")[2].partition("\n\n<VERDICTS>")[0]
    words = {label: _words(line) for label, line in _LABELLED.findall(material)}
    found = []
    for number, claim, cited in _CLAIM.findall(material):
        told = set[str]().union(*(words[label] for label in re.findall(r"\[(e\d+)\]", cited)))
        # A date that is written in full, as the program does, is no fault.
        verdict = "supported" if _words(_DATE.sub("", claim)) <= told else "not stated"
        found.append({"claim": int(number), "verdict": verdict, "reason": ""})
    return json.dumps(found)


_CLAIM = re.compile(r"^(\d+): (?:\(judgement\) )?(.+)\n\(cites (.*)\)$", re.MULTILINE)
_DATE = re.compile(r"\b(?:Q\d )?20\d\d(?:-\d\d){0,2}(?:'s)?\b")
_AROUND_DATES = {"the", "of", "on", "in", "week"}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower())) - {"why"} - _AROUND_DATES


def answer(call: Call) -> str:
    """What a careful model replies."""
    if call.prompt.startswith("<MEMORIES>"):
        # Which moments bring them back: none.
        labels = re.findall(r"^(m\d+) ", call.prompt, re.MULTILINE)
        return "\n".join(f"{label}: NONE" for label in labels)
    match stage_of(call.prompt):
        case "reader":
            return verdicts(call.prompt)
        case "repair":
            return mended(call.prompt)
        case "wisdom":
            return decisions(call.prompt)
        case "typed":
            return typed(call.prompt)
        case "combined":
            fences = [f"```typed_memory\n{m['content']}```" for m in json.loads(typed(call.prompt))]
            return "\n\n".join([summary(call.prompt), *(fences or ["NONE"])])
    return summary(call.prompt)


@dataclass
class Careful:
    """A model that never errs, and remembers for which stage and period it was called."""

    name: str = "careful"
    calls: list[Call] = field(default_factory=list)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        call = Call(prompt, system, temperature, max_tokens)
        if VERDICTS in prompt:
            return Completion(attentive(prompt))
        self.calls.append(call)
        reply = answer(call)
        return Completion(reply, Usage(estimate(prompt), estimate(reply)))

    @property
    def asked(self) -> list[str]:
        """The calls as `weekly 2026-W14`."""
        periods = [re.search(r"^Period: (\S+)$", c.prompt, re.MULTILINE) for c in self.calls]
        return [
            f"{stage_of(call.prompt)} {period[1] if period else ''}".strip()
            for call, period in zip(self.calls, periods, strict=True)
        ]


#: The command with Ctrl-C as at a terminal: a shell's background job inherits it ignored.
INTERRUPTIBLE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from lithify.cli import main; main()"
)
