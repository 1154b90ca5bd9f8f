"""`reviewers`: who may grade a benchmark's queue."""

from typing import Annotated

import typer

from api.accounts.models import Scope
from api.catalog.service import CatalogService
from api.cli.common import as_admin, console, run
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.reviews.reviewers import name_reviewer

reviewers_app = typer.Typer(help="Name the people who grade a benchmark's queue.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(reviewers_app, name="reviewers")


@reviewers_app.callback()
def reviewers() -> None:
    """Name the people who grade a benchmark's queue."""


@reviewers_app.command("add")
def add_reviewer(
    benchmark: Annotated[str, typer.Option(help="slug of the benchmark")],
    email: Annotated[str, typer.Option(help="whose turn it is; the user is made when new")],
) -> None:
    """Let a user grade a benchmark's queue. Their key needs the scope reviews:write."""
    settings = Settings()

    async def work(session: AsyncSession) -> None:
        row = await CatalogService(session).benchmark(benchmark)
        await name_reviewer(session, settings.secrets.raw("pepper"), row.id, email)

    run(as_admin(settings, work))
    needed = f"a key with the scope {Scope.REVIEWS_WRITE.value}"
    console.print(f"{email} may grade {benchmark}; it takes {needed}", markup=False, highlight=False)
