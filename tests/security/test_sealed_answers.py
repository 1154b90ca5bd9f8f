"""Answers and votes are sealed by a role that cannot open them, and what was there before is carried over."""

import asyncio
import hashlib
import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from alembic import command
from sqlalchemy.exc import DBAPIError

from api.accounts.models import MemberRole, Scope
from api.core import migrate
from api.core.crypto import IntakeSeal, SealError, intake_public_key, unseal_intake
from api.core.db import Database, Role
from api.core.settings import Settings
from api.reviews.repository import ReviewRepository
from api.submissions.grading_repository import GradingRepository
from api.submissions.schemas import SubmissionCreate
from tests.integration.test_reviews import proofs
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql

KEY = b"k" * 32


def test_who_seals_cannot_open_and_a_moved_or_changed_value_does_not_open() -> None:
    seal = IntakeSeal(intake_public_key(KEY))
    sealed = seal.seal(b'"A"', "here")
    assert json.loads(unseal_intake(KEY, sealed, "here")) == "A"
    changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for key, value, place in ((KEY, sealed, "there"), (KEY, changed, "here"), (b"x" * 32, sealed, "here")):
        with pytest.raises(SealError):
            unseal_intake(key, value, place)
    with pytest.raises(SealError, match="version"):
        unseal_intake(KEY, b"\x01" + sealed[1:], "here")


def test_short_answers_have_one_length_and_equal_ones_are_not_equal_when_sealed() -> None:
    seals = [IntakeSeal(intake_public_key(KEY)) for _ in range(2)]
    sealed = [seal.seal(text, "here") for seal in seals for text in (b'"A"', b'"1000000"', b'"A"')]
    assert len({len(value) for value in sealed}) == 1
    assert len(set(sealed)) == len(sealed)


async def test_the_web_role_takes_no_answer_of_a_hidden_split_in_the_clear(
    settings: Settings, service: Service
) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}, "finalize": False}
    (await ada.post("/v1/submissions", json=body)).raise_for_status()
    database = Database.of(settings, Role.WEB)
    add = """insert into submission_item (submission_id, problem_id, {column})
             select u.id, p.id, '"A"' from submission u join problem p on p.split_id = u.split_id limit 1"""
    for column in ("answer", "data", "trajectory"):
        with pytest.raises(DBAPIError, match="sealed before it is taken in"):
            async with database.session() as session:
                await sql(session, add.format(column=column))
    await database.close()


async def _everything(service: Service, submission: UUID) -> tuple[dict[UUID, str], list[Any], list[str]]:
    """The answers of a submission, the votes of all reviews, and all digests of requests."""
    async with service.admin.session() as session:
        reviews = ReviewRepository(session)
        ids = (await sql(session, "select id from review order by id")).scalars().all()
        return (
            await GradingRepository(session).answers(submission),
            [await reviews.votes(review) for review in ids],
            list((await sql(session, "select request_digest from submission order by id")).scalars().all()),
        )


async def test_what_was_there_before_is_sealed_and_means_the_same(settings: Settings, service: Service) -> None:
    await service.publish(proofs(split={"visibility": "test", "feedback": "aggregate"}))
    ada = await service.reader()
    aliases = [problem["id"] for problem in await ada.problems("proofs", "test")]
    item = {"problem": aliases[0], "answer": "My \u00fcber proof.", "data": {"b": [1.50, None], "a": "x"}}
    body = {"benchmark": "proofs", "split": "test", "model": {"name": "m"}, "items": [item]}
    (await ada.post("/v1/submissions", json=body)).raise_for_status()
    await service.work()
    scopes = [Scope.REVIEWS_WRITE]
    one = await service.reader("one@example.org", "owners", scopes=scopes, role=MemberRole.MEMBER)
    task = (await one.post("/v1/reviews/claim", json={"benchmark": "proofs"})).json()["task"]
    vote = {"credits": {"idea": 1, "end": 0.0}, "comment": "Says it."}
    (await one.post(f"/v1/reviews/{task['id']}/vote", json=vote)).raise_for_status()
    async with service.admin.session() as session:
        submission = (await sql(session, "select id from submission")).scalar_one()
    before = await _everything(service, submission)
    assert len(before[0]) == len(before[1][0]) == 1
    config = migrate.config(settings)
    await asyncio.to_thread(command.downgrade, config, "0024")
    async with service.admin.session() as session:
        plain = (await sql(session, "select answer, data, trajectory from submission_item")).one()
        spelt = "select jsonb_build_array(answer, data, trajectory)::text from submission_item"
        assert (await sql(session, spelt)).scalar_one() == next(iter(before[0].values())), "digests stay comparable"
        credits = (await sql(session, "select credits, comment from review_vote")).one()
    assert (plain.answer, plain.data, plain.trajectory) == (item["answer"], item["data"], None)
    assert (credits.credits, credits.comment) == (vote["credits"], vote["comment"])
    await asyncio.to_thread(migrate.upgrade, settings)
    after = await _everything(service, submission)
    assert after[:2] == before[:2]
    async with service.admin.session() as session:
        left = "select count(*) from submission_item where num_nonnulls(answer, data, trajectory) > 0"
        assert (await sql(session, left)).scalar_one() == 0


async def test_an_old_digest_of_a_request_still_knows_the_same_request(settings: Settings, service: Service) -> None:
    await service.publish(choice_pack(hidden=OPEN))
    ada = await service.reader()
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}, "finalize": False}
    headers = {"Idempotency-Key": "once"}
    made = (await ada.post("/v1/submissions", json=body, headers=headers)).json()
    await asyncio.to_thread(command.downgrade, migrate.config(settings), "0024")
    plain = hashlib.sha256(SubmissionCreate.model_validate(body).model_dump_json().encode()).hexdigest()
    async with service.admin.session() as session:
        await sql(session, "update submission set request_digest = :plain", {"plain": plain})
    await asyncio.to_thread(migrate.upgrade, settings)
    again = await ada.post("/v1/submissions", json=body, headers=headers)
    assert (again.status_code, again.json()["id"]) == (202, made["id"])
    async with service.admin.session() as session:
        stored = (await sql(session, "select request_digest from submission")).scalar_one()
    assert stored != plain
    other = await ada.post("/v1/submissions", json=body | {"model": {"name": str(uuid4())}}, headers=headers)
    assert other.status_code == 409
