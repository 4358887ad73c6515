"""How a relative date reads once it is absolute."""

from __future__ import annotations

import re
from datetime import date

from lithify.text.dates.hit import PARTS, Hit, word_before, word_set

_PREPOSITIONS = word_set(
    "on in by until till since of from to for before after at during through over than between and"
    " or as vs versus around about with against like within past into onto towards toward throughout the all"
)

#: After a verb these are part of it where a day follows: "came in yesterday", "is over today".
_PARTICLES = frozenset(("in", "over"))

#: How a day limits something: "till at least tomorrow" needs no other preposition.
_LIMITED = re.compile(r"\b(?:until|till|by|before|for|from) at (?:least|most)\s+\Z", re.IGNORECASE)

#: A day before "and" or "or", which the one after it shares its preposition with.
_PAIRED = re.compile(
    r"(?:\b(?:to(?:day|night|morrow)|yesterday|ago|night|morning|afternoon|evening|weekend|week|month|quarter"
    r"|year)|day|\d)\s+(?:and|or)\s+\Z",
    re.IGNORECASE,
)

#: What a day follows that is what its clause speaks of: "and last month was hard".
_BEGINS = frozenset(("", "and", "but", "so", "that", "because", "as", "if", "or", "then"))

#: A day that somebody takes: "takes tomorrow off".
_TAKEN = word_set("take takes took taking taken")
_OFF = re.compile(r"\s+(?:off|free|and|or|as well)\b", re.IGNORECASE)

#: What is something: "that makes Monday the last day".
_MADE = word_set("make makes made making call calls called")

_VAGUE = word_set("about around roughly approximately nearly almost")

_OWNER = re.compile(
    r"['’]s\s+(?!(?:an?|the|been|going|not|my|our|your|when|where|why|how|all|off|on|out|over|fine|too|just"
    r"|only|still|also|already)\b)\w"
)

#: What follows a date that owns something nobody names again: "it wrote tonight's before the move".
_OWNED_UNNAMED = re.compile(
    r"['’]s\s+(?:before|after|with|than|as|and|or|but|by|at|in|for|from|to|is|was|are|were|will|has|had|came|did)\b",
    re.IGNORECASE,
)

_SUBJECT = re.compile(
    r"['’]s\b|\s+(?:is|was|are|were|has|had|will|would|looks?|seems?|went|saw|marks?|marked|brings"
    r"|brought|feels|felt|works|worked|turned|became|proved)\b"
)

#: Before a count or a rank a date owns: "the 2025 three weekends" is no English.
_RANKED = re.compile(
    r"['’]s\s+(?:own\s+)?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first"
    r"|second|third|fourth|last|next|only|many|few|other|best|worst|most|least|\w{2,}est)\b)",
    re.IGNORECASE,
)

#: What follows "from today" where it already says how far.
_REACHES = re.compile(
    r"\s*(?:[-–—/]|['’]s\b|(?:\d{1,2}:\d\d\s+)?(?:to|until|till|through)\b"
    r"|(?:on(?:wards?)?|forwards?|and|or|for)\b)",
    re.IGNORECASE,
)

#: "The notes from today" were written today; "the owner from today" is it from then on.
_MADE_ON = re.compile(
    r"\b(?:e-?mails?|mails?|messages?|notes?|photos?|pictures?|meetings?|calls?|reports?|figures|numbers"
    r"|data|results?|transcripts?|records?|recordings?|entry|entries|commits?|builds?|exports?|dumps?"
    r"|backups?|errors?|lists?|summary|readings?|orders?|news|logs?|those|ones?|apart|away|aside"
    r"|far|different|back)\s+from\s+\Z",
    re.IGNORECASE,
)

_COUNTED = re.compile(
    r"\b(?:due|deadline|expir\w+|launch\w*|starts?|begins?|ends?|opens?|closes?|scheduled|happens?"
    r"|arriv\w+)\b[^.!?;]*\s(?:minute|hour|day|week|month|year)s?\s+from\s+\Z",
    re.IGNORECASE,
)

_STOP = re.compile(r"\s*(?:\Z|[.;:!?)\]|—–\n])")


