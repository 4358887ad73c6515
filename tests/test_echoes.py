"""What a harness or a program printed into a day is no sentence of a page."""

from __future__ import annotations

from itertools import product

import pytest

import golden
import roots
from lithify.engines.offline.read import is_printed, spoken
from lithify.judge import is_status

THINGS = ("crane", "ferry", "gauge", "buoy", "barge", "jetty", "winch", "siren")
PLACES = ("Ostend", "Calais", "Bergen", "Malmo", "Gdansk")
DID = ("painted", "sold", "measured", "insured")

DAY = """## Conversation
- **Session ID**: 5ca50dcb-7475-425a-9eb4-b018ff38e86e
- **Session Key**: agent:main:chat:channel:1466532593754312899

user: System: [2026-02-03 15:42:56 UTC] Exec completed (marine-c, code 0) :: Waited 30 seconds
System: [2026-02-03 15:43:47 UTC] Exec failed (crisp-oc, signal SIGTERM)
assistant: The importer reads the tariff of 2019 again.
user: [Chat Guild #general id:14665 +12s 2026-02-03 16:06 UTC] ana: retire the old importer
in June [message_id: 1467914186754625821]
assistant: [[reply_to_current]] Marek retires the importer on 12 June.
assistant: HEARTBEAT_OK

| Field | Status |
|-------|--------|
| **State** | OPEN |
| **Review of the tariff** | OPEN |

web:dev: TypeError: fetch failed web:dev: at ignored frames web:dev: [cause]: ECONNREFUSED
"""


def test_echoes_stand_nowhere_on_a_page_and_what_is_said_between_them_does(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = roots.make(tmp_path_factory.mktemp("echoes") / "root", {"2026-02-03": DAY})
    page = golden.compact(root).pages["memory/weekly/2026-W06.md"]
    for said in (
        *("reads the tariff of 2019 again", "ana: retire the old importer in June."),
        *(
            "assistant: Marek retires the importer on 12 June",
            "Review of the tariff - Status: OPEN",
        ),
    ):
        assert said in page
    for printed in (
        *("Session", "Exec", "SIGTERM", "message_id", "Chat Guild", "reply_to", "HEARTBEAT"),
        *("State - Status", "ECONNREFUSED"),
    ):
        assert printed not in page


@pytest.mark.parametrize(
    "text",
    [
        "Incident at 16:49: see `agent:main:chat`, then restart.",
        "Tracking number: 1Z999AA10123456784",
        "MAC address: aa:bb:cc:dd:ee:ff",
        "Config: /etc/caddy/sites/harbour.caddy",
        "[2026-02-24 16:49] Deployed the importer.",
        "Verdict: REJECT_ALL",
        "Depth limits: READ[5], WRITE[3]",
        "Tasks completed: 3",
        "Say `HEARTBEAT_OK` twice",
    ],
)
def test_what_people_write_is_no_echo(text: str) -> None:
    assert spoken(text) == [text]
    assert not is_printed(text)
    assert not is_status(text)


def test_a_day_of_nothing_but_echoes_has_a_page(tmp_path_factory: pytest.TempPathFactory) -> None:
    line = "System: [2026-02-03 15:43:47 UTC] Exec completed. Waited 30 seconds.\n"
    root = roots.make(tmp_path_factory.mktemp("echo") / "root", {"2026-02-03": line})
    assert "Exec completed" in golden.compact(root).pages["memory/weekly/2026-W06.md"]


def test_notes_come_before_what_was_said_in_a_chat(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    said = [
        f"The {thing} of {place} was {did} for invoice {n}."
        for n, (thing, place, did) in enumerate(product(THINGS, PLACES, DID), 100)
    ]
    chat = "\n\n".join(
        f"assistant: {one}" if n % 9 == 0 else one for n, one in enumerate(said[::2])
    )
    notes = "\n".join(f"- {one}" for one in said[1::2])
    day = f"## Conversation\n\n{chat}\n\n## Harbour\n\n{notes}\n"
    root = roots.make(tmp_path_factory.mktemp("chat") / "root", {"2026-02-03": day})
    page = golden.compact(root).pages["memory/weekly/2026-W06.md"]
    noted, chatted = (sum(one[:-1] in page for one in part) for part in (said[1::2], said[::2]))
    assert noted > 3 * chatted
