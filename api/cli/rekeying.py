"""`secrets status`, `add`, `use`, `reseal`, `retire`: another key in the place of one, while the service runs."""

import time
from typing import Annotated

import psycopg
import typer
from rich.table import Table

from api.cli.common import console, fail
from api.core import migrate
from api.core.db import Role, address, libpq, local_server
from api.core.key_stores import KeyStore
from api.core.secrets import HostSecrets, ServiceSecrets, VaultSecrets
from api.core.settings import Settings

_Kind = type[ServiceSecrets | VaultSecrets | HostSecrets]
_KINDS: tuple[_Kind, ...] = (ServiceSecrets, VaultSecrets, HostSecrets)
_ALL = "all"
_SEALING = ("vault", "review", "episode")
_UNUSED_KEYS = """select count(*) from api_key where revoked_at is null
  and (expires_at is null or expires_at > now()) and coalesce(last_used_at, created_at) < to_timestamp(%s)"""
NamesArgument = Annotated[list[str], typer.Argument(help="keys by name (`secrets status` lists them), or all")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="secrets", help="The instance's own keys: replace any of them.", no_args_is_help=True)
    group.command("status")(show)
    group.command("add")(add)
    group.command("use")(use)
    group.command("reseal")(reseal)
    group.command("retire")(retire)
    app.add_typer(group)


def show() -> None:
    """Every key by name: which is in use, which others still open. No key is printed."""
    store = Settings().kept_keys
    table = Table("key", "kept in", "comes next", "used before")
    for kind in _KINDS:
        secrets = kind.load(store)
        for name in kind.names():
            others = secrets.others.get(name, [])
            coming = ", ".join("since " + _when(other.added) for other in others if other.until is None)
            past = ", ".join("until " + _when(other.until) for other in others if other.until)
            table.add_row(name, store.where(kind.label()), coming, past)
    console.print(table)


def add(names: NamesArgument) -> None:
    """Make a key that comes next. Every process opens with it from now on; none makes anything under it yet."""
    store = Settings().kept_keys
    for kind, name in _named(names):
        with store.lock():
            kind.load(store).added(name).save(store)
        console.print(f"{name}: another key is known; next: heldout-server secrets use {name}", soft_wrap=True)


def use(names: NamesArgument) -> None:
    """Put the next key in the place of the present one, which still opens what was made under it."""
    settings = Settings()
    named = _left(names, settings.kept_keys, coming=True)
    for kind, name in named:
        kind.load(settings.kept_keys).used(name)  # says what is in the way before any key is put in its place
    for kind, name in named:
        if name == "database_admin":
            _use_admin_password(settings)
        else:
            _use(settings.kept_keys, kind, name)
        further = _LOGIN.format(name) if name.startswith("database_") else _NEXT.get(name)
        console.print(f"{name}: the new key is used; next: {further or _LAST.format(name)}", soft_wrap=True)
    fresh = Settings()
    if any(name.startswith("database_") for _, name in _named(names)):
        migrate.set_passwords(fresh)
    if any(name == "vault" for _, name in _named(names)):
        from api.worker.resealing import renew_intake_key

        with connected(fresh) as connection:
            renew_intake_key(connection, fresh)


_LOGIN = "where a pooler is, its users anew (heldout-server config pooler-users); then heldout-server secrets retire {}"
_LAST = "heldout-server secrets retire {0}, when what was made under the key before need not hold good any longer"
_NEXT = {name: f"heldout-server secrets reseal {name}" for name in _SEALING}


def reseal(names: NamesArgument) -> None:
    """Seal the database's values under the present key, beside the service. It may be ended and begun again."""
    settings = Settings()
    with connected(settings) as connection:
        for _, name in _named(names):
            if name in _SEALING:
                _reseal(connection, settings, name, write=True)


def retire(
    names: NamesArgument,
    *,
    lose: Annotated[bool, typer.Option("--lose", help="API keys that were not used since are refused")] = False,
) -> None:
    """Take the keys before the present one away: what was made under them is refused from now on."""
    settings = Settings()
    store = settings.kept_keys
    named = _left(names, store, coming=False)
    for kind, name in named:
        if name != "fingerprint":
            kind.load(store).retired(name)  # says what is in the way before any is taken away and the values are read
    with connected(settings) as connection:
        for kind, name in named:
            if name == "fingerprint":
                console.print(f"{name}: the keys before are kept, for tracing what they have marked", soft_wrap=True)
                continue
            secrets = kind.load(store)
            if name in _SEALING and (left := _reseal(connection, settings, name, write=False)):
                fail(f"{left} values are still under a key before '{name}': heldout-server secrets reseal {name}")
            if name == "pepper" and not lose:
                _refuse_unused(connection, max(other.until or 0 for other in secrets.others[name]))
            with store.lock():
                kind.load(store).retired(name).save(store)
            console.print(f"{name}: only the present key is known", soft_wrap=True)


def _use(store: KeyStore, kind: _Kind, name: str) -> None:
    with store.lock():
        kind.load(store).used(name).save(store)


def _use_admin_password(settings: Settings) -> None:
    """The embedded server's owner gets it while the keys are locked; another server's password is the operator's."""
    store = settings.kept_keys
    with store.lock():
        used = VaultSecrets.load(store).used("database_admin")
        if local_server(settings):
            migrate.set_passwords(settings, owner=used.database_admin)
        used.save(store)


def _reseal(connection: psycopg.Connection, settings: Settings, name: str, *, write: bool) -> int:
    from api.worker import resealing

    earlier = 0
    if write and name == "vault":
        resealing.renew_intake_key(connection, settings)
    for done in resealing.reseal(connection, settings, name, write=write):
        said = f"{done.column.table}.{done.column.column}: {done.values} values, {done.earlier} under a key before"
        console.print(f"{said}, now under the present one" if write else said, highlight=False, soft_wrap=True)
        earlier += done.earlier
    return earlier


def _refuse_unused(connection: psycopg.Connection, since: float) -> None:
    found = connection.execute(_UNUSED_KEYS, (since,)).fetchone()
    assert found
    if found[0]:
        fail(
            f"{found[0]} API keys were not used since {_when(since)} and are only known by the pepper before; wait, or "
            "end them with --lose"
        )


def connected(settings: Settings) -> psycopg.Connection:
    """The owner's connection, each statement a transaction of its own; starts the embedded server."""
    server = local_server(settings)
    if server:
        server.start()
    plain = libpq(address(settings, Role.ADMIN))
    return psycopg.connect(plain, autocommit=True)


def _left(names: list[str], store: KeyStore, *, coming: bool) -> list[tuple[_Kind, str]]:
    """Those named; of `all` those with a key that comes next, or that was used before: what was begun is ended."""
    named = _named(names)
    left = [
        (kind, name)
        for kind, name in named
        if any((other.until is None) is coming for other in kind.load(store).others.get(name, ()))
    ]
    return left if left and _ALL in names else named


def _named(names: list[str]) -> list[tuple[_Kind, str]]:
    known = {name: kind for kind in _KINDS for name in kind.names()}
    if unknown := [name for name in names if name not in known and name != _ALL]:
        fail(f"there is no key '{unknown[0]}'; known are: {', '.join(known)}, {_ALL}")
    return [(kind, name) for name, kind in known.items() if _ALL in names or name in names]


def _when(seconds: float | None) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))
