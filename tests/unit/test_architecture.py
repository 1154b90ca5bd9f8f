"""docs/architecture.md names files that are there, and nothing of the top level is missing on it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_every_file_on_the_page_exists() -> None:
    named = set(re.findall(r"`((?:api|envs|grading|packs|protection|sdk)/[\w/]+\.py)`", PAGE))
    assert len(named) > 20
    assert {name for name in named if not (ROOT / name).is_file()} == set()


def test_every_package_is_on_the_page() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "tools", "migrations"}
    assert {name for name in packages if f"{name}/" not in PAGE} == set()
