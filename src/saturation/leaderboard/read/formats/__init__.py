"""The formats that are read, a module a tool; what stands in this folder counts.

A module holds ``FORMATS``, a tuple of :class:`saturation.leaderboard.read.registry.Importer`.
"""

import importlib
import pkgutil
from types import ModuleType


def modules() -> list[ModuleType]:
    """Return the modules of this folder, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]
