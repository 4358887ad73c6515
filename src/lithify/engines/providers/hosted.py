"""Models reached over the network, through one client library that is imported at the first call."""

from __future__ import annotations

import asyncio
import atexit
import os
import random
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from lithify.engines.base import Call, Completion
from lithify.engines.providers import facts
from lithify.engines.providers.facts import COMPATIBLE, HOSTED, ModelName
from lithify.errors import LithifyError, ModelDenied, ModelError, UsageError, missing
from lithify.values import Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelRequest, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings


T = TypeVar("T")

#: Calls that one provider is asked at the same time.
AT_ONCE = 4


class Loop:
    """An event loop in a daemon thread, with a limit of calls at once for each provider."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._limits: dict[str, asyncio.Semaphore] = {}
        self.at_once = AT_ONCE

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for the work. An interrupt of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def interrupt(self) -> None:
        """End the work of every caller that still waits."""
        loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])

    @contextmanager
    def allowing(self, at_once: int) -> Iterator[None]:
        """Allow another number of calls at once for a while."""
        before = self.at_once
        self.at_once, self._limits = at_once, {}
        try:
            yield
        finally:
            self.at_once, self._limits = before, {}

    def turn(self, provider: str) -> asyncio.Semaphore:
        """Return what is waited for, and held, while this provider is asked."""
        return self._limits.setdefault(provider, asyncio.Semaphore(self.at_once))

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="calls")
                thread.start()
                atexit.register(self._stop, thread)
            return self._loop

    def _stop(self, thread: threading.Thread) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        thread.join(timeout=2)
        if not thread.is_alive():
            self._loop.close()


LOOP = Loop()


# How often and how long to wait for a provider that is busy, broken or out of reach.


#: Replaced in tests, so that they wait for nothing.
pause: Callable[[float], Awaitable[None]] = asyncio.sleep


class Passing(Exception):
    """A fault that may be over soon; `after` is how long the provider asked to be left alone."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


@dataclass(frozen=True, slots=True)
class Patience:
    """Tries of one call, the waits between them, and the longest wait that is put up with."""

    tries: int = 5
    first: float = 1.0
    most: float = 30.0
    longest: float = 120.0

    def wait(self, attempt: int, after: float | None) -> float | None:
        """Seconds to wait after a failed attempt; None to give up."""
        if attempt + 1 >= self.tries:
            return None
        if after is not None:
            # A little late on purpose: many callers were told the same second.
            return None if after > self.longest else after * random.uniform(1.0, 1.1)
        # Half of the wait is fixed, so that a retry is never at once.
        span = min(self.most, self.first * 2.0**attempt)
        return span / 2 + random.uniform(0, span / 2)

    async def through(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return the call's result, tried again while its faults are passing ones."""
        attempt = 0
        while True:
            try:
                return await call()
            except Passing as fault:
                seconds = self.wait(attempt, fault.after)
                if seconds is None:
                    raise
            attempt += 1
            await pause(seconds)


# The models.


#: Seconds one try of a call may take, the reply's last byte included.
TIMEOUT = 300.0
PATIENCE = Patience()
#: After so many calls in a row that came to nothing, later ones are tried once and not five times.
PATIENT_FOR = 3

#: Where a provider is looked for instead of its own address.
BASE_URLS: Mapping[str, str] = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "openai": "OPENAI_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "mistral": "MISTRAL_BASE_URL",
    "groq": "GROQ_BASE_URL",
    "bedrock": "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
    "ollama": "OLLAMA_BASE_URL",
}
_OLLAMA = "http://127.0.0.1:11434/v1"
_STOPS = {"stop": "end", "length": "max_tokens", "content_filter": "refusal"}


