"""The log says who changed what: by ids, for keys and browsers, and nothing of what anybody wrote."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from api.accounts.models import Scope
from api.core import logging as service_logging
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql
from tests.support.visitor import enter


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Iterator[pytest.CaptureFixture[str]]:
    yield capsys
    structlog.reset_defaults()


def audited(captured: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in captured.readouterr().err.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "audit"]


async def test_changes_by_key_are_lines_and_play_and_reading_are_none(
    service: Service, log: pytest.CaptureFixture[str]
) -> None:
    service_logging.configure("info")
    await service.publish(choice_pack(count=2, hidden=OPEN))
    owner = await service.reader("olga@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE, Scope.ACCOUNT_WRITE])
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    await reader.submit("quiz", "test", {problem["id"]: "A" for problem in problems})
    assert audited(log) == []
    named = await reader.call("PUT", "/v1/benchmarks/quiz/reviewers/rita@example.org")
    assert named.status_code == 403, "its key has not the scope"
    made = await owner.post("/v1/keys", json={"name": "of the laboratory", "scopes": ["benchmarks:write"]})
    made.raise_for_status()
    refused, done = audited(log)
    async with service.admin.session() as session:
        account = (await sql(session, "select id from account where email = 'olga@example.org'")).scalar_one()
    assert done["account"] == str(account) != refused["account"]
    assert (refused["status"], refused["on"]) == (403, {"slug": "quiz"})
    assert (done["method"], done["route"], done["status"], done["on"]) == ("POST", "/v1/keys", made.status_code, {})
    assert done["request_id"] == made.headers["x-request-id"]
    assert done["key"]
    for content in ("rita", "olga", "laboratory", made.json()["key"]):
        assert content not in json.dumps([refused, done])


async def test_sign_ins_and_forms_are_lines_without_the_link(service: Service, log: pytest.CaptureFixture[str]) -> None:
    service_logging.configure("info")
    owner = await enter(service, "olga@example.org", "owners")
    await owner.fill("/o/owners", "/o/owners/invitations", {"role": "member", "email": "ida@example.org"})
    entered, invited = audited(log)
    assert (entered["route"], entered["key"], entered["on"]) == ("/login/link", None, {})
    assert (invited["route"], invited["on"]) == ("/o/{slug}/invitations", {"slug": "owners"})
    assert entered["account"] == invited["account"]
    assert "example.org" not in json.dumps([entered, invited])
