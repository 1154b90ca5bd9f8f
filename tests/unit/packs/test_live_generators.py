"""Generators of live packs: the same for the same seed, and the packs in the repository are theirs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from api.catalog.generators import database, operating_system
from api.catalog.importers.report import Report
from api.catalog.packs.read import read_pack

ROOT = Path(__file__).parents[3]
SEED = 20261121


@pytest.mark.parametrize(
    ("generate", "slug"), [(operating_system.generate, "live-os"), (database.generate, "live-db")]
)  # fmt: skip
def test_packs_are_what_their_generators_make(generate: Callable[..., Report], slug: str, tmp_path: Path) -> None:
    shipped = read_pack(ROOT / "benchmarks" / slug)
    generate(tmp_path / "same", seed=SEED, check=False)
    same = read_pack(tmp_path / "same")
    assert len(shipped.problems) == 24
    assert same.digest == shipped.digest
    generate(tmp_path / "other", seed=SEED + 1, check=False, split="private")
    other = read_pack(tmp_path / "other")
    assert {p.statement for p in other.problems}.isdisjoint({p.statement for p in shipped.problems})
