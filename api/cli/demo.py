"""`demo`: the main job end to end, through the SDK."""

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

import heldout
from api.accounts.models import MemberRole, Scope
from api.accounts.repository import AccountRepository
from api.accounts.service import AccountService
from api.admission.examination import examine_pack
from api.cli.admission import admitted
from api.cli.baselines.live_demo import play_episodes
from api.cli.common import abandonable, console, run
from api.cli.running import Instance
from api.core.db import AsyncSession, Database, Role, now
from api.core.settings import Settings
from api.worker.answer_key import answer_key
from api.worker.importing import import_pack
from envs import registry
from heldout._tables import leaderboard_table, show
from packs.read import read_pack

PACKS = Path(__file__).parents[2] / "benchmarks"
_SLUG = "demo-arb"
_LABS = {"demo-lab": "Demo lab", "guess-lab": "Guess lab"}
_QUICK = {
    "feedback_delay_seconds": 2,
    "feedback_clock_seconds": 2,
    "feedback_pause_seconds": 0,
    "release_every_seconds": 15,
    "log_level": "warning",
}
_RELEASED_WITHIN = 60.0
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
    # What takes minutes and months in life takes seconds here, unless the environment says otherwise.
    settings = settings.model_copy(
        update={name: value for name, value in _QUICK.items() if name not in settings.model_fields_set}
    )
    prepared = Instance(settings)
    console.print(f"[bold]1[/] starting PostgreSQL, the API and a worker (data in {settings.data_dir})")
    async with prepared as instance:
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
        keys = {slug: await _participant(session, settings, slug) for slug in _LABS}
    organisation, golds = await _answers(database, settings, "demo-lab")
    _, known = await _answers(database, settings, "guess-lab")
    guesses = dict.fromkeys(known, "ANSWER: A")
    await abandonable(_play, address, keys, {"demo-lab": golds, "guess-lab": guesses})
    console.print("[bold]6[/] agents act in live environments; the state they leave is graded from outside")
    await play_episodes(settings, database, address, keys["demo-lab"], organisation)


async def _publish(session: AsyncSession, settings: Settings) -> None:
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    owner = await accounts.ensure_user("owner@example.org", "Demo owner")
    console.print("[bold]2[/] publishing the packs in benchmarks/")
    for folder in sorted(path for path in PACKS.iterdir() if (path / "benchmark.toml").is_file()):
        pack = read_pack(folder, registry, grade_gold=False)
        badge = admitted(await examine_pack(pack, 0), anyway=False)
        done = await import_pack(session, settings, pack, owner, badge)
        console.print(f"  {done.slug} {done.version}: {done.problems} problems", highlight=False)


async def _participant(session: AsyncSession, settings: Settings, slug: str) -> str:
    """A key of a participant whose organisation is verified: sealed splits rank nobody else."""
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    user = await accounts.ensure_user(f"participant@{slug}.example.org", "Demo participant")
    team = await accounts.ensure_organisation(slug, _LABS[slug])
    await accounts.ensure_member(user, team, MemberRole.MEMBER)
    team.verified_at = team.verified_at or now()
    session.add(team)
    return (await accounts.create_key(user.id, team.id, "demo", _SCOPES, days=1))[1]


async def _answers(database: Database, settings: Settings, slug: str) -> tuple[UUID, dict[str, str]]:
    """The participant's organisation, and the golds by the ids it will be served. Proofs wait for a person."""
    async with database.session() as session:
        organisation = await AccountRepository(session).organisation_by_slug(slug)
        assert organisation
        known = await answer_key(session, settings, _SLUG, organisation.id)
    return organisation.id, {item.alias: item.gold for item in known.values()}


def _play(address: str, keys: dict[str, str], answers: dict[str, dict[str, str]]) -> None:
    console.print("[bold]3[/] two scripted participants answer through the SDK")
    ranked: list[tuple[str, heldout.Submission]] = []
    chosen: list[tuple[str, heldout.Submission | None]] = []
    with ExitStack() as stack:
        for slug, key in keys.items():
            client = stack.enter_context(heldout.Client(base_url=address, api_key=key, benchmark=_SLUG))
            client.accept_agreement(name="Demo participant")
            dev, test = client.get_problems(split="dev").all(), client.get_problems(split="test").all()
            console.print(f"  {slug}: {len(dev)} dev problems (gold shown), {len(test)} test problems (gold never)")
            known = {problem.id: answers[slug][problem.id] for problem in test}
            ranked.append((slug, client.submit(known, model=f"{slug}-model", split="test")))
        console.print("[bold]4[/] a decision on the feedback part, on the clock; nothing is said of the ranking part")
        for slug, submission in ranked:
            decided = submission.wait(progress=True)
            console.print(f"  {slug}: {_said(decided)}", highlight=False)
            chosen.append((slug, _selected(decided)))
        console.print("[bold]5[/] the scheduled release of the ranking part, for all who selected a submission")
        for slug, selected in chosen:
            said = _ranked(selected) if selected else "ranked by an earlier demo; an organisation is ranked once a year"
            console.print(f"  {slug}: {said}", highlight=False)
        _show(client)


def _selected(submission: heldout.Submission) -> heldout.Submission | None:
    """The submission, chosen for the ranking; None where this year's ranking went to a demo on the same data."""
    try:
        return submission.select()
    except heldout.Conflict as error:
        if error.code != "no_release_left":
            raise
        return None


def _said(decided: heldout.Submission) -> str:
    shown = decided.feedback
    if shown is None or shown.new_best is None:
        return decided.note or decided.state
    stands = shown.stands
    band = f"band {stands.from_score:.2f} to {stands.to_score:.2f}" if stands else "no band yet, near guessing"
    return f"{'new best' if shown.new_best else 'no new best'}, {band}, {shown.decisions_left} decisions left this year"


def _ranked(submission: heldout.Submission) -> str:
    """What the release said of a submission, once it is made."""
    end = time.monotonic() + _RELEASED_WITHIN
    while not (submission.feedback and submission.feedback.ranked):
        if time.monotonic() > end:
            return f"not ranked yet; next release {submission.next_release}"
        time.sleep(0.5)
        submission = submission.refresh()
    if submission.interval is None:
        return "ranked in the last class, which cannot be told from guessing"
    low, high = submission.interval.low, submission.interval.high
    return f"score {submission.score:.3f}, 95 % interval {low:.2f} to {high:.2f}"


def _show(client: heldout.Client) -> None:
    listing = client.leaderboard(split="test")
    rows = listing.all()
    show(console, leaderboard_table(listing.columns, rows, title=f"{_SLUG}, test split"), heads=2)
