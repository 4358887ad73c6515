"""How many keys, tokens and named values the detector finds, and how many look-alikes it takes for one.

    python benchmarks/secret_detection.py [open|held_out|recent|fresh|later] [--show]
    python benchmarks/secret_detection.py --speed FOLDER

`benchmarks/secrets/` holds made-up secrets in the contexts people write them in, and harmless
texts that resemble them. They were written apart from the rules and split in halves by the hash of
a row: rules are written against the open half, and the other one is only counted, as are `fresh` and
`later`. What is told in a sentence, in a list of codes or words or under the head of a table has no form
that is looked for: those kinds (`TOLD`) are counted apart. A secret counts as found when nothing of it is
left in the text. `--show` prints what went wrong, except in the sets that are only counted. `--speed`
reads the Markdown files below a folder.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from lithify.secrets.redact import findings, redact

FOLDER = Path(__file__).parent / "secrets"
#: How the kinds begin that are told in words, or stand in lists and tables without a name beside them.
TOLD = (
    *(
        "prose",
        "chat",
        "password_",
        "passphrase",
        "seed_phrase",
        "seed-phrase",
        "phrase",
        "pin",
        "digits",
    ),
    *(
        "recovery-codes",
        "recovery_code",
        "table",
        "credit-card",
        "card_",
        "wifi_",
        "door_",
        "digicode",
    ),
    *(
        "alarm_",
        "safe_",
        "bank_",
        "ec_card",
        "sim",
        "voicemail",
        "otp_sms",
        "unusual_label",
        "security_",
    ),
    *("quotation_", "reset_password", "spelled_", "next_line", "csv_browser", "gmail_app", "odd"),
)


class Counted(NamedTuple):
    """Of each kind: the rows, and those that were found (or taken for a secret)."""

    rows: Counter[str]
    hits: Counter[str]
    wrong: list[dict[str, Any]]

    @property
    def rate(self) -> float:
        return self.hits.total() / (self.rows.total() or 1)


def rows(name: str, half: str) -> list[dict[str, Any]]:
    """The rows of `secrets` or `lookalikes` in a half."""
    place = FOLDER / f"{name}.{half}.jsonl"
    text = place.read_text(encoding="utf-8") if place.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def is_found(row: dict[str, Any]) -> bool:
    """Whether no secret of a row is left."""
    left = redact(row["text"])
    return not any(secret in left for secret in row["secrets"])


def found(half: str, *, told: bool = False) -> Counted:
    """The true secrets that have a form, or those that are `told`, and which were found."""
    every = [row for row in rows("secrets", half) if row["kind"].startswith(TOLD) is told]
    wrong = [row for row in every if not is_found(row)]
    kinds = Counter(row["kind"] for row in every)
    return Counted(kinds, kinds - Counter(row["kind"] for row in wrong), wrong)


def false_alarms(half: str) -> Counted:
    """The look-alikes, and which were taken for a secret."""
    every = rows("lookalikes", half)
    wrong = [row for row in every if findings(row["text"])]
    return Counted(
        Counter(row["kind"] for row in every), Counter(row["kind"] for row in wrong), wrong
    )


def speed(folder: str) -> None:
    """Print how fast the files of a folder are read."""
    files = sorted(Path(folder).rglob("*.md"))
    texts = [file.read_text("utf-8", "replace") for file in files]
    size = sum(len(text.encode()) for text in texts) / 1e6
    begun = time.process_time()
    found = sum(len(findings(text)) for text in texts)
    rate = size / (time.process_time() - begun)
    print(f"{rate:.2f} MB a second of {size:.1f} MB, {found} findings")


def main(argv: list[str]) -> None:
    if "--speed" in argv:
        speed(argv[argv.index("--speed") + 1])
        return
    half = argv[0] if argv and not argv[0].startswith("-") else "open"
    secrets, alarms = found(half), false_alarms(half)
    print(f"{half}: found {secrets.rate:.3f} of {secrets.rows.total()} secrets in")
    print(f"  {len(secrets.rows)} kinds; false alarms {alarms.rate:.4f} of {alarms.rows.total()}")
    apart = found(half, told=True)
    print(f"  told in words, apart: {apart.rate:.3f} of {apart.rows.total()}")
    print("missed, by kind:")
    for kind in sorted(secrets.rows):
        if missed := secrets.rows[kind] - secrets.hits[kind]:
            print(f"  {kind}: {missed} of {secrets.rows[kind]}")
    print("false alarms, by kind:")
    for kind, number in sorted(alarms.hits.items()):
        print(f"  {kind}: {number} of {alarms.rows[kind]}")
    if "--show" in argv and half in ("open", "recent"):
        for row in secrets.wrong:
            print("MISSED", row["kind"], json.dumps(row, ensure_ascii=False)[:700])
        for row in alarms.wrong:
            print("ALARM", row["kind"], redact(row["text"])[:500], "<<<", row["text"][:500])


if __name__ == "__main__":
    main(sys.argv[1:])
