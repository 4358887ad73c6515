"""The largest inputs that are read. docs/formats.md lists them with what happens beyond."""

from __future__ import annotations

#: Bytes of one file of a root; a larger one is named by `status` and not read.
FILE = 128 << 20
#: Characters of one entry that writers, index and verifier read; the day keeps it whole.
ENTRY = 200_000
#: Bytes of standard input that a command takes.
PIPED = 16 << 20
#: Bytes of the JSON that an agent client sends to a hook.
HOOK_EVENT = 16 << 20
#: Characters of a model's reply; what comes after is not kept, and the reply is refused.
MODEL_REPLY = 400_000
#: Characters of a page or summary that an agent hands in.
AGENT_REPLY = 100_000
#: Bytes of front matter, and how deep its values may be nested.
FRONT_MATTER = 64 << 10
FRONT_MATTER_DEPTH = 6
#: Patterns in `days.patterns`, characters of one, and its `**`.
PATTERNS = 100
PATTERN = 500
PATTERN_FOLDERS = 4
