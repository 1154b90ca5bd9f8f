"""What the process that runs environments may read: episodes, and never a reference."""

import pytest
from sqlalchemy.exc import ProgrammingError

from api.core.db import Database, Role
from api.core.secrets import HostSecrets, VaultSecrets
from api.core.settings import Settings
from api.hosting.sealing import open_episode
from tests.support.service import Service
from tests.support.sessions import echo_pack
from tests.support.sql import sql

HOST_REFUSED = (
    "select * from vault.reference",
    "select * from vault.evidence",
    "select * from api_key",
    "select gold from problem",
    "select * from submission_item",
    "select * from procrastinate_jobs",
    "update live_session set score = 1",
    "delete from session_step",
)
WEB_REFUSED = (
    "select * from vault.reference",
    "select * from vault.episode",
    "select * from vault.evidence",
    "update live_session set score = 1",
    "insert into session_step (session_id, number, observation, digest) values (gen_random_uuid(), 0, '{}', '')",
)


@pytest.mark.parametrize(("role", "statements"), [(Role.HOST, HOST_REFUSED), (Role.WEB, WEB_REFUSED)])
async def test_the_database_refuses(settings: Settings, role: Role, statements: tuple[str, ...]) -> None:
    database = Database.of(settings, role)
    for statement in statements:
        with pytest.raises(ProgrammingError, match=r"permission denied|does not exist"):
            async with database.session() as session:
                await sql(session, statement)
    await database.close()


async def test_a_host_reads_episodes_that_hold_no_reference(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    database = Database.of(settings, Role.HOST)
    async with database.session() as session:
        rows = (await sql(session, "select problem_id, sealed from vault.episode")).all()
    await database.close()
    key = settings.host_secrets.raw("episode")
    forms = [form for row in rows for form in open_episode(key, row.problem_id, row.sealed)]
    assert len(forms) == 12
    assert {name for form in forms for name in form} == {"environment", "spec", "probes", "steps", "seconds"}


def test_the_hosts_keys_are_in_a_file_of_their_own() -> None:
    assert HostSecrets.label() != VaultSecrets.label()
    assert not set(HostSecrets.names()) & set(VaultSecrets.names())
