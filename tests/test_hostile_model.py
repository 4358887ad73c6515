"""A misbehaving model cannot harm memory: mended, asked again, quarantined, or failed visibly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

import roots
from lithify.compact.brief import briefs_of
from lithify.engines.base import Call, Completion, Scripted
from lithify.engines.model import ModelEngine
from lithify.errors import ModelError
from lithify.memory import CompactOptions, Memory
from lithify.values import Usage
from lithify.verify import verify

WEEK = "memory/weekly/2026-W14.md"
DAYS = {
    "2026-03-31": (
        "Decided to move the invoice export to a nightly batch because the live one times out.",
        "The importer handles 1,240 rows a minute on the test machine.",
    ),
    "2026-04-02": (
        "Shipped release 2.4.1 of the login page; Priya signed it off.",
        "Lena may move to the Lisbon office in June; nothing is confirmed.",
        "Never restart the queue by hand: it loses the jobs in flight.",
        "Blocked: the staging certificate has expired and Tomasz has to renew it.",
        "The weekly report took the whole afternoon again.",
    ),
}

#: What code alone does: a reader has tests of its own.
UNREAD = '[verify]\nreader = "off"\n'
Twist = Callable[[str], str]


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return roots.made(tmp_path, DAYS, toml=UNREAD)


def twisted(twist: Twist, *, times: int = 99, stage: str = "weekly") -> Scripted:
    """A careful model whose first replies on one stage are twisted, and what it mends of them too."""
    left = [times]

    def reply(call: Call) -> Completion:
        text = roots.answer(call)
        if roots.stage_of(call.prompt) in (stage, "repair") and left[0]:
            left[0] -= 1
            text = twist(text)
        return Completion(text, Usage(100, 100))

    return Scripted(reply)


def week(memory: Memory, model: Scripted, **options: Any) -> str:
    """Compact the week; its status, after a look that nothing else has changed on disk."""
    before = roots.everything(memory.root)
    results = memory.compact(CompactOptions(("week",), model=model, **options)).results
    after = roots.everything(memory.root)
    assert {p: d for p, d in after.items() if p != WEEK} == before
    assert (WEEK in after) is (results[0].status == "written")
    return results[0].status


def quarantined(memory: Memory) -> str:
    """All that is in quarantine, with its reasons."""
    return "\n".join(
        [
            held.reason + "".join(f"\n{t}: {'; '.join(why)}" for t, why in held.refused)
            for held in memory.quarantine()
        ]
    )


# Weeks and months


MENDED: dict[str, Twist] = {
    "preamble": lambda good: f"Here is the summary you asked for:\n\n{good}",
    "fenced": lambda good: f"```markdown\n{good}\n```",
    "front matter": lambda good: f"---\ntype: weekly\n---\n{good}",
    "other heading levels": lambda good: good.replace("### ", "# ").replace("# Dec", "#### Dec"),
    "bold headings": lambda good: good.replace("### Key Outcomes", "**Key Outcomes**"),
    "star bullets": lambda good: good.replace("\n- ", "\n* "),
    "numbered bullets": lambda good: good.replace("\n- ", "\n1. "),
    "citations in round brackets": lambda good: good.replace("[e", "(e").replace("]", ")"),
    "an empty section left out": lambda good: good.replace("### Decisions\n", ""),
    "provenance of its own": lambda good: good.replace(
        " [e1]", " [e1] <!-- 2026-04-02~000000000000 -->"
    ),
    "NUL bytes": lambda good: good.replace("Shipped", "Ship\0ped"),
    "citations nobody was shown": lambda good: good.replace("[e1]", "[e1][e99]"),
}


@pytest.mark.parametrize("slip", MENDED)
def test_small_slips_are_mended_without_asking(memory: Memory, tmp_path: Path, slip: str) -> None:
    model = twisted(MENDED[slip])
    assert week(memory, model) == "written"
    assert len(model.calls) == 1
    straight = roots.made(tmp_path / "straight", DAYS, toml=UNREAD)
    straight.compact(CompactOptions(("week",), model=Scripted(roots.answer)))
    assert roots.text(memory, WEEK) == roots.text(straight, WEEK)
    assert memory.quarantine() == ()


class Lie(NamedTuple):
    """A false bullet, who stops it, and what is said of it: words of code's violation, or the bullet's.

    What a reader has to stop passes code, and may stand on a page that nobody reads.
    """

    twist: Twist
    stopped_by: Literal["code", "reader"]
    words: str


LIES: dict[str, Lie] = {
    "number changed by a digit": Lie(
        lambda good: good.replace("1,240", "1,340"),
        "code",
        '"1,340" stands in no entry cited',
    ),
    "version changed by a digit": Lie(
        lambda good: good.replace("2.4.1", "2.4.7"),
        "code",
        '"2.4.7" stands in no entry cited',
    ),
    "invented person": Lie(
        lambda good: good.replace("Priya signed", "Marguerite signed"),
        "reader",
        "Marguerite signed it off",
    ),
    "invented quotation": Lie(
        lambda good: good.replace("Priya signed it off", 'Priya said "never again"'),
        "code",
        '"never again" stands in no entry cited',
    ),
    "day nobody named": Lie(
        lambda good: good.replace("in June", "on 14 July 2026"),
        "code",
        '"14 July 2026" stands in no entry cited',
    ),
    "figure of another matter": Lie(
        lambda good: good.replace("The weekly report took", "1,240 times the weekly report took"),
        "code",
        '"1,240" stands in no entry cited; [e2] has it: cite it if the claim rests on it',
    ),
    "citation that does not exist": Lie(
        lambda good: good + "\n- Everybody was delighted with the new coffee machine. [e77]",
        "code",
        "cites [e77], which was not shown",
    ),
    "invented section": Lie(
        lambda good: good + "\n### Lessons Learned\n- The importer handles 1,240 rows. [e2]",
        "code",
        '"Lessons Learned" is not one of the sections',
    ),
    "closing chatter": Lie(
        lambda good: good + "\nLet me know if you would like anything changed!",
        "code",
        "cites no entry",
    ),
    "invented person as first word": Lie(
        lambda good: good.replace("Shipped release", "Marguerite shipped release"),
        "reader",
        "Marguerite shipped release 2.4.1",
    ),
    "hedge hardened into fact": Lie(
        lambda good: good.replace(
            "Lena may move to the Lisbon office in June; nothing is confirmed.",
            "Lena moves to the Lisbon office in June.",
        ),
        "reader",
        "Lena moves to the Lisbon office in June.",
    ),
    "prohibition turned round": Lie(
        lambda good: good.replace("Never restart the queue", "Restart the queue"),
        "reader",
        "Restart the queue by hand",
    ),
    "claim that nothing says": Lie(
        lambda good: good + "\n- Everybody was delighted with the new coffee machine. [e2]",
        "reader",
        "Everybody was delighted",
    ),
    "another person of the log": Lie(
        lambda good: good.replace("Priya signed it off", "Tomasz signed it off"),
        "reader",
        "Tomasz signed it off",
    ),
    "another cause": Lie(
        lambda good: good.replace("the live one times out", "the nights are cheaper"),
        "reader",
        "because the nights are cheaper",
    ),
    "pointer to elsewhere": Lie(
        lambda good: good.replace("The weekly report", "As mentioned, the weekly report"),
        "reader",
        "As mentioned, the weekly report",
    ),
    "endless bullet": Lie(
        lambda good: good.replace("took the whole", "took the " + "whole afternoon " * 400),
        "reader",
        "whole afternoon whole afternoon",
    ),
}
CODE = [name for name, lie in LIES.items() if lie.stopped_by == "code"]


@pytest.mark.parametrize("name", LIES)
def test_the_table_says_who_stops_a_lie(memory: Memory, name: str) -> None:
    lie = LIES[name]
    snapshot, tasks = memory.snapshot(), memory.plan()
    (brief,) = briefs_of(snapshot, next(task for task in tasks if task.tier == "week"))
    model = Scripted(lambda call: lie.twist(roots.answer(call)))
    checked = verify(ModelEngine(model).draft(brief), brief, extractive=False)
    wrong = [v for one in checked.refused for v in one.violations] + list(checked.slips)
    said = [violation.message for violation in wrong]
    written = [claim.text for claim in checked.claims]
    if lie.stopped_by == "code":
        assert any(lie.words in message for message in said) and len(said) == 1
    else:
        assert any(lie.words in text for text in written) and not said


@pytest.mark.parametrize("name", CODE)
def test_false_claim_is_sent_back_with_the_exact_violation(memory: Memory, name: str) -> None:
    lie = LIES[name]
    model = twisted(lie.twist, times=1)
    assert week(memory, model) == "written"
    assert lie.words in model.calls[1].prompt
    assert memory.quarantine() == ()


@pytest.mark.parametrize("name", CODE)
def test_false_claim_that_stays_goes_to_quarantine_and_never_to_the_page(
    memory: Memory, name: str
) -> None:
    lie = LIES[name]
    assert week(memory, twisted(lie.twist)) == "written"
    page = roots.text(memory, WEEK)
    for trace in (
        *("1,340", "2.4.7", "never again", "14 July", "1,240 times"),
        *("coffee", "Lessons", "Let me know"),
    ):
        assert trace not in page
    assert lie.words.partition('"')[2].partition('"')[0] in quarantined(memory)
    assert "certificate" in page, "what is true of the reply is written"


def test_a_mend_that_cannot_be_read_gives_nothing_up(memory: Memory) -> None:
    def reply(call: Call) -> str:
        mends = roots.stage_of(call.prompt) == "repair"
        return "I would rather not." if mends else LIES[CODE[0]].twist(roots.answer(call))

    model = Scripted(reply)
    assert week(memory, model) == "written"
    assert [roots.stage_of(call.prompt) for call in model.calls] == ["weekly", "repair", "repair"]
    assert "1,340" in model.calls[2].prompt and "1,340" in quarantined(memory)
    assert "1,340" not in roots.text(memory, WEEK)


WHOLE: dict[str, tuple[Twist, str]] = {
    "empty": (lambda good: "", "none of the sections was found"),
    "refusal": (
        lambda good: "I'm sorry, but I can't help with summarising these logs.",
        "none of the sections was found",
    ),
    "headings alone": (
        lambda good: "### Key Outcomes\n### Decisions\n### Blockers & Open Items\n### Context\n",
        "the reply holds no bullet",
    ),
    "wrong headings": (
        lambda good: good.replace("### ", "### My "),
        "none of the sections was found",
    ),
    "ten megabytes": (lambda good: good + "\n- word" * 1_500_000, "characters"),
    "another's week": (
        lambda good: "### Context\n- Bought 40 chairs in Oslo. [e1]\n- Sold 12 desks. [e2]\n",
        '"40" stands in no entry',
    ),
    "nothing but citations": (
        lambda good: "### Context\n- [e1][e2][e3][e4][e5][e6][e7]\n",
        "the reply holds no bullet",
    ),
}


@pytest.mark.parametrize("fault", WHOLE)
def test_hopeless_reply_is_sent_back_twice_and_then_the_week_has_failed(
    memory: Memory, fault: str
) -> None:
    twist, violation = WHOLE[fault]
    model = twisted(twist)
    assert week(memory, model) == "failed"
    assert len(model.calls) == 3
    assert all(violation in call.prompt for call in model.calls[1:])
    assert violation in quarantined(memory)
    assert roots.state(memory, "week:2026-W14", model=model) == "failed"
    shown = {t.key: t for t in memory.status().tasks}
    assert shown["week:2026-W14"].state == "failed" and shown["week:2026-W14"].why
    assert memory.status().exit_code == 3


@pytest.mark.parametrize("fault", WHOLE)
def test_hopeless_reply_is_forgiven_if_the_next_is_good(memory: Memory, fault: str) -> None:
    assert week(memory, twisted(WHOLE[fault][0], times=1)) == "written"


def test_reply_cut_at_the_limit_is_asked_for_in_halves(memory: Memory) -> None:
    def reply(call: Call) -> Completion:
        good = roots.answer(call)
        cut = len(roots.shown(call.prompt)) > 2
        text = good[: len(good) // 2] if cut else good
        return Completion(text, Usage(10, 10), "max_tokens" if cut else "end")

    model = Scripted(reply)
    assert week(memory, model) == "written"
    assert [len(roots.shown(c.prompt)) for c in model.calls] == [7, 3, 1, 2, 4, 2, 2]
    assert len(roots.bullets(roots.text(memory, WEEK))) == 7


def test_reply_that_is_always_cut_fails_and_leaves_everything_as_it_was(memory: Memory) -> None:
    model = Scripted(lambda call: Completion("### Context\n- Shi", Usage(9, 9), "max_tokens"))
    assert week(memory, model) == "failed"
    assert "cut off at the token limit" in quarantined(memory)


def test_old_page_stays_in_force_when_its_successor_fails(memory: Memory) -> None:
    memory.compact(CompactOptions(model=Scripted(roots.answer)))
    before = roots.everything(memory.root)
    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    report = memory.compact(CompactOptions(model=Scripted(lambda call: "no")))
    assert {r.status for r in report.results} == {"failed"} and report.exit_code == 1
    after = roots.everything(memory.root)
    assert {p: d for p, d in after.items() if p != "memory/2026-04-01.md"} == before


def test_failed_week_is_not_bought_again_until_something_changes(memory: Memory) -> None:
    model = twisted(WHOLE["refusal"][0], times=6)
    assert week(memory, model) == "failed"
    for _ in range(3):
        assert memory.compact(CompactOptions(("week",), model=model)).results == ()
    assert len(model.calls) == 3
    assert week(memory, model, retry=True) == "failed"
    assert len(model.calls) == 6  # a retry is a new question, not the old answer
    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    assert week(memory, model) == "written"
    assert len(model.calls) == 7


def test_another_prompt_or_model_is_reason_to_try_again(memory: Memory) -> None:
    no = twisted(WHOLE["refusal"][0])
    week(memory, no)
    other = Scripted(roots.answer, name="another")
    assert roots.state(memory, "week:2026-W14", model=other) == "due"
    (memory.root / "prompts").mkdir()
    (memory.root / "prompts/weekly.md").write_text(
        "[system]\nSummarise.\n[user]\n<DAILY_LOGS>\n{{logs}}\n\nPeriod: {{period}}\n"
        "<EXISTING_MEMORIES>\n{{memories}}\n"
        "<OUTPUT_FORMAT>\n### Key Outcomes\n### Decisions\n### Blockers & Open Items\n### Context\n"
    )
    assert roots.state(memory, "week:2026-W14", model=no) == "due"
    assert week(memory, Scripted(roots.answer)) == "written"


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_max_repairs_says_how_often_is_asked_again(tmp_path: Path, rounds: int) -> None:
    memory = roots.made(tmp_path, DAYS, toml=f"{UNREAD}max_repairs = {rounds}\n")
    model = twisted(WHOLE["refusal"][0])
    assert week(memory, model) == "failed"
    assert len(model.calls) == rounds + 1


@pytest.mark.parametrize("reply", ["I refuse.", ModelError(model="m", reason="no network")])
def test_fallback_completes_a_failed_period_offline(
    memory: Memory, reply: str | ModelError, tmp_path: Path
) -> None:
    model = Scripted(lambda call: reply)
    report = memory.compact(CompactOptions(model=model, fallback=True))
    assert not [r for r in report.results if r.status == "failed"]
    assert {r.engine for r in report.results} == {"offline"}
    plain = roots.made(tmp_path / "plain", DAYS, toml=UNREAD)
    plain.compact()
    assert roots.pages(memory.root) == roots.pages(plain.root)
    assert memory.compact(CompactOptions(model=model)).results == ()


@pytest.mark.parametrize(
    "error", [ModelError(model="m", reason="no network"), TimeoutError("30 s"), ValueError("{}")]
)
def test_model_that_raises_fails_the_period_and_may_be_asked_again(
    memory: Memory, error: Exception
) -> None:
    model = Scripted(lambda call: error)
    report = memory.compact(CompactOptions(model=model))
    assert {r.status for r in report.results} == {"failed"} and report.exit_code == 1
    assert all("\n" not in r.reason and r.reason for r in report.results)
    assert roots.state(memory, "week:2026-W14", model=model) == "due"
    assert week(memory, Scripted(roots.answer)) == "written"


def test_month_is_held_to_the_same(memory: Memory) -> None:
    memory.compact(CompactOptions(("week", "typed"), model=Scripted(roots.answer)))
    model = twisted(lambda good: good.replace("1,240", "1,250"), stage="monthly")
    report = memory.compact(CompactOptions(("month",), model=model))
    assert report.exit_code == 4 and len(model.calls) == 3
    assert '"1,250" stands in no entry' in model.calls[1].prompt
    assert "1,250" not in roots.text(memory, "memory/monthly/2026-04.md")


# Typed memories

FEEDBACK = "memory/feedback_never-restart-the-queue.md"


def remember(memory: Memory, reply: str | Twist, times: int = 99) -> tuple[str, Scripted]:
    """Extract the week's memories with a twisted reply; the status, and the model."""
    twist: Twist = reply if callable(reply) else lambda good: reply
    model = twisted(twist, times=times, stage="typed")
    before = roots.everything(memory.root)
    result = memory.compact(CompactOptions(("typed",), model=model)).results[0]
    after = roots.everything(memory.root)
    new = set(after) - set(before)
    assert {p: d for p, d in after.items() if p not in new} == before
    assert new == set(result.files)
    assert all(Path(p).parent == Path("memory") and Path(p).name.isascii() for p in new)
    return result.status, model


