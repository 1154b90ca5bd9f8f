"""What waits to be graded: turns, lanes, the cap, and jobs whose worker died."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock
from uuid import UUID

import pytest

from api.core.settings import Settings
from api.lanes.models import Lane
from api.lanes.repository import LaneRepository, TakenJob
from api.worker import lanes as lanes_module
from api.worker.graders import RoutedGraders
from api.worker.lanes import Lanes
from api.worker.state import Worker
from api.worker.sweep import find_lanes
from grading import Tools
from grading.pool import GradingPool
from grading.tools import JudgeReply, JudgeRequest
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import OPEN, Caller, Service, choice_pack
from tests.support.sql import sql

REFERENCES: dict[str, dict[str, Any]] = {
    "choice": {"kind": "multiple_choice", "value": "A"},
    "formula": {"kind": "symbolic", "value": "x + 1"},
    "opinion": {"kind": "judged", "relation": "meaning", "gold": "because it rains"},
}
RIGHT = {"choice": "A", "formula": "1 + x", "opinion": "rain"}


def mixed(count: int = 1) -> Pack:
    """`count` problems of each lane but the sandboxes', all open."""
    head = {
        "slug": "mixed",
        "title": "Mixed",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "Mixed.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"dev": OPEN},
    }
    problems, references = [], []
    for kind, reference in REFERENCES.items():
        for number in range(count):
            name = f"{kind}-{number}"
            line: dict[str, Any] = {
                "id": name,
                "split": "dev",
                "type": kind,
                "subject": "s",
                "statement": f"What of {name}?",
            }
            if kind == "choice":
                line["choices"] = [{"label": letter, "text": letter} for letter in "ABCD"]
            problems.append(Problem.model_validate(line))
            references.append(ReferenceLine(id=name, reference=reference, gold="A", solution="It is."))
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


async def answers(caller: Caller, kinds: tuple[str, ...] = tuple(RIGHT)) -> dict[str, str]:
    """A right answer to every problem of these kinds."""
    problems = await caller.problems("mixed", "dev")
    return {p["id"]: RIGHT[p["type"]] for p in problems if p["type"] in kinds}


async def waiting(service: Service) -> list[Any]:
    async with service.admin.session() as session:
        return list((await sql(session, "select * from grading_job order by id")).all())


async def take(service: Service, lane: Lane, items: int = 1, jobs: int = 1) -> list[TakenJob]:
    async with service.worker.database.session() as session:
        return await LaneRepository(session).take(lane, items, jobs)


async def outcome(caller: Caller, made: Any) -> Any:
    return (await caller.get(made.headers["location"])).json()


async def test_a_submission_waits_in_the_lanes_of_its_problems(service: Service) -> None:
    await service.publish(mixed(6))
    ada = await service.reader()
    await ada.submit("mixed", "dev", await answers(ada))
    jobs = [(job.lane, job.items) for job in await waiting(service)]
    assert sorted(jobs) == [("inline", 6), *[("judges", 1)] * 6, ("processes", 2), ("processes", 4)]


async def test_nobodys_second_job_goes_before_anothers_first(service: Service) -> None:
    await service.publish(mixed())
    flooding, ada, bob = [await service.reader(f"{name}@example.org", name) for name in ("flood", "ada", "bob")]
    given = {caller.key: await answers(caller, ("formula",)) for caller in (flooding, ada, bob)}

    async def send(caller: Caller, count: int) -> None:
        for _ in range(count):
            assert (await caller.submit("mixed", "dev", given[caller.key])).status_code == 202

    whose: dict[UUID, str] = {}
    async with service.admin.session() as session:
        for row in (await sql(session, "select id, slug from organisation")).all():
            whose[row.id] = row.slug

    async def taken(count: int) -> list[str]:
        return [whose[job.organisation_id] for _ in range(count) for job in await take(service, Lane.PROCESSES)]

    await send(flooding, 8)
    assert await taken(3) == ["flood"] * 3
    await send(ada, 3)
    # Ada comes to a queue of five and is next; then they take turns, and Bob's first is before anybody's second.
    assert (await taken(1)) == ["ada"]
    assert sorted(await taken(2)) == ["ada", "flood"]
    await send(bob, 2)
    assert (await taken(1)) == ["bob"]
    assert sorted(await taken(3)) == ["ada", "bob", "flood"]
    # Whoever has nothing waiting has lost no turn and saved none: the rest is the flood's.
    assert await taken(9) == ["flood"] * 3


