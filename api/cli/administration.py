"""`init` and `keys`: the first operator, and keys from the machine itself."""

from typing import Annotated

import typer

from api.accounts.models import MemberRole, Scope
from api.accounts.service import AccountService
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.settings import Settings

keys_app = typer.Typer(help="Make API keys; their holders revoke them with `heldout keys`.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(init)
    app.add_typer(keys_app, name="keys")


def _pepper(settings: Settings) -> bytes:
    return settings.secrets.raw("pepper")


def init(
    email: Annotated[str, typer.Option(help="the operator's address")],
    name: Annotated[str, typer.Option(help="the operator's name")] = "Operator",
    organisation: Annotated[str, typer.Option(help="slug of the operator's organisation")] = "operators",
) -> None:
    """Make the first operator and print a key with every scope, once."""
    settings = Settings()

    async def work(session: AsyncSession) -> str:
        return (await AccountService(session, _pepper(settings)).init_operator(email, name, organisation))[1]

    console.print(run(as_admin(settings, work)), highlight=False)


@keys_app.command("create")
def create_key(
    email: Annotated[str, typer.Option(help="whose key; the user is made when new")],
    organisation: Annotated[str, typer.Option(help="slug; the organisation is made when new")],
    scope: Annotated[list[str] | None, typer.Option(help="may be given several times")] = None,
    name: Annotated[str, typer.Option(help="what the key is for")] = "from the command line",
    days: Annotated[int | None, typer.Option(help="days until it expires")] = None,
) -> None:
    """Make a key and print it, once."""
    settings = Settings()
    wanted = scope or [Scope.PROBLEMS_READ.value, Scope.SUBMISSIONS_WRITE.value, Scope.SESSIONS_WRITE.value]
    unknown = sorted(set(wanted) - {item.value for item in Scope})
    if unknown:
        fail(f"unknown scope(s) {', '.join(unknown)}; known are: {', '.join(item.value for item in Scope)}")

    async def work(session: AsyncSession) -> str:
        service = AccountService(session, _pepper(settings))
        user = await service.ensure_user(email, email.split("@")[0])
        team = await service.ensure_organisation(organisation)
        await service.ensure_member(user, team, MemberRole.MEMBER)
        scopes = [Scope(item) for item in wanted]
        return (await service.create_key(user.id, team.id, name, scopes, days))[1]

    console.print(run(as_admin(settings, work)), highlight=False)
