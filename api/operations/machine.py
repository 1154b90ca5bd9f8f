"""`heldout-server config check`: every setting tried out, with what to do where it does not work."""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx2
from limits.errors import ConfigurationError
from limits.storage import storage_from_string
from sqlalchemy.exc import OperationalError, ProgrammingError

from api.core.db import Database, Role, local_server, unreachable
from api.core.key_stores import SecretFileError
from api.core.localpg import LocalServerError
from api.core.providers import LoginProvider
from api.core.query import Query
from api.core.settings import Settings
from api.operations.readiness import readiness

FREE_BYTES = 2 * 1024**3
SECONDS = 10.0


@dataclass(frozen=True)
class Check:
    """One thing tried. `remedy` says what to do; empty when it works."""

    name: str
    detail: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return not self.remedy


_SERVER = Query(int, "The server's release.", "select current_setting('server_version_num')::int")


async def examine(settings: Settings) -> AsyncIterator[Check]:
    """Each check as it is done. A database that does not answer ends those that need it."""
    yield _data_dir(settings)
    yield _secrets(settings)
    found = await _database(settings)
    yield found
    if found.ok:
        for role in (Role.WEB, Role.WORKER, Role.HOST):
            yield await _role(settings, role)
    yield _rate_storage(settings)
    for provider in settings.login_providers:
        yield await _provider(provider)
    if settings.judge_url:
        yield await _judge(settings)
    yield await _sandbox(settings)


def _data_dir(settings: Settings) -> Check:
    folder = settings.data_dir.absolute()
    if not folder.is_dir():
        return Check("data directory", f"{folder} is not there", "run heldout-server migrate, or set HELDOUT_DATA_DIR")
    free = shutil.disk_usage(folder).free
    detail = f"{folder}, {free / 1024**3:.1f} GiB free"
    return Check("data directory", detail, "" if free > FREE_BYTES else "make room: below 2 GiB a backup may not fit")


def _secrets(settings: Settings) -> Check:
    folder = settings.data_dir / "secrets"
    try:
        for kept in (settings.secrets, settings.vault_secrets, settings.host_secrets):
            assert kept
    except (SecretFileError, OSError) as error:
        return Check("keys", str(error), "restore it from a backup; without these keys no gold can be read")
    loose = [path.name for path in (folder, *folder.glob("*.json")) if path.stat().st_mode & 0o077]
    if loose:
        return Check("keys", f"others may read {', '.join(loose)}", f"chmod -R go= {folder}")
    return Check("keys", f"in {folder}, for this user alone")


async def _database(settings: Settings) -> Check:
    remedy = "check HELDOUT_DATABASE_URL" if settings.database_url else "run heldout-server up, or migrate"
    server = local_server(settings)
    try:
        if server:
            server.start()
        database = Database.of(settings, Role.ADMIN)
        try:
            async with database.session() as session:
                number = await session.fetch_one(_SERVER)
                found = await readiness(session)
        finally:
            await database.close()
    except LocalServerError as error:
        return Check("database", str(error), remedy)
    except ProgrammingError:
        return Check("database", "it has no tables of ours", "heldout-server migrate")
    except OperationalError as error:
        return Check("database", unreachable(error) or str(error.orig), remedy)
    detail = f"PostgreSQL {number // 10_000}.{number % 10_000}, {'embedded' if server else 'external'}"
    if number < 150_000:
        return Check("database", detail, "PostgreSQL 15 or newer is needed")
    return Check("database", "; ".join([detail, *found.faults]), "heldout-server migrate" if found.faults else "")


async def _role(settings: Settings, role: Role) -> Check:
    database = Database.of(settings, role)
    try:
        async with database.session() as session:
            await session.fetch_one(_SERVER)
    except OperationalError as error:
        return Check(f"role {role.value}", str(error.orig), "heldout-server migrate sets the roles' passwords")
    finally:
        await database.close()
    return Check(f"role {role.value}", "it can log in")


def _rate_storage(settings: Settings) -> Check:
    name, address = "rate storage", settings.rate_storage
    if address.startswith("memory"):
        return Check(name, "in each process by itself: with several web processes a limit counts for each")
    try:
        answers = storage_from_string(address).check()
    except ConfigurationError as error:
        return Check(name, str(error), "pip install 'heldout[redis]' for redis:// addresses")
    return Check(name, address, "" if answers else "nothing answers there; requests would be refused with 503")


async def _provider(provider: LoginProvider) -> Check:
    name = f"sign-in with {provider.label}"
    if provider.client_secret_file and not provider.client_secret_file.is_file():
        return Check(name, f"{provider.client_secret_file} is not there", "write the client's secret into it")
    if provider.kind == "github":
        return await _answers(name, provider.github_api_url, "is HELDOUT_LOGIN_PROVIDERS' github_api_url right?")
    address = f"{provider.issuer}".rstrip("/") + "/.well-known/openid-configuration"
    return await _answers(name, address, "is HELDOUT_LOGIN_PROVIDERS' issuer right?")


async def _judge(settings: Settings) -> Check:
    if settings.judge_key_file and not settings.judge_key_file.is_file():
        return Check("judge", f"{settings.judge_key_file} is not there", "write the endpoint's key into it")
    if not settings.judge_model:
        return Check("judge", "no model is named", "set HELDOUT_JUDGE_MODEL")
    return await _answers("judge", f"{settings.judge_url}", "is HELDOUT_JUDGE_URL right?", refused_is_fine=True)


async def _answers(name: str, address: str, remedy: str, *, refused_is_fine: bool = False) -> Check:
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            status = (await client.get(address)).status_code
    except httpx2.HTTPError as error:
        return Check(name, f"{address}: {type(error).__name__} {error}".strip(), remedy)
    ok = status < 400 or (refused_is_fine and status < 500)
    return Check(name, f"{address} answers {status}", "" if ok else remedy)


async def _sandbox(settings: Settings) -> Check:
    from envs.sandbox.doctor import examine as sandboxes

    names = () if settings.sandbox == "auto" else (settings.sandbox,)
    found = await (sandboxes(names, attacks=False) if names else sandboxes(attacks=False))
    usable = [finding.name for finding in found if finding.usable]
    remedy = "" if usable else "bash infra/setup.sh installs bubblewrap; heldout-server doctor says more"
    return Check("sandbox", f"usable: {', '.join(usable) or 'none'}", remedy)
