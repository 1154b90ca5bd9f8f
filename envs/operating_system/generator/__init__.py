"""Fresh operating-system problems: questions about files whose answers are computed here while the files are drawn,
and tasks whose result is checked on the machine. Every value is drawn from the seed.

The oracle solves each problem with shell commands, so that playing it compares two ways to the gold.
"""

import random
from collections.abc import Sequence
from typing import Any

from envs.operating_system.generator.tasks import TEMPLATES, Task
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 8
SECONDS = 1800


def generate(*, seed: int, count: int = 24, split: str = "test", slug: str = "live-os") -> DraftPack:
    """A pack of `count` fresh problems; the same for the same seed. Every split but "dev" is private.

    Every oracle is to be played (it needs a sandbox); a problem whose gold is not sound is left out.
    """
    report = Report(f"operating system, seed {seed}", read=count)
    problems, references = [], []
    for number in range(count):
        # Seeds of random.Random may be texts: the same on every machine and version.
        task = TEMPLATES[number % len(TEMPLATES)](random.Random(f"os {seed} {number}"))
        problem, line = _built(task, f"{slug}-{number:04d}", split)
        problems.append(problem)
        references.append(line)

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: operating system",
            summary="Fresh problems on a Linux machine: questions about it, and tasks whose result is checked.",
            card=_CARD.format(count=len(kept)),
            scoring=Scoring(),
        )

    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed))


def _built(task: Task, id_: str, split: str) -> tuple[Problem, ReferenceLine]:
    oracle: list[dict[str, Any]] = [{"tool": {"name": "bash_action", "arguments": {"script": task.solve}}}]
    probes: tuple[Probe, ...] = ()
    if task.answer is not None:
        check = {"compare": task.compare, "right": {"source": "text", "text": task.answer}}
        reference: dict[str, Any] = {"kind": "commands", "checks": [check]}
        oracle.append({"tool": {"name": "answer_action", "arguments": {"answer": "{{output}}"}}})
    else:
        scripts = [*task.checks, *(script for script, _ in task.prints)]
        probes = tuple(
            Probe(name=f"check-{n}", kind="check", arguments={"script": {"code": code}})
            for n, code in enumerate(scripts)
        )
        reference = {"kind": "commands", "succeeds": [probe.name for probe in probes[: len(task.checks)]]}
        printed = zip(probes[len(task.checks) :], task.prints, strict=True)
        if task.prints:
            reference["checks"] = [_prints(probe.name, text) for probe, (_, text) in printed]
        oracle.append({"tool": {"name": "finish_action", "arguments": {"thought": "done"}}})
    spec: dict[str, Any] = {"problem": task.statement, "turns": TURNS}
    spec |= {"init": [{"code": "set -e\n" + "\n".join(task.init)}]} if task.init else {}
    spec |= {"start": task.start} if task.start else {}
    episode = Episode(environment="operating_system", spec=spec, probes=probes, steps=TURNS, seconds=SECONDS)
    problem = Problem(
        id=id_, split=split, type="operating_system", subject=task.kind, statement=task.statement, episode=True
    )
    return problem, ReferenceLine(id=id_, reference=reference, episode=episode, oracle=tuple(oracle))


def _prints(probe: str, text: str) -> dict[str, Any]:
    return {
        "compare": "integer",
        "left": {"source": "probe", "probe": probe},
        "right": {"source": "text", "text": text},
    }


_CARD = """\
{count} problems on a Linux machine with a bash shell, eight turns each. Questions have one right answer, computed while
the files were drawn; tasks are checked with the machine's own tools after the participant's processes were stopped.

All names and numbers are drawn from a seed: another seed gives a test set that nobody has seen.
"""
