"""`heldout run --suite agentbench` against a real service: every agent's run ends, scored, in the paper's table."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import heldout
from api.core.settings import Settings
from api.hosting.server import Host
from heldout import _run_command
from heldout._commands import app
from heldout.evaluation import ContextLimitError, Entrant, SuiteOutcome, Task, chat, evaluate_suite
from heldout.models import Model
from packs.pack import Pack
from tests.support import suite
from tests.support.bridge import Bridge
from tests.support.live import databases
from tests.support.service import Service

pytestmark = pytest.mark.timeout(1800)

WEIGHTS = {"os": 10.8, "db": 13.0, "kg": 13.9, "dcg": 12.0, "ltp": 3.5, "hh": 13.0, "ws": 30.7, "wb": 11.6}


@dataclass
class Stage:
    """The service with the packs that it offers, and a participant."""

    service: Service
    client: heldout.Client
    packs: dict[str, Pack]

    async def worked(self, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
        """What `function` gives in a thread, with the worker at work."""
        running = asyncio.create_task(asyncio.to_thread(function, *given, **more))
        while not (await asyncio.wait({running}, timeout=0.5))[0]:
            await self.service.work()
        return running.result()

    async def run(self, agent: Any, name: str, out: Path, **more: Any) -> SuiteOutcome:
        entrant = Entrant(name, agent, Model(name=name), concurrency=4)
        result: SuiteOutcome = await self.worked(evaluate_suite, self.client, entrant, "agentbench", out=out, **more)
        return result

    @property
    def episodes(self) -> int:
        return sum(len(pack.problems) for pack in self.packs.values())


async def _stage(settings: Settings, service: Service, packs: dict[str, Pack]) -> AsyncIterator[Stage]:
    for pack in packs.values():
        await service.publish(pack)
    key = await service.key()
    async with Host.running(settings):
        with heldout.Client(api_key=key, base_url="http://heldout.test", transport=Bridge(service)) as made:
            yield Stage(service, made, packs)


@pytest.fixture
async def stage(settings: Settings, service: Service) -> AsyncIterator[Stage]:
    """Without the worlds that need a sandbox."""
    light = {part: name for part, name in suite.WORLDS.items() if part not in suite.SANDBOXED}
    async for made in _stage(settings, service, suite.packs(light)):
        yield made


def ends(run: SuiteOutcome) -> dict[str, int]:
    """The finish reasons of all parts, as the client counts them and as the service does, which must be one."""
    counted: dict[str, int] = {}
    for outcome in run.outcomes:
        assert outcome.complete, (outcome.course, outcome.errors)
        assert outcome.submission.state == "graded"
        assert outcome.submission.score is not None
        for name, count in outcome.finish_reasons.items():
            counted[name] = counted.get(name, 0) + count
    return counted


def served(run: SuiteOutcome) -> dict[str, int]:
    """The finish reasons as the service counted them."""
    counted: dict[str, int] = {}
    for outcome in run.outcomes:
        for name, told in (outcome.submission.breakdown or {})["finish_reason"].items():
            counted[name] = counted.get(name, 0) + told["n"]
    return counted


async def test_an_agent_that_knows_has_the_papers_score_and_the_board_shows_it(stage: Stage, tmp_path: Path) -> None:
    knowing = suite.Knowing(stage.packs)
    run = await stage.run(knowing, "knowing", tmp_path)
    assert [played.outcome is not None for played in run.played] == [part in stage.packs for part in WEIGHTS]
    assert ends(run).keys() <= {"completed", "task_limit"}
    scores = [played.score.score if played.score else 0 for played in run.played]
    expected = sum(100 * score / weight for score, weight in zip(scores, WEIGHTS.values(), strict=True)) / 8
    assert run.overall.score == pytest.approx(expected)
    assert run.overall.played == len(stage.packs)
    assert all(score.score > 0.9 for played in run.played if (score := played.score))
    (row,) = (await asyncio.to_thread(stage.client.overall, "agentbench")).items
    assert (row.model, row.played, row.rank) == ("knowing", len(stage.packs), 1)
    assert (row.score, row.interval.low, row.interval.high) == pytest.approx(
        (run.overall.score, run.overall.low, run.overall.high), abs=1e-3
    )
    # Once more: nothing is played again, and the same submissions are shown.
    knowing.asked.clear()
    again = await stage.run(knowing, "knowing", tmp_path)
    assert (knowing.asked, again.overall) == ([], run.overall)
    assert [o.submission.id for o in again.outcomes] == [o.submission.id for o in run.outcomes]


def _failing(task: Task) -> str:
    raise ValueError("I cannot")


def _overflowing(task: Task) -> str:
    raise ContextLimitError("maximum context length is 8192 tokens")


def _full(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
    if len(messages) > 1:
        raise ContextLimitError("maximum context length is 8192 tokens")
    return {"role": "assistant", "content": "hello"}, None


def _rubbish(messages: list[dict[str, Any]], tools: object) -> tuple[dict[str, Any], None]:
    return {"role": "assistant", "content": "]} Act: {[ \0\ud800 ```"}, None


async def _end_scored(stage: Stage, out: Path) -> None:
    """Agents that overflow or talk rubbish in the stage's worlds; one that fails at everything has no score."""
    run = await stage.run(_failing, "failing", out)
    assert sum(outcome.finish_reasons["agent_error"] for outcome in run.outcomes) == stage.episodes
    assert {(outcome.failed, outcome.complete, outcome.submission.state) for outcome in run.outcomes} == {
        (True, False, "open")
    }
    assert run.overall.score == 0
    assert sum(sum(outcome.errors.values()) for outcome in run.outcomes) == 3 * stage.episodes
    run = await stage.run(_overflowing, "overflowing", out)
    assert ends(run) == served(run) == {"context_limit": stage.episodes}
    run = await stage.run(chat(_full), "full", out)
    assert ends(run) == served(run)
    assert sum(ends(run).values()) == stage.episodes
    run = await stage.run(chat(_rubbish), "rubbish", out)
    assert ends(run) == served(run)
    assert ends(run).keys() <= {"completed", "task_limit", "invalid_action", "invalid_format"}
    assert sum(ends(run).values()) == stage.episodes
    assert run.overall.score < 0.3


