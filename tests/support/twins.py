"""Two services that differ in golds alone: one database, cloned, played through the same events on a virtual clock."""

import itertools
import random
import types
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

import api.core.blocking
import api.core.crypto
import api.core.db
import api.core.ids
import api.core.middleware
import api.leaderboard.combined
import api.web.cookies
import api.worker.app
from api.accounts.models import MemberRole, Scope
from api.core.settings import Settings
from api.vault.repository import VaultRepository
from api.worker.app import run as run_jobs
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Caller, Service
from tests.support.service_fixtures import Cluster
from tests.support.sql import sql

OWNER = "owners"
DELAY = 600
MONTH = 30 * 86_400
LETTERS = "ABCDE"
NUMBERS = {letter: str(11 + place) for place, letter in enumerate(LETTERS)}
FIRST, SECOND = ("A", "B"), ("C", "D")
"""The golds of a pair of items, and what they become: who was right of one alone is then right of the other alone."""
PATTERNS = (("A", "D"), ("C", "B"), ("E", "E"))
"""Answers to a pair: the first right, the second right, both wrong, under either golds but in exchanged places."""
SQL_CLOCK = """
create schema clock;
create table clock.current (at timestamptz not null);
insert into clock.current values (pg_catalog.now());
create function clock.now() returns timestamptz language sql volatile as 'select at from clock.current';
create function clock.clock_timestamp() returns timestamptz language sql volatile as 'select at from clock.current';
grant usage on schema clock to heldout_web, heldout_worker, heldout_host;
grant select on clock.current to heldout_web, heldout_worker, heldout_host;
-- Functions that have a search path of their own: it names no pg_catalog, which would then come first.
do $do$
declare one record;
begin
  for one in
    select p.oid::regprocedure as name, substring(setting from '^search_path=(.*)$') as path
    from pg_proc p, unnest(p.proconfig) setting
    where p.pronamespace = 'public'::regnamespace and setting like 'search_path=%'
  loop
    execute format('alter function %s set search_path = clock, %s, pg_catalog', one.name, one.path);
  end loop;
end $do$;
"""
SEARCH_PATH = "clock,public,queue,pg_catalog"


@dataclass(frozen=True)
class Scenario:
    """What happens; everything but the golds follows from it."""

    seed: int
    split: dict[str, Any]
    items: int = 40
    runs: int = 5

    @property
    def organisations(self) -> list[str]:
        """Who takes part: one to three, of which the last may be unverified."""
        return [f"team{number}" for number in range(1 + self.seed % 3)]

    @property
    def verified(self) -> list[str]:
        """Whom an operator has verified."""
        return self.organisations[: -1 if self.seed % 4 == 3 and len(self.organisations) > 1 else None]


@dataclass(frozen=True)
class Twin:
    """One of the two: its settings, and what is the same for both."""

    settings: Settings
    scenario: Scenario
    keys: dict[str, str]
    runs: list[tuple[str, str]]
    known: dict[str, list[str]]
    begin: datetime


def pack(scenario: Scenario) -> Pack:
    """Half of the items multiple choice, half numbers, whose verdicts say the gold in words."""
    head = {
        "slug": "twin",
        "title": "Twin",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "A card.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": {"visibility": "test"} | scenario.split},
    }
    problems, references = [], []
    for number in range(scenario.items):
        name, kind = f"p{number:03}", ("multiple_choice", "numeric")[number % 2]
        labels = LETTERS if kind == "multiple_choice" else ""
        choices = [{"label": letter, "text": f"option {letter} of {name}"} for letter in labels]
        problem = {"id": name, "split": "test", "type": kind, "subject": "s", "statement": f"Say {name}."}
        problems.append(Problem.model_validate(problem | {"choices": choices}))
        reference = {"kind": kind, "value": _form(kind, "A")} | ({"choices": list(labels)} if labels else {})
        references.append(ReferenceLine(id=name, reference=reference))
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


