"""What is known of a model: how much it takes and gives, what it costs, what it can do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from lithify.engines.base import Room
from lithify.engines.providers.model_string import HOSTED, KINDS, Name, parse
from lithify.settings import Settings
from lithify.values import Usage

#: Taken for granted of a model nothing is known about.
WINDOW = 32_000
#: The longest reply ever asked for.
OUTPUT = 4096
#: A window this small or a model of at most two thousand million weights chooses, not writes.
SMALL_WINDOW = 8192
_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)([mb])(?![a-z0-9])", re.IGNORECASE)

#: Our names of providers in the price list.
_SELLERS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "google": "google",
    "mistral": "mistral",
    "groq": "groq",
    "bedrock": "aws",
}
_STRUCTURED = frozenset({"anthropic", "openai", "google", "local"})
BATCH = frozenset({"anthropic", "openai"})


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens in, out, and in again from the provider's cache."""

    input: float
    output: float
    cached: float

    def of(self, usage: Usage) -> float:
        """What a use costs."""
        cached = min(usage.input, usage.cached)
        fresh = usage.input - cached
        millionths = fresh * self.input + cached * self.cached + usage.output * self.output
        return millionths / 1_000_000


FREE = Price(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Facts:
    """A model's capabilities. `warning` says what had to be guessed."""

    window: int = WINDOW
    output: int = OUTPUT
    price: Price | None = None
    structured: bool = False
    batch: bool = False
    small: bool = False
    warning: str = ""

    @property
    def room(self) -> Room:
        return Room(self.window, self.output)


def facts_of(model: str, settings: Settings) -> Facts:
    """What is known of a model; a person's word in the settings over every list.

    A name that is not a model string is that of a model made elsewhere: nothing is known of it.
    """
    known = Facts(price=FREE if model == "offline" else None)
    if model.partition(":")[0] in KINDS:
        known = _listed(parse(model))
    told = settings.models.get(model)
    if told is None:
        return known
    window = told.window or known.window
    output = min(told.output, window // 2) if told.output else known.output
    price = known.price
    if told.price:
        price = Price(told.price[0], told.price[1], told.price[0])
    small = known.small or window <= SMALL_WINDOW
    said = told.window and (told.price or known.price)
    return replace(
        known,
        window=window,
        output=output,
        price=price,
        small=small,
        warning="" if said else known.warning,
    )


def unknown(model: str, what: str) -> str:
    """The warning for a model of which something had to be guessed."""
    return f'{what} of {model}; tell them in lithify.toml under [models."{model}"]'


@lru_cache(maxsize=64)
def _listed(name: Name) -> Facts:
    facts = Facts(
        structured=name.kind in _STRUCTURED,
        batch=name.kind in BATCH,
        small=_is_small(name.model),
    )
    if name.kind == "local":
        return replace(facts, window=2048, output=512, price=FREE, small=True)
    if name.kind == "ollama":
        return replace(facts, window=WINDOW, price=FREE)
    if name.kind == "cli":
        # What it costs is between the person and the subscription the command is logged into.
        return replace(facts, window=100_000, price=FREE)
    if name.kind in HOSTED:
        found = _from_list(name)
        if found:
            return replace(facts, window=found[0], price=found[1])
        guessed = f"the window ({WINDOW:,} tokens is assumed) and the price are not known"
    else:
        guessed = f"the window ({WINDOW:,} tokens is assumed) and the price are not known"
    return replace(facts, warning=unknown(str(name), guessed))


def _from_list(name: Name) -> tuple[int, Price] | None:
    """A hosted model's window and price from the list that ships with the `models` extra."""
    try:
        from genai_prices import Usage as Sold
        from genai_prices import calc_price
    except ImportError:
        return None
    seller = _SELLERS[name.kind]
    million = 1_000_000

    def cost(**tokens: int) -> float:
        sold = Sold(**{key: value // 1000 for key, value in tokens.items()})
        return float(calc_price(sold, name.model, provider_id=seller).total_price) * 1000

    try:
        # A thousand tokens at a time: dearer tiers begin far above what one call sends.
        price = Price(
            cost(input_tokens=million),
            cost(output_tokens=million),
            cost(input_tokens=million, cache_read_tokens=million),
        )
        found = calc_price(Sold(input_tokens=1), name.model, provider_id=seller)
    except (LookupError, ValueError, TypeError):
        return None
    return found.model.context_window or WINDOW, price


def _is_small(model: str) -> bool:
    """Whether a name tells of two thousand million weights or fewer: `qwen3:0.6b`, `135m`."""
    sizes = [
        float(number) * (1 if unit.lower() == "b" else 0.001)
        for number, unit in _SIZE.findall(model)
    ]
    return bool(sizes) and max(sizes) <= 2.0
