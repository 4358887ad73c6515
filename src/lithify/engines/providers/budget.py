"""A limit on what a run may cost, checked before every call and never crossed.

Before a call nobody knows its price: what it is given can be estimated, what it gives back is
at most what it is allowed. The limit is held against that worst case.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from lithify.engines.base import Completion, Concurrent, MemoryModel
from lithify.engines.model.reply import Structured
from lithify.engines.providers.facts import Price
from lithify.errors import BudgetReached, UsageError
from lithify.text.tokens import estimate
from lithify.values import Usage

#: How far an estimate may lie below the provider's own count before any was seen.
MARGIN = 1.25
#: Tokens that a provider puts around every call.
AROUND = 40


class Limit(Protocol):
    """What calls are held against: `hold` before each, or a refusal; `book` after it."""

    max_cost: float | None

    def of(self, model: str) -> Limit: ...

    def hold(self, given: int, limit: int, most: int = 0, price: Price | None = None) -> Usage: ...

    def book(self, held: Usage, given: int, usage: Usage, price: Price | None = None) -> None: ...


@dataclass(slots=True)
class Budget:
    """What may be spent, what is, and what calls under way may still come to."""

    max_cost: float | None = None
    max_tokens: int | None = None
    price: Price | None = None
    spent: Usage = Usage()
    calls: int = 0
    #: What was spent and is set aside in USD: two models of one run may have two prices.
    cost: float = 0.0
    _held_cost: float = 0.0
    _held: Usage = Usage()
    _margin: float = MARGIN
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, model: str) -> Budget:
        """Return the limit for the calls of another model of the same run: the same one."""
        return self

    def hold(self, given: int, limit: int, most: int = 0, price: Price | None = None) -> Usage:
        """Set aside the most a call can use, or refuse it.

        `given` is our estimate of its input, `most` what no vocabulary is known to exceed. `price`
        is that of the model asked, where it is not the writer's.
        """
        with self._lock:
            worst = Usage(max(int(given * self._margin), most) + AROUND, limit)
            total = self.spent + self._held + worst
            if self.max_tokens is not None and total.input + total.output > self.max_tokens:
                raise BudgetReached(
                    limit=f"{self.max_tokens:,} tokens",
                    spent=f"{self.spent.input + self.spent.output:,}",
                    next=f"{worst.input + worst.output:,}",
                )
            cost = cost_of(price or self.price, worst)
            if self.max_cost is not None and self.cost + self._held_cost + cost > self.max_cost:
                raise BudgetReached(
                    limit=money(self.max_cost), spent=money(self.cost), next=money(cost)
                )
            self._held += worst
            self._held_cost += cost
            return worst

    def book(self, held: Usage, given: int, usage: Usage, price: Price | None = None) -> None:
        """Replace what was set aside by what was used."""
        with self._lock:
            self._held += Usage(-held.input, -held.output)
            self._held_cost -= cost_of(price or self.price, held)
            self.spent += usage
            self.cost += cost_of(price or self.price, usage)
            self.calls += usage != Usage()
            if given:
                # Another vocabulary or language: estimates for later calls are raised to match.
                self._margin = max(self._margin, 1.05 * usage.input / given)


@dataclass(frozen=True, slots=True)
class Metered:
    """A model whose calls are held against a budget."""

    model: MemoryModel
    budget: Limit
    #: The model's price, where it is not the writer's.
    price: Price | None = None

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def at_once(self) -> int:
        return self.model.at_once if isinstance(self.model, Concurrent) else 1

    def interrupt(self) -> None:
        if isinstance(self.model, Concurrent):
            self.model.interrupt()

    def complete(self, prompt: str, **how: Any) -> Completion:
        """Ask the model, if the most that the call can use is still allowed."""
        return self._metered(prompt, how, lambda: self.model.complete(prompt, **how))

    def structured(self, prompt: str, *, schema: Mapping[str, Any], **how: Any) -> Completion:
        """Hold the model to the schema where it can be held to one."""
        model = self.model
        if not isinstance(model, Structured):
            return self.complete(prompt, **how)
        # The form travels with the prompt, and is counted with it.
        given = prompt + json.dumps(schema)
        return self._metered(given, how, lambda: model.structured(prompt, schema=schema, **how))

    def _metered(
        self, prompt: str, how: Mapping[str, Any], call: Callable[[], Completion]
    ) -> Completion:
        system, limit = how["system"], how["max_tokens"]
        given = estimate(system) + estimate(prompt)
        held = self.budget.hold(given, limit, most_tokens(system + prompt), self.price)
        usage = Usage()
        try:
            reply = call()
            # The provider's count, or ours where it gave none.
            usage = reply.usage if reply.usage != Usage() else Usage(given, estimate(reply.text))
        finally:
            self.budget.book(held, given, usage, self.price)
        return reply


def most_tokens(text: str) -> int:
    """More tokens than a text has in any vocabulary in wide use, whatever its language."""
    size = len(text.encode("utf-8", "replace"))
    plain = sum(map(str.isascii, text)) if size != len(text) else size
    return plain // 3 + (size - plain) * 2 // 3


def priced(model: str, price: Price | None, max_cost: float | None) -> Price | None:
    """Return the price a limit in money is held against, or what to do where there is none."""
    if max_cost is not None and price is None:
        raise UsageError(
            reason=f"the price of {model} is not known, so --max-cost cannot be kept: tell it in "
            f'lithify.toml as [models."{model}"] price = [input, output] in USD per million '
            "tokens, or give --max-tokens-total"
        )
    return price


def money(amount: float) -> str:
    """Return a sum as people read it: cents, and more digits where cents would say nothing."""
    return f"${amount:.2f}" if amount >= 1 or amount == 0 else f"${amount:.4f}"


def cost_of(price: Price | None, usage: Usage) -> float:
    """Return what a use costs in USD; nothing where no price is known."""
    return price.of(usage) if price else 0.0
