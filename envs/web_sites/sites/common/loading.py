"""What the programs beside this file share: a site's module, and the clock that stands still."""

import importlib
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import time_machine

HERE = Path(__file__).resolve().parent


def load(site: Path) -> ModuleType:
    """Stop the clock at the site's `now` and import `app/site_app.py`."""
    described = tomllib.loads((site / "site.toml").read_text(encoding="utf-8"))
    time_machine.travel(described["now"], tick=False).start()
    sys.path[:0] = [str(site), str(HERE)]
    return importlib.import_module("app.site_app")
