"""Feedback on hidden splits: the ladder through the whole service, and nothing beside it."""

import random
from typing import Any

from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

GOLD = "ABCD"


async def _submit(service: Service, caller: Caller, wrong: int, model: str) -> dict[str, Any]:
    """A run with the first `wrong` of the problems answered wrongly."""
    problems = await caller.problems("quiz", "test")
    answers = {}
    for place, problem in enumerate(problems):
        gold = int(problem["statement"].removesuffix("?").rsplit("-", 1)[1]) % 4
        answers[problem["id"]] = GOLD[gold if place >= wrong else (gold + 1) % 4]
    done = await caller.submit("quiz", "test", answers, model=model)
    assert done.status_code == 202, done.text
    await service.work()
    return dict((await caller.get(done.headers["location"])).json())


async def _verify(service: Service, organisation: str) -> None:
    async with service.admin.session() as session:
        await sql(session, "update organisation set verified_at = now() where slug = :slug", {"slug": organisation})


async def test_only_a_new_best_beyond_noise_is_told(service: Service) -> None:
    await service.publish(choice_pack(count=100, hidden={"feedback": "ladder"}))
    ada = await service.reader()
    first = await _submit(service, ada, 53, "first")
    assert first["score"] == 0.45, first
    assert set(first["breakdown"]["subject"]) == {"s0", "s1"}
    assert all(round(g["score"] * 20, 6) % 1 == 0 for g in first["breakdown"]["subject"].values())
    luckier = await _submit(service, ada, 50, "luckier")
    assert (luckier["state"], luckier["score"], luckier["breakdown"]) == ("graded", None, None)
    assert "stays 0.45" in luckier["note"]
    better = await _submit(service, ada, 20, "better")
    assert better["score"] == 0.8
    board = (await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test", "all": True})).json()
    assert [(row["model"]["name"], row["score"], row["attempts"]) for row in board["items"]] == [
        ("better", 0.8, 3),
        ("first", 0.45, 1),
    ]
    assert board["items"][0]["adjusted"] < 0.8
    async with service.admin.session() as session:
        rows = (await sql(session, "select attempt, released, bits from released_score order by attempt")).all()
        state = (await sql(session, "select * from ladder_state")).one()
    assert [(row.attempt, row.released) for row in rows] == [(1, 0.45), (3, 0.8)]
    assert (state.attempts, state.releases, state.released) == (3, 2, 0.8)
    assert state.bits == sum(row.bits for row in rows) > 8


async def test_organisations_share_the_budget_of_a_split(service: Service) -> None:
    await service.publish(choice_pack(count=20, hidden={"feedback": "ladder", "ladder_budget": 2}))
    told = []
    for name in ("one", "two", "three"):
        caller = await service.reader(f"{name}@example.org", name)
        await _verify(service, name)
        told.append((await _submit(service, caller, 4, name))["score"])
    assert told == [0.8, 0.8, None]


async def test_a_single_item_never_moves_what_is_told(service: Service) -> None:
    await service.publish(choice_pack(count=60, hidden={"feedback": "ladder"}))
    ada = await service.reader()
    await _submit(service, ada, 30, "base")
    rng = random.Random(0)
    for number in range(4):
        assert (await _submit(service, ada, 30 - rng.choice((0, 1, 2)), f"probe-{number}"))["score"] is None


async def test_aggregate_has_two_decimals_and_no_tiny_groups(service: Service) -> None:
    await service.publish(choice_pack(count=9))
    ada = await service.reader()
    told = await _submit(service, ada, 2, "m")
    assert told["score"] == 0.78
    assert told["interval"] == {key: round(value, 2) for key, value in told["interval"].items()}
    assert set(told["breakdown"]["subject"]) == {"s0"}


async def test_the_ladder_is_not_the_web_process_to_write(service: Service) -> None:
    async with service.admin.session() as session:
        for role, table, verb, allowed in (
            ("heldout_web", "released_score", "INSERT", False),
            ("heldout_web", "ladder_state", "UPDATE", False),
            ("heldout_worker", "released_score", "INSERT", True),
            ("heldout_worker", "released_score", "UPDATE", False),
            ("heldout_worker", "ledger_seal", "DELETE", False),
            ("heldout_web", "exposure", "UPDATE", False),
        ):
            row = await sql(session, f"select has_table_privilege('{role}', '{table}', '{verb}') as ok")
            assert row.scalar_one() is allowed, (role, table, verb)


async def test_organisations_that_nobody_verified_climb_one_ladder(service: Service) -> None:
    """A hundred organisations of one attacker are told what one would be."""
    await service.publish(choice_pack(count=100, hidden={"feedback": "ladder"}))
    runs = []
    for number, wrong in enumerate((53, 50, 47, 20)):
        caller = await service.reader(f"m{number}@example.org", f"sybil{number}")
        runs.append(await _submit(service, caller, wrong, f"run{number}"))
    assert [run["score"] for run in runs] == [0.45, None, None, 0.8]
    assert "all organisations that are not verified stays 0.45" in runs[1]["note"]
    feedback = (await caller.get("/v1/benchmarks/quiz/feedback")).json()
    assert (feedback["shared"], feedback["attempts"], feedback["releases"]) == (True, 4, 2)
    await service.key("ada@example.org", "lab")
    await _verify(service, "lab")
    ada = await service.reader()
    assert (await _submit(service, ada, 30, "own"))["score"] == 0.7, "a verified organisation has a ladder of its own"
    assert (await ada.get("/v1/benchmarks/quiz/feedback")).json()["shared"] is False


async def test_an_owner_may_tell_verified_organisations_alone(service: Service) -> None:
    await service.publish(choice_pack(count=20, hidden={"feedback": "ladder", "unverified": "none"}))
    ada = await service.reader()
    told = await _submit(service, ada, 4, "first")
    assert (told["score"], told["note"]) == (None, "this split releases scores to verified organisations alone")
    await _verify(service, "lab")
    assert (await _submit(service, ada, 4, "second"))["score"] == 0.8
