"""Tells the person's words in a prompt from the text that a client puts there itself.

Clients send notices through the event of a prompt (a background task has ended, a timer has fired)
and put context before or behind what the person typed. A piece counts as the client's only where
it begins and ends as the client writes it, at the start or the end of the prompt. A tag that a
person quotes inside a sentence stays.
"""

from __future__ import annotations

from lithify.hooks.harness import Injected

#: What programs send that run a client as their agent, OpenClaw for example.
UNATTENDED = Injected(
    lines=(
        *("An async command you ran earlier has completed.", "Read HEARTBEAT.md if it exists"),
        *("System: [", "System (untrusted): ["),
    ),
    followers=("Current time: ",),
)


def persons_words(prompt: str, injected: Injected) -> tuple[str, tuple[str, ...]]:
    """The person's own text in a prompt, and the pieces that the client put there."""
    # Both ends move inwards over the one string, so the time is linear in its length.
    start, end = _stripped(prompt, 0, len(prompt))
    before: list[str] = []
    behind: list[str] = []
    while (stop := _leading(prompt, start, end, injected, bool(before))) > start:
        before.append(prompt[start:stop])
        start, end = _stripped(prompt, stop, end)
    while (begin := _trailing(prompt, start, end, injected.wrappers)) >= 0:
        behind.append(prompt[begin:end])
        start, end = _stripped(prompt, start, begin)
    if not before and not behind:
        start, end = 0, len(prompt)
    for name in injected.spoken:
        opening, closing = f"<{name}>", f"</{name}>"
        if prompt.startswith(opening, start, end) and prompt.endswith(closing, start, end):
            start, end = _stripped(prompt, start + len(opening), end - len(closing))
    return prompt[start:end], (*before, *reversed(behind))


def _leading(text: str, start: int, end: int, injected: Injected, follows: bool) -> int:
    """Where the piece that the text begins with ends; `start` if it begins with none."""
    if name := _element(text, start, end, injected.notices):
        last = text.rfind(f"</{name}>", start, end)
        # One that was cut to a size has lost its end.
        whole = end if text.startswith(f"<{name}>\n", start, end) else start
        return last + len(name) + 3 if last >= 0 else whole
    if name := _element(text, start, end, injected.wrappers):
        first = text.find(f"</{name}>", start, end)
        return first + len(name) + 3 if first >= 0 else start
    for note in injected.notes:
        if text.startswith(note, start, end):
            return start + len(note)
    for opening, last_line in injected.prefaces:
        if text.startswith(opening, start, end):
            found = text.find(f"\n{last_line}", start, end)
            return found + 1 + len(last_line) if found >= 0 else start
    lines = (*injected.lines, *UNATTENDED.lines)
    lines += (*injected.followers, *UNATTENDED.followers) if follows else ()
    if text.startswith(lines, start, end):
        newline = text.find("\n", start, end)
        return newline if newline >= 0 else end
    return start


def _trailing(text: str, start: int, end: int, wrappers: tuple[str, ...]) -> int:
    """Where the element begins that the text ends with; -1 if it ends with none."""
    for name in wrappers:
        if text.endswith(f"</{name}>", start, end):
            return text.rfind(f"\n<{name}", start, end)
    return -1


def _element(text: str, start: int, end: int, names: tuple[str, ...]) -> str:
    """The name of the element that the text begins with; empty if it is none of these."""
    for name in names:
        if text.startswith(f"<{name}", start, end):
            after = start + 1 + len(name)
            if "=" in name or (after < end and (text[after] == ">" or text[after].isspace())):
                return name.split(" ")[0]
    return ""


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
