"""What an importer or a generator hands over: a pack in memory, and which of its golds are to be played before it is
written. Whoever calls it plays them (`api.admission.soundness`), because a pack knows no environments.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from packs.benchmark import Benchmark
from packs.problem import Episode, Problem, ReferenceLine
from packs.report import Report
from packs.write import write_pack

Mode = Literal["fixed", "published"]
"""Whether a published benchmark is taken as it was published, or with what is known to be wrong with it fixed."""


def known_mode(mode: str) -> None:
    """Raises ValueError for a mode that is neither "fixed" nor "published"."""
    if mode not in ("fixed", "published"):
        raise ValueError(f"there is no mode '{mode}'; known are fixed and published")


@dataclass(frozen=True)
class Finding:
    """What was found on one episode. `kind` is one word or two for counting; `unsound` episodes may be left out."""

    kind: str
    cause: str
    unsound: bool = True


Examination = Callable[[ReferenceLine], Awaitable[Finding | None]]
"""A world's own look at one episode. May raise InfrastructureError (it is tried again) or SpecError."""


@dataclass(frozen=True)
class Soundness:
    """What shows that the episodes of a draft are sound, and what becomes of one that is not.

    An episode is sound if its gold reaches `least` of the score in each of `times` plays, under the seeds `seed`,
    `seed + 1`, ..., and, with `idle`, a participant who does nothing does not pass. `ids` names the episodes that are
    played (None: all). What passed is then given to `examine`. With `exclude` an unsound episode is left out; without,
    it is kept with a mark. `trial` is a small episode by which the caller may find out whether this machine can play;
    without it nothing is played unless that is asked for.
    """

    exclude: bool = True
    seed: int = 0
    times: int = 2
    least: float = 1.0
    idle: bool = True
    ids: Collection[str] | None = None
    examine: Examination | None = None
    trial: Episode | None = None


def _no_notes(kept: Sequence[Problem]) -> Sequence[str]:
    del kept
    return ()


@dataclass(frozen=True)
class DraftPack:
    """A pack that was read or generated and is not written yet.

    `card` makes the head of the pack from the problems that are kept, `notes` what the report says of them. `report`
    says what was left out so far; it is added to until the pack is written.
    """

    report: Report
    problems: Sequence[Problem]
    references: Sequence[ReferenceLine]
    card: Callable[[Sequence[Problem]], Benchmark]
    assets: Mapping[str, bytes | Path] = field(default_factory=dict)
    soundness: Soundness | None = None
    notes: Callable[[Sequence[Problem]], Sequence[str]] = _no_notes

    def write(self, out: Path, references: Sequence[ReferenceLine] | None = None) -> Report:
        """Write the pack into the new folder `out`, with those of the `references` that are sound, or all of them.

        Raises FileExistsError, and ValueError where no problem is left.
        """
        kept = self.references if references is None else references
        if not kept:
            raise ValueError(self.report.nothing())
        ids = {line.id for line in kept}
        problems = [problem for problem in self.problems if problem.id in ids]
        self.report.kept = len(problems)
        write_pack(out, self.card(problems), problems, kept, self.assets)
        self.report.notes.extend(self.notes(problems))
        return self.report
