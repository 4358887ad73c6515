"""What every page of the offline engine keeps to, on whole roots, and what it does with a few lines."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import everyday
import roots
from lithify.calendar import day_words, month_of, week_of
from lithify.markdown.pages import read_summary
from lithify.markdown.parse import parse
from lithify.memory import CompactOptions, Memory, offline_engine
from lithify.sections import MONTH, WEEK
from lithify.text.figures import find_figures
from lithify.text.labels import mark_of
from lithify.text.tokens import estimate
from lithify.values import SHORT_INPUT, Brief, Claim, Entry

HERE = Path(__file__).parent.parent
LOGS = ("clinic", "mire", "peat", "theatre", "bistrot")
FOLDERS: Mapping[str, Path] = {
    "sample": HERE / "examples" / "sample",
    **{name: HERE / "training" / "recall" / "logs" / name for name in LOGS},
}
NAMES = (*FOLDERS, *everyday.ROOTS)
every_root = pytest.mark.parametrize("name", NAMES)
_DAY = re.compile(r"\b\d{1,2} [A-Z][a-z]{2} \d{4}\b|\(\d{4}-\d\d-\d\d\)")


@dataclass(frozen=True)
class Compacted:
    """A root after its compaction: its entries by id, and the bullets of its pages by their names."""

    entries: Mapping[str, Entry]
    pages: Mapping[str, Sequence[Claim]]
    texts: Mapping[str, str]

    def cited(self, claim: Claim) -> list[Entry]:
        return [self.entries[id] for id in claim.sources]

    def weeks(self) -> dict[str, Sequence[Claim]]:
        return {name: own for name, own in self.pages.items() if "-W" in name}

    def months(self) -> dict[str, Sequence[Claim]]:
        return {name: own for name, own in self.pages.items() if "-W" not in name}

    def section(self, name: str) -> list[str]:
        return [c.text for own in self.pages.values() for c in own if c.section == name]


@cache
def compacted(name: str) -> Compacted:
    """Return a root of `NAMES`, compacted; once in each test process."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        if name in FOLDERS:
            shutil.copytree(FOLDERS[name] / "memory", root / "memory")
            (root / "lithify.toml").write_text('zone = "UTC"\n')
        else:
            roots.make(root, everyday.ROOTS[name])
        return compact(root)


def compact(root: Path) -> Compacted:
    """Compact a root at a time when all its days are over."""
    entries: dict[str, Entry] = {}
    for path in sorted((root / "memory").glob("2*.md")):
        day = path.name[:10]
        found = parse(path.read_bytes(), label=day, day=date.fromisoformat(day)).entries
        entries |= {entry.id: entry for entry in found}
    newest = max(date.fromisoformat(id[:10]) for id in entries)
    now = datetime(newest.year, newest.month, newest.day, 2, tzinfo=UTC) + timedelta(days=60)
    Memory.open(root, clock=lambda: now).compact(CompactOptions(engine=offline_engine()))
    paths = sorted((root / "memory").glob("*ly/*.md"))
    pages = {p.stem: tuple(one.claim for one in read_summary(p.read_bytes())) for p in paths}
    return Compacted(entries, pages, {path.stem: path.read_text() for path in paths})


def root_of(folder: Path, days: Mapping[str, Sequence[str] | str]) -> Compacted:
    return compact(roots.make(folder / "root", days))


# Whole roots.


@every_root
def test_every_bullet_cites_entries_of_its_own_period(name: str) -> None:
    root = compacted(name)
    for page, claims in root.pages.items():
        for claim in claims:
            days = [entry.day for entry in root.cited(claim) if entry.day]
            weeks = [week_of(day) for day in days]
            assert claim.sources and len(set(claim.sources)) == len(claim.sources)
            assert {page} == set(weeks if "-W" in page else map(month_of, weeks)), claim