class Hosted:
    """A model of a provider. Its client is made at the first call and kept."""

    def __init__(
        self, name: ModelName, patience: Patience = PATIENCE, timeout: float = 0.0
    ) -> None:
        self._name = name
        self._patience = patience
        self._timeout = timeout or float(os.environ.get("LITHIFY_TIMEOUT", TIMEOUT))
        # For proxies that cut a connection on which nothing is heard for a while.
        self._stream = os.environ.get("LITHIFY_STREAM", "") not in ("", "0")
        self._lock = threading.Lock()
        self._model: Model[Any] | None = None
        self._key: facts.Key | None = None
        self._lost = 0

    @property
    def name(self) -> str:
        return str(self._name)

    @property
    def at_once(self) -> int:
        """Calls that may be under way together."""
        return LOOP.at_once

    def interrupt(self) -> None:
        """End the calls under way; those who wait for them get an error."""
        LOOP.interrupt()

    def __repr__(self) -> str:
        return f"<model {self.name}>"

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        """Ask once, with as many tries as it takes while the fault is the network's."""
        return self._complete(Call(prompt, system, temperature, max_tokens))

    def structured(
        self,
        prompt: str,
        *,
        system: str,
        schema: Mapping[str, Any],
        temperature: float,
        max_tokens: int,
    ) -> Completion:
        """Ask for a reply of this form where the model can be held to it, plainly elsewhere."""
        call, form = Call(prompt, system, temperature, max_tokens), None
        if self._name.kind in HOSTED and self.client().profile.get("supports_json_schema_output"):
            form = schema
        try:
            return self._complete(call, form)
        except ModelError as error:
            # A schema that this model or a gateway before it does not take.
            if form is None or "status_code: 400" not in error.message:
                raise
        return self._complete(call)

    def _complete(self, call: Call, schema: Mapping[str, Any] | None = None) -> Completion:
        model = self.client()
        # Imported after the client, whose absence is told in words.
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        parameters = _parameters(call.system, schema)
        # The stable part first, where caches look.
        request = ModelRequest(
            parts=[UserPromptPart(call.prompt)], instructions=call.system or None
        )
        settings = self._settings(call)

        async def once() -> Completion:
            # Entered for each call: what is not in use holds no connection open.
            async with LOOP.turn(self._name.kind), model:
                return await self._ask(model, request, settings, parameters)

        patience = self._patience if self._lost < PATIENT_FOR else Patience(tries=1)
        fault: LithifyError
        try:
            reply = LOOP.run(patience.through(once))
        except LithifyError as error:
            fault = error
        except Passing as error:
            self._lost += 1
            fault = ModelError(model=self.name, reason=str(error), after=error.after)
        except Exception as error:
            fault = ModelError(model=self.name, reason=self.told(error))
        else:
            self._lost = 0
            return reply
        # Raised out here, so that no traceback leads to the client's own error and its request.
        raise fault

    def _settings(self, call: Call) -> ModelSettings:
        """Return how a call is made. Retries are ours, so that there is one place that waits."""
        settings: ModelSettings = {
            "max_tokens": call.max_tokens,
            "temperature": call.temperature,
            "request_timeout": self._timeout,
            # A summary needs no train of thought, and one would eat the room for the reply.
            "thinking": False,
        }
        if self._name.kind != "bedrock":
            settings["timeout"] = self._timeout
            settings["max_retries"] = 0
        if self._name.kind in ("anthropic", "bedrock"):
            settings["cache"] = {"messages": False}
        return settings

    def client(self) -> Model[Any]:
        """Return the client library's model, made on first use."""
        with self._lock:
            if self._model is None:
                self._key = facts.need(self._name.kind)
                self._model = _build(self._name, self._key)
            return self._model

    async def _ask(
        self,
        model: Model[Any],
        request: ModelRequest,
        settings: ModelSettings,
        parameters: ModelRequestParameters,
    ) -> Completion:
        from pydantic_ai import exceptions as faults
        from pydantic_ai.direct import model_request, model_request_stream

        how: Any = {"model_settings": settings, "model_request_parameters": parameters}
        try:
            if not self._stream:
                return _completion(await model_request(model, [request], **how))
            async with model_request_stream(model, [request], **how) as stream:
                async for _ in stream:
                    pass
                response = stream.get()
            if response.finish_reason is None:
                raise Passing("the stream broke off before its end")
            return _completion(response)
        except faults.ContentFilterError as error:
            return Completion(self.told(error), stop_reason="refusal")
        except (
            faults.ModelAuthenticationError,
            faults.ModelNotFoundError,
            faults.ModelQuotaExceededError,
        ) as error:
            where = f" (key from {self._key.where})" if self._key else ""
            denied = f"{self._name.kind} said no{where}: {self.told(error)}"
            raise ModelDenied(model=self.name, reason=denied) from None
        except faults.ModelConnectionError as error:
            raise Passing(self._unreached(error)) from None
        except faults.ModelRequestTimeout as error:
            raise Passing(self.told(error)) from None
        except faults.ModelAPIError as error:
            status = getattr(error, "status_code", 0)
            # Of Bedrock's client, a reply that broke off has no status.
            broken = self._name.kind == "bedrock" and not status
            if broken or status in (408, 409, 425, 429) or status >= 500:
                raise Passing(self.told(error), getattr(error, "retry_after", None)) from None
            raise

    def told(self, error: BaseException) -> str:
        """Return an error in one line without secrets."""
        text = " ".join(str(error).split()) or type(error).__name__
        return facts.hide(text, self._key)[:400]

    def _unreached(self, error: BaseException) -> str:
        url = _base_url(self._name)
        if not url:
            return self.told(error)
        variable = BASE_URLS.get(self._name.kind)
        advice = "Start it with `ollama serve`" if self._name.kind == "ollama" else "Start it"
        move = f"set {variable} to where it is" if variable else "correct the address"
        scheme, mark, rest = url.partition("://")
        # A password may stand before the host.
        host, slash, path = rest.partition("/")
        shown = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path.partition('?')[0]}"
        return f"nothing answers at {shown} ({self.told(error).rstrip('.')}). {advice}, or {move}"


