"""Which lines are other people's words: quotes, fenced blocks and forwarded mail.

Told by form alone: `>` before a line, a fence, the header of a mail (`From:` with `Sent:`,
`Date:`, `To:` or `Subject:` right below it) or the line that mail programs put above one. A
conversation without any of these is not recognised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_QUOTE = re.compile(r"\s*>")
_FENCE = re.compile(r"\s*(?:[-*+]\s+(?:\d\d:\d\d\s+)?)?(`{3,}|~{3,})")
_LEAD = r"\s*(?:[-*+]\s+)?(?:\d\d:\d\d\s+)?[*_]{0,2}"
_FROM = re.compile(rf"{_LEAD}(?:From|Von|De)[*_]{{0,2}}:", re.IGNORECASE)
_HEADER = re.compile(
    r"\s*[*_]{0,2}(?:Sent|Date|To|Cc|Subject|Reply-To|Gesendet|Datum|An|Betreff|Envoyé|Objet|À)"
    r"[*_]{0,2}:",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    rf"{_LEAD}(?:-{{2,}}\s*(?:original message|forwarded message|ursprüngliche nachricht|"
    r"weitergeleitete nachricht)\s*-{2,}|begin forwarded message:)",
    re.IGNORECASE,
)
#: How far below its first line the header of a mail may go on.
_NEAR = 4


def begins_mail(lines: Sequence[str]) -> bool:
    """Whether a mail of somebody begins with the first of these lines."""
    if not lines:
        return False
    return bool(_FORWARDED.match(lines[0])) or bool(
        _FROM.match(lines[0]) and any(map(_HEADER.match, lines[1 : 1 + _NEAR]))
    )


def quoted_lines(lines: Sequence[str]) -> list[bool]:
    """For each line of an entry, whether it is somebody else's."""
    found: list[bool] = []
    fence, mail = "", False
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        mail = mail or begins_mail(lines[number : number + 1 + _NEAR])
        found.append(bool(mail or fence or mark or _QUOTE.match(line)))
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
    return found
