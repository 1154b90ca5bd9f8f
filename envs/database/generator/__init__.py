"""Fresh database problems: new tables, questions whose answers are computed here while the server is asked by the
oracle, and changes whose gold statement runs in a server of its own at grading. Every value is drawn from the seed.
"""

import random
from collections.abc import Sequence
from typing import Any

from envs.database.generator.tasks import TEMPLATES, Sheet, Task, sheet
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 15
SECONDS = 1800


def generate(*, seed: int, count: int = 24, split: str = "test", slug: str = "live-db") -> DraftPack:
    """A pack of `count` fresh problems; the same for the same seed. Every split but "dev" is private.

    Every oracle is to be played (it needs a sandbox with MariaDB); a problem whose gold is not sound is left out.
    """
    report = Report(f"database, seed {seed}", read=count)
    problems, references = [], []
    for number in range(count):
        draw = random.Random(f"db {seed} {number}")
        table = sheet(draw)
        problem, line = _built(TEMPLATES[number % len(TEMPLATES)](draw, table), table, f"{slug}-{number:04d}", split)
        problems.append(problem)
        references.append(line)

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: database",
            summary="Fresh tables in a database server of one's own: questions about them, and changes to them.",
            card=_CARD.format(count=len(kept)),
            scoring=Scoring(scheme="macro", by="subject"),
        )

    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed))


def _built(task: Task, table: Sheet, id_: str, split: str) -> tuple[Problem, ReferenceLine]:
    title = table.theme.title
    headers = ", ".join(f"'{column}'" for column in table.columns)
    spec: dict[str, Any] = {
        "problem": task.text,
        "hint": f"The table is called '{title}'; its columns are {headers}.",
        "tables": [{"name": title, "columns": table.columns, "rows": table.rows}],
        "turns": TURNS,
    }
    answers = ["done"] if task.answer is None else ["{{output}}"]
    oracle = (
        {"tool": {"name": "execute_sql", "arguments": {"query": task.gold}}},
        {"tool": {"name": "commit_final_answer", "arguments": {"answers": answers}}},
    )
    probes: tuple[Probe, ...] = ()
    if task.answer is not None:
        reference: dict[str, Any] = {"kind": "table", "task": "answer", "labels": [task.answer]}
    else:
        reference = {"kind": "table", "task": "state", "expected": "gold"}
        seen = Probe(name="table", kind="table", arguments={"table": title})
        gold = Probe(name="gold", kind="gold_table", arguments={"table": title, "statements": [task.gold]})
        probes = (seen, gold)
    episode = Episode(environment="database", spec=spec, probes=probes, steps=TURNS + 1, seconds=SECONDS)
    problem = Problem(
        id=id_,
        split=split,
        type="database_" + task.kind.lower().replace("-", "_"),
        subject="SELECT" if task.answer is not None else task.kind,
        statement=f"{task.text}\n{spec['hint']}",
        episode=True,
    )
    return problem, ReferenceLine(id=id_, reference=reference, episode=episode, oracle=oracle)


_CARD = """\
{count} problems in SQL (MySQL dialect), fifteen statements each, on a MariaDB server that nobody else uses. Questions
have one right value; changes are judged by the table they leave, whatever the order of its rows. The score is the mean
of the accuracies of the categories.

All names and numbers are drawn from a seed: another seed gives a test set that nobody has seen.
"""