def _parameters(system: str, schema: Mapping[str, Any] | None) -> ModelRequestParameters:
    """Return what else a request says: its system prompt once more, and the form of its reply."""
    from pydantic_ai.messages import InstructionPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    parts = [InstructionPart(content=system)] if system else None
    if schema is None:
        return ModelRequestParameters(instruction_parts=parts)
    form = OutputObjectDefinition(json_schema=dict(schema), name="reply", strict=True)
    return ModelRequestParameters(
        instruction_parts=parts, output_mode="native", output_object=form, allow_text_output=False
    )


def _completion(response: ModelResponse) -> Completion:
    """Return the client library's reply as ours."""
    used = response.usage
    usage = Usage(used.input_tokens or 0, used.output_tokens or 0, used.cache_read_tokens or 0)
    reason = response.finish_reason or "stop"
    return Completion(response.text or "", usage, _STOPS.get(reason, reason))


def _build(name: ModelName, key: facts.Key | None) -> Model[Any]:
    try:
        return _client(name, key.reveal() if key else None, _base_url(name))
    except ImportError as error:
        library = error.name or "a client library"
        fault: LithifyError = missing(f"The model {name}", library, "models")
    except LithifyError:
        raise
    except Exception as error:
        fault = UsageError(reason=f"{name}: {facts.hide(str(error), key)[:300]}")
    raise fault


def _base_url(name: ModelName) -> str | None:
    if name.url:
        return name.url
    variable = BASE_URLS.get(name.kind, "")
    return os.environ.get(variable) or (_OLLAMA if name.kind == "ollama" else None)


#: Of each kind the module of the client library, its class of models and its class of providers.
_CLIENTS: Mapping[str, tuple[str, str, str]] = {
    "anthropic": ("anthropic", "AnthropicModel", "AnthropicProvider"),
    "openai": ("openai", "OpenAIResponsesModel", "OpenAIProvider"),
    "openai-compatible": ("openai", "OpenAIChatModel", "OpenAIProvider"),
    "ollama": ("openai", "OpenAIChatModel", "OpenAIProvider"),
    "google": ("google", "GoogleModel", "GoogleProvider"),
    "mistral": ("mistral", "MistralModel", "MistralProvider"),
    "groq": ("groq", "GroqModel", "GroqProvider"),
    "bedrock": ("bedrock", "BedrockConverseModel", "BedrockProvider"),
}


def _client(name: ModelName, key: str | None, url: str | None) -> Model[Any]:
    """Make the client library's model of a name."""
    module, model, provider = _CLIENTS[name.kind]
    make_model = getattr(import_module(f"pydantic_ai.models.{module}"), model)
    make_provider = getattr(import_module(f"pydantic_ai.providers.{module}"), provider)
    access: dict[str, Any] = {"api_key": key, "base_url": url}
    if name.kind in COMPATIBLE and not key:
        # Any text but none: the library would fall back on the key for the provider itself.
        access["api_key"] = "none"
    elif name.kind == "bedrock" and not key:
        import boto3
        from botocore.config import Config

        # By itself it would wait and try again: that is done in one place, and not there.
        once = Config(retries={"total_max_attempts": 1}, read_timeout=TIMEOUT)
        client = boto3.client("bedrock-runtime", endpoint_url=url, config=once)
        access = {"bedrock_client": client}
    made: Model[Any] = make_model(name.model, provider=make_provider(**access))
    return made
