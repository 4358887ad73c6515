"""What an agent of any framework does with a root: plain typed functions, wrapped by one file each."""

from __future__ import annotations

from lithify.async_memory import Threaded, threaded
from lithify.integrations.speaker import Speaker
from lithify.memory import Memory
from lithify.trust import is_trusted
from lithify.values import MemoryType


class AgentTools(Speaker):
    """The tools of an agent over a root; the docstrings are what a model is told of them."""

    #: The most tokens that one answer of `recall` has.
    budget = 1000

    def recall(self, query: str) -> str:
        """Find what the days of memory say on a question; nothing where nothing supports it.

        Args:
            query: What is to be found, in plain words.
        """
        found = self.memory.recall(query, budget=self.budget)
        self.shown(*(one.origin for one in found.passages))
        return self.memory.fenced(found, self.budget)

    def log_entry(self, text: str) -> str:
        """Add an entry to today's log: a decision, an outcome, a blocker, a fact worth keeping.

        Args:
            text: What happened, in a sentence or two.
        """
        return f"logged in {self.memory.log(text, origin=self.origin).path}"

    def remember(self, statement: str, type: MemoryType = "project", why: str = "") -> str:
        """Keep a statement as a memory, because somebody asked for it; every later session knows it.

        Args:
            statement: What to remember, in the words that were said.
            type: A person's ways (user), how to work (feedback), a fact of the project, or a pointer
                to something outside (reference).
            why: The reason, if one was given.
        """
        kept = self.memory.remember(statement, type=type, why=why, origin=self.origin)
        if is_trusted(kept.entry.origin):
            return "remembered"
        return f"noted; its origin, {kept.entry.origin}, is not trusted: a person has to accept it"

    def context(self, budget: int = 4000) -> str:
        """Compose what a session starts with: rules, what is open, what happened lately."""
        return self.memory.context(budget)


class AsyncAgentTools(Threaded[AgentTools]):
    """The same tools, awaited."""

    def __init__(self, memory: Memory, *, origin: str = "agent", session: str = "") -> None:
        self.sync = AgentTools(memory, origin=origin, session=session)

    recall = threaded(AgentTools.recall)
    log_entry = threaded(AgentTools.log_entry)
    remember = threaded(AgentTools.remember)
    context = threaded(AgentTools.context)
    log_message = threaded(AgentTools.log_message)