@pytest.mark.parametrize(
    "twist",
    [
        lambda good: f"```json\n{good}\n```",
        lambda good: f"Sure! Here are the memories [as asked]:\n{good}\nI hope this helps.",
        lambda good: good.replace("}]", ",},]"),
        lambda good: "\n".join(f"```typed_memory\n{m['content']}```" for m in json.loads(good)),
        lambda good: f"The list of old ones is []. The new ones:\n{good}",
    ],
    ids=["fenced", "prose around", "trailing commas", "typed_memory fences", "brackets in prose"],
)
def test_data_in_any_wrapping_is_read(memory: Memory, twist: Twist) -> None:
    status, model = remember(memory, twist)
    assert status == "written" and len(model.calls) == 1
    body = roots.text(memory, FEEDBACK).partition("---\n\n")[2]
    assert body.startswith(
        "Never restart the queue by hand: it loses the jobs in flight.\n\n**Why:**"
    )


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I found nothing of interest, I think.",
        "{}",
        '[{"filename": "feedback_x.md", "content": "---\\ntype: feedback\\nsources: []\\n---\\nNev',
        '["feedback_x.md"]',
        '[{"filename": "feedback_x.md"}]',
        '[{"filename": "secret_x.md", "content": "---\\ntype: secret\\n---\\nBody."}]',
        '[{"filename": 3, "content": ["x"]}]',
        "[" * 100_000,
        "- [ ] write the memories down",
        "x" * 10_000_000,
    ],
    ids=lambda reply: reply[:24] or "empty",
)
def test_memories_that_cannot_be_read_are_a_failure_and_never_an_empty_success(
    memory: Memory, reply: str
) -> None:
    status, model = remember(memory, reply)
    assert status == "failed" and len(model.calls) == 3
    assert "<FORM>" in model.calls[1].prompt
    assert roots.state(memory, "typed:2026-W14", model=model) == "failed"
    assert memory.quarantine()[0].reason
    assert "2026-W14" not in memory.snapshot().ledger.lessons.found


