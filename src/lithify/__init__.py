"""Lithify: the memory of a working agent, every sentence traced to its source."""

# Nothing is imported to begin with: every start waits for this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from lithify.engines.base import Completion, MemoryModel, Obedient, Scripted
    from lithify.errors import LithifyError
    from lithify.memory import Memory

_HOMES = {
    "Completion": "lithify.engines.base",
    "LithifyError": "lithify.errors",
    "Memory": "lithify.memory",
    "MemoryModel": "lithify.engines.base",
    "Obedient": "lithify.engines.base",
    "Scripted": "lithify.engines.base",
}

__all__ = ["Completion", "LithifyError", "Memory", "MemoryModel", "Obedient", "Scripted"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lithify' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
