"""Fresh households: rooms, things and goals drawn from a seed, each solved by search before it is given out."""

import random
from collections import Counter
from collections.abc import Sequence

from envs.household.generator.rooms import ROOMS, Room, draw_room
from envs.household.generator.solve import Solution, shortest
from envs.household.generator.tasks import TEMPLATES, Task
from envs.household.goal import Goal
from envs.household.spec import HouseholdSpec
from envs.household.world import World
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 35
SECONDS = 1800
TRIES = 100


def generate(*, seed: int, count: int = 18, split: str = "test", slug: str = "live-household") -> DraftPack:
    """A pack of `count` fresh problems; the same for the same seed. Every split but "dev" is private.

    The types of tasks take turns. A problem's `type` tells its difficulty, by the length of a shortest solution:
    `household_short` up to 5 actions, `household_middle` up to 8, `household_long` beyond.
    """
    report = Report(f"household, seed {seed}", read=count)
    problems, references, lengths = [], [], {}
    for number in range(count):
        room, task, solution = _drawn(seed, number)
        problem, line = _built(room, task, solution, f"{slug}-{number:04d}", split)
        problems.append(problem)
        references.append(line)
        lengths[problem.id] = len(solution.commands)

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: household",
            summary="Tasks in fresh rooms that are told in words.",
            card=_CARD.format(count=len(kept)),
            scoring=Scoring(),
        )

    def notes(kept: Sequence[Problem]) -> list[str]:
        found = sorted(Counter(lengths[problem.id] for problem in kept).items())
        return ["shortest solutions: " + ", ".join(f"{length} actions {times}" for length, times in found)]

    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed), notes=notes)


def _drawn(seed: int, number: int) -> tuple[Room, Task, Solution]:
    """A room and a task in it that is not done yet and can be done. Raises ValueError where none is found."""
    template = list(TEMPLATES.values())[number % len(TEMPLATES)]
    for attempt in range(TRIES):
        draw = random.Random(f"household {seed} {number} {attempt}")
        room = draw_room(draw, draw.choice(sorted(ROOMS)))
        task = template(draw, room)
        if task is None:
            continue
        world = World(room.facts)
        if Goal(task.goal, task.distinct).holds(world.facts(world.start())):
            continue
        solution = shortest(room.facts, task.goal, task.distinct)
        if solution is not None and len(solution.commands) >= 3:
            return room, task, solution
    raise ValueError(f"no room was found for task {number} of seed {seed} in {TRIES} tries")


def difficulty(length: int) -> str:
    """The difficulty of a problem by the number of actions in its shortest solution."""
    return "short" if length <= 5 else "middle" if length <= 8 else "long"


def _built(room: Room, task: Task, solution: Solution, id_: str, split: str) -> tuple[Problem, ReferenceLine]:
    fields = {"facts": room.facts, "goal": task.goal, "distinct": task.distinct, "task": task.text, "turns": TURNS}
    spec = HouseholdSpec.model_validate(fields)
    seen = Probe(name="facts", kind="facts", arguments={"predicates": sorted({pattern[0] for pattern in task.goal})})
    problem = Problem(
        id=id_,
        split=split,
        type=f"household_{difficulty(len(solution.commands))}",
        subject=task.kind,
        statement=f"In a {room.kind} told in words: {task.text}",
        episode=True,
    )
    line = ReferenceLine(
        id=id_,
        reference={
            "kind": "facts",
            "goal": [list(pattern) for pattern in task.goal],
            "distinct": [list(pair) for pair in task.distinct],
        },
        episode=Episode(
            environment="household",
            spec=spec.model_dump(mode="json", exclude_defaults=True),
            probes=(seen,),
            steps=TURNS,
            seconds=SECONDS,
        ),
        oracle=tuple({"text": f"ACTION: {command}"} for command in solution.commands),
    )
    return problem, line


_CARD = """\
{count} tasks in kitchens, studies, bathrooms and workshops that nobody has seen, told in words, 35 turns each: the six
types of task of ALFWorld's games, and three more (two things together, a clean thing under a lamp, a thing clean and
hot or cool). Every task was solved by search; a shortest solution is known. The score is the share of tasks done.

All rooms are drawn from a seed: another seed gives a test set that nobody has seen.
"""
