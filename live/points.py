"""What is checked with each client: one function a point, which raises `Failed` or `Skipped`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Any

from lithify.memory import Memory
from live.clients.base import Client, Failed, Skipped
from live.script import DONE, QUIET
from live.workspace import LITHIFY, Workspace, returned, shown

Point = Callable[[Client], None]

#: One line that is long enough to close a gate. It is no pasted block, which would count for less.
LONG = " ".join(
    f"Please look after the {thing} next, in the order in which they are kept, say in plain words "
    "what is missing there and why it matters to those who use them every day, and change nothing "
    "that is not asked for here."
    for thing in (
        *("herons", "lanterns", "ledgers", "orchards", "harbours", "bridges", "kettles", "gardens"),
        *("ladders", "mirrors", "barrels", "candles", "fences", "meadows", "anchors", "windows"),
    )
)
CLOSED = "The gate is closed"
#: Stands in every summary that the scripted model hands in.
SUMMARISED = "set out the work step by step"
_WISDOM = """# Agent - Wisdom

Distilled principles. Read this first every session (after SOUL.md).

Last compacted: 2026-05-01

---

**Heron builds**
The heron build runs before every release, because it finds what the tests do not.
"""
#: Lengthens the record of the one job there is, as another prompt would.
_CLOSE = """job=$(ls -d .lithify/gate/*/interactions.jsonl | head -n 1)
job=${{job%/*}}
{lithify} gate record --job "${{job##*/}}" --root . '{text}'
"""


def start_context(client: Client) -> None:
    """What the root knows is in the model's first request."""
    _begin(client, gate=False)
    (client.workspace.project / "WISDOM.md").write_text(_WISDOM, "utf-8")
    ended = client.ask("Say something.\nSTEP say: something")
    _expect(_shown(client, "The heron build runs"), f"wisdom is in no request; {ended}")


def prompt_recorded(client: Client) -> None:
    """A prompt is recorded once, as the person's."""
    _begin(client, gate=False)
    prompt = "Please count the herons.\nSTEP shell: echo counted\nSTEP say: counted"
    client.ask(prompt)
    _only_prompts(client, prompt)


def gate_off(client: Client) -> None:
    """Without the gate nothing is denied, however long the record is."""
    _begin(client, gate=False)
    client.ask(f"{LONG}\nSTEP shell: touch first.txt\nSTEP say: done")
    client.ask(f"{LONG}\nSTEP shell: touch second.txt\nSTEP say: done", resume=True)
    _made(client, "first.txt", "second.txt")
    _expect(not _shown(client, CLOSED), "the model was told of a closed gate")


def denied(client: Client) -> None:
    """With the gate on and a long record a call is denied, and the model reads why."""
    _begin(client, gate=True)
    client.ask(f"{LONG}\nSTEP shell: touch denied.txt\nSTEP say: done")
    _not_made(client, "denied.txt")
    _expect(_denials(client) >= 1, "no tool result says that the gate is closed")


def parallel_denied(client: Client) -> None:
    """Two calls in one reply are both denied."""
    _begin(client, gate=True)
    client.ask(f"{LONG}\nSTEP parallel: touch one.txt ;; touch two.txt\nSTEP say: done")
    _not_made(client, "one.txt", "two.txt")
    _expect(_denials(client) == 2, f"{_denials(client)} of 2 tool results say it")


def subagent_denied(client: Client) -> None:
    """A subagent is denied, cannot submit, and the main session still can."""
    _begin(client, gate=True)
    close = client.workspace.project / "close-gate.sh"
    close.write_text(_CLOSE.format(lithify=LITHIFY, text=LONG), "utf-8")
    inner = "STEP shell: sh close-gate.sh ;; STEP shell: touch sub.txt ;; STEP submit ;; STEP say: ended"
    steps = (f"subagent: {inner}", "shell: touch main.txt", "submit", "shell: touch after.txt")
    client.ask("\n".join(["Please ask a helper.", *(f"STEP {s}" for s in steps), "STEP say: done"]))
    if not _returned(client, CLOSED):
        raise Failed(f"nothing was denied; the subagent saw: {_last_results(client)}")
    _not_made(client, "sub.txt")
    if client.same_events:
        raise Skipped("denied, but its events are the main session's, so its summary is taken")
    _not_made(client, "main.txt")
    _expect(
        _returned(client, "Only the main session can submit"), "the subagent was not told apart"
    )
    _accepted(client, 1)
    _made(client, "after.txt")


