"""`forget` erases words, entries and people from every file of a root, and proves it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import faults
import roots
from commands import lithify
from lithify.errors import UnknownReference, UsageError
from lithify.memory import CompactOptions, Forgotten, Memory
from lithify.secrets.forget import all_entries, remains
from lithify.store import journal
from lithify.text.occurrences import pattern_finder, text_finder
from test_gate_chain import keeper
from test_gate_chain import made as gate_made
from test_gate_core import prose

SECRET = "Ann Lee earns 81,500 a year and plans to leave in May."


def erase(memory: Memory, *refs: str, **wanted: list[str]) -> Forgotten:
    return memory.forget(memory.choose_to_forget(refs, **wanted))


def id_of(memory: Memory, words: str) -> str:
    return next(
        entry.id
        for entry in all_entries(memory.root, memory.snapshot().tree)
        if words in entry.text
    )


def errors(memory: Memory) -> list[str]:
    return [f"{p.path}: {p.message}" for p in memory.check() if p.severity == "error"]


def everywhere(memory: Memory, text: str) -> list[str]:
    return sorted({one.path for one in remains(memory.root, text)})


@pytest.fixture(params=["offline", "model"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Memory:
    days = {
        **roots.MARKED,
        "2026-04-03": (f"Rule: never tell anyone that {SECRET}", "Met Ann Lee about the budget."),
        "2026-04-09": ("Annual review of the budget went well.", "ann-lee.md was renamed."),
    }
    memory = roots.made(tmp_path, days)
    memory.log("Ann Lee asked for the audit.", origin="web")
    model = None if request.param == "offline" else roots.Careful()
    memory.compact(CompactOptions(model=model))
    roots.put(memory.root, "2026-04-10", ("Ann Lee was ill.",))
    memory.compact(CompactOptions(model=model))  # so that history has versions
    memory.recall("Ann Lee")
    return memory


def test_a_person_is_erased_with_every_entry_that_names_them(memory: Memory) -> None:
    assert len(everywhere(memory, "Ann Lee")) > 6
    done = erase(memory, people=["Ann Lee"])
    assert done.entries >= 5
    assert everywhere(memory, "Ann Lee") == []
    assert everywhere(memory, "81,500") == []
    assert everywhere(memory, "plans to leave") == []
    assert errors(memory) == []
    assert "Annual review of the budget" in roots.text(memory, "memory/2026-04-09.md")
    assert not memory.recall("Ann Lee").passages


def test_an_entry_is_erased_by_its_id_and_with_it_memory_and_wisdom(memory: Memory) -> None:
    entry = id_of(memory, "restart the queue by hand")
    assert "WISDOM.md" in everywhere(memory, "restart the queue by hand")
    erase(memory, entry)
    assert everywhere(memory, "restart the queue by hand") == []
    assert everywhere(memory, entry.partition("~")[2]) == []
    assert errors(memory) == []
    assert "Always run the migration" in roots.text(memory, "WISDOM.md")


def test_the_whole_text_of_an_entry_erases_it_with_memory_and_wisdom(memory: Memory) -> None:
    entry = id_of(memory, "restart the queue by hand")
    (text,) = (
        one.text for one in all_entries(memory.root, memory.snapshot().tree) if one.id == entry
    )
    assert text.startswith("Rule: ")  # which memory and wisdom leave out
    erase(memory, text)
    assert everywhere(memory, "restart the queue by hand") == []
    assert errors(memory) == []


def test_a_text_is_replaced_and_its_entry_stays(memory: Memory) -> None:
    erase(memory, "81,500")
    assert everywhere(memory, "81,500") == []
    assert "earns [forgotten] a year" in roots.text(memory, "memory/2026-04-03.md")
    assert errors(memory) == []


def test_offline_pages_are_what_a_fresh_derivation_gives(tmp_path: Path) -> None:
    memory = roots.made(tmp_path / "a", roots.MARKED)
    memory.compact()
    erase(memory, id_of(memory, "staging certificate"))
    fresh = roots.make(tmp_path / "b" / "root", {})
    for path in sorted((memory.root / "memory").glob("2026-*.md")):
        (fresh / "memory" / path.name).write_bytes(path.read_bytes())
    again = roots.opened(fresh)
    again.compact()
    ours, theirs = (
        {
            p: [line for line in d.splitlines() if not line.startswith(b"journal: ")]
            for p, d in roots.pages(m.root).items()
            if "weekly" in p or "monthly" in p
        }
        for m in (memory, again)
    )
    assert ours == theirs
    assert all(
        task.state in ("current", "waiting") for task in memory.plan() if task.tier == "week"
    )


def test_pages_of_a_model_are_named_as_due_and_hold_nothing_of_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    memory.compact(CompactOptions(model=roots.Careful()))
    done = erase(memory, id_of(memory, "staging certificate"))
    assert "week:2026-W14" in done.due
    assert roots.state(memory, "week:2026-W15") == "current"
    assert "certificate" not in roots.text(memory, "memory/weekly/2026-W14.md")


def test_only_untouched_ids_of_a_day_stay(memory: Memory) -> None:
    kept = id_of(memory, "Shipped release 2.4.1")
    erase(memory, "Tomasz")
    assert id_of(memory, "Shipped release 2.4.1") == kept


def test_unknown_ids_and_short_texts_are_refused(memory: Memory) -> None:
    with pytest.raises(UnknownReference):
        memory.choose_to_forget(["2026-04-02~000000000000"])
    with pytest.raises(UsageError):
        memory.choose_to_forget(["a"])


@pytest.mark.parametrize(
    "form",
    [
        "ann lee",
        "ANN   LEE",
        "Ann\n    Lee",
        "A\u200bnn Le\u00ade",
        "**Ann** `Lee`",
        "ann-lee",
        "> Ann\n> Lee",
    ],
)
def test_other_spellings_are_found(form: str) -> None:
    assert list(text_finder(["Ann Lee"])(f"It was {form} who said so."))


@pytest.mark.parametrize(
    ("text", "form"), [("Zoë", "Zoe\u0308"), ("Zoe\u0308", "ZOË"), ("Straße", "STRASSE")]
)
def test_composed_and_decomposed_letters_are_the_same(text: str, form: str) -> None:
    assert list(text_finder([text])(f"It was {form}."))


def test_a_long_word_is_found_broken_over_a_line_end_and_prose_is_not() -> None:
    find = text_finder(["hunter2hunter2hunter2"])
    assert list(find("key: hunter2hun\n    ter2hunter2"))
    assert not list(text_finder(["nod"])("better than\nodd ones"))


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("acct-*", "See acct-4711, please.", ["acct-4711"]),
        ("ann l*", "Ann Lee and Ann Low.", ["Ann Lee", "Ann Low"]),
        ("4???", "PIN 4821 or 48210", ["4821"]),
        ("*@example.org", "<Ann@Example.org>", ["Ann@Example.org"]),
    ],
)
def test_patterns_are_globs_of_words(pattern: str, text: str, found: list[str]) -> None:
    assert [text[span.start : span.end] for span in pattern_finder(pattern)(text)] == found


def test_no_pattern_hangs() -> None:
    text = "a" * 20_000
    assert not list(pattern_finder("*a" * 40 + "b")(text))
    assert not list(text_finder(["a " * 30 + "b"])("a " * 20_000))


# The gate


def test_chain_is_anchored_anew_by_a_tombstone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    job = gate_made(root)
    word = prose(1, 300).split()[5].strip(".,")
    memory = Memory.open(root)
    gate = keeper(root)
    gate.record("s", "prompt", f"Please ask Marguerite about {word}.")
    erase(memory, "Marguerite")
    assert remains(root, "Marguerite") == []
    chain_text = memory.gate.chain(job)[1].text.split("\n")[1]
    erase(memory, chain_text[:60])
    assert remains(root, chain_text[:60]) == []
    assert errors(memory) == []
    notes = [p.message for p in memory.check() if p.kind == "chain"]
    assert len(notes) == 1 and "taken out of" in notes[0] and "by `forget`" in notes[0]
    assert keeper(root).record("s", "prompt", "Go on.").state.job == job


def test_a_tombstone_that_no_forget_wrote_is_an_error(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    job = gate_made(root)
    path = root / ".lithify" / "gate" / job / "chain.jsonl"
    tip = journal.tip(str(path))
    line = journal.render(
        tip.seq + 1, "2026-04-02T14:00:00Z", "tombstone", {"lines": [1]}, tip.hash
    )
    path.write_bytes(path.read_bytes() + line + b"\n")
    assert any("says nothing of it" in message for message in errors(Memory.open(root)))


# Crashes


class Erasure:
    """A day, a page, a memory and a gate's record that all hold a name."""

    #: `make faults` tries every point.
    every = 4

    def prepare(self, root: Path) -> None:
        roots.make(root / "r", {"2026-04-02": ("Met Ann Lee.", "Shipped 2.4.1.")})
        memory = roots.opened(root / "r")
        memory.log("Ann Lee called.", origin="web")
        memory.compact()

    def act(self, root: Path) -> None:
        memory = roots.opened(root / "r")
        choice = memory.choose_to_forget(["Ann Lee"])
        memory.forget(choice)

    def check(self, root: Path, crash: faults.Crash) -> None:
        root = root / "r"
        memory = roots.opened(root)
        said = any(p.kind == "staged" for p in memory.check())
        begun = journal.read(root).records[-1].kind == "forget" or said
        memory.compact()
        left = remains(root, "Ann Lee")
        if crash.done:
            assert left == []
        # All of it or nothing: what is left is left in the day too, where a person sees it.
        assert not left or "memory/2026-04-02.md" in {one.path for one in left}
        assert not (left and begun and crash.done)
        assert errors(memory) == []
        assert roots.opened(root).status().unfinished is False
        self.act(root.parent)
        assert remains(root, "Ann Lee") == []


