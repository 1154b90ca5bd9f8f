"""`make attack-flood`: one organisation floods the queue with formulas while another sends single items.

The flood is kept up as long as the other sends. Printed are the other's seconds from accepted to graded, by the
database's clock, before, during and after it, as a table. The last line is one JSON object.
"""

import argparse
import asyncio
import json
import math
import time
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2

from api.accounts.models import MemberRole, Scope
from api.accounts.service import AccountService
from api.cli.baselines.throwaway import Throwaway, throwaway
from api.core.query import Query
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine

FLOOD_ITEMS = 20
_LOOK_SECONDS = 0.5
GOALS = {"choice": 2.0, "formula": 10.0}
# The review's answers: each is slow to compare and wrong.
FORMULA = r"\sum_{{k=1}}^{{40}} \frac{{\sin(k x + {n})}}{{k}} + e^{{x}}"
ANSWERS = {"choice": "ANSWER: A", "formula": FORMULA.format(n=1)}
_SCOPES = [Scope.PROBLEMS_READ, Scope.SUBMISSIONS_WRITE]
_TIMES = Query(
    float,
    "Seconds from finalised to graded of an organisation's submissions of one model, ascending.",
    """select extract(epoch from graded_at - finalised_at)::double precision from submission
       where organisation_id = :organisation and model->>'name' = :model and graded_at is not null order by 1""",
)
_WAITING = Query(
    int,
    "How many answers of an organisation wait.",
    "select coalesce(sum(items), 0)::integer from grading_job where organisation_id = :organisation",
)


def pack() -> Pack:
    """Multiple-choice and formula problems in an open split."""
    head = {
        "slug": "flooded",
        "title": "Flooded",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "For the flood.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"dev": {"visibility": "dev", "feedback": "open"}},
    }
    problems, references = [], []
    for kind in ANSWERS:
        for number in range(FLOOD_ITEMS):
            choices = [{"label": letter, "text": letter} for letter in "ABCD"] if kind == "choice" else []
            reference = {"kind": "multiple_choice", "value": "A"}
            if kind == "formula":
                reference = {"kind": "symbolic", "value": FORMULA.format(n=number)}
            name = f"{kind}-{number}"
            line = {"id": name, "split": "dev", "type": kind, "subject": "s", "statement": name, "choices": choices}
            problems.append(Problem.model_validate(line))
            references.append(ReferenceLine(id=name, reference=reference, gold="A", solution=""))
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


class Participant:
    """A member of an organisation with a key."""

    def __init__(self, running: Throwaway, organisation: UUID, key: str) -> None:
        self.organisation = organisation
        self._running = running
        self._client = httpx2.AsyncClient(
            base_url=running.instance.address, headers={"Authorization": f"Bearer {key}"}, timeout=600
        )
        self._problems: dict[str, list[str]] = {kind: [] for kind in ANSWERS}

    @classmethod
    async def join(cls, running: Throwaway, name: str) -> "Participant":
        """A new organisation with its own ids of the problems."""
        async with running.database.session() as session:
            accounts = AccountService(session, running.settings.secrets.raw("pepper"))
            user = await accounts.ensure_user(f"{name}@example.org", name)
            team = await accounts.ensure_organisation(name)
            await accounts.ensure_member(user, team, MemberRole.MEMBER)
            _, key = await accounts.create_key(user.id, team.id, "flood", _SCOPES)
        made = cls(running, team.id, key)
        listed = await made._client.get("/v1/benchmarks/flooded/problems", params={"split": "dev", "limit": 100})
        for problem in listed.raise_for_status().json()["items"]:
            made._problems[problem["type"]].append(problem["id"])
        return made

    async def submit(self, model: str, kind: str, count: int) -> str:
        """The id of a submission of `count` answers of this kind."""
        items = [{"problem": problem, "answer": ANSWERS[kind]} for problem in self._problems[kind][:count]]
        body = {"benchmark": "flooded", "split": "dev", "model": {"name": model}, "items": items}
        response = await self._client.post("/v1/submissions", json=body)
        return str(response.raise_for_status().json()["id"])

    async def singles(self, phase: str, count: int) -> dict[str, Any]:
        """Single items of either kind, those of one kind one after the other: seconds by kind."""

        async def send(kind: str) -> None:
            for _ in range(count):
                await self._running.until_graded(await self.submit(f"{phase} {kind}", kind, 1))

        await asyncio.gather(*(send(kind) for kind in ANSWERS))
        async with self._running.database.session() as session:
            found = {
                kind: await session.fetch_all(_TIMES, organisation=self.organisation, model=f"{phase} {kind}")
                for kind in ANSWERS
            }
        return {kind: _summary(times) for kind, times in found.items()}

    async def waiting(self) -> int:
        """How many answers wait."""
        async with self._running.database.session() as session:
            return await session.fetch_one(_WAITING, organisation=self.organisation)

    async def close(self) -> None:
        await self._client.aclose()


