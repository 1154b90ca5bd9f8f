"""Which tables this release needs."""

from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parents[2] / "migrations" / "versions"


@cache
def _known() -> frozenset[str]:
    return frozenset(path.name.split("_")[0] for path in MIGRATIONS.glob("[0-9]*.py"))


@cache
def expected_version() -> str:
    """The last migration of this release; read once, without Alembic, which is slow to load."""
    return max(_known())


def of_later_release(found: str) -> bool:
    """Whether tables have a migration that this release does not know."""
    return found not in _known()


def tables_fault(found: str) -> str | None:
    """What is wrong with tables at `found`, and what to do; None where they are this release's."""
    if found == expected_version():
        return None
    if of_later_release(found):
        return f"a later release brought the tables to {found}, this one knows {expected_version()}: run that release"
    return f"the tables are at {found}, this release needs {expected_version()}: run heldout-server migrate"
