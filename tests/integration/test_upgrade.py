"""An instance of the fifth migration, with everything in it that there was then, under this release."""

import asyncio
import gzip
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import psycopg
import pytest
from psycopg.rows import TupleRow

from api.cli.running import Instance
from api.core import migrate
from api.core.db import local_server
from api.core.localpg import LocalServer, binaries
from api.core.revision import expected_version
from api.core.settings import Settings
from tests.support.operator_commands import command, folder
from tests.support.service import Caller
from tests.support.sessions import Player

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
__all__ = ["folder"]

EARLY = Path(__file__).parents[1] / "support" / "early_instance"
ADA = "hld_rtsbl6dXAazIW1jc2iZKuqDrPHwBU4qUljclP34qXm4"
RUNNING = "ses_01a2099a13ba72ffbdb27d29871edc12"
PASSPHRASE = "a long enough passphrase"
# What an upgrade may not change: each statement's rows are the same before and after.
KEPT = {
    "accounts": "select id, email, is_operator from account",
    "keys": "select id, user_id, organisation_id, digest, scopes, revoked_at from api_key",
    "members": "select user_id, organisation_id, role from membership",
    "agreements": "select id, organisation_id from agreement_acceptance",
    "releases": "select id, benchmark_id, version, title from release",
    "splits": "select id, release_id, name, visibility from split",
    "problems": "select id, release_id, split_id, name, position from problem",
    "references": "select problem_id, release_id, sealed from vault.reference",
    "episodes": "select problem_id, sealed from vault.episode",
    "evidence": "select session_id, sealed from vault.evidence",
    "submissions": "select id, split_id, organisation_id, state, created_at, finalised_at from submission",
    "items": "select submission_id, problem_id, graded_at is null from submission_item",
    "verdicts of open splits": """select i.submission_id, i.problem_id, i.score, i.outcome from submission_item i
        join submission s on s.id = i.submission_id join split p on p.id = s.split_id where p.visibility = 'dev'""",
    "entries": "select submission_id, organisation, model_name, score, low, high, coverage, attempts, best from entry",
    "ledger": "select id, organisation_id, key_id, problem_id from exposure",
    "budgets": "select organisation_id, split_id, used from quota_use",
    "sessions": "select id, problem_id, state, seed, steps, finish_reason, answer from live_session",
    "steps": "select session_id, number, action, observation from session_step",
    "reviews": "select id, submission_id, problem_id, settled_at from review",
    "votes": "select review_id, user_id from review_vote",
}


@pytest.fixture
def early(folder: Path) -> Iterator[tuple[Settings, LocalServer]]:
    """The instance as it was left, not upgraded."""
    keys = folder / "secrets"
    shutil.copytree(EARLY / "secrets", keys)
    keys.chmod(0o700)
    for path in keys.iterdir():
        path.chmod(0o600)
    settings = Settings(data_dir=folder, database_url=None, port=0, rate_limits_enabled=False, log_level="error")
    migrate.make_database_and_roles(settings)
    server = local_server(settings)
    assert server
    psql = [str(binaries(for_others=False) / "psql"), "-qX", "-v", "ON_ERROR_STOP=1", "--single-transaction"]
    dump = gzip.decompress((EARLY / "instance.sql.gz").read_bytes())
    subprocess.run([*psql, "-d", server.uri(settings.database_name)], input=dump, stdout=subprocess.PIPE, check=True)
    with psycopg.connect(server.uri(settings.database_name)) as connection:
        # Left a moment ago: its time is the wall's, and the file is older.
        connection.execute(
            "update live_session set active_at = now(), deadline = now() + interval '1 hour' where state = 'running'"
        )
    yield settings, server
    server.stop()


def _rows(server: LocalServer, settings: Settings) -> dict[str, list[TupleRow]]:
    with psycopg.connect(server.uri(settings.database_name)) as connection:
        return {name: sorted(connection.execute(query).fetchall(), key=repr) for name, query in KEPT.items()}


def _verdicts(server: LocalServer, settings: Settings, model: str) -> int:
    """How many items of a model's run on a hidden split are graded."""
    query = """select count(*) from vault.verdict v join submission s on s.id = v.submission_id
               where s.model ->> 'name' = %s"""
    with psycopg.connect(server.uri(settings.database_name)) as connection:
        row = connection.execute(query, (model,)).fetchone()
    return int(row[0]) if row else 0


async def _graded(caller: Caller, path: str) -> float:
    async with asyncio.timeout(300):
        while (shown := (await caller.get(path)).raise_for_status().json())["state"] != "graded":
            await asyncio.sleep(0.2)
    return float(shown["score"])


async def test_what_was_there_is_there_and_goes_on(early: tuple[Settings, LocalServer], tmp_path: Path) -> None:
    settings, server = early
    before = _rows(server, settings)
    assert all(before.values()), "the dump has rows of each"
    migrate.prepare(settings)
    assert _rows(server, settings) == before
    checked = command("check-ledger", HELDOUT_DATA_DIR=str(settings.data_dir))
    assert checked.returncode == 0, checked.stdout + checked.stderr

    async with Instance(settings) as instance, httpx2.AsyncClient(base_url=instance.address, timeout=60) as client:
        ada = Caller(client, ADA)
        board = (await ada.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})).json()
        assert [(row["model"]["name"], row["score"]) for row in board["items"]] == [("quiz-1", 0.92), ("quiz-5", 0.58)]
        assert (await client.get("/b/quiz")).status_code == 200
        # What was queued is graded, by references that were sealed then.
        runs = (await ada.get("/v1/submissions")).json()["items"]
        names = {run["model"]["name"]: run["id"] for run in runs}
        assert await _graded(ada, f"/v1/submissions/{names['waiting']}") == 1.0
        # The world of the session is built anew from its log, and its fourth step is its fourth.
        step = await Player(ada).said(RUNNING, 4, "word 4")
        assert step["observation"] == {"text": "word 4", "data": {"number": 4}, "images": {}}
        # The same problems under the same aliases, and a new run of them on a hidden split.
        problems = await ada.problems("quiz", "test")
        done = await ada.submit("quiz", "test", {problem["id"]: "A" for problem in problems}, model="new")
        assert done.status_code == 202, done.text
        async with asyncio.timeout(300):
            while _verdicts(server, settings, "new") < len(problems):
                await asyncio.sleep(0.2)
    _comes_back(settings, tmp_path)


def _comes_back(settings: Settings, folder: Path) -> None:
    """Its backup is restored into an instance of its own."""
    secret, file = folder / "passphrase", folder / "instance.backup"
    secret.write_text(PASSPHRASE)
    made = command(
        "backup", "--out", str(file), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(settings.data_dir)
    )
    assert made.returncode == 0, made.stderr
    other = settings.data_dir / "other"
    restored = command("restore", str(file), "--passphrase-file", str(secret), HELDOUT_DATA_DIR=str(other))
    assert restored.returncode == 0, restored.stderr
    checked = command("check-ledger", HELDOUT_DATA_DIR=str(other))
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_a_second_upgrade_changes_nothing(early: tuple[Settings, LocalServer]) -> None:
    settings, server = early
    migrate.prepare(settings)
    before = _rows(server, settings)
    migrate.prepare(settings)
    assert _rows(server, settings) == before
    with psycopg.connect(server.uri(settings.database_name)) as connection:
        assert connection.execute("select version_num from alembic_version").fetchone() == (expected_version(),)
