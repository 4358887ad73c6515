"""True sentences in other languages than English pass; figures, dates and names as each writes them."""

from __future__ import annotations

from datetime import date

import pytest

from lithify.values import Claim, Entry
from lithify.verify import ShownEntries, doubts
from lithify.verify.trace import trace

DAY = date(2026, 2, 12)


def shown_of(*said: str) -> ShownEntries:
    path = f"memory/{DAY}.md"
    return ShownEntries.of(
        [
            Entry(f"{DAY}~{n:012x}", text, (), "", "item", path, n, n, DAY)
            for n, text in enumerate(said)
        ]
    )


def refused(claim: str, said: str) -> list[str]:
    shown = shown_of(said)
    wrong = trace(Claim(claim, tuple(shown.entries), "Context"), shown)[1]
    return [violation.message for violation in wrong]


def doubted(claim: str, said: str) -> list[str]:
    shown = shown_of(said)
    return [v.message for v in doubts(Claim(claim, tuple(shown.entries), "Context"), shown)]


@pytest.mark.parametrize(
    "said",
    [
        "12 февраля 2026", "12.02.2026", "12/02/2026", "2026/02/12", "2026.02.12", "12.02.26",
        "12.02", "12 февраля", "12. Februar 2026", "12 février 2026", "12 de febrero de 2026",
        "12 febbraio 2026", "12 de fevereiro de 2026", "12 februari 2026", "12 lutego 2026",
        "12 лютого 2026", "12 February 2026", "Feb 12", "12 и 13 февраля", "12–13 февраля",
    ],
)  # fmt: skip
def test_a_day_is_read_as_each_language_writes_it(said: str) -> None:
    assert refused(f"контейнер: {said}.", "контейнер; 2026-02-13") == []
    other = said.replace("12", "24", 1)
    assert refused(f"контейнер: {other}.", "контейнер; 2026-02-13"), other


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("1,200", "1 200"), ("1,200", "1\u202f200"), ("1,200", "1\u2009200"), ("1,200", "1.200"),
        ("1,200", "1'200"), ("1 200", "1,200"), ("1.200", "1 200"), ("70K", "70 000"),
        ("70K", "70 тыс."), ("70K", "70к"), ("70 тысяч", "70,000"), ("3,000,000", "3 млн"),
        ("3,000,000", "3 Mio."), ("2,000", "2 mille"), ("2.5 million", "2,5 млн"), ("3.8", "3,8"),
        ("4, 5", "4,5"),
    ],
)  # fmt: skip
def test_a_figure_is_read_as_each_language_writes_it(said: str, written: str) -> None:
    assert refused(f"писем {written}", f"писем {said}") == []
    assert refused(f"писем {written}", "писем 9"), "and is none that nobody said"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Кирилла", "Ключ дал Кирилл"),
        ("Михаил Хабиров", "Уведомить Михаила Хабирова"),
        ("Амстердаме", "Едем в Амстердам"),
        ("Москве", "Автосервисы, Москва"),
        ("Москвы", "Автосервисы в Москву"),
        ("Krakowie", "Jedziemy na spotkanie do Kraków, jest to w planie po dla od przez"),
    ],
)
def test_another_case_of_a_name_is_the_name(name: str, said: str) -> None:
    assert refused(f"ключ от {name} и ещё", said) == []
    other = "Szczepana" if name.isascii() else "Степана"
    assert refused(f"ключ от {other} и ещё", said), "another name is none"


_PLAIN = "jest to w planie po dla od przez i nie na do"


@pytest.mark.parametrize("name", ["Bartoszowi Kaczmarkowi", "Bartoszem Kaczmarkiem", "Markowi"])
def test_the_vowel_that_cases_drop_is_no_part_of_a_name(name: str) -> None:
    said = f'{_PLAIN} {{"from": "Bartosz Kaczmarek", "cc": "Marek"}}'
    assert refused(f"wysłano pliki {name} po południu", said) == []
    assert refused("wysłano pliki Kaczorowskiemu po południu", said), "another name is none"


def test_where_a_name_stands_in_another_case_is_told() -> None:
    shown = shown_of(f"raport {_PLAIN}", '{"from": "Bartosz Kaczmarek"}')
    claim = Claim("wysłano raport Bartoszowi Kaczmarkowi", tuple(shown.entries)[:1], "Context")
    (said,) = (violation.message for violation in trace(claim, shown)[1])
    assert "but in" in said and tuple(shown.entries)[1] in said


def test_a_relative_day_may_be_written_out() -> None:
    assert refused("Встреча 2026-02-13.", "Встреча завтра") == []
    assert (
        refused(
            "Treffen am 2026-02-13.",
            "Das Treffen ist morgen in der Stadt und nicht bei uns; wir sind auch für das Essen da",
        )
        == []
    )
    assert refused("Встреча 2026-02-20.", "Встреча 19 февраля")


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Встреча 2026-02-19.", "Встреча на следующей неделе"),
        ("Ключ есть у Кирилла.", "Kirill gave a key from Tver"),
        ("Det är 70 000 rader.", "Det är 70 tusen rader i en fil som vi har på en disk för den."),
    ],
)
def test_what_code_cannot_read_is_a_doubt_and_no_refusal(claim: str, said: str) -> None:
    assert refused(claim, said) == []
    assert any("words may say it" in doubt for doubt in doubted(claim, said))


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("提交在晚22:31开始。", "提交时间 22:31-02:30"),
        ("凌晨4:00做例行检查。", "凌晨 4:00 - 例行检查"),
        ("仪表板是 http://10.0.0.5:1878/。", "仪表板：http://10.0.0.5:1878/"),
        ("2月12日和喵呜开会。", "和喵呜开会; 2026-02-12"),
    ],
)
def test_what_stands_beside_letters_without_a_space_is_read(claim: str, said: str) -> None:
    assert refused(claim, said) == []
    other = claim.replace("22:31", "22:32").replace("4:00", "5:00").replace("1878", "1879")
    assert refused(other.replace("12日", "13日"), said)
