"""A running service to attack: real HTTP on a port of this machine, real jobs, and a clock in the attack's hand."""

import asyncio
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import uvicorn
from sqlmodel import col, select, update

from api.accounts.models import MemberRole, Organisation, Scope
from api.accounts.service import AccountService
from api.app import create_app
from api.catalog.models import ProblemRow
from api.core import migrate
from api.core.db import Database, Role, local_server, now
from api.core.settings import Settings
from api.vault.models import SplitPartRow
from api.worker.app import run as run_jobs
from api.worker.deciding import decide_due
from api.worker.importing import import_pack
from api.worker.ranking import release_due
from api.worker.state import Worker
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine

SLUG, SPLIT = "target", "test"
LETTERS = "ABCDE"
_TICK = 60
_SCOPES = [Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE]
T = TypeVar("T")


def target_pack(golds: str, split: dict[str, Any]) -> Pack:
    """One multiple-choice item for each letter of `golds`; the fifth choice is never right, which everybody knows."""
    head = {
        "slug": SLUG,
        "title": "Target",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "A card.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {SPLIT: {"visibility": "test", "chance_level": 0.25, "scraping": "flag"} | split},
    }
    problems, references = [], []
    for number, gold in enumerate(golds):
        name = f"p{number:05}"
        choices = [{"label": letter, "text": f"option {letter}"} for letter in LETTERS]
        data = {"id": name, "split": SPLIT, "type": "multiple_choice", "subject": "s", "statement": f"Say {name}."}
        problems.append(Problem.model_validate(data | {"choices": choices}))
        references.append(
            ReferenceLine(id=name, reference={"kind": "multiple_choice", "value": gold, "choices": list(LETTERS)})
        )
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


