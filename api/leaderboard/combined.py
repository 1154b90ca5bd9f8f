"""A score over several benchmarks. What is combined is data: TOML files beside this one, and the operator's own.

The scheme is AgentBench's: the mean over all parts of the part's score (percent points) divided by the average that was
published for it, so that an average model gets about 1. A part without an entry counts 0; it is never averaged away.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from grading.statistics.intervals import Z95, standard_error

_SHIPPED = Path(__file__).parent / "overall"


class Part(BaseModel):
    """One benchmark's split in a combination; `average` is what its score is divided by, in percent points."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    benchmark: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    split: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    average: float = Field(gt=0, allow_inf_nan=False)


class Combination(BaseModel):
    """A combination of benchmarks; one TOML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    source: Annotated[str, StringConstraints(max_length=500)] = ""
    part: tuple[Part, ...] = Field(min_length=1, max_length=100)


@dataclass(frozen=True)
class Scored:
    """One part of one model: score and its 95 % interval, in [0, 1]."""

    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Overall:
    """A combined score with its 95 % interval; `played` counts the parts there is an entry for."""

    score: float
    low: float
    high: float
    played: int


def combined_in(data_dir: Path) -> Path:
    """Where an operator's own combinations are."""
    return data_dir / "overall"


def combinations(data_dir: Path) -> dict[str, Combination]:
    """Every combination by name: the shipped ones, and `overall/*.toml` below the data directory, which go first.

    Raises ValueError for a file that is none.
    """
    found: dict[str, Combination] = {}
    for folder in (_SHIPPED, combined_in(data_dir)):
        for file in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            try:
                found[file.stem] = Combination.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
            except (ValidationError, tomllib.TOMLDecodeError) as error:
                raise ValueError(f"{file}: {error}") from None
    return found


def combine(combination: Combination, scores: dict[int, Scored]) -> Overall:
    """The combined score of one model; `scores` are by the index of the part."""
    count = len(combination.part)
    total = variance = 0.0
    for index, part in enumerate(combination.part):
        if index in scores:
            scored = scores[index]
            total += 100 * scored.score / part.average
            variance += (100 * standard_error(scored.low, scored.high) / part.average) ** 2
    half = Z95 * variance**0.5 / count
    score = total / count
    return Overall(score, max(0.0, score - half), score + half, len(scores))