@pytest.mark.parametrize("reply", ["[]", "```json\n[]\n```", "Nothing qualifies: []", "NONE"])
def test_nothing_to_remember_is_a_success(memory: Memory, reply: str) -> None:
    status, model = remember(memory, reply)
    assert status == "unchanged" and len(model.calls) == 1
    assert roots.state(memory, "typed:2026-W14", model=model) == "current"


@pytest.mark.parametrize(
    ("filename", "topic"),
    [
        ("../../escape.md", "escape"),
        ("/etc/cron.d/escape", "escape"),
        ("..\\..\\escape.md", "escape"),
        ("2026-04-02.md", "the-queue"),
        ("CON", "topic-con"),
        ("feedback_con.md", "topic-con"),
        ("feedback_a\0b.md", "ab"),
        ("feedback_" + "x" * 4096 + ".md", "x" * 60),
        (".lithify/journal.jsonl", "journal-jsonl"),
        ("WISDOM.md", "wisdom"),
        ("", "the-queue"),
        ("...", "topic"),
        ("feedback_Größe & Maß.md", "groe-mass"),
    ],
    ids=lambda value: str(value)[:20] or "none",
)
def test_program_decides_where_a_memory_goes(memory: Memory, filename: str, topic: str) -> None:
    line = DAYS["2026-04-02"][2]
    item = roots.memory_of("e5", line, name="the queue")
    item["filename"] = filename
    status, _ = remember(memory, json.dumps([item]))
    assert status == "written"
    found = [p.name for p in (memory.root / "memory").glob("*_*.md")]
    if filename.startswith("feedback_Gr"):
        assert len(found) == 1
    else:
        assert found == [f"feedback_{topic}.md"]


