"""Environments by name. A factory takes no arguments and may be called once for each episode."""

import importlib
import sys
from collections.abc import Awaitable, Callable
from typing import Any, cast

from envs.base import Environment, SpecError
from envs.sandbox.base import Backend
from envs.sandbox.pool import Recipe

# Import paths, so that a service without a browser never loads one.
FACTORIES: dict[str, str] = {
    "operating_system": "envs.operating_system:create",
    "database": "envs.database:create",
    "web_forms": "envs.web_forms:create",
    "web_sites": "envs.web_sites:create",
    "echo": "envs.echo:create",
}

# Where environments stand on sandboxes: what a problem's specification needs, so that some may be kept ready.
RECIPES: dict[str, str] = {
    "operating_system": "envs.operating_system:recipe_of",
    "database": "envs.database:recipe_of",
}

# Words for the machine's own programs: nothing is behind them that a release could record.
UNNAMED = frozenset({"", "default", "packages", "ubuntu", "host"})


def create(name: str) -> Environment:
    """A fresh environment. Raises SpecError for a name that is not known."""
    if name not in FACTORIES:
        raise SpecError(f"unknown environment '{name}'; known: {', '.join(sorted(FACTORIES))}")
    factory = cast("Callable[[], Environment]", _found(FACTORIES[name]))
    return factory()


async def recipe(name: str, backend: Backend, spec: dict[str, Any]) -> Recipe | None:
    """The sandbox that an episode begins with, or None where its environment needs none.

    Raises SpecError, InfrastructureError.
    """
    if name not in RECIPES:
        return None
    find = cast("Callable[[Backend, dict[str, Any]], Awaitable[Recipe]]", _found(RECIPES[name]))
    return await find(backend, spec)


def image(name: str, spec: dict[str, Any]) -> str | None:
    """The sandbox image that an episode names, or None where it takes what the machine has."""
    wanted = str(spec.get("image") or "")
    return wanted if name in RECIPES and wanted not in UNNAMED else None


def _found(path: str) -> Any:
    module, function = path.split(":")
    return getattr(importlib.import_module(module), function)


async def close() -> None:
    """End what environments of the running loop share: the browser and the sites' processes, where there are any."""
    for name in ("envs.browser.chromium", "envs.web_sites.process"):
        if name in sys.modules:
            await sys.modules[name].shared().close()
