"""The store and the checkpointer for LangGraph, held against those that LangGraph has itself."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import roots
from lithify.memory import Memory

pytest.importorskip("langgraph")

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import (
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from lithify.integrations.langgraph_checkpoint import LoggingCheckpointer
from lithify.integrations.langgraph_store import LithifyStore

SECRET = "AK" + "IA" + "Q7" * 8
labels = st.sampled_from(["a", "b", "é/…"])
spaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
keys = st.sampled_from(["k1", "2026-04-02", "../x"])
values = st.fixed_dictionaries(
    {"n": st.integers(0, 3), "of": st.fixed_dictionaries({"x": st.sampled_from(["y", "z"])})}
)
filters = st.none() | st.sampled_from(
    [{"n": 1}, {"n": {"$gte": 1, "$lt": 3}}, {"n": {"$ne": 0}}, {"of": {"x": "y"}}]
)
matches = st.builds(
    MatchCondition,
    st.sampled_from(["prefix", "suffix"]),
    st.lists(labels | st.just("*"), min_size=1, max_size=2).map(tuple),
)
ops = st.one_of(
    st.builds(GetOp, spaces, keys),
    st.builds(PutOp, spaces, keys, values | st.none()),
    st.builds(SearchOp, st.lists(labels, max_size=2).map(tuple), filters, st.just(100)),
    st.builds(ListNamespacesOp, st.lists(matches, max_size=2).map(tuple), st.none() | st.just(2)),
)


def shown(op: Any, result: Any) -> Any:
    """A result without what may differ: times, scores and the order of a search."""
    if isinstance(op, SearchOp):
        return sorted((one.namespace, one.key, str(one.value)) for one in result)
    if isinstance(op, ListNamespacesOp):
        return sorted(result)
    return result and (result.namespace, result.key, result.value)


@given(batches=st.lists(st.lists(ops, max_size=4), min_size=1, max_size=6))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_store_answers_as_that_of_langgraph(
    batches: list[list[Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    ours = LithifyStore(roots.made(tmp_path_factory.mktemp("store"), {}))
    theirs = InMemoryStore()
    emptied = False
    for batch in batches:
        for op, one, other in zip(batch, ours.batch(batch), theirs.batch(batch), strict=True):
            # A namespace whose items are all deleted is still listed by theirs.
            if not (emptied and isinstance(op, ListNamespacesOp)):
                assert shown(op, one) == shown(op, other)
        emptied = emptied or any(isinstance(op, PutOp) and op.value is None for op in batch)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return roots.made(tmp_path)


def test_an_item_is_kept_logged_recalled_and_found_by_another_process(memory: Memory) -> None:
    async def act() -> None:
        store, of = LithifyStore(memory), ("users", "priya")
        await store.aput(of, "food", {"text": "Priya is allergic to peanuts."})
        await store.aput(of, "car", {"text": "Drives an old green Saab."})
        await store.aput(of, "cache", {"text": "Her car of today is a rental."}, index=False)
        again = LithifyStore(Memory.open(memory.root))
        first, *others = await again.asearch(("users",), query="which car does Priya drive?")
        assert first.key == "car" and first.score and len(others) == 2
        assert next(one for one in others if one.key == "cache").score is None
        assert "peanuts" in memory.recall("peanuts allergic").passages[0].text
        assert not any("rental" in one.text for one in memory.recall("rental").passages)

    asyncio.run(act())


def test_an_update_keeps_when_an_item_was_made_and_a_delete_keeps_its_day(memory: Memory) -> None:
    store = LithifyStore(memory)
    store.put(("a",), "k", {"text": "The queue has three workers."})
    made = store.get(("a",), "k")
    memory._clock = lambda: roots.NOW + timedelta(minutes=5)
    store.put(("a",), "k", {"text": "The queue has five workers."})
    now = store.get(("a",), "k")
    assert made and now and now.created_at == made.created_at < now.updated_at
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None and store.search(("a",), query="queue workers") == []
    assert "three workers" in roots.text(memory, "memory/2026-04-20.md")
    assert [one for one in memory.check() if one.severity != "note"] == []


def test_no_credential_reaches_the_disk(memory: Memory) -> None:
    LithifyStore(memory).put(("a",), "k", {"password": "correct-Horse7battery", "x": [SECRET]})
    for path in memory.root.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert SECRET.encode() not in data and b"Horse7" not in data


def test_what_an_agent_stores_after_an_untrusted_item_is_not_trusted(memory: Memory) -> None:
    LithifyStore(memory, origin="web").put(("a",), "page", {"text": "The vendor drops TLS 1.1."})
    store = LithifyStore(memory)
    assert store.get(("a",), "page")
    store.put(("a",), "mine", {"text": "So TLS 1.2 is needed from May on."})
    assert [*memory.snapshot().ledger.captures.origins.values()] == ["web", "web"]


def test_unknown_operators_are_refused_and_what_cannot_be_compared_does_not_match(
    memory: Memory,
) -> None:
    store = LithifyStore(memory)
    store.put(("a",), "k", {"n": "many"})
    assert store.search(("a",), filter={"n": {"$gt": 1}}) == []
    with pytest.raises(ValueError, match=r"\$in"):
        store.search(("a",), filter={"n": {"$in": [1]}})


def test_a_thread_is_logged_once_with_its_origins(memory: Memory) -> None:
    answers = iter(
        [
            [
                ToolMessage("TLS is dropped.", tool_call_id="1", name="search"),
                AIMessage("It says so."),
            ],
            [AIMessage("The certificate runs until June.")],
        ]
    )
    saver = LoggingCheckpointer(InMemorySaver(), memory, untrusted_tools=["search"])
    graph = StateGraph(MessagesState).add_node("say", lambda _: {"messages": next(answers)})
    app = graph.add_edge(START, "say").compile(checkpointer=saver)
    said = {"messages": [HumanMessage("What does the vendor say about TLS?")]}
    app.invoke(said, {"configurable": {"thread_id": "web"}})
    other = {"configurable": {"thread_id": "other"}}
    app.invoke({"messages": [HumanMessage("Until when is the certificate good?")]}, other)
    assert len(app.get_state(other).values["messages"]) == 2
    # A new process sees the whole thread again with its next checkpoint.
    again = LoggingCheckpointer(saver.saver, Memory.open(memory.root))
    app.checkpointer = again
    app.update_state(other, {"messages": [AIMessage("And it renews itself.")]})
    origins = [*memory.snapshot().ledger.captures.origins.values()]
    assert origins == ["user", "web", "user", "agent", "agent"]


def test_the_checkpointer_passes_langgraphs_own_conformance_suite(memory: Memory) -> None:
    suite = pytest.importorskip("langgraph.checkpoint.conformance")

    @suite.checkpointer_test(name="logging")
    async def made() -> Any:
        yield LoggingCheckpointer(InMemorySaver(), memory)

    report = asyncio.run(suite.validate(made))
    assert report.passed_all(), report.results
