"""Every line that somebody labelled stands in its section, or is counted as left out.

Ten roots of twenty to sixty labelled lines, of the kinds that people write.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import golden
from lithify.judge import judge, without_label
from lithify.sections import MONTH, WEEK

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK

#: Labels with their sections, in English and in German.
ENGLISH = {
    "Decision": DECISIONS,
    "Shipped": OUTCOMES,
    "Blocked": OPEN,
    "Decided": DECISIONS,
    "Fixed": OUTCOMES,
    "Next": OPEN,
}
GERMAN = {
    "Entscheidung": DECISIONS,
    "Erledigt": OUTCOMES,
    "Blockiert": OPEN,
    "Beschluss": DECISIONS,
    "Behoben": OUTCOMES,
    "Offen": OPEN,
}
THINGS = (
    *("harbour crane", "night ferry", "tide gauge", "slip road", "dry dock", "fuel barge"),
    *("pilot boat", "buoy chain", "fish market", "ice plant", "rope store", "customs shed"),
)
DINGE = (
    *("Hafenkran", "Nachtfähre", "Pegelmesser", "Zufahrt", "Trockendock", "Tankschiff"),
    *("Lotsenboot", "Bojenkette", "Fischmarkt", "Eiswerk", "Seillager", "Zollhaus"),
)
#: What is said of each thing; a figure of its own keeps each line apart from all others.
SAID = (
    "Anna paints the {} before the regatta of berth {}",
    "invoices for the {} go to Marek in room {}",
    "the {} gets new lamps from Ostend by order {}",
    "Ruth measures the {} with borrowed laser {}",
    "the {} keeps timetable {} until autumn",
)
GESAGT = (
    "Anna streicht {} vor der Regatta an Platz {}",
    "die Rechnung für {} geht an Marek in Zimmer {}",
    "{} bekommt neue Lampen aus Ostende nach Auftrag {}",
    "Ruth vermisst {} mit dem geliehenen Laser {}",
    "{} behält den Fahrplan {} bis zum Herbst",
)

#: A labelled line: its label, its words, and its section.
Line = tuple[str, str, str]


def lines(count: int, *, german: bool = False) -> list[Line]:
    """So many labelled lines that say different things."""
    labels = list((GERMAN if german else ENGLISH).items())
    things, said = (DINGE, GESAGT) if german else (THINGS, SAID)
    found = []
    for n in range(count):
        label, section = labels[(n + n // len(labels)) % len(labels)]
        words = said[n % len(said)].format(
            things[n % len(things)], f"{101 + 7 * n} ({chr(65 + n % 26)}K{n})"
        )
        found.append((label, words, section))
    return found


def plainly(n: int, line: Line) -> str:
    return f"- {line[0]}: {line[1]}"


def boldly(n: int, line: Line) -> str:
    return f"- **{line[0]}:** {line[1]}"


def timed(n: int, line: Line) -> str:
    return f"- {8 + n % 10:02}:{7 * n % 60:02} {line[0]}: {line[1]}"


def timed_boldly(n: int, line: Line) -> str:
    return f"- **{8 + n % 10:02}:{7 * n % 60:02}** **{line[0]}**: {line[1]}"


def under_emoji(n: int, line: Line) -> str:
    return f"- {'🚀📌🔥'[n % 3]} **{line[0]}:** {line[1]}"


def dashed(n: int, line: Line) -> str:
    return f"- **{line[0]}** — {line[1]}"


def numbered(n: int, line: Line) -> str:
    return f"{n + 1}. {line[0]}: {line[1]}"


def prose(n: int, line: Line) -> str:
    return f"{line[0]}: {line[1]}.\n"


def one_by_one(write: Callable[[int, Line], str]) -> Callable[[list[Line]], str]:
    return lambda own: "\n".join(write(n, line) for n, line in enumerate(own)) + "\n"


def table(own: list[Line]) -> str:
    rows = [f"| {label} | {words} |" for label, words, _ in own]
    return "\n".join(["| What | Words |", "|---|---|", *rows]) + "\n"


def headed(own: list[Line]) -> str:
    names = {DECISIONS: "## Decisions", OUTCOMES: "## ✅ Shipped", OPEN: "## Next steps (Monday)"}
    parts = []
    for section, heading in names.items():
        parts += [heading, "", *(f"- {words}" for _, words, at in own if at == section), ""]
    return "\n".join(parts)


ROOTS: dict[str, tuple[Callable[[list[Line]], str], int, bool]] = {
    "plain": (one_by_one(plainly), 20, False),
    "plain, sixty": (one_by_one(plainly), 60, False),
    "bold": (one_by_one(boldly), 40, False),
    "timed": (one_by_one(timed), 36, False),
    "timed and bold": (one_by_one(timed_boldly), 50, False),
    "emoji": (one_by_one(under_emoji), 30, False),
    "dashes and numbers": (
        lambda own: one_by_one(dashed)(own[::2]) + one_by_one(numbered)(own[1::2]),
        24,
        False,
    ),
    "headings": (headed, 45, False),
    "table": (table, 28, False),
    "German": (one_by_one(plainly), 42, True),
    "prose": (one_by_one(prose), 24, False),
}


@pytest.mark.parametrize("name", ROOTS)
def test_a_labelled_line_stands_in_its_section_or_is_counted(name: str, tmp_path: Path) -> None:
    write, count, german = ROOTS[name]
    whole = lines(count, german=german)
    # Over four days, so that no day holds them all.
    days = [write(whole[n::4]) for n in range(4)]
    written = golden.week_of_lines(tmp_path / "root", *days)
    ((path, page),) = ((p, t) for p, t in written.pages.items() if "weekly" in p)
    ((_, draft),) = ((b, d) for b, d in written.written if b.tier == "week")
    told = {
        words: claim.section
        for claim in draft.claims
        for _, words, _ in whole
        if words.casefold() in claim.text.casefold()
    }
    astray = {words: told[words] for _, words, at in whole if words in told and told[words] != at}
    assert not astray
    counted = re.search(r"^kept: (\d+) of (\d+)$", page, re.MULTILINE)
    assert counted, path
    assert (int(counted[1]), int(counted[2])) == (len(told), len(whole))
    # A label is no speaker, and a page of labelled lines is mostly made of them.
    assert len(told) >= min(20, count // 2)
    assert len({told[words] for words in told}) == 3


@pytest.mark.parametrize(
    ("label", "section"),
    [
        *(("Решение", DECISIONS), ("Правило", DECISIONS), ("Сделано", OUTCOMES)),
        *(("Дальше", OPEN), ("决定", DECISIONS), ("记住", DECISIONS), ("已完成", OUTCOMES)),
        *(("下一步", OPEN), ("Decisão", DECISIONS), ("Pendente", OPEN), ("Regra", DECISIONS)),
        *(("Decisión", DECISIONS), ("Décision", DECISIONS), ("À faire", OPEN)),
        *(("Decyzja", DECISIONS), ("Рішення", DECISIONS), ("決定事項", DECISIONS)),
        *(("결정", DECISIONS), ("Merke", DECISIONS), ("Preferência", CONTEXT)),
    ],
)
def test_a_label_gives_its_section_in_each_language(label: str, section: str) -> None:
    line = f"**{label}:** Kran 7 bleibt bis 2026-05-04"
    assert judge(line, language="").section == section
    assert without_label(line) == "Kran 7 bleibt bis 2026-05-04"


def test_a_label_in_a_heading_marks_what_stands_below_it(tmp_path: Path) -> None:
    day = (
        "## Decision: No New Coding Tools\n\nMarek steers away from more paid subscriptions.\n\n"
        "## NEXT: Paint the harbour crane\n\nThe ferry office has sent the lamps.\n"
    )
    written = golden.week_of_lines(tmp_path / "root", day)
    pages = {path.split("/")[1]: page for path, page in written.pages.items()}
    assert "kept: 2 of 2" in pages["weekly"]
    told = {b.tier: {c.text: c.section for c in d.claims} for b, d in written.written}
    decided = "4 May 2026: No New Coding Tools: Marek steers away from more paid subscriptions"
    ahead = "4 May 2026: Paint the harbour crane: The ferry office has sent the lamps"
    assert told["week"] == {decided: DECISIONS, ahead: OPEN}
    assert told["month"][decided] == MONTH.milestones


RULES = {
    "## Rules": "- Ask Marek before a berth is sold.",
    "### Branching rules (agreed)": "- Ferries turn at the outer buoy.",
    "## Rules from Anna": "- Two people sign for the fuel barge.",
    "**Hard rules established:**": "- Lamps stay lit until the last boat is in.",
    "The crane was painted. Rules from 4 May:": "- Nobody stands below the crane.",
    "## Harte Regeln": "- Kein Tankschiff nach Sonnenuntergang.",
    "## CRITICAL RULE: Invoices": "Every invoice has the number of its berth.",
    "## Yard": "- NEVER weld near the ice plant",
    "## Slip road": "- **ALWAYS** close the slip road at high tide",
}
NO_RULES = {
    "## Em dash rule enforced": "- Dashes were taken out of seven posts.",
    "## Decision fatigue": "- A study of judges at noon.",
    "## Firewall": "- Firewall rules: 12 are loaded.",
    "## Pending decisions": "- The colour of the ferry.",
    "## Blockers resolved": "- The lock of the gate.",
    "## Parts": "- NEVERMIND is the name of the boat of Kurt.",
}


def test_rules_under_a_heading_or_in_capitals_stand_among_the_decisions(tmp_path: Path) -> None:
    day = "\n\n".join(f"{head}\n{line}" for head, line in {**RULES, **NO_RULES}.items())
    filler = [f"Ruth counted {n} crates of rope behind berth {2 * n}." for n in range(200)]
    written = golden.week_of_lines(tmp_path / "root", f"{day}\n", filler)
    ((_, week),) = ((b, d) for b, d in written.written if b.tier == "week")
    decided = " ".join(claim.text for claim in week.claims if claim.section == DECISIONS)
    assert [one for one in RULES.values() if one.strip("-. *")[-24:] not in decided] == []
    assert [one for one in NO_RULES.values() if one.strip("-. *")[-18:] in decided] == []
    assert "Branching rules: Ferries turn" in decided