def test_control_characters_reach_no_file(memory: Memory) -> None:
    item = roots.memory_of("e5", "Never restart the queue by\0 hand: it loses the jobs in flight.")
    assert remember(memory, json.dumps([item]))[0] == "written"
    assert "\0" not in roots.text(memory, FEEDBACK)


def test_false_memory_is_asked_for_again_and_then_refused(memory: Memory) -> None:
    lines = DAYS["2026-04-02"]
    good = [roots.memory_of(f"e{n}", lines[n - 3], name=f"topic {'abc'[n - 5]}") for n in (5, 6, 7)]
    bad = roots.memory_of("e3", "Shipped release 2.4.9 of the login page; Priya signed it off.")
    status, model = remember(memory, json.dumps([*good, bad]))
    assert status == "written" and len(model.calls) == 3
    assert '"2.4.9" stands in no entry' in model.calls[1].prompt
    assert '"2.4.9" stands in no entry' in quarantined(memory)
    assert len(list((memory.root / "memory").glob("*_*.md"))) == 3


# Wisdom


def distilled(tmp_path: Path, reply: Twist, toml: str = "") -> tuple[Memory, Scripted, str, str]:
    """WISDOM.md before and after a second distillation with a twisted reply."""
    memory = roots.made(tmp_path, DAYS, toml=toml)
    memory.compact(CompactOptions(model=Scripted(roots.answer)))
    before = roots.text(memory, "WISDOM.md")
    roots.put(memory.root, "2026-04-08", ["Always run the migration on a copy first."])
    model = twisted(reply, stage="wisdom")
    memory.compact(CompactOptions(model=model))
    return memory, model, before, roots.text(memory, "WISDOM.md")


