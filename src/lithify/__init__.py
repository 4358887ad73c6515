"""Lithify: the memory of a working agent, every sentence traced to its source."""

# Names are imported on first use, because every start of the command loads this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from lithify.engines.base import Completion, MemoryModel, Obedient, Scripted
    from lithify.errors import LithifyError
    from lithify.memory import Memory
    from lithify.values import Passage, Recall

_HOMES = {
    "Completion": "lithify.engines.base",
    "LithifyError": "lithify.errors",
    "Memory": "lithify.memory",
    "MemoryModel": "lithify.engines.base",
    "Obedient": "lithify.engines.base",
    "Passage": "lithify.values",
    "Recall": "lithify.values",
    "Scripted": "lithify.engines.base",
}

__all__ = [
    "Completion",
    "LithifyError",
    "Memory",
    "MemoryModel",
    "Obedient",
    "Passage",
    "Recall",
    "Scripted",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'lithify' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
