"""Whatever `scan` finds in a day appears in the output of no command, page, order, index or answer.

Days are generated from a seed with credentials in them: tokens, keys in armour, `name = value` and
users with passwords, in items, paragraphs, headings, lead-ins, tables, quotes and code, with a second
one beside the first and the same value again in other words.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import roots
from lithify.cli import lithify
from lithify.markdown.parse import parse
from lithify.mcp import ToolCall, answer
from lithify.memory import CompactOptions, Memory
from lithify.secrets.redact import findings, redact, shown
from viewer import served

#: Ten roots of fifty days.
ROOTS, DAYS = 10, 50
FIRST = date(2026, 1, 5)

Maker = Callable[[random.Random], str]


def _of(chars: str, size: int) -> Maker:
    return lambda pick: "".join(pick.choices(chars, k=size))


def _mixed(size: int) -> Maker:
    """Letters and digits with some of each."""
    rest = _of(string.ascii_letters + string.digits, size - 3)
    return lambda pick: f"{pick.choice('abcdef')}{pick.randrange(10)}{rest(pick)}Q"


def _chosen(pick: random.Random) -> str:
    words = ("Larch", "kiosk", "Velvet", "ferry", "Otter", "basalt")
    signs = "!#%&$+"
    return f"{pick.choice(words)}{pick.choice(signs)}{pick.randrange(10, 9999)}{pick.choice(words)}"


TOKENS: tuple[Maker, ...] = (
    lambda pick: "AK" + "IA" + _of(string.ascii_uppercase + "234567", 16)(pick),
    lambda pick: "gh" + "p_" + _mixed(36)(pick),
    lambda pick: "sk" + "-ant-api03-" + _mixed(40)(pick),
    lambda pick: "xo" + "xb-123456789012-" + _mixed(24)(pick),
    lambda pick: "gl" + "pat-" + _mixed(20)(pick),
)
NAMES = ("password", "DB_PASSWORD", "api_key", "client-secret", "Passwort", "token", "SMTP_PASS")


def _pair(pick: random.Random) -> str:
    name, value = pick.choice(NAMES), pick.choice((_chosen, _mixed(20)))(pick)
    return pick.choice(("{}={}", "{}: {}", "{} = '{}'", "`{} {}`", "--{}={}")).format(name, value)


def _login(pick: random.Random) -> str:
    form = pick.choice(("login (anna / {})", "credentials: ops / {}", "account `root:{}`"))
    return form.format(_chosen(pick))


def _armour(pick: random.Random) -> str:
    lines = "\n".join(_of(string.ascii_letters + string.digits + "+/", 60)(pick) for _ in "abc")
    dashes = "-" * 5
    return f"{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{lines}\n{dashes}END RSA PRIVATE KEY{dashes}"


def _leak(pick: random.Random) -> str:
    return pick.choice((*TOKENS, _pair, _pair, _login))(pick)


SAID = (
    "Decided to move the invoice export to the night because of {}.",
    "Rule: Never restart the queue by hand with {}, it loses jobs.",
    "Shipped release 2.4.1 of the portal; Priya signed it off with {}.",
    "Blocked: the staging certificate has expired, see {}.",
    "{} was pasted while the importer ran at 1,240 rows a minute.",
    "Remember that the harbour crane is painted in May ({}).",
)


def _block(pick: random.Random) -> str:
    one, two, said = _leak(pick), _leak(pick), pick.choice(SAID)
    value = two.split()[-1].strip("'`)=")
    return pick.choice(
        (
            f"- {said.format(one)}\n- {pick.choice(SAID).format(two)}\n",
            f"{said.format(one)}\nAnd the other, {two}, stands in the next line.\n",
            f"## {one}\n\n- {pick.choice(SAID).format(two)}\n",
            f"Outstanding, with {one}:\n\n- the relay\n- {two}\n",
            f"| what | value |\n|---|---|\n| relay | {one} |\n| {two} | kept |\n",
            f"> {said.format(one)}\n> {two}\n",
            f"```\n{one}\n{two}\n```\n",
            f"- {two}\n- Later somebody said that {value.upper()} and {value} were old.\n",
            f"- the key of the mirror:\n\n{_armour(pick)}\n",
            f"- 09:15 {said.format(one)}\n  {two}\n",
        )
    )


def _day(pick: random.Random, number: int) -> str:
    blocks = [_block(pick) for _ in range(pick.randrange(2, 4))]
    plain = f"- Berth {number} was sold to Marek for €{number * 37 + 1_000:,}.\n"
    return "# Log\n\n" + "\n".join([*blocks[:1], plain, *blocks[1:]])


def values_in(text: str) -> Iterator[str]:
    """Yield what `scan` finds in a text, line by line."""
    for one in findings(text):
        for line in text[one.start : one.end].split("\n"):
            if len(line.strip()) >= 6:
                yield line.strip()


def _outputs(memory: Memory, days: list[str], ids: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what each door says of a root, with the door's name."""
    root = str(memory.root)

    def run(*words: str, given: str | None = None) -> tuple[str, str]:
        done = CliRunner().invoke(lithify, [*words, "--root", root], input=given)
        assert done.exit_code in (0, 1, 3, 4), (words, done.output, done.exception)
        return " ".join(words), done.output

    yield run("status")
    yield run("context", "--budget", "20000")
    yield run("check")
    for question in (
        "password of the staging certificate",
        "token key secret",
        "berth relay login",
    ):
        yield run("recall", question, "--budget", "20000")
        yield run("recall", question, "--json")
        yield (
            f"mcp recall {question}",
            json.dumps(answer(ToolCall(root, "tests"), "recall", {"query": question}), default=str),
        )
    for id in ids:
        yield run("trace", id)
    yield run("trace", f"memory/{days[3]}.md:4")
    yield run("memories", "list")
    yield run("review")
    yield "export book", "\n".join(memory.export("book"))
    yield "export jsonl", "\n".join(memory.export("jsonl"))
    yield run("scan")
    yield from (
        (path.name, path.read_bytes().decode("utf-8", "replace"))
        for path in (memory.root / ".lithify").glob("*.sqlite*")
    )


