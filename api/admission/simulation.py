"""Play episodes of a pack in this process, without the service: for owners before a release, and for tests.

Player and judge are those of the service, so an episode ends here with the verdict that it would get there.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import structlog

from api.admission.judge import judge_episode
from api.admission.player import Policy, RunningEpisode, episode_seed, play_episode
from envs import registry
from envs.base import Action, FinishReason, InfrastructureError, Observation, SpecError
from envs.sandbox.base import SandboxGoneError
from grading.answer import Evidence
from grading.verdict import Verdict
from packs.problem import Episode, Problem, ReferenceLine

_PAUSES = (1.0, 5.0)
log = structlog.get_logger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Simulation:
    """How one episode went. `error` is set when it could not be played; the verdict is then `unscored`.

    `evidence` is what the probes saw, so that other answers and references can be graded on the same end.
    `seconds` of wall clock, tries after faults included.
    """

    id: str
    verdict: Verdict
    finish: FinishReason = FinishReason.INFRASTRUCTURE_ERROR
    answer: str | None = None
    steps: int = 0
    seconds: float = 0.0
    error: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class _End:
    finish: FinishReason
    answer: str | None
    steps: int
    evidence: tuple[Evidence, ...]


def shown(problem: Problem | None) -> dict[str, Any]:
    """What a grader gets of the problem that was shown."""
    if problem is None:
        return {}
    return {"statement": problem.statement, "choices": [choice.model_dump() for choice in problem.choices]}


async def simulate_episode(
    line: ReferenceLine, policy: Policy, *, problem: Problem | None = None, seed: int | None = None
) -> Simulation:
    """Play one episode and judge it. A fault of the machine or of the specification is an error, never a zero.

    A fault of the machine is tried again: it says nothing about the episode. `seed` None: one of the episode's own.
    Raises ValueError for a question.
    """

    async def played(stage: _Local) -> None:
        await play_episode(stage, policy)

    (result,) = await _simulated(line, played, lambda end: [end], problem, seed)
    return result


async def score_answers(
    line: ReferenceLine, answers: Sequence[str | None], *, problem: Problem | None = None, seed: int | None = None
) -> list[Simulation]:
    """What each answer is worth to a participant that gives it at once and does nothing; one environment for all.

    One result in all where the episode could not be played. Raises ValueError for a question.
    """

    async def idle(stage: _Local) -> None:
        await play_episode(stage, lambda _seen, _number: None)

    return await _simulated(line, idle, lambda end: [replace(end, answer=text) for text in answers], problem, seed)


async def _simulated(
    line: ReferenceLine,
    play: Callable[["_Local"], Awaitable[None]],
    ends: Callable[[_End], list[_End]],
    problem: Problem | None,
    seed: int | None,
) -> list[Simulation]:
    if line.episode is None:
        raise ValueError(f"'{line.id}' is a question, not an episode")
    begun, episode, gone = time.monotonic(), line.episode, 0

    async def attempt() -> _End:
        nonlocal gone
        stage = _Local(episode, episode_seed(line.id.encode()) if seed is None else seed)
        try:
            await play(stage)
            return stage.ended()
        except _ActionEndedSandboxError as error:
            gone += 1
            if gone <= len(_PAUSES):
                raise
            return _End(FinishReason.INVALID_ACTION, None, error.steps, ())
        finally:
            await stage.close()

    try:
        end = await retry_faults(attempt)
    except SpecError as error:
        return [_unplayed(line, str(error), begun)]
    except Exception as error:  # noqa: BLE001 - whatever an environment raises says nothing about the participant
        log.warning("episode.unplayed", id=line.id, error=type(error).__name__, why=str(error)[:200])
        return [_unplayed(line, str(error) or type(error).__name__, begun)]
    results = []
    for one in ends(end):
        verdict = await judge_episode(line.reference, one.finish, one.answer, one.evidence, context=shown(problem))
        seconds = time.monotonic() - begun
        results.append(Simulation(line.id, verdict, one.finish, one.answer, one.steps, seconds, None, one.evidence))
    return results


def _unplayed(line: ReferenceLine, why: str, begun: float) -> Simulation:
    verdict = Verdict.unscored("the episode could not be played")
    return Simulation(line.id, verdict, error=why, seconds=time.monotonic() - begun)


class _ActionEndedSandboxError(InfrastructureError):
    """An action ended its own sandbox. When that happens in each of several fresh ones, the action is the cause."""

    def __init__(self, why: str, steps: int) -> None:
        super().__init__(why)
        self.steps = steps


class _Local:
    """An environment in this process as a stage of the player."""

    def __init__(self, episode: Episode, seed: int) -> None:
        self._running = RunningEpisode(registry.create(episode.environment), episode)
        self._seed = seed
        self._end: _End | None = None

    @property
    def over(self) -> bool:
        return self._running.over

    @property
    def steps(self) -> int:
        return self._running.steps

    async def begin(self) -> Observation:
        seen = await self._running.reset(self._seed)
        self._running.start_clock()
        return seen

    async def step(self, action: Action) -> Observation:
        try:
            return (await self._running.step(action)).observation
        except SandboxGoneError as error:
            raise _ActionEndedSandboxError(str(error), self.steps + 1) from error

    async def end(self, reason: FinishReason) -> None:
        running = self._running
        seen = await running.probe()
        evidence = tuple(Evidence.model_validate(item.model_dump()) for item in seen)
        self._end = _End(running.reason(reason), running.answer, running.steps, evidence)

    def ended(self) -> _End:
        assert self._end is not None
        return self._end

    async def close(self) -> None:
        await self._running.environment.close()


async def retry_faults(attempt: Callable[[], Awaitable[T]]) -> T:
    """What `attempt` gives, after faults of the machine tried again. Raises the last InfrastructureError."""
    for pause in _PAUSES:
        try:
            return await attempt()
        except InfrastructureError as error:
            log.info("episode.fault", error=type(error).__name__, why=str(error)[:200])
            await asyncio.sleep(pause)
    return await attempt()


async def simulate_episodes(
    lines: Sequence[ReferenceLine],
    policy: Callable[[ReferenceLine], Policy],
    *,
    problems: Mapping[str, Problem] | None = None,
    at_once: int = 4,
    seed: int | None = None,
) -> list[Simulation]:
    """Play many episodes, `at_once` of them at a time; results in the order of `lines`."""
    known = problems or {}
    return await for_each(
        lines,
        lambda line: simulate_episode(line, policy(line), problem=known.get(line.id), seed=seed),
        at_once=at_once,
    )


async def for_each(
    lines: Sequence[ReferenceLine], work: Callable[[ReferenceLine], Awaitable[T]], *, at_once: int = 4
) -> list[T]:
    """Work on many episodes, `at_once` of them at a time; results in the order of `lines`."""
    slots = asyncio.Semaphore(at_once)

    async def one(line: ReferenceLine) -> T:
        async with slots:
            return await work(line)

    return list(await asyncio.gather(*map(one, lines)))
