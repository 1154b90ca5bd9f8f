"""Every table, for Alembic and for tests; importing this imports all models."""

import importlib

from api.core.db import metadata

# The vault's model is read through importlib: its package is off limits to all but `api.worker`.
for _name in ("accounts", "audit", "catalog", "leaderboard", "problems", "sessions", "submissions", "vault"):
    importlib.import_module(f"api.{_name}.models")

__all__ = ["metadata"]
