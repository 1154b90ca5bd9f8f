"""Whether the gold of episodes is sound: it is played, and so is a participant who does nothing."""

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from api.admission import rehearse
from envs import engine, registry
from envs.base import Evidence, InfrastructureError, Probe
from grading.verdict import Outcome
from packs.benchmark import Benchmark
from packs.importers.report import Report
from packs.problem import Problem, ReferenceLine
from packs.write import write_pack

T = TypeVar("T")
AT_ONCE = 4
UNPLAYED = "the gold was not played: with check it is, and what is not sound is left out"


def rows(file: Path) -> list[Any]:
    """What a file holds: the items of a JSON list, one JSON object, or one JSON value a line.

    Raises ValueError, which names the file and the line.
    """
    text = file.read_text(encoding="utf-8-sig")
    try:
        found = json.loads(text)
    except ValueError:
        return [_row(file, number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    return found if isinstance(found, list) else [found]


def _row(file: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise ValueError(f"{file.name}:{number} is no JSON: {error}") from None


def playable(environment: str, spec: dict[str, Any]) -> str:
    """Why episodes cannot be played on this machine; empty where they can."""

    async def attempt() -> str:
        world = registry.create(environment)
        try:
            await world.reset(spec, 0)
        except InfrastructureError as error:
            return str(error)
        finally:
            await world.close()
            await engine.close()
        return ""

    return run(attempt())


def plays(check: bool | None, environment: str, spec: dict[str, Any], report: Report) -> bool:
    """Whether golds are to be played: as asked, or, asked for nothing, where this machine can. If not, a note."""
    if check is None:
        why = playable(environment, spec)
        if why:
            report.notes.append(f"{UNPLAYED}; this machine cannot play it: {why}")
        return not why
    if not check:
        report.notes.append(UNPLAYED)
    return check


def known_mode(mode: str) -> None:
    """Raises ValueError for a mode that is neither "fixed" nor "published"."""
    if mode not in ("fixed", "published"):
        raise ValueError(f"there is no mode '{mode}'; known are fixed and published")


def keep_sound(
    lines: Sequence[ReferenceLine], report: Report, *, exclude: bool, seed: int = 0, times: int = 2
) -> list[ReferenceLine]:
    """The episodes whose oracle gets full credit, `times` under different seeds, and whose idle participant gets none.

    The others are told in the report; with `exclude` they are left out.
    """
    kept = []
    played = run(_played(lines, seed, times)) if lines else ()
    for line, *results in zip(lines, *played, strict=True):
        found = _unsound(results[1:], results[0])
        if found is None:
            kept.append(line)
            continue
        (report.exclude if exclude else report.mark)(line.id, *found)
        if not exclude:
            kept.append(line)
    return kept


def write_kept(
    out: Path,
    card: Callable[[list[Problem]], Benchmark],
    problems: Iterable[Problem],
    references: Sequence[ReferenceLine],
    report: Report,
) -> list[Problem]:
    """Write the pack of the problems that still have a reference, which are returned; `card` makes their card.

    Raises FileExistsError.
    """
    ids = {line.id for line in references}
    kept = [problem for problem in problems if problem.id in ids]
    report.kept = len(kept)
    write_pack(out, card(kept), kept, references)
    return kept


def _unsound(gold: Sequence[rehearse.Rehearsal], idle: rehearse.Rehearsal) -> tuple[str, str] | None:
    for result in gold:
        if result.error is not None:
            return "broken", f"it cannot be built: {result.error}"
        if result.verdict.outcome is not Outcome.CORRECT:
            return "gold fails", f"its own gold is {result.verdict.outcome}: {result.verdict.reason}"
    if idle.verdict.outcome is Outcome.CORRECT:
        return "idle passes", "a participant who does nothing passes"
    return None


async def _played(lines: Sequence[ReferenceLine], seed: int, times: int) -> list[list[rehearse.Rehearsal]]:
    """The idle participant's episodes, then the oracle's as often as asked."""
    try:
        idle = await rehearse.rehearse_all(lines, lambda _: rehearse.null, seed=seed)
        gold = [await rehearse.rehearse_all(lines, rehearse.gold, seed=seed + number) for number in range(times)]
    finally:
        await engine.close()
    return [idle, *gold]


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from code that is not asynchronous, wherever that is called from."""
    box: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            box.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            failure.append(error)

    thread = threading.Thread(target=target, name="health-check")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return box[0]


def queried(asked: Sequence[tuple[ReferenceLine, str]]) -> list[Evidence]:
    """What a query gives over the tables that each database episode starts with."""
    return run(_queried(asked)) if asked else []


async def _queried(asked: Sequence[tuple[ReferenceLine, str]]) -> list[Evidence]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(line: ReferenceLine, statement: str) -> Evidence:
        async with slots:
            return await _query(line, statement)

    try:
        return list(await asyncio.gather(*(one(line, statement) for line, statement in asked)))
    finally:
        await engine.close()


async def _query(line: ReferenceLine, statement: str) -> Evidence:
    if line.episode is None:
        raise ValueError(f"'{line.id}' is a question, not an episode")
    episode = line.episode

    async def attempt() -> Evidence:
        world = registry.create(episode.environment)
        try:
            await world.reset(dict(episode.spec), 0)
            return (await world.probe([Probe(name="query", type="query", arguments={"statement": statement})]))[0]
        finally:
            await world.close()

    return await rehearse.steadily(attempt)
