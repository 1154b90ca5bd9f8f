"""The table digest against the digests that AgentBench ships."""

import json
import sqlite3
from typing import Any

from grading import Answer, Evidence, Outcome, grade
from grading.kinds.table import digest

from .data import published


def _after_gold_statement(sample: dict[str, Any]) -> tuple[list[str], list[list[str | None]]]:
    table = sample["table"]
    columns = [column["name"] for column in table["table_info"]["columns"]]
    connection = sqlite3.connect(":memory:")
    quoted = ", ".join(f"`{name}` TEXT" for name in columns)
    connection.execute(f"CREATE TABLE `{table['table_name']}` ({quoted})")
    marks = ", ".join("?" for _ in columns)
    connection.executemany(f"INSERT INTO `{table['table_name']}` VALUES ({marks})", table["table_info"]["rows"])
    connection.execute(sample["label"][0])
    rows = connection.execute(f"SELECT * FROM `{table['table_name']}`").fetchall()
    connection.close()
    return columns, [list(row) for row in rows]


def test_digests_agree_with_those_published() -> None:
    lines = published("agentbench", "dbbench", "dev.jsonl").read_text().splitlines()
    samples = [sample for sample in map(json.loads, lines) if sample["type"][0] in ("INSERT", "UPDATE")]
    assert len(samples) == 40
    for sample in samples:
        columns, rows = _after_gold_statement(sample)
        gold = sample["answer_md5"].removeprefix("[('").removesuffix("',)]")
        assert digest(rows) == gold, sample["label"]
        reference = {"kind": "table", "task": "state", "mode": "published", "digest": gold}
        for kept, outcome in ((rows, Outcome.CORRECT), (rows[1:], Outcome.INCORRECT)):
            seen = Evidence(name="table", value={"columns": columns, "rows": kept})
            assert grade(Answer(evidence=(seen,)), reference).outcome is outcome
