"""Properties of the offline engine's steps, for any entries: read, fold, select, split, judge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lithify.engines.offline.read import Unit, passages, sentences
from lithify.engines.offline.select_units import (
    ALIKE,
    JOINING,
    OPENING,
    figures,
    fold,
    select,
    weights_of,
)
from lithify.engines.offline.week import grouped, packed, told, write_week
from lithify.judge import judge, lasting, section_of
from lithify.judge.features import CLASSES, HEADS
from lithify.judge.features import weights_of as table_of
from lithify.markdown.pages import length, longest, most_of, target_length
from lithify.sections import MONTH, WEEK
from lithify.text.language import judged_as
from lithify.text.sentences import plain, split
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry
from lithify.verify import kept, over_ceiling, question, verify

few = settings(max_examples=25, deadline=None)

_WORDS = st.sampled_from(
    [
        "Halima",
        "signed",
        "lease",
        "printer",
        "drum",
        "valve",
        "12",
        "38",
        "minutes",
        "Turin",
        "shipped",
        "decided",
        "blocked",
        "never",
        "always",
        "not",
        "may",
        "the",
        "a",
        "of",
        "for",
        "because",
        "yesterday",
        "2026-05-04",
        "PR",
        "#88",
        "`rows()`",
        "决定",
        "队列",
        "Решение",
        "Zertifikat",
        "14:30",
        "€40",
        "->",
        "(see",
        '"no"',
        "notes)",
        ";",
        ",",
        ".",
        "!",
        "?",
        ":",
        "。",
        "「",
        "」",
        "**bold**",
        "[x]",
        "[",
        "]",
        "TODO:",
        "Ana:",
    ]
)
_SENTENCES = st.lists(_WORDS, min_size=1, max_size=25).map(" ".join)
_TEXTS = st.one_of(_SENTENCES, st.text(max_size=120)).map(lambda text: " ".join(text.split()))
_KINDS = st.sampled_from(("item", "paragraph", "row", "quote", "code", "lead"))
_HEADINGS = st.lists(st.sampled_from(("Work", "Home", "4 May 2026", "Decisions", "队")), max_size=2)


def read(days: Sequence[Entry]) -> list[Unit]:
    """All that the entries say, in their order, neighbouring sentences together."""
    return passages(sentences(days))


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """Entries of a week in their order, as days are parsed into."""
    made: list[Entry] = []
    offsets = sorted(draw(st.lists(st.integers(0, 6), max_size=12)))
    for n, offset in enumerate(offsets):
        day = date(2026, 5, 4) + timedelta(days=offset)
        text = draw(_TEXTS)
        headings = tuple(draw(_HEADINGS))
        lead = draw(st.sampled_from(("", "Outstanding:", "| a | b |")))
        made.append(Entry(f"{day}~{n:012x}", text, headings, lead, draw(_KINDS), day=day))
    return made


def letters(text: str) -> str:
    return "".join(re.findall(r"\w", text))


# Read


@few
@given(entries())
def test_read_takes_any_entries_and_keeps_their_order(days: list[Entry]) -> None:
    units = read(days)
    order = {entry.id: n for n, entry in enumerate(days)}
    places = [order[one.entry.id] for one in units]
    assert places == sorted(places)
    assert [one.at for one in units] == sorted({one.at for one in units})
    assert all(one.text.strip() and one.ids == (one.entry.id,) for one in units)


@few
@given(st.lists(st.text(max_size=80), max_size=8))
def test_a_unit_has_only_letters_of_its_entry(texts: list[str]) -> None:
    # Without a day no date is made absolute: what is left may only be taken away.
    days = [Entry(f"x~{n:012x}", " ".join(text.split())) for n, text in enumerate(texts)]
    for one in read(days):
        said = letters(plain(one.entry.text))
        assert set(letters(one.text)) <= set(said)
        assert len(letters(one.text)) <= len(said)


@few
@given(entries())
def test_reading_twice_gives_the_same(days: list[Entry]) -> None:
    assert [_known(one) for one in read(days)] == [_known(one) for one in read(days)]


def _known(one: Unit) -> tuple[object, ...]:
    return one.text, one.entry.id, one.at, one.tokens, one.stems, one.judgement, one.subject


# Fold


@few
@given(entries())
def test_folding_loses_no_entry_that_no_other_says(days: list[Entry]) -> None:
    units = read(days)
    folded = fold(units, weights_of(units))
    left = {id for one in folded for id in one.ids}
    for one in units:
        assert one.entry.id in left or any(_alike(one, other) for other in folded), one.text


def _alike(one: Unit, other: Unit) -> bool:
    """Whether two units share most words, figures left out."""
    mine, theirs = ({s for s in u.stems if not s[0].isdigit()} for u in (one, other))
    return len(mine & theirs) >= 0.5 * ALIKE * len(mine | theirs)


@few
@given(entries())
def test_folding_keeps_order_and_adds_nothing(days: list[Entry]) -> None:
    units = read(days)
    folded = fold(units, weights_of(units))
    assert [one.at for one in folded] == sorted(one.at for one in folded)
    assert {one.text for one in folded} <= {one.text for one in units}
    every = {one.entry.id for one in units}
    assert all(set(one.ids) <= every for one in folded)


@few
@given(entries())
def test_folding_again_folds_no_figure_away(days: list[Entry]) -> None:
    once = fold(read(days), weights_of(read(days)))
    twice = fold(once, weights_of(once))
    assert len(twice) <= len(once)
    ends = [figures(one.atoms) for one in once]
    assert all(figures(one.atoms) in ends for one in twice)


# Select


@few
@given(entries(), st.integers(0, 300), st.floats(0, 1))
def test_selection_keeps_to_its_budget(days: list[Entry], budget: int, share: float) -> None:
    units = read(days)
    group = grouped(units)
    first = [n for n, one in enumerate(units) if one.must == 1.0]
    chosen = select(units, budget, group, first, share)
    assert len(chosen) == len(set(chosen))
    # One unit is told in any case: no page is empty where its days hold text.
    assert len(chosen) == 1 or _cost([units[n] for n in chosen]) <= budget
    assert chosen == select(units, budget, group, first, share)


def _cost(units: Sequence[Unit]) -> int:
    """The least that the units can cost: their words, and what stands between them."""
    return sum(one.tokens + JOINING for one in units)


@few
@given(entries())
def test_what_comes_first_is_taken_first(days: list[Entry]) -> None:
    units = read(days)
    group = grouped(units)
    # Each alone would fit: the first is never given up for others.
    for n in range(min(3, len(units))):
        budget = units[n].tokens + OPENING + estimate(units[n].subject) + estimate(units[n].speaker)
        assert select(units, budget, group, [n])[:1] == [n]


@few
@given(entries())
def test_bullets_hold_every_chosen_unit_once(days: list[Entry]) -> None:
    units = read(days)
    bullets = packed(units, grouped(units))
    assert sorted(one.at for own in bullets for one in own) == [one.at for one in units]
    assert all(len({one.section for one in own}) == 1 for own in bullets)


def test_a_long_list_of_boxes_leaves_room_for_those_of_other_days() -> None:
    monday = date(2026, 5, 4)
    nouns = [
        "attic",
        "cellar",
        "garage",
        "porch",
        "pantry",
        "study",
        "larder",
        "scullery",
        "stairs",
        "roof",
        "gutter",
        "gate",
    ]
    verbs = ["Paint", "Sweep", "Measure", "Insure", "Photograph", "Heat"]
    boxes = [
        f"[ ] {verb} {noun} and {noun}-{verb} {n}" for verb in verbs for n, noun in enumerate(nouns)
    ]
    days = [Entry(f"x~{n:012x}", one, ("Rooms",), day=monday) for n, one in enumerate(boxes)]
    for n, noun in enumerate(nouns[:4], 1):
        one = f"[ ] {verbs[n]} {noun}"
        days.append(Entry(f"y~{n:012x}", one, ("Lease",), day=monday + timedelta(days=n)))
    brief = Brief("week", "2026-W19", entries=tuple(days), size=800, target=240)
    claims = write_week(brief).claims
    assert {claim.sources[0] for claim in claims} >= {f"y~{n:012x}" for n in range(1, 5)}


@pytest.mark.parametrize(
    "end", ["(five sorts)", '"the long list"', "in `pears.csv`", "(or six?)", '(x=2 is "old"?)']
)
def test_sentences_in_one_bullet_are_parted_whatever_sign_they_end_in(end: str) -> None:
    day = date(2026, 5, 4)
    texts = (f"Orchard list {end}", "Orchard map in two sizes")
    days = [Entry(f"{day}~{n:012x}", text, day=day) for n, text in enumerate(texts)]
    units = read(days)
    first, second = split(told(units).removeprefix("4 May 2026: "))
    assert first.rstrip(".") == f"Orchard list {plain(end)}"
    assert second == "Orchard map in two sizes"


# Sentences


@settings(max_examples=100, deadline=None)
@given(st.one_of(_SENTENCES, st.text(max_size=300)))
def test_sentences_joined_give_the_text_back(text: str) -> None:
    found = split(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in found)


@pytest.mark.parametrize("piece", ['"', "(", ". A", "a. ", "。", '". ', "(.) ", "B.", ") A. "])
def test_splitting_looks_at_each_sign_a_bounded_number_of_times(piece: str) -> None:
    class Counting(str):
        """A text that counts how often one of its signs is asked for."""

        asked = 0

        def __getitem__(self, at: object) -> str:
            if isinstance(at, int):
                Counting.asked += 1
            return str.__getitem__(self, at)  # type: ignore[index]

    text = Counting(piece * 2000)
    split.__wrapped__(text)
    assert Counting.asked <= 3 * len(text)


# Judge


def test_the_weights_of_english_load_and_have_a_lane_for_each_class() -> None:
    weights = table_of("English")
    assert weights is not None
    assert len(weights.bias) == CLASSES == sum(map(len, HEADS.values()))
    assert table_of("Klingon") is None
    assert table_of("") is None


@settings(max_examples=80, deadline=None)
@given(_TEXTS, st.sampled_from(("", "Work", "队")), st.sampled_from(("", "Notes:")))
def test_a_judgement_is_the_same_each_time_and_made_of_chances(
    text: str, heading: str, lead: str
) -> None:
    one = judge(text, heading, lead, "English")
    assert one == judge.__wrapped__(text, heading, lead, "English")
    assert one.section in WEEK
    assert all(0 <= chance <= 1.000001 for chance in (one.must, one.stated, one.drop))


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="abc xyz 决定 队列 Реш", max_size=60), st.sampled_from(("", "Cyrillic", "Cjk"))
)
def test_in_a_language_nobody_taught_what_is_not_marked_is_context(
    text: str, language: str
) -> None:
    one = judge(text, language=language)
    assert one == ("Context", 0.0, 0.0, 0.0, False)
    assert lasting(text, language=language) is None


@pytest.mark.parametrize("language", ["English", "", "Cyrillic"])
@few
@given(
    words=st.lists(
        st.sampled_from(["shipped", "blocked", "never", "lease", "决定", "队列", "12"]), min_size=1
    )
)
def test_a_box_or_a_label_settles_the_section_in_any_language(
    words: list[str], language: str
) -> None:
    text = " ".join(words)
    assert judge(f"[ ] {text}", language=language)[:2] == ("Blockers & Open Items", 1.0)
    assert judge(f"[x] {text}", language=language).section == "Key Outcomes"
    assert judge(f"Decision: {text}", language=language)[:2] == ("Decisions", 1.0)
    assert judge(f"阻塞：{text}", language=language).section == "Blockers & Open Items"
    assert judge(text, lead="Outstanding:", language=language).section == "Blockers & Open Items"
    assert judge(text, heading="Decisions", language=language).section == "Decisions"
    assert judge(f"{text} [open] after lunch", language=language)[:2] == (
        "Blockers & Open Items",
        1.0,
    )
    assert judge(f"{text} [done]", language=language).section == "Key Outcomes"


@pytest.mark.parametrize("text", ["Ask Halima for the lease", "Two rooms in Turin, one in Lyon"])
def test_a_writers_habits_of_marking_lines_change_no_judgement(text: str) -> None:
    plainly = judge(text, heading="Visit", lead="The rooms")
    for end, heading, lead in (
        (".", "Visit", "The rooms"),
        ("", "Visit 3", "**The rooms:**"),
        ("", "Visit — 14:05", "**The rooms** (3):"),
    ):
        assert judge(text + end, heading=heading, lead=lead) == plainly


def test_a_label_is_known_by_its_words_whatever_stands_around_them() -> None:
    assert {section_of(label) for label in ("Decision", "**Decision:**", " decision ")} == {
        "Decisions"
    }
    assert section_of("Decisively") == ""


# Languages

_NOTES = """Moved backup to new disk, 1.8 TB. Mail relay: healthy. Restart after upgrade to 5.2. Cron
nightly, alerts at 75/85/95%. Login page deployed by Ruth. VPN check passed with new exit. Pending:
invoice from Tom. Key moved out of env file. Staging green. Dashboard fixed: port 3000."""


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("English", _NOTES),
        ("English", "The lease is signed, and the printer was moved to the second floor."),
        ("", "Palvelin on nyt käynnissä. Varmuuskopio on tehty, levy on hidas, virhe on auki."),
        ("", "Serverul a fost mutat, copia este gata, eroarea va fi verificată mâine."),
        (
            "Cjk",
            "把 backup 移到新的 disk，restart 之后 relay 恢复正常，login page 已经部署到 staging。",
        ),
    ],
)
def test_notes_are_of_a_language_by_many_different_small_words(language: str, text: str) -> None:
    assert judged_as(text) == language


# Length and coverage


@few
@given(st.sampled_from(("week", "month")), st.integers(0, 50_000), st.integers(400, 5000))
def test_bounds_of_a_page_hold_its_target(tier: str, size: int, ceiling: int) -> None:
    target = target_length(tier, size, 0.3, ceiling)  # type: ignore[arg-type]
    most = longest(size, ceiling)
    assert 0 <= min(size // 10, most // 2) <= target <= most <= min(size, ceiling)


def test_the_target_of_a_short_week_is_not_above_its_ceiling() -> None:
    assert target_length("week", 300, 0.3, 100) <= 100


@few
@given(entries())
def test_an_entry_in_its_own_words_passes_the_verifier(days: list[Entry]) -> None:
    told = [entry for entry in days if entry.kind not in ("code", "lead") and letters(entry.text)]
    brief = Brief("week", "2026-W19", WEEK, tuple(days), size=4000, target=1200)
    claims = tuple(Claim(entry.text, (entry.id,), WEEK.context) for entry in told)
    assert verify(Draft(claims), brief, extractive=True).claims == claims


@few
@given(entries(), st.integers(50, 2000))
def test_what_stays_on_a_page_and_what_gives_way_is_all_that_was_written(
    days: list[Entry], ceiling: int
) -> None:
    brief = Brief("week", "2026-W19", WEEK, tuple(days), size=4000, ceiling=ceiling)
    every = tuple(Claim(entry.text, (entry.id,), WEEK.decisions) for entry in days)
    stays, goes = over_ceiling(brief, every)
    assert length(brief, stays) <= max(most_of(brief), 400)
    assert Counter(stays) + Counter(goes) == Counter(every)
    left_out, _ = question(brief, stays)
    part = kept(brief, stays)
    assert part.told + len(left_out) == part.required
    assert set(left_out) <= set(days)


@few
@given(entries(), st.integers(20, 600))
def test_a_week_of_any_entries_is_written_within_its_target(days: list[Entry], target: int) -> None:
    brief = Brief("week", "2026-W19", WEEK, tuple(days), size=900, target=target)
    draft = write_week(brief)
    known = {entry.id for entry in days}
    assert all(claim.sources and set(claim.sources) <= known for claim in draft.claims)
    told = sum(estimate(claim.text) for claim in draft.claims)
    assert len(draft.claims) == 1 or told <= 1.1 * target + 12
    assert draft == write_week(brief)
    assert set(MONTH).isdisjoint(claim.section for claim in draft.claims)
