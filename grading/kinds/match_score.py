"""`match_score`: a match that was played, by whether it was won and how much the other side lost."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict


class Match(BaseModel):
    """Evidence: whether the match was won, and `damage` of the `total` health of the other side."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    won: bool
    damage: int = Field(ge=0)
    total: int = Field(gt=0)


class MatchScoreReference(Reference):
    """`win` for a won match, and `damage` times the share of the other side's health that was taken (at most all).

    The defaults are AgentBench's for its card game; the mean over matches equals its figure, 0.7 of the win rate and
    at most 0.3 for the damage rate. Evidence (default "match"): `{"won": bool, "damage": int, "total": int}`.
    """

    kind: Literal["match_score"] = "match_score"
    win: Annotated[float, Field(ge=0, le=1)] = 0.7
    damage: Annotated[float, Field(ge=0, le=1)] = 0.3
    evidence: str = "match"

    @model_validator(mode="after")
    def _one_in_all(self) -> Self:
        if abs(self.win + self.damage - 1) > 1e-9:
            raise ValueError("'win' and 'damage' add up to 1, the score of a match that was won completely")
        return self


@grader(MatchScoreReference, version="1")
def match_score(answer: Answer, reference: MatchScoreReference, _tools: Tools) -> Verdict:
    """The weighted sum of the win and of the share of damage."""
    match = read(answer, reference.evidence, Match)
    if isinstance(match, Verdict):
        return match
    share = min(1.0, match.damage / match.total)
    if match.won and share == 1:
        return Verdict.correct("won, and nothing of the other side is left")
    score = reference.win * match.won + reference.damage * share
    return Verdict.graded(score, f"{'won' if match.won else 'not won'}, {match.damage} of {match.total} damage")