def test_more_entries_than_the_cap_are_not_written(tmp_path: Path) -> None:
    rules = {
        f"2026-04-{n:02}": [f"Never ship module {word} without a review by the {word} team."]
        for n, word in enumerate(
            [
                "alpha",
                "bravo",
                "cargo",
                "delta",
                "echo",
                "foxtrot",
                "golf",
                "hotel",
                "india",
                "juliet",
            ],
            1,
        )
    }
    memory = roots.made(tmp_path, rules, toml="[wisdom]\nmax_entries = 4\n")
    memory.compact(CompactOptions(model=Scripted(roots.answer)))
    assert len(memory.wisdom.entries()) == 4
    reasons = [
        d["reason"] for d in memory.snapshot().ledger.wisdom.decisions if d["verb"] == "DROP"
    ]
    assert any("no room" in reason for reason in reasons)


def test_unchanged_entry_reworded_keeps_its_bytes(tmp_path: Path) -> None:
    def reword(good: str) -> str:
        item = json.loads(good)[0]["item"]
        others = [d | {"decision": "DROP"} for d in json.loads(good)[1:]]
        return json.dumps(
            [
                {
                    "item": item,
                    "decision": "MERGE",
                    "target": "w1",
                    "text": "By hand never restart the queue, for then the jobs in flight it loses.",
                    "reason": "reads better",
                },
                *others,
            ]
        )

    memory, _, before, after = distilled(tmp_path, reword)
    entry = before.partition("---\n")[2].strip()
    assert entry in after
    assert memory.snapshot().ledger.wisdom.decisions[-1]["verb"] in ("MERGE", "DROP")


