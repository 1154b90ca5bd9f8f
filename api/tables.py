"""The ORM's metadata with every table, for Alembic and for tests; importing this imports the models of all features."""

import importlib
import importlib.util
import pkgutil

import api
from api.core.db import metadata

# Found by name, not imported by name: the vault's package is off limits to all but `api.worker`.
for _feature in pkgutil.iter_modules(api.__path__):
    if _feature.ispkg and importlib.util.find_spec(f"api.{_feature.name}.models"):
        importlib.import_module(f"api.{_feature.name}.models")

__all__ = ["metadata"]
