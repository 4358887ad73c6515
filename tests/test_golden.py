"""What every page of the offline engine keeps to, on whole roots: properties, no exact words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import golden
from golden import NAMES, allowed, compacted, week_of_lines
from lithify.calendar import day_words, month_of, week_of
from lithify.markdown.pages import length
from lithify.sections import MONTH, WEEK
from lithify.values import Claim

every_root = pytest.mark.parametrize("name", NAMES)

# Known faults of the engine; each mark goes with its fault.


OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK
THEMES, MILESTONES, TRAJECTORY, CARRIED = MONTH


@every_root
def test_every_bullet_cites_entries_of_its_own_period(name: str) -> None:
    for brief, claim, cited in compacted(name).bullets():
        assert claim.sources
        assert len(cited) == len(set(claim.sources)) == len(claim.sources), claim
        for entry in cited:
            assert entry.day
            own = week_of(entry.day)
            assert brief.period == (own if brief.tier == "week" else month_of(own)), claim


@every_root
def test_every_page_keeps_to_its_length(name: str) -> None:
    for brief, draft in compacted(name).written:
        least, most = allowed(brief)
        # A short week is told whole: the subject before a line may come on top of its words.
        slack = len(draft.claims) if brief.size <= 800 else 0
        now = length(brief, draft.claims)
        assert least <= now <= min(most + 4 * slack, brief.ceiling), brief.period


@every_root
def test_no_page_is_empty_where_its_days_hold_text(name: str) -> None:
    for brief, draft in compacted(name).written:
        assert bool(draft.claims) == bool(brief.entries), brief.period


@every_root
def test_a_bullet_of_a_week_joins_no_entries_that_share_no_subject(name: str) -> None:
    for brief, claim, cited in compacted(name).bullets():
        if brief.tier == "week":
            assert golden.common_ground(cited, brief.entries), claim


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_a_bullet_stands_in_an_entry_it_cites(name: str) -> None:
    for _, claim, cited in compacted(name).bullets():
        known = set().union(*map(golden.words_known, cited))
        assert [word for word in golden.said(claim) if word not in known] == [], claim


@every_root
def test_a_bullet_begins_with_the_day_of_an_entry_it_cites(name: str) -> None:
    for _, claim, cited in compacted(name).bullets():
        opening = claim.text.partition(": ")[0]
        assert opening in {day_words(entry.day) for entry in cited if entry.day}, claim


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_inside_a_quotation(name: str) -> None:
    for _, claim, cited in compacted(name).bullets():
        for opening, closing in ('""', "“”", "«»", "「」", "()"):
            if all(_is_closed(entry.text, opening, closing) for entry in cited):
                assert _is_closed(claim.text, opening, closing), claim


def _is_closed(text: str, opening: str, closing: str) -> bool:
    if opening == closing:
        return re.sub("[“”„]", '"', text).count('"') % 2 == 0
    return text.count(opening) == text.count(closing)


@every_root
def test_sections_stand_in_their_order_and_hold_only_bullets(name: str) -> None:
    for path, page in compacted(name).pages.items():
        wanted = WEEK if "weekly" in path else MONTH
        body = page.partition("\n---\n")[2]
        assert tuple(re.findall(r"(?m)^### (.+)$", body)) == wanted
        lines = [line for line in body.splitlines() if line and not line.startswith("#")]
        assert all(re.fullmatch(r"- .+ <!--(?: \S+~[0-9a-f]{12})+ -->", line) for line in lines)


@every_root
def test_no_bullet_stands_twice_on_a_page(name: str) -> None:
    for _, draft in compacted(name).written:
        texts = [claim.text for claim in draft.claims]
        assert len(texts) == len(set(texts))


@pytest.mark.parametrize("seed", ["0", "1"])  # and this process has a third
def test_pages_are_the_same_bytes_under_any_hash_seed(seed: str) -> None:
    names = ("english", "mixed", "talk", "peat")
    found = subprocess.run(
        [sys.executable, golden.__file__, *names],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(golden.__file__).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [f"{name} {golden.digest(name)}" for name in names]
    assert found.stdout.splitlines() == here


# Lines that must survive

OTHERS = tuple(
    f"{what} {where} {n}."
    for n, (what, where) in enumerate(
        zip(
            (
                *(
                    "Swept the yard",
                    "Watered beans",
                    "Sorted screws",
                    "Read chapter",
                    "Called aunt",
                ),
                *("Oiled hinge", "Copied sheet", "Moved crate", "Cleaned filter", "Tested lamp"),
                *("Weighed parcel", "Counted chairs", "Mixed paint", "Folded maps", "Tuned radio"),
                *("Labelled jars", "Washed van", "Cut hedge", "Stacked wood", "Filled tank"),
            ),
            [
                "north",
                "south",
                "east",
                "west",
                "upper",
                "lower",
                "inner",
                "outer",
                "red",
                "blue",
                "green",
                "grey",
                "old",
                "new",
                "big",
                "small",
                "first",
                "middle",
                "third",
                "last",
            ],
            strict=True,
        )
    )
)
SURVIVE = (
    "Always run make lint before a push",
    "09:00 Standup moved to 10:00",
    "Niemals freitags deployen",
    "决定：供应商培训改为每月一次",
    "- [ ] call the vet",
    "Entscheidung: kein Versand am Freitag",
    "ok",
    "Никогда не обещать сроки по телефону",
    "لا تعد تشغيل قائمة الانتظار يدويا",
    "「値引きは15％まで。」と田中さんが言った",
    "https://example.com/a/b?c=1#d",
    "`git push --force` is forbidden on `main`",
)


def test_twenty_others_are_twenty_lines() -> None:
    assert len(set(OTHERS)) == 20


@pytest.mark.parametrize("line", SURVIVE)
def test_a_line_alone_in_its_week_survives(line: str, tmp_path: Path) -> None:
    assert told(line, week_of_lines(tmp_path / "root", f"{line}\n"))


@pytest.mark.parametrize("line", [line for line in SURVIVE if line != "ok"])
def test_a_line_beside_twenty_others_survives(line: str, tmp_path: Path) -> None:
    many = "".join(f"- {other}\n" for other in OTHERS)
    own = line if line.startswith("- ") else f"- {line}"
    assert told(line, week_of_lines(tmp_path / "root", f"{many}{own}\n"))


def told(line: str, root: golden.Compacted) -> bool:
    """Whether a week's page tells a line, its box, first clock time and label aside."""
    words = re.sub(r"^- \[.\] |^\d\d:\d\d |^(?:Entscheidung: |决定：)", "", line)[1:]
    return any(words in claim.text for _, draft in root.written for claim in draft.claims)