async def test_turns_are_exact_when_one_organisation_sends_all_at_once(service: Service) -> None:
    await service.publish(mixed())
    flooding, ada = await service.reader("f@example.org", "flood"), await service.reader("a@example.org", "ada")
    mine, hers = await answers(flooding, ("formula",)), await answers(ada, ("formula",))
    await asyncio.gather(*(flooding.submit("mixed", "dev", mine) for _ in range(6)))
    assert [job.turn for job in await waiting(service)] == [0, 1, 2, 3, 4, 5]
    await ada.submit("mixed", "dev", hers)
    assert (await waiting(service))[-1].turn == 0


async def test_many_small_submissions_are_one_piece_of_work(service: Service) -> None:
    await service.publish(mixed())
    ada = await service.reader()
    given = await answers(ada, ("choice",))
    made = [await ada.submit("mixed", "dev", given) for _ in range(5)]
    jobs = await take(service, Lane.INLINE, items=500, jobs=64)
    assert len(jobs) == 5
    await Lanes(service.worker)._worked(jobs)
    assert [(await outcome(ada, one))["state"] for one in made] == ["graded"] * 5
    assert await waiting(service) == []


class SlowJudge:
    """A judge that answers when it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go = threading.Event()

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.set()
        assert self.go.wait(300)
        return JudgeReply(digest="d", data={}, model="slow")


@contextlib.asynccontextmanager
async def working(worker: Worker) -> AsyncIterator[None]:
    """The lanes at work."""
    running = asyncio.create_task(Lanes(worker).run())
    try:
        yield
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def until(service: Service, statement: str) -> None:
    """Wait until a query finds something."""
    async with asyncio.timeout(120):
        while True:
            async with service.admin.session() as session:
                if (await sql(session, statement)).scalar_one_or_none():
                    return
            await asyncio.sleep(0.05)


async def test_a_slow_judge_keeps_only_its_own_lane(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    # Only notifications wake the lanes here.
    monkeypatch.setattr(lanes_module, "_POLL_SECONDS", 3600.0)
    judge = SlowJudge()
    graders = RoutedGraders(GradingPool(1), Tools(judge=judge))
    await service.publish(mixed(12))
    ada, bob = await service.reader("a@example.org", "ada"), await service.reader("b@example.org", "bob")
    async with working(replace(service.worker, graders=graders)):
        asked = await ada.submit("mixed", "dev", await answers(ada, ("opinion",)))
        await asyncio.to_thread(judge.asked.wait, 120)
        quick = await bob.submit("mixed", "dev", await answers(bob, ("choice", "formula")))
        await until(service, "select true from submission where state = 'graded'")
        assert (await outcome(bob, quick))["state"] == "graded"
        assert (await outcome(ada, asked))["graded"] == 0
        judge.go.set()
        await until(service, "select count(*) = 2 or null from submission where state in ('graded', 'awaiting_review')")
    await graders.close()


async def test_more_than_may_wait_is_refused_and_costs_nothing(settings: Settings) -> None:
    async with Service.running(settings.model_copy(update={"waiting_items": 10})) as service:
        await service.publish(choice_pack(count=12, hidden={"submissions_per_organisation": 2}))
        ada, bob = await service.reader(), await service.reader("b@example.org", "bob")
        problems = [problem["id"] for problem in await ada.problems("quiz", "test")]
        # Longer than may wait, but nothing else waits.
        assert (await ada.submit("quiz", "test", dict.fromkeys(problems, "A"))).status_code == 202
        refused = await ada.submit("quiz", "test", {problems[0]: "A"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_waiting")
        assert (refused.json()["limit"], " 12 " in refused.text) == (10, False), (
            "how many wait would tell when each is graded"
        )
        assert int(refused.headers["Retry-After"]) % 10 == 0
        his = (await bob.problems("quiz", "test"))[0]["id"]
        assert (await bob.submit("quiz", "test", {his: "A"})).status_code == 202
        await service.work()
        assert (await ada.submit("quiz", "test", {problems[0]: "A"})).status_code == 202, "the refusal used no quota"


async def test_a_dead_workers_job_is_taken_again_but_not_for_ever(service: Service) -> None:
    await service.publish(mixed())
    ada = await service.reader()
    made = await ada.submit("mixed", "dev", await answers(ada, ("choice",)))
    assert len(await take(service, Lane.INLINE)) == 1
    assert await take(service, Lane.INLINE) == [], "another worker has it"
    for _ in range(2):
        await sql_admin(service, "update grading_job set free_at = now()")
        assert len(await take(service, Lane.INLINE)) == 1
    await sql_admin(service, "update grading_job set free_at = now()")
    await service.work()
    # Three workers died of it, or so it seems: a person has to look.
    assert (await outcome(ada, made))["state"] == "awaiting_review"


async def test_what_nobody_could_decide_on_a_hidden_split_waits_for_people(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    problems = [problem["id"] for problem in await ada.problems("quiz", "test")]
    for tired in (0, 9):
        await ada.submit("quiz", "test", dict.fromkeys(problems, "ANSWER: A"))
        await sql_admin(service, f"update grading_job set attempts = {tired}")
        await Lanes(service.worker).drain()
    async with service.admin.session() as session:
        states = (await sql(session, "select state from submission order by created_at")).scalars().all()
        asked = (await sql(session, "select count(*) from review")).scalar_one()
    assert (states, asked) == (["graded", "awaiting_review"], len(problems))


async def sql_admin(service: Service, statement: str) -> None:
    async with service.admin.session() as session:
        await sql(session, statement)


async def test_a_fault_of_ours_is_no_attempt_and_a_fault_in_grading_waits(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.publish(mixed())
    ada = await service.reader()
    made = await ada.submit("mixed", "dev", await answers(ada, ("choice",)))

    for error, attempts in ((ConnectionError(), 0), (RuntimeError(), 1)):
        with monkeypatch.context() as patched:
            patched.setattr(lanes_module, "grade_jobs", AsyncMock(side_effect=error))
            await Lanes(service.worker).drain()
        (job,) = await waiting(service)
        assert job.attempts == attempts
        await sql_admin(service, "update grading_job set free_at = now()")
    await Lanes(service.worker).drain()
    assert (await outcome(ada, made))["score"] == pytest.approx(1 / 3)


async def test_a_reference_that_cannot_be_read_fails_its_own_submission_alone(service: Service) -> None:
    await service.publish(mixed(2))
    ada = await service.reader()
    first, second = (await answers(ada, ("choice",))).items()
    await sql_admin(
        service,
        """update vault.reference set sealed = substring(sealed for 20) where problem_id =
             (select id from problem where name = 'choice-0')""",
    )
    made = [await ada.submit("mixed", "dev", dict([one])) for one in (first, second)]
    await service.work()
    states = [(await outcome(ada, one))["state"] for one in made]
    assert sorted(states) == ["failed", "graded"]


async def test_place_and_estimate_come_from_counts(service: Service) -> None:
    await service.publish(mixed(4))
    ada, bob = await service.reader("a@example.org", "ada"), await service.reader("b@example.org", "bob")
    given, his = await answers(ada, ("formula",)), await answers(bob, ("formula",))
    for _ in range(3):
        last = await ada.submit("mixed", "dev", given)
    told = await outcome(ada, last)
    assert (told["place"], told["graded"], told["estimate_seconds"]) == (3, 0, pytest.approx(1.2))
    # The times of what was graded before are no part of it.
    await sql_admin(service, "update submission set graded_at = finalised_at + interval '1 day'")
    assert (await outcome(ada, last))["estimate_seconds"] == told["estimate_seconds"]
    assert (await outcome(bob, await bob.submit("mixed", "dev", his)))["place"] == 2, "in turn, behind one alone"


async def test_releases_from_before_the_lanes_get_theirs(service: Service) -> None:
    await service.publish(mixed())
    await sql_admin(service, "update problem set lane = null")
    ada = await service.reader()
    early = await ada.submit("mixed", "dev", await answers(ada, ("choice",)))
    assert [job.lane for job in await waiting(service)] == ["processes"], "until it is known"
    await find_lanes(service.worker)
    await ada.submit("mixed", "dev", await answers(ada, ("choice",)))
    assert [job.lane for job in await waiting(service)] == ["processes", "inline"]
    await service.work()
    assert (await outcome(ada, early))["state"] == "graded"
    async with service.admin.session() as session:
        rows = (await sql(session, "select type, lane from problem order by type")).all()
    assert [tuple(row) for row in rows] == [("choice", "inline"), ("formula", "processes"), ("opinion", "judges")]
