"""A pack from its folder to the verdict on it: read whole, then played. The one way to learn whether it may go live."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from api.admission.check import check_pack, has_hidden_problems
from api.admission.report import AdmissionReport
from envs import registry
from packs.pack import Pack
from packs.read import read_pack

SAMPLE = 5
"""How many episodes of each hidden split are played where nothing else is said."""


@dataclass(frozen=True)
class Examination:
    """A pack without faults, and the report of its admission check; None without hidden problems."""

    pack: Pack
    report: AdmissionReport | None

    @property
    def admissible(self) -> bool:
        """Whether it may go live."""
        return self.report is None or self.report.passed


async def examine(folder: Path, episodes: int | None, stage: Callable[[str], None] = lambda _: None) -> Examination:
    """Read the pack in `folder` and check it as `examine_pack` does; `stage` is called as a part begins.

    Raises PackError with every fault.
    """
    stage("reading")
    pack = read_pack(folder, registry)
    stage("admission")
    return await examine_pack(pack, episodes)


async def examine_pack(pack: Pack, episodes: int | None) -> Examination:
    """Play participants that know nothing, in at most so many episodes of each hidden split (None: all)."""
    return Examination(pack, await check_pack(pack, episodes) if has_hidden_problems(pack) else None)
