"""Requests: changes of memories, and entries to forget, that an agent asked for and only a person may make.

A request is a line of the journal. It waits as long as every memory that it concerns stands as it did
when it was made; otherwise it has lapsed. To accept one is to make the change: the record of the change
ends the request, so that no crash can leave one without the other. An entry that the agent asks to have
forgotten is shown to nobody until a person has decided, unless it is what the person asked to keep.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lithify.compact.in_force import InForce, Remembered
from lithify.compact.ledger import Correction, Ground, Ledger, Request
from lithify.compact.standing import words_key
from lithify.errors import UnknownReference, UsageError
from lithify.trust import outcome
from lithify.values import label_of

# `status` lists requests, and loads nothing that writes.
if TYPE_CHECKING:
    from lithify.compact.workspace import Workspace

#: What concerns two statements; the others concern all that a memory's file states.
PAIRS = ("supersede", "keep_both")


class Waiting(NamedTuple):
    """A request that waits for a person, with the memories that it concerns as they stand."""

    request: Request
    about: tuple[Remembered, ...]

    @property
    def refs(self) -> list[str]:
        """The memories as a command names them: by their words, of a file that may state more."""
        return [one.text if self.request.action in PAIRS else one.id for one in self.about]

    def in_words(self) -> str:
        """Say what is asked for in one sentence."""
        said = [f"“{one.text}”" for one in self.about]
        match self.request.action:
            case "edit":
                return f"edit {said[0]} to “{self.request.statement}”"
            case "supersede":
                return f"put {said[1]} in the place of {said[0]}"
            case "keep_both":
                return f"keep both {said[0]} and {said[1]}"
        return f"{self.request.action} {said[0]}"


def waiting_requests(ledger: Ledger, held: InForce) -> tuple[Waiting, ...]:
    """Return the requests that wait, oldest first; those whose ground has changed have lapsed."""
    asked = [one for one in ledger.requests.values() if not one.declined]
    if not asked:
        return ()
    now = {words: one for one in (*held.gone(), *held.remembered()) for words in _words(one)}
    alone = {words_key(text): text for one in now.values() for text in one.text.split("\n\n")}
    found = []
    entries = held.entries([one.entry for one in asked])
    for request in asked:
        if request.action == "forget":
            if one := entries.get(request.entry):
                said = (one.text, (one.id,), label_of(one.id))
                found.append(Waiting(request, (Remembered(one.id, "marked", "project", *said),)))
            continue
        about = [now.get(ground.words[0]) for ground in request.about]
        if request.action in PAIRS:
            words = [ground.words[0] for ground in request.about]
            about = [
                one and one._replace(text=alone[w]) for one, w in zip(about, words, strict=True)
            ]
        stand = [
            one and _ground(one, request.action) == ground
            for one, ground in zip(about, request.about, strict=True)
        ]
        if all(stand):
            found.append(Waiting(request, tuple(one for one in about if one)))
    return tuple(found)


def ask_for(
    workspace: Workspace,
    action: Correction,
    refs: Sequence[str],
    *,
    statement: str,
    reason: str,
    origin: str,
) -> Request:
    """Note what an agent asks a person to change; one that waits already is returned as it is."""
    from lithify.compact.review import any_memory, find, find_gone

    snapshot, ask = workspace.snapshot, workspace.ask
    look = {"drop": find, "edit": find, "restore": find_gone}.get(action, any_memory)
    chosen = [look(snapshot, ref, ask) for ref in refs]
    for ref, one in zip(refs, chosen, strict=True):
        if one.status == "held":
            raise UnknownReference(ref=ref, hint="It waits for a person already (lithify review).")
    about = [_ground(one, action) for one in chosen]
    if len(set(about)) < len(about):
        raise UsageError(reason=f"{refs[0]} and {refs[1]} are one memory; name two")
    told = json.dumps([action, about, words_key(statement)])
    id = hashlib.blake2b(told.encode(), digest_size=4).hexdigest()
    if (known := snapshot.ledger.requests.get(id)) and known.declined:
        raise UsageError(reason=f"a person declined this on {known.declined}")
    if known is None:
        grounds = [ground._asdict() for ground in about]
        facts = {"id": id, "action": action, "about": grounds, "origin": origin}
        more = {"statement": statement, "reason": reason}
        workspace.note("request", facts | {name: said for name, said in more.items() if said})
    return snapshot.ledger.requests[id]


def ask_to_forget(
    workspace: Workspace, id: str, held: InForce, *, reason: str, origin: str
) -> Request:
    """Note that an agent asks a person to forget an entry, which is hidden where the agent may do that."""
    snapshot = workspace.snapshot
    if id not in snapshot.lookup([id]):
        raise UnknownReference(ref=id, hint="`lithify recall` shows the ids of entries.")
    known = next((one for one in snapshot.ledger.requests.values() if one.entry == id), None)
    if known and known.declined:
        raise UsageError(reason=f"a person declined this on {known.declined}")
    hides = outcome("forget", origin) == "hidden" and not held.is_of_a_person(id)
    if known is None or (hides and id not in snapshot.ledger.captures.hidden):
        number = hashlib.blake2b(id.encode(), digest_size=4).hexdigest()
        facts = {"id": number, "action": "forget", "about": [], "entry": id, "origin": origin}
        more = {"reason": reason, "hidden": {id: True} if hides else {}}
        workspace.note("request", facts | {name: said for name, said in more.items() if said})
    return next(one for one in snapshot.ledger.requests.values() if one.entry == id)


def waiting_request(workspace: Workspace, id: str, held: InForce) -> Waiting:
    """Return one request that waits."""
    for one in waiting_requests(workspace.snapshot.ledger, held):
        if one.request.id == id:
            return one
    hint = "`lithify review` lists those that wait; what one rests on may have changed."
    raise UnknownReference(ref=id, hint=hint)


def decline(workspace: Workspace, request: Request, time: str) -> None:
    """Note that a person declines a request; the same is not asked again."""
    words = sorted({words for ground in request.about for words in ground.words})
    shown = {"hidden": {request.entry: False}} if request.entry else {}
    facts = {"id": request.id, "words": words, "by": "person"}
    workspace.note("decline", facts | shown, time)


def _ground(one: Remembered, action: Correction) -> Ground:
    """Return how a memory stands: of all that its file states, or of a pair what stands first."""
    words = _words(one)
    return Ground(tuple(words[:1] if action in PAIRS else words), one.status)


def _words(one: Remembered) -> list[str]:
    """Return the words of each statement of a memory."""
    return [words_key(text) for text in one.text.split("\n\n")]