@every_root
def test_a_bullet_of_a_week_begins_with_the_day_of_an_entry_it_cites(name: str) -> None:
    root = compacted(name)
    for claims in root.weeks().values():
        for claim in claims:
            days = {day_words(entry.day) for entry in root.cited(claim) if entry.day}
            assert set(claim.text.partition(": ")[0].split(", ")) <= days, claim


@every_root
def test_every_day_with_text_has_a_bullet(name: str) -> None:
    root = compacted(name)
    there = {entry.day for entry in root.entries.values() if entry.kind not in ("code", "lead")}
    told = {e.day for own in root.weeks().values() for claim in own for e in root.cited(claim)}
    assert told == there


@every_root
def test_every_figure_stands_whole_and_with_its_sign_in_an_entry_it_cites(name: str) -> None:
    root = compacted(name)
    for claims in root.pages.values():
        for claim in claims:
            cited = root.cited(claim)
            said = " ".join(" ".join((*e.headings, e.lead, e.text)) for e in cited)
            there = {figure.text for figure in find_figures(said)}
            told = {figure.text for figure in find_figures(_DAY.sub("", claim.text))}
            assert told <= there, claim


@every_root
def test_labelled_entries_stand_in_the_section_of_their_label_alone(name: str) -> None:
    root = compacted(name)
    for claims in root.weeks().values():
        for claim in claims:
            marks = {mark_of(entry) for entry in root.cited(claim)} - {""}
            assert marks <= {claim.section}, claim


@every_root
def test_a_page_keeps_to_its_length(name: str) -> None:
    root = compacted(name)
    for page, claims in root.pages.items():
        size, told = map(int, re.findall(r"tokens: \{in: (\d+), out: (\d+)\}", root.texts[page])[0])
        if "-W" not in page:
            assert told <= min(size, max(0.3 * size, SHORT_INPUT)) or size < 60
        elif size > SHORT_INPUT:
            # Where the shortest sentence of each day is longer, the days come first.
            days = {entry.day for claim in claims for entry in root.cited(claim)}
            assert told <= 0.4 * size or len(claims) == len(days), page
        else:
            # A short week is told whole: dates and headings aside it is no longer than its days.
            for claim in claims:
                said = re.sub(rf"^(?:{_DAY.pattern}|, )+: ", "", claim.text)
                own = [(*e.headings, e.lead, e.text) for e in root.cited(claim)]
                above = sum(estimate(" ".join(words[:-1])) for words in own)
                assert estimate(said) <= sum(estimate(words[-1]) for words in own) + above + 12


@every_root
def test_no_bullet_stands_twice_on_a_page(name: str) -> None:
    for claims in compacted(name).pages.values():
        assert len({claim.text for claim in claims}) == len(claims)


@every_root
def test_sections_stand_in_their_order_and_hold_only_bullets(name: str) -> None:
    for page, text in compacted(name).texts.items():
        body = text.partition("\n---\n")[2]
        assert tuple(re.findall(r"(?m)^### (.+)$", body)) == (WEEK if "-W" in page else MONTH)
        lines = [line for line in body.splitlines() if line and not line.startswith("#")]
        assert all(re.fullmatch(r"- .+ <!--(?: \S+~[0-9a-f]{12})+ -->", line) for line in lines)


def digest(name: str) -> str:
    """Return a digest of what all the pages of a root say, their times left out."""
    said = [(page, text.partition("\n---\n")[2]) for page, text in compacted(name).texts.items()]
    return sha256(repr(sorted(said)).encode()).hexdigest()


@pytest.mark.parametrize("seed", ["0", "1"])  # and this process has a third
def test_pages_are_the_same_bytes_under_any_hash_seed(seed: str) -> None:
    names = ("english", "mixed", "talk", "peat")
    code = f"import test_offline as t; [print(n, t.digest(n)) for n in {names!r}]"
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines() == [f"{name} {digest(name)}" for name in names]


# Some lines of a week.


def week_lines(folder: Path, *lines: str, others: int = 20) -> Compacted:
    """Compact a day with these lines among others."""
    filler = [f"{what} {where}" for what, where in zip(DOINGS, PLACES, strict=True)][:others]
    return root_of(folder, {"2026-05-04": "".join(f"- {one}\n" for one in (*filler, *lines))})