def _summary(times: list[float]) -> dict[str, Any]:
    """Nearest ranks of ascending times: of a hundred the 99th is p99; below a hundred p99 is the slowest."""
    p50, p99 = (times[math.ceil(share * len(times)) - 1] for share in (0.5, 0.99))
    return {"n": len(times), "p50": round(p50, 3), "p99": round(p99, 3), "slowest": round(times[-1], 3)}


async def _keep_up(attacker: Participant, submissions: int, sent: list[str]) -> None:
    """Send so many at once, and more whenever fewer than half of them wait, until cancelled."""
    lacking = submissions
    while True:
        sent += await asyncio.gather(*(attacker.submit("flood", "formula", FLOOD_ITEMS) for _ in range(lacking)))
        await asyncio.sleep(_LOOK_SECONDS)
        waiting = await attacker.waiting() // FLOOD_ITEMS
        lacking = submissions - waiting if waiting < submissions // 2 else 0


async def flood(submissions: int, singles: int) -> dict[str, Any]:
    """The other organisation's latencies before, during and after, and how the flood went."""
    async with throwaway(pack()) as running:
        attacker, other = await Participant.join(running, "attacker"), await Participant.join(running, "other")
        await other.singles("warm", 2)
        told: dict[str, Any] = {"before": await other.singles("before", singles)}
        started, sent = time.monotonic(), list[str]()
        flooding = asyncio.create_task(_keep_up(attacker, submissions, sent))
        while not (sent or flooding.done()):
            await asyncio.sleep(_LOOK_SECONDS)
        told["during"] = await other.singles("during", singles)
        seconds, waiting = time.monotonic() - started, await attacker.waiting()
        if flooding.done():
            await flooding
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        told["flood"] = {"items": len(sent) * FLOOD_ITEMS, "seconds": round(seconds), "still_waiting": waiting}
        for submission in sent:
            await running.until_graded(submission)
        told["after"] = await other.singles("after", singles)
        await attacker.close()
        await other.close()
    told["held"] = all(told["during"][kind]["p99"] <= goal for kind, goal in GOALS.items())
    return told


def main() -> None:
    """Flood once and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=60, help=f"of {FLOOD_ITEMS} formulas each")
    parser.add_argument("--singles", type=int, default=200, help="of either kind, in each phase")
    chosen = parser.parse_args()
    told = asyncio.run(flood(chosen.submissions, chosen.singles))
    print("| seconds: p50 / p99 / slowest | before | during | after |\n| --- | --- | --- | --- |")
    for kind, goal in GOALS.items():
        cells = [told[phase][kind] for phase in ("before", "during", "after")]
        row = [f"{cell['p50']:.2f} / {cell['p99']:.2f} / {cell['slowest']:.2f}" for cell in cells]
        print(f"| {kind}, {cells[0]['n']} each; p99 at most {goal:.0f} | {' | '.join(row)} |")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
