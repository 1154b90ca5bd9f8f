"""The drill: every key of an instance is replaced while it serves, and nothing opens with the keys before."""

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
import typer
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from api.cli import rekeying
from api.core import migrate, secrets
from api.core.crypto import Aliases, SealError
from api.core.db import Database, Role, address
from api.core.secrets import HostSecrets, KeyStateError, ServiceSecrets, VaultSecrets
from api.core.settings import Settings
from api.worker import resealing
from tests.support.operator_commands import folder
from tests.support.service import OPEN, Caller, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql

pytestmark = pytest.mark.timeout(300)
__all__ = ["folder"]
SERVED = ["pepper", "alias", "cursor", "cookie", "fingerprint", "review", "vault", "episode"]
PASSWORDS = ["database_web", "database_worker", "database_admin", "database_host"]
PLAIN = {  # bytes that are not sealed: digests, files, and a public key
    *("public.api_key.digest", "public.invitation.digest", "public.asset.content", "public.intake_key.public"),
    *("public.web_session.digest", "public.login_link.digest"),
    *("public.device_grant.device_digest", "public.device_grant.user_digest"),
}
_BYTES = """select table_schema || '.' || table_name || '.' || column_name from information_schema.columns
where data_type = 'bytea' and table_schema not in ('pg_catalog', 'information_schema', 'queue')"""


@pytest.fixture
def instance(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """An instance of its own, whose processes notice another key at once."""
    monkeypatch.setattr(secrets, "SPREAD_SECONDS", 0.0)
    monkeypatch.setattr(secrets, "RELOAD_SECONDS", 0.0)
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(folder))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    settings = Settings(data_dir=folder, rate_limits_enabled=False, port=0, pool_ready=0, feedback_delay_seconds=0)
    migrate.prepare(settings)
    return settings


async def _graded(service: Service, caller: Caller, aliases: list[str], model: str) -> float:
    answers = dict(zip(aliases, "ABCDABCD", strict=True))
    made = await _in_the_end(lambda: caller.submit("quiz", "test", answers, model))
    await _worked(service)
    submission = f"/v1/submissions/{made.json()['id']}"
    return float((await _in_the_end(lambda: caller.get(submission))).json()["score"])


async def _worked(service: Service) -> None:
    """Work as a worker that goes on does: a pooled connection, used within the second, may just have been ended."""
    for left in reversed(range(10)):
        try:
            await service.work()
            break
        except DBAPIError as error:
            if not (left and error.connection_invalidated):
                raise


async def _in_the_end(ask: Callable[[], Awaitable[httpx2.Response]]) -> httpx2.Response:
    """The answer as a client gets it, who asks again where a connection to the database had just been ended."""
    for _ in range(10):
        if (answer := await ask()).status_code != 503:
            break
    return answer.raise_for_status()


def _values(settings: Settings) -> dict[str, int]:
    """How many values of each column open with the keys of `settings` alone; raises SealError for one that does not."""
    found = {}
    with rekeying.connected(settings) as connection:
        for kind in ("vault", "review", "episode"):
            for one in resealing.reseal(connection, settings, kind, write=False):
                assert one.earlier == 0
                found[f"{one.column.table}.{one.column.column}"] = one.values
    return found


