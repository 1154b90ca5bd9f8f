"""Which tables this release needs."""

from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parents[2] / "migrations" / "versions"


@cache
def expected_version() -> str:
    """The last migration of this release; read once, without Alembic, which is slow to load."""
    return max(path.name.split("_")[0] for path in MIGRATIONS.glob("[0-9]*.py"))
