"""What a participant does on its database server has no influence on the verdict, nor on anybody else."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from envs.base import Action, FinishReason, Probe
from envs.database.environment import Database
from envs.sandbox.base import Backend
from grading.verdict import Outcome
from tests.support.live import databases, judged, play, sql

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]

ROWS = [["1", "Ada", "90"], ["2", "Bob", None], ["3", "Eve", "70"]]
SPEC: dict[str, Any] = {
    "problem": "Give Bob 80 points.",
    "tables": [{"name": "Points of `all`", "columns": ["No.", "Name", "100 % points"], "rows": ROWS}],
    "timeout": 5,
}
TABLE = "`Points of ``all```"
GOLD = f"UPDATE {TABLE} SET `100 % points` = '80' WHERE `Name` = 'Bob'"
PROBES = [
    Probe(name="table", type="table", arguments={"table": "Points of `all`"}),
    Probe(name="gold", type="gold_table", arguments={"table": "Points of `all`", "statements": [GOLD]}),
]
REFERENCE = {"kind": "table", "task": "state", "expected": "gold"}


@pytest.fixture(scope="module")
async def backend() -> AsyncIterator[Backend]:
    async with databases() as found:
        yield found


async def outcome(backend: Backend, *statements: str) -> Outcome:
    results, seen = await play(Database(backend), SPEC, PROBES, [sql(statement) for statement in statements])
    return judged(results, seen, REFERENCE).outcome


async def test_the_gold_statement_passes_and_nothing_else_does(backend: Backend) -> None:
    assert await outcome(backend, GOLD) is Outcome.CORRECT
    assert await outcome(backend) is Outcome.INCORRECT
    assert await outcome(backend, GOLD.replace("'80'", "'8'")) is Outcome.INCORRECT
    assert await outcome(backend, GOLD, f"INSERT INTO {TABLE} SELECT * FROM {TABLE}") is Outcome.INCORRECT


@pytest.mark.parametrize(
    "attack",
    [
        [f"CREATE TEMPORARY TABLE t AS SELECT * FROM {TABLE}", GOLD.replace(TABLE, "t")],
        [
            f"CREATE TABLE t AS SELECT * FROM {TABLE}",
            GOLD.replace(TABLE, "t"),
            f"DROP TABLE {TABLE}",
            f"CREATE VIEW {TABLE} AS SELECT * FROM t",
        ],
        [f"DELETE FROM {TABLE}"],
        [f"DROP TABLE {TABLE}"],
        ["START TRANSACTION", GOLD],
    ],
)
async def test_what_only_looks_like_the_gold_state(backend: Backend, attack: list[str]) -> None:
    assert await outcome(backend, *attack) is Outcome.INCORRECT


async def test_a_lock_does_not_stop_the_probe(backend: Backend) -> None:
    assert await outcome(backend, GOLD, f"LOCK TABLES {TABLE} WRITE") is Outcome.CORRECT


REFUSED = (
    "SELECT 1 INTO OUTFILE '/tmp/x'",
    "LOAD DATA INFILE '/etc/passwd' INTO TABLE t",
    "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t",
    "SELECT * FROM mysql.user",
    "SET GLOBAL max_connections = 1000",
    "CREATE FUNCTION sys_exec RETURNS INTEGER SONAME 'x.so'",
    "INSTALL SONAME 'ha_connect'",
    "CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO DELETE FROM t",
    "CREATE TRIGGER t AFTER INSERT ON t FOR EACH ROW SET @a = 1",
    "CREATE USER x IDENTIFIED BY 'x'",
    "CREATE DATABASE other",
    "SHUTDOWN",
)


async def test_nothing_but_tables_is_reached(backend: Backend) -> None:
    spec = SPEC | {"turns": 30}
    actions = [sql("CREATE TABLE t (a TEXT)"), sql("SELECT LOAD_FILE('/etc/passwd')"), sql("SHOW DATABASES")]
    results, _ = await play(Database(backend), spec, [], actions + [sql(statement) for statement in REFUSED])
    assert results[1].observation.data["output"] is None
    assert "mysql" not in results[2].observation.text
    refused = [str(result.observation.data.get("error", "")) for result in results[3:]]
    assert all(refused), dict(zip(REFUSED, refused, strict=True))


async def test_endless_and_endlessly_long_answers(backend: Backend) -> None:
    spec = SPEC | {"timeout": 3}
    numbers = "WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 900000)"
    flood = f"{numbers} SELECT i, REPEAT('x', 999) FROM n"
    statements = [
        "SELECT SLEEP(600)",
        "SET SESSION max_statement_time = 0",
        "SELECT BENCHMARK(9e15, MD5('x'))",
        flood,
        "SELECT 'alive'",
    ]
    results, _ = await play(Database(backend), spec, [], [sql(statement) for statement in statements])
    assert "stopped after 3 seconds" in results[0].observation.text
    assert "stopped after 3 seconds" in results[2].observation.text
    assert len(results[3].observation.text) < 1000
    assert results[4].observation.data["output"] == "alive"


async def test_sessions_do_not_see_each_other(backend: Backend) -> None:
    mine, other = Database(backend), Database(backend)
    try:
        await mine.reset(SPEC, 1)
        await other.reset(SPEC, 1)
        await other.step(sql("CREATE TABLE secret (a TEXT)"))
        await other.step(sql(f"DELETE FROM {TABLE}"))
        seen = await mine.step(sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'task'"))
        assert seen.observation.text.count("[[") == 1
        assert "secret" not in seen.observation.text
        processes = await mine.step(sql("SELECT COUNT(*) FROM information_schema.processlist"))
        assert processes.observation.data["output"] == 1
        assert (await mine.step(sql(f"SELECT COUNT(*) FROM {TABLE}"))).observation.data["output"] == 3
    finally:
        await mine.close()
        await other.close()


async def test_an_answer_that_is_code_is_only_text(backend: Backend) -> None:
    reference = {"kind": "table", "task": "answer", "labels": ["90"]}
    for text, outcome in (('["90.0"]', Outcome.CORRECT), ("__import__('os').getpid() and ['90']", Outcome.INCORRECT)):
        action = Action(text=f"Action: Answer\nFinal Answer: {text}")
        results, seen = await play(Database(backend), SPEC, [], [action])
        assert results[0].finish is FinishReason.COMPLETED
        assert judged(results, seen, reference).outcome is outcome