# Sections


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("Decision: we ship on Tuesday", DECISIONS),
        ("**Decision:** we ship on Tuesday", DECISIONS),
        ("Entscheidung: wir liefern am Dienstag", DECISIONS),
        ("决定：星期二发货", DECISIONS),
        ("Rule: never ship on a Friday", DECISIONS),
        ("Blocked: no drum for the printer", OPEN),
        ("TODO: renew the certificate", OPEN),
        ("[ ] renew the certificate", OPEN),
        ("☐ renew the certificate", OPEN),
        ("Pendiente: renovar el certificado", OPEN),
        ("[x] renewed the certificate", OUTCOMES),
        ("✅ renewed the certificate", OUTCOMES),
        ("Done: certificate renewed", OUTCOMES),
        ("Context: the certificate is from 2019", CONTEXT),
    ],
)
def test_a_box_or_a_label_settles_the_section(line: str, section: str) -> None:
    many = "".join(f"- {other}\n" for other in OTHERS)
    week, _ = golden.drafted({"2026-05-04": f"{many}- {line}\n"})
    word = re.findall(r"\w+", line)[-1]
    assert [claim.section for claim in week if word in claim.text] == [section]


def test_items_under_a_lead_in_stand_under_its_section() -> None:
    text = "Outstanding:\n\n- photo for the visa\n- key of the shed\n"
    week, _ = golden.drafted({"2026-05-04": text})
    assert [claim.section for claim in week] == [OPEN, OPEN]