@pytest.mark.parametrize(
    ("twist", "violation"),
    [
        (lambda good: "# Agent - Wisdom\n\n**Ship it**\nAlways.", "not a JSON array"),
        (lambda good: good.replace('"ADD"', '"REPLACE"'), "must be MERGE, ADD or DROP"),
        (
            lambda good: good.replace('"item": "m1"', '"item": "m9"'),
            '"m9" is not an item that was shown',
        ),
        (
            lambda good: json.dumps([*json.loads(good), *json.loads(good)]),
            "m1 has more than one decision",
        ),
        (
            lambda good: good.replace("on a copy first", "on 3 copies first"),
            '"3" stands in no entry',
        ),
        (
            lambda good: good.replace('"ADD"', '"MERGE"'),
            "MERGE names no entry in force",
        ),
        (lambda good: good.replace('"text"', '"words"'), "ADD gives no `text`"),
    ],
    ids=["a page", "verb", "item", "twice", "figure", "target", "text"],
)
def test_entries_in_force_outlive_bad_decisions(
    tmp_path: Path, twist: Twist, violation: str
) -> None:
    memory, model, before, after = distilled(tmp_path, twist)
    wisdom = [c for c in model.calls if roots.stage_of(c.prompt) in ("wisdom", "repair")]
    assert len(wisdom) == 3 and violation in wisdom[1].prompt
    entry = before.partition("---\n")[2].strip()
    assert entry and entry in after
    assert violation in quarantined(memory)
    if after == before:
        assert roots.state(memory, "wisdom:", model=model) == "failed"
    else:
        # What could be read beside the slip stands.
        assert violation.startswith(("m1 has more", '"m9" is not an item'))
        assert after.count("migration on a copy") == before.count("migration on a copy") + 1