def command_escape(client: Client) -> None:
    """The command that the denial prints is let through and opens the gate."""
    _begin(client, gate=True)
    client.ask(_escape("submit"))
    _opened(client)


def mcp_escape(client: Client) -> None:
    """The MCP tool is let through and opens the gate."""
    _begin(client, gate=True)
    client.serve()
    client.ask(_escape("submit-mcp", seconds=5))
    _opened(client)


def guarded_escape(client: Client) -> None:
    """Under the client's default permissions or sandbox there is a way out too."""
    if not client.guarded_step:
        raise Skipped("nothing that init could allow: every command needs a person's approval")
    _begin(client, gate=True)
    client.serve()
    client.guarded = True
    client.ask(_escape(client.guarded_step, seconds=5))
    _not_made(client, "before.txt")
    _accepted(client, 1)


def resume(client: Client) -> None:
    """A session that is taken up again is given the job's summaries."""
    _begin(client, gate=True)
    client.ask(_escape("submit"))
    _opened(client)
    before = len(client.workspace.requests())
    ended = client.ask("Go on.\nSTEP say: going on", resume=True)
    later = client.workspace.requests()[before:]
    _expect(bool(later), f"the session was not resumed: {ended}")
    _expect(LONG in _everything(later[-1]), "the conversation was not taken up again")
    _expect(SUMMARISED in shown(later[-1]), "the summary is not in the resumed request")


def compaction(client: Client) -> None:
    """After the client compacted its conversation the job's summaries are read back."""
    _begin(client, gate=True)
    client.ask(_escape("submit"))
    _opened(client)
    client.compact()
    client.ask("Go on.\nSTEP say: going on", resume=True)
    last = client.workspace.requests()[-1]
    if QUIET not in _everything(last):
        raise Failed("no compaction was made")
    _expect(SUMMARISED in shown(last), "the summary is not in the request after the compaction")


def mcp_recall(client: Client) -> None:
    """The server's tools are listed, and recall answers in fences that the model sees."""
    _begin(client, gate=False)
    client.serve()
    client.workspace.lithify("log", "The heron build found a leak in the export of invoices.")
    steps = ("shell 5: true", 'mcp: recall {"query": "heron build leak"}', "say: done")
    ended = client.ask("\n".join(["Recall it.", *(f"STEP {step}" for step in steps)]))
    tools = {name for request in client.workspace.requests() for name in request["tools"]}
    _expect(any(name.endswith("recall") for name in tools), f"recall is not offered; {ended}")
    told = [text for text in _results(client) if "found a leak" in text]
    _expect(bool(told), f"recall gave: {_last_results(client)}")
    _expect(any("[[data" in text for text in told), f"no fence: {told[0][:200]}")


def agent_writes(client: Client) -> None:
    """The agent writes a week that is due, from a work order; where there is a command, by that."""
    _begin(client, gate=False)
    client.serve()
    day = client.workspace.project / "memory" / "2026-04-02.md"
    day.write_text(
        "# Notes\n\n- The heron build found a leak in the export of invoices.\n", "utf-8"
    )
    steps = ("shell 5: true", "mcp: next_page {}", "page", "mcp: next_page {}", "page", "say: done")
    first = client.compact_command or "Please write the pages of memory that are due."
    client.ask("\n".join([first, *(f"STEP {step}" for step in steps)]))
    page = client.workspace.project / "memory" / "weekly" / "2026-W14.md"
    _expect(page.exists(), f"no page: {_last_results(client)}")
    _expect("engine: agent:" in page.read_text("utf-8"), "another engine wrote the page")


def remembered(client: Client) -> None:
    """What the person says to remember is known in the next session."""
    _begin(client, gate=False)
    client.ask("Remember that we deploy on Tuesdays only.\nSTEP say: noted")
    before = len(client.workspace.requests())
    client.ask("Something else.\nSTEP say: fine")
    later = client.workspace.requests()[before:]
    told = "".join(_everything(request) for request in later)
    _expect("label=memories" in told, "the next session is told of no memory")
    _expect("we deploy on Tuesdays only" in told, "the next session is not told of it")


def compact_by_client(client: Client) -> None:
    """`compact --model cli:NAME` writes the week and leaves the live job alone."""
    if not client.model:
        raise Skipped("there is no such model")
    _begin(client, gate=True, user=True)
    client.ask("Please count the herons.\nSTEP say: counted")
    before = client.workspace.interactions()
    _expect(bool(before), "the hooks in the person's settings do not run")
    days = client.workspace.project / "memory"
    days.mkdir(exist_ok=True)
    text = "# Log\n\n- Fixed the export of invoices for the herons.\n- Decided to ship on Friday.\n"
    (days / "2026-01-06.md").write_text(text, "utf-8")
    ended = client.workspace.lithify("compact", "week", "--model", client.model)
    _expect(ended.code == 0, f"compact: {ended}")
    page = days / "weekly" / "2026-W02.md"
    _expect(page.exists() and client.model in page.read_text("utf-8"), f"no page: {ended}")
    after = client.workspace.interactions()
    _expect(after == before, f"{len(after) - len(before)} interactions more in the live job")


