"""A page says what its days said: no date, sign or word of code is put in place of another."""

from __future__ import annotations

import pytest

import golden
import roots
from lithify.judge import cells_of, without_label
from lithify.search.add_files import _without_bold
from lithify.text.headings import subject_of
from lithify.text.sentences import plain, split

SPANS = ("`agents/*/sessions/`", "`inspiration-*`", "`**/old_*_name/**`", "`<id>`", "`[[a|b]]`")

DAY = """## Briefing
- The meetings section was made explicit: Today's and Tomorrow's meetings are REQUIRED fields.
- This morning's morning brief counted yesterday's errors twice.
- Ana moved the brief to `agents/*/sessions/` yesterday, and **all** of `inspiration-*` with it.
- The only draft (`2026-02-07 Over the Harbour.md`) is dated after today.

## Decision: the trial of the lookup failed

| Metric | Threshold | 238 rows | Verdict |
|---|---|---|---|
| Match rate | ≥60% | 35% | ❌ FAIL |
| Price of a match | ≤$0.0068 | $0.0014 | ✅ |

## Changes

| # | PR | Status | What |
|---|---|---|---|
| 1 | #33 | Merged | Analytics and settings |
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = roots.make(tmp_path_factory.mktemp("words") / "root", {"2026-02-06": DAY})
    return golden.compact(root).pages["memory/weekly/2026-W06.md"]


def test_a_day_that_is_not_the_sentences_own_keeps_its_words(page: str) -> None:
    assert "Today's and Tomorrow's meetings are REQUIRED fields" in page
    assert "This morning's morning brief counted yesterday's errors twice" in page


def test_code_keeps_its_signs_and_a_day_of_the_sentence_is_dated(page: str) -> None:
    assert (
        "Ana moved the brief to `agents/*/sessions/` on 5 Feb, and all of `inspiration-*`" in page
    )
    assert "The only draft (`2026-02-07 Over the Harbour.md`) is dated after 6 Feb" in page


def test_a_row_keeps_its_verdict_its_bounds_and_its_number(page: str) -> None:
    assert "Match rate - Threshold: ≥60%; 238 rows: 35%; Verdict: ❌ FAIL" in page
    assert "Price of a match - Threshold: ≤$0.0068; 238 rows: $0.0014; Verdict: ✅" in page
    assert "Analytics and settings - PR: #33" in page


def test_underscores_are_emphasis_in_pairs_alone() -> None:
    text = "_enrich_lead and _is_non_au return None; _this_ and __two words__ are meant, (_so_)."
    assert plain(text) == (
        "_enrich_lead and _is_non_au return None; this and two words are meant, (so)."
    )


def test_a_heading_keeps_the_sign_of_a_number() -> None:
    assert subject_of(("2026-02-06", "#300-FIX: all of stage one")) == "#300-FIX: all of stage one"


@pytest.mark.parametrize("span", SPANS)
def test_no_cleaning_of_text_changes_code(span: str) -> None:
    text = f"**Read {span} and** see *{span}* (~~not {span}~~ done)"
    assert plain(text) == f"Read {span} and see {span} ( done)"
    assert _without_bold(text, "item").startswith(f"Read {span} and see")
    assert subject_of((f"**Read** {span} again",)) == f"Read {span.strip('`')} again"
    assert "|" in span or cells_of(f"| {span} | **{span}** |") == [span, span]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "5 * 3 = 15",
            "2 ** 8",
            "All *.md and *.py files",
            "src/*/old",
            "Rated 4*",
            "foo* and bar*",
        ),
        *('"src": ["*"], "dst": ["*"]', "Glob '!**/.reports/**' '!**/test/**'", "A * alone"),
        *("_private and snake_case", "a ~~ b", "Run gh pr view <number>", "A List<String>"),
        "Note **unclosed",
    ],
)
def test_a_mark_alone_stays_where_it_stands(text: str) -> None:
    assert plain(text) == text


def test_marks_in_pairs_tags_and_angles_of_addresses_are_left_out() -> None:
    said = "***Both***, **a *b* c**, (**d**) **e:**f **日本**語 _g_ __h i__ *[j]* **k.** *l*!"
    assert plain(said) == "Both, a b c, (d) e:f 日本語 g h i [j] k. l!"
    assert plain("<b>one</b><br>two <img src=x> see <https://a.b/c>") == "one two see https://a.b/c"


def test_a_sentence_does_not_end_within_code() -> None:
    text = "Set `a. B` to on. Then rest."
    assert split(text) == ("Set `a. B` to on.", "Then rest.")


def test_a_label_that_ends_a_trouble_stays_before_it() -> None:
    assert without_label("Fixed: login page crashes.") == "Fixed: login page crashes."
    assert without_label("Decision: keep the login page.") == "Keep the login page."
