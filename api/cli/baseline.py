"""`baseline`: what a scripted participant scores on a pack, through the public API of a throw-away instance."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

import heldout
from api.admission.baselines import BASELINES, Item
from api.admission.simulation import score_answers
from api.cli.baselines.participant import Participant, Run
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.cli.common import console, fail, run
from api.submissions.repository import NamedVerdict
from envs import registry
from envs.base import FinishReason
from grading import Outcome
from packs.benchmark import Visibility
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from packs.read import read_pack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(baseline)


def baseline(
    pack: Annotated[Path, typer.Option(help="folder of the pack")],
    policy: Annotated[str, typer.Option(help=f"one of: {', '.join(BASELINES)}")] = "gold",
    split: Annotated[str | None, typer.Option(help="one split; default all")] = None,
    limit: Annotated[int | None, typer.Option(help="at most so many problems", min=1)] = None,
    seed: Annotated[int, typer.Option(help="seed of the random policy")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="only the JSON object")] = False,
) -> None:
    """Play a scripted participant against a pack before it is published; the last line is one JSON object."""
    if policy not in BASELINES:
        fail(f"unknown policy '{policy}'; known are: {', '.join(BASELINES)}")
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
    """Play a baseline on a throw-away instance; the report of `report`."""
    async with throwaway(pack) as running:
        key = await running.answer_key()
        items = BASELINES[policy]([key[problem.id] for problem in problems], seed)
        aliases = {name: item.alias for name, item in key.items()}
        verdicts: dict[str, NamedVerdict] = {}
        for split in pack.benchmark.splits:
            mine = {p.id: items[p.id] for p in problems if p.split == split and p.id in items}
            if mine:
                verdicts |= await _verdicts(running, pack, split, aliases, mine)
    return report(str(pack.path), policy, [p for p in problems if p.id in items], verdicts)


async def _verdicts(
    running: Throwaway, pack: Pack, split: str, aliases: Mapping[str, str], items: Mapping[str, Item]
) -> dict[str, NamedVerdict]:
    """One run over one split. What could not be played is unscored, with the reason."""
    if any(item.live for item in items.values()):
        async with running.client() as client:
            run = await Participant(client, aliases).run(running.slug, split, items)
    else:
        run = Run(await _submit(running, pack, split, aliases, items), {})
    await running.until_graded(run.submission)
    verdicts = await running.verdicts(run.submission)
    for name, verdict in verdicts.items():
        if verdict.finish_reason == FinishReason.INFRASTRUCTURE_ERROR:
            run.unplayed.setdefault(name, verdict.reason or "")
    for name, reply in run.unplayed.items():
        verdicts[name] = NamedVerdict(
            name, None, Outcome.UNSCORED.value, await _why(pack.reference_by_id[name]) or reply
        )
    return verdicts


async def _why(line: ReferenceLine) -> str | None:
    """Why an episode cannot be played, which the service keeps to itself: it is tried here. None: here it can."""
    return (await score_answers(line, [None]))[0].error


async def _submit(
    running: Throwaway, pack: Pack, split: str, aliases: Mapping[str, str], items: Mapping[str, Item]
) -> str:
    answers = [{"problem": aliases[name], **item.posted()} for name, item in items.items()]
    address = running.instance.address
    async with heldout.AsyncClient(base_url=address, api_key=running.key, benchmark=running.slug) as client:
        if pack.benchmark.splits[split].visibility is not Visibility.PRIVATE:
            await client.get_problems(split=split).all()
        return (await client.submit(answers, model="baseline", split=split)).id


def report(pack: str, policy: str, problems: list[Problem], verdicts: Mapping[str, NamedVerdict]) -> dict[str, Any]:
    """The JSON object: scores count what was scored; what waits for a person is counted among the outcomes."""
    outcomes: Counter[str] = Counter()
    by_kind: dict[str, list[float]] = defaultdict(list)
    counts: Counter[str] = Counter()
    missed = []
    for problem in problems:
        verdict = verdicts[problem.id]
        outcomes[verdict.outcome or Outcome.UNSCORED.value] += 1
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