def reworded(text: str, hit: Hit, anchor: date) -> tuple[int, str]:
    """Where the old words end, and the new ones, with the preposition the place needs."""
    name, preposition = _name(hit, anchor)
    before, after, end = word_before(text, hit.start), text[hit.end : hit.end + 16], hit.end
    near = text[max(0, hit.start - 20) : hit.start].rstrip(" \t*_>#•")
    left = near.rstrip(" \t*_>#-•")
    limited = _LIMITED.search(text, max(0, hit.start - 20), hit.start) is not None
    joined = (
        limited
        or before in _MADE
        or near[-1:] == "/"
        or text[hit.start - 1 : hit.start] in tuple("–—-(")
        or (before in _PREPOSITIONS and not _is_apart(text, hit, before, preposition))
    )
    alone = (not left or left[-1] in ".!?:;,\n([|—–" or near[-2:] == " -") and _STOP.match(after)
    if left[-1:] == ":" and after[:1] == ",":
        joined = True  # "in two steps: Tuesday, then again a week later"
    if left[-1:] == "," and hit.form == "year":
        alone = None  # "not urgent, this year"
    if _OWNED_UNNAMED.match(after) and not hit.form.endswith(("before", "after")):
        name, preposition, end = f"that of {name.removeprefix('around ')}", "", end + 2
    elif _OWNER.match(after) and not hit.form.endswith(("before", "after")):
        if hit.form == "year" or _RANKED.match(after):
            name, preposition = _owner(hit, anchor), ""
        else:
            name, preposition, end = _label(hit, anchor), "", end + 2
    elif before == "mid" and hit.form in ("week", "month", "year"):
        name, preposition = _owner(hit, anchor), ""
    elif (
        (before in _TAKEN and hit.form == "day" and _OFF.match(after))
        or joined
        or alone
        or (before in _BEGINS and _SUBJECT.match(after))
    ):
        preposition = ""
    words = f"{preposition} {name}" if preposition else name
    if before == "from" and _lasts(text, hit):
        words += " on"
    if before in _VAGUE:
        words = words.removeprefix("around ")
    if before == "the":
        words = words.removeprefix("the ")
    if text[hit.start : hit.start + 2].istitle() and (not left or left[-1] in ".!?:\n|"):
        words = words[0].upper() + words[1:]
    return end, words


def _is_apart(text: str, hit: Hit, before: str, preposition: str) -> bool:
    """Whether the word before a date is not the one it hangs on."""
    if before in _PARTICLES:
        return preposition == "on"
    return before in ("and", "or") and not _PAIRED.search(text, max(0, hit.start - 30), hit.start)


def _lasts(text: str, hit: Hit) -> bool:
    """Whether "from today" says since when something holds, and not when it was made."""
    if text[hit.start : hit.end].lower() != "today" or _REACHES.match(text, hit.end):
        return False
    left = text[max(0, hit.start - 120) : hit.start]
    # "The launch is 10 days from today" counts from it; without a word more both readings stay.
    return not (_MADE_ON.search(left) or _COUNTED.search(left))


def _name(hit: Hit, anchor: date) -> tuple[str, str]:
    """The absolute name of a date, and the preposition it takes in a sentence."""
    manner, _, unit = hit.form.rpartition(" ")
    day = hit.first.isoformat()
    names = {
        "day": (day, "on"),
        "week": (f"the week of {day}", "in"),
        "weekend": (f"the weekend of {day}", "over"),
        "month": (day[:7], "in"),
        "quarter": (f"Q{(hit.first.month + 2) // 3} {day[:4]}", "in"),
        "year": (day[:4], "in"),
    }
    if unit in ("before", "after"):
        return f"{hit.form} {anchor.isoformat()}", ""
    name, preposition = names.get(unit) or (f"the {unit} of {day}", "on")
    if manner == "about":
        return f"around {name}", ""
    return (f"the end of {name}", "by") if manner == "end" else (name, preposition)


def _owner(hit: Hit, anchor: date) -> str:
    """A date that owns what follows: "last year's three" is "2025's three"."""
    if hit.form == "week":
        year, week, _ = hit.first.isocalendar()
        return f"{year}-W{week:02}"
    if hit.form in ("weekend", *PARTS.split("|")):
        return _label(hit, anchor)
    return _name(hit, anchor)[0].removeprefix("around ")


def _label(hit: Hit, anchor: date) -> str:
    """A date that stands before a noun: "this week's plan" is "the 2026-W14 plan"."""
    if hit.form == "week":
        year, week, _ = hit.first.isocalendar()
        return f"the {year}-W{week:02}"
    if hit.form in ("weekend", *PARTS.split("|")):
        return f"the {hit.first} {hit.form}"
    return "the " + _name(hit, anchor)[0].removeprefix("around ").removeprefix("the ")