async def test_agents_that_overflow_or_talk_rubbish_end_scored(stage: Stage, tmp_path: Path) -> None:
    await _end_scored(stage, tmp_path)


@pytest.mark.sandbox
async def test_so_they_do_in_machines_and_databases(settings: Settings, service: Service, tmp_path: Path) -> None:
    heavy = {part: name for part, name in suite.WORLDS.items() if part in suite.SANDBOXED}
    async with databases():
        async for stage in _stage(settings, service, suite.packs(heavy, count=1)):
            await _end_scored(stage, tmp_path)


@pytest.mark.sandbox
async def test_the_command_goes_on_and_prints_the_table(
    settings: Settings, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "agent.py"
    program.write_text('import sys\nfor line in sys.stdin:\n    print(\'{"text": "nothing"}\', flush=True)\n')

    def invoked(*more: str) -> Result:
        words = ["run", "--suite", "agentbench", "--model", "m", "--command", f"{sys.executable} {program}"]
        return CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out"), *more], env={"COLUMNS": "200"})

    async with databases():
        async for stage in _stage(settings, service, suite.packs()):
            key = stage.client.config.api_key

            bridge = Bridge(service)
            made = partial(heldout.Client, api_key=key, base_url="http://heldout.test", transport=bridge)
            monkeypatch.setattr(_run_command, "Client", made)
            first = await stage.worked(invoked, "--tasks", "5")
            assert first.exit_code == 1, first.output
            assert "the same command again goes on with" in first.output
            second = await stage.worked(invoked, "--json")
            assert second.exit_code == 0, second.output
            rows = [json.loads(line) for line in second.stdout.splitlines() if line.startswith("{")]
            offered = {row["benchmark"] for row in rows[:-1] if row["published"]}
            assert offered == {f"agentbench-{part}" for part in stage.packs}
            assert (rows[-1]["suite"], rows[-1]["played"], rows[-1]["parts"]) == ("agentbench", len(offered), 8)
            assert all(row["submission"]["state"] == "graded" for row in rows[:-1] if row["published"])
            third = await stage.worked(invoked)
            for part in rows[:-1]:
                assert part["name"] in third.output
            assert f"{len(offered)} of 8 scored" in third.output
            if "wb" not in stage.packs:
                assert "Web browsing: not offered by this service (agentbench-wb, split dev)" in third.output
