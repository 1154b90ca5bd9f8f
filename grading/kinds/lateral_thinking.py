"""`lateral_thinking`: how far a situation puzzle was solved, by AgentBench's measures."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

Count = Annotated[int, Field(ge=0, le=1000)]


class Game(BaseModel):
    """Evidence: the game at its end. `found` are numbers of keys, from 0; rounds count from 1."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    keys: Count
    found: tuple[Count, ...]
    rounds: Annotated[int, Field(ge=1, le=1000)]
    yes: Count
    relevant: Count
    finish_round: Annotated[int, Field(ge=1)] | None


class LateralThinkingReference(Reference):
    """How many keys the truth has, and which measure is the score; all four are in the verdict's detail.

    `progress` (GP, the published main figure) is the share of keys that were found; `accuracy` (SGA) and `relevance`
    (QR) are the shares of all rounds that were answered yes, and yes or no; `efficiency` (RE) is the share of the
    rounds that were left when the game was finished, 0 where it was not.
    Evidence (default "game"): `{"keys": int, "found": [int], "rounds": int, "yes": int, "relevant": int,
    "finish_round": int | null}`.
    """

    kind: Literal["lateral_thinking"] = "lateral_thinking"
    keys: Annotated[int, Field(ge=1, le=1000)]
    metric: Literal["progress", "accuracy", "relevance", "efficiency"] = "progress"
    evidence: str = "game"


@grader(LateralThinkingReference, version="1")
def lateral_thinking(answer: Answer, reference: LateralThinkingReference, tools: Tools) -> Verdict:
    """The published measures of the game that was played. Evidence of another puzzle leaves it unscored."""
    del tools
    game = read(answer, reference.evidence, Game)
    if isinstance(game, Verdict):
        return game
    found = set(game.found)
    if game.keys != reference.keys or any(number >= game.keys for number in found):
        return Verdict.unscored(f"the game has {game.keys} keys and the reference {reference.keys}")
    measures = {
        "progress": len(found) / game.keys,
        "accuracy": game.yes / game.rounds,
        "relevance": game.relevant / game.rounds,
        "efficiency": 1 - min(game.finish_round or game.rounds, game.rounds) / game.rounds,
    }
    reason = f"{len(found)} of {game.keys} keys were found"
    return Verdict.graded(measures[reference.metric], reason, **measures)
