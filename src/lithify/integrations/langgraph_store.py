"""A store for LangGraph over a root: what agents put there is kept, logged and recalled.

An item is a note, `memory/notes/langgraph/item-….json`: redacted, journaled with its origin, the old
version kept in history. What it says is logged as an entry of the day first, so that it is compacted
like everything else and outlives the item.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, Op, PutOp, Result, SearchItem, SearchOp
from langgraph.store.base import get_text_at_path as texts_at
from langgraph.store.memory import InMemoryStore

from lithify.calendar import stamp
from lithify.integrations.speaker import Speaker, journaled, notes_folder, redacted
from lithify.memory import Memory
from lithify.store import disk, places
from lithify.store.commit import commit
from lithify.store.lock import locked
from lithify.text.words import content_stems, overlap

#: How many tokens of the days are recalled for a query.
_RECALLED = 8000
_OPERATORS = {"$eq": eq, "$ne": ne, "$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}


class LithifyStore(BaseStore):
    """A store over a root: pass it to `graph.compile(store=…)`.

    A search with a query ranks by `recall`; what that does not find follows without a score, the
    newest first. An item put with `index=False` is kept and not logged. Nothing expires.
    """

    def __init__(self, memory: Memory, *, origin: str = "agent", session: str = "") -> None:
        self.memory = memory
        self._speaker = Speaker(memory, origin=origin, session=session)
        self._folder = f"{notes_folder(memory)}/langgraph"

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations: what reads first, then what writes; of two puts on a key the last."""
        asked = list(ops)
        items = [] if all(isinstance(op, GetOp | PutOp) for op in asked) else self._items()
        results: list[Result] = []
        for op in asked:
            if isinstance(op, PutOp):
                results.append(None)
            elif isinstance(op, GetOp):
                results.append(self._read(self._path(op.namespace, op.key)))
            elif isinstance(op, SearchOp):
                results.append(self._search(op, items))
            else:  # namespaces are matched by the store that LangGraph itself has
                shelf = InMemoryStore()
                shelf.batch([PutOp(item.namespace, item.key, {}) for item in items])
                results += shelf.batch([op])
        self._shown(results)
        for put in {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}.values():
            self._put(put)
        return results

    def _path(self, namespace: tuple[str, ...], key: str) -> str:
        name = hashlib.sha256(json.dumps([namespace, key]).encode()).hexdigest()[:20]
        return f"{self._folder}/item-{name}.json"

    def _read(self, path: str) -> Item | None:
        data = disk.bytes_at(places.resolve(self.memory.root, path))
        return None if data is None else Item(**json.loads(data))

    def _items(self) -> list[Item]:
        """Read every item, the one that changed last first."""
        folder = places.resolve(self.memory.root, self._folder)
        names = disk.names(folder) if os.path.isdir(folder) else []
        read = (self._read(f"{self._folder}/{name}") for name in names)
        return sorted((one for one in read if one), key=lambda one: one.updated_at, reverse=True)

    def _search(self, op: SearchOp, items: list[Item]) -> list[SearchItem]:
        top = tuple(op.namespace_prefix)
        within = [
            SearchItem(one.namespace, one.key, one.value, one.created_at, one.updated_at)
            for one in items
            if one.namespace[: len(top)] == top and _matches(one.value, op.filter or {})
        ]
        if op.query:
            self._score(op.query, {self._path(one.namespace, one.key): one for one in within})
            within.sort(key=lambda one: -(one.score or 0))
        return within[op.offset : op.offset + op.limit]

    def _score(self, query: str, items: Mapping[str, SearchItem]) -> None:
        """Say how well the last words of items answer a query, where recall finds them."""
        by_entry = {id: path for path, ids in journaled(self.memory, "said").items() for id in ids}
        for passage in self.memory.recall(query, budget=_RECALLED).passages:
            for item in filter(None, (items.get(by_entry.get(id, "")) for id in passage.entries)):
                # A passage may hold several items, and one of them the answer.
                words = content_stems(f"{item.key} {json.dumps(item.value, ensure_ascii=False)}")
                item.score = passage.score * (1 + overlap(content_stems(query), words)) / 2

    def _shown(self, results: Sequence[Result]) -> None:
        lists = (found if isinstance(found, list) else [found] for found in results)
        shown = [one for found in lists for one in found if isinstance(one, Item)]
        origins = journaled(self.memory, "notes") if shown else {}
        for one in shown:
            self._speaker.shown(origins.get(self._path(one.namespace, one.key), "file"))

    def _put(self, op: PutOp) -> None:
        path, now, data = self._path(op.namespace, op.key), self.memory.now(), None
        facts: dict[str, Any] = {"command": "delete" if op.value is None else "put"}
        with locked(places.lock(self.memory.root)):
            old = self._read(path)
            if op.value is not None:
                value, origin = redacted(self.memory, op.value), self._speaker.origin
                if op.index is not False and (old is None or old.value != value):
                    said = "; ".join(text for at in op.index or "$" for text in texts_at(value, at))
                    words = f"Note {'/'.join(op.namespace)}/{op.key}: {said}"
                    logged = self.memory.log(words, origin=origin)
                    facts["said"], origin = {path: logged.entries}, logged.origin
                item = {"namespace": op.namespace, "key": op.key, "value": value}
                made = old.created_at if old else now
                item |= {"created_at": made.isoformat(), "updated_at": now.isoformat()}
                data = json.dumps(item, ensure_ascii=False, indent=1).encode()
                facts["notes"] = {path: origin}
            if old is not None or data is not None:
                commit(self.memory.root, {path: data}, "note", facts, stamp(now))


def _matches(value: Any, wanted: Any) -> bool:
    """Tell whether a value is what a filter asks for; what cannot be compared does not match."""
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if not any(str(key).startswith("$") for key in wanted):
        return isinstance(value, Mapping) and all(
            _matches(value.get(key), inner) for key, inner in wanted.items()
        )
    if unknown := wanted.keys() - _OPERATORS:
        raise ValueError(f"Unsupported operator: {', '.join(sorted(unknown))}")
    try:
        return all(_OPERATORS[name](value, other) for name, other in wanted.items())
    except TypeError:
        return False