@dataclass
class Target:
    """The service as its attacker and its clock see it. Organisations are numbered from 0; all are verified."""

    settings: Settings
    worker: Worker
    admin: Database
    client: httpx2.Client
    loop: asyncio.AbstractEventLoop
    keys: list[str]
    aliases: list[list[str]]
    at: datetime
    golds: str

    def submit(self, organisation: int, answers: list[str]) -> str:
        """Hand in answers in the order of the problems, let them be graded and decided; the submission's id."""
        items = [{"problem": a, "answer": b} for a, b in zip(self.aliases[organisation], answers, strict=True)]
        body = {"benchmark": SLUG, "split": SPLIT, "model": {"name": "m"}, "items": items}
        done = self._call("POST", "/v1/submissions", organisation, json=body)
        done.raise_for_status()
        self._on_the_service(self._settle())
        return str(done.json()["id"])

    def shown(self, organisation: int, submission: str) -> dict[str, Any]:
        """A submission as its makers are shown it."""
        return dict(self._call("GET", f"/v1/submissions/{submission}", organisation).raise_for_status().json())

    def select(self, organisation: int, submission: str) -> bool:
        """Ask to be ranked with it; False: no release is left."""
        return self._call("POST", f"/v1/submissions/{submission}/select", organisation).status_code == 200

    def release(self) -> None:
        """The next scheduled release, of all that was selected by now."""
        self.at = max(self.at, now()) + timedelta(seconds=_TICK)
        self._on_the_service(release_due(self.worker, self.at))

    def listed(self, submission: str) -> dict[str, Any] | None:
        """The board's row of a submission; None where it has no score there."""
        query = {"split": SPLIT, "all": "true", "limit": "200"}
        while True:
            page = self.client.get(f"/v1/benchmarks/{SLUG}/leaderboard", params=query).raise_for_status().json()
            for row in page["items"]:
                if row["submission"] == submission and row["score"] is not None:
                    return dict(row)
            if page["next"] is None:
                return None
            query["cursor"] = page["next"]

    def feedback_part(self) -> list[int]:
        """Places of the problems of the feedback part: the attacker is taken to know the secret cut."""
        return self._on_the_service(self._feedback_part())

    def _call(self, method: str, path: str, organisation: int, **more: Any) -> httpx2.Response:
        return self.client.request(method, path, headers={"Authorization": f"Bearer {self.keys[organisation]}"}, **more)

    def _on_the_service(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(600)

    async def _settle(self) -> None:
        await run_jobs(self.worker, wait=False)
        await decide_due(self.worker, now() + timedelta(hours=1))

    async def _feedback_part(self) -> list[int]:
        async with self.admin.session() as session:
            statement = select(ProblemRow.position).join(SplitPartRow, col(SplitPartRow.problem_id) == ProblemRow.id)
            found = await session.exec(
                statement.where(SplitPartRow.part == "feedback").order_by(col(ProblemRow.position))
            )
            return [position - 1 for position in found]


@contextmanager
def attacked(pack: Pack, organisations: int, settings: Settings | None = None) -> Iterator[Target]:
    """A service with this pack and so many verified organisations; all of it is gone afterwards.

    Args:
        settings: those of a prepared instance, which stays; without them one is made.
    """
    with tempfile.TemporaryDirectory(prefix="hld-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        chosen = settings or _settings(Path(folder))
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, daemon=True)
        thread.start()
        serving = _Serving(chosen, pack, organisations, loop)
        try:
            yield asyncio.run_coroutine_threadsafe(serving.start(), loop).result(300)
        finally:
            asyncio.run_coroutine_threadsafe(serving.stop(), loop).result(300)
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
            server = None if settings else local_server(chosen)
            if server:
                server.stop()


def _settings(folder: Path) -> Settings:
    folder.chmod(0o755)
    settings = Settings(data_dir=folder, database_url=None, rate_limits_enabled=False, log_level="error", **_CLOCK)
    migrate.prepare(settings)
    return settings


_CLOCK: dict[str, Any] = {
    "port": 0,
    "pool_ready": 0,
    "grading_chunk": 1000,
    "feedback_delay_seconds": 0,
    "feedback_clock_seconds": 1,
    "feedback_pause_seconds": 0,
    "release_every_seconds": _TICK,
}


class _Serving:
    def __init__(self, settings: Settings, pack: Pack, organisations: int, loop: asyncio.AbstractEventLoop) -> None:
        self._settings = settings
        self._pack = pack
        self._organisations = organisations
        self._loop = loop
        self._worker = Worker.build(settings)
        self._admin = Database.of(settings, Role.ADMIN)
        config = uvicorn.Config(create_app(settings), port=0, log_level="error", access_log=False)
        self._server = uvicorn.Server(config)
        self._client = httpx2.Client(timeout=300)

    async def start(self) -> Target:
        async with self._admin.session() as session:
            await import_pack(session, self._settings, self._pack)
        keys = [await self._verified(number) for number in range(self._organisations)]
        self._task = asyncio.create_task(self._server.serve())
        async with asyncio.timeout(120):
            while not self._server.started:
                await asyncio.sleep(0.02)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self._client.base_url = httpx2.URL(f"http://127.0.0.1:{port}")
        golds = "".join(line.reference["value"] for line in self._pack.references)
        aliases = [await asyncio.to_thread(self._aliases, key) for key in keys]
        return Target(self._settings, self._worker, self._admin, self._client, self._loop, keys, aliases, now(), golds)

    async def stop(self) -> None:
        self._server.should_exit = True
        await self._task
        self._client.close()
        await self._worker.close()
        await self._admin.close()

    async def _verified(self, number: int) -> str:
        async with self._admin.session() as session:
            accounts = AccountService(session, self._settings.secrets.raw("pepper"))
            user = await accounts.ensure_user(f"hand{number}@example.org", f"Hand {number}")
            team = await accounts.ensure_organisation(f"hand{number}")
            await accounts.ensure_member(user, team, MemberRole.MEMBER)
            await session.exec(update(Organisation).where(col(Organisation.id) == team.id).values(verified_at=now()))
            return (await accounts.create_key(user.id, team.id, "attack", _SCOPES))[1]

    def _aliases(self, key: str) -> list[str]:
        found: list[str] = []
        query: dict[str, str] = {"split": SPLIT, "limit": "100"}
        while True:
            heads = {"Authorization": f"Bearer {key}"}
            page = self._client.get(f"/v1/benchmarks/{SLUG}/problems", params=query, headers=heads)
            page.raise_for_status()
            found += [item["id"] for item in page.json()["items"]]
            if page.json()["next"] is None:
                return found
            query["cursor"] = page.json()["next"]