def session_end(client: Client) -> None:
    """A session leaves what was asked and what came of it, and the next one is told."""
    _begin(client, gate=False)
    # The last answer is the model's own word, which the prompt does not hold.
    client.ask("Please tidy the heron notes.\nSTEP shell: true")
    origins = _origins(client.workspace)
    asked = [o for text, o in origins if "tidy the heron notes" in text]
    came = [o for text, o in origins if DONE in text]
    _expect(asked == ["user"], f"what was asked: {asked or 'no entry'}")
    _expect(came == ["agent"], f"what came of it: {came or 'no entry'}")
    client.ask("Something else.\nSTEP say: fine")
    last = client.workspace.requests()[-1]
    _expect(DONE in shown(last), "the next session is not told of it")


def injected_text(client: Client) -> None:
    """What the client puts into prompts (context, notifications) is not the person's."""
    _begin(client, gate=False)
    (client.workspace.project / "WISDOM.md").write_text(_WISDOM, "utf-8")
    steps = (*client.injects, "shell: sleep 2", "say: done")
    prompt = "\n".join(["Please look around.", *(f"STEP {step}" for step in steps)])
    client.ask(prompt)
    _only_prompts(client, prompt)


_RULE = "Ponds are drained at dusk only."
_TOUCH = "Please look.\nSTEP shell: touch other.txt\nSTEP shell: touch pond.txt\n"


def rule_before_call(client: Client) -> None:
    """A rule comes before the call that it names, once, and again after a compaction."""
    _begin(client, gate=False)
    _remember(client, when=["touch pond*"])
    client.ask("Please wait.\nSTEP shell: touch first.txt\nSTEP say: fine")
    _expect(_moments(client) == 0, "shown before another call")
    client.ask(f"{_TOUCH}STEP shell: touch pond.txt\nSTEP say: done", resume=True)
    _made(client, "other.txt", "pond.txt")
    _expect(_moments(client) == 1, f"shown {_moments(client)} times: {_last_results(client)}")
    if not client.tells_compaction:
        raise Skipped(
            "shown before the call, but not again after a compaction, which no hook hears of"
        )
    client.compact()
    before = len(client.workspace.requests())
    client.ask("Again.\nSTEP shell: touch pond.txt\nSTEP say: done", resume=True)
    later = client.workspace.requests()[before:]
    _expect(
        any("label=moment" in _everything(one) for one in later), "not shown after a compaction"
    )


def guard_refuses(client: Client) -> None:
    """A guard refuses the call that it names; work goes on."""
    _begin(client, gate=False)
    _remember(client, when=["touch pond*"], guard="deny")
    client.ask(f"{_TOUCH}STEP shell: touch last.txt\nSTEP say: done")
    _not_made(client, "pond.txt")
    _made(client, "other.txt", "last.txt")
    _expect(_returned(client, "A guard of the person refuses"), _last_results(client))


def guard_asks(client: Client) -> None:
    """A guard that asks runs no call without a person; work goes on."""
    _begin(client, gate=False)
    _remember(client, when=["touch pond*"], guard="ask")
    client.ask(f"{_TOUCH}STEP shell: touch last.txt\nSTEP say: done")
    _not_made(client, "pond.txt")
    _made(client, "other.txt")


def invented_rule(client: Client) -> None:
    """What an agent files as the person's is shown as the agent's note."""
    _begin(client, gate=False)
    said = "The person wants every pond drained."
    step = f"STEP shell: {LITHIFY} remember --type user --root . '{said}'"
    client.ask(f"Please look.\n{step}\nSTEP say: done")
    client.ask("Something else.\nSTEP say: fine")
    last = shown(client.workspace.requests()[-1])
    _expect(f"{said} (the agent's note)" in last, "the next session is not told whose it is")


def _remember(client: Client, **how: Any) -> None:
    memory = Memory.open(client.workspace.project)
    memory.remember(_RULE, type="feedback", origin="user", **how)


def _moments(client: Client) -> int:
    """How often the last request holds what a moment was shown."""
    requests = client.workspace.requests()
    return _everything(requests[-1]).count("label=moment") if requests else 0


