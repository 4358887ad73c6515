"""Lithify: the memory of a working agent, every sentence traced to its source."""

# Names are imported on first use, because every start of the command loads this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from lithify.async_memory import AsyncMemory
    from lithify.compact.run import Report
    from lithify.compact.workspace import Result
    from lithify.engines.base import Completion, Engine, MemoryModel, Obedient, Scripted
    from lithify.errors import LithifyError
    from lithify.memory import CompactOptions, Memory
    from lithify.values import Brief, Claim, Draft, Passage, Recall

    __version__: str

_HOMES = {
    "async_memory": ("AsyncMemory",),
    "compact.run": ("Report",),
    "compact.workspace": ("Result",),
    "engines.base": ("Completion", "Engine", "MemoryModel", "Obedient", "Scripted"),
    "errors": ("LithifyError",),
    "memory": ("CompactOptions", "Memory"),
    "values": ("Brief", "Claim", "Draft", "Passage", "Recall"),
}

__all__ = [
    "AsyncMemory",
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
    for module, names in _HOMES.items():
        if name in names:
            import importlib

            return getattr(importlib.import_module(f"lithify.{module}"), name)
    raise AttributeError(f"module 'lithify' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
