"""What a ledger holds, put under the ids and digests that a scan for secrets left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lithify.values import TypedMemory


def remap(ledger: Any, ids: Mapping[str, str], digests: Mapping[str, str]) -> None:
    """Replace old ids and digests wherever the ledger names them."""

    def now(facts: Mapping[str, Any]) -> dict[str, Any]:
        return {key: digests.get(value, value) for key, value in facts.items()}

    def cited(sources: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(ids.get(source, source) for source in sources)

    def memories(known: tuple[TypedMemory, ...]) -> tuple[TypedMemory, ...]:
        return tuple(memory._replace(sources=cited(memory.sources)) for memory in known)

    for task, one in ledger.commits.items():
        ledger.commits[task] = one._replace(
            files=now(one.files), sources=now(one.sources), bodies=now(one.bodies)
        )
    for path, held in ledger.adopted.items():
        sha256 = digests.get(held.sha256, held.sha256)
        ledger.adopted[path] = held._replace(sha256=sha256, sources=now(held.sources))
    for path, (sha256, seq) in ledger.bases.items():
        ledger.bases[path] = (digests.get(sha256, sha256), seq)
    for found in (ledger.found, ledger.marked):
        found.update({week: memories(known) for week, known in found.items()})
    ledger.accepted = {id: memories((one,))[0] for id, one in ledger.accepted.items()}
    for id, proposal in ledger.proposals.items():
        if (entry := proposal.entry) is not None:
            entry = entry._replace(sources=cited(entry.sources))
            ledger.proposals[id] = proposal._replace(entry=entry)
