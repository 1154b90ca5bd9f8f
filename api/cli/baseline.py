"""`baseline`: what a scripted participant scores on a pack, through the public API of a throw-away instance."""

import asyncio
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer

import heldout
from api.cli import playing
from api.cli.common import console, fail, run
from api.cli.policies import POLICIES
from api.cli.throwaway import Throwaway, throwaway, unlimited
from envs import registry
from packs.pack import Pack
from packs.problem import Problem
from packs.read import read_pack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(baseline)


def baseline(
    pack: Annotated[Path, typer.Option(help="folder of the pack")],
    policy: Annotated[str, typer.Option(help=f"one of: {', '.join(POLICIES)}")] = "gold",
    split: Annotated[str | None, typer.Option(help="one split; default all")] = None,
    limit: Annotated[int | None, typer.Option(help="at most so many problems", min=1)] = None,
    seed: Annotated[int, typer.Option(help="seed of the random policy")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="only the JSON object")] = False,
) -> None:
    """Play a scripted participant against a pack before it is published; the last line is one JSON object."""
    if policy not in POLICIES:
        fail(f"unknown policy '{policy}'; known are: {', '.join(POLICIES)}")
    checked = _checked(pack, split)
    problems = [p for p in checked.problems if split in (None, p.split)][:limit]
    result = run(play(checked, policy, problems, seed))
    if not as_json:
        console.print(f"{policy} on {checked.benchmark.slug}: {result['score']} over {result['n']} problems")
        for kind, part in result["by_kind"].items():
            console.print(f"  {kind:24} {part['n']:6} {part['score']}", highlight=False)
    typer.echo(json.dumps(result, ensure_ascii=False))


def _checked(path: Path, split: str | None) -> Pack:
    async def read() -> Pack:
        return unlimited(read_pack(path, registry))

    pack = run(read())
    if split is not None and split not in pack.benchmark.splits:
        fail(f"the pack has no split '{split}'; it has: {', '.join(pack.benchmark.splits)}")
    return pack


async def play(pack: Pack, policy: str, problems: list[Problem], seed: int = 0) -> dict[str, Any]:
    """Play a policy on a throw-away instance; the report of `report`."""
    async with throwaway(pack) as running:
        known = await running.known()
        items = POLICIES[policy]([known[problem.id] for problem in problems], seed)
        aliases = {name: item.alias for name, item in known.items()}
        verdicts: dict[str, Any] = {}
        for name in pack.benchmark.splits:
            answers = {p.id: items[p.id] for p in problems if p.split == name and p.id in items}
            if not answers:
                continue
            if any(playing.is_live(item) for item in answers.values()):
                submission = await playing.play(running, name, aliases, answers)
            else:
                submission = await asyncio.to_thread(_submit, running, pack, name, aliases, answers)
            await running.until_graded(submission)
            verdicts |= await running.verdicts(submission)
    return report(str(pack.path), policy, [p for p in problems if p.id in items], verdicts)


def _submit(running: Throwaway, pack: Pack, split: str, aliases: dict[str, str], items: dict[str, Any]) -> str:
    answers = [{"problem": aliases[name], **fields} for name, fields in items.items()]
    address = running.instance.address
    with heldout.Client(base_url=address, api_key=running.key, benchmark=pack.benchmark.slug) as client:
        if pack.benchmark.splits[split].visibility != "private":
            client.get_problems(split=split).all()
        return client.submit(answers, model="baseline", split=split).id


def report(pack: str, policy: str, problems: list[Problem], verdicts: dict[str, Any]) -> dict[str, Any]:
    """The JSON object: scores count what was scored; what waits for a person is told among the outcomes."""
    outcomes: Counter[str] = Counter()
    by_kind: dict[str, list[float]] = defaultdict(list)
    counts: Counter[str] = Counter()
    missed = []
    for problem in problems:
        verdict = verdicts[problem.id]
        outcomes[verdict.outcome] += 1
        counts[problem.type] += 1
        if verdict.score is not None:
            by_kind[problem.type].append(verdict.score)
        if verdict.score is None or verdict.score < 1:
            missed.append(
                {"id": problem.id, "kind": problem.type, "outcome": verdict.outcome, "reason": verdict.reason}
            )
    scores = [score for values in by_kind.values() for score in values]
    return {
        "pack": pack,
        "policy": policy,
        "n": len(problems),
        "score": _mean(scores),
        "outcomes": dict(outcomes),
        "by_kind": {kind: {"n": n, "score": _mean(by_kind[kind])} for kind, n in sorted(counts.items())},
        "not_full": missed,
    }


def _mean(values: list[float]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None