DOINGS = (
    "Swept",
    "Watered",
    "Sorted",
    "Painted",
    "Oiled",
    "Copied",
    "Moved",
    "Cleaned",
    "Tested",
    "Weighed",
    "Counted",
    "Mixed",
    "Folded",
    "Tuned",
    "Labelled",
    "Washed",
    "Trimmed",
    "Stacked",
    "Filled",
    "Measured",
)
PLACES = (
    "yard",
    "beans",
    "screws",
    "chapter",
    "hinge",
    "sheet",
    "crate",
    "filter",
    "lamp",
    "parcel",
    "chairs",
    "paint",
    "maps",
    "radio",
    "jars",
    "van",
    "hedge",
    "wood",
    "tank",
    "rope",
)


@pytest.mark.parametrize(
    ("line", "section"),
    [
        ("Decision: we ship on Tuesday", WEEK.decisions),
        ("**Decision:** we ship on Tuesday", WEEK.decisions),
        ("09:30 Decision: we ship on Tuesday", WEEK.decisions),
        ("Entscheidung: wir liefern am Dienstag", WEEK.decisions),
        ("决定：星期二发货", WEEK.decisions),
        ("Решение: отгружаем во вторник", WEEK.decisions),
        ("Rule: never ship on a Friday", WEEK.decisions),
        ("Blocked: no drum for the printer", WEEK.open_items),
        ("TODO: renew the certificate", WEEK.open_items),
        ("[ ] renew the certificate", WEEK.open_items),
        ("☐ renew the certificate", WEEK.open_items),
        ("Pendiente: renovar el certificado", WEEK.open_items),
        ("[x] renewed the certificate", WEEK.outcomes),
        ("✅ renewed the certificate", WEEK.outcomes),
        ("Done: certificate renewed", WEEK.outcomes),
        ("Context: the certificate is from 2019", WEEK.context),
        ("The certificate was renewed and shipped", WEEK.context),
    ],
)
def test_a_box_or_a_label_settles_the_section_and_nothing_else_does(
    line: str, section: str, tmp_path: Path
) -> None:
    word = re.findall(r"\w+", line)[-1]
    root = week_lines(tmp_path, line)
    found = [c.section for own in root.weeks().values() for c in own if word in c.text]
    assert found == [section]


@pytest.mark.parametrize("above", ["## Decisions\n\n", "Decisions:\n\n"])
def test_items_under_a_heading_or_lead_in_named_like_a_section_stand_there(
    above: str, tmp_path: Path
) -> None:
    root = root_of(tmp_path, {"2026-05-04": f"{above}- ship on Tuesday\n- no Friday calls\n"})
    assert root.section(WEEK.decisions) == [
        "4 May 2026: ship on Tuesday",
        "4 May 2026: no Friday calls",
    ]


def test_an_open_item_that_is_ticked_later_in_the_week_is_an_outcome(tmp_path: Path) -> None:
    task = "send Halima the signed lease"
    root = root_of(tmp_path, {"2026-05-04": f"- [ ] {task}\n", "2026-05-06": f"- [x] {task}\n"})
    assert root.section(WEEK.open_items) == []
    assert root.section(WEEK.outcomes) == [f"6 May 2026: {task}"]


def test_a_figure_that_recurs_is_told_first_and_last_with_sign_and_unit(tmp_path: Path) -> None:
    values = ("-35,052 EUR", "-1,200 EUR", "$1.5M", "-12.5%", "+1,260 EUR")
    days = {
        f"2026-05-0{4 + n}": f"- Balance at close: {value}\n- {DOINGS[n]} the {PLACES[n]}.\n"
        for n, value in enumerate(values)
    }
    root = root_of(tmp_path, days)
    (told,) = [text for text in root.section(WEEK.context) if "Balance" in text]
    first, last = "4 May 2026: Balance at close: -35,052 EUR", "8 May 2026: +1,260 EUR"
    assert told == f"{first}; {last}"
    (week,) = root.weeks().values()
    (claim,) = [one for one in week if "Balance" in one.text]
    assert len(claim.sources) == 2


