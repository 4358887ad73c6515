"""Marked memories: a line that begins with a label lasts, in the words that were said."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roots
from lithify.compact import lessons
from lithify.compact.marks import marks_in
from lithify.compact.standing import topic_of, words_key
from lithify.config import read
from lithify.errors import ConfigError
from lithify.memory import CompactOptions, Memory
from lithify.text.labels import memory_labels
from lithify.values import BEHIND, MemoryType

DAY = "2026-04-14"
OPEN_WEEK = datetime(2026, 4, 16, 2, 0, tzinfo=UTC)


def root_of(folder: Path, text: str, toml: str = "") -> Memory:
    """A root of one day, looked at while its week is not over."""
    roots.make(folder, {DAY: text}, toml)
    return Memory.open(folder, clock=lambda: OPEN_WEEK)


def told(memory: Memory) -> list[tuple[str, str, str]]:
    return [(one.status, one.type, one.text) for one in memory.memories.list()]


def statements(folder: Path, text: str, toml: str = "") -> list[tuple[MemoryType, str]]:
    snapshot = root_of(folder, text, toml).snapshot()
    return [(m.type, m.statement) for m in marks_in(snapshot, [f"memory/{DAY}.md"])]


@pytest.mark.parametrize(
    "line",
    [
        "- Rule: Never deploy on Fridays.",
        "- rule: Never deploy on Fridays.",
        "* RULE: Never deploy on Fridays.",
        "3. Rule: Never deploy on Fridays.",
        "Rule: Never deploy on Fridays.",
        "- **Rule:** Never deploy on Fridays.",
        "- **Rule**: Never deploy on Fridays.",
        "- **Rule: Never deploy on Fridays.**",
        "- _Rule:_ Never deploy on Fridays.",
        "- 14:05 Rule: Never deploy on Fridays.",
        "- 14:05 **Rule:** Never deploy on Fridays.",
        "- [14:05] rule: Never deploy on Fridays.",
        "- **9:15 am** - Rule: Never deploy on Fridays.",
        "- [ ] Rule: Never deploy on Fridays.",
        "- Rule： Never deploy on Fridays.",
        "- Rule: Never deploy\n  on Fridays.",
    ],
)
def test_a_label_marks_its_line_however_it_is_written(tmp_path: Path, line: str) -> None:
    found = statements(tmp_path / "root", f"# Notes\n\n{line}\n")
    assert found == [("feedback", "Never deploy on Fridays.")]


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Rule", "feedback"),
        ("Lesson", "feedback"),
        ("Preference", "user"),
        ("Reference", "reference"),
        ("Remember", "project"),
        ("Запомни", "project"),
        ("ЗАПОМНИТЕ", "project"),
        ("Правило", "feedback"),
        ("Запамʼятай", "project"),
        ("记住", "project"),
        ("规则", "feedback"),
        ("覚えて", "project"),
        ("Merke", "project"),
        ("Merke  dir", "project"),
        ("Regel", "feedback"),
        ("Recuerda", "project"),
        ("Regla", "feedback"),
        ("Preferencia", "user"),
        ("À retenir ", "project"),
        ("Règle", "feedback"),
        ("Lembre-se", "project"),
        ("Regra", "feedback"),
        ("Akılda tut", "project"),
    ],
)
def test_the_label_gives_the_type_in_each_language_and_in_the_roots_own_words(
    tmp_path: Path, label: str, kind: str
) -> None:
    toml = '[memories]\nlabels = ["Akılda tut"]\n'
    assert statements(tmp_path / "r", f"- {label}: so it is\n", toml) == [(kind, "so it is")]


@pytest.mark.parametrize(
    "text",
    [
        "> Rule: Never deploy on Fridays.\n",
        "```\nRule: Never deploy on Fridays.\n```\n",
        "~~~\n- Rule: Never deploy on Fridays.\n~~~\n",
        "- `Rule: Never deploy on Fridays.`\n",
        '- "Rule: Never deploy on Fridays."\n',
        "Text.\n\n    Rule: Never deploy on Fridays.\n",
        "- Said so\n\n  > Rule: Never deploy on Fridays.\n",
        "| a | b |\n|---|---|\n| Rule: x | y |\n",
        "## Rule: Never deploy on Fridays.\n\nText.\n",
        "- Rule:\n",
        "- **Rule:**\n",
        "- Rule: **\n",
        "Rule:\n\n- Never deploy on Fridays.\n",
        "- Rule:\n  Never deploy on Fridays.\n",
        "- Rule: before each deploy:\n  - run the tests\n",
        "- The Rule: Never deploy on Fridays.\n",
        "- Ruler: 30 cm\n",
        "- 14:05\n",
    ],
)
def test_what_is_quoted_or_code_or_says_nothing_on_its_line_marks_nothing(
    tmp_path: Path, text: str
) -> None:
    assert statements(tmp_path / "root", text) == []


def test_a_label_below_a_line_of_prose_marks_its_line(tmp_path: Path) -> None:
    text = (
        "Checkout was down for an hour.\nLesson: every new job gets its own pool.\n\n"
        "- 09:10 Outage of 20 minutes.\n    **Rule:** keep a spare pool.\n\n"
        "We broke an old\nrule: that was that.\n"
    )
    assert statements(tmp_path / "root", text) == [
        ("feedback", "every new job gets its own pool."),
        ("feedback", "keep a spare pool."),
    ]


def test_lines_one_below_the_other_are_marks_of_their_own(tmp_path: Path) -> None:
    found = statements(tmp_path / "root", "remember: one thing\nremember: another\nrule: a third\n")
    assert found == [("project", "one thing"), ("project", "another"), ("feedback", "a third")]


words = st.text(
    st.characters(categories=("L", "N"), include_characters=" "), min_size=1, max_size=120
).filter(str.strip)


@settings(max_examples=40, deadline=None)
@given(label=st.sampled_from(sorted(memory_labels())), statement=words, upper=st.booleans())
def test_any_words_in_any_script_are_kept_as_they_were_said(
    tmp_path_factory: pytest.TempPathFactory, label: str, statement: str, upper: bool
) -> None:
    name = label.upper() if upper else label.title()
    memory = root_of(tmp_path_factory.mktemp("m") / "root", f"- {name}: {statement}\n")
    memory.compact()
    (one,) = memory.memories.list()
    assert words_key(one.text) == words_key(statement)
    assert one.path.removeprefix("memory/").isascii()
    assert memory.check() == ()


@given(one=words, other=words)
def test_two_statements_have_two_topics(one: str, other: str) -> None:
    long = "deploys to the production cluster in the evening are announced in the channel and "
    assert topic_of(long + one.strip() + " x") != topic_of(long + one.strip() + " y")
    assert topic_of(one) == topic_of(one)


def test_marks_of_a_week_that_is_not_over_are_memories_at_the_next_compact(tmp_path: Path) -> None:
    memory = root_of(
        tmp_path / "root",
        "- 14:05 Rule: Niemals freitags deployen\n"
        "- Remember: 供应商培训改为每月一次\n"
        "- Remember: 供应商培训改为每周一次\n"
        "- Preference: Dana wants figures in a table.\n",
    )
    memory.compact()
    assert sorted(told(memory)) == [
        ("marked", "feedback", "Niemals freitags deployen"),
        ("marked", "project", "供应商培训改为每周一次"),
        ("marked", "project", "供应商培训改为每月一次"),
        ("marked", "user", "Dana wants figures in a table."),
    ]
    assert not any(task.state in BEHIND for task in memory.plan())


def test_a_day_that_grows_while_marks_are_taken_up_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    grown = memory.root / "memory/2026-04-02.md"
    take_up = lessons.take_up_marks

    def with_a_writer(*given: Any) -> Any:
        result = take_up(*given)
        if given[1].period == "2026-W15" and "the port" not in grown.read_text():
            grown.write_text(grown.read_text() + "- Rule: Never open the port to the office.\n")
            given[0].snapshot.rescan()
        return result

    monkeypatch.setattr(lessons, "take_up_marks", with_a_writer)
    memory.compact()
    monkeypatch.undo()
    memory.compact()
    assert "open the port" in str(memory.memories.list())


def test_there_is_no_cap_on_marks(tmp_path: Path) -> None:
    lines = "".join(f"- Rule: ask person{n}x first\n" for n in range(40))
    memory = root_of(tmp_path / "root", lines)
    memory.compact()
    assert len(memory.memories.list()) == 40


def test_a_model_takes_up_marks_like_the_offline_engine(tmp_path: Path) -> None:
    text = roots.day("Rule: Niemals freitags deployen.", "Merged PR 318.")
    files = []
    for name, model in (("offline", None), ("model", roots.Careful())):
        folder = roots.make(tmp_path / name, {"2026-04-02": text})
        memory = Memory.open(folder, clock=lambda: roots.NOW)
        memory.compact(CompactOptions(model=model))
        path = folder / "memory/feedback_niemals-freitags-deployen.md"
        files.append(path.read_bytes())
    assert files[0] == files[1]


def test_a_failed_week_does_not_keep_its_marks_back(tmp_path: Path) -> None:
    from lithify.engines.base import Scripted

    folder = roots.make(tmp_path / "root", {"2026-04-02": "- Rule: Niemals freitags deployen.\n"})
    memory = Memory.open(folder, clock=lambda: roots.NOW)
    report = memory.compact(
        CompactOptions(model=Scripted(lambda call: "no JSON at all", name="mute"))
    )
    assert report.exit_code == 1
    assert told(memory) == [("marked", "feedback", "Niemals freitags deployen.")]


def test_an_edited_line_takes_its_memory_along_and_a_restored_one_brings_it_back(
    tmp_path: Path,
) -> None:
    memory = root_of(tmp_path / "root", roots.day("Rule: Never deploy on Fridays.", "Merged."))
    day = memory.root / "memory" / f"{DAY}.md"
    before = day.read_text()
    memory.compact()
    first = {p.name: p.read_bytes() for p in (memory.root / "memory").glob("*_*.md")}
    wisdom = (memory.root / "WISDOM.md").read_bytes()
    day.write_text(before.replace("Fridays", "Sundays"))
    memory.compact()
    assert told(memory) == [("marked", "feedback", "Never deploy on Sundays.")]
    assert [entry.text for entry in memory.wisdom.entries()] == ["Never deploy on Sundays."]
    day.write_text(before)
    memory.compact()
    assert {p.name: p.read_bytes() for p in (memory.root / "memory").glob("*_*.md")} == first
    assert (memory.root / "WISDOM.md").read_bytes() == wisdom


def test_a_day_that_is_gone_keeps_its_marks_until_it_is_let_go(tmp_path: Path) -> None:
    memory = root_of(tmp_path / "root", "- Rule: Never deploy on Fridays.\n")
    memory.compact()
    (memory.root / "memory" / f"{DAY}.md").unlink()
    memory.compact()
    assert len(memory.memories.list()) == 1
    assert memory.status().exit_code == 3
    memory.compact(CompactOptions(accept_removed=True))
    assert memory.memories.list() == ()


def test_a_marked_file_that_was_deleted_is_written_again(tmp_path: Path) -> None:
    memory = root_of(tmp_path / "root", "- Rule: Never deploy on Fridays.\n")
    memory.compact()
    path = memory.root / memory.memories.list()[0].path
    data = path.read_bytes()
    path.unlink()
    assert memory.status().exit_code == 3
    memory.compact()
    assert path.read_bytes() == data


def test_a_compaction_that_finds_no_new_mark_writes_nothing(tmp_path: Path) -> None:
    memory = root_of(tmp_path / "root", roots.day("Rule: Never deploy on Fridays.", "Merged."))
    memory.compact()
    journal = memory.root / ".lithify/journal.jsonl"
    before = journal.read_bytes()
    memory.compact()
    assert journal.read_bytes() == before


def test_the_same_words_on_two_days_are_one_memory_with_both_sources(tmp_path: Path) -> None:
    days = {"2026-04-02": "- Rule: Check the cache.\n", "2026-04-08": "- rule: check the cache\n"}
    memory = Memory.open(roots.make(tmp_path / "root", days), clock=lambda: roots.NOW)
    memory.compact()
    (one,) = memory.memories.list()
    assert [source.partition("~")[0] for source in one.sources] == ["2026-04-02", "2026-04-08"]
    assert one.updated == "2026-04-08"


def test_no_found_memory_supersedes_a_marked_one() -> None:
    from lithify.compact.memories import fold_lessons
    from lithify.values import TypedMemory

    def memory(statement: str, updated: str, basis: str) -> TypedMemory:
        source = (f"{updated}~000000000000",)
        return TypedMemory(
            "feedback", "deploys", "Deploys", "d", statement, source, updated=updated, basis=basis
        )  # type: ignore[arg-type]

    marked = memory("Deploys happen on Tuesdays.", "2026-04-02", "marked")
    found = memory("Deploys happen on Thursdays.", "2026-04-09", "found")
    known = fold_lessons({"2026-W14": [marked], "2026-W15": [found]}).known
    assert known["feedback", "deploys"].statement == marked.statement
    assert known["feedback", "deploys-happen-on-thursdays"].statement == found.statement
    older = found._replace(updated="2026-03-26")
    known = fold_lessons({"2026-W13": [older], "2026-W14": [marked]}).known
    assert known["feedback", "deploys"].statement == marked.statement
    assert known["feedback", "deploys"].superseded == (
        f"2026-03-26: {older.statement} <!-- {older.sources[0]} -->",
    )


def test_two_that_share_no_words_are_two_files_on_one_topic() -> None:
    from lithify.compact.memories import fold_lessons
    from lithify.values import TypedMemory

    def memory(statement: str, updated: str) -> TypedMemory:
        source = (f"{updated}~000000000000",)
        return TypedMemory("project", "plan", "Plan", "d", statement, source, updated=updated)

    known = fold_lessons(
        {
            "2026-W14": [memory("The launch moved to 17 February.", "2026-04-02")],
            "2026-W15": [memory("Invoices are archived by Tomasz.", "2026-04-09")],
            "2026-W16": [memory("The launch moved to 19 February.", "2026-04-16")],
        }
    ).known
    assert sorted(key[1] for key in known) == ["invoices-are-archived-by-tomasz", "plan"]
    assert known["project", "plan"].superseded


def test_what_else_is_known_of_a_person_is_a_file_of_its_own_matter() -> None:
    from lithify.compact.memories import fold_lessons
    from lithify.values import TypedMemory

    said = [
        ("Sam works from Lisbon and answers mail before nine.", "Sam"),
        ("Sam eats no fish.", "Sam"),
        ("Sam plays the cello in a quartet.", "Sam's cello"),
        ("Sam's daughter turned 7.", "Sam"),
        ("Sam's daughter turned 8.", "Sam"),
        ("Sam answers mail after nine since the move to Lisbon.", "Sam"),
    ]
    weeks = {
        f"2026-W{10 + n}": [
            TypedMemory("user", "sam", name, "d", text, (f"2026-03-{n + 2:02}~{'0' * 12}",))
        ]
        for n, (text, name) in enumerate(said)
    }
    weeks = {
        week: [one._replace(updated=one.sources[0][:10]) for one in found]
        for week, found in weeks.items()
    }
    known = fold_lessons(weeks).known
    assert sorted(key[1] for key in known) == [
        *("sam", "sam-eats-no-fish", "sam-s-cello", "sam-s-daughter-turned-7")
    ]
    # One matter, and no contradiction that code is sure of: both stand, the newer first.
    assert known["user", "sam"].statement == f"{said[5][0]}\n\n{said[0][0]}"
    assert known["user", "sam"].superseded == () and len(known["user", "sam"].sources) == 2
    grown = known["user", "sam-s-daughter-turned-7"]
    assert grown.statement == said[4][0] and grown.superseded == (
        f"2026-03-05: {said[3][0]} <!-- 2026-03-05~000000000000 -->",
    )


@pytest.mark.parametrize(
    ("newer", "older", "replaced"),
    [
        ("We deploy on Wednesdays.", "We deploy on Tuesdays.", True),
        ("Never use tabs in Makefiles.", "Use tabs in Makefiles.", True),
        ("Three people must be present.", "Two people must be present.", False),
        ("The export times out after 45 s.", "The export times out after 30 s.", True),
        ("The launch is on 19 February.", "The launch is on 17 February.", True),
        ("The launch is on Thursday 19 February.", "The launch is on Tuesday 17 February.", False),
        ("Spotkanie jest w piątek.", "Spotkanie jest w środę.", True),
        ("Отчёт отправляем по пятницам.", "Отчёт отправляем по вторникам.", True),
        ("Berichte gehen freitags raus.", "Berichte gehen montags raus.", True),
        ("Le rapport part le jeudi.", "Le rapport part le lundi.", True),
        ("Deploys on Fridays are fine now.", "Never deploy on Fridays.", False),
        ("Never deploy on Fridays.", "Deploys on Fridays are allowed.", False),
        ("Deploys on Fridays are fine now.", "Never deploy on Mondays.", False),
        # "Środki", the means, only begin like "środa".
        ("Środki są na koncie.", "Czwartki są na koncie.", False),
        ("Sam eats no fish.", "Sam works from Lisbon.", False),
        ("Invoices go to Marek.", "Invoices go to Dana.", False),
        ("Payments under 500 euros are free.", "Payments over 5000 euros are free.", False),
        ("No deploys on Fridays.", "Deploys are on Tuesdays.", False),
        ("Use 2 crates and 5 ropes.", "Use 3 crates and 6 ropes.", False),
    ],
)
def test_a_statement_is_superseded_only_by_one_other_value_of_the_same_thing(
    newer: str, older: str, replaced: bool
) -> None:
    from lithify.compact.statements import relation

    assert (relation(newer, older, one_topic=True) == "replaces") is replaced


@pytest.mark.parametrize(
    "toml",
    [
        'labels = ["Notiere", "notiere"]',
        'labels = [" "]',
        'labels = ["Notiere:"]',
        'labels = ["two\\nlines"]',
        "max_per_week = 0",
        'max_per_week = "many"',
        "max = 3",
    ],
)
def test_settings_of_memories_that_make_no_sense_are_refused(toml: str) -> None:
    with pytest.raises(ConfigError):
        read(f"[memories]\n{toml}\n".encode())


def test_settings_of_memories_are_read() -> None:
    memories = read(
        b'[memories]\nmax_per_week = 3\nlabels = ["Notiere", "Note to self"]\n'
    ).memories
    assert memories.max_per_week == 3
    assert memories.labels == ("Notiere", "Note to self")
