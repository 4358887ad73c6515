"""What a compaction is said to cost, what it costs, and a limit that is never crossed."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import commands
import corpora
import roots
from commands import lithify
from lithify.engines.base import Call, Completion, Scripted
from lithify.engines.providers.budget import MARGIN, Budget, Metered, most_tokens
from lithify.engines.providers.facts import Price
from lithify.errors import BudgetReached, UsageError
from lithify.memory import CompactOptions, Memory
from lithify.text.labels import section_by_form
from lithify.text.tokens import estimate
from lithify.values import Usage

pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"
PRICE = '[models."{model}"]\nwindow = 100000\nprice = [3.0, 15.0]\n'


def weighed(prompt: str) -> list[tuple[float, str, str]]:
    """The label and text of each line of a prompt's material, and how surely it must be kept."""
    material = prompt.partition("<MARKED_ENTRIES>")[0].partition("<COMPRESSION_RULES>")[0]
    last_week = material.rfind("\n## ") if roots.stage_of(prompt) == "monthly" else len(material)
    found, heading, at = [], "", 0
    for line in material.splitlines(keepends=True):
        at += len(line)
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
        for label, text in roots.shown(line):
            must = float(bool(section_by_form(text, heading if label.startswith("e") else "")))
            is_open = at > last_week and heading == "Blockers & Open Items"
            found.append((1.0 if is_open else must, label, text))
    return found


def to_length(call: Call) -> str:
    """A model that does as it is told: as long as asked, what must be kept first, nothing twice."""
    if roots.stage_of(call.prompt) == "typed":
        found = {m["filename"]: m for m in json.loads(roots.answer(call))}
        return json.dumps([m for name, m in found.items() if name not in call.prompt])
    if roots.stage_of(call.prompt) == "wisdom":
        return roots.answer(call)
    if roots.stage_of(call.prompt) == "reader":
        return roots.answer(call)
    if roots.stage_of(call.prompt) == "repair":
        return "NONE"
    asked = re.search(r"Length[^:]*: about ([\d,]+) (words|characters)", call.prompt)
    left = int(asked[1].replace(",", "")) if asked else 200

    def size(text: str) -> int:
        words = text.split()
        return len("".join(words)) if asked and asked[2] == "characters" else len(words)

    lines = []
    material = weighed(call.prompt)
    for _, label, text in sorted(material, key=lambda one: -one[0]):
        if left <= 0:
            break
        if "as before" in text or size(text) > left + 20:
            continue
        lines.append(f"- {text} [{label}]")
        left -= size(text)
    tail = call.prompt.rpartition("<OUTPUT_FORMAT>")[2]
    sections = re.findall(r"^### (.+)$", tail, re.MULTILINE)
    return "\n".join([*(f"### {s}" for s in sections[:-1]), f"### {sections[-1]}", *lines])


@dataclass
class Counted:
    """A model that keeps count of what each stage used."""

    used: list[tuple[str, int, int]] = field(default_factory=list)

    def __call__(self, call: Call) -> str:
        reply = to_length(call)
        given = wire.count(call.system) + wire.count(call.prompt) + 8
        self.used.append((roots.stage_of(call.prompt), given, wire.count(reply) + 1))
        return reply


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Wire]:
    wire.reach(monkeypatch)
    with wire.serving(Counted()) as found:
        yield found


def apart(server: wire.Wire) -> tuple[tuple[int, int], tuple[int, int]]:
    """The tokens that a server reported for writing, and for reading."""
    assert isinstance(server.answer, Counted)
    found = [[0, 0], [0, 0]]
    for stage, given, back in server.answer.used:
        found[stage == "reader"][0] += given
        found[stage == "reader"][1] += back
    written, read = ((one[0], one[1]) for one in found)
    assert tuple(map(sum, zip(written, read, strict=True))) == server.usage
    return written, read


def asked(server: wire.Wire, *without: str) -> int:
    """The calls that a server answered, without those of some stages."""
    assert isinstance(server.answer, Counted)
    return sum(stage not in without for stage, _, _ in server.answer.used)


def sample(tmp_path: Path, model: str, days: str = "*") -> Memory:
    """The sample root's days, with a price told for a model."""
    root = roots.make(tmp_path / "root", {}, PRICE.format(model=model))
    for path in sorted((SAMPLE / "memory").glob(f"{days}.md")):
        (root / "memory" / path.name).write_bytes(path.read_bytes())
    newest = max(path.stem[:10] for path in (root / "memory").glob("*.md"))
    year, month = int(newest[:4]), int(newest[5:7])
    return roots.opened(root, f"{year + month // 12}-{month % 12 + 1:02d}-20")


def cost(tokens: tuple[int, int]) -> float:
    return (tokens[0] * 3.0 + tokens[1] * 15.0) / 1e6


