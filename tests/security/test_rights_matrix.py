"""Every column of every table, and what each role may do with it, against `rights_matrix.toml`.

A line of the matrix names a column and, for each role that may do anything with it, letters: `r` it reads the column,
`i` it inserts into it, `u` it updates it. `delete` names the roles that delete rows. A new column needs a line.
"""

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from api.core.db import Database, Role
from api.core.settings import Settings
from tests.support.service import Service
from tests.support.sql import sql

MATRIX = Path(__file__).with_name("rights_matrix.toml")
ROLES = (Role.WEB, Role.WORKER, Role.HOST)
_LETTERS = {"SELECT": "r", "INSERT": "i", "UPDATE": "u"}
_COLUMNS = """select n.nspname as schema, c.relname as relation, a.attname as name,
    has_table_privilege(:role, c.oid, 'DELETE') as deletes,
    has_schema_privilege(:role, n.oid, 'USAGE') and has_column_privilege(:role, c.oid, a.attnum, 'SELECT') as "SELECT",
    has_schema_privilege(:role, n.oid, 'USAGE') and has_column_privilege(:role, c.oid, a.attnum, 'INSERT') as "INSERT",
    has_schema_privilege(:role, n.oid, 'USAGE') and has_column_privilege(:role, c.oid, a.attnum, 'UPDATE') as "UPDATE"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where n.nspname in ('public', 'vault', 'queue') and c.relkind in ('r', 'v', 'p') and a.attnum > 0
    and not a.attisdropped and c.relname <> 'alembic_version'
  order by 1, 2, a.attnum"""
NEVER_BY_WEB = {
    "public.submission": {"score", "low", "high", "breakdown", "usage", "finalised_at", "graded_at"},
    "public.submission_item": {"score", "outcome", "reason", "grader", "detail", "graded_at", "finish_reason"},
    "public.entry": {
        "score",
        "low",
        "high",
        "adjusted",
        "breakdown",
        "attempts",
        "near_chance",
        "verified",
        "best",
        "by_service",
    },
    "public.quota_use": {"used", "made"},
    "public.daily_budget": {"used", "day"},
    "public.key_reading": {"last_position", "run"},
    "public.feedback_intake": {"outcome", "left", "digest", "release_id"},
    "public.ranking_schedule": {"done"},
    "public.live_session": {"score", "outcome", "reason", "grader"},
    "public.review": {"score", "settled_at", "votes_needed", "applied_at"},
    "public.review_vote": {"review_id", "sealed"},
    "public.feedback_release": {"new", "band", "left", "bits"},
    "public.endpoint_run": {"state", "failure"},
    "public.gold_dispute": {"state", "answer", "decided_at"},
    "public.game_match": {"created_at", "winner", "ended", "decided_at"},
    "public.match_action": {"created_at"},
    "public.match_rating": {"elo", "interval", "won", "played", "lost_by"},
    "public.owner_job": {"state", "failure", "result", "file"},
    "public.pack_upload": {"state", "admissible", "report", "slug", "version"},
}
"""State that must not be in the web role's hands, whatever the matrix says."""

Matrix = dict[str, dict[str, str]]


async def _granted(database: Database) -> Matrix:
    found: Matrix = defaultdict(dict)
    for role in ROLES:
        name = role.value.removeprefix("heldout_")
        async with database.session() as session:
            rows = (await sql(session, _COLUMNS, {"role": role.value})).all()
        for row in rows:
            table = found[f"{row.schema}.{row.relation}"]
            letters = "".join(letter for right, letter in _LETTERS.items() if getattr(row, right))
            table[row.name] = " ".join(filter(None, [table.get(row.name, ""), f"{name}:{letters}" if letters else ""]))
            deleting = table.get("delete", "").split()
            table["delete"] = " ".join([*deleting, name] if row.deletes and name not in deleting else deleting)
    return dict(found)


async def test_every_column_has_the_rights_that_are_written_down(service: Service) -> None:
    granted, written = await _granted(service.admin), tomllib.loads(MATRIX.read_text(encoding="utf-8"))
    assert set(granted) == set(written), "a table without an entry, or an entry without a table"
    for table, columns in granted.items():
        assert columns == written[table], f"{table}: write into {MATRIX.name} what each role needs, and grant no more"


