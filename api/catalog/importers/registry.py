"""The importers by name: `convert(source, out, **options) -> Report`. Importing one is left until it is used."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import api.catalog.importers as package
from packs.importers.report import Report

Convert = Callable[..., Report]


class UnknownImporterError(ValueError):
    """There is no importer of that name."""


@cache
def names() -> Mapping[str, str]:
    """Names on the command line and the modules that have a `convert`."""
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        text = (Path(package.__path__[0]) / f"{module.name}.py").read_text("utf-8")
        if re.search(r"^def convert\(\s*source: Path", text, re.MULTILINE):
            found[module.name.replace("_", "-")] = f"{package.__name__}.{module.name}"
    return found


def importer(name: str) -> Convert:
    """The importer called `name`; raises UnknownImporterError."""
    if name not in names():
        raise UnknownImporterError(f"there is no importer '{name}'; known are {', '.join(names())}")
    convert: Convert = importlib.import_module(names()[name]).convert
    return convert


def convert(name: str, source: Path, out: Path, options: Mapping[str, Any]) -> Report:
    """Run an importer. Raises ValueError for an option that it does not have, and what the importer raises."""
    function = importer(name)
    known = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    if unknown := sorted(set(options) - set(known)):
        raise ValueError(f"'{name}' has no option {', '.join(unknown)}; it has {', '.join(known) or 'none'}")
    if "check" in known:
        # Nobody has said whether golds are to be played: an importer that can tell whether they could be decides.
        options = {"check": None} | dict(options)
    return function(source, out, **options)
