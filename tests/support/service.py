"""Driving a service in this process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from fastapi import FastAPI
from sqlmodel import col, update

from api.accounts.models import MemberRole, Organisation, Scope
from api.accounts.service import AccountService
from api.core.db import Database, Role, now
from api.core.settings import Settings
from api.worker.app import run as run_jobs
from api.worker.deciding import decide_due
from api.worker.importing import import_pack
from api.worker.ranking import release_due
from api.worker.state import Worker
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.shared import application, grading_pool
from tests.support.sql import sql

# For `choice_pack(hidden=...)` where a test looks at single verdicts and exact scores.
OPEN = {"visibility": "dev", "feedback": "open"}
READER = [Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE, Scope.SESSIONS_WRITE]


_RAISED = """select task_name, status::text from queue.procrastinate_jobs where attempts > 0
union all select lane, 'failed' from grading_job where attempts > 0"""


@dataclass
class Service:
    """The application, its databases by role and a worker."""

    settings: Settings
    app: FastAPI
    admin: Database
    worker: Worker
    client: httpx2.AsyncClient

    @classmethod
    @asynccontextmanager
    async def running(cls, settings: Settings) -> AsyncIterator["Service"]:
        """Start and end it."""
        app = application(settings)
        admin = Database.of(settings, Role.ADMIN)
        worker = Worker.build(settings, grading_pool(settings))
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://heldout.test", timeout=120) as client,
        ):
            try:
                yield cls(settings, app, admin, worker, client)
            finally:
                await worker.close()
                await admin.close()

    async def publish(self, pack: Pack) -> None:
        """Import a pack."""
        async with self.admin.session() as session:
            await import_pack(session, self.settings, pack)

    async def key(
        self,
        email: str = "ada@example.org",
        organisation: str = "lab",
        scopes: list[Scope] | None = None,
        *,
        operator: bool = False,
        role: MemberRole = MemberRole.MEMBER,
    ) -> str:
        """A key of a (new) member."""
        async with self.admin.session() as session:
            accounts = AccountService(session, self.settings.secrets.raw("pepper"))
            user = await accounts.ensure_user(email, email.split("@")[0], operator=operator)
            team = await accounts.ensure_organisation(organisation)
            await accounts.ensure_member(user, team, role)
            return (await accounts.create_key(user.id, team.id, "test", scopes or READER))[1]

    async def reader(self, email: str = "ada@example.org", organisation: str = "lab", **more: Any) -> "Caller":
        """Someone with a key."""
        return Caller(self.client, await self.key(email, organisation, **more))

    async def work(self, *, may_fail: bool = False) -> None:
        """Run the jobs that are due until none is left, then decide what waits for the clock.

        A job that raised fails the test, unless it may.
        """
        await run_jobs(self.worker, wait=False)
        await decide_due(self.worker, now() + timedelta(days=365))
        async with self.admin.session() as session:
            raised = (await sql(session, _RAISED)).all()
        assert may_fail or not raised, f"jobs raised: {raised}"

    async def verify(self, organisation: str) -> None:
        """An operator has verified an organisation: sealed splits rank it."""
        async with self.admin.session() as session:
            statement = update(Organisation).where(col(Organisation.slug) == organisation)
            await session.exec(statement.values(verified_at=now()))

    async def release(self) -> None:
        """The year's last scheduled release of every split, of next year: whoever is to be ranked is."""
        assert await release_due(self.worker, datetime(now().year + 2, 1, 1, tzinfo=UTC))


@dataclass
class Caller:
    """Requests with one key."""

    client: httpx2.AsyncClient
    key: str

    async def call(self, method: str, path: str, **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.key}"} | more.pop("headers", {})
        return await self.client.request(method, path, headers=headers, **more)

    async def get(self, path: str, **more: Any) -> httpx2.Response:
        return await self.call("GET", path, **more)

    async def post(self, path: str, **more: Any) -> httpx2.Response:
        return await self.call("POST", path, **more)

    async def problems(self, slug: str, split: str) -> list[dict[str, Any]]:
        """Every problem of a split, page by page."""
        items: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            query = {"split": split, "limit": 20} | ({"cursor": cursor} if cursor else {})
            page = (await self.get(f"/v1/benchmarks/{slug}/problems", params=query)).raise_for_status().json()
            items += page["items"]
            cursor = page["next"]
            if cursor is None:
                return items

    async def submit(self, slug: str, split: str, answers: dict[str, str], model: str = "m", **more: Any) -> Any:
        """Submit answers by problem id."""
        body = {
            "benchmark": slug,
            "split": split,
            "model": {"name": model},
            "items": [{"problem": problem, "answer": answer} for problem, answer in answers.items()],
        }
        return await self.post("/v1/submissions", json=body, **more)


def choice_pack(
    slug: str = "quiz",
    count: int = 8,
    *,
    version: str = "1.0.0",
    agreement: bool = False,
    approval: bool = False,
    hidden: dict[str, Any] | None = None,
) -> Pack:
    """`count` multiple-choice problems in `test`, two in `dev`; the answer to number n is 'ABCD'[n % 4]."""
    head: dict[str, Any] = {
        "slug": slug,
        "title": "Quiz",
        "version": version,
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "A quiz.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {
            "dev": {"visibility": "dev", "feedback": "full"},
            "test": {"visibility": "test", "feedback": "aggregate"} | (hidden or {}),
        },
    }
    if agreement:
        head["agreement"] = {"text": "Do not train on it.", "approval": approval}
    problems, references = [], []
    for split, number in [("dev", n) for n in range(2)] + [("test", n) for n in range(count)]:
        name = f"{split}-{number}"
        choices = [{"label": letter, "text": f"option {letter} of {name}"} for letter in "ABCD"]
        problems.append(
            Problem.model_validate(
                {
                    "id": name,
                    "split": split,
                    "type": "multiple_choice",
                    "subject": f"s{number % 2}",
                    "statement": f"Which option is right in {name}?",
                    "choices": choices,
                }
            )
        )
        gold = "ABCD"[number % 4]
        reference = {"kind": "multiple_choice", "value": gold}
        references.append(ReferenceLine(id=name, reference=reference, gold=gold, solution=f"It is {gold}."))
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})