async def test_the_web_role_writes_no_score_quota_or_verdict_and_reads_nothing_of_the_vault(service: Service) -> None:
    granted = await _granted(service.admin)
    for table, columns in granted.items():
        rights = {name: dict(part.split(":") for part in line.split() if ":" in part) for name, line in columns.items()}
        if table.startswith("vault."):
            assert all("web" not in line for line in rights.values()), table
            assert "web" not in columns["delete"]
        for name in NEVER_BY_WEB.get(table, ()):
            assert not set(rights[name].get("web", "")) & {"i", "u"}, f"{table}.{name}"


@dataclass(frozen=True)
class Refused:
    """A statement that the web role is refused, and with which words."""

    statement: str
    words: str = "permission denied"


REFUSED = (
    Refused("update entry set score = 1"),
    Refused("update submission set score = 1"),
    Refused("update submission_item set score = 1"),
    Refused("update quota_use set used = 0"),
    Refused("delete from quota_use"),
    Refused("update daily_budget set used = 0"),
    Refused("update key_reading set run = 0"),
    Refused("select record_served(id, id, '{}', '{}', '', '', null, null) from api_key", "at least one"),
    Refused("update submission set state = 'graded'"),
    Refused("update submission set attempt = 1"),
    Refused("delete from submission_item"),
    Refused("select answer from submission_item"),
    Refused("update entry set verified = true"),
    Refused("select items_changed from regraded"),
    Refused("select sealed from submission_item"),
    Refused("update intake_key set public = ''"),
    Refused("select sealed from review_vote"),
    Refused("update review set score = ''"),
    Refused("select cast_vote(gen_random_uuid(), id, '', 1) from account", "whoever holds"),
    Refused("update procrastinate_jobs set status = 'todo'"),
    Refused(
        """insert into submission (id, release_id, split_id, organisation_id, user_id, key_id, request_digest, model,
             state, expected, received, attempt, created_at, failure)
           select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), o.id, a.id, k.id, '', '{}', 'queued', 1, 0,
                  0, now(), '' from organisation o, account a, api_key k""",
        "begins open",
    ),
    Refused("delete from entry"),
    Refused("update organisation set verified_at = now()"),
    Refused("update organisation set created_by = null"),
    Refused("update account set is_operator = true", "command line"),
    Refused("select verify_organisation(id, null, null) from organisation", "an operator verifies"),
    Refused(
        "select verify_organisation(o.id, a.id, 'example.org') from organisation o, account a", "operator verifies"
    ),
    Refused("select unverify_organisation(id, null) from organisation", "an operator takes"),
    Refused("select * from vault.verdict"),
    Refused("select * from vault.pack_part"),
    Refused("update pack_upload set state = 'checked', admissible = true"),
    Refused("delete from pack_upload"),
    Refused("update game_match set winner = 0"),
    Refused("update match_action set action = null"),
    Refused("delete from match_action"),
    Refused("update match_rating set elo = 3000"),
)


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: " ".join(refused.statement.split())[:60])
async def test_the_database_refuses_the_web_role(settings: Settings, service: Service, refused: Refused) -> None:
    await service.reader()
    database = Database.of(settings, Role.WEB)
    with pytest.raises(DBAPIError, match=refused.words):
        async with database.session() as session:
            await sql(session, refused.statement)
    await database.close()


async def test_the_web_role_has_no_key_of_verdicts(settings: Settings) -> None:
    database = Database.of(settings, Role.WEB)
    async with database.session() as session:
        with pytest.raises(PermissionError, match="only the worker"):
            _ = session.verdict_key
    await database.close()


async def test_a_new_column_without_an_entry_is_seen(service: Service) -> None:
    async with service.admin.session() as session:
        await sql(session, "alter table quota_use add column bonus integer")
    written = tomllib.loads(MATRIX.read_text(encoding="utf-8"))
    granted = await _granted(service.admin)
    assert granted["public.quota_use"] == written["public.quota_use"] | {"bonus": "web:r worker:riu"}