def _written(memory: Memory) -> Iterator[tuple[str, str]]:
    """Yield every page above the days, and the journal."""
    for path in memory.root.rglob("*"):
        name = path.relative_to(memory.root).as_posix()
        is_day = name.startswith("memory/20")
        if path.is_file() and not is_day:
            yield name, path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("seed", range(ROOTS))
def test_what_scan_finds_in_a_day_appears_nowhere(seed: int, tmp_path: Path) -> None:
    pick = random.Random(seed)
    names = [(FIRST + timedelta(n)).isoformat() for n in range(DAYS)]
    texts = {name: _day(pick, number) for number, name in enumerate(names)}
    found = {value for text in texts.values() for value in values_in(text)}
    assert len(found) > 2 * DAYS
    root = roots.make(tmp_path / "root", texts, 'model = "agent"\n')
    memory = roots.opened(root)
    order = CliRunner().invoke(lithify, ["write", "next", "--root", str(root)])
    prompts = [("write next", order.output)]
    prompts += [
        (f"{stage} {period}", str(memory.prompt(stage, period)))
        for stage, period in (("week", "2026-W02"), ("week", "2026-W04"))
    ]
    assert "[secret:" in order.output
    memory.compact(CompactOptions(model="offline"))
    ids = [entry.id for entry in memory.snapshot().entries([f"memory/{names[3]}.md"])][:4]
    every = _outputs(memory, names, ids)
    # Every command on three of the roots, the first ones on all.
    told = [*prompts, *(every if seed < 3 else islice(every, 6)), *_written(memory)]
    if seed < 2:
        with served(root) as site:
            pages = ("/", "/timeline", "/week/2026-W02", "/month/2026-01", "/wisdom", "/memories")
            days = (f"/day/{name}" for name in names[: 10 if seed else 5])
            told += [(page, site.ask(page).text) for page in (*pages, *days, "/recall?q=password")]
    assert any("[secret:" in said for _, said in told)
    leaked = {(door, value) for door, said in told for value in found if value in said}
    assert leaked == set()


@pytest.mark.parametrize("seed", range(40))
def test_a_file_is_shown_line_by_line_as_scan_finds_it(seed: int) -> None:
    """Marks stand in the lines of what they replace, and nothing is found in what is shown."""
    text = _day(random.Random(1000 + seed), seed)
    data = text.encode()
    told = shown(data)
    assert told.count(b"\n") == data.count(b"\n")
    assert findings(told.decode()) == ()
    assert redact(told.decode()) == told.decode()
    entries = zip(parse(data).entries, parse(data, shown=told).entries, strict=True)
    for own, other in entries:
        assert (own.id, own.line, own.kind) == (other.id, other.line, other.kind)
        assert not any(value in other.text for value in values_in(text))