def test_a_reader_of_wisdom_is_shown_the_item_of_each_rule(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS)
    model = Scripted(roots.answer, reads=True)
    memory.compact(CompactOptions(model=model))
    roots.put(
        memory.root, "2026-04-09", ["Always run the migration on a copy, never on the table."]
    )
    roots.put(memory.root, "2026-04-10", ["Never ship module alpha without a review."])
    memory.compact(CompactOptions(model=model))
    prompt = next(c.prompt for c in reversed(model.calls) if roots.stage_of(c.prompt) == "reader")
    claims = prompt.partition("<CLAIMS>\n")[2].partition("\n\n<VERDICTS>")[0].split("\n\n")
    words = dict(re.findall(r"^\[(e\d+)\] \(.*?\) (.+)$", prompt, re.MULTILINE))
    rules = [claim for claim in claims if "(judgement)" in claim]
    assert len(rules) >= 2
    for rule in rules:
        text = rule.splitlines()[0].rpartition(": ")[2].removeprefix("(judgement) ")
        cited = re.findall(r"\[(e\d+)\]", rule.splitlines()[1])
        assert len(cited) >= 2 and all(text in words[label] for label in cited)


def test_an_item_without_a_decision_is_not_taken_up_and_nobody_is_asked_again(
    tmp_path: Path,
) -> None:
    def without_alpha(good: str) -> str:
        return json.dumps([one for one in json.loads(good) if "alpha" not in one["text"]])

    days = {"2026-04-02": [f"Never ship module {w} unseen." for w in ("alpha", "bravo", "cargo")]}
    memory = roots.made(tmp_path, days)
    model = twisted(without_alpha, stage="wisdom")
    report = memory.compact(CompactOptions(model=model))
    wisdom = report.results[-1]
    assert wisdom.status == "written" and wisdom.refused == 0 and report.exit_code == 0
    assert sum(roots.stage_of(call.prompt) == "wisdom" for call in model.calls) == 1
    reasons = [d["reason"] for d in memory.snapshot().ledger.wisdom.decisions]
    # Both the memory and the month's bullet of that rule.
    assert reasons.count("not taken up") == 2
    assert len(memory.wisdom.entries()) == 2
