"""The environment of situation puzzles: a participant's replies become questions of a `game.Game`."""

from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.lateral_thinking import operators, protocol
from envs.lateral_thinking.game import Game
from envs.lateral_thinking.hosts import Host
from envs.lateral_thinking.spec import PROBES, LateralThinkingSpec


class LateralThinking:
    """One episode. With the fact host nothing in it is drawn: the same questions get the same answers; with a model,
    what was recorded is answered the same way again."""

    def __init__(self, host: Callable[[LateralThinkingSpec], Host] = operators.host) -> None:
        self._make_host = host
        self._host: Host | None = None
        self._game: Game | None = None
        self._log: list[JsonValue] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The rules and the story. Raises SpecError, and InfrastructureError where there is no such host."""
        del seed
        puzzle = parse_spec(LateralThinkingSpec, spec)
        self._host = self._make_host(puzzle)
        self._game = Game(puzzle, self._host)
        text = protocol.opening(puzzle.story, puzzle.rounds)
        return Observation(text=text, data={"rounds_left": puzzle.rounds}, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """One round. A call that asks nothing costs one, too."""
        game = self._open()
        question = protocol.question(action)
        if question is None:
            game.rounds += 1
            limit = FinishReason.TASK_LIMIT if game.rounds >= game.spec.rounds else None
            return StepResult(observation=self._shown(game, protocol.NUDGE), finish=limit)
        reply, finish = await game.ask(question)
        self._log.append({"question": question, "reply": reply})
        return StepResult(observation=self._shown(game, reply), finish=finish)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`. Type "game" gives `{"keys": int, "found": [int], "rounds": int, "asked":
        int, "yes": int, "relevant": int, "finish_round": int | null}`; "log" gives `{"rounds": [{"question": str,
        "reply": str}]}`."""
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """End the host."""
        if self._host is not None:
            await self._host.close()
        self._game = self._host = None

    def _see(self, probe: Probe) -> Evidence:
        game = self._open()
        try:
            parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        if probe.type == "log":
            return Evidence(name=probe.name, value={"rounds": list(self._log)})
        return Evidence(name=probe.name, value=game.evidence())

    @staticmethod
    def _shown(game: Game, text: str) -> Observation:
        return Observation(text=text, data={"rounds_left": game.spec.rounds - game.rounds})

    def _open(self) -> Game:
        if self._game is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._game