def test_a_day_with_nothing_but_a_line_that_recurs_has_its_bullet(tmp_path: Path) -> None:
    days = {f"2026-05-0{4 + n}": f"- Balance at close: {-5 * n - 5} EUR\n" for n in range(5)}
    root = root_of(tmp_path, days)
    told = {e.day for own in root.weeks().values() for c in own for e in root.cited(c)}
    assert len(told) == 5
    assert any("-10 EUR" in text for text in root.section(WEEK.context))


def test_a_certain_date_stands_in_brackets_and_the_day_itself_does_not(tmp_path: Path) -> None:
    lines = "- The ferry sails tomorrow from Ostend.\n- The winch was oiled today by Ruth.\n"
    found = root_of(tmp_path, {"2026-05-04": lines}).section(WEEK.context)
    assert "4 May 2026: The ferry sails tomorrow (2026-05-05) from Ostend." in found
    assert "4 May 2026: The winch was oiled today by Ruth." in found


def test_no_sentence_is_cut_inside(tmp_path: Path) -> None:
    long = "The crane of the north quay " + ", ".join(f"lifts {word} crates" for word in PLACES * 6)
    root = week_lines(tmp_path, f"{long}.", others=0)
    assert root.section(WEEK.context) == [f"4 May 2026: {long}."]


def test_a_rule_that_somebody_marked_is_added_to_wisdom_and_no_memory_is_found(
    tmp_path: Path,
) -> None:
    root = roots.make(
        tmp_path / "root",
        {
            "2026-05-04": "- Rule: never ship on a Friday\n- We always ship by noon, as a principle.\n"
        },
    )
    compact(root)
    wisdom = (root / "WISDOM.md").read_text()
    assert "Never ship on a Friday." in wisdom and "by noon" not in wisdom


# Months.


def weeks_of_may(**lines: str) -> dict[str, str]:
    """Return days in four weeks of May with these lines (`d04=…`) among others."""
    days = {f"2026-05-{day:02}": "" for day in (4, 12, 20, 28)}
    for n, day in enumerate(days):
        days[day] = "".join(f"- {DOINGS[k]} the {PLACES[k]}.\n" for k in range(n, 20, 4))
    for name, line in lines.items():
        day = f"2026-05-{name[1:3]}"
        days[day] = f"{days.get(day, '')}- {line}\n"
    return dict(sorted(days.items()))


def month_of_may(folder: Path, **lines: str) -> dict[str, list[Claim]]:
    (claims,) = root_of(folder, weeks_of_may(**lines)).months().values()
    return {name: [claim for claim in claims if claim.section == name] for name in MONTH}


def test_what_a_later_week_took_up_is_carried_with_its_day_and_its_newest_line(
    tmp_path: Path,
) -> None:
    found = month_of_may(
        tmp_path,
        d04="[ ] renew the fire certificate of the Kestrel annex",
        d12="Called about the fire inspection: the Kestrel inspector comes in June",
    )
    (carried,) = found[MONTH.carried_forward]
    assert carried.text.startswith("Open since 4 May 2026: renew the fire certificate")
    assert "12 May 2026: Called about the fire inspection" in carried.text
    assert len(carried.sources) == 2


def test_what_rose_in_the_last_week_is_carried_and_what_nobody_took_up_is_not(
    tmp_path: Path,
) -> None:
    found = month_of_may(
        tmp_path, d04="[ ] order gravel for the causeway", d28="[ ] repair the beacon of Malmo"
    )
    texts = [claim.text for claim in found[MONTH.carried_forward]]
    assert texts == ["Open since 28 May 2026: repair the beacon of Malmo"]


