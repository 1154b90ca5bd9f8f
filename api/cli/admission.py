"""`admission`: may this pack go live? And its badge on the benchmark's page."""

from pathlib import Path
from typing import Annotated

import typer

from api.admission.check import check_pack
from api.admission.examination import SAMPLE, Examination
from api.admission.report import AdmissionReport, EpisodesReport, SplitReport, refusals, summary
from api.catalog.repository import CatalogRepository
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.worker.release_files import same_content
from envs import registry
from packs.pack import Pack
from packs.read import read_pack


def register(app: typer.Typer) -> None:
    """Add the command, and the name it had before."""
    app.command()(admission)
    app.command("gate", hidden=True)(admission)


EpisodesOption = Annotated[
    str, typer.Option(help="how many episodes of each hidden split are played (a seeded sample), or 'all'")
]


def admission(
    pack: Annotated[Path, typer.Argument(help="folder of the pack")],
    episodes: EpisodesOption = str(SAMPLE),
    as_json: Annotated[bool, typer.Option("--json", help="print only the report as JSON")] = False,
    badge: Annotated[bool, typer.Option("--badge", help="show the result on the imported benchmark's page")] = False,
) -> None:
    """Play participants that know nothing against a pack's hidden splits, and look for gold in the open."""

    async def work() -> tuple[Pack, AdmissionReport]:
        checked = read_pack(pack, registry)
        return checked, await check_pack(checked, count_of(episodes))

    checked, report = run(work())
    if badge:
        settings = Settings()
        run(as_admin(settings, lambda session: _keep(session, settings, checked, report)))
    if as_json:
        typer.echo(report.model_dump_json())
    else:
        _show(report)
    if not report.passed:
        raise typer.Exit(1)


def count_of(episodes: str) -> int | None:
    """The number that was asked for; None for all."""
    if episodes == "all":
        return None
    if not episodes.isdecimal():
        fail(f"--episodes {episodes}: write a number, 0 for none, or 'all'")
    return int(episodes)


def admitted(found: Examination, *, anyway: bool) -> dict[str, object] | None:
    """What the badge of a new release says; None without hidden problems. A failed check ends the command.

    With `anyway` a failed report is returned like a passed one.
    """
    report = found.report
    if report is None:
        return None
    if not report.passed and not anyway:
        lines = "\n".join(refusals(report))
        fail(f"the admission check failed; nothing was imported:\n{lines}\nfix the pack, or say --publish-anyway")
    for warning in report.warnings:
        _line(f"warning: {warning}")
    return summary(report)


async def _keep(session: AsyncSession, settings: Settings, pack: Pack, report: AdmissionReport) -> None:
    repository = CatalogRepository(session)
    benchmark = await repository.benchmark(pack.benchmark.slug)
    release = benchmark and await repository.release_by_version(benchmark.id, pack.benchmark.version)
    if not benchmark or not release or not await same_content(session, settings, benchmark, release, pack):
        fail(f"{pack.benchmark.slug} {pack.benchmark.version} is not imported with this content; import it first")
    release.admission = summary(report)
    await repository.add(release)


def _show(report: AdmissionReport) -> None:
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
    for warning in report.warnings:
        _line(f"warning: {warning}")


def _participants(head: str, split: SplitReport | EpisodesReport) -> None:
    _line(head.format("passed" if split.passed else "FAILED"))
    for one in split.participants:
        mark = "ok  " if one.passed else "FAIL"
        waits = f", {one.unscored} wait for a judge" if one.unscored else ""
        _line(f"  {mark} {one.name:18} {one.score:.3f} (allowed {one.allowed:.3f}{waits}) {one.remedy}")


def _line(text: str) -> None:
    console.print(text, highlight=False, markup=False)