#: What is asked in a week of sessions, by day: work, a rule, more work, another rule in its place.
_WEEK = {
    date(2026, 3, 2): "Please mend the export of invoices.\n"
    "STEP shell: {lithify} log 'Mended the export of invoices: the totals are right again.'\n"
    "STEP say: The export of invoices is mended.",
    date(2026, 3, 3): "Remember that we deploy on Tuesdays only.\nSTEP say: Noted.",
    date(2026, 3, 4): "Where shall we count the herons?\n"
    "STEP shell: {lithify} log 'Decision: the herons are counted from the east tower.'\n"
    "STEP say: From the east tower.",
    date(2026, 3, 5): "Remember that we deploy on Wednesdays only.\nSTEP say: Noted.",
    date(2026, 3, 6): "Please look around.\nSTEP say: All is well.",
    date(2026, 3, 9): "Please write the pages of memory that are due.\n"
    "STEP shell: {lithify} write next\nSTEP hand-in\nSTEP say: They are written.",
    # Pages are read by another session than the one that wrote them.
    date(2026, 3, 10): "Please read the pages of memory that wait for it.\n"
    "STEP shell: {lithify} write next\nSTEP hand-in\nSTEP say: They are read.",
}


def week_of_sessions(client: Client) -> None:
    """From a fresh folder through a week: what each day's session starts with, and the week's page.

    What every session was told at its start is kept in `runs/starts-CLIENT.txt`.
    """
    if not client.asked_to_write:
        raise Skipped("it is not asked at the start of a session to write pages")
    _begin(client, gate=False)
    starts: dict[date, str] = {}
    for day, prompt in _WEEK.items():
        client.workspace.set_clock(datetime.combine(day, time(9)))
        before = len(client.workspace.requests())
        ended = client.ask(prompt.format(lithify=client.workspace.command))
        requests = client.workspace.requests()[before:]
        _expect(bool(requests), f"no session on {day}: {ended}")
        starts[day] = max(map(_told_at_start, requests), key=len)
    log = client.workspace.folder.parent.parent / f"starts-{client.name}.txt"
    log.write_text("".join(f"== {day}\n\n{text}\n\n" for day, text in starts.items()), "utf-8")
    first, _, rule, _, replaced, due, after = starts.values()
    _expect("Tuesdays" not in first, f"at the first start: {first}")
    _expect("Tuesdays only" in rule, f"the rule is not told the day after: {rule}")
    _expect("Wednesdays only" in replaced, f"the newer rule is not told: {replaced}")
    _expect("Tuesdays only" not in replaced, f"the rule it replaced is told beside it: {replaced}")
    _expect("2026-W10" in due, f"the week that is over is not asked for: {due}")
    page = client.workspace.project / "memory" / "weekly" / "2026-W10.md"
    _expect(page.exists(), f"no page: {_last_results(client)}")
    text = page.read_text("utf-8")
    _expect("engine: agent:" in text and "east tower" in text, f"the page: {text}")
    _expect("east tower" in after, f"the next start does not tell the week: {after}")
    unread = client.workspace.run([client.workspace.command, "write", "next", "--as-reader"])
    _expect("Work order read" not in unread.out, "the page was not read")
    checked = client.workspace.run([client.workspace.command, "check"])
    _expect(checked.code == 0, f"check: {checked}")


def _told_at_start(request: Mapping[str, Any]) -> str:
    """What a request holds of the context that our hook gave at the start of its session."""
    told = re.search(
        r"What earlier sessions left.*(?:\[\[end \w+\]\]|Asked once a day\.)", shown(request), re.S
    )
    return told[0] if told else ""


def doctor(client: Client) -> None:
    """`doctor` says ok where the hooks run, and not where the client does not trust them."""
    client.prepare()
    client.add_hooks(gate=False, tee=False)
    prompt = "Please count the herons.\nSTEP say: counted"
    if client.needs_trust:
        code = client.workspace.lithify("doctor").code
        client.ask(prompt)
        _expect(not client.workspace.interactions(), "untrusted hooks ran")
        _expect(code != 0, "ok for hooks that the client does not trust and did not run")
        client.trust()
    ended = client.workspace.lithify("doctor")
    client.ask(prompt)
    _expect(bool(client.workspace.interactions()), "trusted hooks did not run")
    _expect(ended.code == 0, f"not ok for hooks that ran: {ended.out[-300:]}")


