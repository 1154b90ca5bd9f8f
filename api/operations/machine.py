"""`heldout-server config check`: every setting tried out, with what to do where it does not work."""

import asyncio
import contextlib
import errno
import os
import shutil
import smtplib
import socket
from collections.abc import AsyncIterator
from ipaddress import IPv4Network, IPv6Network, collapse_addresses
from urllib.parse import urlsplit

import httpx2
from limits.errors import ConfigurationError
from limits.storage import storage_from_string
from sqlalchemy.exc import OperationalError, ProgrammingError

from api.core.db import Database, Role, local_server, unreachable
from api.core.key_stores import SecretFileError
from api.core.localpg import LocalServerError
from api.core.providers import LoginProvider
from api.core.query import Query
from api.core.revision import tables_fault
from api.core.settings import Settings
from api.mail.smtp import connected
from api.operations import misnamed, servers, worlds
from api.operations.check import SECONDS, Check, answers, secret_fault, without_password
from api.operations.readiness import read_only_fault, readiness

FREE_BYTES = 2 * 1024**3
_CHOOSE = "HELDOUT_PORT names another port"
_TAKES_CHANGES = "name the primary, promote this one, or turn default_transaction_read_only off for database and roles"

# Everybody's addresses; IPv6 has handed out this eighth alone.
_V4, _V6 = IPv4Network("0.0.0.0/0"), IPv6Network("2000::/3")

_SERVER = Query(int, "The server's release.", "select current_setting('server_version_num')::int")


async def examine(settings: Settings) -> AsyncIterator[Check]:
    """Each check as it is done. What needs keys or a database that are not there is left out: their fault is said."""
    folder = _data_dir(settings)
    yield folder
    # Looking for keys, or for the embedded server, makes them where there are none: not in a folder that is a slip.
    keys = _keys(settings) if folder.ok or settings.data_dir.is_dir() else None
    if keys:
        yield keys
    if keys and keys.ok:
        found = await _database(settings)
        yield found
        if found.ok:
            for role in (Role.WEB, Role.WORKER, Role.HOST):
                yield await _role(settings, role)
            if settings.database_pooler_url:
                yield await _pooler(settings)
    yield await _listening(settings)
    if settings.metrics_port:
        yield await _metrics(settings)
    yield _host_address(settings)
    yield _public_address(settings)
    yield _proxies(settings)
    yield _rate_storage(settings)
    for provider in settings.login_providers:
        yield await _provider(provider)
    if settings.smtp_host:
        yield await asyncio.to_thread(_mail, settings)
    if settings.judge_url:
        yield await _judge(settings)
    if settings.traces_url:
        yield await _traces(settings.traces_url)
    yield await _sandbox(settings)
    async for check in _variables():
        yield check


async def _variables() -> AsyncIterator[Check]:
    """What the environment holds besides the settings."""
    for check in worlds.examine():
        yield check
    async for check in servers.examine():
        yield check
    for check in misnamed.examine():
        yield check


def _data_dir(settings: Settings) -> Check:
    name, folder = "data directory", settings.data_dir.absolute()
    if folder.exists() and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        return Check(name, f"{folder} is no folder that this user may write", "set HELDOUT_DATA_DIR to one that is")
    if not folder.is_dir():
        return Check(name, f"{folder} is not there", "run heldout-server migrate, or set HELDOUT_DATA_DIR")
    free = shutil.disk_usage(folder).free
    detail = f"{folder}, {free / 1024**3:.1f} GiB free"
    return Check(name, detail, "" if free > FREE_BYTES else "make room: below 2 GiB a backup may not fit")


def _keys(settings: Settings) -> Check:
    try:
        for kept in (settings.secrets, settings.vault_secrets, settings.host_secrets):
            assert kept
    except (SecretFileError, OSError) as error:
        said = "HELDOUT_KEY_STORE says where keys are kept; docs/operating.md, Keys. Without them no gold can be read"
        return Check("keys", str(error), said)
    if settings.key_store not in ("file", "age"):
        return Check("keys", f"from '{settings.key_store}'")
    folder = settings.data_dir.absolute() / "secrets"
    loose = [path.name for path in (folder, *folder.glob("*.json*")) if path.stat().st_mode & 0o077]
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
                only_reads = await read_only_fault(session)
        finally:
            await database.close()
    except (LocalServerError, SecretFileError) as error:
        return Check("database", str(error), remedy)
    except ProgrammingError:
        return Check("database", "it has no tables of ours", "heldout-server migrate")
    except OperationalError as error:
        return Check("database", unreachable(error) or _line(error), remedy)
    detail = f"PostgreSQL {number // 10_000}.{number % 10_000}, {'embedded' if server else 'external'}"
    if number < 150_000:
        return Check("database", detail, "PostgreSQL 15 or newer is needed")
    if only_reads:
        return Check("database", f"{detail}; {only_reads}", _TAKES_CHANGES)
    return Check("database", detail, tables_fault(found.version) or "")