erasure = Erasure()


def test_killed_forget_is_finished_or_undone_by_the_next_run(tmp_path: Path) -> None:
    points = faults.run("test_forget:erasure", tmp_path, ("kill",))
    assert points["kill"] >= 40


# The command


def command(root: Path, *args: str, stdin: str = "") -> tuple[int, str]:
    done = lithify([*args, "--root", str(root)], stdin=stdin)
    return done.returncode, done.stdout + done.stderr


def test_forgetting_needs_a_person_who_may_let_scripts_do_it(memory: Memory) -> None:
    for given in (("Ann Lee",), ("Ann Lee", "--yes"), ("Ann Lee", "--yes", "--json")):
        code, said = command(memory.root, "forget", *given)
        assert code == 2 and "terminal" in said and "viewer" in said
    assert everywhere(memory, "Ann Lee")
    # Nobody but a person lets scripts do it, whatever was allowed before.
    memory.allow_unattended("trust")
    assert command(memory.root, "trust", "--unattended", "forget")[0] == 2
    assert command(memory.root, "forget", "Ann Lee", "--yes")[0] == 2
    memory.allow_unattended("forget")
    code, said = command(memory.root, "forget", "Ann Lee")
    assert code == 2 and "--yes" in said
    assert everywhere(memory, "Ann Lee")
    code, said = command(memory.root, "forget", "--dry-run", "--person", "Ann Lee")
    assert code == 0 and "memory/2026-04-03.md" in said
    assert everywhere(memory, "Ann Lee")
    # And a person takes it back.
    assert "scripts may call: lithify forget" in command(memory.root, "trust")[1]
    assert "lithify trust --attended forget" in command(memory.root, "status")[1]
    assert command(memory.root, "trust", "--attended", "forget")[0] == 2
    memory.allow_unattended("forget", allowed=False)
    memory.allow_unattended("trust", allowed=False)
    assert "--attended" not in command(memory.root, "status")[1]
    assert "lithify forget" not in command(memory.root, "trust")[1]
    assert command(memory.root, "forget", "Ann Lee", "--yes")[0] == 2
    with pytest.raises(UsageError, match="may not call"):
        memory.allow_unattended("forget", allowed=False)


