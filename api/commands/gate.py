"""`gate`: may this pack go live? And its badge on the benchmark's page."""

from pathlib import Path
from typing import Annotated

import typer

from api.catalog.packs.format import Visibility
from api.catalog.packs.pack import Pack
from api.catalog.packs.read import read_pack
from api.catalog.repository import CatalogRepository
from api.commands.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.protection.gate import GateReport, run_gate


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gate)


def gate(
    pack: Annotated[Path, typer.Argument(help="folder of the pack")],
    as_json: Annotated[bool, typer.Option("--json", help="print only the report as JSON")] = False,
    badge: Annotated[bool, typer.Option("--badge", help="show the result on the imported benchmark's page")] = False,
) -> None:
    """Play participants that know nothing against a pack's hidden splits, and look for gold in the open."""

    async def work() -> tuple[Pack, GateReport]:
        checked = read_pack(pack)
        return checked, judge(checked)

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


def admitted(pack: Pack, *, anyway: bool) -> dict[str, object] | None:
    """What the badge of a new release says; None without hidden questions. A failed gate ends the command.

    With `anyway` a failed report is returned like a passed one.
    """
    if not has_hidden_questions(pack):
        return None
    report = judge(pack)
    if not report.passed and not anyway:
        lines = "\n".join(refusals(report))
        fail(f"the publish gate failed; nothing was imported:\n{lines}\nmend the pack, or say --publish-anyway")
    return summary(report)


def has_hidden_questions(pack: Pack) -> bool:
    """Whether the gate has anything to play."""
    hidden = {name for name, config in pack.benchmark.splits.items() if config.visibility is not Visibility.DEV}
    return any(problem.split in hidden and not problem.episode for problem in pack.problems)


def refusals(report: GateReport) -> list[str]:
    """Every reason why a report did not pass, a line each. Findings name problems: for the owner's eyes only."""
    lines = []
    for split in report.splits:
        lines += [
            f"{split.split}: {one.name} scored {one.score:.3f}, allowed {one.allowed:.3f}: {one.remedy}"
            for one in split.participants
            if not one.passed
        ]
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
        "not_covered": report.not_covered,
    }


def _show(report: GateReport) -> None:
    for split in report.splits:
        console.print(f"{split.split}: {'passed' if split.passed else 'FAILED'} ({split.problems} problems)")
        for one in split.participants:
            mark = "ok  " if one.passed else "FAIL"
            waits = f", {one.unscored} wait for a judge" if one.unscored else ""
            console.print(f"  {mark} {one.name:18} {one.score:.3f} (allowed {one.allowed:.3f}{waits}) {one.remedy}",
                          highlight=False, markup=False)  # fmt: skip
        for finding in split.findings:
            console.print(f"  FAIL {finding.problem}: {finding.check} ({finding.place}); {finding.remedy}",
                          highlight=False, markup=False)  # fmt: skip
    for note in report.not_covered:
        console.print(f"not covered: {note}", highlight=False)
