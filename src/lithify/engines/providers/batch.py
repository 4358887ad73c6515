"""Many calls at once through a provider's batch endpoint: handed in now, fetched another day.

What is needed to fetch them is plain text, so that any later process can do it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lithify.engines.base import Completion, MemoryModel
from lithify.engines.providers.facts import BATCH
from lithify.engines.providers.hosted import LOOP, Hosted, completion_of, parameters_of, request_of
from lithify.errors import LithifyError, ModelError, UsageError

if TYPE_CHECKING:
    from pydantic_ai.models.batch import Batch, BatchRequest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call of a batch; `key` is the address of its reply."""

    key: str
    system: str
    prompt: str
    temperature: float
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back: replies by key, and why the others did not come."""

    replies: Mapping[str, Completion]
    faults: Mapping[str, str]


def hosted(model: MemoryModel) -> Hosted:
    """The model as one that has a batch endpoint, or the ones that have."""
    if isinstance(model, Hosted) and model.name.partition(":")[0] in BATCH:
        return model
    known = ", ".join(sorted(BATCH))
    raise UsageError(reason=f"{model.name} has no batch endpoint; these have: {known}")


def submit(model: Hosted, calls: Sequence[Wanted]) -> tuple[str, ...]:
    """Hand calls in. Each text returned is one batch, to be kept until it is fetched."""
    client = model.client()

    async def work() -> tuple[str, ...]:
        async with client:
            encoded = [await client.batch_encode(_request(model, call)) for call in calls]
            size = client.batch_max_requests or len(encoded)
            made = []
            for start in range(0, len(encoded), size):
                batch = await client.batch_create(encoded[start : start + size])
                made.append(_kept(model, batch, calls[start : start + size]))
            return tuple(made)

    return _careful(model, work)


def fetch(model: Hosted, kept: str) -> Fetched | None:
    """The replies of a batch that was handed in; None while it is still being worked on."""
    data = json.loads(kept)
    calls = {call["key"]: Wanted(**call) for call in data["calls"]}
    client = model.client()

    async def work() -> Fetched | None:
        async with client:
            batch = await client.batch_status(_batch(data["batch"]))
            if batch.status != "ended":
                return None
            results = await client.batch_results(batch)
        replies: dict[str, Completion] = {}
        faults: dict[str, str] = {}
        for result in results:
            call = calls.get(result.custom_id)
            if call is None:
                continue
            try:
                response = client.batch_decode(result, _request(model, call))
                replies[call.key] = completion_of(response)
            except Exception as error:
                faults[call.key] = model.told(error)
        missing = dict.fromkeys(calls.keys() - replies.keys() - faults.keys(), "no result came")
        return Fetched(replies, {**faults, **missing})

    return _careful(model, work)


def model_of(kept: str) -> str:
    """The model string that a batch was handed in with."""
    return str(json.loads(kept)["model"])


def _careful(model: Hosted, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The work's result, or an error that shows no secret."""
    fault: LithifyError
    try:
        return LOOP.run(work())
    except LithifyError as error:
        fault = error
    except Exception as error:
        fault = ModelError(model=model.name, reason=model.told(error))
    raise fault


def _request(model: Hosted, call: Wanted) -> BatchRequest:
    from pydantic_ai.models.batch import BatchRequest

    settings = model.settings(call.temperature, call.max_tokens)
    settings.pop("timeout", None)
    settings.pop("request_timeout", None)
    return BatchRequest(
        custom_id=call.key,
        messages=[request_of(call.prompt, call.system)],
        model_settings=settings,
        model_request_parameters=parameters_of(call.system),
    )


def _kept(model: Hosted, batch: Batch, calls: Sequence[Wanted]) -> str:
    from pydantic import TypeAdapter
    from pydantic_ai.models.batch import Batch

    handle = json.loads(TypeAdapter(Batch).dump_json(batch))
    data = {"model": model.name, "batch": handle, "calls": [asdict(call) for call in calls]}
    return json.dumps(data, ensure_ascii=False)


def _batch(handle: Any) -> Batch:
    from pydantic import TypeAdapter
    from pydantic_ai.models.batch import Batch

    return TypeAdapter(Batch).validate_python(handle)
