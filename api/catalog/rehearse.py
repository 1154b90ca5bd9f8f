"""Play episodes of a pack here, without the service: for owners before a release, and for tests.

An oracle's action may hold `{{output}}` in any of its texts: it stands for what the last action printed (the `output`
of the last observation's data), so that an answer that depends on the machine can be given.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from api.catalog.packs.format import Episode, Problem, ReferenceLine
from envs import registry
from envs.base import Action, Environment, FinishReason, InfrastructureError, Observation, Probe, Seen, SpecError
from grading.answer import Answer, Evidence
from grading.registry import grade
from grading.verdict import Outcome, Verdict

OUTPUT = "{{output}}"
Policy = Callable[[Observation, int], Action | None]
"""Gives the next action for the last observation and the number of the step (from 0); None ends the episode."""


@dataclass(frozen=True)
class Rehearsal:
    """How one episode went. `error` is set when it could not be played; the verdict is then `unscored`."""

    id: str
    verdict: Verdict
    finish: FinishReason | None = None
    answer: str | None = None
    steps: int = 0
    seconds: float = 0.0
    error: str | None = None


def gold(line: ReferenceLine) -> Policy:
    """The participant who knows: the reference's own oracle."""
    return lambda seen, number: resolve(line.oracle[number], seen) if number < len(line.oracle) else None


def null(seen: Observation, number: int) -> Action | None:
    """The participant who says nothing."""
    del seen, number
    return Action(text="")


def parrot(seen: Observation, number: int) -> Action | None:
    """The participant who repeats what it is shown."""
    del number
    return Action(text=seen.text)


def resolve(action: dict[str, JsonValue], seen: Observation) -> Action:
    """An oracle's action, with `{{output}}` replaced by what the last action printed."""
    output = str(seen.data.get("output") or "").strip()
    return Action.model_validate(_replaced(action, output))


def _replaced(value: Any, output: str) -> Any:
    if isinstance(value, str):
        return value.replace(OUTPUT, output)
    if isinstance(value, list):
        return [_replaced(item, output) for item in value]
    if isinstance(value, dict):
        return {key: _replaced(item, output) for key, item in value.items()}
    return value


async def rehearse(line: ReferenceLine, policy: Policy, *, seed: int = 0) -> Rehearsal:
    """Play one episode and grade it. A fault of the machine or of the specification is an error, never a zero."""
    if line.episode is None:
        raise ValueError(f"'{line.id}' is a question, not an episode")
    begun = time.monotonic()
    environment = registry.create(line.episode.environment)
    try:
        result = await _play(line, line.episode, policy, environment, seed)
    except (InfrastructureError, SpecError) as error:
        result = Rehearsal(line.id, Verdict.unscored("the episode could not be played"), error=str(error))
    finally:
        await environment.close()
    return Rehearsal(**{**vars(result), "seconds": time.monotonic() - begun})


async def _play(line: ReferenceLine, episode: Episode, policy: Policy, world: Environment, seed: int) -> Rehearsal:
    seen = await world.reset(dict(episode.spec), seed)
    finish: FinishReason | None = None
    answer: str | None = None
    steps = 0
    while finish is None and steps < episode.steps and (action := policy(seen, steps)) is not None:
        result = await world.step(action)
        seen, finish, answer, steps = result.observation, result.finish, result.answer, steps + 1
    evidence = await world.probe([Probe.model_validate(probe.model_dump()) for probe in episode.probes])
    verdict = grade(Answer(text=answer, evidence=tuple(map(_evidence, evidence))), line.reference)
    return Rehearsal(line.id, verdict, finish, answer, steps)


def _evidence(seen: Seen) -> Evidence:
    return Evidence.model_validate(seen.model_dump())


async def rehearse_all(
    lines: Sequence[ReferenceLine], policy: Callable[[ReferenceLine], Policy], *, at_once: int = 4, seed: int = 0
) -> list[Rehearsal]:
    """Play many episodes, `at_once` of them at a time; results in the order of `lines`."""
    slots = asyncio.Semaphore(at_once)

    async def one(line: ReferenceLine) -> Rehearsal:
        async with slots:
            return await rehearse(line, policy(line), seed=seed)

    return await gathered(one(line) for line in lines)


async def gathered(work: Iterable[Awaitable[Rehearsal]]) -> list[Rehearsal]:
    """Results of all, in order."""
    return list(await asyncio.gather(*work))


def episodes(
    problems: Iterable[Problem], references: Iterable[ReferenceLine], split: str | None = None
) -> list[ReferenceLine]:
    """The secret sides of the episodes of one split, or of all."""
    wanted = {problem.id for problem in problems if problem.episode and split in (None, problem.split)}
    return [line for line in references if line.id in wanted]


def passed(results: Iterable[Rehearsal]) -> int:
    """How many episodes got full credit."""
    return sum(result.verdict.outcome is Outcome.CORRECT for result in results)
