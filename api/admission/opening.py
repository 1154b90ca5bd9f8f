"""Open every task on sites of a pack, take a step in it, and judge it as it stands: unfinished."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from api.admission.judge import judge_episode
from api.admission.player import RunningEpisode, episode_seed
from api.admission.simulation import retry_faults, shown
from envs import registry
from envs.base import Action, FinishReason, SpecError
from envs.web_sites.stand_ins import SiteNeeds, needs_of
from grading.answer import Evidence
from grading.judging.asking import NO_JUDGE
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine

ENVIRONMENT = "web_sites"
STEP = Action(text="scroll [down]")
STAGES = ("opened", "stepped", "judged")
LONGEST_REASON = 300


@dataclass(frozen=True)
class Opened:
    """How far one task came. `waits`: its verdict waits for a judge or a person. `why`: what went wrong."""

    id: str
    sites: tuple[str, ...]
    opened: bool = False
    stepped: bool = False
    judged: bool = False
    waits: bool = False
    score: float | None = None
    why: str = ""
    seconds: float = 0.0


def tasks(pack: Pack) -> list[ReferenceLine]:
    """The pack's tasks on sites."""
    return [line for line in pack.references if line.episode and line.episode.environment == ENVIRONMENT]


def needs(lines: Sequence[ReferenceLine]) -> dict[str, SiteNeeds]:
    """What the tasks name of each site."""
    episodes = [line.episode for line in lines if line.episode]
    return needs_of((one.spec, [(probe.kind, probe.arguments) for probe in one.probes]) for one in episodes)


async def open_all(
    pack: Pack, lines: Sequence[ReferenceLine], at_once: int, report: Callable[[Opened], None]
) -> list[Opened]:
    """Every task, `at_once` of them at a time; `report` gets each as soon as it is done."""
    problems = {problem.id: problem for problem in pack.problems}
    slots = asyncio.Semaphore(at_once)

    async def one(line: ReferenceLine) -> Opened:
        async with slots:
            done = await open_one(line, problems.get(line.id))
        report(done)
        return done

    return list(await asyncio.gather(*map(one, lines)))


async def open_one(line: ReferenceLine, problem: Problem | None = None) -> Opened:
    """One task. What fails is told in the result; a fault of the machine is tried again first."""
    assert line.episode
    episode, begun = line.episode, time.monotonic()
    found = Opened(line.id, tuple(map(str, _listed(episode.spec.get("sites")))))

    async def attempt() -> Opened:
        nonlocal found
        found = replace(found, opened=False, stepped=False)
        running = RunningEpisode(registry.create(episode.environment), episode)
        try:
            await running.reset(episode_seed(line.id.encode()))
            found = replace(found, opened=True)
            result = await running.step(STEP)
            found = replace(found, stepped=result.error is None, why=result.error or "")
            return await _judged(found, line, running, problem)
        finally:
            await running.environment.close()

    try:
        found = await retry_faults(attempt)
    except SpecError as error:
        found = replace(found, why=str(error)[:LONGEST_REASON])
    except Exception as error:  # noqa: BLE001 - whatever an environment raises is told, and the others go on
        found = replace(found, why=(str(error) or type(error).__name__)[:LONGEST_REASON])
    return replace(found, seconds=round(time.monotonic() - begun, 2))


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


async def _judged(found: Opened, line: ReferenceLine, running: RunningEpisode, problem: Problem | None) -> Opened:
    evidence = tuple(Evidence.model_validate(one.model_dump()) for one in await running.probe())
    reason = running.reason(FinishReason.TASK_LIMIT)
    verdict = await judge_episode(line.reference, reason, None, evidence, context=shown(problem))
    waits = verdict.score is None and verdict.reason == NO_JUDGE
    judged = verdict.score is not None or waits
    return replace(
        found,
        judged=judged,
        waits=waits,
        score=verdict.score,
        why=found.why if judged else verdict.reason[:LONGEST_REASON],
    )


def summary(found: Sequence[Opened]) -> dict[str, Any]:
    """Counts over all tasks and by site; a task on several sites counts for each of them."""
    sites = sorted({name for one in found for name in one.sites})
    return {
        **_counts(found),
        "by_site": {name: _counts([one for one in found if name in one.sites]) for name in sites},
    }


def _counts(found: Sequence[Opened]) -> dict[str, int]:
    counted = {stage: sum(getattr(one, stage) for one in found) for stage in STAGES}
    return {"tasks": len(found), **counted, "waits_for_a_judge": sum(one.waits for one in found)}