def test_the_receipt_names_every_file_and_verify_proves_it(memory: Memory) -> None:
    assert command(memory.root, "forget", "--verify", "Ann Lee")[0] == 3
    memory.allow_unattended("forget")
    code, said = command(memory.root, "forget", "-", "--yes", "--json", stdin="Ann Lee\n")
    receipt = json.loads(said)
    assert code == 0
    assert receipt["files"]["memory/2026-04-03.md"] == "changed"
    assert ".lithify/index.sqlite" in receipt["files"]
    assert "Ann" not in said
    assert command(memory.root, "forget", "--verify", "Ann Lee")[0] == 0
    last = [r for r in journal.read(memory.root).records if r.kind == "forget"]
    assert len(last) == 1 and "memory/2026-04-03.md" in last[0].data["rewrote"]


def test_verify_finds_what_is_escaped_in_json_in_names_and_in_the_index(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", {"2026-04-02": ("Zoë called.",)})
    (root / "zoë.txt").write_text("nothing")
    (root / "notes.json").write_text(json.dumps({"who": "Zoë"}))
    roots.opened(root).recall("called")
    found = {one.path for one in remains(root, "zoë")}
    assert {"zoë.txt", "notes.json", ".lithify/index.sqlite", "memory/2026-04-02.md"} <= found


def test_what_forget_leaves_is_named(tmp_path: Path) -> None:
    days = {"2026-04-02": ("Met Ann Whitlow.", "Whitlow sent the plan.", "Shipped 2.4.1.")}
    memory = roots.made(tmp_path, days)
    (memory.root / "exports" / "ann-whitlow").mkdir(parents=True)
    (memory.root / "exports" / "book.md").write_text("Ann Whitlow was met.\n")
    choice = memory.choose_to_forget(people=["Ann Whitlow"])
    assert [(one.text, word) for one, word in choice.maybe] == [
        ("Whitlow sent the plan.", "Whitlow")
    ]
    asked = ["forget", "--person", "Ann Whitlow", "--dry-run", "--root", str(memory.root)]
    shown = lithify(asked)
    assert "if the same person is meant, add --person Whitlow" in shown.stdout
    left = {one.path for one in memory.forget(choice).left}
    assert left == {"exports/book.md", "exports/ann-whitlow"}
    assert "Whitlow sent the plan." in (memory.root / "memory/2026-04-02.md").read_text()


# What the erased had replaced

MONDAYS = "Send the harbour report on Mondays only."
FRIDAYS = "Send the harbour report on Fridays only."


def standing(memory: Memory) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """What `memories list`, `--gone` and a session's start say of the two rules."""
    both = (MONDAYS, FRIDAYS)
    held = [one.text for one in memory.memories.list() if one.text in both]
    gone = [(one.text, one.status) for one in memory.memories.gone() if one.text in both]
    rules = memory.context().partition("label=memories")[2].partition("[[end")[0]
    return held, gone, [text for text in both if text in rules]


def test_a_rule_is_in_force_again_at_once_when_what_replaced_it_is_erased(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {"2026-04-01": ("Met the harbour master.",)})
    memory.remember(MONDAYS, type="user")
    kept = memory.remember(FRIDAYS, type="user")
    assert standing(memory) == ([FRIDAYS], [(MONDAYS, "superseded")], [FRIDAYS])
    done = erase(memory, *kept.entry.entries)
    assert [one.text for one in done.back] == [MONDAYS]
    now = ([MONDAYS], [], [MONDAYS])
    assert standing(memory) == now
    memory.compact(CompactOptions(include_current=True))
    assert standing(memory)[:2] == now[:2]
    assert everywhere(memory, FRIDAYS) == [] and errors(memory) == []
    memory.memories.drop(done.back[0].id)
    assert standing(memory) == ([], [(MONDAYS, "dropped")], [])


def test_forget_says_what_is_in_force_again_and_how_to_drop_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    memory.remember(MONDAYS, type="user")
    memory.remember(FRIDAYS, type="user")
    memory.allow_unattended("forget")
    code, said = command(memory.root, "forget", FRIDAYS, "--yes")
    assert code == 0 and f"in force again, what replaced it is gone: {MONDAYS}" in said
    (one,) = memory.memories.list()
    assert f"lithify memories drop {one.id}" in said


def test_what_nothing_had_replaced_brings_nothing_back(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    memory.remember(MONDAYS, type="user")
    entry = memory.remember("The pilot boat is called Greta.").entry.entries[0]
    assert erase(memory, entry).back == ()


def test_a_dry_run_names_every_file_that_the_run_then_touches(memory: Memory) -> None:
    (memory.root / "MEMORY.md").write_text("# Notes\n\nAnn Lee reads the budget.\n")

    def texts() -> dict[Path, bytes]:
        found = (path for path in memory.root.rglob("*.md") if path.is_file())
        return {path: path.read_bytes() for path in found}

    before = texts()
    choice = memory.choose_to_forget(people=["Ann Lee"])
    told = memory.forget(choice, dry_run=True).receipt.files
    code, said = command(memory.root, "forget", "--dry-run", "--person", "Ann Lee")
    assert code == 0 and "would be changed: MEMORY.md" in said
    assert texts() == before
    assert memory.forget(choice).receipt.files == told


def test_a_page_that_a_model_wrote_keeps_what_nothing_was_erased_of(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    memory.compact(CompactOptions(model=roots.Careful()))
    page = "memory/weekly/2026-W14.md"
    before = roots.bullets(roots.text(memory, page))
    done = erase(memory, "release 2.4.1")
    assert done.dropped[0].startswith(f"week 2026-W14: 1 of {len(before)} bullets rested on")
    kept = [bullet for bullet in before if "2.4.1" not in bullet]
    assert roots.bullets(roots.text(memory, page)) == kept and len(kept) == len(before) - 1
    memory.compact()
    assert roots.bullets(roots.text(memory, page)) == kept
    assert "week:2026-W14" in done.due and not errors(memory)
    order = memory.next_order().order
    assert order and order.task.key == "week:2026-W14"