def _form(kind: str, letter: str) -> str:
    return letter if kind == "multiple_choice" else NUMBERS[letter]


@dataclass(frozen=True)
class Item:
    """A problem with its part of the split."""

    id: UUID
    name: str
    type: str
    part: str

    def other(self, gold: str) -> str:
        """Another gold: the next letter, or its number."""
        letter = gold if gold in LETTERS else LETTERS[int(gold) - int(NUMBERS["A"])]
        return _form(self.type, LETTERS[(LETTERS.index(letter) + 1) % len(LETTERS)])


async def _items(service: Service) -> list[Item]:
    async with service.admin.session() as session:
        rows = await sql(
            session,
            """select p.id, p.name, p.type, v.part from problem p join vault.split_part v on v.problem_id = p.id
               order by p.name""",
        )
        return [Item(row.id, row.name, row.type, row.part) for row in rows.all()]


@dataclass(frozen=True)
class Golds:
    """The golds of both twins by problem."""

    first: dict[UUID, str]
    second: dict[UUID, str]


@dataclass(frozen=True)
class Played:
    """Answers by run, by the problem's name, and the golds that give every release alike."""

    answers: list[dict[str, str]]
    golds: Golds


def played(scenario: Scenario, items: list[Item]) -> Played:
    """Pairs of items of one part and kind are answered in mirror image; what nobody has right may change, too."""
    rng = random.Random(scenario.seed)
    answers: list[dict[str, str]] = [{} for _ in range(scenario.runs)]
    first: dict[UUID, str] = {}
    second: dict[UUID, str] = {}
    for _, group in itertools.groupby(
        sorted(items, key=lambda i: (i.part, i.type, i.name)), lambda i: (i.part, i.type)
    ):
        members = list(group)
        for one, two in zip(members[::2], members[1::2], strict=False):
            mirrored = rng.random() < 0.6
            for run in answers:
                chosen = (
                    rng.choices(PATTERNS, (4, 3, 1))[0]
                    if mirrored
                    else rng.choices((("A", "B"), ("E", "E")), (3, 1))[0]
                )
                run |= {item.name: _form(item.type, letter) for item, letter in zip((one, two), chosen, strict=True)}
            nobody = not mirrored and all(run[one.name] == _form(one.type, "E") for run in answers)
            for place, item in enumerate((one, two)):
                first[item.id] = _form(item.type, FIRST[place])
                changed = mirrored or nobody
                second[item.id] = _form(item.type, (SECOND if changed else FIRST)[place])
        for item in members[len(members) // 2 * 2 :]:
            first[item.id] = _form(item.type, "A")
            second[item.id] = _form(item.type, "B")
            for run in answers:
                run[item.name] = _form(item.type, "E")
    return Played(answers, Golds(first, second))


async def set_golds(service: Service, golds: dict[UUID, str]) -> None:
    """Put golds into the vault, in the place of those that the pack was published with."""
    async with service.admin.session() as session:
        vault = VaultRepository(session, service.settings.vault_secrets.raw("vault"))
        known = await vault.open(list(golds))
        release = (await sql(session, "select distinct release_id from vault.reference")).scalar_one()
        records = {}
        for problem, secret in known.items():
            reference = dict(secret.record["reference"]) | {"value": golds[problem]}
            records[problem] = dict(secret.record) | {"reference": reference, "gold": golds[problem]}
        await sql(session, "delete from vault.reference")
        session.expunge_all()
        await vault.put(release, records)


class VirtualClock:
    """Time that stands until it is moved, for Python and, once it is installed in a database, for SQL."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    async def move(self, service: Service, seconds: float, since: datetime | None = None) -> None:
        """Let time pass, since now or since another time."""
        self.at = (since or self.at) + timedelta(seconds=seconds)
        async with service.admin.session() as session:
            await sql(session, "update clock.current set at = :at", {"at": self.at})


@contextmanager
def steady(clock: VirtualClock) -> Iterator[None]:
    """Python's clock is `clock`, SQL's that of the schema `clock`; ids are counted, nonces are zeros."""

    class Standing(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return clock.at.astimezone(tz)

    numbers = itertools.count(1)
    # Ids that were made before the clones begin with the time, and are smaller.
    fixed_ids = types.SimpleNamespace(
        compat=types.SimpleNamespace(uuid7=lambda: UUID(int=(0xF << 124) + next(numbers)))
    )
    fixed_secrets = types.SimpleNamespace(
        token_bytes=bytes,
        token_hex=lambda size: "0" * 2 * size,
        token_urlsafe=lambda size: "0" * size,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api.core.db, "datetime", Standing)
        # A combined board with their hidden split in it.
        patch.setattr(api.leaderboard.combined, "_SHIPPED", Path(__file__).parent / "twin_overall")
        patch.setattr(api.core.ids, "uuid_utils", fixed_ids)
        patch.setattr(api.core.crypto, "secrets", fixed_secrets)
        for module in (api.core.middleware, api.web.cookies):
            patch.setattr(module, "secrets", fixed_secrets)
        for module in (api.core.db, api.worker.app, api.core.blocking):
            patch.setattr(module, "SEARCH_PATH", SEARCH_PATH)
        yield


@asynccontextmanager
async def twins(
    cluster: Cluster, scenario: Scenario, golds: Callable[[Played, list[Item]], Golds] | None = None
) -> AsyncIterator[tuple[Twin, Twin]]:
    """The twins right after the last submission was handed in: nothing is graded, and only golds differ."""
    names = [cluster.fresh()]
    settings = Settings(
        data_dir=cluster.folder,
        database_name=names[0],
        rate_limits_enabled=False,
        port=0,
        pool_ready=0,
        worker_concurrency=1,
        feedback_delay_seconds=DELAY,
        feedback_clock_seconds=DELAY,
        feedback_pause_seconds=0,
        release_every_seconds=MONTH,
        endpoint_networks=(ip_network("127.0.0.0/8"),),
    )
    async with Service.running(settings) as service:
        await service.publish(pack(scenario))
        items = await _items(service)
        found = played(scenario, items)
        keys = await _keys(service, scenario)
        known = await _asked_by_the_owner(service, keys)
        runs = await _hand_in(service, keys, found)
        known |= await _asked_by_a_participant(service, keys)
        chosen = golds(found, items) if golds else found.golds
        await set_golds(service, chosen.first)
    names.append(_clone(cluster, names[0]))
    other = settings.model_copy(update={"database_name": names[1]})
    async with Service.running(other) as service:
        await set_golds(service, chosen.second)
    with psycopg.connect(cluster.server.uri(), autocommit=True) as connection:
        begin = connection.execute("select now()").fetchone()
    assert begin
    for one in (settings, other):
        with psycopg.connect(_address(cluster, one.database_name), autocommit=True) as connection:
            connection.execute(SQL_CLOCK)
    try:
        yield tuple(Twin(one, scenario, keys, runs, known, begin[0]) for one in (settings, other))  # type: ignore[misc]
    finally:
        for name in names:
            cluster.drop(name)


async def _keys(service: Service, scenario: Scenario) -> dict[str, str]:
    """A key for each organisation, and one of the benchmark's owner, whose member takes part, too."""
    keys = {name: await service.key(f"{name}@example.org", name) for name in scenario.organisations}
    for name in scenario.verified:
        await service.verify(name)
    # Whoever owns the benchmark and takes part in it is to hear nothing from the owner's routes either.
    scopes: list[Scope] = [scope for scope in Scope if scope is not Scope.ADMIN]
    email = f"{scenario.organisations[0]}@example.org"
    keys[OWNER] = await service.key(email, OWNER, scopes, role=MemberRole.OWNER)
    return keys


async def _hand_in(service: Service, keys: dict[str, str], found: Played) -> list[tuple[str, str]]:
    """The submissions as (organisation, public id), in order."""
    names = [name for name in keys if name != OWNER]
    aliases = {name: await Caller(service.client, keys[name]).problems("twin", "test") for name in names}
    runs = []
    for number, answers in enumerate(found.answers):
        name = names[number % len(names)]
        by_alias = {row["id"]: answers[row["statement"][4:8]] for row in aliases[name]}
        done = await Caller(service.client, keys[name]).submit("twin", "test", by_alias, model=f"model {number}")
        assert done.status_code == 202, done.text
        runs.append((name, done.json()["id"]))
    return runs


async def _asked_by_the_owner(service: Service, keys: dict[str, str]) -> dict[str, list[str]]:
    """An upload, and jobs of every kind: done before anybody took part, and one that is begun when somebody does."""
    owner = Caller(service.client, keys[OWNER])
    sent = {"name": "more.zip", "size": 10, "sha256": "0" * 64}
    begun = (await owner.post("/v1/packs", json=sent)).raise_for_status().json()
    items = {"job": "items", "split": "test"}
    diff = {"job": "diff", "old": "1.0.0", "new": "1.0.0"}
    jobs = []
    asks: list[dict[str, str]] = [{"job": "export"}, diff, items, {"job": "regrade_preview"}]
    for ask in asks:
        jobs.append((await owner.post("/v1/benchmarks/twin/jobs", json=ask)).raise_for_status().json()["id"])
        await run_jobs(service.worker, wait=False)
    jobs.append((await owner.post("/v1/benchmarks/twin/jobs", json=items)).raise_for_status().json()["id"])
    return {"pack": [begun["id"]], "job": jobs}


_SESSION = """insert into live_session (id, problem_id, split_id, organisation_id, key_id, origin, state, finish_reason,
    seed, variant, steps, step_limit, seconds, created_at, active_at, ended_at, epoch, takeovers, faults, failure)
  select cast(:id as uuid), problem_id, split_id, organisation_id, key_id, 'live', 'graded', 'completed', 0, '', 0,
    1, 1, now(), now(), now(), 0, 0, 0, '' from exposure order by id limit 1"""


async def _asked_by_a_participant(service: Service, keys: dict[str, str]) -> dict[str, list[str]]:
    """Disputes of which one is answered, a run that the service would play, and an episode that is over."""
    first, owner = (Caller(service.client, keys[name]) for name in (next(iter(keys)), OWNER))
    disputes = []
    for problem in (await first.problems("twin", "test"))[:2]:
        path, body = f"/v1/problems/{problem['id']}/disputes", {"reason": "The gold is another one, I think."}
        disputes.append((await first.post(path, json=body)).raise_for_status().json()["id"])
    answer = {"state": "rejected", "answer": "It is what it should be."}
    (await owner.call("PUT", f"/v1/disputes/{disputes[0]}", json=answer)).raise_for_status()
    asked = {"benchmark": "twin", "split": "test", "model": {"name": "played"}, "endpoint_model": "m"}
    begun = (await first.post("/v1/endpoint-runs", json=asked | {"url": "http://127.0.0.1:9/v1"})).raise_for_status()
    (await first.post(f"/v1/endpoint-runs/{begun.json()['id']}/cancel")).raise_for_status()
    session_id = UUID(int=7)
    async with service.admin.session() as session:
        await sql(session, _SESSION, {"id": session_id})
    return {"dispute": disputes, "run": [begun.json()["id"]], "session": [f"ses_{session_id.hex}"]}


def _address(cluster: Cluster, name: str) -> str:
    return cluster.server.uri(name)


def _clone(cluster: Cluster, name: str) -> str:
    cluster.made += 1
    clone = f"t{cluster.made}"
    with psycopg.connect(cluster.server.uri(), autocommit=True) as connection:
        statement = SQL("create database {} template {} strategy file_copy")
        connection.execute(statement.format(Identifier(clone), Identifier(name)))
    return clone
