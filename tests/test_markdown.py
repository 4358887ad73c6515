"""Any bytes survive; entries are what a person would point at; ids follow the text."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify.markdown.front import read_front, write_front
from lithify.markdown.lines import BREAK, FENCE, HEADING, ITEM, QUOTE, may_open
from lithify.markdown.pages import split_provenance, strip_comments
from lithify.markdown.parse import entry_id, parse, render

DAY = date(2026, 4, 6)
PIECES = st.sampled_from(
    [
        b"# Day\n",
        b"####### deep\n",
        b"- item\n",
        b"  continued\n",
        b"  - nested\n",
        b"* star\r\n",
        b"1. first\n",
        b"- [x] done\n",
        b"Decision:\n",
        b"\n",
        b"   \n",
        b"```\n",
        b"~~~~ sh\n",
        b"| a | b |\n",
        b"|---|---|\n",
        b"> quoted\n",
        b"---\n",
        b"===\n",
        b"key: value\n",
        b"10:15 Bram rang\n",
        b"\xef\xbb\xbf",
        b"\xff\xfe bad\n",
        b"\x00nul\n",
        "日本語のテキスト。\n".encode(),
        b"plain words\n",
        b"\r",
        b"no newline",
    ]
)
ANY_BYTES = st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=25).map(b"".join))


@given(ANY_BYTES)
def test_parsing_then_rendering_gives_the_same_bytes(data: bytes) -> None:
    assert render(parse(data)) == data


@given(ANY_BYTES)
def test_every_line_with_text_is_in_an_entry_or_is_structure(data: bytes) -> None:
    line = 1
    for block in parse(data, label="2026-04-02").blocks:
        assert block.line == line
        count = block.raw.count(b"\n") + (not block.raw.endswith(b"\n"))
        assert count >= 1
        if block.entry:
            assert (block.entry.line, block.entry.end_line) == (line, line + count - 1)
        if block.kind == "blank":
            assert not block.raw.strip()
        line += count


def entries(text: str) -> list[tuple[str, str, str]]:
    document = parse(text.encode(), label="2026-04-02", day=date(2026, 4, 2))
    return [(e.kind, e.lead, e.text) for e in document.entries]


def test_an_item_keeps_its_continuation_and_nested_items_stand_alone() -> None:
    text = "- one\n  more of one\n\n  still one\n  - two\n- three\nlazy three\n"
    assert entries(text) == [
        ("item", "", "one more of one still one"),
        ("item", "", "two"),
        ("item", "", "three lazy three"),
    ]


def test_a_line_kept_by_the_clock_does_not_continue_the_item_above_it() -> None:
    text = b"- two crates of rope\n  and one of tar\n10:15 Bram rang the yard\nabout both.\n"
    entries = parse(text, day=DAY).entries
    assert [(one.kind, one.text) for one in entries] == [
        ("item", "two crates of rope and one of tar"),
        ("paragraph", "10:15 Bram rang the yard about both."),
    ]


@pytest.mark.parametrize(
    "stamp",
    [
        "09:1{}",
        "[09:1{}]",
        "**09:1{}**",
        "**9:1{} am** -",
        "09:1{}:07 |",
        "`09:1{}`",
        "9h1{}",
        "✅",
        "⚠️",
        "**Step {}:**",
        "Step {}:",
        "**Step {}**:",
    ],
)
def test_each_line_that_begins_with_a_time_a_sign_or_a_label_is_an_entry(stamp: str) -> None:
    said = ["Bram rang the yard", "rope came, 40 m\nand a hook", "paid Odile"]
    text = "\n".join(f"{stamp.format(n)} {line}" for n, line in enumerate(said))
    entries = parse(text.encode(), day=DAY).entries
    assert len(entries) == len(said)
    for one, line in zip(entries, said, strict=True):
        assert one.text.endswith(" " + line.replace("\n", " "))


def test_each_turn_of_a_conversation_is_an_entry() -> None:
    text = b"user: move the dentist to 11:30\nassistant: Done, with Dr. Holm.\nIt is on May 12.\nuser: thanks\n"
    assert [one.text for one in parse(text, day=DAY).entries] == [
        "user: move the dentist to 11:30",
        "assistant: Done, with Dr. Holm. It is on May 12.",
        "user: thanks",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "We met Odile at\n10:15 Harbour Street and went on.",
        "The boats sailed from 9:00,\n10:15 And 11:00 too.",
        "The second boat sailed\n10:15 sharp.",
        "We all signed the list of the\nHarbour Board: Odile, Bram and I.",
    ],
)
def test_a_time_inside_a_sentence_begins_no_entry(text: str) -> None:
    assert len(parse(text.encode(), day=DAY).entries) == 1


def test_each_turn_of_a_quoted_conversation_is_an_entry() -> None:
    text = b'> Bram: "The rope\n> is here."\n>\n> Odile: "So is the hook."\n\n> A saying\n> of two lines.\n'
    assert [(one.kind, one.line, one.text) for one in parse(text, day=DAY).entries] == [
        ("quote", 1, 'Bram: "The rope is here."'),
        ("quote", 4, 'Odile: "So is the hook."'),
        ("quote", 6, "A saying of two lines."),
    ]


def test_under_a_title_that_is_of_no_day_every_line_belongs_to_it() -> None:
    text = b"**Ring first**\nRule: ring the yard before you go.\n10:15 And ask for Bram.\n"
    assert len(parse(text).entries) == 1
    assert len(parse(text, day=DAY).entries) > 1


def test_dots_pasted_from_elsewhere_mark_a_list() -> None:
    entries = parse("Outstanding:\n• rope from Lund\n  in May\n◦ the map\n".encode()).entries
    assert [(one.kind, one.lead, one.text) for one in entries] == [
        ("lead", "", "Outstanding:"),
        ("item", "Outstanding:", "rope from Lund in May"),
        ("item", "Outstanding:", "the map"),
    ]


def test_a_lead_in_is_context_of_the_items_under_it() -> None:
    text = "Decision:\n- keep JWT\n  - for mobile\n\nAfter that we went on.\n- loose\n"
    assert entries(text) == [
        ("lead", "", "Decision:"),
        ("item", "Decision:", "keep JWT"),
        ("item", "Decision:", "for mobile"),
        ("paragraph", "", "After that we went on."),
        ("item", "", "loose"),
    ]


def test_a_lead_in_keeps_all_of_its_words() -> None:
    text = "Go or no-go is on Monday at 13:00. Open points:\n- one\n"
    assert entries(text)[0] == ("lead", "", "Go or no-go is on Monday at 13:00. Open points:")


def test_a_nested_lead_in_carries_the_outer_one() -> None:
    text = "Outstanding:\n- **Priya:**\n  - sign the form\n- other\n"
    assert entries(text)[2:] == [
        ("item", "Outstanding: **Priya:**", "sign the form"),
        ("item", "Outstanding:", "other"),
    ]


def test_a_bold_line_over_a_list_leads_it() -> None:
    text = "**12:30 the ferry**\n- late again\n\n1. **Ropes**\n   - two left\n2. done\n"
    assert entries(text) == [
        ("lead", "", "**12:30 the ferry**"),
        ("item", "**12:30 the ferry**", "late again"),
        ("lead", "**12:30 the ferry**", "**Ropes**"),
        ("item", "**12:30 the ferry** **Ropes**", "two left"),
        ("item", "**12:30 the ferry**", "done"),
    ]


@pytest.mark.parametrize("line", ["**The ferry is late.**", "**4 -> 6**"])
def test_a_bold_line_that_says_something_leads_nothing(line: str) -> None:
    assert entries(f"{line}\n- again\n")[0] == ("paragraph", "", line)


@pytest.mark.parametrize(
    "line", ["Still hanging", "For Monday", "Ferry", "Gate 3 (Ada, 10:00; by phone)"]
)
def test_a_line_of_few_words_right_above_a_list_names_it(line: str) -> None:
    assert entries(f"{line}\n- again\n") == [("lead", "", line), ("item", line, "again")]
    assert entries(f"{line}\n\n- again\n")[0] == ("paragraph", "", line)


@pytest.mark.parametrize(
    "line",
    [
        "Late again.",
        "4 -> 6",
        "one\ntwo",
    ],
)
def test_a_line_that_says_something_leads_no_list(line: str) -> None:
    assert entries(f"{line}\n- again\n")[0][0] == "paragraph"


def test_a_colon_with_nothing_under_it_is_prose() -> None:
    assert entries("The verdict:\n") == [("paragraph", "", "The verdict:")]


def test_table_rows_stand_under_their_header() -> None:
    text = "| metric | value |\n|---|---|\n| p95 | 212 ms |\n| p99 | 400 ms |\n\na | b\n"
    assert entries(text) == [
        ("row", "| metric | value |", "| p95 | 212 ms |"),
        ("row", "| metric | value |", "| p99 | 400 ms |"),
        ("paragraph", "", "a | b"),
    ]


def test_quotes_code_and_an_open_fence() -> None:
    text = "> said\n> twice\n```sh\n# not a heading\n```\n```\n- still an item\n"
    assert entries(text) == [
        ("quote", "", "said twice"),
        ("code", "", "```sh # not a heading ```"),
        ("paragraph", "", "```"),
        ("item", "", "still an item"),
    ]


def test_headings_nest_by_depth_whatever_the_depth() -> None:
    text = "# A\n### B ##\n- x\n######### C\n- y\n## D\n- z\n\nTitle\n===\n- w\n"
    paths = [e.headings for e in parse(text.encode()).entries]
    assert paths == [("A", "B"), ("A", "B", "C"), ("A", "D"), ("Title",)]


def test_crlf_and_bom_do_not_change_what_an_entry_is() -> None:
    plain = parse(b"# Day\n- one\n  two\n", label="d").entries
    other = parse(b"\xef\xbb\xbf# Day\r\n- one\r\n  two\r\n", label="d").entries
    assert [e.id for e in plain] == [e.id for e in other]


def test_ids_survive_reordering_and_markers_but_not_edits_or_other_headings() -> None:
    def ids(text: str) -> list[str]:
        return [e.id for e in parse(text.encode(), label="2026-04-02").entries]

    assert sorted(ids("# H\n- a\n- b\n")) == sorted(ids("# H\n* b\n1. a\n"))
    assert ids("# H\n- a\n") != ids("# H\n- A\n")
    assert ids("# H\n- a\n") != ids("# I\n- a\n")
    assert ids("- a\n- a\n")[0] == ids("- a\n- a\n")[1]
    assert entry_id("2026-04-02", ("H",), "a  b") == entry_id("2026-04-02", ("H",), "a b")


def test_composed_and_decomposed_letters_are_one_entry() -> None:
    assert entry_id("d", (), "Zo\u00eb") == entry_id("d", (), "Zoe\u0308")


def test_hostile_lines_are_read_in_one_sitting() -> None:
    for line in ("#" + " " * 200_000 + "x", " " * 200_000 + "-|x", "- " * 100_000, "|" * 200_000):
        data = f"a|b\n{line}\n".encode()
        assert render(parse(data)) == data
    fences = "\n".join("`" * (3 + n % 50) for n in range(20_000)).encode()
    assert render(parse(fences)) == fences


# Front matter


def test_scalars_stay_text() -> None:
    front = read_front("a: NO\nb: 012\nc: 12:30:45\nd: 2026-04-30\ne: ~\nf: 1e9\ng: 'it''s'\n")
    assert front.values == {
        "a": "NO",
        "b": "012",
        "c": "12:30:45",
        "d": "2026-04-30",
        "e": "~",
        "f": "1e9",
        "g": "it's",
    }


def test_nested_and_flow_forms_are_read() -> None:
    front = read_front(
        "metadata:\n  type: user\ntags: [a, 'b c']\ns: {x: 1, y: [2]}\nl:\n- p\n- q\n"
    )
    assert front.values == {
        "metadata": {"type": "user"},
        "tags": ["a", "b c"],
        "s": {"x": "1", "y": ["2"]},
        "l": ["p", "q"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "a: &x 1\nb: *x\n",
        "a: !!python/object x\n",
        "no colon here\n",
        "a: 1\na: 2\n",
        "a: [1, 2\n",
        "a: 'open\n",
        "\ta: 1\n",
        "a: " + "[" * 50 + "]" * 50 + "\n",
        "a: " + "x" * 70_000 + "\n",
    ],
)
def test_broken_front_matter_is_reported_and_the_body_still_read(text: str) -> None:
    document = parse(f"---\n{text}---\n- body\n".encode())
    assert document.front.fault
    assert [e.text for e in document.entries] == ["body"]


SCALARS = st.text(max_size=40)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(SCALARS, VALUES, max_size=5))
def test_what_we_write_as_front_matter_reads_back(values: dict[str, object]) -> None:
    text = write_front(values)  # type: ignore[arg-type]
    assert text.startswith("---\n") and text.endswith("\n---\n")
    front = read_front(text[4:-4])
    assert front.fault == ""
    assert front.values == values


@given(st.text(alphabet=st.sampled_from("ab:-#[]{},'\"&*!|>\n \t\\x0"), max_size=60))
def test_reading_front_matter_never_raises(text: str) -> None:
    read_front(text)


COMMENTED = st.lists(
    st.sampled_from(
        ["<!--", "-->", " ", "\n", "\u2003", "word", "<", ">", "-", "2026-01-01~0123456789ab"]
    ),
    max_size=14,
).map("".join)


@given(COMMENTED)
def test_a_comment_goes_with_the_white_space_before_it(text: str) -> None:
    assert strip_comments(text) == re.sub(r"\s*<!--[^<>]*?-->", "", text)


@given(COMMENTED)
def test_provenance_ends_its_line_wherever_it_begins(text: str) -> None:
    # An id holds no opening of a comment: of comments that run into each other the last is read.
    ids = r"(?:(?!<!--)\S)+~[0-9a-f]{12}"
    match = re.search(rf"\s*<!--\s*{ids}(?:\s+{ids})*\s*-->\s*$", text)
    assert split_provenance(text)[0] == (text[: match.start()] if match else text).rstrip()


@given(st.text(st.sampled_from("#-*+_>`~|1\u0663\u00b2.) \t\x0b\xa0a"), max_size=8))
def test_a_line_without_a_mark_is_prose(line: str) -> None:
    patterns = (HEADING, ITEM, FENCE, BREAK, QUOTE)
    assert may_open(line) or not any(pattern.match(line) for pattern in patterns)


def test_what_a_terminal_obeys_is_not_read() -> None:
    data = b"- \x1b[31mred\x1b[0m gate\x00 is \x1b]0;title\x07shut\n"
    (entry,) = parse(data, label="2026-04-06", day=DAY).entries
    assert entry.text == "red gate is shut"
    assert render(parse(data, label="2026-04-06", day=DAY)) == data
