"""A small AgentBench: a few episodes of each world that is installed, under the slugs of the combined leaderboard."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from api.admission import policies
from envs import base, registry
from heldout.evaluation import Task
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.read import read_pack

PACKS = Path(__file__).parents[2] / "benchmarks"
WORLDS = {
    "os": "live-os",
    "db": "live-db",
    "kg": "live-knowledge-graph",
    "dcg": "live-card-game",
    "ltp": "live-ltp",
    "hh": "live-household",
    "ws": "live-web-shopping",
    "wb": "live-web-browsing",
}
"""The pack that stands for each of the eight; one whose world is not here is not among `packs`."""
TASKS = {
    "os": "os-std",
    "db": "dbbench-std",
    "kg": "kg-std",
    "dcg": "cg-std",
    "ltp": "ltp-std",
    "hh": "alfworld-std",
    "ws": "webshop-std",
    "wb": "m2w-std",
}
"""AgentBench's own names for them."""
SANDBOXED = frozenset({"os", "db"})


def packs(names: Mapping[str, str] | None = None, count: int = 2) -> dict[str, Pack]:
    """The first `count` episodes of each pack that is there, by the part's name, as `agentbench-NAME`."""
    folders = {part: PACKS / name for part, name in (names or WORLDS).items()}
    return {part: _small(folder, f"agentbench-{part}", count) for part, folder in folders.items() if folder.is_dir()}


def _small(folder: Path, slug: str, count: int) -> Pack:
    whole = read_pack(folder, registry)
    head = whole.benchmark.model_copy(update={"slug": slug})
    # The steps of one task ask the same, and an agent that knows the golds goes by what is asked.
    problems = list({problem.statement: problem for problem in reversed(whole.problems)}.values())[::-1][:count]
    references = [whole.reference_by_id[problem.id] for problem in problems]
    return replace(whole, benchmark=head, problems=tuple(problems), references=tuple(references))


class Knowing:
    """An agent that knows every gold: the oracle of the episode that asks what it is asked."""

    def __init__(self, known: Mapping[str, Pack]) -> None:
        self.known: dict[str, ReferenceLine] = {}
        for pack in known.values():
            self.known |= {p.statement: pack.reference_by_id[p.id] for p in pack.problems}
        self.asked: list[str] = []

    def __call__(self, task: Task) -> str | None:
        session = task.session
        assert session is not None
        self.asked.append(task.id)
        policy, number = policies.gold(self.known[session.instruction]), 0
        while not session.over and (action := policy(_observed(session.observation), number)):
            number += 1
            session.step(action.model_dump(mode="json", exclude_none=True))
        return session.answer


def _observed(observation: Any) -> base.Observation:
    return base.Observation(text=observation.text, data=observation.data)
