"""A sentence that may be worth keeping, with its entry and whose words it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lithify import cues
from lithify.engines.offline.lasting import pointers
from lithify.text.atoms import find_atoms
from lithify.values import Entry

#: Labels that name no one: every log has its user.
ROLES = frozenset(["user", "human", "agent", "assistant", "bot", "me", "system"])


#: A caller, a version or a path before a colon is nobody: `Reader 0.3: asks for …`
_OF_THING = re.compile(r"[^:\"]*[\d/][^:\"]*: ")

#: How or when somebody said it, after the name.
_HOW = re.compile(
    r",? (?:also|again|too|later|then|at once|in (?:the )?chat|by (?:e?-?mail|phone|text)|[a-z]+ly)$"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence worth a second look, with what stands around it."""

    entry: Entry
    label: str
    text: str
    quoted: bool = False

    @property
    def is_own(self) -> bool:
        """Whether the user speaks of their own likes or circumstances."""
        return self.entry.origin == "user" and cues.is_own(self.text)

    @property
    def speaker(self) -> str:
        """Who says it by the label before it; what names a section or the log's user is nobody."""
        label = _HOW.sub("", self.label)
        named = label.istitle() and not cues.announced(label) and not cues.is_plain_label(label)
        return label if named and label.lower() not in ROLES else ""

    @property
    def named(self) -> str:
        """The sentence under its label, whatever that is."""
        return f"{self.label}: {self.text}" if self.label else self.text

    @property
    def spoken(self) -> str:
        """The sentence with its speaker; a label that only names a section is left out."""
        if self.is_own:
            return f"User: {self.text}"
        if not self.label or cues.is_plain_label(self.label) or self.label.lower() in ROLES:
            return self.text
        return f"{self.label}: {self.text}"

    @property
    def person(self) -> str:
        """A name at the head of the sentence, or the speaker."""
        label = _HOW.sub("", self.label)
        if label and not cues.announced(label) and label.istitle():
            return label
        if _OF_THING.match(self.text):
            return ""
        for atom in find_atoms(self.text):
            if atom.kind == "name" and atom.start == 0:
                return atom.text
        return ""

    @property
    def points_to(self) -> str:
        """What has its place told in the sentence, by itself or under its label; or nothing."""
        found = pointers.thing_of(self.text)
        return found or (pointers.thing_of(self.named) if self.label else "")