@pytest.mark.parametrize(
    "closing",
    ["[x] renew the fire certificate of the annex", "Done: fire certificate of the annex is here"],
)
def test_what_was_ticked_or_told_as_an_outcome_is_not_carried(closing: str, tmp_path: Path) -> None:
    opening = "[ ] renew the fire certificate of the annex"
    found = month_of_may(
        tmp_path, d04=opening, d12="the annex waits for its certificate", d28=closing
    )
    assert found[MONTH.carried_forward] == []


def test_an_item_that_is_listed_again_and_again_is_told_once_with_its_first_day(
    tmp_path: Path,
) -> None:
    item = "[ ] renew the fire certificate"
    found = month_of_may(tmp_path, **{f"d{day:02}": item for day in (4, 12, 20, 28)})
    (carried,) = found[MONTH.carried_forward]
    assert carried.text.startswith("Open since 4 May 2026: renew the fire certificate")
    assert "28 May 2026" in carried.text


def test_milestones_are_the_labelled_outcomes_and_decisions(tmp_path: Path) -> None:
    found = month_of_may(
        tmp_path, d04="Decision: two pilots sign for the barge", d20="Shipped: the tariff importer"
    )
    texts = {claim.text for claim in found[MONTH.milestones]}
    assert texts == {
        "4 May 2026: two pilots sign for the barge",
        "20 May 2026: the tariff importer",
    }


def test_a_pair_of_rare_words_of_two_weeks_is_a_theme(tmp_path: Path) -> None:
    found = month_of_may(
        tmp_path,
        d04="Kestrel rejects our manifest messages",
        d12="Nothing new from the manifest desk of Kestrel",
        d20="Kestrel accepts the manifest at last",
    )
    themes = [c.text for c in found[MONTH.themes] if "Kestrel" in c.text and "; " in c.text]
    first, last = (
        "4 May 2026: Kestrel rejects our manifest messages",
        "20 May 2026: Kestrel accepts",
    )
    assert len(themes) == 1 and themes[0].startswith(f"{first}; {last}")


def test_a_value_that_changed_over_the_month_is_the_trajectory(tmp_path: Path) -> None:
    found = month_of_may(
        tmp_path,
        d04="Nightly import takes 38 minutes",
        d12="Nightly import takes 29 minutes",
        d28="Nightly import takes 22 minutes",
    )
    (changed,) = found[MONTH.trajectory]
    first, last = "4 May 2026: Nightly import takes 38 minutes", "Nightly import takes 22 minutes"
    assert changed.text == f"{first}; 28 May 2026: {last}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Nightly import takes 38 minutes", "Nightly import takes 38 minutes"),
        ("Merged PR #215 of the importer", "Merged PR #216 of the importer"),
        ("Merged PR 215 of the importer", "Merged PR 216 of the importer"),
        ("Ticket W-12 of the importer waits", "Ticket W-14 of the importer waits"),
        ("Deployed importer v2.4.1 to the dock", "Deployed importer v2.4.2 to the dock"),
        ("The import ran at 14:05 as planned", "The import ran at 14:25 as planned"),
    ],
)
def test_what_did_not_change_and_identifiers_are_no_trajectory(
    before: str, after: str, tmp_path: Path
) -> None:
    assert month_of_may(tmp_path, d04=before, d28=after)[MONTH.trajectory] == []


def test_time_grows_with_the_lines_whatever_they_say() -> None:
    def calls(lines: int) -> int:
        entries = tuple(
            Entry(f"2026-05-0{4 + n % 7}~{n:012x}", f"{PLACES[n % 19]} of {PLACES[n % 17]}x{n} {n}")
            for n in range(lines)
        )
        brief = Brief("week", "2026-W19", WEEK, entries, target=4000, size=8 * lines, ceiling=4000)
        counted = 0

        def count(*_: object) -> None:
            nonlocal counted
            counted += 1

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            offline_engine().draft(brief)
        finally:
            sys.setprofile(before)
        return counted

    # More lines than a cache holds.
    assert calls(20_000) < 2.6 * calls(10_000)