async def _role(settings: Settings, role: Role) -> Check:
    direct = settings.model_copy(update={"database_pooler_url": None})
    return Check(f"role {role.value}", *await _works_as(direct, role))


async def _pooler(settings: Settings) -> Check:
    """Every role by way of the pooler, which keeps passwords of its own."""
    for role in (Role.WEB, Role.WORKER, Role.HOST):
        fault, _ = await _works_as(settings, role)
        if fault:
            remedy = "check HELDOUT_DATABASE_POOLER_URL; heldout-server config pooler-users prints whom it has to know"
            return Check("pooler", f"{role.value}: {fault}", remedy)
    return Check("pooler", "each role can log in by it")


async def _works_as(settings: Settings, role: Role) -> tuple[str, str]:
    """What is wrong, and what to do; empty where the role can log in and make changes."""
    database = Database.of(settings, role)
    try:
        async with database.session() as session:
            fault = await read_only_fault(session)
    except OperationalError as error:
        return _line(error), "heldout-server migrate sets the roles' passwords"
    finally:
        await database.close()
    return (fault, _TAKES_CHANGES) if fault else ("", "")


def _line(error: OperationalError) -> str:
    return str(error.orig).strip().splitlines()[0]


async def _listening(settings: Settings) -> Check:
    """Whether a web process can listen; one that does already is as good."""
    host, family = settings.host, socket.AF_INET
    if ":" in host:
        host, family = f"[{host}]", socket.AF_INET6
    name, where = "listening", f"{host}:{settings.port}"
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            there = await answers(name, f"http://{where}/healthz", f"not Heldout; {_CHOOSE}")
            return Check(name, f"{where} is taken, and {there.detail}", there.remedy)
        return Check(name, f"{where}: {error.strerror}", f"HELDOUT_HOST is an address of this machine; {_CHOOSE}")
    return Check(name, f"{where} is free")


async def _metrics(settings: Settings) -> Check:
    """Whether the first process can tell its metrics; one that does already is as good."""
    name, where = "metrics", f"{settings.metrics_host}:{settings.metrics_port}"
    remedy = "HELDOUT_METRICS_HOST is an address of this machine; HELDOUT_METRICS_PORT names another port"
    if settings.metrics_port == settings.port:
        return Check(name, f"{where} is the port of the pages, too", remedy)
    try:
        socket.create_server((settings.metrics_host, settings.metrics_port)).close()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            return Check(name, f"{where}: {os.strerror(error.errno or 0)}", remedy)
        with contextlib.suppress(httpx2.HTTPError):
            async with httpx2.AsyncClient(timeout=SECONDS) as client:
                if "heldout_" in (await client.get(f"http://{where}/metrics")).text:
                    return Check(name, f"{where} is taken, and tells Heldout's metrics")
        return Check(name, f"{where} is taken by something else", remedy)
    return Check(name, f"{where} is free")


def _host_address(settings: Settings) -> Check:
    name, address = "hosts", settings.host_address
    try:
        socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET).close()
    except OSError as error:
        # create_server's own words have the address once more; a name that nobody knows has no number.
        said = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        return Check(
            name, f"{address}: {said}", "HELDOUT_HOST_ADDRESS is an address of this machine, for calls from the others"
        )
    return Check(name, f"listen on {address}")


def _public_address(settings: Settings) -> Check:
    name, address = "public address", settings.base_url
    try:
        parts = urlsplit(address)
    except ValueError as error:
        return Check(name, f"{without_password(address)}: {error}", "HELDOUT_PUBLIC_URL=https://NAME")
    if address.startswith("http://") and settings.public_url and not _loopback(address):
        remedy = "HELDOUT_PUBLIC_URL=https://...: without TLS nobody can stay signed in from another machine"
        return Check(name, address, remedy)
    # Pages link to each other from the root, and so do cookies and the addresses that sign-ins come back to.
    root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if address != root:
        said = f"{without_password(address)} has more than a name and a port; the service cannot live under a path"
        return Check(name, said, f"HELDOUT_PUBLIC_URL={root}")
    if settings.public_url:
        return Check(name, address)
    return Check(name, f"{address}: links are for this machine alone until HELDOUT_PUBLIC_URL is set")


def _loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def _proxies(settings: Settings) -> Check:
    name, proxies = "proxies", settings.trusted_proxies
    if not proxies:
        return Check(name, "none: a request is counted for the address that it comes from")
    # Several may be everybody together.
    four = collapse_addresses(one for one in proxies if isinstance(one, IPv4Network))
    six = collapse_addresses(one for one in proxies if isinstance(one, IPv6Network))
    everybody = [*(one for one in four if _V4.subnet_of(one)), *(one for one in six if _V6.subnet_of(one))]
    if everybody:
        said = f"everybody is in {', '.join(map(str, everybody))}: any visitor may then write the address it comes from"
        return Check(name, said, "HELDOUT_TRUSTED_PROXIES names the proxies' own addresses or networks alone")
    return Check(name, f"{', '.join(map(str, proxies))} may say whose a request is")


