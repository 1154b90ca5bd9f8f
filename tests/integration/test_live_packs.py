"""Live packs, played: the gold passes, and who knows nothing scores nothing."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.admission import policies, simulation
from envs import places, registry
from envs.base import Action, FinishReason, Observation, Probe, ToolCall
from envs.database.environment import Database
from envs.database.importers import agentbench_db
from envs.operating_system.environment import OperatingSystem
from envs.operating_system.importers import agentbench_os
from envs.sandbox.base import Backend
from grading.verdict import Outcome
from packs.draft import Mode
from packs.problem import ReferenceLine
from packs.read import read_pack
from tests.support.live import bash, databases, play, sandboxes, sql

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]

PACKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
async def machines() -> AsyncIterator[Backend]:
    async with sandboxes() as found:
        yield found


@pytest.fixture(scope="module")
async def servers() -> AsyncIterator[Backend]:
    async with databases() as found:
        yield found


async def knows_and_does_not(lines: list[ReferenceLine]) -> None:
    """The gold passes everything; the null participant and the one that repeats the question pass nothing."""
    gold = await simulation.simulate_episodes(lines, policies.gold, at_once=2)
    assert [(played.error, played.verdict.outcome) for played in gold] == [(None, Outcome.CORRECT)] * len(lines)
    for policy in (policies.null, policies.echo):
        played = await simulation.simulate_episodes(lines[:2], lambda _, policy=policy: policy, at_once=2)  # type: ignore[misc]
        assert [(each.error, each.verdict.outcome) for each in played] == [(None, Outcome.INCORRECT)] * len(played)


async def test_live_os(machines: Backend) -> None:
    lines = list(read_pack(PACKS / "live-os", registry).references)[:11]
    await knows_and_does_not(lines)


async def test_live_db(servers: Backend) -> None:
    lines = list(read_pack(PACKS / "live-db", registry).references)[1:5]
    await knows_and_does_not(lines)


@pytest.mark.parametrize("mode", ["fixed", "published"])
async def test_agentbench_os(machines: Backend, data: Path, tmp_path: Path, mode: Mode) -> None:
    agentbench_os.read(data / "agentbench/os_interaction/dev.json", mode=mode).write(tmp_path / "pack")
    lines = [
        line for line in read_pack(tmp_path / "pack", registry).references if line.id[-2:] in {"03", "20", "24", "25"}
    ]
    assert len(lines) == 4
    await knows_and_does_not(lines)


@pytest.mark.parametrize("mode", ["fixed", "published"])
async def test_agentbench_db(servers: Backend, data: Path, tmp_path: Path, mode: Mode) -> None:
    agentbench_db.read(data / "agentbench/dbbench/dev.jsonl", mode=mode).write(tmp_path / "pack")
    lines = [line for line in read_pack(tmp_path / "pack", registry).references if line.id[-2:] in {"04", "21", "45"}]
    assert len(lines) == 3
    await knows_and_does_not(lines)


async def test_a_machine_keeps_its_shell_and_its_turns(machines: Backend) -> None:
    spec = {"problem": "?", "turns": 4, "start": "(sleep 3600) &", "init": [{"code": "echo $RANDOM > /root/lot"}]}
    actions = [
        bash("cd /tmp; x=5"),
        bash("pwd; echo $x; until ps -A -o args= | grep -q '^sleep 3600'; do :; done; echo 1"),
        Action(text="no action"),
        bash("false"),
    ]
    results, _ = await play(OperatingSystem(machines), spec, [], actions)
    assert results[1].observation.data["output"] == "/tmp\n5\n1\n"
    assert [result.finish for result in results] == [None, None, None, FinishReason.TASK_LIMIT]
    assert results[3].observation.data["exit_code"] == 1
    lots = [
        (await play(OperatingSystem(machines), spec, [], [bash("cat /root/lot")], seed=seed))[0][0].observation.text
        for seed in (7, 7, 8)
    ]
    assert lots[0] == lots[1] != lots[2]


async def test_the_gold_is_taken_from_the_files_that_were_there_at_the_beginning(machines: Backend) -> None:
    """Not from others of the same preparation: their times would be other ones."""
    spec = {"problem": "?", "init": [{"code": "touch /root/a"}], "times": True}
    look = "stat -c %y /root/a"
    probe = Probe(name="gold", type="gold", arguments={"script": {"code": look}})
    actions = [bash(look), bash("touch /root/a /root/b")]
    results, seen = await play(OperatingSystem(machines), spec, [probe], actions)
    assert isinstance(seen[0].value, dict)
    assert results[0].observation.data["output"] == seen[0].value["stdout"] != ""


async def test_a_published_episode_ends_where_nothing_can_be_read(machines: Backend, servers: Backend) -> None:
    spec: dict[str, Any] = {"problem": "?", "protocol": "published"}
    results, _ = await play(OperatingSystem(machines), spec, [], [Action(text="I would rather not")])
    assert results[0].finish is FinishReason.INVALID_ACTION
    spec |= {"tables": [{"name": "t", "columns": ["a"], "rows": [["1"]]}], "turns": 2}
    results, _ = await play(Database(servers), spec, [], [Action(text="Action: Operation")])
    assert results[0].finish is FinishReason.INVALID_FORMAT
    results, _ = await play(Database(servers), spec, [], [sql("SELECT * FROM t"), sql("SELECT b FROM t")])
    assert results[0].observation.text == "[('1',)]"
    assert results[1].observation.text.startswith("1054: Unknown column")
    assert results[1].finish is None
    ending = [sql("SELECT * FROM t"), sql("SELECT 1"), Action(text="Action: Answer\nFinal Answer: 1")]
    results, _ = await play(Database(servers), spec, [], ending)
    assert (results[2].finish, results[2].answer) == (FinishReason.COMPLETED, " 1")
    results, _ = await play(Database(servers), spec, [], [*ending[:2], sql("SELECT 2")])
    assert results[2].finish is FinishReason.TASK_LIMIT


def test_an_oracle_may_answer_with_what_was_printed() -> None:
    seen = Observation(data={"output": " 42\n"})
    action = Action(tool=ToolCall(name="answer_action", arguments={"answer": "{{output}}", "list": ["{{output}}"]}))
    resolved = places.resolve(action, seen)
    assert resolved.tool is not None
    assert resolved.tool.arguments == {"answer": "42", "list": ["42"]}
