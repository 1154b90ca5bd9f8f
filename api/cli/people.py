"""What an operator does about people and organisations at the machine itself."""

from typing import Annotated
from urllib.parse import quote

import typer

from api.accounts.addresses import normal_email
from api.accounts.group_repository import GroupRow
from api.accounts.group_service import end_group, form_group, groups
from api.accounts.models import MemberRole
from api.accounts.organisation_service import OrganisationService
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.login.deletion import delete_account
from api.login.service import LINK_MINUTES, LoginService


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("login-link")(login_link)
    app.command("verify-organisation")(verify_organisation)
    app.command("delete-account")(delete)
    app.command("organisation-groups")(organisation_groups)


def login_link(
    email: Annotated[str, typer.Argument(help="whom to sign in; the user is made when new")],
    organisation: Annotated[str | None, typer.Option(help="make them an owner of this organisation")] = None,
    operator: Annotated[bool, typer.Option("--operator", help="make them an operator of the service")] = False,
    url: Annotated[str | None, typer.Option(help="address of the service, if it is not HELDOUT_PUBLIC_URL")] = None,
) -> None:
    """Print a link that signs somebody in, once, within a quarter of an hour. No password, no provider."""
    settings = Settings()

    async def work(session: AsyncSession) -> str:
        accounts = AccountService(session, settings.secrets.raw("pepper"))
        user = await accounts.ensure_user(email, email.split("@")[0], operator=operator)
        if organisation:
            team = await accounts.ensure_organisation(organisation)
            await accounts.ensure_member(user, team, MemberRole.OWNER)
        return await LoginService(session, settings).make_link(user)

    token = run(as_admin(settings, work))
    base = (url or settings.base_url).rstrip("/")
    console.print(f"{base}/login/link?token={quote(token)}", highlight=False, soft_wrap=True)
    console.print(f"It works once, within {LINK_MINUTES} minutes.", style="dim")


def delete(
    email: Annotated[str, typer.Argument(help="whose account")],
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Delete an account: personal data is erased, keys and sessions end, the ledger stays."""
    settings = Settings()
    if not yes:
        typer.confirm(f"Delete the account of {email}? There is no way back", abort=True)

    async def work(session: AsyncSession) -> bool:
        user = await AccountRepository(session).user_by_email(normal_email(email) or email)
        if user is not None:
            await delete_account(session, user.id)
        return user is not None

    if not run(as_admin(settings, work)):
        fail(f"there is no account of {email}")
    console.print("deleted", highlight=False)


def verify_organisation(
    slug: Annotated[str, typer.Argument(help="short name of the organisation")],
    undo: Annotated[bool, typer.Option("--undo", help="take the mark away")] = False,
) -> None:
    """Say that an organisation is who it says it is: it gets feedback of its own on hidden splits."""
    settings = Settings()

    async def work(session: AsyncSession) -> bool:
        service = OrganisationService(session, settings.secrets.raw("pepper"))
        row = await service.repository.organisation_by_slug(slug)
        if row is None:
            return False
        await (service.unverify(row, None) if undo else service.verify(row, None))
        return True

    if not run(as_admin(settings, work)):
        fail(f"there is no organisation '{slug}'")
    console.print(f"{slug} is {'not verified any more' if undo else 'verified'}", highlight=False)


def organisation_groups(
    lead: Annotated[str | None, typer.Argument(help="whom releases are counted for; without it all are listed")] = None,
    members: Annotated[list[str] | None, typer.Argument(help="verified organisations that share with it")] = None,
    reason: Annotated[str, typer.Option(help="why, for whoever looks later")] = "",
    end: Annotated[bool, typer.Option("--end", help="end the group that LEAD leads")] = False,
) -> None:
    """List groups of organisations that share limits and releases, form one, or end one."""
    settings = Settings()
    if lead and not end and (not members or len(reason.strip()) < 5):
        fail("name those that share with it, and say with --reason why")

    async def work(session: AsyncSession) -> list[GroupRow]:
        if lead and end:
            await end_group(session, lead, None)
        elif lead:
            await form_group(session, lead, members or [], None, reason.strip()[:1000])
        return await groups(session)

    for row in run(as_admin(settings, work)):
        until = f" to {row.ended_at:%Y-%m-%d} (ended by {row.ended_by or 'command line'})" if row.ended_at else ""
        since = f"since {row.formed_at:%Y-%m-%d} by {row.formed_by or 'command line'}{until}: {row.reason}"
        console.print(f"{', '.join(row.members)}  {since}", highlight=False, soft_wrap=True)
