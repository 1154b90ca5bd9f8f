"""`gate`: may this pack go live? And its badge on the benchmark's page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from api.admission.gate import EpisodesReport, GateReport, SplitReport, run_gate
from api.admission.gate_episodes import play_episodes
from api.catalog.repository import CatalogRepository
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.settings import Settings
from envs import registry
from packs.benchmark import Visibility
from packs.pack import Pack
from packs.read import read_pack


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gate)


SAMPLE = 5
EpisodesOption = Annotated[
    str, typer.Option(help="how many episodes of each hidden split are played (a seeded sample), or 'all'")
]


def gate(
    pack: Annotated[Path, typer.Argument(help="folder of the pack")],
    episodes: EpisodesOption = str(SAMPLE),
    as_json: Annotated[bool, typer.Option("--json", help="print only the report as JSON")] = False,
    badge: Annotated[bool, typer.Option("--badge", help="show the result on the imported benchmark's page")] = False,
) -> None:
    """Play participants that know nothing against a pack's hidden splits, and look for gold in the open."""

    async def work() -> tuple[Pack, GateReport]:
        checked = read_pack(pack, registry)
        return checked, await whole(checked, count_of(episodes))

    checked, report = run(work())
    if badge:
        settings = Settings()
        run(as_admin(settings, lambda session: _keep(session, checked, report)))
    if as_json:
        typer.echo(report.model_dump_json())
    else:
        _show(report)
    if not report.passed:
        raise typer.Exit(1)


def judge(pack: Pack) -> GateReport:
    """The report on a pack that was read."""
    public = {"card": pack.benchmark.card, "summary": pack.benchmark.summary} | {
        f"assets/{name}": path.read_bytes().decode("utf-8", errors="replace") for name, path in pack.assets.items()
    }
    return run_gate(pack.benchmark.splits, pack.problems, pack.reference_by_id, public)


def count_of(episodes: str) -> int | None:
    """The number that was asked for; None for all."""
    if episodes == "all":
        return None
    if not episodes.isdecimal():
        fail(f"--episodes {episodes}: write a number, 0 for none, or 'all'")
    return int(episodes)


async def whole(pack: Pack, episodes: int | None) -> GateReport:
    """The report on questions, and on at most so many episodes of each hidden split (None: all)."""
    report = judge(pack)
    played = await play_episodes(pack.benchmark.splits, pack.problems, pack.reference_by_id, episodes)
    notes = [note for split in played for note in _not_covered(split)]
    passed = report.passed and all(split.passed for split in played)
    return report.model_copy(update={"passed": passed, "episodes": played, "not_covered": notes})


def _not_covered(report: EpisodesReport) -> Iterator[str]:
    if report.played < report.episodes:
        yield f"{report.split}: {report.played} of {report.episodes} episodes played"
    if report.without_oracle:
        yield f"{report.split}: {report.without_oracle} episodes without an oracle"
    if report.unplayed:
        yield f"{report.split}: {len(report.unplayed)} episodes could not be played on the owner's machine"


async def admitted(pack: Pack, *, anyway: bool, episodes: int | None) -> dict[str, object] | None:
    """What the badge of a new release says; None without hidden problems. A failed gate ends the command.

    With `anyway` a failed report is returned like a passed one.
    """
    if not has_hidden_problems(pack):
        return None
    report = await whole(pack, episodes)
    if not report.passed and not anyway:
        lines = "\n".join(refusals(report))
        fail(f"the publish gate failed; nothing was imported:\n{lines}\nmend the pack, or say --publish-anyway")
    return summary(report)


def has_hidden_problems(pack: Pack) -> bool:
    """Whether the gate has anything to play."""
    hidden = {name for name, config in pack.benchmark.splits.items() if config.visibility is not Visibility.DEV}
    return any(problem.split in hidden for problem in pack.problems)


def refusals(report: GateReport) -> list[str]:
    """Every reason why a report did not pass, a line each. Findings name problems: for the owner's eyes only."""
    reports: list[SplitReport | EpisodesReport] = [*report.splits, *report.episodes]
    lines = [
        f"{split.split}: {one.name} scored {one.score:.3f}, allowed {one.allowed:.3f}: {one.remedy}"
        for split in reports
        for one in split.participants
        if not one.passed
    ]
    for split in report.splits:
        lines += [f"{split.split}: {f.problem}: {f.check} ({f.place}); {f.remedy}" for f in split.findings]
    return lines


async def _keep(session: AsyncSession, pack: Pack, report: GateReport) -> None:
    repository = CatalogRepository(session)
    benchmark = await repository.benchmark(pack.benchmark.slug)
    release = benchmark and await repository.release_by_version(benchmark.id, pack.benchmark.version)
    if not release or release.digest != pack.digest:
        fail(f"{pack.benchmark.slug} {pack.benchmark.version} is not imported with this content; import it first")
    release.gate = summary(report)
    await repository.add(release)


def summary(report: GateReport) -> dict[str, object]:
    """What is public of a report: scores and counts, and no finding, since that would say where gold lies."""
    return {
        "passed": report.passed,
        "splits": {
            split.split: {
                "passed": split.passed,
                "chance_level": split.chance_level,
                "participants": {p.name: p.score for p in split.participants},
                "findings": len(split.findings),
            }
            for split in report.splits
        },
        "episodes": {
            split.split: {
                "passed": split.passed,
                "episodes": split.episodes,
                "played": split.played,
                "chance_level": split.chance_level,
                "participants": {p.name: p.score for p in split.participants},
            }
            for split in report.episodes
        },
        "not_covered": report.not_covered,
    }


def _show(report: GateReport) -> None:
    for split in report.splits:
        _participants(f"{split.split}: {{}} ({split.problems} problems)", split)
        for finding in split.findings:
            _line(f"  FAIL {finding.problem}: {finding.check} ({finding.place}); {finding.remedy}")
    for episodes in report.episodes:
        _participants(f"{episodes.split}: {{}} ({episodes.played} of {episodes.episodes} episodes played)", episodes)
        for name, reason in episodes.unplayed.items():
            _line(f"  not played: {name}: {reason}")
    for note in report.not_covered:
        _line(f"not covered: {note}")


def _participants(head: str, split: SplitReport | EpisodesReport) -> None:
    _line(head.format("passed" if split.passed else "FAILED"))
    for one in split.participants:
        mark = "ok  " if one.passed else "FAIL"
        waits = f", {one.unscored} wait for a judge" if one.unscored else ""
        _line(f"  {mark} {one.name:18} {one.score:.3f} (allowed {one.allowed:.3f}{waits}) {one.remedy}")


def _line(text: str) -> None:
    console.print(text, highlight=False, markup=False)
