"""Lithify: the memory of a working agent, every sentence traced to its source."""

# Names are imported on first use, because every start of the command loads this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from lithify.compact.run import Report
    from lithify.compact.workspace import Result
    from lithify.engines.base import Completion, Engine, MemoryModel, Obedient, Scripted
    from lithify.errors import LithifyError
    from lithify.memory import CompactOptions, Memory
    from lithify.values import Brief, Claim, Draft, Passage, Recall

    __version__: str

_HOMES = {
    "Brief": "lithify.values",
    "Claim": "lithify.values",
    "CompactOptions": "lithify.memory",
    "Completion": "lithify.engines.base",
    "Draft": "lithify.values",
    "Engine": "lithify.engines.base",
    "LithifyError": "lithify.errors",
    "Memory": "lithify.memory",
    "MemoryModel": "lithify.engines.base",
    "Obedient": "lithify.engines.base",
    "Passage": "lithify.values",
    "Recall": "lithify.values",
    "Report": "lithify.compact.run",
    "Result": "lithify.compact.workspace",
    "Scripted": "lithify.engines.base",
}

__all__ = [
    "Brief",
    "Claim",
    "CompactOptions",
    "Completion",
    "Draft",
    "Engine",
    "LithifyError",
    "Memory",
    "MemoryModel",
    "Obedient",
    "Passage",
    "Recall",
    "Report",
    "Result",
    "Scripted",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("lithify")
    if name not in _HOMES:
        raise AttributeError(f"module 'lithify' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
