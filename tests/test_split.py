"""Too much for one call: split the same way each time, joined, and checked as one page."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import roots
from lithify.capture import clipped
from lithify.compact.brief import brief_of as page_brief
from lithify.compact.brief import halves, selected, shown_again, split, tokens_of
from lithify.compact.page import join
from lithify.engines.base import Call, Completion, Room, Scripted
from lithify.markdown.parse import entry_id
from lithify.memory import CompactOptions
from lithify.settings import Settings
from lithify.values import Brief, Claim, Entry, Item, Task, Usage, WisdomEntry

WORDS = [
    "anchor",
    "basket",
    "candle",
    "drawer",
    "engine",
    "feather",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kettle",
    "ladder",
]
#: A model with so little room that a week needs several calls.
SMALL = '[models."careful"]\nwindow = 4000\noutput = 150\n'


def entries(days: int, headings: int, items: int) -> tuple[Entry, ...]:
    found = []
    for day in range(1, days + 1):
        label = f"2026-04-{day:02}"
        for h in range(headings):
            for n in range(items):
                word = WORDS[(day * 5 + h * 3 + n) % len(WORDS)]
                text = f"Shipped the {word} of batch {day}{h}{n}; the {word} team was told at once."
                head = (f"Part {h}",)
                found.append(
                    Entry(
                        entry_id(label, head, text),
                        text,
                        head,
                        path=f"memory/{label}.md",
                        line=1 + 100 * h + n,
                        day=date(2026, 4, day),
                    )
                )
    return tuple(found)


def brief_of(found: tuple[Entry, ...]) -> Brief:
    task = Task("week", "2026-W14", "due")
    brief = page_brief(task, found, Settings())
    return brief._replace(target=int(0.3 * brief.size))


def room_for(tokens: int) -> Room:
    """Room for so many tokens of input at the default compression."""
    return Room(window=1_000_000, output=int(tokens * 0.3 / 0.8) + 1)


def test_what_fits_is_not_split() -> None:
    brief = brief_of(entries(3, 2, 2))
    assert split(brief, room_for(brief.size + 10)) == (brief,)
    assert split(brief, None) == (brief,)


def test_split_by_day_first() -> None:
    brief = brief_of(entries(4, 2, 8))
    day = tokens_of(brief.entries[:16])
    parts = split(brief, room_for(day + 20))
    assert [{e.day for e in part.entries} for part in parts] == [
        {date(2026, 4, n)} for n in range(1, 5)
    ]


def test_split_by_heading_where_a_day_is_too_much_and_by_entry_where_a_heading_is() -> None:
    brief = brief_of(entries(1, 3, 24))
    heading = tokens_of(brief.entries[:24])
    parts = split(brief, room_for(heading + 15))
    assert [{e.headings for e in part.entries} for part in parts] == [
        {("Part 0",)},
        {("Part 1",)},
        {("Part 2",)},
    ]
    parts = split(brief, room_for(heading // 2 + 20))
    assert len(parts) > 3
    assert all(len({e.headings for e in part.entries}) == 1 for part in parts)


@pytest.mark.parametrize("most", [200, 260, 400, 900])
def test_parts_hold_every_entry_once_and_in_order_and_each_fits(most: int) -> None:
    brief = brief_of(entries(7, 3, 5))
    room = room_for(most)
    parts = split(brief, room)
    assert tuple(e for part in parts for e in part.entries) == brief.entries
    assert len(parts) > 1
    for part in parts:
        assert part.size == tokens_of(part.entries)
        assert part.size <= max(200, most + 5)
        assert part.target <= room.output
    assert split(brief, room) == parts


def test_entry_that_alone_is_too_much_is_shown_from_its_beginning() -> None:
    monster = Entry("2026-04-01~0123456789ab", "start " + "lorem ipsum dolor " * 40_000)
    brief = brief_of((monster, *entries(1, 1, 2)))
    parts = split(brief, room_for(1000))
    assert all(part.size <= 1100 for part in parts)
    shown = [e for part in parts for e in part.entries]
    assert [e.id for e in shown] == [e.id for e in brief.entries]
    assert shown[0].text.startswith("start lorem") and shown[0].text.endswith(" …")


def test_prose_travels_whole_however_long_and_output_is_clipped() -> None:
    said = "The pump was looked at again. " * 4000
    prose = Entry("2026-04-01~0123456789ab", said)
    assert clipped(prose).text == said
    assert len(clipped(replace(prose, kind="code")).text) < len(said)


def test_halves_end_at_one_entry() -> None:
    brief = brief_of(entries(1, 1, 5))
    first, second = halves(brief)
    assert first.entries + second.entries == brief.entries
    assert halves(brief_of(entries(1, 1, 1))) == (brief_of(entries(1, 1, 1)),)


def test_join_says_once_what_two_parts_say_and_keeps_what_differs() -> None:
    def claim(text: str, source: str) -> Claim:
        return Claim(text, (source,), "Context")

    joined = join(
        [
            claim("The build of the site takes 12 minutes.", "a"),
            claim("the build of the site takes **12 minutes**.", "b"),
            claim("The build of the site takes 14 minutes now.", "c"),
            claim("The build of the site never takes 12 minutes now.", "d"),
            Claim("The build of the site takes 12 minutes.", ("e",), "Decisions"),
        ]
    )
    assert [(c.text, c.sources) for c in joined] == [
        ("the build of the site takes **12 minutes**.", ("a", "b")),
        ("The build of the site takes 14 minutes now.", ("c",)),
        ("The build of the site never takes 12 minutes now.", ("d",)),
        ("The build of the site takes 12 minutes.", ("e",)),
    ]


@pytest.fixture
def big(tmp_path: Path) -> Path:
    days = {}
    for entry in entries(4, 3, 8):
        name = f"2026-04-{5 + (entry.day.day if entry.day else 0):02}"
        head = f"\n## {entry.headings[0]}\n\n"
        text = days.setdefault(name, "# Day\n")
        days[name] = text + (head if head not in text else "") + f"- {entry.text}\n"
    return roots.make(tmp_path / "root", days, SMALL)


class Terse(roots.Careful):
    """A careful model that keeps to every third line."""

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        whole = super().complete(
            prompt, system=system, temperature=temperature, max_tokens=max_tokens
        )
        if roots.stage_of(prompt) not in ("weekly", "monthly"):
            return whole
        lines = whole.text.splitlines()
        heads = [line for line in lines if line.startswith("#")]
        rest = [line for line in lines if line.startswith("-")]
        return Completion("\n".join([*heads, *rest[::3]]), Usage(9, 9))


def test_oversized_week_is_one_page_in_one_band(big: Path) -> None:
    memory = roots.opened(big)
    model = Terse()
    report = memory.compact(CompactOptions(("week",), model=model))
    assert {r.status for r in report.results} == {"written"}
    calls = [name for name in model.asked if name == "weekly 2026-W15"]
    assert len(calls) > 1
    page = roots.text(memory, "memory/weekly/2026-W15.md")
    assert page.count("### Context") == 1
    found = roots.bullets(page)
    assert len(found) == len(set(found)) > 10
    front = page.partition("tokens: {in: ")[2]
    size, out = int(front.partition(",")[0]), int(front.partition("out: ")[2].partition("}")[0])
    assert out >= 0.10 * size
    ids = {
        e.id for e in memory.snapshot().entries([p.path for p in memory.snapshot().tree.of("day")])
    }
    cited = {
        w for line in page.splitlines() if "<!--" in line for w in line.partition("<!--")[2].split()
    }
    assert {w for w in cited if "~" in w} <= ids


def test_split_is_the_same_from_cache_and_a_saved_part_is_not_bought_again(big: Path) -> None:
    memory = roots.opened(big)
    stop_after = 1
    limited = Terse()

    def reply(call: Call) -> Completion | Exception:
        if len(limited.calls) == stop_after:
            return ConnectionError("gone")
        return limited.complete(
            call.prompt, system=call.system, temperature=0.2, max_tokens=call.max_tokens
        )

    assert (
        memory.compact(CompactOptions(("week",), model=Scripted(reply, name="careful"))).exit_code
        == 1
    )
    rest = Terse()
    memory.compact(CompactOptions(("week",), model=rest))
    first, second = {c.prompt for c in limited.calls}, {c.prompt for c in rest.calls}
    assert len(first) == stop_after and not first & second
    page = roots.text(memory, "memory/weekly/2026-W15.md")

    fresh = roots.opened(big)
    for path in (big / ".lithify").rglob("*"):
        if path.is_file():
            path.unlink()
    (big / "memory/weekly/2026-W15.md").unlink()
    whole = Terse()
    fresh.compact(CompactOptions(("week",), model=whole))
    assert {c.prompt for c in whole.calls} == first | second
    assert roots.text(fresh, "memory/weekly/2026-W15.md") == page


def test_oversized_month_and_typed_are_split_too(big: Path) -> None:
    memory = roots.opened(big)
    model = roots.Careful()
    memory.compact(CompactOptions(model=model))
    counts = {name: model.asked.count(name) for name in model.asked}
    assert counts["typed 2026-W15"] > 1
    assert (memory.root / "memory/monthly/2026-04.md").is_file()
    for call in model.calls:
        assert len(roots.shown(call.prompt)) < 96


def test_one_failed_part_fails_the_week_and_ends_the_calls(big: Path) -> None:
    memory = roots.opened(big)
    model = Scripted(lambda call: "No.", name="careful")
    report = memory.compact(CompactOptions(("week",), model=model))
    assert report.exit_code == 1 and len(model.calls) == 3
    assert not (big / "memory/weekly").exists()


# Too much for a few calls

#: An agent's order of 3,000 tokens.
ORDER = Room(2500 + 3000 + 8000, 8000)


def long_week(marks: int = 4) -> Brief:
    """Seven days, the third four times as long as the others, most of it alike."""
    found = []
    for day in range(1, 8):
        label = f"2026-04-{day:02}"
        for n in range(1200 if day == 3 else 300):
            word = WORDS[n % len(WORDS)]
            text = f"Health check of the {word} queue was fine, as it was at {n}."
            if n % 97 == 5:
                text = f"Supplier {day}-{n} of the {word} parts wants {n + 40} euros, says Ida{n}."
            if n < marks:
                text = ("Decision: paint", "- [ ] paint")[
                    n % 2
                ] + f" the {word} door of hall {day}."
            head = (f"Part {n // 100}",)
            line = Entry(entry_id(label, head, f"{text}{n}"), text, head, line=n)
            found.append(replace(line, path=f"memory/{label}.md", day=date(2026, 4, day)))
    return page_brief(Task("week", "2026-W14", "due"), found, Settings())


def test_a_week_of_any_length_is_shown_in_two_calls_and_says_how_much_it_shows() -> None:
    brief = long_week()
    assert len(split(brief, ORDER)) > 4
    part = selected(brief, ORDER, 2)
    calls = split(part, ORDER)
    assert len(calls) <= 2 and max(call.size for call in calls) <= 3000
    assert 3000 <= part.shown == part.size <= 6000 and part.whole == brief.size
    assert all((call.shown, call.whole) == (part.shown, part.whole) for call in calls)
    assert selected(brief, ORDER, 2) == part and selected(part, ORDER, 2) == part
    assert shown_again(brief, f"{part.shown} of {part.whole}") == part
    # Numbers are those of the whole week.
    known = brief.labels
    assert all(known[label][0] == ids[0] for label, ids in part.labels.items())
    assert {label for call in calls for label in call.labels} == part.labels.keys()
    assert selected(brief, Room(1_000_000, 100_000)) == brief and selected(brief, None) == brief


def test_a_selection_holds_marks_headings_and_what_is_rare_and_every_day_its_share() -> None:
    brief = long_week()
    part = selected(brief, ORDER, 2)
    for day in range(1, 8):
        own = [entry for entry in part.entries if entry.day == date(2026, 4, day)]
        assert sum("door of hall" in entry.text for entry in own) == 4
        assert 0.6 * part.size / 7 <= tokens_of(own) <= 1.6 * part.size / 7
        theirs = {entry.headings for entry in brief.entries if entry.day == date(2026, 4, day)}
        assert {entry.headings for entry in own} == theirs
    rare = [entry for entry in brief.entries if "Supplier" in entry.text]
    told = {entry.text for entry in part.entries}
    assert sum(entry.text in told for entry in rare) >= 0.9 * len(rare)


def test_a_long_entry_of_a_selection_is_cut_after_a_sentence() -> None:
    brief = long_week()
    long = " ".join(f"Sentence {n} tells of pump {n} in the cellar." for n in range(400))
    first = replace(brief.entries[0], text=f"Decision: {long}")
    part = selected(brief._replace(entries=(first, *brief.entries[1:])), ORDER, 2)
    shown = next(entry for entry in part.entries if entry.id == first.id)
    assert shown.text.endswith("cellar. …") and 50 < tokens_of([shown]) <= 160


def wisdom_of(items: int) -> Brief:
    found = entries(1, 1, items)
    return Brief(
        "wisdom",
        "",
        entries=found,
        items=tuple(
            Item(f"m{n}", f"Never ship the {e.text}", (e.id,), "file")
            for n, e in enumerate(found, 1)
        ),
        wisdom=(WisdomEntry("Old", "An old rule.", ()),),
    )


def test_wisdom_is_split_by_item_so_that_its_decisions_fit_the_reply() -> None:
    brief = wisdom_of(60)
    assert split(brief, Room(1_000_000, 4096)) == (brief,)
    parts = split(brief, Room(1_000_000, 800))
    assert len(parts) > 2
    assert tuple(item for part in parts for item in part.items) == brief.items
    for part in parts:
        assert part.wisdom == brief.wisdom
        assert {e.id for e in part.entries} == {s for item in part.items for s in item.sources}


def test_wisdom_that_was_cut_is_asked_for_in_halves_and_every_item_is_decided(
    tmp_path: Path,
) -> None:
    rules = [f"Never restart the {word} by hand: it loses the jobs in flight." for word in WORDS]
    model = roots.Careful()

    def reply(call: Call) -> Completion:
        whole = model.complete(
            call.prompt, system=call.system, temperature=0.2, max_tokens=call.max_tokens
        )
        if roots.stage_of(call.prompt) == "wisdom" and len(roots.shown(call.prompt)) > 9:
            return Completion(whole.text[:200], whole.usage, "max_tokens")
        return whole

    many = "[memories]\nmax_per_week = 40\n"
    memory = roots.opened(roots.make(tmp_path / "root", {"2026-03-31": rules}, many), "2026-05-11")
    report = memory.compact(CompactOptions(model=Scripted(reply, name="careful")))
    assert report.exit_code == 0
    assert model.asked.count("wisdom") > 2
    page = roots.text(memory, "WISDOM.md")
    assert all(word in page for word in WORDS)
    assert memory.status().exit_code == 0


def test_items_that_no_decision_names_are_not_taken_up_and_are_not_asked_about_again(
    tmp_path: Path,
) -> None:
    rules = [f"Never restart the {word} by hand: it loses the jobs in flight." for word in WORDS]
    small = '[models."careful"]\nwindow = 100000\noutput = 400\n'

    def reply(call: Call) -> str:
        if roots.stage_of(call.prompt) in ("wisdom", "repair"):
            decided = json.loads(roots.answer(call))
            return json.dumps([d for d in decided if "anchor" not in d.get("text", "")])
        return roots.answer(call)

    memory = roots.opened(roots.make(tmp_path / "root", {"2026-03-31": rules}, small), "2026-05-11")
    memory.compact(CompactOptions(("week", "typed"), model=roots.Careful()))
    memory.compact(CompactOptions(model=Scripted(reply, name="careful")))
    page = roots.text(memory, "WISDOM.md")
    assert "anchor" not in page and "ladder" in page
    new = memory.prompt("wisdom", "").user.partition("<NEW_MATERIAL>")[2]
    assert not [text for label, text in roots.shown(new) if label.startswith("m")]
    journal = (memory.root / ".lithify/journal.jsonl").read_text("utf-8")
    assert '"reason":"not taken up"' in journal
