"""Whose words are written by an agent in another program, and how its messages and notes are kept.

An agent that was shown untrusted text no longer speaks for itself: what it writes from then on has the
origin of that text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lithify.memory import Memory
from lithify.store import journal
from lithify.store.tree import layout_of
from lithify.text.sentences import first_sentences
from lithify.trust import is_trusted

#: The most characters of a message that go into the day: what was asked, and what was answered.
_ASKED, _ANSWERED = 2000, 600


class Speaker:
    """Whose words an agent's are: its own, until it was shown something untrusted.

    `origin` is that of what the agent writes, `session` its session where hooks record one.
    """

    def __init__(self, memory: Memory, *, origin: str = "agent", session: str = "") -> None:
        self.memory = memory
        self._origin, self._session = origin, session
        #: The ids of messages that were logged; None until the first of this conversation.
        self._logged: set[str] | None = None

    def shown(self, *origins: str) -> None:
        """Note the origins of what the agent was shown."""
        for origin in origins:
            if not is_trusted(origin) and origin != "lithify":
                self._origin = origin

    @property
    def origin(self) -> str:
        """The origin of what the agent says now."""
        if self._origin != "agent":
            return self._origin
        return self.memory.caller_origin({}, self._session)

    def log_message(self, text: str, by_person: bool, id: str = "") -> None:
        """Log what a person asked or the agent answered; of a long text its first sentences.

        A message with an id is logged once, however often it is handed over.
        """
        if self._logged is None:
            told = journal.holding(self.memory.root, "imported")
            self._logged = {key for facts in told for key in facts["imported"]}
        said, keys = " ".join(text.split()), [f"message:{id}"] if id else []
        if not said or (keys and keys[0] in self._logged):
            return
        entry = first_sentences(self.memory.redacted(said), _ASKED if by_person else _ANSWERED)
        now, origin = self.memory.now(), "user" if by_person else self.origin
        self.memory.append_entries(now.date(), [(f"{now:%H:%M}", entry)], origin, keys)
        self._logged.update(keys)


def notes_folder(memory: Memory) -> str:
    """Return the folder of what agents note."""
    return layout_of(memory.root, memory.settings.folders).path("notes")


def journaled(memory: Memory, fact: str) -> dict[str, Any]:
    """Return a fact of each note by its path, as its last change was journaled: `notes` is the origin."""
    known: dict[str, Any] = {}
    for facts in journal.holding(memory.root, fact):
        known.update(facts[fact])
    return known


def redacted(memory: Memory, value: Any, name: str = "") -> Any:
    """Replace the credentials in a value of JSON, each text seen beside its name."""
    if isinstance(value, str):
        return memory.redacted(f"{name}: {value}").removeprefix(f"{name}: ")
    if isinstance(value, Mapping):
        return {key: redacted(memory, inner, key) for key, inner in value.items()}
    return [redacted(memory, one, name) for one in value] if isinstance(value, list) else value


def joined(parts: Iterable[object]) -> str:
    """Join the text of a message's content, whatever blocks it is made of."""
    texts = (one if isinstance(one, str) else _text_of(one) for one in parts)
    return "\n".join(text for text in texts if text)


def _text_of(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) else getattr(part, "text", "")
    return text if isinstance(text, str) else ""
