"""`regrade`: stored submissions under today's graders and gold, and who moved."""

from typing import Annotated
from uuid import UUID

import typer
from rich.progress import track

from api.catalog.repository import CatalogRepository
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.ids import public_id
from api.core.settings import Settings
from api.worker import regrading
from api.worker.state import Worker


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(regrade)


def regrade(
    benchmark: Annotated[str, typer.Option(help="slug of the benchmark")],
    reason: Annotated[str, typer.Option(help="what was corrected; shown on the public page")],
    now: Annotated[bool, typer.Option("--now", help="do it in this process instead of the running workers")] = False,
) -> None:
    """Regrade every stored submission; old scores are kept, and a public page shows who moved and by how much."""
    settings = Settings()

    async def begin(session: AsyncSession) -> tuple[UUID, list[UUID]]:
        found = await CatalogRepository(session).benchmark(benchmark)
        if found is None:
            fail(f"there is no benchmark '{benchmark}'")
        return await regrading.start(session, found.id, reason)

    async def work() -> tuple[UUID, int]:
        regrade_id, submissions = await as_admin(settings, begin)
        if now:
            worker = Worker.build(settings)
            try:
                for submission_id in track(submissions, "regrading", console=console):
                    await regrading.regrade(worker, regrade_id, submission_id)
            finally:
                await worker.close()
        return regrade_id, len(submissions)

    regrade_id, total = run(work())
    verb = "regraded" if now else "queued for regrading"
    console.print(
        f"{total} submissions {verb} ({public_id('rgr', regrade_id)}); who moved: "
        f"{settings.base_url}/b/{benchmark}/regrades",
        highlight=False,
        soft_wrap=True,
    )
