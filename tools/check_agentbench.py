"""Play AgentBench's worlds, public samples and fresh ones, and print one table: `python -m tools.check_agentbench`.

In mode "fixed", and of generated sets, what is unsound is left out; in mode "published" nothing is looked at. The gold
plays three times, eight sessions at once; the null participant, the one that repeats what it is shown and the random
one play once. `opening` is the median of 20; CPU is that of this process, for a step of the gold's first run; memory is
what each of eight open sessions adds to Python's objects here and to the resident memory of child processes.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from api.admission import policies, random_player, simulation, soundness
from api.admission.player import Policy
from envs import engine
from envs import registry as environments
from grading.verdict import Outcome
from packs import registry
from packs.problem import ReferenceLine
from packs.read import read_pack

AT_ONCE, OPENINGS, RUNS, SEED, COUNT = 8, 20, 3, 20261122, 100
COLUMNS = ("world", "set", "mode", "items", "gold (full)", "3 runs", "null", "echo", "random")
COSTS = ("opening p50, ms", "CPU a step, ms", "MB a session")


@dataclass(frozen=True)
class Set:
    """Samples of a world: a file or folder of published ones for an importer, or (without) what its generator makes."""

    world: str
    importer: str = ""
    source: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


SETS = (
    Set("operating-system", "agentbench-os", "data/agentbench/os_interaction/dev.json"),
    Set("operating-system", "agentbench-os", "data/agentbench/os_interaction/group7.json"),
    Set("operating-system"),
    Set("database", "agentbench-db", "data/agentbench/dbbench/dev.jsonl"),
    Set("database", "agentbench-db", "data/agentbench/dbbench/standard_half.jsonl"),
    Set("database"),
    Set("knowledge-graph", "agentbench-kg", "data/agentbench/knowledgegraph/dev.json"),
    Set("knowledge-graph", "agentbench-kg", "data/agentbench/knowledgegraph/std_half.json"),
    Set("knowledge-graph"),
    Set("card-game", "agentbench-dcg", "upstream/agentbench", {"part": "dev"}),
    Set("card-game", "agentbench-dcg", "upstream/agentbench", {"part": "std"}),
    Set("card-game"),
    Set("lateral-thinking", "agentbench-ltp", "data/agentbench/lateralthinkingpuzzle/dev.xlsx"),
    Set("lateral-thinking", "agentbench-ltp", "data/agentbench/lateralthinkingpuzzle/standard.xlsx"),
    Set("lateral-thinking"),
    Set("household", "agentbench-hh", "data/agentbench/alfworld/dev.json"),
    Set("household", "agentbench-hh", "data/agentbench/alfworld/standard.json"),
    Set("household"),
    Set("web-shopping", "agentbench-ws", "data/agentbench/webshop"),
    Set("web-shopping"),
    Set("web-browsing"),
)
Participant = Callable[[ReferenceLine], Policy]
PARTICIPANTS: dict[str, Participant] = {
    "null": lambda _: policies.null,
    "echo": lambda _: policies.echo,
    "random": lambda line: random_player.player(line.id),
}


async def _row(lines: Sequence[ReferenceLine]) -> list[str]:
    try:
        begun = time.process_time()
        first = await _played(lines, policies.gold)
        cpu = 1000 * (time.process_time() - begun) / max(1, sum(item.steps for item in first))
        runs = [first, *[await _played(lines, policies.gold) for _ in range(RUNS - 1)]]
        verdicts = zip(*([item.verdict.model_dump_json() for item in run] for run in runs), strict=True)
        differ = [item.id for item, several in zip(first, verdicts, strict=True) if len(set(several)) > 1]
        same = f"DIFFER: {', '.join(differ)}" if differ else "identical"
        full = sum(item.verdict.outcome is Outcome.CORRECT for item in runs[0])
        cells = [str(len(lines)), f"{_mean(runs[0])} ({full})", same]
        cells += [_mean(await _played(lines, policy)) for policy in PARTICIPANTS.values()]
        return [*cells, f"{await _opening(lines):.1f}", f"{cpu:.1f}", f"{await _memory(lines):.1f}"]
    finally:
        await environments.close()
        await engine.close()


async def _played(
    lines: Sequence[ReferenceLine], policy: Callable[[ReferenceLine], Policy]
) -> list[simulation.Simulation]:
    return await simulation.simulate_episodes(lines, policy, seed=3, at_once=AT_ONCE)


def _mean(run: Sequence[simulation.Simulation]) -> str:
    scores = [item.verdict.score for item in run if item.verdict.score is not None]
    unscored = len(run) - len(scores)
    return (f"{sum(scores) / len(scores):.3f}" if scores else "-") + (f", {unscored} unscored" if unscored else "")


async def _opening(lines: Sequence[ReferenceLine]) -> float:
    """The median, ms."""
    taken = []
    for number in range(OPENINGS):
        episode = lines[number % len(lines)].episode
        assert episode
        environment = environments.create(episode.environment)
        begun = time.perf_counter()
        await environment.reset(dict(episode.spec), number)
        taken.append(1000 * (time.perf_counter() - begun))
        await environment.close()
    return statistics.median(taken)


async def _memory(lines: Sequence[ReferenceLine]) -> float:
    """What each of AT_ONCE open sessions adds, MB."""
    tracemalloc.start()
    before, opened = _children(), []
    for number in range(AT_ONCE):
        episode = lines[number % len(lines)].episode
        assert episode
        opened.append(environments.create(episode.environment))
        await opened[-1].reset(dict(episode.spec), number)
    added = _children() - before + tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    for environment in opened:
        await environment.close()
    return max(0.0, added / AT_ONCE / 1e6)


def _children() -> float:
    """Their resident memory, bytes."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total


def check(chosen: Set, shared: Path, mode: str) -> str:
    """The row of a set. Raises ValueError, OSError and what importers raise."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pack"
        fixed = mode != "published"
        if chosen.importer:
            options = {"mode": mode, **chosen.options}
            soundness.convert(chosen.importer, shared / chosen.source, out, options, check=fixed)
        else:
            soundness.generate(chosen.world, out, {"seed": SEED, "count": COUNT, "split": "dev"})
        lines = list(read_pack(out, environments).references)
        name = " ".join((Path(chosen.source).name, *chosen.options.values())) if chosen.importer else f"seed {SEED}"
        return f"| {chosen.world} | {name} | {mode} | {' | '.join(asyncio.run(_row(lines)))} |"


def main() -> int:
    """Exit status 1 where a row could not be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, help="the folder that holds data/agentbench and upstream/agentbench")
    parser.add_argument("--world", action="append", help="these alone")
    given = parser.parse_args()
    failed = 0
    for chosen in SETS:
        if given.world and chosen.world not in given.world:
            continue
        for mode in ("fixed", "published") if chosen.importer else ("generated",):
            failed += _printed(chosen, given.shared, mode)
    return int(failed > 0)


def _printed(chosen: Set, shared: Path, mode: str) -> int:
    missing = "" if chosen.importer else chosen.world not in registry.generators() and "no such generator"
    if chosen.importer and not (shared / chosen.source).exists():
        missing = f"{chosen.source} is not there"
    try:
        row = f"{chosen.world}, {mode}: {missing}" if missing else check(chosen, shared, mode)
    except Exception as error:
        sys.stdout.write(f"{chosen.world}, {chosen.source} {mode}: {type(error).__name__}: {error}\n")
        return 1
    sys.stdout.write(row + "\n")
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    names = (*COLUMNS, *COSTS)
    sys.stdout.write(f"| {' | '.join(names)} |\n|{' --- |' * len(names)}\n")
    raise SystemExit(main())
