"""Environments by name. A factory takes no arguments and may be called once for each episode."""

import importlib
from collections.abc import Callable
from typing import cast

from envs.base import Environment, SpecError

# Import paths, so that a service without a browser never loads one.
FACTORIES: dict[str, str] = {
    "operating_system": "envs.operating_system:create",
    "database": "envs.database:create",
    "web_forms": "envs.web_forms:create",
    "web_sites": "envs.web_sites:create",
    "echo": "envs.echo:create",
}


def create(name: str) -> Environment:
    """A fresh environment. Raises SpecError for a name that is not known."""
    if name not in FACTORIES:
        raise SpecError(f"unknown environment '{name}'; known: {', '.join(sorted(FACTORIES))}")
    module, function = FACTORIES[name].split(":")
    factory = cast("Callable[[], Environment]", getattr(importlib.import_module(module), function))
    return factory()
