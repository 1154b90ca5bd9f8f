"""What knowledge graph sessions cost, and what participants score: `python -m tools.bench_knowledge_graph [--count N]`.

Fresh questions from a seed, and each published file that is named.
"""

import argparse
import asyncio
import gc
import random
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import psutil

from api.admission import policies, random_player, simulation
from api.admission.player import Policy
from envs.base import Action, FinishReason
from envs.knowledge_graph.environment import KnowledgeGraph
from envs.knowledge_graph.generator import generate
from envs.knowledge_graph.importers import agentbench_kg
from packs.cards import fresh_seed
from packs.draft import Mode
from packs.problem import ReferenceLine
from tests.unit.envs.knowledge_graph.wandering import Wanderer

OPEN_AT_ONCE = 300
MODES: tuple[Mode, ...] = ("fixed", "published")


def _wanderer(line: ReferenceLine) -> Policy:
    entities = line.episode.spec.get("entities") if line.episode else None
    return Wanderer(random.Random(line.id), list(entities) if isinstance(entities, dict) else [])


PARTICIPANTS: dict[str, Callable[[ReferenceLine], Policy]] = {
    "gold": policies.gold,
    "null": lambda _: policies.null,
    "echo": lambda _: policies.echo,
    "random": lambda line: random_player.player(line.id),
    "random calls that can be executed": _wanderer,
}


async def scores(name: str, lines: Sequence[ReferenceLine]) -> None:
    """Mean score of each participant; the gold's three times, eight sessions at once."""
    for participant, policy in PARTICIPANTS.items():
        rounds = []
        for _ in range(3 if participant == "gold" else 1):
            played = await simulation.simulate_episodes(lines, policy, at_once=8, seed=3)
            rounds.append([item.verdict.model_dump_json() for item in played])
        mean = sum(item.verdict.score or 0.0 for item in played) / len(played)
        full = sum(item.verdict.score == 1 for item in played)
        same = "" if len(rounds) == 1 else f", {len(rounds)} runs identical: {all(one == rounds[0] for one in rounds)}"
        print(f"{name}, {participant}: mean {mean:.3f}, {full} of {len(played)} in full{same}", flush=True)


async def timed(act: Callable[[], Awaitable[object]]) -> float:
    """Processor time, ms."""
    begun = time.process_time()
    await act()
    return (time.process_time() - begun) * 1000


async def costs(lines: Sequence[ReferenceLine]) -> None:
    """Processor time of an opening and a step, memory of a session that has been played."""
    openings, steps, worlds = [], [], []
    process = psutil.Process()
    gc.collect()
    before = process.memory_info().rss
    for number in range(OPEN_AT_ONCE):
        line = lines[number % len(lines)]
        assert line.episode is not None
        world, spec = KnowledgeGraph(), dict(line.episode.spec)
        openings.append(await timed(lambda world=world, spec=spec: world.reset(spec, 0)))  # type: ignore[misc]
        for action in line.oracle[:-1]:
            reply = Action.model_validate(action)
            steps.append(await timed(lambda world=world, reply=reply: world.step(reply)))  # type: ignore[misc]
        worlds.append(world)
    gc.collect()
    memory = (process.memory_info().rss - before) / OPEN_AT_ONCE / 1024
    print(f"opening: p50 {statistics.median(openings):.2f} ms, largest {max(openings):.2f} ms of processor time")
    print(f"step: p50 {statistics.median(steps):.2f} ms, largest {max(steps):.2f} ms")
    print(f"memory of an open session: {memory:.0f} KB ({OPEN_AT_ONCE} open)")
    last = [await world.step(Action(text="Final Answer: #0")) for world in worlds]
    assert all(one.finish is FinishReason.COMPLETED for one in last)


async def main(files: Sequence[Path], count: int, seed: int) -> None:
    """Print it all."""
    draft = generate(seed=seed, count=count)
    print(f"{count} fresh questions from a seed of {seed.bit_length()} bits")
    await costs(draft.references)
    await scores("fresh", draft.references)
    for file in files:
        for mode in MODES:
            read = agentbench_kg.read(file, mode=mode)
            print(f"{file.name}, {mode}: {read.report.read} read, {len(read.report.excluded)} left out")
            await scores(f"{file.name}, {mode}", read.references)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="published files, with ontology/ beside them")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=None)
    given = parser.parse_args()
    asyncio.run(main(given.files, given.count, fresh_seed() if given.seed is None else given.seed))