def _rate_storage(settings: Settings) -> Check:
    name, address = "rate storage", settings.rate_storage
    if address.startswith("memory"):
        return Check(name, "in each process by itself: with several web processes a limit counts for each")
    shown = without_password(address)
    try:
        answers = storage_from_string(address).check()
    except (ConfigurationError, ValueError) as error:
        return Check(name, f"{shown}: {error}", "HELDOUT_RATE_STORAGE=redis://HOST:PORT, or memory://")
    return Check(name, shown, "" if answers else "nothing answers there; requests would be refused with 503")


async def _provider(provider: LoginProvider) -> Check:
    name = f"sign-in with {provider.label}"
    if provider.client_secret_file and (fault := secret_fault(provider.client_secret_file)):
        return Check(
            name, fault, "HELDOUT_LOGIN_PROVIDERS' client_secret_file is a file that holds the client's secret"
        )
    if provider.kind == "github":
        return await answers(name, provider.github_api_url, "is HELDOUT_LOGIN_PROVIDERS' github_api_url right?")
    remedy = "is HELDOUT_LOGIN_PROVIDERS' issuer right?"
    address = f"{provider.issuer}".rstrip("/") + "/.well-known/openid-configuration"
    return await answers(name, address, remedy, issuer=provider.issuer)


def _mail(settings: Settings) -> Check:
    """As far as a letter goes before anybody gets one."""
    name, where = "mail", f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        with connected(settings, SECONDS) as server:
            server.noop()
    except smtplib.SMTPAuthenticationError:
        remedy = "check HELDOUT_SMTP_USER and what HELDOUT_SMTP_PASSWORD_FILE holds"
        return Check(name, f"{where} refuses '{settings.smtp_user}'", remedy)
    except (OSError, ValueError) as error:
        remedy = "check HELDOUT_SMTP_HOST, _PORT, _SECURITY (starttls, tls, none) and _PASSWORD_FILE"
        return Check(name, f"{where}, {settings.smtp_security}: {error}", remedy)
    who = f"as '{settings.smtp_user}'" if settings.smtp_user else "without a name"
    return Check(name, f"{where} takes letters {who}, {settings.smtp_security}")


async def _judge(settings: Settings) -> Check:
    """Whether the judge takes what a worker sends: path, key, model. No messages, so no reply is paid for."""
    name, address = "judge", f"{settings.judge_url}".rstrip("/") + "/chat/completions"
    headers = {}
    if file := settings.judge_key_file:
        if fault := secret_fault(file):
            return Check(name, fault, "HELDOUT_JUDGE_KEY_FILE is a file that holds the endpoint's key")
        headers["Authorization"] = f"Bearer {file.read_text().strip()}"
    if not settings.judge_model:
        return Check(name, "no model is named", "set HELDOUT_JUDGE_MODEL")
    body = {"model": settings.judge_model, "messages": [], "max_tokens": 1}
    remedy = "are HELDOUT_JUDGE_URL, which mostly ends with /v1, and HELDOUT_JUDGE_MODEL right?"
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            reply = await client.post(address, json=body, headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return Check(name, f"{address}: {type(error).__name__} {error}".strip(), remedy)
    if reply.status_code in (401, 403):
        remedy = "HELDOUT_JUDGE_KEY_FILE has to hold a key that the endpoint takes"
    # No messages: it may well refuse these (400, 422). How often it may be asked (429) is another matter.
    ok = reply.is_success or reply.status_code in (400, 422, 429)
    return Check(name, f"{address} answers {reply.status_code}", "" if ok else remedy)


async def _traces(address: str) -> Check:
    """A collector takes a request without spans; what answers a GET may be anything."""
    remedy = "is HELDOUT_TRACES_URL right? An OTLP address over HTTP mostly ends with /v1/traces"
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            reply = await client.post(address, headers={"Content-Type": "application/x-protobuf"})
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return Check("traces", f"{address}: {type(error).__name__} {error}".strip(), remedy)
    # A collector that wants a key is there; the key is OpenTelemetry's own setting.
    ok = reply.is_success or reply.status_code in (401, 403)
    return Check("traces", f"{address} answers {reply.status_code}", "" if ok else remedy)


async def _sandbox(settings: Settings) -> Check:
    from envs.sandbox.doctor import examine as sandboxes

    names = () if settings.sandbox == "auto" else (settings.sandbox,)
    found = await (sandboxes(names, attacks=False) if names else sandboxes(attacks=False))
    usable = [finding.name for finding in found if finding.usable]
    detail = f"usable: {', '.join(usable) or 'none'}"
    if usable:
        return Check("sandbox", detail)
    if names:
        why = "; ".join(f"{finding.name}: {finding.reason}" for finding in found)
        return Check("sandbox", why, "HELDOUT_SANDBOX=auto takes the first that works; heldout-server doctor says more")
    return Check("sandbox", detail, "bash infra/setup.sh installs bubblewrap; heldout-server doctor says more")
