"""Play episodes of a pack here, without the service: for owners before a release, and for tests.

An oracle's action may hold in any of its texts, resolved against the last observation: `{{output}}`, what the last
action printed (the `output` of its data); `{{element link 'Orders'}}`, the number of the first element of that role and
name (`{{element link 'Orders' 2}}`: of the second); `{{site shop}}`, the address of one of the session's sites.
"""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from pydantic import JsonValue

from envs import base, registry
from envs.base import Action, Environment, FinishReason, InfrastructureError, Observation, Probe, SpecError
from grading.answer import Answer, Evidence
from grading.registry import grade
from grading.verdict import Outcome, Verdict
from packs.problem import Episode, Problem, ReferenceLine

OUTPUT = "{{output}}"
_PAUSES = (1.0, 5.0)
log = structlog.get_logger(__name__)
ELEMENT = re.compile(r"\{\{element (\w+) '(.*?)'(?: (\d+))?\}\}")
SITE = re.compile(r"\{\{site (\w+)\}\}")
T = TypeVar("T")
Policy = Callable[[Observation, int], Action | None]
"""Gives the next action for the last observation and the number of the step (from 0); None ends the episode."""


@dataclass(frozen=True)
class Rehearsal:
    """How one episode went. `error` is set when it could not be played; the verdict is then `unscored`.

    `evidence` is what the probes saw, so that other answers and references can be graded on the same end.
    """

    id: str
    verdict: Verdict
    finish: FinishReason | None = None
    answer: str | None = None
    steps: int = 0
    seconds: float = 0.0
    error: str | None = None
    evidence: tuple[Evidence, ...] = ()


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


def has_places(actions: Any) -> bool:
    """Whether actions can only be known once the observations before them are."""
    text = json.dumps(actions, ensure_ascii=False)
    return OUTPUT in text or bool(ELEMENT.search(text) or SITE.search(text))


def resolve(action: dict[str, JsonValue], seen: Observation) -> Action:
    """An oracle's action with its places filled in; one that cannot be found stays as text, which no action takes."""
    return Action.model_validate(_replaced(action, seen))


def _replaced(value: Any, seen: Observation) -> Any:
    if isinstance(value, str):
        value = value.replace(OUTPUT, str(seen.data.get("output") or "").strip())
        value = ELEMENT.sub(lambda match: _element(seen.text, match), value)
        return SITE.sub(lambda match: _site(seen, match), value)
    if isinstance(value, list):
        return [_replaced(item, seen) for item in value]
    if isinstance(value, dict):
        return {key: _replaced(item, seen) for key, item in value.items()}
    return value


def _element(text: str, wanted: re.Match[str]) -> str:
    line = re.compile(rf"^\t*\[(\d+)\] {re.escape(wanted[1])} {re.escape(repr(wanted[2]))}(?: |$)", re.MULTILINE)
    found = line.findall(text)
    place = int(wanted[3] or 1) - 1
    return str(found[place]) if place < len(found) else f"no {wanted[1]} {wanted[2]!r} is shown"


def _site(seen: Observation, wanted: re.Match[str]) -> str:
    sites = seen.data.get("sites")
    return str(sites.get(wanted[1], wanted[0])) if isinstance(sites, dict) else wanted[0]


async def rehearse(line: ReferenceLine, policy: Policy, *, seed: int = 0) -> Rehearsal:
    """Play one episode and grade it. A fault of the machine or of the specification is an error, never a zero.

    A fault of the machine is tried again: it says nothing about the episode.
    """
    return (await _in_a_world(line, lambda episode, world: _play(line, episode, policy, world, seed)))[0]


async def claim(line: ReferenceLine, answers: Sequence[str | None], *, seed: int = 0) -> list[Rehearsal]:
    """What each answer is worth to a participant that gives it at once and does nothing; one world for all."""
    return await _in_a_world(line, lambda episode, world: _claim(line, episode, answers, world, seed))


