"""From an importer or a generator to a pack: golds are played where that is asked for, what is unsound is left out or
marked, and the rest is written. One way for formats of ours and for those of other distributions.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from api.admission import policies, simulation
from api.admission.simulation import Simulation
from envs import engine
from envs import registry as environments
from envs.base import InfrastructureError, SpecError
from packs import registry
from packs.draft import DraftPack, Examination, Finding, Soundness
from packs.problem import SLUG, Episode, ReferenceLine
from packs.report import Report

UNPLAYED = "the gold was not played: with check it is, and what is not sound is left out"


def convert(
    name: str,
    source: Path,
    out: Path,
    options: Mapping[str, Any],
    check: bool | None = None,
    owner: str | None = None,
) -> Report:
    """Run the importer `name` on `source` and write the pack `out`.

    `check` says whether golds are played; None leaves it to the format and to what this machine can. An importer with
    the option `slug` takes the name of the folder `out` if none is given. `owner` is the short name of the organisation
    in the pack's head, in place of the importer's. Raises ValueError for an option that the importer does not have, for
    an owner that is no short name or for golds that it has none of, and what the importer raises.
    """
    read = registry.importer(name)
    known = registry.options(read)
    if unknown := sorted(set(options) - set(known)):
        raise ValueError(f"'{name}' has no option {', '.join(unknown)}; it has {', '.join(known) or 'none'}")
    if owner is not None and not re.fullmatch(SLUG, owner):
        raise ValueError(f"the owner '{owner}' is no short name: lower-case letters, digits and hyphens, at most 64")
    given = {"slug": out.name} | dict(options) if "slug" in known else dict(options)

    async def draft() -> DraftPack:
        found = await _awaited(read(source, **given))
        if check is not None and found.soundness is None:
            raise ValueError(f"'{name}' has no episodes whose golds could be played; leave --check out")
        if owner is None:
            return found
        return replace(found, card=lambda kept: found.card(kept).model_copy(update={"owner": owner}))

    return write_sound(draft, out, check)


def generate(name: str, out: Path, options: Mapping[str, Any], check: bool = True) -> Report:
    """Run the generator `name` and write the pack `out`; with `check` the golds that it names are played first.

    Options that are None are left to the generator. Raises ValueError for an option that it does not have, and what
    the generator raises.
    """
    make = registry.generator(name)
    given = {key: value for key, value in options.items() if value is not None}
    if unknown := sorted(set(given) - set(registry.options(make))):
        raise ValueError(f"'{name}' has no option {', '.join(unknown)}; it has {', '.join(registry.options(make))}")
    return write_sound(partial(make, **given), out, check)


def write_sound(make: Callable[[], DraftPack | Awaitable[DraftPack]], out: Path, check: bool | None) -> Report:
    """Write the DraftPack that `make` gives (or awaits) into the new folder `out`, and report.

    Not to be called while an event loop runs: environments are shared by the loop in which they are made, and this one
    ends with them. Raises FileExistsError, ValueError where nothing is left, InfrastructureError, and what `make` does.
    """
    return asyncio.run(_write_sound(make, out, check))


async def _write_sound(make: Callable[[], DraftPack | Awaitable[DraftPack]], out: Path, check: bool | None) -> Report:
    try:
        draft = await _awaited(make())
        if draft.soundness is None or not draft.references or not await _plays(draft.soundness, draft.report, check):
            return draft.write(out)
        return draft.write(out, await sound(draft.references, draft.soundness, draft.report))
    finally:
        await environments.close()
        await engine.close()


async def _awaited(made: DraftPack | Awaitable[DraftPack]) -> DraftPack:
    return made if isinstance(made, DraftPack) else await made


async def _plays(wish: Soundness, report: Report, check: bool | None) -> bool:
    """Whether golds are to be played: as asked, or, asked for nothing, where this machine can. If not, a note."""
    if check is None and wish.trial is not None:
        why = await _unplayable(wish.trial)
        if why:
            report.notes.append(f"{UNPLAYED}; this machine cannot play it: {why}")
        return not why
    if not check:
        report.notes.append(UNPLAYED)
    return bool(check)


async def _unplayable(trial: Episode) -> str:
    """Why episodes cannot be played on this machine; empty where they can."""
    environment = environments.create(trial.environment)
    try:
        await environment.reset(dict(trial.spec), 0)
    except InfrastructureError as error:
        return str(error)
    finally:
        await environment.close()
    return ""


async def sound(lines: Sequence[ReferenceLine], wish: Soundness, report: Report) -> list[ReferenceLine]:
    """The episodes that are sound, and, where unsound ones are not excluded, those too; the report names them."""
    kept = _kept(lines, await _played(lines, wish), report, exclude=wish.exclude)
    if wish.examine is not None:
        found = await simulation.for_each(kept, partial(_examined, wish.examine))
        kept = _kept(kept, {line.id: finding for line, finding in zip(kept, found, strict=True)}, report, wish.exclude)
    return kept


def _kept(
    lines: Sequence[ReferenceLine], found: Mapping[str, Finding | None], report: Report, exclude: bool
) -> list[ReferenceLine]:
    left_out = set()
    for line in lines:
        finding = found.get(line.id)
        if finding is not None and finding.unsound and exclude:
            report.exclude(line.id, finding.kind, finding.cause)
            left_out.add(line.id)
        elif finding is not None:
            report.mark(line.id, finding.kind, finding.cause)
    return [line for line in lines if line.id not in left_out]


async def _played(lines: Sequence[ReferenceLine], wish: Soundness) -> dict[str, Finding | None]:
    """What is unsound by play: first the idle participant's episodes, then the gold's as often as asked."""
    chosen = [line for line in lines if wish.ids is None or line.id in wish.ids]
    idle: Sequence[Simulation | None] = [None] * len(chosen)
    if wish.idle:
        idle = await simulation.simulate_episodes(chosen, lambda _: policies.null, seed=wish.seed)
    gold = [
        await simulation.simulate_episodes(chosen, policies.gold, seed=wish.seed + number)
        for number in range(wish.times)
    ]
    plays = zip(chosen, idle, zip(*gold, strict=True), strict=True)
    return {line.id: _unsound(results, nothing, wish.least) for line, nothing, results in plays}


def _unsound(gold: Sequence[Simulation], idle: Simulation | None, least: float) -> Finding | None:
    for result in gold:
        verdict = result.verdict
        if result.error is not None:
            return Finding("broken", f"it cannot be built: {result.error}")
        if verdict.score is None or verdict.score < least:
            return Finding("gold fails", f"its own gold is {verdict.outcome}: {verdict.reason}")
    if idle is not None and idle.verdict.score is not None and idle.verdict.score >= least:
        return Finding("idle passes", "a participant who does nothing passes")
    return None


async def _examined(examine: Examination, line: ReferenceLine) -> Finding | None:
    try:
        return await simulation.retry_faults(lambda: examine(line))
    except SpecError as error:
        return Finding("broken", f"it cannot be built: {error}")