async def test_every_key_is_replaced_while_the_service_runs(
    instance: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Service.running(instance) as service:
        await service.publish(choice_pack(hidden=OPEN))
        await service.publish(choice_pack("exam"))
        await service.publish(echo_pack())
        caller, idle = await service.reader(), await service.reader("bob@example.org", "second")
        aliases = [problem["id"] for problem in await caller.problems("quiz", "test")]
        assert await _graded(service, caller, aliases, "before") == 1.0
        hidden = [problem["id"] for problem in await caller.problems("exam", "test")]
        (await caller.submit("exam", "test", dict.fromkeys(hidden, "A"))).raise_for_status()
        await service.work()
        frozen = Settings(data_dir=instance.data_dir)
        before = (frozen.secrets, frozen.vault_secrets, frozen.host_secrets)

        rekeying.add(SERVED)
        assert await _graded(service, caller, aliases, "between") == 1.0
        rekeying.use(SERVED)
        # Whatever was made before still holds good, and what is made now is made under the new keys.
        assert await _graded(service, caller, aliases, "after") == 1.0
        again = [problem["id"] for problem in await caller.problems("quiz", "test")]
        assert not set(again) & set(aliases), "problems are served under other ids"
        assert await _graded(service, caller, again, "by the new ids") == 1.0
        with pytest.raises(typer.Exit):
            rekeying.retire(["vault"])

        # Ended in the middle and begun again.
        with monkeypatch.context() as patch:
            patch.setattr(resealing, "_BATCH", 2)
            patch.setattr(resealing, "_update", _fails_after(resealing._update, 3))
            with pytest.raises(ConnectionError):
                rekeying.reseal(["all"])
        rekeying.reseal(["all"])
        with pytest.raises(typer.Exit):
            rekeying.retire(["pepper"])
        rekeying.retire(SERVED, lose=True)

        values = _values(Settings(data_dir=instance.data_dir))
        assert values["vault.reference.sealed"] == 32
        assert values["vault.episode.sealed"] == 12
        assert values["vault.verdict.sealed"] == values["submission_item.sealed"] == 8
        for kind, kept in zip((ServiceSecrets, VaultSecrets, HostSecrets), before, strict=True):
            with monkeypatch.context() as patch:
                patch.setattr(kind, "load", classmethod(lambda _kind, _store, kept=kept: kept))
                if kind is not ServiceSecrets:  # under the key of reviews there is nothing here
                    with pytest.raises(SealError):
                        _values(Settings(data_dir=instance.data_dir))
        assert (await caller.get(f"/v1/problems/{aliases[0]}")).status_code == 404
        assert (await caller.get(f"/v1/problems/{again[0]}")).status_code == 200
        assert (await idle.get("/v1/problems/x")).status_code == 401, "its key was not used since"
        assert (await caller.get("/v1/submissions")).json()["items"][-1]["score"] == 1.0
        await _passwords(instance)
        assert await _graded(service, caller, again, "with the new passwords") == 1.0


async def _passwords(instance: Settings) -> None:
    before = {role: address(instance, role) for role in Role}
    rekeying.add(PASSWORDS)
    rekeying.use(PASSWORDS)
    rekeying.retire(PASSWORDS)
    with rekeying.connected(instance) as connection:
        # As after a restart of the server: whatever is open is opened anew, by processes that nobody restarted.
        connection.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename like 'heldout%'")
    for role in Role:
        assert await _may_enter(address(instance, role))
        assert not await _may_enter(before[role]), f"{role} enters with the password before"


async def _may_enter(url: URL) -> bool:
    database = Database(url, 1)
    try:
        async with database.session() as session:
            await sql(session, "select 1")
    except DBAPIError as error:
        if "password" not in str(error):
            raise
        return False
    finally:
        await database.close()
    return True


def _fails_after(update: Any, times: int) -> Any:
    left = [times]

    def failing(column: resealing.SealedColumn) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise ConnectionError("the machine went down")
        return update(column)

    return failing


async def test_every_sealed_column_is_known(service: Service) -> None:
    async with service.admin.session() as session:
        found = {row[0] for row in (await sql(session, _BYTES)).all()}
    known = {f"{'' if '.' in one.table else 'public.'}{one.table}.{one.column}" for one in resealing.COLUMNS}
    assert known | PLAIN == found


def test_steps_in_another_order_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(folder))
    store = Settings(data_dir=folder).kept_keys
    made = ServiceSecrets.load(store)
    with pytest.raises(KeyStateError, match="first step is 'add'"):
        made.used("alias")
    with pytest.raises(KeyStateError, match="no key before"):
        made.retired("alias")
    added = made.added("alias")
    with pytest.raises(KeyStateError, match="next step is 'use'"):
        added.added("alias")
    with pytest.raises(KeyStateError, match="some processes may not know"):
        added.used("alias")
    rekeying.show()
    assert HostSecrets.load(store).label() == "host"
    with pytest.raises(typer.Exit):
        rekeying.add(["no such key"])
    assert Aliases(added.raw("alias")), "a ring of keys is a key"


def test_a_step_for_all_is_taken_for_all_or_for_none_and_goes_on_where_it_was_ended(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(folder))
    store = Settings(data_dir=folder).kept_keys
    earlier = time.time() - secrets.SPREAD_SECONDS - 1
    with monkeypatch.context() as past:
        past.setattr("api.core.secrets.time.time", lambda: earlier)
        ServiceSecrets.load(store).added("alias").save(store)
    ServiceSecrets.load(store).added("cursor").save(store)
    with pytest.raises(KeyStateError, match="may not know the new 'cursor'"):
        rekeying.use(["all"])
    assert [key.until for key in ServiceSecrets.load(store).others["alias"]] == [None]
    ServiceSecrets.load(store).used("alias").save(store)
    with pytest.raises(KeyStateError, match="may still use the 'alias' before"):
        rekeying.retire(["all"])