@pytest.mark.parametrize("kind", ["sample", *corpora.ROOTS])
def test_the_forecast_is_within_a_quarter_of_what_the_server_reports(
    kind: str, server: wire.Wire, tmp_path: Path
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    if kind == "sample":
        memory = sample(tmp_path, model)
    else:
        root = roots.make(tmp_path / "root", corpora.ROOTS[kind], PRICE.format(model=model))
        memory = roots.opened(root, "2026-05-11")
    found = memory.forecast(memory.plan(model=model), model)
    said = sum((one.usage for one in found), Usage())
    reading = sum((one.reading for one in found), Usage())
    memory.compact(CompactOptions(model=model))
    written, read = apart(server)
    assert cost((said.input, said.output)) == pytest.approx(cost(written), rel=0.25), (
        said,
        written,
    )
    assert said.input == pytest.approx(written[0], rel=0.25), (said, written)
    # Drafts that are sent back are not in the forecast.
    assert sum(f.calls for f in found) == pytest.approx(asked(server, "reader", "repair"), rel=0.12)
    # A week without memories needs no reading of them, which nobody knows before.
    assert asked(server) - asked(server, "reader") <= sum(f.readings for f in found)
    assert 0.75 <= cost((reading.input, reading.output)) / cost(read) <= 1.75, (reading, read)


@pytest.mark.parametrize("kind", corpora.ROOTS)
def test_what_is_set_aside_for_a_text_is_more_than_its_tokens(kind: str) -> None:
    for text in corpora.ROOTS[kind].values():
        assert wire.count(text) <= max(most_tokens(text), int(MARGIN * estimate(text)))


def test_the_forecast_of_a_week_is_exact_in_calls_and_close_in_input(
    server: wire.Wire, tmp_path: Path
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = sample(tmp_path, model, "*-0[1-7]")
    tasks = [t for t in memory.plan(model=model) if t.tier in ("week", "typed")]
    found = memory.forecast(tasks, model)
    memory.compact(CompactOptions(("week", "typed"), model=model))
    assert sum(f.calls for f in found) == asked(server, "reader", "repair")
    assert isinstance(server.answer, Counted)
    given = sum(one[1] for one in server.answer.used if one[0] not in ("reader", "repair"))
    assert sum(f.usage.input for f in found) == pytest.approx(given, rel=0.1)


def test_the_share_of_output_is_that_of_the_pages_this_model_wrote(
    server: wire.Wire, tmp_path: Path
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = sample(tmp_path, model, "2026-01-0*")
    memory.compact(CompactOptions(("week",), model=model))
    for path in (memory.root / ".lithify" / "replies").glob("*.json"):
        path.unlink()
    tasks = [t._replace(state="due") for t in memory.plan(model=model) if t.tier == "week"]
    usage, written = (
        sum((f.usage for f in memory.forecast(tasks, model)), Usage()),
        apart(server)[0],
    )
    assert usage.output == pytest.approx(usage.input * written[1] / written[0], rel=0.01)


def test_what_is_on_disk_is_not_forecast_again(server: wire.Wire, tmp_path: Path) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = roots.opened(roots.make(tmp_path / "root", None, PRICE.format(model=model)))
    memory.compact(CompactOptions(("week",), model=model))
    for page in (memory.root / "memory" / "weekly").glob("*.md"):
        page.unlink()
    found = [f for f in memory.forecast(memory.plan(model=model), model) if f.task.tier == "week"]
    assert [(f.calls, f.paid, f.usage) for f in found] == [(0, 1, Usage())] * 2
    before = len(server.used)
    memory.compact(CompactOptions(("week",), model=model))
    assert len(server.used) == before


@pytest.mark.parametrize("cents", [1, 5, 13])
def test_a_limit_in_money_is_never_crossed(cents: int, server: wire.Wire, tmp_path: Path) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = sample(tmp_path, model, "2026-0[1-9]-1*")
    limit = cents / 100 + 0.06
    try:
        memory.compact(CompactOptions(model=model, max_cost=limit))
    except BudgetReached as stopped:
        assert stopped.exit_code == 6
    assert cost(server.usage) <= limit
    written = [p for p in roots.pages(memory.root) if "weekly" in p]
    assert bool(written) == (len(server.used) > 1)


def test_a_limit_in_tokens_is_never_crossed_and_the_next_run_goes_on(
    server: wire.Wire, tmp_path: Path
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = roots.opened(roots.make(tmp_path / "root", None, PRICE.format(model=model)))
    runs = 0
    while runs < 30:
        runs += 1
        before = sum(server.usage)
        try:
            memory.compact(CompactOptions(model=model, max_tokens_total=7_000))
        except BudgetReached:
            assert sum(server.usage) - before <= 7_000
        else:
            break
    calls, writing = asked(server), asked(server, "reader")
    assert runs > 1
    whole = roots.opened(roots.make(tmp_path / "whole", None, PRICE.format(model=model)))
    whole.compact(CompactOptions(model=model))
    assert asked(server, "reader") == 2 * writing, "nothing may be bought twice"
    # A page whose reading did not fit is in force unread, and says no more than that.
    pages, read = roots.pages(memory.root), roots.pages(whole.root)
    unread = [path for path in pages if pages[path] != read[path]]
    assert unread and asked(server) - calls == calls + len(unread)
    assert {path: unsigned(page) for path, page in pages.items()} == {
        path: unsigned(page) for path, page in read.items()
    }
    said = lithify(["status", "--root", str(memory.root)]).stdout
    assert said.count("Stopped before a call that could cross the limit") == len(unread), said


def unsigned(page: bytes) -> bytes:
    """A page without the line that says who read it."""
    return re.sub(rb"^read: .*\n", b"", page, flags=re.MULTILINE)


def test_reading_counts_towards_the_limit(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    careful, budget = roots.Careful(), Budget(max_tokens=100_000)
    memory.compact(CompactOptions(("week",), model=careful, budget=budget))
    assert len(careful.calls) == 2 and budget.calls == 4


def test_no_call_is_made_when_the_first_could_cross(server: wire.Wire, tmp_path: Path) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    memory = roots.opened(roots.make(tmp_path / "root", None, PRICE.format(model=model)))
    with pytest.raises(BudgetReached):
        memory.compact(CompactOptions(model=model, max_cost=0.0001))
    assert server.seen == []


def test_a_limit_in_money_needs_a_price(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    with pytest.raises(UsageError, match="price"):
        memory.compact(
            CompactOptions(model="openai-compatible:http://127.0.0.1:9/v1#m", max_cost=1.0)
        )


def test_a_provider_that_counts_higher_raises_the_caution() -> None:
    budget = Budget(max_tokens=10_000)
    model = Metered(Scripted(lambda call: Completion("x", Usage(3000, 10))), budget)
    with pytest.raises(BudgetReached):
        for _ in range(50):
            model.complete("word " * 1000, system="", temperature=0.2, max_tokens=100)
    assert budget.spent.input + budget.spent.output <= 10_000
    assert budget.calls == 3


def test_a_failed_call_gives_back_what_was_set_aside() -> None:
    budget = Budget(max_tokens=2_000)
    model = Metered(Scripted([OSError("lost"), "fine"]), budget)
    with pytest.raises(OSError, match="lost"):
        model.complete("word", system="", temperature=0.2, max_tokens=1_500)
    assert model.complete("word", system="", temperature=0.2, max_tokens=1_500).text == "fine"


def test_cached_tokens_cost_what_they_cost() -> None:
    price = Price(3.0, 15.0, 0.3)
    assert price.of(Usage(1_000_000, 0, 1_000_000)) == pytest.approx(0.3)
    assert price.of(Usage(1_000_000, 1_000_000, 0)) == pytest.approx(18.0)


def test_the_command_shows_the_plan_stops_at_the_limit_and_tells_what_was_used(
    server: wire.Wire, tmp_path: Path
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    root = roots.make(tmp_path / "root", None, PRICE.format(model=model))
    python = commands.python("pydantic_ai.direct", "pydantic_ai.providers.openai")

    def run(*arguments: str) -> tuple[int, str, str]:
        argv = [python, "-I", "-m", "lithify.cli", *arguments, "--root", str(root)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    code, out, _ = run("compact", "--dry-run", "--model", model)
    assert code == 0 and "$" in out and "already paid" in out
    assert re.search(r"^of these, \d+ calls read what was written, .*\$", out, re.MULTILINE), out
    code, out, err = run("compact", "--model", model, "--max-tokens-total", "7000")
    assert code == 6 and "7,000 tokens" in err
    code, out, _ = run("compact", "--dry-run", "--model", model, "--json")
    plan = json.loads(out)
    assert plan["calls"] > 0 and plan["cost"] > plan["reading"]["cost"] > 0
    code, out, _ = run("models", "usage", "--json")
    told = json.loads(out)
    assert [one["engine"] for one in told["replies"]] == [model]
    assert told["replies"][0]["replies"] == len(server.used)
    assert told["replies"][0]["usage"]["input"] == server.usage[0]
    assert told["replies"][0]["cost"] == pytest.approx(cost(server.usage), abs=1e-5)


def test_a_model_made_elsewhere_is_held_to_the_limit_too(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    careful = roots.Careful()
    with pytest.raises(BudgetReached):
        memory.compact(CompactOptions(model=careful, max_tokens_total=6_000))
    assert 1 <= len(careful.calls) < 5
    with pytest.raises(UsageError, match="price"):
        memory.compact(CompactOptions(model=careful, max_cost=1.0))
