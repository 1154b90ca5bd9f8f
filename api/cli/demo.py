"""`demo`: the main job end to end, through the SDK."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

import heldout
from api.accounts.models import MemberRole, Scope
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.cli.admission import admitted
from api.cli.baselines.live_demo import play_episodes
from api.cli.common import console, run
from api.cli.running import Instance
from api.core.db import AsyncSession, Database, Role
from api.core.settings import Settings
from api.worker.answer_key import answer_key
from api.worker.importing import import_pack
from envs import registry
from heldout._tables import leaderboard_table
from packs.read import read_pack

PACKS = Path(__file__).parents[2] / "benchmarks"
_SLUG = "demo-arb"
_SCOPES = [Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE, Scope.SESSIONS_WRITE]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(once: Annotated[bool, typer.Option("--once", help="end after the leaderboard")] = False) -> None:
    """Publish the packs in benchmarks/, let two scripted participants play, show the leaderboard, keep serving."""
    try:
        run(_demo(Settings(), once=once))
    except KeyboardInterrupt:
        console.print("stopped")


async def _demo(settings: Settings, *, once: bool) -> None:
    console.print(f"[bold]1[/] starting PostgreSQL, the API and a worker (data in {settings.data_dir})")
    async with Instance(settings) as instance:
        database = Database.of(settings, Role.ADMIN)
        try:
            await _main_job(settings, database, instance.address)
        finally:
            await database.close()
        console.print(f"\nleaderboard page: [bold]{instance.address}/b/{_SLUG}?split=test[/]")
        if not once:
            console.print("serving; Ctrl-C ends")
            await instance.until_stopped()


async def _main_job(settings: Settings, database: Database, address: str) -> None:
    async with database.session() as session:
        await _publish(session, settings)
        key = await _participant(session, settings)
    organisation, answers = await _answers(database, settings)
    await asyncio.to_thread(_play, address, key, answers)
    console.print("[bold]4[/] agents act in live environments; the state they leave is graded from outside")
    await play_episodes(settings, database, address, key, organisation)


async def _publish(session: AsyncSession, settings: Settings) -> None:
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    owner = await accounts.ensure_user("owner@example.org", "Demo owner")
    console.print("[bold]2[/] publishing the packs in benchmarks/")
    for folder in sorted(path for path in PACKS.iterdir() if (path / "benchmark.toml").is_file()):
        pack = read_pack(folder, registry, grade_gold=False)
        admission = await admitted(pack, anyway=False, episodes=0)
        done = await import_pack(session, settings, pack, owner, admission)
        console.print(f"  {done.slug} {done.version}: {done.problems} problems", highlight=False)


async def _participant(session: AsyncSession, settings: Settings) -> str:
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    user = await accounts.ensure_user("participant@example.org", "Demo participant")
    team = await accounts.ensure_organisation("demo-lab", "Demo lab")
    await accounts.ensure_member(user, team, MemberRole.MEMBER)
    return (await accounts.create_key(user.id, team.id, "demo", _SCOPES, days=1))[1]


async def _answers(database: Database, settings: Settings) -> tuple[UUID, dict[str, str]]:
    """The participant's organisation, and what the good one knows: the golds by the ids it will be served."""
    async with database.session() as session:
        organisation = await AccountRepository(session).organisation_by_slug("demo-lab")
        assert organisation
        known = await answer_key(session, settings, _SLUG, organisation.id)
    # A proof waits for a person, and a demo does not.
    return organisation.id, {item.alias: item.gold for item in known.values() if not item.people}


def _play(address: str, key: str, golds: dict[str, str]) -> None:
    console.print("[bold]3[/] two scripted participants answer through the SDK")
    with heldout.Client(base_url=address, api_key=key, benchmark=_SLUG) as client:
        client.accept_agreement(name="Demo participant")
        dev = client.get_problems(split="dev").all()
        test = client.get_problems(split="test").all()
        console.print(f"  served {len(dev)} dev problems (gold shown) and {len(test)} test problems (gold never)")
        good = {p.id: golds[p.id] for p in test if p.id in golds}
        poor = {p.id: f"ANSWER: {p.choices[0].label if p.choices else 1}" for p in test if p.id in golds}
        for name, answers in (("good-model", good), ("poor-model", poor)):
            submission = client.submit(answers, model=name, split="test")
            submission = submission.wait(progress=True)
            console.print(f"  {name}: {submission.state}, score {submission.score}")
        _show(client)


def _show(client: heldout.Client) -> None:
    listing = client.leaderboard(split="test")
    rows = listing.all()
    console.print(leaderboard_table(listing.columns, rows, title=f"{_SLUG}, test split"))