def test_items_under_a_heading_that_is_a_label_stand_under_its_section() -> None:
    week, _ = golden.drafted(
        {"2026-05-04": "## Decisions\n\n- ship on Tuesday\n- no Friday calls\n"}
    )
    assert [claim.section for claim in week] == [DECISIONS, DECISIONS]


TASK = "send Halima the signed lease"


@pytest.mark.parametrize(
    ("first", "then", "section"),
    [
        ("[ ]", "[x]", OUTCOMES),
        ("[x]", "[ ]", OPEN),
        ("☐", "☑", OUTCOMES),
        ("TODO:", "[x]", OUTCOMES),
    ],
)
def test_of_two_boxes_of_the_same_words_the_later_counts(
    first: str, then: str, section: str
) -> None:
    week, _ = golden.drafted(
        {"2026-05-04": f"- {first} {TASK}\n", "2026-05-06": f"- {then} {TASK}\n"}
    )
    assert [claim.section for claim in week if TASK in claim.text] == [section]


def test_a_report_closes_the_open_item_of_the_same_words() -> None:
    week, _ = golden.drafted(
        {
            "2026-05-04": "- Blocked: the staging certificate has expired\n",
            "2026-05-06": "- Done: the staging certificate is renewed\n",
        }
    )
    assert OPEN not in {claim.section for claim in week}


# Months

#: A month with enough else in it, none of it about what the tests ask for.
MONTH_OF_DAYS = {
    f"2026-05-{day:02}": "".join(f"- {other}\n" for other in OTHERS[n::4])
    for n, day in enumerate((4, 7, 12, 20))
}


def month(**days: str) -> list[Claim]:
    """The claims of a month in which these lines (`d04=…`) stand among others."""
    made = dict(MONTH_OF_DAYS)
    for day, line in days.items():
        name = f"2026-05-{day[1:]}"
        made[name] = made.get(name, "") + f"- {line}\n"
    return golden.drafted(dict(sorted(made.items())))[1]


def test_what_nothing_closed_is_carried_and_what_was_closed_is_not() -> None:
    found = month(
        d04=f"[ ] {TASK}",
        d05="[ ] renew the fire certificate of the annex",
        d12=f"[x] {TASK}",
    )
    carried = [claim.text for claim in found if claim.section == CARRIED]
    assert ["fire certificate" in text for text in carried] == [True]


def test_an_open_item_for_which_there_is_no_room_is_no_theme() -> None:
    nouns = ("lease", "boiler", "pump", "fence", "ladder", "window", "engine", "chimney")
    days = {
        f"2026-05-{4 + n:02}": f"- [ ] repair the {noun} of house {noun[::-1]}\n"
        for n, noun in enumerate(nouns)
    }
    _, found = golden.drafted(days, target=80)
    assert {claim.section for claim in found} == {CARRIED}


def test_a_value_with_the_same_noun_is_a_change() -> None:
    found = month(
        d04="The nightly import takes 38 minutes", d12="The nightly import takes 22 minutes"
    )
    changes = [claim for claim in found if claim.section == TRAJECTORY]
    assert len(changes) == 1
    assert changes[0].text.index("38 minutes") < changes[0].text.index("22 minutes")
    assert len(changes[0].sources) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The nightly import takes 38 minutes", "The nightly import takes 22 workers"),
        ("The lift of the mill carries 8 people", "The bakery of the mill sells 40 loaves"),
        ("Room 12 has a new lamp", "Room 14 has a new lamp"),
    ],
)
def test_values_of_different_nouns_are_no_change(before: str, after: str) -> None:
    found = month(d04=before, d12=after)
    assert [claim for claim in found if claim.section == TRAJECTORY] == []


def test_a_bullet_of_two_states_names_both_days_in_their_order() -> None:
    found = month(
        d04="The harbour crane of Ostend is out of order",
        d12="The harbour crane of Ostend waits for a bearing",
        d20="The harbour crane of Ostend lifts again since noon",
    )
    for claim in found:
        days = [int(said) for said in re.findall(r"(?:^|; )(\d+) May 2026: ", claim.text)]
        assert days == sorted(set(days))
