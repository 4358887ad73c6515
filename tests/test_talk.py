"""What a month makes of a conversation: one speaker a bullet, and no sentence for company's sake."""

from __future__ import annotations

from datetime import date, timedelta

from lithify.engines import offline
from lithify.engines.offline.matters.pairs import told_together
from lithify.engines.offline.page.bullets import Bullet, Packing, written
from lithify.engines.offline.page.cover import ranked
from lithify.engines.offline.reading.talk import is_talk, one_by_one
from lithify.engines.offline.reading.units import Unit, units_of
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import MONTH_SECTIONS, Brief, Entry
from lithify.verify.claims import Shown, examine

START = date(2026, 4, 6)


def talk(*days: str) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for number, text in enumerate(days):
        day = START + timedelta(days=number)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def said(*turns: str) -> list[Unit]:
    return one_by_one(units_of(talk("\n".join(f"- {turn}" for turn in turns))))


def test_a_log_is_talk_where_most_sentences_have_a_speaker() -> None:
    assert is_talk(
        units_of(talk("- Ada: I moored the punt at Hexley.\n- Bo: Mind the weir there."))
    )
    assert not is_talk(units_of(talk("- The punt is moored at Hexley.\n- The weir is open.")))


def test_a_sentence_that_leans_is_chosen_by_itself_and_never_before_its_noun() -> None:
    first, second = said("Ada: I bought a copper kettle in Brackley. It was such a lovely morning.")
    assert first.text == "I bought a copper kettle in Brackley." and not first.leans
    assert second.text == "It was such a lovely morning." and second.leans
    assert (first.at, second.at) == (0, 1)
    assert first.tokens == estimate(first.text)
    assert ranked([first, second], 1000.0)[0] is first


def test_the_figures_of_a_sentence_stay_with_it() -> None:
    first, second = said("Ada: I rowed with the Hexley eight. They won by 14 lengths in May 2019.")
    assert "14" not in first.firm and "14" in second.firm


def test_what_is_only_called_out_is_not_told() -> None:
    for turn in ("The kettle boiled dry in the shed. Bo!", "Ha, yes! It boiled dry in the shed."):
        (unit,) = said(f"Ada: {turn}")
        assert unit.text.endswith("boiled dry in the shed.")


def test_talk_without_spaces_is_told_too() -> None:
    (unit,) = said("Ada: 我昨天买了一辆新自行车。")
    assert "自行车" in unit.text


def test_a_quotation_is_not_taken_apart() -> None:
    (unit,) = said('Ada: Uncle Jem said "The gate sticks. It wants oil" every single morning.')
    assert "sticks" in unit.text and "oil" in unit.text


def test_what_one_says_stands_together_and_names_him_once() -> None:
    units = said(
        "Ada: I planted forty leeks.", "Bo: My scarecrow fell over.", "Ada: I planted six marrows."
    )
    texts = [written(bullet) for bullet in Packing(by_speaker=True)(units)]
    assert texts == [
        "6 Apr 2026: Ada: I planted forty leeks. I planted six marrows",
        "6 Apr 2026: Bo: My scarecrow fell over",
    ]


def test_a_month_of_talk_has_one_speaker_a_bullet() -> None:
    days = (
        "- Ada: I planted forty leeks behind the shed. It was such a nice day.\n"
        "- Bo: My scarecrow fell over in the gale. That was so funny.\n"
        "- Ada: I sold six marrows to the baker in Gorse.\n"
        "- Bo: The baker paid me for the plums as well.",
        "- Ada: My sister teaches the oboe in Farrow now.\n"
        "- Bo: I repaired the church clock with a bicycle chain.",
    )
    entries = talk(*days)
    size = max(401, sum(estimate(entry.text) for entry in entries))
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, target=120, size=size)
    claims = offline.write(brief).claims
    shown = Shown.of(entries)
    assert claims
    for claim in claims:
        assert examine(claim, shown, extractive=True) == ()
        assert ("Ada:" in claim.text) != ("Bo:" in claim.text)


def test_what_follows_an_answer_told_with_its_question_has_its_own_speaker() -> None:
    asked, answered, more = units_of(
        parse(
            b"- Ada: Have you ever sailed to Holm?\n"
            b"- Ben: No, I have never sailed to Holm.\n"
            b"- Ada: I bought the blue boat in Farrow.\n",
            label="2026-04-06",
            day=date(2026, 4, 6),
        ).entries
    )
    joined = told_together([asked, answered])
    assert len(joined) == 1
    text = written(Bullet("Themes", [*joined, more]))
    assert "Ben: No, I have never sailed to Holm. Ada: I bought the blue boat" in text