def removal(client: Client) -> None:
    """`--remove` leaves the settings as they were, byte for byte."""
    client.prepare()
    settings = client.settings()
    if own := client.own_settings():
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_bytes(own)
    client.workspace.lithify("init", ".")
    before = _files(client.workspace)
    client.add_hooks(gate=False, tee=False)
    _expect(b"lithify" in settings.read_bytes(), "the hooks are not in the settings")
    client.remove_hooks()
    after = _files(client.workspace)
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    _expect(not changed, f"changed: {', '.join(changed)}")
    if client.workspace.home in settings.parents:
        # The client itself rewrites the person's settings: nothing of ours may be left there.
        left = settings.read_bytes() if settings.exists() else b""
        _expect(b"lithify" not in left, f"left behind: {left[:200]!r}")


POINTS: Mapping[str, Point] = {
    one.__name__: one
    for one in (
        *(start_context, prompt_recorded, gate_off, denied, parallel_denied, subagent_denied),
        *(
            command_escape,
            mcp_escape,
            guarded_escape,
            resume,
            compaction,
            mcp_recall,
            compact_by_client,
            agent_writes,
            remembered,
        ),
        *(rule_before_call, guard_refuses, guard_asks, invented_rule),
        *(session_end, injected_text, week_of_sessions, doctor, removal),
    )
}


def _begin(client: Client, *, gate: bool, user: bool = False) -> None:
    client.prepare()
    client.add_hooks(gate=gate, user=user)
    client.trust()


def _escape(way: str, seconds: int = 0) -> str:
    """Clients do not wait for a server that is slow to start: `seconds` give it time."""
    steps = (f"shell {seconds}: touch before.txt", way, "shell: touch after.txt", "say: done")
    return "\n".join([LONG, *(f"STEP {step}" for step in steps)])


def _opened(client: Client) -> None:
    _not_made(client, "before.txt")
    _accepted(client, 1)
    _made(client, "after.txt")


def _accepted(client: Client, number: int) -> None:
    found = len(client.workspace.summaries())
    _expect(found == number, f"{found} summaries accepted: {_last_results(client)}")


def _expect(holds: bool, seen: str) -> None:
    if not holds:
        raise Failed(seen)


def _made(client: Client, *names: str) -> None:
    missing = [name for name in names if not (client.workspace.project / name).exists()]
    _expect(not missing, f"the call for {', '.join(missing)} did not run: {_last_results(client)}")


def _not_made(client: Client, *names: str) -> None:
    there = [name for name in names if (client.workspace.project / name).exists()]
    _expect(not there, f"the call for {', '.join(there)} ran")


def _everything(request: Mapping[str, object]) -> str:
    return json.dumps(request["body"], ensure_ascii=False)


def _shown(client: Client, words: str) -> bool:
    return any(words in shown(request) for request in client.workspace.requests())


def _returned(client: Client, words: str) -> bool:
    return any(words in text for text in _results(client))


def _results(client: Client) -> list[str]:
    return [text for request in client.workspace.requests() for text in returned(request)]


def _last_results(client: Client) -> str:
    found = _results(client)
    return " ".join(found[-1].split())[:240] if found else "no tool result"


def _denials(client: Client) -> int:
    """How many tool results of the last request say that the gate is closed."""
    requests = client.workspace.requests()
    return sum(CLOSED in text for text in returned(requests[-1])) if requests else 0


def _only_prompts(client: Client, *prompts: str) -> None:
    found = client.workspace.interactions()
    told = [one["text"].strip() for one in found]
    seen = [" ".join(text.split())[:120] for text in told]
    _expect(told == list(prompts), f"recorded: {seen}")
    origins = {one.get("origin", "user") for one in found}
    _expect(origins == {"user"}, f"origins: {sorted(origins)}")


def _origins(workspace: Workspace) -> list[tuple[str, str]]:
    """Every entry that the program wrote into the days, with its origin."""
    journal = workspace.project / ".lithify" / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines() if journal.exists() else []
    found = []
    for line in map(json.loads, lines):
        if line["kind"] == "capture":
            put = line["append"]
            data = (workspace.project / put["path"]).read_bytes()[put["offset"] :]
            found.append((data[: put["length"]].decode(), line["origin"]))
    return found


def _files(workspace: Workspace) -> dict[str, bytes]:
    """The files of the project, but for git's and the memory's own."""
    ours = {".git", ".lithify", "memory", "lithify.toml"}
    return {
        str(path.relative_to(workspace.project)): path.read_bytes()
        for path in sorted(workspace.project.rglob("*"))
        if path.is_file() and path.relative_to(workspace.project).parts[0] not in ours
    }