async def _in_a_world(
    line: ReferenceLine, work: Callable[[Episode, Environment], Awaitable[list[Rehearsal]]]
) -> list[Rehearsal]:
    if line.episode is None:
        raise ValueError(f"'{line.id}' is a question, not an episode")
    begun, episode = time.monotonic(), line.episode

    async def attempt() -> list[Rehearsal]:
        environment = registry.create(episode.environment)
        try:
            return await work(episode, environment)
        finally:
            await environment.close()

    try:
        results = await steadily(attempt)
    except (InfrastructureError, SpecError) as error:
        results = [Rehearsal(line.id, Verdict.unscored("the episode could not be played"), error=str(error))]
    return [Rehearsal(**{**vars(result), "seconds": time.monotonic() - begun}) for result in results]


async def steadily(attempt: Callable[[], Awaitable[T]]) -> T:
    """What `attempt` gives, after faults of the machine tried again. Raises the last InfrastructureError."""
    for pause in _PAUSES:
        try:
            return await attempt()
        except InfrastructureError as error:
            log.info("episode.fault", error=type(error).__name__, why=str(error)[:200])
            await asyncio.sleep(pause)
    return await attempt()


async def _claim(
    line: ReferenceLine, episode: Episode, answers: Sequence[str | None], world: Environment, seed: int
) -> list[Rehearsal]:
    await world.reset(dict(episode.spec), seed)
    evidence = await _looked(world, episode)
    done = FinishReason.COMPLETED
    return [Rehearsal(line.id, judged(line, text, evidence), done, text, evidence=evidence) for text in answers]


def judged(line: ReferenceLine, text: str | None, evidence: tuple[Evidence, ...]) -> Verdict:
    """The verdict on an answer and on what an episode left."""
    return grade(Answer(text=text, evidence=evidence), line.reference)


async def _looked(world: Environment, episode: Episode) -> tuple[Evidence, ...]:
    seen = await world.probe([Probe.model_validate(probe.model_dump()) for probe in episode.probes])
    return tuple(map(_evidence, seen))


async def _play(
    line: ReferenceLine, episode: Episode, policy: Policy, world: Environment, seed: int
) -> list[Rehearsal]:
    seen = await world.reset(dict(episode.spec), seed)
    finish: FinishReason | None = None
    answer: str | None = None
    steps = 0
    while finish is None and steps < episode.steps and (action := policy(seen, steps)) is not None:
        result = await world.step(action)
        seen, finish, answer, steps = result.observation, result.finish, result.answer, steps + 1
    evidence = await _looked(world, episode)
    return [Rehearsal(line.id, judged(line, answer, evidence), finish, answer, steps, evidence=evidence)]


def _evidence(seen: base.Evidence) -> Evidence:
    return Evidence.model_validate(seen.model_dump())


async def rehearse_all(
    lines: Sequence[ReferenceLine], policy: Callable[[ReferenceLine], Policy], *, at_once: int = 4, seed: int = 0
) -> list[Rehearsal]:
    """Play many episodes, `at_once` of them at a time; results in the order of `lines`."""
    return await each(lines, lambda line: rehearse(line, policy(line), seed=seed), at_once=at_once)


async def each(
    lines: Sequence[ReferenceLine], work: Callable[[ReferenceLine], Awaitable[T]], *, at_once: int = 4
) -> list[T]:
    """Work on many episodes, `at_once` of them at a time; results in the order of `lines`."""
    slots = asyncio.Semaphore(at_once)

    async def one(line: ReferenceLine) -> T:
        async with slots:
            return await work(line)

    return list(await asyncio.gather(*map(one, lines)))


def episodes(
    problems: Iterable[Problem], references: Iterable[ReferenceLine], split: str | None = None
) -> list[ReferenceLine]:
    """The secret sides of the episodes of one split, or of all."""
    wanted = {problem.id for problem in problems if problem.episode and split in (None, problem.split)}
    return [line for line in references if line.id in wanted]


def passed(results: Iterable[Rehearsal]) -> int:
    """How many episodes got full credit."""
    return sum(result.verdict.outcome is Outcome.CORRECT for result in results)
